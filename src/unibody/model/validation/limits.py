"""Checks limits and initial positions of joints."""

from __future__ import annotations

import math

from unibody.model.joint_kind import KINDS
from unibody.model.robot import Joint, Robot
from unibody.model.traverse import path_of
from unibody.text.finding import Findings

# Slack for rounding of numbers that were converted from degrees.
_ROUNDING = 1e-9
# Larger limits, in rad, are more likely degrees: only winches turn more than three times.
_MANY_TURNS = 20.5
# Larger limits mean "unlimited".
_PRACTICALLY_FREE = 1000.0
# Sliding joints longer than this (m), and this many times longer than the robot, are in millimeters.
_LONG, _TIMES_THE_ROBOT = 25.0, 20.0


def check_limits(robot: Robot, findings: Findings) -> None:
    """Report limits that are reversed, equal or in another unit, and initial positions outside them."""
    reach = sum(math.hypot(*joint.origin.xyz) for joint in robot.joints)
    told = {f.subject for f in findings if f.code in ("limit-empty", "joint-locked")}
    for joint in robot.joints:
        for what, (low, high) in (("", joint.limits.position), ("velocity ", joint.limits.velocity)):
            if low > high:
                a, b = (_shown(v, joint, what) for v in (low, high))
                findings.warning(
                    "limits-reversed",
                    f"joint '{joint.name}': lower {what}limit {a} is above upper limit {b}",
                    (joint.limits.at if not what else None) or joint.at,
                    "swap the limits",
                    subject=path_of("joints", joint.name, "limits", "velocity" if what else "position"),
                )
        low, high = joint.limits.position
        if KINDS[joint.kind].bounded and low <= high:
            _position(joint, reach, told, findings)


def _position(joint: Joint, reach: float, told: set[str], findings: Findings) -> None:
    low, high = joint.limits.position
    if low == high:
        if path_of("joints", joint.name, "limits", "position") not in told:
            _no_width(joint, findings)
    elif not _unit(joint, reach, findings):
        slack = _ROUNDING * (1.0 + abs(joint.initial))
        if not low - slack <= joint.initial <= high + slack:
            _initial(joint, findings)


def _no_width(joint: Joint, findings: Findings) -> None:
    low = joint.limits.position[0]
    message = f"joint '{joint.name}' cannot move: both limits are {_shown(low, joint)}"
    if low != 0.0:
        hint = f"set the lower limit to {_shown(-abs(low), joint)} or 0"
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
    a, b = (_shown(v, joint) for v in joint.limits.position)
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


def _initial(joint: Joint, findings: Findings) -> None:
    low, high = (_shown(v, joint) for v in joint.limits.position)
    message = (
        f"joint '{joint.name}': initial position {_shown(joint.initial, joint)} is outside the "
        f"limits {low} … {high}"
    )
    if joint.initial != 0.0:
        findings.warning(
            "initial-outside-limits",
            message,
            joint.limits.at or joint.at,
            "change the initial position or the limits",
            subject=path_of("joints", joint.name, "limits", "position"),
        )
    else:
        # 0 is usually the default of the format, not written in the file.
        hint = "set a position within the limits before simulation"
        findings.info(
            "initial-outside-limits",
            message,
            joint.limits.at or joint.at,
            hint,
            subject=path_of("joints", joint.name, "limits", "position"),
        )


def _shown(value: float, joint: Joint, what: str = "") -> str:
    """Format a limit with its unit, angles in degrees."""
    if KINDS[joint.kind].slides:
        return f"{value:g} m{'/s' if what else ''}"
    return f"{math.degrees(value):g}°{'/s' if what else ''}"
