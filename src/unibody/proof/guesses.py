"""What a misread value becomes: each source in the file, after each of the usual mistakes, by simplicity.

A guess is a value with the words of the mistake that makes it and a cost; the words name no object, so that
the same mistake has the same words at every object. Guesses that reproduce a value explain it.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations, product
from types import MappingProxyType

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.pose import Pose, matrix_quaternion, quaternion_matrix

#: The cost of each words that explain a value; {"": 0} where it is right.
Words = Mapping[str, float]
RIGHT: Words = {"": 0.0}
#: The cost of words with a number that is fitted, not known.
FITTED = 100.0
#: One owner may have numbers by chance that are explained at this cost or more.
WEAK = 1.3
DEGREE = math.pi / 180.0
_INCH = 0.0254
#: Factors between units, and those of halves and squares: what the engine has is so many times the file's.
FACTORS: tuple[tuple[str, float], ...] = (
    ("1000 times too large (mm)", 1e3),
    ("divided by 1000 (mm)", 1e-3),
    ("100 times too large (cm)", 1e2),
    ("divided by 100 (cm)", 1e-2),
    ("in inches: 39.37 times too large", 1.0 / _INCH),
    ("multiplied by 0.0254 (inches)", _INCH),
    ("doubled", 2.0),
    ("halved", 0.5),
    ("10 times too large", 10.0),
    ("divided by 10", 0.1),
)
_AXES = "xyz"
# Angles (rad) and lengths (m) that are none, and products of inertia beside the largest moment.
_ZERO = 1e-12
# The most alternatives that are told.
_ALTERNATIVES = 3
# Numbers that have nothing to do with each other, combined, cost this or more, and less than what one owner
# alone needs if they have so many digits and are met exactly.
_UNRELATED, _TELLING = 2.0, 1.29
_DIGITS, _EXACT = 3, 1e-12
# Explanations that cost this much more are no worse.
_TIE = 0.16
_ANGLES = ("roll", "pitch", "yaw")


@dataclass(frozen=True, slots=True)
class Guess:
    """The value that a mistake makes, the words of the mistake, and how far-fetched it is.

    ``sources`` are numbers that have nothing to do with each other, and that it combines.
    """

    cost: float
    words: str
    value: Floats
    sources: tuple[float, ...] = ()

    def cost_at(self, there: float | Floats) -> float:
        """How far-fetched it is where the engine has ``there``: less if that is no chance.

        Numbers such as 0.1, 0.5 and 2 make one another; those of three digits or more do not.

        >>> both = Guess(2.1, "friction multiplied by the damping", np.array(0.125 * 0.375), (0.125, 0.375))
        >>> both.cost_at(0.046875), both.cost_at(0.0468751)
        (1.29, 2.1)
        """
        if not self.sources or min(map(_digits, self.sources)) < _DIGITS:
            return self.cost
        away = np.abs(self.value - there).max()
        return _TELLING if away <= _EXACT * np.abs(there).max() else self.cost


def _digits(value: float) -> int:
    """The significant digits of a decimal number.

    >>> [_digits(x) for x in (0.1, 250.0, 0.0375, -1.25e-7)]
    [1, 2, 3, 3]
    """
    return len(f"{abs(value):.14e}".partition("e")[0].replace(".", "").rstrip("0"))


def pole_guesses(own: Floats, there: Floats, noun: str) -> Iterator[Guess]:
    """That a rotation went wrong where its pitch is 90° or -90°, if both rotations are there."""
    if all(abs(abs(float(turn[2, 0])) - 1.0) < 1e-9 for turn in (own, there)):
        yield Guess(
            0.6, f"roll, pitch, yaw of {noun} wrong at the pole: pitch of ±90° (gimbal lock)", there
        )


def explained(
    guesses: Iterable[Guess], there: Floats, tolerance: float, *, most: float = math.inf
) -> dict[str, float]:
    """The cost of each guess that reproduces a value, by its words."""
    found = [guess for guess in guesses if guess.cost <= most]
    if not found:
        return {}
    with np.errstate(all="ignore"):
        values = np.stack([guess.value for guess in found])
        away = np.abs(values - there).reshape(len(found), -1).max(axis=1)
    out: dict[str, float] = {}
    for k in np.flatnonzero(away <= tolerance).tolist():
        words = found[k].words
        out[words] = min(out.get(words, math.inf), found[k].cost)
    return out


def is_known(words: Words) -> bool:
    """Whether a value is right or explained by values of the file."""
    return any(cost < FITTED for cost in words.values())


def alternatives(same: Sequence[str]) -> str:
    """Words of one cause that fit equally well."""
    return ", or ".join(same[:_ALTERNATIVES])


def multiples(
    guesses: Sequence[Guess], there: Floats, tolerance: float, factors: Iterable[tuple[float, str, float]]
) -> dict[str, float]:
    """The cost of each guess that reproduces a value times one of these factors, by the words of both."""
    with np.errstate(all="ignore"):
        values = np.stack([guess.value for guess in guesses]).reshape(len(guesses), -1)
        flat = np.ravel(there)
        ratio = values @ flat / np.einsum("ij,ij->i", values, values)
        away = np.abs(ratio[:, None] * values - flat).max(axis=1)
    known = [*factors]
    out: dict[str, float] = {}
    for k in np.flatnonzero(away <= tolerance).tolist():
        for cost, words, factor in known:
            if math.isclose(float(ratio[k]), factor, rel_tol=1e-7):
                both = f"{words}, {guesses[k].words}"
                out[both] = min(out.get(both, math.inf), guesses[k].cost + cost)
    return out


def chosen(
    by_owner: Mapping[str, Mapping[str, float]],
    weak: float = math.inf,
    evidence: Mapping[str, Hashable] = MappingProxyType({}),
) -> list[tuple[tuple[str, ...], list[str]]]:
    """The fewest and simplest explanations of all owners: their words and the owners of each.

    Words that explain the same owners at the same cost are told together; owners that nothing explains are
    left out. Those of this cost or more need two owners, as one may have the numbers by chance; those that
    combine unrelated numbers, two that do not have the same ``evidence``.
    """
    left = {name: dict(words) for name, words in by_owner.items() if words}
    for name, words in left.items():
        shared = {
            x
            for other, more in left.items()
            if other != name
            for x, cost in more.items()
            if cost < _UNRELATED or other not in evidence or evidence[other] != evidence.get(name)
        }
        kept = {x: cost for x, cost in words.items() if cost < weak or cost >= FITTED or x in shared}
        left[name] = kept or words
    out = []
    while left:
        costs: dict[str, list[float]] = {}
        for words in left.values():
            for each, cost in words.items():
                costs.setdefault(each, []).append(cost)
        by_words = sorted((max(found), words) for words, found in costs.items())
        first = min(by_words, key=lambda pair: (1.0 + pair[0]) / len(costs[pair[1]]))
        owners = [name for name, words in left.items() if first[1] in words]
        same = tuple(
            words
            for cost, words in by_words
            if first[0] - 1e-9 <= cost <= first[0] + _TIE and all(words in left[x] for x in owners)
        )
        out.append((same, owners))
        left = {name: words for name, words in left.items() if name not in owners}
    places = [*by_owner]
    return sorted(out, key=lambda pair: places.index(pair[1][0]))


# --- rotations -----------------------------------------------------------------------------------


def about(axis: int, angle: float) -> Floats:
    """The rotation about a coordinate axis, (3, 3)."""
    c, s = math.cos(angle), math.sin(angle)
    out = np.eye(3)
    a, b = (axis + 1) % 3, (axis + 2) % 3
    out[a, a], out[a, b], out[b, a], out[b, b] = c, -s, s, c
    return out


def _composed(order: Sequence[int], angles: Sequence[float]) -> Floats:
    """The product of rotations about coordinate axes; ``angles`` are by axis."""
    out = np.eye(3)
    for axis in order:
        out = out @ about(axis, angles[axis])
    return out


def _angles_in(order: Sequence[int], turn: Floats) -> tuple[float, float, float]:
    """The angles by axis of which a rotation (3, 3) is the product in an order of three axes."""
    i, j, k = order
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    middle = math.asin(max(-1.0, min(1.0, sign * float(turn[i, k]))))
    if abs(turn[i, k]) < 1.0 - 1e-12:
        first = math.atan2(-sign * turn[j, k], turn[k, k])
        last = math.atan2(-sign * turn[i, j], turn[i, i])
    elif order == (2, 1, 0):
        # as roll, pitch and yaw are stated there: no yaw
        first, last = 0.0, math.atan2(sign * turn[k, j], turn[j, j])
    else:
        first, last = math.atan2(sign * turn[k, j], turn[j, j]), 0.0
    out = [0.0, 0.0, 0.0]
    out[i], out[j], out[k] = first, middle, last
    return (out[0], out[1], out[2])


_RPY = (2, 1, 0)


def _named(places: Iterable[int], names: Sequence[str]) -> str:
    return " and ".join(names[k] for k in places)


def _some(count: int) -> Iterator[tuple[int, ...]]:
    """All non-empty choices of so many places, the small ones first."""
    for size in range(1, count + 1):
        yield from combinations(range(count), size)


def rotation_guesses(own: Floats, noun: str, others: Mapping[str, Floats]) -> list[Guess]:
    """What a rotation (3, 3) may become; ``noun`` has it, ``others`` are rotations that may be mixed in."""
    out = [
        Guess(1.0, f"rotation of {noun} ignored", np.eye(3)),
        Guess(1.0, f"rotation of {noun} inverted", own.T),
        Guess(1.4, f"rotation of {noun} applied twice", own @ own),
    ]
    out += _by_angles(own, noun)
    out += _by_quaternion(own, noun)
    for axis, angle in product(range(3), (90.0, -90.0, 180.0)):
        turn = about(axis, angle * DEGREE)
        out.append(Guess(2.1, f"{noun} turned by {angle:g}° about {_AXES[axis]}", own @ turn))
        words = f"{noun} turned by {angle:g}° about {_AXES[axis]} of the outer frame"
        out.append(Guess(2.2, words, turn @ own))
    for name, turn in others.items():
        out += [
            Guess(1.8, f"rotation of {noun} taken from {name}", turn),
            Guess(1.9, f"inverse rotation of {name} taken for that of {noun}", turn.T),
            Guess(2.0, f"rotation of {noun} turned by {name}", turn @ own),
            Guess(2.1, f"rotation of {noun} followed by that of {name}", own @ turn),
            Guess(2.0, f"rotation of {noun} turned back by {name}", turn.T @ own),
            Guess(2.1, f"rotation of {noun} followed by the inverse one of {name}", own @ turn.T),
        ]
    return out


def _by_angles(own: Floats, noun: str) -> Iterator[Guess]:
    a, b, c = own.tolist()
    quat = matrix_quaternion((tuple(a), tuple(b), tuple(c)))
    angles = Pose(quat=quat).rpy()
    # at the pole roll and yaw are not determined, and what states them goes wrong
    pole = 0.2 if abs(abs(angles[1]) - 0.5 * math.pi) < 1e-6 else 0.0
    of = "" if noun == JOINT else f" of {noun}"
    turned = [k for k, x in enumerate(angles) if abs(x) > _ZERO]
    for signs in (x for x in _some(3) if {*x} <= {*turned}):
        flipped = [-x if k in signs else x for k, x in enumerate(angles)]
        word = "sign" if len(signs) == 1 else "signs"
        yield Guess(
            1.2 + 0.1 * len(signs) - pole,
            f"{word} of the {_named(signs, _ANGLES)}{of}",
            _composed(_RPY, flipped),
        )
        if len(signs) < len(turned):
            kept = [0.0 if k in signs else x for k, x in enumerate(angles)]
            words = f"{_named(signs, _ANGLES)}{of} dropped"
            yield Guess(1.2 + 0.1 * len(signs), words, _composed(_RPY, kept))
    for order in permutations(range(3)):
        if order != (0, 1, 2):
            words = ", ".join(_ANGLES[k] for k in order)
            moved = [angles[k] for k in order]
            yield Guess(1.5, f"roll, pitch, yaw{of} in the order {words}", _composed(_RPY, moved))
    for name, factor in (
        ("taken as degrees: multiplied by π/180", DEGREE),
        ("in degrees: multiplied by 180/π", 1.0 / DEGREE),
    ):
        scaled = [factor * x for x in angles]
        yield Guess(1.0, f"angles of {noun} {name}", _composed(_RPY, scaled))
    for axis, angle in product(range(3), (90.0, -90.0, 180.0)):
        moved = [x + angle * DEGREE if k == axis else x for k, x in enumerate(angles)]
        yield Guess(2.0, f"{_ANGLES[axis]}{of} moved by {angle:g}°", _composed(_RPY, moved))
    for digits in (1, 2, 3, 4):
        rounded = [round(x, digits) for x in angles]
        yield Guess(2.0, f"roll, pitch, yaw{of} rounded to {digits} digits", _composed(_RPY, rounded))
    for order, read in product(permutations(range(3)), repeat=2):
        if order == read:
            continue
        if order == _RPY and read == (0, 1, 2):
            words, cost = f"order of roll, pitch, yaw{of}", 1.1
        else:
            names = (" ".join(_AXES[k] for k in each) for each in (order, read))
            words, cost = "Euler angles{} about {} taken as about {}".format(of, *names), 1.7
            if order == _RPY:
                cost = 1.4
        there = _angles_in(order, own)
        yield Guess(cost, words, _composed(read, there))
        names = (" ".join(_AXES[k] for k in each) for each in (order, read))
        by_place = dict(zip(read, (there[k] for k in order), strict=True))
        words = "order of the Euler angles (eulerseq){}: {} read as {}".format(of, *names)
        yield Guess(1.35, words, _composed(read, [by_place[k] for k in range(3)]))


def _quaternion(turn: Floats) -> tuple[float, float, float, float]:
    a, b, c = turn.tolist()
    return matrix_quaternion((tuple(a), tuple(b), tuple(c)))


# Orders of w, x, y, z with the scalar at the other end, or from there.
_MOVED = ((1, 2, 3, 0), (3, 0, 1, 2), (2, 3, 0, 1))


def _quaternion_moved(own: Floats) -> Iterator[Floats]:
    """What a rotation becomes if its quaternion is read from another place on."""
    quat = _quaternion(own)
    for order in _MOVED:
        yield _turn_of([quat[k] for k in order])


def _by_quaternion(own: Floats, noun: str) -> Iterator[Guess]:
    quat = _quaternion(own)
    of = "" if noun == JOINT else f" of {noun}"
    for turned in _quaternion_moved(own):
        yield Guess(1.25, f"order of the quaternion{of}", turned)
    for order in permutations(range(4)):
        if order != (0, 1, 2, 3) and order not in _MOVED:
            words = ", ".join("wxyz"[k] for k in order)
            turned = _turn_of([quat[k] for k in order])
            yield Guess(1.6, f"quaternion{of} in the order {words}", turned)
    for signs in _some(3):
        flipped = [quat[0], *(-x if k in signs else x for k, x in enumerate(quat[1:]))]
        words = f"sign of {_named(signs, _AXES)} of the quaternion{of}"
        if len(signs) < 3:
            yield Guess(1.7, words, _turn_of(flipped))


def _turn_of(quat: Sequence[float]) -> Floats:
    size = math.sqrt(sum(x * x for x in quat))
    w, x, y, z = (value / size for value in quat)
    return np.array(quaternion_matrix((w, x, y, z)))


#: The noun of a joint's origin, whose angles need no further words.
JOINT = "the joint's origin"


# --- vectors -------------------------------------------------------------------------------------


def vector_guesses(
    own: Floats,
    noun: str,
    others: Mapping[str, Floats],
    turns: Mapping[str, Floats],
    poses: Mapping[str, Pose] = MappingProxyType({}),
) -> list[Guess]:
    """What a vector (3) may become.

    ``others`` are vectors, ``turns`` rotations, and ``poses`` frames that may be mixed in.
    """
    out = [Guess(1.0, f"{noun} ignored", np.zeros(3))]
    x, y, z = own.tolist()
    for name, pose in poses.items():
        out.append(Guess(1.4, f"{noun} placed by {name}", np.array(pose.apply((x, y, z)))))
        out.append(
            Guess(1.5, f"{noun} placed by the inverse of {name}", np.array(pose.inverse().apply((x, y, z))))
        )
    out += component_guesses(own, noun)
    for name, turn in turns.items():
        for words, made, cost in (
            (f"{noun} turned by {name}", turn @ own, 1.5),
            (f"{noun} turned back by {name}", turn.T @ own, 1.6),
        ):
            out.append(Guess(cost, words, made))
            out.append(Guess(cost + 1.0, f"{words}, with the opposite sign", -made))
    for name, other in others.items():
        out.append(Guess(1.8, f"{noun} taken from {name}", other))
        out.append(Guess(2.4, f"{noun} taken from {name}, with the opposite sign", -other))
        out += _sums(own, noun, name, other, 1.8)
        for turned, turn in turns.items():
            out += _sums(own, noun, f"{name}, turned by {turned},", turn @ other, 2.6)
            out += _sums(own, noun, f"{name}, turned back by {turned},", turn.T @ other, 2.7)
    return out


def _sums(own: Floats, noun: str, name: str, other: Floats, cost: float) -> Iterator[Guess]:
    yield Guess(cost, f"{name} added to {noun}", own + other)
    yield Guess(cost, f"{name} subtracted from {noun}", own - other)


def component_guesses(own: Floats, noun: str) -> Iterator[Guess]:
    """What a vector may become by its components and units alone."""
    yield Guess(1.0, f"{noun} with the opposite sign", -own)
    for name, factor in FACTORS:
        yield Guess(1.2, f"{noun} {name}", factor * own)
    there = [k for k in range(3) if abs(own[k]) > _ZERO]
    for places in (x for x in _some(3) if len(x) < len(there) and {*x} <= {*there}):
        flip = np.array([-1.0 if k in places else 1.0 for k in range(3)])
        keep = np.array([0.0 if k in places else 1.0 for k in range(3)])
        word = "sign" if len(places) == 1 else "signs"
        yield Guess(1.4, f"{word} of {_named(places, _AXES)} of {noun}", flip * own)
        yield Guess(1.4, f"{_named(places, _AXES)} of {noun} dropped", keep * own)
    yield Guess(1.6, f"{noun} without signs", np.abs(own))
    for order in permutations(range(3)):
        if order == (0, 1, 2):
            continue
        words = ", ".join(_AXES[k] for k in order)
        yield Guess(1.5, f"{noun} in the order {words}", own[list(order)])
        for sign in range(3):
            made = own[list(order)] * np.array([-1.0 if k == sign else 1.0 for k in range(3)])
            yield Guess(2.0, f"{noun} in the order {words}, {_AXES[sign]} with the opposite sign", made)
    for digits in (1, 2, 3, 4):
        yield Guess(2.0, f"{noun} rounded to {digits} digits", np.round(own, digits))


def axis_guesses(own: Floats, turns: Mapping[str, Floats], others: Mapping[str, Floats]) -> list[Guess]:
    """What the unit axis (3) of a joint may become."""
    out = [Guess(1.0, "sign of the axis", -own)]
    for k in range(3):
        unit = np.eye(3)[k]
        out.append(Guess(1.2 if k == 2 else 1.3, f"axis taken as {_AXES[k]}", unit))
        out.append(Guess(1.6, f"axis taken as -{_AXES[k]}", -unit))
    oblique = int(np.count_nonzero(np.abs(own) > _ZERO)) > 1
    words = "axis rounded to the nearest coordinate axis"
    out.append(Guess(1.0 if oblique else 1.5, words, _nearest(own)))
    for guess in component_guesses(own, "the axis"):
        size = float(np.linalg.norm(guess.value))
        if size > 1e-9 and guess.words != "the axis with the opposite sign":
            out.append(Guess(guess.cost, guess.words, guess.value / size))
    for name, turn in turns.items():
        forth, back = _AXIS_WORDS.get(name, (f"axis turned by {name}", f"axis turned back by {name}"))
        for words, made, cost in ((forth, turn @ own, 1.2), (back, turn.T @ own, 1.25)):
            out.append(Guess(cost, words, made))
            out.append(Guess(cost + 1.0, f"{words}, with the opposite sign", -made))
    for name, other in others.items():
        out.append(Guess(1.8, f"axis taken from {name}", other))
    return out


_AXIS_WORDS = {
    "its own origin": (
        "axis turned by the rotation of the joint's origin once more (as if stated in the wrong frame)",
        "axis read in the frame of the parent link",
    ),
    "the inertial frame of its child": (
        "axis turned by the inertial frame",
        "axis in the axes of the inertial frame",
    ),
}


def _nearest(axis: Floats) -> Floats:
    out = np.zeros(3)
    k = int(np.argmax(np.abs(axis)))
    out[k] = math.copysign(1.0, axis[k])
    return out


# --- inertias ------------------------------------------------------------------------------------

# A decimal point that is elsewhere.
_TENS = (10.0, 100.0, 1000.0, 0.1, 0.01, 0.001)
_PAIRS = ((0, 1), (0, 2), (1, 2))
_PRODUCTS = ("ixy", "ixz", "iyz")
_MOMENTS = ("ixx", "iyy", "izz")


def steiner(mass: float, arm: Floats) -> Floats:
    """The inertia of a point mass at the end of an arm, (3, 3)."""
    return np.asarray(mass * (float(arm @ arm) * np.eye(3) - np.outer(arm, arm)))


def _with_products(matrix: Floats, values: Sequence[float]) -> Floats:
    out = np.diag(np.diag(matrix))
    for (a, b), value in zip(_PAIRS, values, strict=True):
        out[a, b] = out[b, a] = value
    return out


def _entries(own: Floats) -> Iterator[Guess]:
    """What the entries of an inertia (3, 3) may become, in the axes of the file."""
    products = [float(own[a, b]) for a, b in _PAIRS]
    moments = np.diag(own)
    size = float(np.abs(own).max())
    off = [k for k, x in enumerate(products) if abs(x) > _ZERO * size]
    for places in (x for x in _some(3) if {*x} <= {*off}):
        flipped = [-x if k in places else x for k, x in enumerate(products)]
        kept = [0.0 if k in places else x for k, x in enumerate(products)]
        if len(places) == len(off):
            words, drop = "products of inertia with the opposite sign", "products of inertia dropped"
        else:
            words = f"{_named(places, _PRODUCTS)} with the opposite sign"
            drop = f"{_named(places, _PRODUCTS)} dropped"
        cost = 1.0 if len(places) == len(off) else 1.3
        yield Guess(cost, words, _with_products(own, flipped))
        yield Guess(cost, drop, _with_products(own, kept))
    yield Guess(1.1, "products of inertia doubled", _with_products(own, [2.0 * x for x in products]))
    yield Guess(1.1, "products of inertia halved", _with_products(own, [0.5 * x for x in products]))
    for k, name in enumerate(_MOMENTS):
        others = [j for j in range(3) if j != k]
        for words, value in (
            (f"{name} dropped", 0.0),
            *((f"{name} taken from {_MOMENTS[j]}", float(moments[j])) for j in others),
            (f"{name} taken as the sum of the others", float(moments[others].sum())),
            *((f"{name} multiplied by {x:g}", x * float(moments[k])) for x in _TENS),
        ):
            made = own.copy()
            made[k, k] = value
            yield Guess(1.5, words, made)
    for k in off:
        for x in _TENS:
            scaled = [x * y if j == k else y for j, y in enumerate(products)]
            yield Guess(1.7, f"{_PRODUCTS[k]} multiplied by {x:g}", _with_products(own, scaled))
    for order in permutations(range(3)):
        if order == (0, 1, 2):
            continue
        words = ", ".join(_MOMENTS[k] for k in order)
        made = own - np.diag(moments) + np.diag(moments[list(order)])
        yield Guess(1.4, f"moments of inertia in the order {words}", made)
        swapped = _with_products(own, [products[k] for k in order])
        words = ", ".join(_PRODUCTS[k] for k in order)
        yield Guess(1.4, f"products of inertia in the order {words}", swapped)
        both = _with_products(np.diag(moments[list(order)]), [products[k] for k in order])
        yield Guess(1.9, f"moments and products of inertia in other orders: {words}", both)
    yield Guess(1.5, "mean of the moments for each of them", np.eye(3) * float(np.mean(moments)))
    for k in range(3):
        words = f"{_MOMENTS[k]} for each moment of inertia"
        yield Guess(1.7, words, np.eye(3) * float(moments[k]))


def inertia_guesses(
    own: Floats,
    axes: Floats,
    mass: float,
    com: Floats,
    turns: Mapping[str, Floats],
    others: Mapping[str, Floats],
) -> Iterator[list[Guess]]:
    """What an inertia (3, 3) about the center of mass, in the axes of its link, may become, simple first.

    ``axes`` is the rotation of the axes in which the file states it.
    """
    stated = axes.T @ own @ axes
    is_turned = float(np.abs(axes - np.eye(3)).max()) > 1e-12
    entries = [Guess(x.cost, x.words, axes @ x.value @ axes.T) for x in _entries(stated)]
    entries += _unturned_moments(own)
    if is_turned:
        entries += [
            Guess(x.cost + 0.3, f"{x.words}, in the axes of the link", x.value) for x in _entries(own)
        ]
    turned = []
    if is_turned:
        turned += [
            Guess(1.0, "inertia rotated: the axes of the inertial frame are ignored", stated),
            Guess(
                1.0,
                "inertia rotated the wrong way (inverse rotation of the inertial frame)",
                axes.T @ stated @ axes,
            ),
            Guess(1.1, "inertia rotated twice", axes @ own @ axes.T),
            Guess(1.5, "inertia rotated from one side only (R I, not R I Rᵀ)", _upper(axes @ stated)),
        ]
        skip = ("rotation of the inertial frame ignored", "rotation of the inertial frame inverted")
        for guess in rotation_guesses(axes, "the inertial frame", turns):
            if guess.words not in (*skip, "rotation of the inertial frame applied twice"):
                turned.append(Guess(guess.cost + 0.1, guess.words, guess.value @ stated @ guess.value.T))
    for name, turn in turns.items():
        forth, back = _FRAME_WORDS.get(
            name, (f"inertia turned by {name}", f"inertia turned back by {name}")
        )
        turned.append(Guess(1.2, forth, turn @ own @ turn.T))
        turned.append(Guess(1.3, back, turn.T @ own @ turn))
        if is_turned:
            turned.append(Guess(1.9, f"{forth}, not by the inertial frame", turn @ stated @ turn.T))
            turned.append(Guess(2.0, f"{back}, not by the inertial frame", turn.T @ stated @ turn))
    turned += _principal(own)
    for axis, angle in product(range(3), (90.0, 180.0)):
        turn = about(axis, angle * DEGREE)
        words = f"inertia turned by {angle:g}° about {_AXES[axis]}"
        turned.append(Guess(1.6, words, turn @ own @ turn.T))
        if angle == 90.0:
            words = f"inertia turned by -90° about {_AXES[axis]}"
            turned.append(Guess(1.6, words, turn.T @ own @ turn))
    taken = [Guess(1.8, f"inertia taken from {name}", other) for name, other in others.items()]
    shift = steiner(mass, com)
    shifts = (
        (1.0, "inertia about the origin of the link instead of the center of mass", shift),
        (1.0, "inertia taken as about the origin of the link", -shift),
        (1.4, "inertia moved to the origin of the link twice", 2.0 * shift),
        (1.4, "inertia moved from the origin of the link twice", -2.0 * shift),
        (1.8, "inertia moved by the center of mass without its products", np.diag(np.diag(shift))),
        (
            1.8,
            "inertia moved from the origin of the link without its products",
            -np.diag(np.diag(shift)),
        ),
        (1.6, "inertia moved by the center of mass with the wrong sign of its products", _flip(shift)),
        (1.6, "inertia moved back with the wrong sign of its products", -_flip(shift)),
    )
    single = [*entries, *turned, *taken]
    yield [
        *single,
        *(Guess(cost, words, own + moved) for cost, words, moved in shifts),
        *(Guess(cost, words, factor * own) for cost, words, factor in inertia_factors(mass)),
    ]
    out = []
    for guess in [*entries, *turned]:
        for cost, words, moved in shifts[:2]:
            out.append(Guess(guess.cost + cost + 0.4, f"{guess.words}, {words}", guess.value + moved))
    if is_turned:
        # entries changed, then not turned or turned otherwise
        for guess in _entries(stated):
            words = "inertia rotated: the axes of the inertial frame are ignored"
            out.append(Guess(guess.cost + 1.4, f"{words}, {guess.words}", guess.value))
    yield out


def _unturned_moments(own: Floats) -> Iterator[Guess]:
    """The principal moments of an inertia along the axes of the link."""
    dropped = "rotation of the principal axes dropped: principal moments along the axes of the link"
    moments = np.linalg.eigvalsh(own)
    yield Guess(1.0, f"{dropped}, the largest first", np.diag(moments[::-1]))
    yield Guess(1.0, f"{dropped}, the least first", np.diag(moments))
    for order in permutations(range(3)):
        if order not in ((0, 1, 2), (2, 1, 0)):
            yield Guess(1.3, f"{dropped}, in another order", np.diag(moments[list(order)]))


def _principal(own: Floats) -> Iterator[Guess]:
    """What the principal moments and the quaternion of their axes may become, whichever order they have."""
    if float(np.abs(own - own.T).max()) > 1e-9 * float(np.abs(own).max()):
        return
    moments, axes = np.linalg.eigh(own)
    for order in permutations(range(3)):
        inner = np.diag(moments[list(order)])
        yield Guess(1.6, "principal moments in another order along their axes", axes @ inner @ axes.T)
        for signs in product((1.0, -1.0), repeat=2):
            turn = axes[:, list(order)] * np.array([1.0, *signs])
            turn[:, 0] *= np.sign(np.linalg.det(turn))
            yield Guess(1.5, "rotation of the principal axes inverted", turn.T @ inner @ turn)
            for moved in _quaternion_moved(turn):
                made = moved @ inner @ moved.T
                yield Guess(1.45, "order of the quaternion of the inertial frame", made)


def _flip(matrix: Floats) -> Floats:
    return np.asarray(2.0 * np.diag(np.diag(matrix)) - matrix)


def _upper(matrix: Floats) -> Floats:
    """The symmetric matrix whose upper half is that of another one."""
    return np.asarray(np.triu(matrix) + np.triu(matrix, 1).T)


_FRAME_WORDS = {
    "the pose of the link in the root link": (
        "inertia in the axes of the root link",
        "inertia turned as if it were in the axes of the root link",
    ),
    "the origin of the joint above": (
        "inertia in the axes of the parent link",
        "inertia turned as if it were in the axes of the parent link",
    ),
}


def inertia_factors(mass: float) -> Iterator[tuple[float, str, float]]:
    """What inertias are multiplied by, with cost and words."""
    yield from (
        (1.2, "inertia 1000 times too large", 1e3),
        (1.2, "inertia divided by 1000", 1e-3),
        (1.2, "inertia a million times too large (mm²)", 1e6),
        (1.2, "inertia divided by a million (mm²)", 1e-6),
        (1.4, "inertia 10000 times too large (cm²)", 1e4),
        (1.4, "inertia divided by 10000 (cm²)", 1e-4),
        (1.5, "inertia 1e9 times too large (g mm²)", 1e9),
        (1.5, "inertia divided by 1e9 (g mm²)", 1e-9),
        (1.3, "inertia doubled", 2.0),
        (1.3, "inertia halved", 0.5),
        (1.3, "inertia 10 times too large", 10.0),
        (1.3, "inertia divided by 10", 0.1),
        (1.3, "inertia 100 times too large", 100.0),
        (1.3, "inertia divided by 100", 0.01),
    )
    if mass:
        yield 1.3, "inertia per unit of mass", 1.0 / mass
        yield 1.3, "inertia multiplied by the mass", mass
        yield 1.6, "inertia multiplied by the mass twice", mass * mass


# --- numbers -------------------------------------------------------------------------------------


def number_guesses(
    own: float, noun: str, others: Mapping[str, float], constants: Mapping[str, float], *, angular: bool
) -> list[Guess]:
    """What a number of a joint may become; ``angular`` that it has angles in its unit."""
    found: list[tuple[float, str, float]] = [(1.0, f"{noun} dropped", 0.0), (1.1, f"sign of {noun}", -own)]
    if angular:
        found += [
            (1.0, f"{noun} in degrees: multiplied by 57.3", own / DEGREE),
            (1.0, f"{noun} in radians taken as degrees: divided by 57.3", own * DEGREE),
        ]
    found += [(1.3, f"{noun} {words}", factor * own) for words, factor in FACTORS]
    if own:
        found.append((1.6, f"inverse of {noun}", 1.0 / own))
        found.append((1.6, f"square of {noun}", own * own))
    found += [(1.6, f"{noun} taken from {name}", value) for name, value in others.items()]
    found += [(1.4, f"{noun} {name}", value) for name, value in constants.items()]
    out = [Guess(cost, words, np.array([value])) for cost, words, value in found]
    for name, value in others.items():
        if value:
            both = own, value
            out += [
                Guess(_UNRELATED, f"{name} added to {noun}", np.array([own + value]), both),
                Guess(_UNRELATED + 0.1, f"{noun} multiplied by {name}", np.array([own * value]), both),
                Guess(_UNRELATED + 0.1, f"{noun} divided by {name}", np.array([own / value]), both),
            ]
    return out
