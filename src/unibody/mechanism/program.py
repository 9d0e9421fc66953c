"""Forward kinematics of a tree as a program: one step per link, parents first.

numpy and the other array libraries run the same program, see ``forward_kinematics``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unibody.mechanism.tree import Tree, derived
from unibody.model.arrays import Floats, Indices
from unibody.model.joint_kind import JointKind, unknown_kind

_Z = np.eye(3)[2]


@dataclass(frozen=True, slots=True)
class Turn:
    """Rotation about the body's own X, Y or Z axis by the program's angle number ``slot``."""

    axis: int
    slot: int


@dataclass(frozen=True, slots=True)
class Slide:
    """Translation along the body's own X, Y or Z axis by ``rate * q[index]``."""

    axis: int
    index: int
    rate: float = 1.0


@dataclass(frozen=True, slots=True)
class Orient:
    """Rotation by the quaternion (w, x, y, z) at ``q[index : index + 4]``, normalized first."""

    index: int


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A constant rotation (4, 4), stored transposed as those of steps are."""

    matrix: Floats


Motion = Turn | Slide | Orient | Place


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """pose(link) = pose(parent) · before · motions · after; the parent of the root is the world.

    The matrices are stored transposed, as the right-hand side of columns needs them. ``before`` is None
    if it is a mere translation (x, y, z, 1) in front of a rotation: these are most of the steps of most
    robots, and take a shorter path.
    """

    link: int
    parent: int
    before: Floats | None
    shift: Floats
    motions: tuple[Motion, ...]
    after: Floats | None


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """All steps; ``half_angles`` (k, 1) times ``q[angles]`` are half the angles of the rotations.

    ``spare`` keeps numpy buffers for small batches: for one configuration it takes longer to allocate
    them than to use them. A call takes one out, so that threads never share it.
    """

    n_links: int
    nq: int
    steps: tuple[Step, ...]
    angles: Indices
    half_angles: Floats
    spare: list[Any] = field(default_factory=list)


@derived
def program(tree: Tree) -> Program:
    """The program of a tree."""
    turns: list[tuple[int, float]] = []
    steps = []
    for link in tree.order.tolist():
        joint = int(tree.link_joints[link])
        if joint >= 0:
            parent, index = int(tree.parents[link]), int(tree.idx_q[joint])
            axes, lead = (tree.axes[joint], tree.second_axes[joint]), float(tree.leads[joint])
            step = _step(tree.kinds[joint], tree.origins[joint], axes, lead, index, turns)
        else:
            parent = len(tree.parents)  # the world
            kind: JointKind = "free" if tree.free_base else "fixed"
            step = _step(kind, tree.base_pose, (_Z, _Z), 0.0, 0, turns)
        steps.append(Step(link, parent, *step))
    return Program(
        n_links=len(tree.parents),
        nq=tree.nq,
        steps=tuple(steps),
        angles=np.array([index for index, _ in turns], np.intp),
        half_angles=np.array([[0.5 * sign] for _, sign in turns]).reshape(-1, 1),
    )


def _step(
    kind: JointKind,
    origin: Floats,
    axes: tuple[Floats, Floats],
    lead: float,
    index: int,
    turns: list[tuple[int, float]],
) -> tuple[Floats | None, Floats, tuple[Motion, ...], Floats | None]:
    """before, shift, motions and after of a step; its angles are added to ``turns``."""
    basis = last = np.eye(4)
    motions: list[Motion] = []

    def turn(column: int, place: int, sign: float) -> Turn:
        turns.append((place, sign))
        return Turn(column, len(turns) - 1)

    match kind:
        case "fixed" | "track":
            pass
        case "revolute":
            basis, column, sign = _along(axes[0])
            motions = [turn(column, index, sign)]
        case "prismatic":
            basis, column, sign = _along(axes[0])
            motions = [Slide(column, index, sign)]
        case "screw":
            basis, column, sign = _along(axes[0])
            motions = [Slide(column, index, sign * lead), turn(column, index, sign)]
        case "universal":
            basis, column, sign = _along(axes[0])
            motions = [turn(column, index, sign)]
            last, column, sign = _along(axes[1])
            between = basis.T @ last
            if not np.array_equal(between, np.eye(4)):
                motions.append(Place(between.T.copy()))
            motions.append(turn(column, index + 1, sign))
        case "planar":
            basis = np.eye(4)
            basis[:3, :3] = axis_frame(snap(axes[0]).tolist())
            motions = [Slide(0, index), Slide(1, index + 1), turn(2, index + 2, 1.0)]
        case "ball":
            motions = [Orient(index)]
        case "free":
            motions = [Slide(0, index), Slide(1, index + 1), Slide(2, index + 2), Orient(index + 3)]
        case _:
            unknown_kind(kind)
    if kind != "universal":
        last = basis
    before = origin @ basis
    before[:3, :3] = snap(before[:3, :3])
    plain = kind == "revolute" and np.array_equal(before[:3, :3], np.eye(3))
    after = None if np.array_equal(last, np.eye(4)) else last.copy()
    return None if plain else before.T.copy(), before[:, 3].copy(), tuple(motions), after


def _along(axis: Floats) -> tuple[Floats, int, float]:
    """A rotation (4, 4) whose column X, Y or Z is along an axis: the matrix, the column, and the direction.

    It is the identity for the axes themselves.
    """
    basis = np.eye(4)
    x, y, z = snap(axis).tolist()
    if (x, y, z).count(0.0) == 2:
        column = next(i for i, value in enumerate((x, y, z)) if value)
        return basis, column, (x, y, z)[column]
    basis[:3, :3] = axis_frame((x, y, z))
    return basis, 2, 1.0


def snap(values: Floats) -> Floats:
    """Entries within a few ulp of a whole number rounded to it: right angles are stored as quaternions."""
    whole = np.round(values)
    near = np.abs(values - whole) < 1e-15
    return np.where(near & (np.abs(whole) < 2.0), whole, values)


def axis_frame(axis: Sequence[float]) -> Floats:
    """Rotation (3, 3) whose columns are u, v and the unit vector ``axis``.

    u is the projection of X on the plane normal to the axis (of Y if the axis is along X), v = axis × u;
    these are the two directions in which a planar joint slides.
    """
    x, y, z = axis
    level = math.hypot(y, z)
    u = (level, -x * y / level, -x * z / level) if level else (0.0, 1.0, 0.0)
    return np.stack([u, np.cross(axis, u), axis], axis=1)
