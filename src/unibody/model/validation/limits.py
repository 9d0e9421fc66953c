"""Checks limits and initial positions of joints."""

from __future__ import annotations

import math
from collections.abc import Sequence

from unibody.model.joint_kind import KINDS
from unibody.model.robot import Joint, Robot
from unibody.model.traverse import path_of
from unibody.model.validation.quantities import in_degrees
from unibody.text.counted import listed
from unibody.text.finding import Findings

# Slack for rounding of numbers that were converted from degrees.
_ROUNDING = 1e-9
# Larger limits, in rad, are more likely degrees: only winches turn more than three times.
_MANY_TURNS = 20.5
# Larger limits mean "unlimited".
_PRACTICALLY_FREE = 1000.0
# Sliding joints longer than this (m), and this many times longer than the robot, are in millimeters.
_LONG, _TIMES_THE_ROBOT = 25.0, 20.0
# Joints that a message lists.
_SHOWN = 8


def check_limits(robot: Robot, findings: Findings) -> None:
    """Report limits that are reversed, equal, 0 or in another unit, and initial positions outside them."""
    reach = sum(math.hypot(*joint.origin.xyz) for joint in robot.joints)
    told = {f.subject for f in findings if f.code in ("limit-empty", "joint-locked")}
    followers = {coupling.joint for coupling in robot.couplings}
    outside: list[Joint] = []
    for joint in robot.joints:
        for what, (low, high) in (("", joint.limits.position), ("velocity ", joint.limits.velocity)):
            if low > high:
                a, b = (in_degrees(v, joint, what) for v in (low, high))
                findings.warning(
                    "limits-reversed",
                    f"joint '{joint.name}': lower {what}limit {a} is above upper limit {b}",
                    (joint.limits.at if not what else None) or joint.at,
                    "swap the limits",
                    subject=path_of("joints", joint.name, "limits", "velocity" if what else "position"),
                )
        low, high = joint.limits.position
        if KINDS[joint.kind].bounded and low <= high:
            if low == high:
                if path_of("joints", joint.name, "limits", "position") not in told:
                    _no_width(joint, findings)
            elif not _unit(joint, reach, findings) and joint.name not in followers:
                slack = _ROUNDING * (1.0 + abs(joint.initial))
                if not low - slack <= joint.initial <= high + slack:
                    outside.append(joint)
    _check_initial(outside, robot, findings)
    _check_drives([j for j in robot.joints if j.name not in followers], findings)


def _no_width(joint: Joint, findings: Findings) -> None:
    low = joint.limits.position[0]
    message = f"joint '{joint.name}' cannot move: both limits are {in_degrees(low, joint)}"
    if low != 0.0:
        hint = f"set the lower limit to {in_degrees(-abs(low), joint)} or 0"
        findings.warning(
            "limits-equal",
            message,
            joint.limits.at or joint.at,
            hint,
            subject=path_of("joints", joint.name, "limits", "position"),
        )
    else:
        findings.info(
            "limits-equal",
            message,
            joint.limits.at or joint.at,
            "make the joint fixed; some simulators treat it as unlimited",
            subject=path_of("joints", joint.name, "limits", "position"),
        )


def _unit(joint: Joint, reach: float, findings: Findings) -> bool:
    """Report limits that look like another unit; returns whether they do."""
    bounds = [v for v in joint.limits.position if math.isfinite(v) and v != 0.0]
    largest = max(map(abs, bounds), default=0.0)
    hint, suggestion = "", ""
    if KINDS[joint.kind].slides:
        if largest > max(_LONG, _TIMES_THE_ROBOT * reach) and not math.log10(largest).is_integer():
            hint = "divide the limits by 1000 if they are in millimeters"
    elif KINDS[joint.kind].periodic and _MANY_TURNS < largest < _PRACTICALLY_FREE:
        hint = (
            f"write {math.radians(largest):.5g} if {largest:g}° is meant: "
            f"{largest:g} rad are {largest / (2.0 * math.pi):.3g} turns"
        )
        suggestion = "degrees"
    elif math.degrees(largest) > 0.5 and all(_looks_radian(math.degrees(abs(v))) for v in bounds):
        hint = "convert the limits to degrees if they are in radians"
    if not hint:
        return False
    a, b = (in_degrees(v, joint) for v in joint.limits.position)
    findings.warning(
        "limits-unit",
        f"joint '{joint.name}': limits {a} and {b} look like another unit",
        joint.limits.at or joint.at,
        hint,
        subject=path_of("joints", joint.name, "limits", "position"),
        suggestion=suggestion,
    )
    return True


