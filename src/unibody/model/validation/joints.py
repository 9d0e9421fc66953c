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
        needs = KINDS[joint.kind].needs
        if joint.missing:
            _report(
                "joint-incomplete",
                joint,
                joint.missing,
                f"{joint.kind} joint '{joint.name}' has no {NEEDED[joint.missing]}",
                INCOMPLETE[joint.missing],
                findings,
            )
        elif joint.kind == "screw" and joint.pitch == 0.0:
            message = f"pitch of screw joint '{joint.name}' must not be 0"
            _report("joint-degenerate", joint, "pitch", message, "make it a revolute joint", findings)
        elif joint.kind == "universal" and _are_parallel(joint):
            message = f"axes of universal joint '{joint.name}' must not be parallel"
            _report("joint-degenerate", joint, "axis2", message, "correct one of the two axes", findings)
        for name in NEEDED.keys() - {*needs}:
            if getattr(joint, name) is not None:
                message = f"{joint.kind} joint '{joint.name}' has a {NEEDED[name]}; ignored"
                _report(
                    "joint-field-ignored", joint, name, message, "remove it, or correct the kind", findings
                )


def _report(code: str, joint: Joint, field: str, message: str, hint: str, findings: Findings) -> None:
    findings.warning(code, message, joint.at, hint, subject=path_of("joints", joint.name, field))


def _are_parallel(joint: Joint) -> bool:
    """Whether the two axes have directions, and these are the same but for the sign."""
    first, second = unit(joint.axis), unit(joint.axis2 or (0.0, 0.0, 0.0))
    if first is None or second is None:
        return False
    return max(map(abs, cross(first, second))) < _PARALLEL
