"""The coordinates that a planner moves: the map from them to q, their differences, and their metric."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from unibody.mechanism.arguments import joint_masks
from unibody.mechanism.forward_kinematics import apply_couplings
from unibody.mechanism.integration import turn_between, turned_by
from unibody.mechanism.loops import joints_around
from unibody.mechanism.mechanism import Mechanism
from unibody.mechanism.normalized_space import NormalizedSpace
from unibody.mechanism.sampling import quaternions
from unibody.mechanism.tree import periodic_entries
from unibody.model.arrays import Flags, Floats, Indices
from unibody.model.groups import group_joints
from unibody.model.joint_kind import KINDS
from unibody.planning.ranges import Given, OwnRanges, own_ranges, unbounded_joints
from unibody.text.hint import Hint, Setting
from unibody.text.near import suggestion

#: Differences of normalized coordinates, radians or meters that count as none.
ROUNDING = 1e-9
#: What a radian of a free rotation counts in the metric: a whole turn is 1, as that of a coordinate.
_TURNING = 0.5 / math.pi


class Outside(NamedTuple):
    """A joint whose position is outside of its limits, all in rad or m."""

    joint: str
    position: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.joint} is at {self.position:.6g}, its limits are {self.low:.6g} and {self.high:.6g}"


@dataclass(frozen=True, slots=True)
class Rules:
    """What a plan may move.

    Only ``joints`` move, None for all, and those that follow them; ``locked`` ones do not follow either.
    Joints without limits, and a free base by its link, move within ``bounds``.
    """

    joints: frozenset[str] | None = None
    locked: frozenset[str] = frozenset()
    bounds: Given = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Coordinates:
    """The coordinates x (n,) that move: q = ``origin`` + ``matrix`` x, and quaternions as they are.

    The first are the moving ones of the normalized space, ``numbers``; then come ``own`` ones, of single
    entries of q that the space lacks, each from 0 to 1; last the quaternions (r, 4) of free bases and
    joints, at ``turning`` in q. A difference d (m,) has three numbers for each of these, a turn in the
    frame that turns, so that a motion along d is straight in joint space: ``moved`` adds it.

    Passive and frozen coordinates, those that move no joint or one that the plan may not move, and joints
    without a coordinate are where the start has them. Cyclic coordinates count on beyond [0, 1], so that q
    is continuous; ``cyclic`` (k,) are those whose range is a whole turn, ``wrapped`` those of which a path
    takes the shorter way. ``follows`` (nq,) are the entries of q that no coordinate moves, but closed loops
    may; ``looped`` whether coordinates move closed loops. ``unbounded`` are joints that bounds would let
    move.
    """

    mechanism: Mechanism
    space: NormalizedSpace
    numbers: Indices
    own: OwnRanges
    turning: Indices
    cyclic: Flags
    wrapped: Flags
    weights: Floats
    origin: Floats
    matrix: Floats
    follows: Flags
    looped: bool
    unbounded: tuple[str, ...]

    @property
    def n(self) -> int:
        """How many numbers x has."""
        return int(self._lines + self.turning.size)

    @property
    def _lines(self) -> int:
        """How many coordinates are numbers of their own: all but quaternions."""
        return int(self.matrix.shape[1])

    @property
    def size(self) -> float:
        """The length of the whole space in the metric."""
        half_turns = [math.pi, 0.0, 0.0] * len(self.turning)
        return float(self.lengths(np.array([*np.ones(self._lines), *half_turns])))

    @cached_property
    def moving(self) -> Flags:
        """The entries of q (nq,) that coordinates move."""
        out = _moves(self.matrix)
        out[self.turning] = True
        return out

    def samples(self, generator: np.random.Generator, count: int) -> Floats:
        """Random coordinates (count, n)."""
        x = generator.random((count, self._lines))
        turns = [quaternions(generator, count) for _ in self.turning]
        return np.concatenate([x, *turns], axis=1)

    def to_joints(self, x: Floats) -> Floats:
        """Map x (..., n) to q (..., nq)."""
        if not len(self.turning):
            return np.asarray(self.origin + x @ self.matrix.T)
        q = np.asarray(self.origin + x[..., : self._lines] @ self.matrix.T)
        q[..., self.turning.reshape(-1)] = x[..., self._lines :]
        return q

    def from_joints(self, q: Floats) -> Floats:
        """Map q (..., nq) to x (..., n), cyclic ones in [0, 1]."""
        given = np.asarray(self.space.from_joints(q)[..., self.numbers])
        if len(self.numbers) == self.n:
            return given
        four = q[..., self.turning]
        four = four / np.linalg.norm(four, axis=-1, keepdims=True)
        four = four.reshape(*q.shape[:-1], self.turning.size)
        return np.concatenate([given, self.own.from_joints(q), four], axis=-1)

    def difference(self, a: Floats, b: Floats) -> Floats:
        """The difference d (..., m) from a to b (..., n); cyclic coordinates take the shorter way."""
        k = self._lines
        d = b - a if not len(self.turning) else b[..., :k] - a[..., :k]
        if self.cyclic.any():
            d = np.where(self.cyclic, d - np.round(d), d)
        if not len(self.turning):
            return np.asarray(d)
        first, last = np.broadcast_arrays(a[..., k:], b[..., k:])
        turns = [
            np.moveaxis(
                turn_between(np, *(np.moveaxis(x[..., at : at + 4], -1, 0) for x in (first, last))), 0, -1
            )
            for at in range(0, self.turning.size, 4)
        ]
        return np.concatenate([d, *turns], axis=-1)

    def moved(self, x: Floats, d: Floats) -> Floats:
        """The coordinates (..., n) at the end of a motion from x (..., n) along d (..., m)."""
        k = self._lines
        if not len(self.turning):
            return np.asarray(x + d)
        lead = np.broadcast_shapes(x.shape[:-1], d.shape[:-1])
        parts = [np.broadcast_to(x[..., :k] + d[..., :k], (*lead, k))]
        for turn in range(len(self.turning)):
            four = np.broadcast_to(x[..., k + 4 * turn : k + 4 * turn + 4], (*lead, 4))
            by = np.broadcast_to(d[..., k + 3 * turn : k + 3 * turn + 3], (*lead, 3))
            parts.append(
                np.moveaxis(turned_by(np, np.moveaxis(four, -1, 0), np.moveaxis(by, -1, 0)), 0, -1)
            )
        return np.concatenate(parts, axis=-1)

    def lengths(self, d: Floats) -> Floats:
        """Weighted lengths (...,) of differences (..., m)."""
        return np.asarray(np.sqrt(((d * self.weights) ** 2).sum(axis=-1)))

    def strides(self, d: Floats) -> Floats:
        """The largest change of a joint (...,), in rad or m, of differences (..., m)."""
        lines = np.abs(d[..., : self._lines] @ self.matrix.T).max(axis=-1, initial=0.0)
        return np.asarray(np.maximum(lines, self._turned(d)))

    def shares(self, d: Floats) -> Floats:
        """The largest change of a coordinate (...,), of a rotation in turns, of differences (..., m)."""
        lines = np.abs(d[..., : self._lines]).max(axis=-1, initial=0.0)
        return np.asarray(np.maximum(lines, _TURNING * self._turned(d)))

    def wraps(self, d: Floats) -> float:
        """The largest share of a turn in a difference (m,): beyond ½, a path would take the other way."""
        lines = np.abs(d[: self._lines][self.wrapped]).max(initial=0.0)
        return float(max(lines, _TURNING * self._turned(d)))

    def _turned(self, d: Floats) -> Floats | float:
        """The largest angle (...,) of the rotations in differences (..., m)."""
        if not len(self.turning):
            return 0.0
        turns = d[..., self._lines :].reshape(*d.shape[:-1], len(self.turning), 3)
        return np.asarray(np.linalg.norm(turns, axis=-1).max(axis=-1))

    def unreached(self, q: Floats) -> str | None:
        """A joint that no coordinate moves to where a configuration (nq,) has it, or None."""
        off = np.abs(self._off(q))
        return joint_at(self.mechanism, int(off.argmax())) if off.max(initial=0.0) > ROUNDING else None

    def _off(self, q: Floats) -> Floats:
        """What x cannot say of q (nq,): whole turns of cyclic coordinates do not count."""
        off = q - self.to_joints(self.from_joints(q))
        off = np.where(self.follows, 0.0, off)
        off[self.turning] = 0.0
        turns = np.abs(self.matrix[:, self.cyclic]).max(axis=1, initial=0.0) > 0.0
        return np.where(turns, off - 2.0 * math.pi * np.round(off / (2.0 * math.pi)), off)

    def outside(self, q: Floats, rounding: float = ROUNDING) -> Outside | None:
        """The first joint of a configuration (nq,) that is outside of its limits, or None."""
        x = self.from_joints(q)[: self._lines]
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

    @property
    def bounded(self) -> Mechanism:
        """The mechanism with the bounds of the plan as limits, for inverse kinematics."""
        tree = self.mechanism.tree
        low, high = tree.lower.copy(), tree.upper.copy()
        ends = np.sort(np.stack([self.own.zero, self.own.one]), axis=0)
        kept = ~self.own.cyclic
        low[self.own.entries[kept]], high[self.own.entries[kept]] = ends[:, kept]
        return replace(self.mechanism, tree=replace(tree, lower=low, upper=high))

    def why_still(self, joint: str) -> Hint:
        """Why a joint, or a free base by its link, does not move: the words after its name or "which"."""
        found = {each.name: each for each in self.mechanism.robot.joints}.get(joint)
        if joint in self.unbounded:
            return Hint("has no bounds; give them as ", Setting("bounds", joint, blank="…"))
        if found is not None and found.passive:
            return Hint("is passive; let the goal leave it where it is")
        if found is not None and found.is_locked:
            return Hint("is locked by equal limits; let the goal leave it where it is")
        return Hint("no coordinate moves there; let the goal leave it where it is")


def coordinates_of(mechanism: Mechanism, start: Floats, rules: Rules | None = None) -> Coordinates:
    """The coordinates that move from a configuration (nq,).

    With ``rules.joints``, only those that move none but these joints, and the joints that follow them.
    Joints without limits, and a free base, move within ``rules.bounds``; KeyError or ValueError for bounds
    that fit none.
    """
    rules = rules or Rules()
    space = mechanism.normalized_space
    ends = np.tile(space.default, (2 * space.n, 1))
    ends[np.arange(space.n), np.arange(space.n)] = 0.0
    ends[space.n + np.arange(space.n), np.arange(space.n)] = 1.0
    q = space.to_joints(ends)
    columns = (q[space.n :] - q[: space.n]).T.reshape(mechanism.nq, space.n)
    moves = np.abs(columns).max(axis=0, initial=0.0) > 0.0
    still, _ = joint_masks(mechanism.tree, mechanism.names, still_joints(mechanism, rules.joints))
    moves &= ~(np.abs(columns[still]) > 0.0).any(axis=0)
    numbers = np.flatnonzero(moves & ~space.passive & ~space.frozen)
    own, turning = own_ranges(mechanism, space, rules.bounds, still)
    matrix = np.concatenate([columns[:, numbers], _own_columns(mechanism, own)], axis=1)
    turns = matrix / (2.0 * math.pi)
    whole = (np.abs(turns - np.round(turns)) < ROUNDING) & periodic_entries(mechanism.tree)[:, None] | (
        matrix == 0.0
    )
    wrapped = np.concatenate([space.cyclic[numbers], own.cyclic])
    around = entries_of(mechanism, joints_around(mechanism.tree, mechanism.loops))
    moving = _moves(matrix)
    locked, _ = joint_masks(mechanism.tree, mechanism.names, rules.locked)
    looped = bool((around & moving).any())
    if looped and len(turning):
        raise ValueError(
            f"{joint_at(mechanism, int(turning[0, 0]))!r} turns freely, which is not planned together with "
            "closed loops; leave out its bounds"
        )
    out = Coordinates(
        mechanism=mechanism,
        space=space,
        numbers=numbers,
        own=own,
        turning=turning,
        cyclic=wrapped & whole.all(axis=0),
        wrapped=wrapped,
        weights=np.array([*space.weights[numbers], *np.ones(own.n), *[_TURNING] * (3 * len(turning))]),
        origin=start,
        matrix=matrix,
        follows=around & ~moving & ~_moves(columns[:, space.frozen]) & ~locked & looped,
        looped=looped,
        unbounded=unbounded_joints(mechanism, space, rules.bounds, still),
    )
    x = out.from_joints(start)[: matrix.shape[1]]
    return replace(out, origin=start - matrix @ x)


def _own_columns(mechanism: Mechanism, own: OwnRanges) -> Floats:
    """How q (nq, k) changes, followers included, when own coordinates go from 0 to 1."""
    rest = np.zeros((own.n, mechanism.nq))
    ends = rest.copy()
    ends[np.arange(own.n), own.entries] = own.one - own.zero
    return np.asarray(apply_couplings(mechanism.tree, ends) - apply_couplings(mechanism.tree, rest)).T


def still_joints(mechanism: Mechanism, joints: Collection[str] | None) -> list[str]:
    """The joints, and a free base by its link, that must not move: all but ``joints``, and passive ones.

    Joints that follow others move with them.
    """
    followers = {mechanism.joint_names[joint] for joint in _followers(mechanism)}
    out = [
        joint.name
        for joint in mechanism.robot.joints
        if joint.name not in followers
        and (joint.passive or (joints is not None and joint.name not in joints))
    ]
    if mechanism.base == "free" and joints is not None and root_of(mechanism) not in joints:
        out.append(root_of(mechanism))
    return out


def _followers(mechanism: Mechanism) -> list[int]:
    starts = {
        int(at): joint for joint, at in enumerate(mechanism.idx_q) if KINDS[mechanism.tree.kinds[joint]].nq
    }
    return [starts[coupling.index] for coupling in mechanism.tree.couplings]


def rules_of(
    mechanism: Mechanism,
    group: str | Iterable[str] | None = None,
    lock: Iterable[str] = (),
    bounds: Given | None = None,
) -> Rules:
    """The rules of a plan for a group, by its name or as a list of joints, of which some are locked.

    A free base has the name of the root link. A locked joint locks the joint that it follows. KeyError for
    an unknown name.
    """
    lock = [lock] if isinstance(lock, str) else list(lock)
    if group is None and not lock:
        return Rules(bounds=dict(bounds or {}))
    known = [*mechanism.joint_names, *([root_of(mechanism)] if mechanism.base == "free" else [])]
    if isinstance(group, str):
        chosen = set(group_joints(mechanism.robot, group))
    else:
        chosen = set(known if group is None else group)
    for name in (*chosen, *lock):
        if name not in known:
            raise KeyError(f"unknown joint {name!r}{suggestion(name, known)}")
    leaders = {coupling.joint: coupling.leader for coupling in mechanism.robot.couplings}
    locked = set(lock)
    for name in lock:
        leader = leaders.get(name)
        while leader is not None and leader not in locked:
            locked.add(leader)
            leader = leaders.get(leader)
    return Rules(frozenset(chosen - locked), frozenset(locked), dict(bounds or {}))


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


def root_of(mechanism: Mechanism) -> str:
    """The root link, whose name a free base has."""
    return str(mechanism.link_names[mechanism.order[0]])


def joint_at(mechanism: Mechanism, entry: int) -> str:
    """The joint, or the root link of a free base, that an entry of q belongs to."""
    names = mechanism.joint_names
    for name, kind, at in zip(names, mechanism.tree.kinds, mechanism.idx_q.tolist(), strict=True):
        if at <= entry < at + KINDS[kind].nq:
            return name
    return root_of(mechanism)
