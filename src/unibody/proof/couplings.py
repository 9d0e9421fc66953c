"""Couplings of joints as engines read them, beside those of the robot."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from unibody.model.robot import Robot
from unibody.proof.guesses import FITTED, Words
from unibody.proof.scalars import coupling_words

#: A joint that follows another one: its leader, the ratio, and the offset in rad or m.
Following = tuple[str, float, float]


def followings_of(robot: Robot) -> dict[str, Following]:
    """What each coupled joint follows, by its name."""
    return {each.joint: (each.leader, each.ratio, each.offset) for each in robot.couplings}


def stated_by(facts: Mapping[str, Any]) -> dict[str, Following]:
    """The couplings of which an engine states ratio and offset."""
    return {
        each["joint"]: (each["leader"], float(each["ratio"]), float(each["offset"]))
        for each in facts.get("couplings", ())
        if each.get("ratio") is not None
    }


#: The joint that is followed by a polynomial, and its coefficients, the constant first.
Polynomial = tuple[str, tuple[float, ...]]


def coupling_deviations(
    robot: Robot,
    facts: Mapping[str, Any],
    polynomials: Mapping[str, Polynomial] = MappingProxyType({}),
) -> dict[str, float]:
    """How far couplings of an engine are from those of the robot, by coupled joint.

    Infinite for one that the engine drops, or that follows another joint there. Couplings whose numbers the
    engine does not tell are not compared. ``polynomials`` are those of the robot with higher terms.
    """
    own = number_deviations(robot, facts) | dict.fromkeys(dropped_couplings(robot, facts), math.inf)
    return own | _term_deviations(polynomial_pairs(robot, facts, polynomials))


#: A polynomial of the robot and that of an engine, which has none if it lets the joint move freely.
Pairs = Mapping[str, tuple[Polynomial, Polynomial | None]]


def polynomial_pairs(
    robot: Robot, facts: Mapping[str, Any], polynomials: Mapping[str, Polynomial]
) -> Pairs:
    """The polynomials of the robot or of an engine that have higher terms, by joint.

    {} of an engine that tells no coefficients.
    """
    told = [each for each in facts.get("couplings", ()) if each.get("terms")]
    if "couplings" not in facts or (facts["couplings"] and not told):
        return {}
    there = {each["joint"]: (each["leader"], tuple(map(float, each["terms"]))) for each in told}
    linear = {
        joint: (leader, (offset, ratio, 0.0, 0.0, 0.0))
        for joint, (leader, ratio, offset) in followings_of(robot).items()
    }
    higher = {joint for joint, (_, terms) in there.items() if any(terms[2:])}
    moving = {joint["name"] for joint in facts["joints"]}
    ours = {**{joint: own for joint, own in linear.items() if joint in higher}, **polynomials}
    return {joint: (own, there.get(joint)) for joint, own in ours.items() if joint in moving}


def _term_deviations(pairs: Pairs) -> dict[str, float]:
    return {
        joint: math.inf
        if there is None or there[0] != own[0]
        else max(abs(a - b) for a, b in zip(own[1], there[1], strict=True))
        for joint, (own, there) in pairs.items()
    }


def polynomial_words(own: Polynomial, there: Polynomial | None) -> Words:
    """What explains another polynomial of a joint."""
    if there is None:
        return {dropped_words(""): 1.0}
    if there[0] != own[0]:
        return {f"follows {there[0]} instead of {own[0]}": 1.0}
    terms, other = own[1], there[1]
    if other == (*terms[:2], 0.0, 0.0, 0.0):
        return {"higher terms of the coupling's polynomial (polycoef) ignored": 1.0}
    if not any(other[2:]):
        return coupling_words((terms[1], terms[0]), (other[1], other[0]))
    if other[::-1] == terms:
        return {"coefficients of the coupling's polynomial (polycoef) in the reverse order": 1.0}
    if other == tuple(-x for x in terms):
        return {"sign of the coupling's polynomial (polycoef)": 1.0}
    numbers = (", ".join(f"{x:.6g}" for x in each) for each in (other, terms))
    return {"polynomial (polycoef) of the coupling {} in the engine, not {}".format(*numbers): FITTED}


def number_deviations(robot: Robot, facts: Mapping[str, Any]) -> dict[str, float]:
    """How far ratios and offsets that an engine states are from those of the robot, by coupled joint."""
    pairs = _pairs(followings_of(robot), stated_by(facts))
    return {joint: _apart(ours, theirs) for joint, ours, theirs in pairs}


def dropped_couplings(robot: Robot, facts: Mapping[str, Any]) -> dict[str, str]:
    """Coupled joints that move freely in an engine, with the option by which its reader would couple them.

    None of an engine that does not tell whether it reads couplings, or that reads as many without telling
    of which joints.
    """
    if "couplings" not in facts:
        return {}
    moving = {joint["name"] for joint in facts["joints"]}
    options = {(each["joint"], each["leader"]): str(each["option"]) for each in facts["couplings"]}
    out = {}
    for joint, (leader, _, _) in followings_of(robot).items():
        there = [option for (a, b), option in options.items() if a == joint or (a, b) == (leader, joint)]
        if joint in moving and "" not in there:
            out[joint] = there[0] if there else ""
    unnamed = sum(not each["joint"] for each in facts["couplings"])
    return {} if unnamed and unnamed >= len(out) else out


def _pairs(
    ours: Mapping[str, Following], theirs: Mapping[str, Following]
) -> Iterable[tuple[str, Following, Following]]:
    """Each coupled joint that both have: what it follows here and there, with the same leader if it can be.

    A chain of couplings may be stated as each follows the next one, or all the first; and the leader of one
    that follows it.
    """
    reversed_there = {
        leader: (joint, 1.0 / ratio, -offset / ratio)
        for joint, (leader, ratio, offset) in theirs.items()
        if ratio
    }
    for joint, own in ours.items():
        there = theirs.get(joint)
        if there is None and (back := reversed_there.get(joint)) is not None and back[0] == own[0]:
            there = back
        if there is None:
            continue
        if there[0] != own[0]:
            yield joint, _resolved(joint, ours), _resolved(joint, theirs)
        else:
            yield joint, own, there


def _resolved(joint: str, followings: Mapping[str, Following]) -> Following:
    """A coupling in terms of the joint that follows no other one."""
    leader, ratio, offset = followings[joint]
    for _ in followings:
        if leader not in followings:
            break
        further, inner, shift = followings[leader]
        leader, ratio, offset = further, ratio * inner, ratio * shift + offset
    return leader, ratio, offset


def _apart(a: Following, b: Following) -> float:
    if a[0] != b[0]:
        return math.inf
    return max(abs(a[1] - b[1]), abs(a[2] - b[2]))


def dropped_words(option: str) -> str:
    """The cause of a coupling that an engine drops, unless its reader is given an option."""
    unless = f" unless {option} is given" if option else ""
    return f"coupling dropped{unless}: the joint moves freely"


def coupling_causes(robot: Robot, facts: Mapping[str, Any], joints: Iterable[str]) -> dict[str, Words]:
    """Why the numbers of these joints' couplings differ, by joint."""
    found = {joint: (a, b) for joint, a, b in _pairs(followings_of(robot), stated_by(facts))}
    out: dict[str, Words] = {}
    for joint in joints:
        own, there = found[joint]
        if own[0] != there[0]:
            out[joint] = {f"follows {there[0]} instead of {own[0]}": 1.0}
        else:
            out[joint] = coupling_words(own[1:], there[1:])
    return out