def _looks_radian(degrees: float) -> bool:
    """Whether a small number of degrees is a multiple of 5° if it is read as radians."""
    as_radians = math.degrees(degrees)
    return degrees < 6.3 and abs(as_radians - 5.0 * round(as_radians / 5.0)) < 0.1


def _check_initial(outside: Sequence[Joint], robot: Robot, findings: Findings) -> None:
    """Report joints whose initial position is outside of their limits.

    Those at 0, the default of most formats, are one finding, which is a note if the robot has a posture to
    begin at.
    """
    for joint in outside:
        if joint.initial != 0.0:
            findings.warning(
                "initial-outside-limits",
                f"joint '{joint.name}': initial position {in_degrees(joint.initial, joint)} is outside the "
                f"limits {_range(joint)}",
                joint.limits.at or joint.at,
                f"change the initial position, for example to {in_degrees(proposed(joint), joint)}, or the "
                "limits",
                subject=path_of("joints", joint.name, "limits", "position"),
            )
    at_zero = [joint for joint in outside if joint.initial == 0.0]
    if not at_zero:
        return
    first = at_zero[0]
    words = listed([f"'{j.name}' ({_range(j)})" for j in at_zero], _SHOWN)
    message = (
        f"joint '{first.name}': initial position {in_degrees(0.0, first)} is outside the limits "
        f"{_range(first)}"
        if len(at_zero) == 1
        else f"the initial positions of {len(at_zero)} joints, 0, are outside their limits: {words}"
    )
    place, subject = first.limits.at or first.at, path_of("joints", first.name, "limits", "position")
    for posture in robot.configurations:
        if all(_is_within(posture.by_joint.get(joint.name), joint) for joint in at_zero):
            hint = f"begin at the configuration '{posture.name}'"
            findings.info("initial-outside-limits", message, place, hint, subject=subject)
            return
    pose = listed([f"{joint.name}={proposed(joint):.4g}" for joint in at_zero], _SHOWN, separator=" ")
    hint = f"begin at {pose}, and add a configuration with such positions to the model"
    findings.warning("initial-outside-limits", message, place, hint, subject=subject)


def _range(joint: Joint) -> str:
    low, high = joint.limits.position
    return f"{in_degrees(low, joint)} … {in_degrees(high, joint)}"


def _is_within(value: float | tuple[float, ...] | None, joint: Joint) -> bool:
    low, high = joint.limits.position
    slack = _ROUNDING * (1.0 + max(abs(x) for x in (low, high) if math.isfinite(x)))
    return isinstance(value, float | int) and low - slack <= value <= high + slack


def proposed(joint: Joint) -> float:
    """The position to propose for a joint: 0 if its limits allow it, else their middle, as in MoveIt.

    Of a range with one end it is that end.
    """
    low, high = joint.limits.position
    if low <= 0.0 <= high or low > high:
        return 0.0
    return (low + high) / 2.0 if math.isfinite(high - low) else low if math.isfinite(low) else high


def _check_drives(joints: Sequence[Joint], findings: Findings) -> None:
    """Report joints that no drive can move, since the limit of their effort or velocity is 0.

    Those that cannot move for their limits of position have findings of their own.
    """
    moving = [j for j in joints if KINDS[j.kind].axes and j.limits.position[0] != j.limits.position[1]]
    for names, zero in (
        (("effort", "velocity"), "limits of effort and velocity"),
        (("effort",), "limit of effort"),
        (("velocity",), "limit of velocity"),
    ):
        found = [j for j in moving if _zero_limits(j) == names]
        if not found:
            continue
        words = listed([f"'{joint.name}'" for joint in found], _SHOWN)
        which = f"joint {words}" if len(found) == 1 else f"{len(found)} joints ({words})"
        verb, them = "are" if len(names) == 2 else "is", "it" if len(found) == 1 else "them"
        findings.warning(
            "limit-zero",
            f"the {zero} of {which} {verb} 0: no controller can move {them}",
            found[0].limits.at or found[0].at,
            "write the limits of the drives, or a large number if they are unknown; mute the finding for "
            "passive joints",
            subject=path_of("joints", found[0].name, "limits", names[0]),
        )


def _zero_limits(joint: Joint) -> tuple[str, ...]:
    """Which limits of the drive are 0 in both directions."""
    return tuple(name for name in ("effort", "velocity") if getattr(joint.limits, name) == (0.0, 0.0))
