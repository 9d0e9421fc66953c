"""Checks of the fields that only some kinds of joints have: pitch and second axis."""

from __future__ import annotations

from unibody.model.joint_kind import INCOMPLETE, KINDS, NEEDED
from unibody.model.pose import cross, unit
from unibody.model.robot import Joint, Robot
from unibody.model.traverse import path_of
from unibody.text.finding import Findings

# Axes with a smaller sine of the angle between them are parallel.
_PARALLEL = 1e-6


def check_joints(robot: Robot, findings: Findings) -> None:
    """Report joints whose motion is unknown or loses a degree of freedom, and fields without meaning."""
    for joint in robot.joints:
        if joint.missing:
            findings.warning(
                "joint-incomplete",
                f"{joint.kind} joint '{joint.name}' has no {NEEDED[joint.missing]}",
                joint.at,
                INCOMPLETE[joint.missing],
                subject=path_of("joints", joint.name, joint.missing),
            )
        elif joint.kind == "screw" and joint.pitch == 0.0:
            findings.warning(
                "joint-degenerate",
                f"pitch of screw joint '{joint.name}' must not be 0",
                joint.at,
                "give its pitch (m/turn), or make it a revolute joint",
                subject=path_of("joints", joint.name, "pitch"),
            )
        elif joint.kind == "universal" and _are_parallel(joint):
            findings.warning(
                "joint-degenerate",
                f"axes of universal joint '{joint.name}' must not be parallel",
                joint.at,
                "correct one of the two axes",
                subject=path_of("joints", joint.name, "axis2"),
            )
        for name in NEEDED.keys() - {*KINDS[joint.kind].needs}:
            if getattr(joint, name) is not None:
                findings.warning(
                    "joint-field-ignored",
                    f"{joint.kind} joint '{joint.name}' has a {NEEDED[name]}; ignored",
                    joint.at,
                    "remove it, or correct the kind",
                    subject=path_of("joints", joint.name, name),
                )


def _are_parallel(joint: Joint) -> bool:
    """Whether the two axes have directions, and these are the same but for the sign."""
    first, second = unit(joint.axis), unit(joint.axis2 or (0.0, 0.0, 0.0))
    if first is None or second is None:
        return False
    return max(map(abs, cross(first, second))) < _PARALLEL
