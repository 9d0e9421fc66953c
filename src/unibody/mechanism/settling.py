"""Shifts the anchors of loops that cannot meet to where closing the loops leaves them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from unibody.mechanism.assembly import AssembleError, assemble
from unibody.mechanism.loops import LoopClosure
from unibody.model.arrays import Floats
from unibody.model.inertia import matrix3
from unibody.model.pose import Pose, matrix_quaternion
from unibody.model.robot import Loop, Robot

# Smaller errors (m, or the sine of an angle) are rounding.
_ROUNDING = 1e-9
# Decimals of a moved anchor in m.
_DIGITS = 14


def with_settled_loops(robot: Robot, names: Collection[str]) -> Robot:
    """Move the second anchor of the loops in ``names`` so that their equations hold where the loops settle.

    An error that no motion reduces, such as an offset along the parallel axes of a planar linkage, would
    pull forever where loops are held by force. Loops that close, and those that do not settle, stay.

    >>> from unibody.model.robot import Link
    >>> with_settled_loops(Robot(name="stone", links=(Link(name="stone"),)), ()).name
    'stone'
    """
    if not any(loop.name in names for loop in robot.loops):
        return robot
    try:
        mechanism = assemble(robot)
    except AssembleError:
        return robot
    with np.errstate(all="ignore"):
        closure = mechanism.close_loops(mechanism.initial)
        if bool(closure.closed) or not bool(closure.settled):
            return robot
        made = []
        for loop, equations in zip(robot.loops, mechanism.loops, strict=True):
            if loop.name in names:
                a = mechanism.pose(closure.q, (loop.link_a, loop.pose_a))
                b = mechanism.pose(closure.q, (loop.link_b, loop.pose_b))
                made.append(_settled(loop, equations, np.asarray(a), np.asarray(b)))
            else:
                made.append(loop)
    return replace(robot, loops=tuple(made))


def _settled(loop: Loop, equations: LoopClosure, a: Floats, b: Floats) -> Loop:
    """A loop with the second one of its anchors moved, which are at ``a`` and ``b`` (4, 4) in the world."""
    axes_a, axes_b = a[:3, :3] @ equations.basis, b[:3, :3] @ equations.basis
    held = [k for k in range(3) if (equations.axial if k == 2 else equations.radial)]
    apart = b[:3, 3] - a[:3, 3]
    shift = sum((axes_a[:, k] * (axes_a[:, k] @ apart) for k in held), np.zeros(3))
    turn = np.eye(3)
    if equations.swing and np.linalg.norm(np.cross(axes_a[:, 2], axes_b[:, 2])) > _ROUNDING:
        turn = axes_a @ axes_b.T if equations.twist else _between(axes_b[:, 2], axes_a[:, 2])
    elif equations.swing and equations.twist and abs(axes_b[:, 0] @ axes_a[:, 1]) > _ROUNDING:
        turn = axes_a @ axes_b.T
    xyz, quat = loop.pose_b.xyz, loop.pose_b.quat
    own = np.array(loop.pose_b.rotation()) @ b[:3, :3].T  # from the world into the link
    if np.abs(shift).max() > _ROUNDING:
        # without the rounding of the product
        x, y, z = (round(value, _DIGITS) for value in (np.array(xyz) - own @ shift).tolist())
        xyz = (x, y, z)
    if not np.array_equal(turn, np.eye(3)):
        quat = matrix_quaternion(matrix3(own @ turn @ b[:3, :3]))
    return (
        loop
        if (xyz, quat) == (loop.pose_b.xyz, loop.pose_b.quat)
        else replace(loop, pose_b=Pose(xyz, quat))
    )


def _between(a: Floats, b: Floats) -> Floats:
    """The shortest rotation (3, 3) from one direction to another that is not opposite."""
    v, c = np.cross(a, b), float(a @ b)
    cross = np.array([[0.0, -v[2], v[1]], [v[2], 0.0, -v[0]], [-v[1], v[0], 0.0]])
    return np.asarray(np.eye(3) + cross + cross @ cross / (1.0 + c))
