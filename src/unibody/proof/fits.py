"""Words and changes for origins, axes and turned inertias that are fitted to the numbers of an engine."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.pose import Pose, matrix_quaternion
from unibody.model.robot import Robot
from unibody.proof.reference import Reference


def joint_origin(robot: Robot, name: str) -> Pose:
    """The origin of a joint, or the pose of the root link for ""."""
    return robot.joint(name).origin if name else robot.pose


def with_origin(reference: Reference, name: str, origin: Pose) -> Reference:
    """The reference with another origin of a joint, or another pose of the root link for ""."""
    robot = reference.robot
    if not name:
        return replace(reference, robot=replace(robot, pose=origin))
    joints = tuple(replace(j, origin=origin) if j.name == name else j for j in robot.joints)
    return replace(reference, robot=replace(robot, joints=joints))


def with_axis(reference: Reference, name: str, axis: tuple[float, float, float]) -> Reference:
    """The reference with another axis of a joint."""
    robot = reference.robot
    joints = tuple(replace(j, axis=axis) if j.name == name else j for j in robot.joints)
    return replace(reference, robot=replace(robot, joints=joints))


def moved_words(own: Pose, there: Pose) -> str:
    """How an origin differs: by a factor, or moved and turned."""
    change = own.inverse() @ there
    turned = change.axis_angle()[3]
    away = math.dist(own.xyz, there.xyz)
    factor = factor_between(own.xyz, there.xyz)
    if turned <= 1e-7 and factor is not None:
        return f"lengths of origins multiplied by {factor:.6g}"
    words = [f"moved by {away:.6g} m"] if away > 1e-9 else []
    words += [f"turned by {turned:.6g} rad"] if turned > 1e-9 else []
    return f"origin {' and '.join(words)}"


def turned_words(ours: Floats, theirs: Floats) -> str:
    """How an inertia (3, 3) became another one with the same principal moments.

    The principal axes of a file may be in any order and direction.
    """
    moments, axes = np.linalg.eigh(ours)
    size = 1e-6 * float(np.abs(moments).max())
    for order in permutations(range(3)):
        if np.abs(axes @ np.diag(moments[[*order]]) @ axes.T - theirs).max() <= size:
            return "principal moments in another order along their axes"
        for signs in product((1.0, -1.0), repeat=3):
            turn = axes[:, [*order]] * np.array(signs)
            if np.abs(turn.T @ np.diag(moments[[*order]]) @ turn - theirs).max() <= size:
                return "inertia rotated: the rotation of the principal axes is inverted"
            if any(
                np.abs(other @ np.diag(moments[[*order]]) @ other.T - theirs).max() <= size
                for other in _shuffled(turn)
            ):
                return "order of the quaternion of the inertial frame"
    return "inertia rotated: equal principal moments along other axes"


def _shuffled(turn: Floats) -> Iterator[Floats]:
    """Rotations whose quaternion has the numbers of that of a turn (3, 3), each one or more places on."""
    if np.linalg.det(turn) < 0.0:
        return
    a, b, c = turn.tolist()
    own = matrix_quaternion((tuple(a), tuple(b), tuple(c)))
    for step in (1, 2, 3):
        w, x, y, z = (*own[step:], *own[:step])
        yield np.array(Pose(quat=(w, x, y, z)).rotation())


def factor_between(ours: Sequence[float] | Floats, theirs: Sequence[float] | Floats) -> float | None:
    """The factor between two vectors of one line, None if they are not or if it would be 0.

    >>> factor_between((0.5, 0.0, 1.0), (0.25, 0.0, 0.5))
    0.5
    """
    size = float(np.dot(ours, ours))
    if size == 0.0:
        return None
    factor = float(np.dot(ours, theirs)) / size
    rest = float(np.linalg.norm(np.subtract(theirs, np.multiply(factor, ours))))
    return factor if factor and rest <= 1e-6 * math.sqrt(size) else None
