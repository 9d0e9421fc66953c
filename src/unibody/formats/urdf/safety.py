"""Checks the soft limits of safety controllers, which MoveIt and controllers take for the limits."""

from __future__ import annotations

from collections.abc import Iterable

from unibody.formats.urdf import document as d
from unibody.model.robot import Joint, Range
from unibody.model.traverse import path_of
from unibody.model.validation.quantities import position, span
from unibody.text.counted import listed
from unibody.text.finding import Findings

# Slack of soft limits beside the hard ones (rad or m).
_ROUNDING = 1e-6
# Joints that a message lists.
_SHOWN = 4


def check_soft_limits(joints: Iterable[tuple[d.Joint, Joint]], findings: Findings) -> None:
    """Report soft limits that lock a joint, are reversed, or lie outside of its limits.

    Continuous joints have none. Soft limits around the limits have no effect: all of them are one finding.
    """
    around: list[tuple[d.Safety, Joint, Range]] = []
    for doc, joint in joints:
        safety, (low, high) = doc.safety_controller, joint.limits.position
        if (
            safety is None
            or doc.type not in ("revolute", "prismatic")
            or joint.kind == "fixed"
            or low >= high
        ):
            continue
        soft = (safety.soft_lower_limit, safety.soft_upper_limit)
        if soft[0] >= soft[1] or soft[0] >= high or soft[1] <= low:
            _report_locked(safety, joint, soft, findings)
        elif soft[0] < low - _ROUNDING or soft[1] > high + _ROUNDING:
            around.append((safety, joint, soft))
    if around:
        safety, first, soft = around[0]
        names = [f"'{joint.name}' ({span(soft, joint)})" for _, joint, soft in around]
        findings.warning(
            "soft-limits",
            f"joint '{first.name}': the soft limits {span(soft, first)} are not within the limits "
            f"{span(first.limits.position, first)}, and have no effect there"
            if len(around) == 1
            else f"the soft limits of {len(around)} joints are not within their limits, and have no effect "
            f"there: {listed(names, _SHOWN)}",
            safety.at(),
            "write soft limits within lower and upper, or remove <safety_controller>",
            subject=path_of("joints", first.name),
        )


def _report_locked(safety: d.Safety, joint: Joint, soft: Range, findings: Findings) -> None:
    hint = "write soft limits within lower and upper, or remove <safety_controller>"
    absent = [name for name in ("soft_lower_limit", "soft_upper_limit") if name not in safety.given]
    if soft[0] == soft[1]:
        problem = f"both soft limits are {position(soft[0], joint)}"
        problem += f" ({' and '.join(absent)} missing)" if absent else ""
    elif soft[0] > soft[1]:
        problem = (
            f"the lower soft limit {position(soft[0], joint)} is above the upper one "
            f"{position(soft[1], joint)}"
        )
        hint = "swap the soft limits"
    else:
        limits = span(joint.limits.position, joint)
        problem = f"the soft limits {span(soft, joint)} are outside of the limits {limits}"
    findings.warning(
        "soft-limits",
        f"joint '{joint.name}': {problem}; MoveIt and controllers cannot move the joint",
        safety.at(),
        hint,
        subject=path_of("joints", joint.name),
    )
