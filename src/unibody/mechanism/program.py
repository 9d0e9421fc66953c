"""Forward kinematics of a tree as a program: one step per link, parents first.

numpy and the other array libraries run the same program, see ``forward_kinematics``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unibody.mechanism.arrays import Floats, Indices
from unibody.mechanism.tree import Tree, derived


@dataclass(frozen=True, slots=True)
class Turn:
    """Rotation about the body's own X, Y or Z axis by the program's angle number ``slot``."""

    axis: int
    slot: int


@dataclass(frozen=True, slots=True)
class Slide:
    """Translation along the body's own X, Y or Z axis by ``sign * q[index]``."""

    axis: int
    index: int
    sign: float = 1.0


@dataclass(frozen=True, slots=True)
class Orient:
    """Rotation by the quaternion (w, x, y, z) at ``q[index : index + 4]``, normalized first."""

    index: int


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
    motions: tuple[Turn | Slide | Orient, ...]
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
            step = _step(tree.kinds[joint], tree.origins[joint], tree.axes[joint], index, turns)
        else:
            parent = len(tree.parents)  # the world
            step = _step("free" if tree.free_base else "fixed", tree.base_pose, np.eye(3)[2], 0, turns)
        steps.append(Step(link, parent, *step))
    return Program(
        n_links=len(tree.parents),
        nq=tree.nq,
        steps=tuple(steps),
        angles=np.array([index for index, _ in turns], np.intp),
        half_angles=np.array([[0.5 * sign] for _, sign in turns]).reshape(-1, 1),
    )


def _step(
    kind: str, origin: Floats, axis: Floats, index: int, turns: list[tuple[int, float]]
) -> tuple[Floats | None, Floats, tuple[Turn | Slide | Orient, ...], Floats | None]:
    """before, shift, motions and after of a step; its angles are added to ``turns``."""
    basis, column, sign = np.eye(4), 2, 1.0
    if kind in ("revolute", "prismatic", "planar"):
        x, y, z = snap(axis).tolist()
        if kind != "planar" and (x, y, z).count(0.0) == 2:
            column = next(i for i, value in enumerate((x, y, z)) if value)
            sign = (x, y, z)[column]
        else:
            basis[:3, :3] = axis_frame((x, y, z))
    motions = list[Turn | Slide | Orient]()
    match kind:
        case "revolute":
            motions.append(Turn(column, len(turns)))
            turns.append((index, sign))
        case "prismatic":
            motions.append(Slide(column, index, sign))
        case "planar":
            motions += [Slide(0, index), Slide(1, index + 1), Turn(2, len(turns))]
            turns.append((index + 2, 1.0))
        case "ball":
            motions.append(Orient(index))
        case "free":
            motions += [Slide(0, index), Slide(1, index + 1), Slide(2, index + 2), Orient(index + 3)]
    before = origin @ basis
    before[:3, :3] = snap(before[:3, :3])
    plain = kind == "revolute" and np.array_equal(before[:3, :3], np.eye(3))
    after = None if np.array_equal(basis, np.eye(4)) else basis.copy()
    return None if plain else before.T.copy(), before[:, 3].copy(), tuple(motions), after


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
