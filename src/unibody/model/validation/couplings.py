"""Checks couplings: that the follower can be where its leader puts it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from unibody.model.joint_kind import KINDS
from unibody.model.robot import UNBOUNDED, Coupling, Joint, Range, Robot
from unibody.model.traverse import path_of
from unibody.model.validation.quantities import span
from unibody.text.counted import listed
from unibody.text.finding import Findings

# A follower may leave its limits by this part of its range: authors round limits.
_ROUNDED = 5e-3
# Up to this part of its range it is a note: limits are measured on the parts, not derived.
_MEASURED = 0.05
# Joints that a message lists.
_SHOWN = 8


def check_couplings(robot: Robot, findings: Findings) -> None:
    """Report couplings of fixed joints, and followers whose limits are narrower than their leaders'."""
    joints = {joint.name: joint for joint in robot.joints}
    leaders = {coupling.joint: coupling for coupling in robot.couplings}
    fixed: list[Coupling] = []
    known: dict[str, Range] = {}
    for coupling in robot.couplings:
        follower, leader = joints.get(coupling.joint), joints.get(coupling.leader)
        if follower is None or leader is None:
            continue  # reported as an unknown joint
        if leader.kind == "fixed":
            findings.warning(
                "coupling-fixed",
                f"joint '{follower.name}' follows the fixed joint '{leader.name}' and cannot move",
                coupling.at or follower.at,
                "name the leader that is meant, or give it the kind that is meant",
                subject=path_of("couplings", coupling.joint),
            )
        elif follower.kind == "fixed":
            fixed.append(coupling)
        elif KINDS[follower.kind].nq == KINDS[leader.kind].nq == 1:
            _check_range(coupling, follower, reached(leader.name, joints, leaders, known), findings)
    if fixed:
        names = listed([f"'{coupling.joint}'" for coupling in fixed], _SHOWN)
        findings.info(
            "coupling-fixed",
            f"fixed joint {names} cannot follow '{fixed[0].leader}'; the coupling has no effect"
            if len(fixed) == 1
            else f"{len(fixed)} fixed joints cannot follow others; their couplings have no effect: {names}",
            fixed[0].at or joints[fixed[0].joint].at,
            "remove the coupling, or give the joint the kind that is meant",
            subject=path_of("couplings", fixed[0].joint),
        )


def reached(
    name: str,
    joints: Mapping[str, Joint],
    leaders: Mapping[str, Coupling],
    known: dict[str, Range] | None = None,
) -> Range:
    """The positions that a joint can take: within its own limits, and where its leaders put it.

    ``known`` has those of joints that were asked for before, and gets more.
    """
    known = {} if known is None else known
    way: list[str] = []
    seen: set[str] = set()
    while name in joints and name not in seen and name not in known:
        seen.add(name)
        way.append(name)
        if (coupling := leaders.get(name)) is None or not coupling.ratio:
            break
        name = coupling.leader
    found = known.get(name, UNBOUNDED)
    for each in reversed(way):
        low, high = sorted(joints[each].limits.position)
        coupling = leaders.get(each)
        if coupling is not None and coupling.ratio and coupling.leader in joints:
            first, last = _mapped(found, coupling.ratio, coupling.offset)
            low, high = max(low, first), min(high, last)
        found = known[each] = low, high
    return found


def _mapped(limits: Range, ratio: float, offset: float) -> Range:
    first, last = sorted(ratio * value + offset if ratio else offset for value in limits)
    return first, last


def _check_range(coupling: Coupling, follower: Joint, leading: Range, findings: Findings) -> None:
    own = follower.limits.position
    asked = _mapped(leading, coupling.ratio, coupling.offset)
    # limits that are reversed or equal, or a leader that cannot move, have findings of their own
    if not own[0] < own[1] or leading[0] > leading[1] or not all(map(math.isfinite, asked)):
        return
    width = min(own[1] - own[0], asked[1] - asked[0])
    beyond = max(own[0] - asked[0], asked[1] - own[1])
    if beyond <= _ROUNDED * width + 1e-9:
        return
    apart = asked[0] >= own[1] or asked[1] <= own[0]
    effect = (
        "it cannot be within its limits" if apart else f"'{coupling.leader}' cannot use its whole range"
    )
    report = findings.info if beyond <= _MEASURED * width else findings.warning
    report(
        "coupling-limits",
        f"joint '{follower.name}' has the limits {span(own, follower)}, but its leader "
        f"'{coupling.leader}' puts it at {span(asked, follower)}: {effect}",
        follower.limits.at or follower.at,
        f"widen the limits to {span(asked, follower)}, or narrow those of '{coupling.leader}'",
        subject=path_of("joints", follower.name, "limits", "position"),
    )
