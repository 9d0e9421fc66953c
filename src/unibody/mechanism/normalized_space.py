"""MPK's normalized configuration space, for any robot: t in [0, 1]^n, one number per coordinate.

A robot without coordinates gets one per joint position, in the order of q:

- both limits finite: from the lower (0) to the upper (1), frozen when they are equal;
- a revolute joint without limits: cyclic, a full turn around 0 (around its initial position when that
  is more than half a turn away);
- a revolute joint with one limit: a full turn from it, not cyclic;
- a coupled joint: no coordinate, since it follows its leader.

A prismatic joint without both limits, a joint with several positions (ball, universal, planar, free) and
a free base cannot be normalized. They keep their initial positions and are listed in ``unmapped``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from unibody.mechanism.arguments import Names, Positions, as_positions
from unibody.mechanism.forward_kinematics import apply_couplings
from unibody.mechanism.tree import Tree, periodic_entries
from unibody.model.arrays import Flags, Floats, Indices
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Coordinate, Drive, Joint, Robot

# Most configurations of one path, to bound memory.
MOST_SAMPLES = 10_000_000


class NormalizedSpaceError(ValueError):
    """Invalid coordinates of a robot, or an invalid path."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Drives:
    """All drives as arrays: q[entry] goes from ``zero`` to ``one`` with coordinate ``coordinate``.

    ``half`` is half the width, so that the widest ranges of doubles do not overflow; ``start`` is q
    at the coordinate's default.
    """

    entry: Indices
    coordinate: Indices
    zero: Floats
    one: Floats
    half: Floats
    start: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NormalizedSpace:
    """The map between normalized vectors t (n,) and joint positions q (nq,), and the metric of t.

    ``coordinates`` are those of the robot, or derived ones; ``names`` are the joints that each of them
    drives ("" where none), ``indices`` MPK's numbers.
    ``weights`` give the metric, ``default`` is the start. ``passive`` coordinates are left alone by a
    planner, ``frozen`` ones never move. ``unmapped`` lists joints that no coordinate moves, and the
    root link when the base is free. Everything takes (n,) or (B, n).

    >>> from unibody.mechanism import assemble
    >>> from unibody.model.robot import Joint, Limits, Link, Robot
    >>> lift = Joint(name="lift", kind="prismatic", parent="base", child="car",
    ...              limits=Limits(position=(-1.0, 3.0)))
    >>> robot = Robot(name="elevator", links=(Link(name="base"), Link(name="car")), joints=(lift,))
    >>> space = assemble(robot).normalized_space
    >>> space.to_joints([0.75]), space.from_joints([2.0])
    (array([2.]), array([0.75]))
    """

    names: tuple[str, ...]
    indices: tuple[int, ...]
    cyclic: Flags = field(repr=False)
    passive: Flags = field(repr=False)
    frozen: Flags = field(repr=False)
    weights: Floats = field(repr=False)
    default: Floats = field(repr=False)
    unmapped: tuple[str, ...]
    coordinates: tuple[Coordinate, ...] = field(repr=False)
    _tree: Tree = field(repr=False)
    _names: Names = field(repr=False)
    _drives: _Drives = field(repr=False)
    _leads: Indices = field(repr=False)

    @property
    def n(self) -> int:
        """Number of coordinates."""
        return len(self.indices)

    def to_joints(self, t: ArrayLike) -> Floats:
        """Map t to q, (nq,) or (B, nq): exact at 0, at 1 and at the default.

        Outside [0, 1] cyclic coordinates wrap and others extrapolate linearly. Couplings are applied;
        unmapped joints are at their initial position.

        >>> import unibody as ub
        >>> space = ub.assemble("src/unibody/models/arm.rob").normalized_space
        >>> space.to_joints([0.5] * space.n).shape
        (7,)
        """
        values = self.wrapped(t)
        drives = self._drives
        mine = values[..., drives.coordinate]
        q = np.broadcast_to(self._tree.initial, (*values.shape[:-1], self._tree.nq)).copy()
        with np.errstate(all="ignore"):
            low = drives.zero + 2.0 * mine * drives.half
            high = drives.one - 2.0 * (1.0 - mine) * drives.half
            moved = np.where(mine <= 0.5, low, high)
        starting = mine == self.default[drives.coordinate]
        q[..., drives.entry] = np.where(starting, drives.start, moved)
        return np.asarray(apply_couplings(self._tree, q), dtype=np.float64)

    def to_lines(self, t: ArrayLike) -> Floats:
        """Map a path t (k, n) to q (k, nq) that goes straight between its rows.

        Where a cyclic coordinate goes the short way across its end, q counts on beyond its range.
        NormalizedSpaceError if that range is not a whole turn of a joint: q would jump.
        """
        values = self.wrapped(t)
        q = self.to_joints(values)
        steps = np.diff(values, axis=0)
        wraps = np.cumsum(np.round(self.difference(values[:-1], values[1:]) - steps), axis=0)
        for number in np.flatnonzero(wraps.any(axis=0)).tolist():
            ends = np.stack([self.default, self.default])
            ends[:, number] = 0.0, 1.0
            zero, one = self.to_joints(ends)
            turn = one - zero
            whole = np.abs(turn / (2.0 * math.pi) - np.round(turn / (2.0 * math.pi))) < 1e-9
            if not (whole & periodic_entries(self._tree) | (turn == 0.0)).all():
                raise NormalizedSpaceError(
                    f"coordinate {self.indices[number]} is cyclic, but its range is not a whole turn: "
                    "a motion across its end jumps"
                )
            q[1:] += turn * wraps[:, number, None]
        return q

    def from_joints(self, q: Positions) -> Floats:
        """Map q to t, (n,) or (B, n); q may be a dict as in ``Mechanism.forward_kinematics``.

        A coordinate with several joints is computed from the first that moves; one without moving joints
        is at its default. Cyclic coordinates are wrapped into [0, 1], others are not clipped.

        >>> import unibody as ub
        >>> space = ub.assemble("src/unibody/models/arm.rob").normalized_space
        >>> space.from_joints({"Turn": 0.0}).shape  # (n,)
        (6,)
        """
        values = np.asarray(as_positions(self._tree, self._names, q), dtype=np.float64)
        t = np.broadcast_to(self.default, (*values.shape[:-1], self.n)).copy()
        moving = self._leads >= 0
        lead = self._leads[moving]
        drives = self._drives
        at, zero, one, width = (
            values[..., drives.entry[lead]],
            drives.zero[lead],
            drives.one[lead],
            drives.half[lead],
        )
        with np.errstate(all="ignore"):
            low = (0.5 * at - 0.5 * zero) / width
            high = 1.0 - (0.5 * one - 0.5 * at) / width
            found = np.where(np.abs(0.5 * at - 0.5 * zero) <= np.abs(0.5 * one - 0.5 * at), low, high)
        t[..., moving] = np.where(at == drives.start[lead], self.default[moving], found)
        return self.wrapped(t)

    def wrapped(self, t: ArrayLike) -> Floats:
        """Wrap the cyclic coordinates of t into [0, 1]."""
        values = self._checked(t)
        outside = self.cyclic & ((values < 0.0) | (values > 1.0))
        with np.errstate(invalid="ignore"):
            return np.where(outside, values - np.floor(values), values)

    def difference(self, a: ArrayLike, b: ArrayLike) -> Floats:
        """b − a; cyclic coordinates take the shorter way, within ±½.

        >>> import unibody as ub
        >>> space = ub.assemble("src/unibody/models/arm.rob").normalized_space
        >>> space.difference([0.2] * space.n, [0.3] * space.n).round(3)
        array([0.1, 0.1, 0.1, 0.1, 0.1, 0.1])
        """
        d = self._checked(b) - self._checked(a)
        with np.errstate(invalid="ignore"):
            return np.where(self.cyclic, d - np.round(d), d)

    def distance(self, a: ArrayLike, b: ArrayLike) -> Any:
        """Weighted length of the difference: √Σ (weight · Δt)².

        >>> import unibody as ub
        >>> space = ub.assemble("src/unibody/models/arm.rob").normalized_space
        >>> float(space.distance([0.2] * space.n, [0.2] * space.n))
        0.0
        """
        return np.sqrt(((self.weights * self.difference(a, b)) ** 2).sum(axis=-1))

    def largest(self, a: ArrayLike, b: ArrayLike) -> Any:
        """The largest difference of a single coordinate, without weights."""
        return np.abs(self.difference(a, b)).max(axis=-1, initial=0.0)

    def between(self, a: ArrayLike, b: ArrayLike, s: ArrayLike) -> Floats:
        """Interpolate on the segment from a (s = 0) to b (s = 1), both exact: (n,), or (k, n) for s (k,).

        >>> from unibody.mechanism import assemble
        >>> from unibody.model.robot import Joint, Link, Robot
        >>> links = (Link(name="base"), Link(name="disc"))
        >>> turn = Joint(name="turn", kind="revolute", parent="base", child="disc")
        >>> space = assemble(Robot(name="table", links=links, joints=(turn,))).normalized_space
        >>> space.between([0.875], [0.125], [0.0, 0.25, 0.75, 1.0])[:, 0]
        array([0.875 , 0.9375, 0.0625, 0.125 ])
        """
        first, last = self._checked(a), self._checked(b)
        along = np.asarray(s, dtype=np.float64)[..., None]
        d = self.difference(first, last)
        points = np.where(along <= 0.5, first + along * d, last - (1.0 - along) * d)
        return self.wrapped(points)

    def path(self, points: ArrayLike, step: float) -> Floats:
        """The configurations (m, n) along straight segments between ``points`` (k, n).

        Each segment is bisected until no coordinate changes by ``step`` or more from one
        configuration to the next. NormalizedSpaceError if the step is not positive, or gives more
        than ten million configurations.

        >>> import unibody as ub
        >>> space = ub.assemble("src/unibody/models/arm.rob").normalized_space
        >>> space.path([[0.0] * space.n, [1.0] * space.n], 0.25).shape
        (9, 6)
        """
        corners = np.atleast_2d(self._checked(points))
        if not step > 0.0:
            raise NormalizedSpaceError(f"the step must be positive, not {step}")
        largest = self.largest(corners[:-1], corners[1:])
        if not np.isfinite(largest).all():
            raise NormalizedSpaceError("a path needs finite numbers")
        # log2 of a power of two is exact, so a quotient of exactly 2^k is bisected once more.
        with np.errstate(over="ignore"):
            pieces = 2.0 ** np.maximum(0.0, np.floor(np.log2(np.maximum(largest / step, 0.5))) + 1.0)
        if pieces.sum() > MOST_SAMPLES:
            raise NormalizedSpaceError(
                f"a step of {step} makes {pieces.sum():.3g} configurations; {MOST_SAMPLES} are the most"
            )
        parts = [corners[:1]]
        for a, b, count in zip(corners[:-1], corners[1:], pieces.astype(int), strict=True):
            parts.append(self.between(a, b, np.arange(1, count + 1) / count))
        return np.concatenate(parts)

    def _checked(self, t: ArrayLike) -> Floats:
        values = np.asarray(t, dtype=np.float64)
        if values.ndim == 0 or values.shape[-1] != self.n:
            raise ValueError(f"t has shape {values.shape}; expected ({self.n},) or (B, {self.n})")
        return values


