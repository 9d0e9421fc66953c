"""Kinematic tree as arrays: links, joints, positions, inertias, couplings.

A tree holds no names and no shapes. Links and joints are indices; q and v are laid out as in
``Mechanism``: a free base first, then the joints in order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from unibody.model.arrays import Flags, Floats, Indices
from unibody.model.joint_kind import KINDS, JointKind

#: Numbers of a free base in q, and in v.
BASE_SIZE, BASE_VELOCITY_SIZE = 7, 6

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class LinearCoupling:
    """Linear joint coupling: ``q[index] = ratio * q[leader] + offset``; leader None is the constant 0."""

    index: int
    leader: int | None
    ratio: float
    offset: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tree:
    """Kinematic tree of n links and m joints; all arrays are read-only, in SI units.

    ``parents`` and ``link_joints`` (n,) hold the parent of each link and the joint that moves it, -1 at
    the root; ``order`` (n,) has parents before children. ``mass`` (n,), ``com`` (n, 3) and ``inertia``
    (n, 3, 3), symmetric and about the center of mass, are in link axes. ``gravity_compensation``
    (n,) is the share of the weight of each link that is borne.

    ``kinds``, ``origins`` (m, 4, 4) in the parent link, ``axes`` and ``second_axes`` (m, 3), unit
    vectors, and ``leads`` (m,), in m/rad, describe the joints; joint j starts at ``idx_q[j]`` in q and at
    ``idx_v[j]`` in v. ``base_pose`` (4, 4) is the pose of the root in the world, or the identity if the
    base is free.

    ``lower``, ``upper`` and ``initial`` are (nq,). ``armature`` (rotor inertia felt at the joint),
    ``damping``, ``friction``, ``stiffness`` and ``spring_rest`` are (nv,). ``couplings`` list leaders
    first.
    """

    nq: int
    nv: int
    free_base: bool
    base_pose: Floats
    parents: Indices
    link_joints: Indices
    order: Indices
    kinds: tuple[JointKind, ...]
    origins: Floats
    axes: Floats
    second_axes: Floats
    leads: Floats
    idx_q: Indices
    idx_v: Indices
    lower: Floats
    upper: Floats
    initial: Floats
    mass: Floats
    com: Floats
    inertia: Floats
    gravity_compensation: Floats
    armature: Floats
    damping: Floats
    friction: Floats
    stiffness: Floats
    spring_rest: Floats
    couplings: tuple[LinearCoupling, ...]
    _derived: dict[str, Any] = field(default_factory=dict, repr=False, init=False)

    def __reduce__(self) -> tuple[Any, ...]:
        # what is derived holds buffers with views into them, which pickle would tear apart
        return _rebuilt, ({f.name: getattr(self, f.name) for f in fields(self) if f.init},)

    @property
    def root(self) -> int:
        """Index of the root link."""
        return int(self.order[0])

    def single_dofs(self) -> dict[int, int]:
        """Index in v by index in q, for joints with one position."""
        return {
            int(q): int(v)
            for kind, q, v in zip(self.kinds, self.idx_q, self.idx_v, strict=True)
            if KINDS[kind].nq == 1
        }

    def joints_above(self, link: int) -> list[int]:
        """Joints between a link and the root, from the link upward."""
        found: list[int] = []
        while self.link_joints[link] >= 0:
            found.append(int(self.link_joints[link]))
            link = int(self.parents[link])
        return found


def _rebuilt(values: dict[str, Any]) -> Tree:
    for value in values.values():
        if hasattr(value, "setflags"):
            value.setflags(write=False)
    return Tree(**values)


def derived(function: Callable[[Tree], _Result]) -> Callable[[Tree], _Result]:
    """Decorator of a function of a tree: computes the result once and keeps it with the tree."""
    key = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def kept(tree: Tree) -> _Result:
        try:
            result: _Result = tree._derived[key]
        except KeyError:
            with np.errstate(all="ignore"):  # numbers near the largest double may overflow
                result = tree._derived[key] = function(tree)
        return result

    return kept


@derived
def scalar_entries(tree: Tree) -> Indices:
    """Index in q of the position whose rate each entry of v is, (nv,); -1 beside a quaternion."""
    out = np.full(tree.nv, -1, np.intp)
    for kind, q, v in zip(tree.kinds, tree.idx_q.tolist(), tree.idx_v.tolist(), strict=True):
        record = KINDS[kind]
        if not record.has_quaternion:
            out[v : v + record.nv] = np.arange(q, q + record.nq)
    out.setflags(write=False)
    return out


@derived
def periodic_entries(tree: Tree) -> Flags:
    """Angles in q (nq,) of which a full turn brings all links back."""
    out = np.zeros(tree.nq, bool)
    for kind, q in zip(tree.kinds, tree.idx_q.tolist(), strict=True):
        if KINDS[kind].periodic:
            out[q : q + KINDS[kind].nq] = [unit == "rad" for unit in KINDS[kind].q_units]
    out.setflags(write=False)
    return out


@derived
def quaternion_entries(tree: Tree) -> Indices:
    """Places of each quaternion in q, (k, 4)."""
    starts = [BASE_SIZE - 4] if tree.free_base else []
    for kind, q in zip(tree.kinds, tree.idx_q.tolist(), strict=True):
        if KINDS[kind].has_quaternion:
            starts.append(q + KINDS[kind].scalars)
    return np.array(starts, np.intp).reshape(-1, 1) + np.arange(4)


def zero_configuration(tree: Tree) -> Floats:
    """The configuration with all joints at zero and rotations at the identity, (nq,)."""
    q = np.zeros_like(tree.initial)
    q[quaternion_entries(tree)[:, 0]] = 1.0
    return q


def has_quaternions(tree: Tree) -> bool:
    """Whether q has quaternions."""
    return len(quaternion_entries(tree)) > 0
