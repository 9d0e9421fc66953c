"""The coordinates that a planner moves: an affine map from them to q, and their metric."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from unibody.collision.loops import joints_around
from unibody.mechanism.mechanism import Mechanism
from unibody.mechanism.normalized_space import NormalizedSpace
from unibody.mechanism.tree import periodic_entries
from unibody.model.arrays import Flags, Floats, Indices
from unibody.model.groups import group_joints
from unibody.model.joint_kind import KINDS
from unibody.text.near import suggestion

#: Differences of normalized coordinates, radians or meters that count as none.
ROUNDING = 1e-9


class Outside(NamedTuple):
    """A joint whose position is outside of its limits, all in rad or m."""

    joint: str
    position: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.joint} is at {self.position:.6g}, its limits are {self.low:.6g} and {self.high:.6g}"


@dataclass(frozen=True, slots=True, eq=False)
class Coordinates:
    """The normalized coordinates x (k,) that move, and q = ``origin`` + ``matrix`` x.

    Passive and frozen coordinates, those that move no joint or one that the plan may not move, and joints
    without a coordinate are where the start has them. ``numbers`` are the places of the moving ones in the
    normalized space. Cyclic coordinates count on beyond [0, 1], so that q is continuous; ``cyclic`` are
    those whose range is a whole turn. ``follows`` (nq,) are the entries of q that no coordinate moves, but
    closed loops may; ``looped`` whether coordinates move closed loops.
    """

    mechanism: Mechanism
    space: NormalizedSpace
    numbers: Indices
    cyclic: Flags
    weights: Floats
    origin: Floats
    matrix: Floats
    follows: Flags
    looped: bool

    @property
    def n(self) -> int:
        """Number of coordinates that move."""
        return len(self.numbers)

    @property
    def size(self) -> float:
        """The length of the whole space in the metric."""
        return float(self.lengths(np.ones(self.n)))

    def samples(self, generator: np.random.Generator, count: int) -> Floats:
        """Random coordinates (count, k)."""
        return generator.random((count, self.n))

    def to_joints(self, x: Floats) -> Floats:
        """Map x (..., k) to q (..., nq)."""
        return np.asarray(self.origin + x @ self.matrix.T)

    def from_joints(self, q: Floats) -> Floats:
        """Map q (..., nq) to x (..., k), cyclic ones in [0, 1]."""
        return np.asarray(self.space.from_joints(q)[..., self.numbers])

    def difference(self, a: Floats, b: Floats) -> Floats:
        """b − a; cyclic coordinates take the shorter way."""
        d = b - a
        if self.cyclic.any():
            d = np.where(self.cyclic, d - np.round(d), d)
        return np.asarray(d)

    def lengths(self, d: Floats) -> Floats:
        """Weighted lengths (...,) of differences (..., k)."""
        return np.asarray(np.sqrt(((d * self.weights) ** 2).sum(axis=-1)))

    def strides(self, d: Floats) -> Floats:
        """The largest change of a joint (...,), in rad or m, of differences (..., k)."""
        return np.asarray(np.abs(d @ self.matrix.T).max(axis=-1, initial=0.0))

    def unreached(self, q: Floats) -> str | None:
        """A joint that no coordinate moves to where a configuration (nq,) has it, or None."""
        off = np.abs(self._off(q))
        return joint_at(self.mechanism, int(off.argmax())) if off.max(initial=0.0) > ROUNDING else None

    def _off(self, q: Floats) -> Floats:
        """What x cannot say of q (nq,): whole turns of cyclic coordinates do not count."""
        off = q - self.to_joints(self.from_joints(q))
        off = np.where(self.follows, 0.0, off)
        turns = np.abs(self.matrix[:, self.cyclic]).max(axis=1, initial=0.0) > 0.0
        return np.where(turns, off - 2.0 * math.pi * np.round(off / (2.0 * math.pi)), off)

    def outside(self, q: Floats, rounding: float = ROUNDING) -> Outside | None:
        """The first joint of a configuration (nq,) that is outside of its limits, or None."""
        x = self.from_joints(q)
        wrong = ~self.cyclic & ((x < -rounding) | (x > 1.0 + rounding))
        if wrong.any():
            number = int(wrong.argmax())
            column = self.matrix[:, number]
            entry = int(np.abs(column).argmax())
            ends = q[entry] + column[entry] * (np.array([0.0, 1.0]) - x[number])
            return self._beyond(q, entry, ends)
        tree = self.mechanism.tree
        ends = np.sort(np.stack([tree.lower, tree.upper]), axis=0)
        turning = np.abs(self.matrix[:, self.cyclic]).max(axis=1, initial=0.0) > 0.0
        slack = rounding * (1.0 + np.abs(q))
        beyond = ~turning & ((q < ends[0] - slack) | (q > ends[1] + slack))
        entry = int(beyond.argmax()) if beyond.any() else -1
        return self._beyond(q, entry, ends[:, entry]) if entry >= 0 else None

    def _beyond(self, q: Floats, entry: int, ends: Floats) -> Outside:
        low, high = sorted(ends.tolist())
        return Outside(joint_at(self.mechanism, entry), float(q[entry]), low, high)


def coordinates_of(
    mechanism: Mechanism, start: Floats, joints: Collection[str] | None = None
) -> Coordinates:
    """The coordinates that move from a configuration (nq,).

    With ``joints``, only those that move none but these joints, and the joints that follow them.
    """
    space = mechanism.normalized_space
    ends = np.tile(space.default, (2 * space.n, 1))
    ends[np.arange(space.n), np.arange(space.n)] = 0.0
    ends[space.n + np.arange(space.n), np.arange(space.n)] = 1.0
    q = space.to_joints(ends)
    columns = (q[space.n :] - q[: space.n]).T.reshape(mechanism.nq, space.n)
    moves = np.abs(columns).max(axis=0, initial=0.0) > 0.0
    if joints is not None:
        moves &= ~_moving_others(mechanism, columns, joints)
    numbers = np.flatnonzero(moves & ~space.passive & ~space.frozen)
    matrix = columns[:, numbers]
    turns = matrix / (2.0 * math.pi)
    whole = (np.abs(turns - np.round(turns)) < ROUNDING) & periodic_entries(mechanism.tree)[:, None] | (
        matrix == 0.0
    )
    x = space.from_joints(start)[numbers]
    around, moving = entries_of(mechanism, joints_around(mechanism)), _moves(matrix)
    looped = bool((around & moving).any())
    return Coordinates(
        mechanism=mechanism,
        space=space,
        numbers=numbers,
        cyclic=space.cyclic[numbers] & whole.all(axis=0),
        weights=space.weights[numbers],
        origin=start - matrix @ x,
        matrix=matrix,
        follows=around & ~moving & ~_moves(columns[:, space.frozen]) & looped,
        looped=looped,
    )


def _moving_others(mechanism: Mechanism, columns: Floats, joints: Collection[str]) -> Flags:
    """Which columns (nq, k) move a joint that is not one of ``joints`` and follows no other."""
    others = [k for k, name in enumerate(mechanism.joint_names) if name not in joints]
    entries = entries_of(mechanism, others)
    entries[[coupling.index for coupling in mechanism.tree.couplings]] = False
    return np.asarray((np.abs(columns[entries]) > 0.0).any(axis=0))


def joints_of(
    mechanism: Mechanism, group: str | Iterable[str] | None, lock: Iterable[str]
) -> set[str] | None:
    """The joints that a plan may move: those of a group, by its name or as a list, that are not locked.

    A locked joint locks the joint that it follows. None for all joints; KeyError for an unknown name.
    """
    lock = [lock] if isinstance(lock, str) else list(lock)
    if group is None and not lock:
        return None
    if isinstance(group, str):
        chosen = set(group_joints(mechanism.robot, group))
    else:
        chosen = set(mechanism.joint_names if group is None else group)
    for name in (*chosen, *lock):
        if name not in mechanism.joint_names:
            raise KeyError(f"unknown joint {name!r}{suggestion(name, mechanism.joint_names)}")
    leaders = {coupling.joint: coupling.leader for coupling in mechanism.robot.couplings}
    for name in lock:
        locked: str | None = name
        while locked is not None and locked in chosen:
            chosen.discard(locked)
            locked = leaders.get(locked)
    return chosen


def entries_of(mechanism: Mechanism, joints: Sequence[int]) -> Flags:
    """Which entries of q (nq,) are those of joints."""
    out = np.zeros(mechanism.nq, bool)
    for joint in joints:
        at = int(mechanism.idx_q[joint])
        out[at : at + KINDS[mechanism.tree.kinds[joint]].nq] = True
    return out


def _moves(columns: Floats) -> Flags:
    """The entries of q (nq,) that columns (nq, k) move."""
    return np.asarray(np.abs(columns).max(axis=1, initial=0.0) > 0.0)


def joint_at(mechanism: Mechanism, entry: int) -> str:
    """The joint, or the root link of a free base, that an entry of q belongs to."""
    names = mechanism.joint_names
    for name, kind, at in zip(names, mechanism.tree.kinds, mechanism.idx_q.tolist(), strict=True):
        if at <= entry < at + KINDS[kind].nq:
            return name
    return str(mechanism.link_names[mechanism.order[0]])