def normalized_space(robot: Robot, tree: Tree, names: Names) -> NormalizedSpace:
    """Build the space of the robot's coordinates, or of coordinates derived from its joints.

    NormalizedSpaceError if a coordinate drives a joint that is unknown or has several positions.
    """
    by_index = {int(q): j for j, q in enumerate(tree.idx_q) if KINDS[tree.kinds[j]].nq}
    followers = {names.joints[by_index[c.index]] for c in tree.couplings}
    given = sorted(robot.coordinates, key=lambda c: c.index)
    starts: dict[str, float] = {}
    if not given:
        given = list(_derived(robot.joints, followers, starts))
    entries = {j.name: (int(tree.idx_q[i]), KINDS[j.kind].nq) for i, j in enumerate(robot.joints)}
    _check(given, entries)
    pairs = [(number, c, drive) for number, c in enumerate(given) for drive in c.drives]
    drives = _drives(pairs, {name: entry for name, (entry, _) in entries.items()}, starts)
    driven = {drive.joint for _, _, drive in pairs} | followers
    still = [j.name for j in robot.joints if KINDS[j.kind].nq and j.name not in driven]
    root = [names.links[tree.root]] if tree.free_base else []
    return NormalizedSpace(
        names=tuple(" + ".join(drive.joint for drive in c.drives) for c in given),
        indices=tuple(c.index for c in given),
        cyclic=np.array([c.cyclic for c in given], np.bool_),
        passive=np.array([c.passive for c in given], np.bool_),
        frozen=np.array([c.frozen for c in given], np.bool_),
        weights=np.array([c.weight for c in given], np.float64),
        default=np.array([c.default for c in given], np.float64),
        unmapped=(*root, *still),
        coordinates=tuple(given),
        _tree=tree,
        _names=names,
        _drives=drives,
        _leads=_leads(len(given), pairs, drives, followers),
    )


