"""Explains numbers of joints in an engine, such as limits and damping, by numbers of the file."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import permutations, product
from types import MappingProxyType

import numpy as np

from unibody.model.joint_kind import KINDS
from unibody.model.robot import Joint, Range
from unibody.proof.guesses import DEGREE, FACTORS, FITTED, Guess, Words, number_guesses
from unibody.proof.sources import Tree, breadth_first, depth_first

# Numbers agree to this share; what engines state may have single precision.
_ALIKE = 1e-5
# As many different numbers that are exchanged are no chance.
_PERMUTED = 3
# A number that as many other joints have may be theirs.
_ALIKE_LEAST = 2
_NOUNS = {"stiffness": "stiffness of the spring", "rest": "rest position of the spring"}


def numbers_of(joint: Joint) -> dict[str, float]:
    """The numbers of a joint that another one may be taken for, by name."""
    low, high = joint.limits.position
    found = {
        "the damping": joint.dynamics.damping,
        "the friction": joint.dynamics.friction,
        "the stiffness of the spring": joint.dynamics.stiffness,
        "the rest position of the spring": joint.dynamics.rest,
        "the armature": joint.actuator.reflected_inertia,
        "the inertia of the rotor": joint.actuator.rotor_inertia or 0.0,
        "the gear ratio": joint.actuator.gear_ratio or 0.0,
        "the square of the gear ratio": (joint.actuator.gear_ratio or 0.0) ** 2,
        "the lower limit": low,
        "the upper limit": high,
        "the limit of effort": joint.limits.effort[1],
        "the limit of velocity": joint.limits.velocity[1],
        "the initial position": joint.initial,
    }
    return {name: value for name, value in found.items() if math.isfinite(value)}


def number_of(joint: Joint, quantity: str) -> float:
    """The armature, or the number of the dynamics with this name."""
    if quantity == "armature":
        return joint.actuator.reflected_inertia
    return float(getattr(joint.dynamics, quantity))


def alike_words(tree: Tree, joint: Joint, quantity: str, there: float) -> str:
    """The words for a number of a joint that is that of others, "" where it is that of less than two."""
    alike = [x.name for x in tree.robot.joints if x.name != joint.name and number_of(x, quantity) == there]
    if len(alike) < _ALIKE_LEAST or not there:
        return ""
    noun = _NOUNS.get(quantity, quantity)
    return f"{noun} {there:.6g} as that of other joints, such as {alike[0]}"


def number_words(
    tree: Tree, joint: Joint, quantity: str, there: float, known: Mapping[str, float] = MappingProxyType({})
) -> Words:
    """What explains another armature, damping, friction, or stiffness or rest of the spring of a joint.

    ``known`` are numbers that it has by mistakes which other values than those of the joint tell, by words.
    """
    own, noun = number_of(joint, quantity), _NOUNS.get(quantity, quantity)
    found: dict[str, float] = {}
    for words, value in known.items():
        if math.isclose(value, there, rel_tol=_ALIKE, abs_tol=1e-12):
            found[words] = 0.8
    if there == 0.0 and own and not found:
        words = "spring pulls toward zero" if quantity == "rest" else f"{_short(quantity)} missing"
        return {words: 1.0}
    for guess in _numbers(tree, joint, quantity, own, noun):
        if math.isclose(float(guess.value[0]), there, rel_tol=_ALIKE, abs_tol=0.0):
            found[guess.words] = min(found.get(guess.words, math.inf), guess.cost_at(there))
    if alike := alike_words(tree, joint, quantity, there):
        found[alike] = 1.28
    told = f"{noun} {there:.6g} in the engine, not that of the model"
    if not own and quantity != "rest":
        told = f"{noun} added: {there:.6g}"
    return {**found, told: FITTED}


def constant_words(
    joints: Mapping[str, Joint], quantity: str, there: Mapping[str, float]
) -> dict[str, Words]:
    """What explains one number of many joints that should have others; {} if they have several."""
    values = [*there.values()]
    if not any(number_of(joints[name], quantity) for name in there):
        return {}
    if len(values) < _PERMUTED or not values[0] or max(values) - min(values) > _ALIKE * abs(values[0]):
        return {}
    others = (j for name, j in joints.items() if name not in there and KINDS[j.kind].nq == 1)
    if not all(number_of(j, quantity) == values[0] for j in others):
        return {}
    noun = _NOUNS.get(quantity, quantity)
    words = f"{noun} {values[0]:.6g} for all joints, a constant that is not in the file"
    return {name: {words: 1.25} for name in there}


def exchanged_words(
    joint: Joint, quantity: str, there: Mapping[str, float], tolerance: float = _ALIKE
) -> Words:
    """What explains a number that is exchanged with another one; ``there`` are all that differ."""
    own = number_of(joint, quantity)
    for other, value in there.items():
        if other != quantity and all(
            math.isclose(a, b, rel_tol=tolerance)
            for a, b in ((value, own), (there[quantity], number_of(joint, other)))
        ):
            return {f"{' and '.join(sorted((quantity, other)))} exchanged": 0.7}
    return {}


def evidence_of(own: Sequence[float], there: Sequence[float]) -> str:
    """What is the same for owners that have the same numbers, here and in the engine.

    >>> evidence_of((0.1,), (0.25,)) == evidence_of((0.1,), (0.2500000001,))
    True
    """
    return " ".join(f"{value:.6g}" for value in (*own, *there))


def permuted_words(
    joints: Mapping[str, Joint], quantity: str, there: Mapping[str, float]
) -> dict[str, Words]:
    """What explains numbers of several joints that are those of one another; {} if they are not."""
    own = {name: number_of(joints[name], quantity) for name in there}
    if len({*own.values()}) < _PERMUTED or sorted(own.values()) != sorted(there.values()):
        return {}
    orders = {
        words: [joint.name for joint in order]
        for words, order in orders_of([x for x in joints.values() if x.kind != "fixed"]).items()
    }
    found = [
        f"numbers in the order {a} given to joints in the order {b}"
        for a, b in permutations(orders, 2)
        if all(
            math.isclose(
                number_of(joints[orders[a][orders[b].index(name)]], quantity), value, rel_tol=_ALIKE
            )
            for name, value in there.items()
        )
    ]
    first = next(iter(there))
    of = min(own, key=lambda x: abs(own[x] - there[first]))
    words = found[0] if found else f"numbers given to other joints: {first} has that of {of}"
    return {name: {f"{quantity}: {words}": 1.0} for name in there}


def orders_of(joints: Sequence[Joint]) -> dict[str, list[Joint]]:
    """The usual orders of joints, by words."""
    given = list(joints)
    return {
        "of the file": given,
        "branch by branch (depth first)": depth_first(given),
        "level by level (breadth first)": breadth_first(given),
        "of the alphabet": sorted(given, key=lambda joint: joint.name),
        "of the file reversed": given[::-1],
    }


def _short(quantity: str) -> str:
    return "spring" if quantity == "stiffness" else quantity


def _numbers(tree: Tree, joint: Joint, quantity: str, own: float, noun: str) -> Iterator[Guess]:
    own_name = {"rest": "the rest position of the spring", "stiffness": "the stiffness of the spring"}
    others = {
        name: value
        for name, value in numbers_of(joint).items()
        if name != own_name.get(quantity, f"the {quantity}")
    }
    for words, other in tree.neighbours(joint):
        value = number_of(other, quantity)
        if value:
            others[f"that of {words}"] = value
    above = tree.above.get(joint.parent)
    if above is not None and number_of(above, quantity):
        others["that of the joint above"] = number_of(above, quantity)
    turns = {*KINDS[joint.kind].v_units} == {"rad"}
    if quantity in ("damping", "stiffness") and turns and own:
        yield _guess(1.0, f"{noun} per degree: multiplied by 57.3", own / DEGREE)
        yield _guess(1.0, f"{noun} per degree: divided by 57.3", own * DEGREE)
    elif quantity in ("damping", "stiffness") and own:
        yield _guess(1.1, f"{noun} multiplied by 57.3, as per degree", own / DEGREE)
        yield _guess(1.1, f"{noun} divided by 57.3, as per degree", own * DEGREE)
    if quantity == "rest" and own:
        yield _guess(1.0, f"{noun} in degrees", own * DEGREE)
        yield _guess(1.0, f"{noun} in degrees: multiplied by 57.3", own / DEGREE)
    if quantity == "armature":
        gear = joint.actuator.gear_ratio or 1.0
        if gear != 1.0:
            yield _guess(1.0, "armature multiplied by the gear ratio once", own / gear)
            yield _guess(1.0, "armature before the gear", own / gear**2)
            yield _guess(1.0, "armature multiplied by the gear ratio twice", own * gear**2)
    if own:
        yield from number_guesses(own, noun, others, {}, angular=False)
    else:
        for name, value in others.items():
            if value:
                yield _guess(1.6, f"{noun} taken from {name}", value)


def _guess(cost: float, words: str, value: float) -> Guess:
    return Guess(cost, words, np.array([value]))


# --- limits --------------------------------------------------------------------------------------


def limit_words(tree: Tree, joint: Joint, ours: Range, there: Range) -> Words:
    """What explains other limits of the position of a joint, both in the coordinates of the file."""
    low, high = ours
    found: dict[str, float] = {}
    for cost, words, pair in _limits(tree, joint, ours):
        if words not in found and pair != ours and _same(pair, there):
            found[words] = cost
    if found:
        return found
    if low == -math.inf and high == math.inf:
        return {"limits of a continuous joint that are not to be read": 1.0}
    for guess in _chance_limits(joint, ours):
        a, b = guess.value.tolist()
        if _same((a, b), there):
            found[guess.words] = guess.cost_at(np.array(there))
    return {**found, _other_limits(ours, there): FITTED}


def _other_limits(ours: Range, there: Range) -> str:
    """What limits are that nothing explains."""
    low, high = ours
    if all(map(math.isfinite, (*ours, *there))):
        factor = there[1] / high if high else there[0] / low if low else 1.0
        if _same((factor * low, factor * high), there):
            return f"limits multiplied by {factor:.6g}"
        moved = there[1] - high
        if _same((low + moved, high + moved), there):
            return f"limits moved by {moved:.6g}"
    return "limits {:.6g} and {:.6g} in the engine, not {:.6g} and {:.6g}".format(*there, *ours)


def _same(a: Range, b: Range) -> bool:
    return all(math.isclose(x, y, rel_tol=_ALIKE, abs_tol=_ALIKE) for x, y in zip(a, b, strict=True))


def _limits(tree: Tree, joint: Joint, ours: Range) -> Iterator[tuple[float, str, Range]]:
    low, high = ours
    none = (-math.inf, math.inf)
    yield 0.8, "limits of 0 taken as none", none if low == high == 0.0 else ours
    yield 0.8, "limits that are reversed taken as none", none if low > high else ours
    yield 1.0, "limits dropped", none
    yield 1.0, "limits in radians taken as degrees: multiplied by π/180", (low * DEGREE, high * DEGREE)
    yield 1.0, "limits in degrees: multiplied by 180/π", (low / DEGREE, high / DEGREE)
    yield 1.3, "limits taken as degrees twice: multiplied by (π/180)²", (low * DEGREE**2, high * DEGREE**2)
    yield 1.0, "limits swapped", (high, low)
    yield 1.0, "sign of the limits", (-high, -low)
    yield 1.1, "sign of the limits, each in its place", (-low, -high)
    yield 1.1, "limits of a full turn", (-math.pi, math.pi)
    yield 1.1, "limits of two full turns", (-2.0 * math.pi, 2.0 * math.pi)
    yield 1.1, "limits of 0", (0.0, 0.0)
    yield 1.1, "lower limit of 0", (0.0, high)
    yield 1.1, "upper limit of 0", (low, 0.0)
    yield 1.1, "lower limit dropped", (-math.inf, high)
    yield 1.1, "upper limit dropped", (low, math.inf)
    yield 1.2, "upper limit for both, with the opposite sign below", (-high, high)
    yield 1.2, "lower limit for both, with the opposite sign above", (low, -low)
    yield 1.2, "limits without signs", (min(abs(low), abs(high)), max(abs(low), abs(high)))
    yield 1.3, "sign of the lower limit", (-low, high)
    yield 1.3, "sign of the upper limit", (low, -high)
    yield 1.2, "limits divided by 1000 (mm)", (low / 1000.0, high / 1000.0)
    yield 1.2, "limits 1000 times too large (mm)", (low * 1000.0, high * 1000.0)
    half = 0.5 * (high - low)
    yield 1.3, "limits about the middle of the range", (-half, half)
    yield 1.3, "limits from 0 to the width of the range", (0.0, high - low)
    largest = max(abs(low), abs(high))
    yield 1.4, "larger limit to both sides", (-largest, largest)
    if math.isfinite(low) or math.isfinite(high):
        # without limits, they are more likely those that the file states
        yield 1.4, "limits of 0 and 1", (0.0, 1.0)
        yield 1.4, "limits of -1 and 1", (-1.0, 1.0)
    for words, factor in FACTORS:
        yield 1.5, f"limits {words}", (factor * low, factor * high)
    gear = joint.actuator.gear_ratio
    if gear:
        yield 1.5, "limits multiplied by the gear ratio", (gear * low, gear * high)
        yield 1.5, "limits divided by the gear ratio", (low / gear, high / gear)
    joints = {each.name: each for each in tree.robot.joints}
    for each in tree.robot.couplings:
        if each.joint == joint.name:
            a, b = joints[each.leader].limits.position
            yield 1.5, "limits taken from the leader of the coupling", (a, b)
            ends = sorted((each.ratio * a + each.offset, each.ratio * b + each.offset))
            yield 1.5, "limits computed from those of the leader of the coupling", (ends[0], ends[1])
    for words, other in tree.neighbours(joint):
        yield 1.7, f"limits taken from {words}", other.limits.position
    for digits in (0, 1, 2, 3):
        yield 2.0, f"limits rounded to {digits} digits", (_rounded(low, digits), _rounded(high, digits))


def _chance_limits(joint: Joint, ours: Range) -> Iterator[Guess]:
    """Limits that numbers of the joint make which have nothing to do with them."""
    for name, value in numbers_of(joint).items():
        if not value or name in ("the lower limit", "the upper limit"):
            continue
        # an initial position may well be a zero
        cost = 1.2 if name == "the initial position" else 2.0
        own = np.array(ours)
        yield Guess(cost, f"limits moved by {name}", own + value, (value,))
        yield Guess(cost, f"limits moved back by {name}", own - value, (value,))
        yield Guess(2.0, f"limits of plus and minus {name}", np.array((-value, value)), (value,))


def _rounded(value: float, digits: int) -> float:
    return round(value, digits) if math.isfinite(value) else value


def rate_words(tree: Tree, joint: Joint, quantity: str, there: Range) -> Words:
    """What explains other limits of the "effort" or the "velocity" of a joint."""
    low, high = getattr(joint.limits, quantity)
    none = (-math.inf, math.inf)
    if there == none:
        zero = f"{quantity} limits of 0 taken as none"
        return {f"{quantity} limits dropped" if any((low, high)) else zero: 1.0}
    other = "velocity" if quantity == "effort" else "effort"
    most = getattr(joint.limits, other)[1]
    gear = joint.actuator.gear_ratio or 1.0
    pairs: list[tuple[float, str, Range]] = [
        (1.0, f"{quantity} limits of 0", (0.0, 0.0)),
        (1.1, f"{quantity} only limited above", (-math.inf, high)),
        (1.1, f"{quantity} only limited below", (low, math.inf)),
        (1.1, f"lower {quantity} limit of 0", (0.0, high)),
        (1.1, f"sign of the {quantity} limits", (-low, -high)),
        (1.2, f"{quantity} limits taken from those of {other}", (-most, most)),
        (1.3, f"{quantity} limits multiplied by the gear ratio", (gear * low, gear * high)),
        (1.3, f"{quantity} limits divided by the gear ratio", (low / gear, high / gear)),
        (1.3, f"{quantity} limits of 1", (-1.0, 1.0)),
        *(
            (cost, f"{quantity} limits {words}", (x * low, x * high))
            for cost, words, x in _rate_factors(joint, quantity)
        ),
        *(
            (1.7, f"{quantity} limits taken from {words}", getattr(x.limits, quantity))
            for words, x in tree.neighbours(joint)
        ),
    ]
    found: dict[str, float] = {}
    for cost, words, pair in pairs:
        if pair != (low, high) and _same(pair, there):
            found.setdefault(words, cost)
    told = "{} limits {:g} and {:g} in the engine, not those of the file"
    return found or {told.format(quantity, *there): FITTED}


def _rate_factors(joint: Joint, quantity: str) -> Iterator[tuple[float, str, float]]:
    if quantity == "velocity" and joint.kind == "revolute":
        yield 1.0, "in rad/s taken as degrees per second: multiplied by π/180", DEGREE
        yield 1.0, "in degrees per second: multiplied by 180/π", 1.0 / DEGREE
        yield 1.1, "in turns per minute: multiplied by 30/π", 30.0 / math.pi
        yield 1.1, "in rad/s taken as turns per minute: multiplied by π/30", math.pi / 30.0
    elif quantity == "velocity":
        yield 1.1, "multiplied by π/180, as those of a revolute joint", DEGREE
        yield 1.1, "multiplied by 180/π, as those of a revolute joint", 1.0 / DEGREE
    yield from ((1.4, words, x) for words, x in FACTORS)
    if quantity == "effort":
        yield from ((1.4, words, x) for words, x in _EFFORTS)


_EFFORTS = (
    ("multiplied by 9.81 (kgf)", 9.81),
    ("divided by 9.81 (kgf)", 1.0 / 9.81),
    ("multiplied by 9.80665 (kgf)", 9.80665),
    ("divided by 9.80665 (kgf)", 1.0 / 9.80665),
)


# --- couplings -----------------------------------------------------------------------------------


def coupling_words(ours: tuple[float, float], there: tuple[float, float]) -> Words:
    """What explains another ratio and offset of a coupling."""
    ratio, offset = ours
    out: dict[str, float] = {}
    inverse = 1.0 / ratio if ratio else math.inf
    whole = [
        (1.0, "coupling dropped: the joint stays at zero", 0.0, 0.0),
        (1.0, "ratio and offset of the coupling dropped", 1.0, 0.0),
        (1.0, "leader and follower of the coupling exchanged", inverse, -offset * inverse),
    ]
    if offset:
        whole.append((1.0, "sign of the coupling and of its offset", -ratio, -offset))
    for cost, words, a, b in whole:
        if _same((a, b), there):
            out[words] = cost
    ratios = {
        "": (0.0, ratio),
        "ratio of the coupling dropped": (1.0, 1.0),
        "sign of the coupling": (1.0, -ratio),
        "inverse ratio of the coupling": (1.0, inverse),
        "ratio of the coupling without its sign": (1.2, abs(ratio)),
        "ratio of the coupling of 0": (1.2, 0.0),
        "square of the ratio of the coupling": (1.5, ratio * ratio),
        "ratio of the coupling taken from its offset": (1.5, offset),
        "negative inverse ratio of the coupling": (1.5, -inverse),
        "ratio of the coupling multiplied by π/180": (1.5, ratio * DEGREE),
        "ratio of the coupling multiplied by 57.3": (1.5, ratio / DEGREE),
        **{f"ratio of the coupling {words}": (1.6, x * ratio) for words, x in FACTORS},
    }
    offsets = {
        "": (0.0, offset),
        "offset of the coupling dropped": (1.0, 0.0),
        "sign of the coupling's offset": (1.0, -offset),
        "offset of the coupling taken as degrees: multiplied by π/180": (1.0, offset * DEGREE),
        "offset of the coupling multiplied by 180/π": (1.0, offset / DEGREE),
        "offset of the coupling in front of the ratio": (1.1, ratio * offset),
        "offset of the coupling divided by the ratio": (1.2, offset * inverse),
        "offset of the coupling divided by the ratio, with the opposite sign": (1.4, -offset * inverse),
        "offset of the coupling in front of the ratio, with the opposite sign": (1.4, -ratio * offset),
        "offset of the coupling taken from its ratio": (1.6, ratio),
        **{f"offset of the coupling {words}": (1.6, x * offset) for words, x in FACTORS},
    }
    for (before, (x, first)), (after, (y, second)) in product(ratios.items(), offsets.items()):
        if (before or after) and _same((first, second), there):
            both = ", ".join(filter(None, (before, after)))
            out[both] = min(out.get(both, math.inf), x + y)
    if out:
        return out
    told = "ratio {:.6g} and offset {:.6g} of the coupling in the engine, not {:.6g} and {:.6g}"
    return {told.format(*there, *ours): FITTED}
