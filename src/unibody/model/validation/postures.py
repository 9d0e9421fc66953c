"""Checks named configurations against the joints: number of values, limits and couplings."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest

from unibody.model.joint_kind import KINDS
from unibody.model.robot import Configuration, Coupling, Joint, Robot
from unibody.model.traverse import path_of
from unibody.model.validation.quantities import position, span
from unibody.text.finding import Findings
from unibody.text.source import Span

# Slack of limits, in rad or m: files state postures and limits with six digits or more.
_ROUNDING = 1e-6
# A posture of a simulation, where limits are springs, may lean on a stop by this much (rad or m).
_LEANING = {True: 1e-3, False: 1e-2}
# Slack of couplings, in rad and m: a posture with three decimals follows another one with as many.
_LOOSE = {True: 2e-4, False: 2e-3}
_MAX_FINDINGS = 20


def check_postures(robot: Robot, findings: Findings) -> None:
    """Report configurations that no motion reaches: outside of limits, or against couplings.

    Limits that look like another unit, or are reversed, have findings of their own.
    """
    joints = {joint.name: joint for joint in robot.joints}
    odd = {f.subject for f in findings if f.code in ("limits-unit", "limits-reversed")}
    bounded = {
        name: joint
        for name, joint in joints.items()
        if KINDS[joint.kind].bounded and path_of("joints", name, "limits", "position") not in odd
    }
    count = len(findings)
    for posture in robot.configurations:
        if len(findings) - count >= _MAX_FINDINGS:
            return
        who = f"configuration '{posture.name}'"
        _check_sizes(posture, who, joints, findings)
        _check_limits(posture, who, bounded, findings)
        _check_couplings(posture, who, robot, joints, findings)


def _check_sizes(posture: Configuration, who: str, joints: Mapping[str, Joint], findings: Findings) -> None:
    places = {name: at for (name, _), at in reversed(_placed(posture))}
    for name, values in posture.by_joint.items():
        if name not in joints:
            continue
        needed, found = KINDS[joints[name].kind].nq, _count(values)
        if needed == found:
            continue
        has = f"has {needed} position{'s' * (needed > 1)}" if needed else "has no position"
        findings.warning(
            "state-size",
            f"{who}: {joints[name].kind} joint '{name}' {has}, got {found}; ignored",
            places[name] or posture.at,
            f"write {needed} value{'s' * (needed > 1)} in one entry" if needed else "remove the entry",
            subject=path_of("configurations", posture.name, "positions", name),
        )


def _check_limits(
    posture: Configuration, who: str, bounded: Mapping[str, Joint], findings: Findings
) -> None:
    usable = posture.by_joint
    for (name, value), at in _placed(posture):
        joint = bounded.get(name)
        if joint is None or _count(usable[name]) != KINDS[joint.kind].nq:
            continue
        low, high = joint.limits.position
        beyond = max(low - value, value - high)
        if low > high or beyond <= _ROUNDING * (1.0 + abs(value)):
            continue
        nearest = low if value < low else high
        leans = posture.group is None and beyond <= _LEANING[KINDS[joint.kind].slides]
        report = findings.info if leans else findings.warning
        report(
            "state-limits",
            f"{who}: joint '{name}' at {position(value, joint)} is outside its limits, "
            f"{span((low, high), joint)}",
            at or posture.at,
            f"write {position(nearest, joint)} or another position within the limits, or correct them",
            subject=path_of("configurations", posture.name, "positions", name),
        )


def _check_couplings(
    posture: Configuration, who: str, robot: Robot, joints: Mapping[str, Joint], findings: Findings
) -> None:
    given = {name: value for name, value in posture.by_joint.items() if isinstance(value, float | int)}
    leaders = {coupling.joint: coupling for coupling in robot.couplings}
    for (name, value), at in _placed(posture):
        coupling, joint = leaders.get(name), joints.get(name)
        if coupling is None or joint is None or name not in given or coupling.leader not in joints:
            continue
        expected = coupling.ratio * _position_of(coupling.leader, given, joints, leaders) + coupling.offset
        if abs(value - expected) <= _LOOSE[KINDS[joint.kind].slides] * max(1.0, abs(expected)):
            continue
        is_given = coupling.leader in given
        effect = "which puts it" if is_given else "which is not in the configuration and puts it"
        findings.warning(
            "state-coupling",
            f"{who}: joint '{name}' at {position(value, joint)} follows '{coupling.leader}', {effect} at "
            f"{position(expected, joint)}",
            at or posture.at,
            f"write {position(expected, joint)}, or leave '{name}' out"
            if is_given
            else f"state the position of '{coupling.leader}' instead",
            subject=path_of("configurations", posture.name, "positions", name),
        )


def _position_of(
    name: str, given: Mapping[str, float], joints: Mapping[str, Joint], leaders: Mapping[str, Coupling]
) -> float:
    """Where a joint is in a configuration: as given, after its leader, or at its initial position."""
    ratio, offset = 1.0, 0.0
    seen: set[str] = set()
    while name not in given and name in leaders and name not in seen:
        seen.add(name)
        coupling = leaders[name]
        ratio, offset = ratio * coupling.ratio, ratio * coupling.offset + offset
        name = coupling.leader
    return ratio * given.get(name, joints[name].initial if name in joints else 0.0) + offset


def _count(values: float | tuple[float, ...]) -> int:
    return len(values) if isinstance(values, tuple) else 1


def _placed(posture: Configuration) -> list[tuple[tuple[str, float], Span | None]]:
    """The positions of a configuration with their places."""
    places = posture.places if len(posture.places) == len(posture.positions) else ()
    return list(zip_longest(posture.positions, places))