def _check(coordinates: Iterable[Coordinate], entries: dict[str, tuple[int, int]]) -> None:
    for coordinate in coordinates:
        for drive in coordinate.drives:
            if drive.joint not in entries:
                raise NormalizedSpaceError(
                    f"coordinate {coordinate.index} drives an unknown joint {drive.joint!r}"
                )
            if entries[drive.joint][1] != 1:
                raise NormalizedSpaceError(
                    f"coordinate {coordinate.index} drives {drive.joint!r}, which has not one position"
                )


def _derived(
    joints: Sequence[Joint], followers: set[str], starts: dict[str, float]
) -> Iterable[Coordinate]:
    """Derive a coordinate for each joint with one position that is limited or revolute."""
    index = 0
    for joint in joints:
        bounds = range_of(joint)
        if joint.name in followers or KINDS[joint.kind].nq != 1 or bounds is None:
            continue
        low, high = bounds
        half = 0.5 * high - 0.5 * low
        start = min(max(joint.initial, min(low, high)), max(low, high))
        starts[joint.name] = start
        yield Coordinate(
            index=index,
            drives=(Drive(joint=joint.name, at_zero=low, at_one=high),),
            cyclic=joint.limits.position == (-math.inf, math.inf),
            frozen=low == high,
            default=0.5 if low == high else (0.5 * start - 0.5 * low) / half,
        )
        index += 1


