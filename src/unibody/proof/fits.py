"""Origins, axes and turned inertias that explain the numbers of an engine."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import permutations, product

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.pose import Pose, from_axis_angle, matrix_quaternion
from unibody.model.robot import Joint, Robot
from unibody.proof.comparison import angles
from unibody.proof.reference import Reference

# The angles (rad) and lengths (m) of a joint by which an axis is measured.
_LEAST, _MOST = 0.05, 3.0


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


def motions_of(joint: Joint | None, values: Floats) -> Floats:
    """The motions (B, 4, 4) of the child of a joint in its frame at positions (B,)."""
    out = np.tile(np.eye(4), (len(values), 1, 1))
    if joint is None:
        return out
    for k, value in enumerate(values.tolist()):
        if joint.kind == "prismatic":
            out[k, :3, 3] = np.multiply(value, joint.axis)
        elif joint.kind == "revolute":
            quat = from_axis_angle(joint.axis, value)
            out[k] = Pose(quat=quat).matrix() if quat is not None else np.eye(4)
    return out


def constant_pose(poses: Floats, tolerance: float) -> Pose | None:
    """The pose that all of (B, 4, 4) are, if they are one."""
    first = poses[0]
    if not np.isfinite(poses).all() or np.abs(poses[:, :3, 3] - first[:3, 3]).max() > tolerance:
        return None
    if angles(first[:3, :3], poses[:, :3, :3]).max() > tolerance:
        return None
    a, b, c = first[:3, :3].tolist()
    x, y, z = poses[:, :3, 3].mean(axis=0).tolist()
    return Pose((x, y, z), matrix_quaternion((tuple(a), tuple(b), tuple(c))))


def constant_axis(motions: Floats, values: Floats, is_slide: bool) -> tuple[float, float, float] | None:
    """The unit axis about or along which (B, 4, 4) move by positions (B,), if there is one."""
    size = np.abs(values)
    chosen = (size > _LEAST) & (size < _MOST)
    if not chosen.any():
        return None
    moved, by = motions[chosen], values[chosen][:, None]
    if is_slide:
        axes = moved[:, :3, 3] / by
    else:
        r = moved[:, :3, :3]
        axes = np.stack([r[:, 2, 1] - r[:, 1, 2], r[:, 0, 2] - r[:, 2, 0], r[:, 1, 0] - r[:, 0, 1]], -1)
        axes = axes / (2.0 * np.sin(by))
    axis = axes.mean(axis=0)
    length = float(np.linalg.norm(axis))
    if not abs(length - 1.0) <= 1e-3:
        return None
    x, y, z = (axis / length).tolist()
    return (x, y, z)


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
