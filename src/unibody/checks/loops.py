"""Checks that the loops of a robot are closed at its initial pose."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unibody.model.arrays import Floats
from unibody.model.joint_kind import KINDS
from unibody.model.pose import Pose, Vector3, dot, matrix_quaternion, rotate
from unibody.model.robot import Loop, Robot
from unibody.model.traverse import path_of
from unibody.text.finding import Findings

if TYPE_CHECKING:
    from unibody.mechanism import Mechanism

# Smaller gaps (m, rad) close in the first step of a simulation; rounding in files causes as much.
_OPEN, _TILTED = 0.001, math.radians(0.5)
# A hint lists the initial positions of at most this many joints, of these kinds.
_FEW = 8


@dataclass(frozen=True, slots=True)
class Gap:
    """Distance (m) and angle (rad) between the anchors of a loop, in its constrained directions."""

    distance: float
    angle: float


def gaps(robot: Robot, findings: Findings) -> list[Gap | None]:
    """Compute the gap of every loop at the initial pose, with couplings applied.

    All None, with a finding, if the robot cannot be assembled.

    >>> gaps(Robot(name="stone"), Findings())
    []
    """
    if not robot.loops:
        return []
    from unibody.mechanism import AssembleError, assemble

    try:
        mechanism = assemble(robot)
    except AssembleError as error:
        findings.warning("cannot-assemble", f"the gaps of the loops cannot be computed: {error}")
        return [None] * len(robot.loops)
    return gaps_at(mechanism, mechanism.apply_couplings(mechanism.initial))


def gaps_at(mechanism: Mechanism, q: Floats) -> list[Gap | None]:
    """Compute the gap of every loop at q (nq,); None for a loop with an unknown link."""
    matrices = mechanism.forward_kinematics(q).tolist()
    poses = {name: pose_of(m) for name, m in zip(mechanism.link_names, matrices, strict=True)}
    return [
        gap(loop, poses[loop.link_a], poses[loop.link_b])
        if loop.link_a in poses and loop.link_b in poses
        else None
        for loop in mechanism.robot.loops
    ]


def pose_of(matrix: list[list[float]]) -> Pose:
    """The pose of a 4×4 matrix (rows), its quaternion with w ≥ 0."""
    (a, b, c, x), (d, e, f, y), (g, h, i, z), _ = matrix
    q = matrix_quaternion(((a, b, c), (d, e, f), (g, h, i)))
    if q[0] < 0:
        q = (-q[0], -q[1], -q[2], -q[3])
    return Pose((x + 0.0, y + 0.0, z + 0.0), (q[0] + 0.0, q[1] + 0.0, q[2] + 0.0, q[3] + 0.0))


def gap(loop: Loop, a: Pose, b: Pose) -> Gap:
    """Compute the gap of one loop from the world poses of its two links.

    >>> gap(Loop(name="l", link_a="a", link_b="b"), Pose(), Pose((0.0, 0.0, 0.5))).distance
    0.5
    """
    apart = (a @ loop.pose_a).inverse() @ (b @ loop.pose_b)
    axis = rotate(loop.pose_a.inverse().quat, loop.axis)
    along = dot(apart.xyz, axis)
    w, x, y, z = apart.quat
    v = (x, y, z)
    # Split the rotation into twist about the axis and tilt of the axis.
    twist = 2.0 * math.atan2(abs(dot(v, axis)), abs(w))
    tilt = 2.0 * math.atan2(_normal_length(v, axis), math.hypot(w, dot(v, axis)))
    whole = 2.0 * math.atan2(math.hypot(*v), abs(w))
    held = loop.holds
    angle = whole if held.twist and held.swing else twist if held.twist else tilt if held.swing else 0.0
    distance = math.hypot(
        along if held.axial else 0.0, _normal_length(apart.xyz, axis) if held.radial else 0.0
    )
    return Gap(distance, angle)


def _normal_length(v: Vector3, axis: Vector3) -> float:
    """Length of the component of a vector normal to a unit axis."""
    along = dot(v, axis)
    return math.hypot(*(v[i] - along * axis[i] for i in range(3)))


def check_loops(robot: Robot, findings: Findings) -> None:
    """Warn of each loop that is open at the initial pose; the hint says whether a motion closes it."""
    said = Findings()
    found = gaps(robot, said)
    wide = list(_wide(robot, found))
    nearest, hint = _closed(robot) if wide else ([], "")
    for loop, apart in wide:
        left = nearest[robot.loops.index(loop)] if nearest else 0.0
        cannot = (
            f"; the nearest that its joints can bring them is {1000.0 * left:.4g} mm"
            if left > _OPEN
            else ""
        )
        findings.warning(
            "loop-open",
            f"loop '{loop.name}': at the initial pose '{loop.link_a}' and '{loop.link_b}' are "
            f"{_words(apart)} from meeting{cannot}",
            loop.at,
            "correct an anchor: no configuration closes the loop" if cannot else hint,
            subject=path_of("loops", loop.name),
        )


def check_loops_at(mechanism: Mechanism, q: Floats, hint: str, findings: Findings) -> None:
    """Warn of each loop that is open at q (nq,)."""
    for loop, apart in _wide(mechanism.robot, gaps_at(mechanism, q)):
        findings.warning(
            "loop-open",
            f"loop '{loop.name}' is open at these positions: '{loop.link_a}' and '{loop.link_b}' are "
            f"{_words(apart)} from meeting",
            loop.at,
            hint,
            subject=path_of("loops", loop.name),
        )


def _wide(robot: Robot, found: list[Gap | None]) -> Iterator[tuple[Loop, Gap]]:
    """The loops that are open, with their gaps."""
    for loop, apart in zip(robot.loops, found, strict=True):
        if apart is not None and (apart.distance > _OPEN or apart.angle > _TILTED):
            yield loop, apart


def _words(apart: Gap) -> str:
    parts = [f"{1000.0 * apart.distance:.4g} mm"] if apart.distance > _OPEN else []
    parts += [f"{math.degrees(apart.angle):.4g}°"] if apart.angle > _TILTED else []
    return " and ".join(parts)


def _closed(robot: Robot) -> tuple[list[float], str]:
    """The gaps (m) in the closest configuration with the loops closed, and a hint to reach it."""
    from unibody.mechanism import assemble

    mechanism = assemble(robot)
    nearest = mechanism.close_loops(mechanism.initial)
    hint = "correct an anchor, or give the joints initial positions at which the loop closes"
    if nearest.closed and mechanism.nq <= _FEW:
        places = [
            (j.name, float(nearest.q[mechanism.idx_q[i]]))
            for i, j in enumerate(robot.joints)
            if KINDS[j.kind].nq == 1
        ]
        hint += ": " + ", ".join(f"{name} {value:.4g}" for name, value in places)
    return [float(gap) for gap in nearest.gap], hint