def range_of(joint: Joint) -> tuple[float, float] | None:
    """The range of each position of a joint: its limits, or a whole turn; None if it has neither."""
    low, high = joint.limits.position
    if math.isfinite(low) and math.isfinite(high):
        return low, high
    if not KINDS[joint.kind].periodic or math.isnan(low) or math.isnan(high):
        return None
    if math.isfinite(low):
        return low, low + 2.0 * math.pi
    if math.isfinite(high):
        return high - 2.0 * math.pi, high
    middle = joint.initial if abs(joint.initial) > math.pi else 0.0
    return middle - math.pi, middle + math.pi


def _drives(
    pairs: Sequence[tuple[int, Coordinate, Drive]], entries: dict[str, int], starts: dict[str, float]
) -> _Drives:
    zero = np.array([d.at_zero for _, _, d in pairs], np.float64)
    one = np.array([d.at_one for _, _, d in pairs], np.float64)
    half = 0.5 * one - 0.5 * zero
    t = np.array([c.default for _, c, _ in pairs], np.float64)
    formula = np.where(t <= 0.5, zero + 2.0 * t * half, one - 2.0 * (1.0 - t) * half)
    start = [starts.get(d.joint, value) for (_, _, d), value in zip(pairs, formula.tolist(), strict=True)]
    return _Drives(
        entry=np.array([entries[d.joint] for _, _, d in pairs], np.intp),
        coordinate=np.array([number for number, _, _ in pairs], np.intp),
        zero=zero,
        one=one,
        half=half,
        start=np.array(start, np.float64),
    )


def _leads(
    count: int, pairs: Sequence[tuple[int, Coordinate, Drive]], drives: _Drives, followers: set[str]
) -> Indices:
    """Index of the first drive of each coordinate that moves a joint without a leader; −1 if none."""
    leads = np.full(count, -1, np.intp)
    for at in reversed(range(len(pairs))):
        number, _, drive = pairs[at]
        if drives.half[at] != 0.0 and drive.joint not in followers:
            leads[number] = at
    return leads
