"""The exact check of a motion: certified sampling.

A pair that is at least e apart at the middle of an interval cannot touch within it while its bound on the
motion over half of the interval stays below e. So the middles of all intervals are tested at once, each
pair with its own bound as a margin; intervals that do not pass are split in three.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from unibody.collision.bounds import Bounds
from unibody.collision.engine import Engine
from unibody.collision.loops import follow
from unibody.mechanism.integration import difference, integrate
from unibody.mechanism.loops import joints_around
from unibody.mechanism.mechanism import Mechanism
from unibody.mechanism.tree import has_quaternions, quaternion_entries
from unibody.model.arrays import Flags, Floats, Indices
from unibody.model.joint_kind import KINDS
from unibody.model.left_out import LeftOut

Space = Literal["joints", "normalized", "screw"]
Status = Literal["free", "incomplete", "hit", "near", "sampled"]
Name = Callable[[Floats, float], tuple[str, str] | None]

#: Relative errors of positions and of the engine's arithmetic, with a reserve.
_ROUNDING = 1e-14
#: The largest margin of the first intervals (m), and as a share of the size of large robots (or those in
#: millimeters); on meshes, larger ones cost more than they save.
_FIRST, _SHARE = 0.03, 0.01
#: A motion is "near" if it is not decided at margins of this size (m).
_LAST = 1e-6
#: Radians or meters between the samples that refute most motions at once.
_COARSE = 0.1
#: Configurations of one test, of a whole motion, and of the samples that refute most motions, at most.
_LOT, _MOST, _SAMPLES = 2_000, 200_000, 20_000
_THIRDS = np.array([-1.0, 0.0, 1.0])


@dataclass(frozen=True, slots=True, eq=False)
class MotionCheck:
    """The result of checking a motion for collisions.

    ``status`` is "free", proved for every configuration on the way; "incomplete", the same but for what is
    ``unread``, such as meshes that were left out, and could touch; "hit", ``pair`` touches at ``time``
    (0 at the start, 1 at the end) in the configuration ``q``; "near", not decided, since ``pair`` comes
    nearer than ``within`` (m) at ``time``; "sampled", nothing touches at samples ``step`` (rad or m)
    apart at most, and nothing is proved.
    """

    status: Status
    time: float | None
    pair: tuple[str, str] | None
    q: Floats | None
    within: float = 0.0
    step: float = 0.0
    unread: tuple[LeftOut, ...] = ()

    def __bool__(self) -> bool:
        raise TypeError("a verdict is neither true nor false; compare its status with 'free'")


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """A straight motion: from ``start`` (nq,) along ``velocity`` (nv,), for one second.

    ``shift`` (nq,) is what is added to q per second where the motion is a line, for translations of free
    bases and joints, too, in ``lines``. ``turns`` says whether there are quaternions on the way; ``open``
    whether it moves joints of a closed loop.
    """

    mechanism: Mechanism
    start: Floats
    velocity: Floats
    shift: Floats
    lines: Floats
    turns: bool
    open: bool

    def at(self, times: Floats) -> Floats:
        """Configurations (k, nq) at times (k,)."""
        if not self.turns:
            return self.start + times[:, None] * self.shift
        q = np.asarray(integrate(self.mechanism.tree, self.start, times[:, None] * self.velocity))
        straight = self.start + times[:, None] * self.shift
        return np.where(self.lines, straight, q)

    def range(self) -> tuple[Floats, Floats]:
        """Lowest and highest q (nq,) on the way, of all that is no quaternion."""
        end = self.at(np.ones(1))[0]
        low, high = np.minimum(self.start, end), np.maximum(self.start, end)
        for at, v in _free(self.mechanism):
            # no point of an arc is farther from both ends together than the arc is long
            arc = math.hypot(*self.velocity[v : v + 3].tolist())
            middle = 0.5 * (self.start[at : at + 3] + end[at : at + 3])
            low[at : at + 3] = np.minimum(low[at : at + 3], middle - 0.5 * arc)
            high[at : at + 3] = np.maximum(high[at : at + 3], middle + 0.5 * arc)
        return low, high


def way(mechanism: Mechanism, a: Floats, b: Floats, space: Space) -> Way:
    """The straight motion between two configurations (nq,) in a space."""
    if space not in ("joints", "normalized", "screw"):
        raise ValueError(f"space is {space!r}; expected 'joints', 'normalized' or 'screw'")
    if space == "normalized":
        a, b = _normalized(mechanism, a, b)
    tree = mechanism.tree
    turns = has_quaternions(tree)
    lines = np.ones(tree.nq, bool)
    lines[quaternion_entries(tree).reshape(-1)] = False
    if space == "screw":
        velocity = np.asarray(difference(tree, a, b)) if turns else b - a
        for at, _ in _free(mechanism):
            lines[at : at + 3] = False
    else:
        velocity = _velocity(mechanism, a, b)
    return Way(mechanism, a, velocity, b - a, lines, turns, _moves_loops(mechanism, velocity))


def _velocity(mechanism: Mechanism, a: Floats, b: Floats) -> Floats:
    """The velocities (..., nv) from a to b (..., nq) in joint space; origins of free joints go straight."""
    if not has_quaternions(mechanism.tree):
        return np.asarray(b - a)
    velocity = np.asarray(difference(mechanism.tree, a, b))
    for at, v in _free(mechanism):
        velocity[..., v : v + 3] = b[..., at : at + 3] - a[..., at : at + 3]
    return velocity


def _free(mechanism: Mechanism) -> list[tuple[int, int]]:
    """Where free bases and joints start in q and v."""
    tree = mechanism.tree
    starts = zip(tree.kinds, tree.idx_q.tolist(), tree.idx_v.tolist(), strict=True)
    return [(0, 0)] * tree.free_base + [(q, v) for kind, q, v in starts if kind == "free"]


def _normalized(mechanism: Mechanism, a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """The ends of a motion in q that is straight in the normalized space: the end goes on beyond a wrap."""
    space, tree = mechanism.normalized_space, mechanism.tree
    first, last = space.from_joints(a), space.from_joints(b)
    mapped = np.ones(tree.nq, bool)
    for name in space.unmapped:
        if name in mechanism.joint_names:
            joint = mechanism.joint_names.index(name)
            mapped[tree.idx_q[joint] : tree.idx_q[joint] + KINDS[tree.kinds[joint]].nq] = False
        else:
            mapped[:7] = False
    start, end = space.to_lines(np.stack([first, last]))
    return np.where(mapped, start, a), np.where(mapped, end, b)


def _moves_loops(mechanism: Mechanism, velocity: Floats) -> bool:
    """Whether a joint moves that a closed loop of the robot goes through."""
    tree = mechanism.tree
    for joint in joints_around(tree, mechanism.loops):
        at = int(tree.idx_v[joint])
        if velocity[at : at + KINDS[tree.kinds[joint]].nv].any():
            return True
    return False


def checked(engine: Engine, bounds: Bounds, way: Way, doubts: Floats, name: Name) -> MotionCheck:
    """The verdict on a motion.

    ``doubts`` are how much the engine may err on each pair (m); ``name`` is the pair that touches, or is
    within a margin, in a row.
    """
    low, high = way.range()
    if bounds.has_slides:
        bounds.cover(low, high)
    rates = bounds.rates(way.velocity)
    largest = float(rates.max(initial=0.0))
    if way.open:
        return _sampled(engine, way, largest, name)
    found = _refuted(engine, way, _times(largest, _COARSE), name)
    speed = bounds.matrix @ rates
    fastest = float(speed.max(initial=0.0))
    if found is not None or fastest == 0.0:
        return MotionCheck("free", None, None, None) if found is None else found
    slack = np.where(speed > 0.0, doubts + rounding(bounds, low, high), 0.0)
    return _proved(engine, way, speed, slack, name, _first(bounds))


def _first(bounds: Bounds) -> float:
    """The largest margin of the first intervals (m)."""
    return max(_FIRST, _SHARE * bounds.size)


def rounding(bounds: Bounds, low: Floats, high: Floats) -> Floats:
    """Errors of arithmetic in the distances of the pairs (pairs,), where q is from ``low`` to ``high``."""
    turned = max(float(np.abs(low).max(initial=0.0)), float(np.abs(high).max(initial=0.0)))
    return np.asarray(_ROUNDING * (bounds.reach + turned * bounds.matrix.sum(axis=1)))


def _proved(
    engine: Engine, way: Way, speed: Floats, slack: Floats, name: Name, first: float
) -> MotionCheck:
    """The verdict by certified sampling; ``slack`` is added to the margins, the first is ``first`` (m)."""
    fastest, doubt = float(speed.max()), float(slack.max())
    count = min(math.ceil(fastest / (2.0 * first)), _SAMPLES)
    stack = [((2.0 * np.arange(count, dtype=np.float64) + 1.0) * (0.5 / count), 0.5 / count)]
    undecided: MotionCheck | None = None
    left = _MOST
    while stack:
        times, half = stack.pop()
        if len(times) > _LOT:
            stack.append((times[_LOT:], half))
            times = times[:_LOT]
        rows = engine.rows(way.at(times))
        close = engine.near(rows, half * speed + slack)
        left -= len(times)
        if not close.any():
            continue
        times, rows = times[close], rows[close]
        touching = engine.colliding(rows, stop=True)
        if touching.any():
            return _hit(way, float(times[touching.argmax()]), rows[touching.argmax()], name)
        if fastest * half <= _LAST or left <= 0:
            margin = fastest * half + doubt
            if undecided is None:
                time = float(times[0])
                q = way.at(times[:1])[0]
                undecided = MotionCheck("near", time, name(rows[0], margin), q, within=2.0 * margin)
                left = min(left, _LOT)
            if left <= 0:
                return undecided
            continue
        stack.append(((times[:, None] + (2.0 / 3.0) * half * _THIRDS).reshape(-1), half / 3.0))
    return MotionCheck("free", None, None, None) if undecided is None else undecided


def free_lines(
    engine: Engine,
    bounds: Bounds,
    mechanism: Mechanism,
    doubts: Floats,
    ways: tuple[Floats, Floats],
    within: float,
    around: Floats,
) -> Flags:
    """Whether each straight motion between configurations, two (B, nq), is proved free, (B,).

    So are all configurations that differ from one on the way by ``around`` (B, nv) at most. Motions on
    which a pair comes nearer than ``within`` (m) may count as not free, and those of closed loops do.
    """
    starts, ends = ways
    velocity = _velocity(mechanism, starts, ends)
    four = quaternion_entries(mechanism.tree).reshape(-1)
    turning = (starts[:, four] != ends[:, four]).any(axis=1)
    if around[turning].any():
        raise ValueError("a motion that turns a ball or free joint is proved on its line only")
    closed = np.ones(len(starts), bool)
    if mechanism.loops:
        closed = np.array([not _moves_loops(mechanism, row) for row in velocity], bool)

    among, shifts, turns = np.flatnonzero(closed), ends - starts, bool(turning.any())

    def at(mine: Indices, times: Floats) -> Floats:
        """The configurations (k, nq) of closed motions (k,) at times (k,)."""
        rows, along = among[mine], times[:, None]
        q = np.asarray(starts[rows] + along * shifts[rows])
        if turns and (turn := turning[rows]).any():
            turned = np.asarray(
                integrate(mechanism.tree, starts[rows][turn], along[turn] * velocity[rows][turn])
            )
            q[np.ix_(turn, four)] = turned[:, four]
        return q

    out = np.zeros(len(starts), bool)
    out[closed] = _free_lines(
        engine, bounds, doubts, (starts[closed], ends[closed], velocity[closed]), at, within, around[closed]
    )
    return out


def _free_lines(
    engine: Engine,
    bounds: Bounds,
    doubts: Floats,
    lines: tuple[Floats, Floats, Floats],
    at_times: Callable[[Indices, Floats], Floats],
    within: float,
    around: Floats,
) -> Flags:
    """Whether each motion is proved free, (B,); a margin is the largest that any of them needs.

    ``lines`` are its ends, (B, nq) each, and velocities (B, nv); ``at_times`` gives its configurations.
    """
    start, end, velocity = lines
    if not len(start):
        return np.zeros(0, bool)
    off = float(np.abs(around).max(initial=0.0))
    low = np.minimum(start, end).min(axis=0) - off
    high = np.maximum(start, end).max(axis=0) + off
    if bounds.has_slides:
        bounds.cover(low, high)
    speed = bounds.rates(velocity) @ bounds.matrix.T
    fastest = speed.max(axis=1, initial=0.0)
    free = np.ones(len(start), bool)
    beside = bounds.rates(around) @ bounds.matrix.T
    moved = (speed + beside).max(axis=0, initial=0.0) > 0.0
    slack = np.where(moved, doubts + rounding(bounds, low, high), 0.0)
    count = np.clip(np.ceil(fastest / (2.0 * _first(bounds))), 1.0, _SAMPLES).astype(np.intp)
    owner = np.repeat(np.arange(len(start)), count)
    half = 0.5 / count[owner]
    times = (2.0 * (np.arange(len(owner)) - np.repeat(np.cumsum(count) - count, count)) + 1.0) * half
    left = _MOST
    while len(owner):
        kept: list[tuple[Indices, Floats, Floats]] = []
        for first in range(0, len(owner), _LOT):
            lot = slice(first, first + _LOT)
            mine, at, wide = owner[lot], times[lot], half[lot]
            rows = engine.rows(at_times(mine, at))
            margins = (wide[:, None] * speed[mine] + beside[mine]).max(axis=0) + slack
            close = np.flatnonzero(engine.near(rows, margins))
            if not len(close):
                continue
            mine, at, wide = mine[close], at[close], wide[close]
            free[mine[(wide * fastest[mine] <= within) | engine.colliding(rows[close])]] = False
            kept.append((mine, at, wide))
        if not kept:
            break
        owner, times, half = (np.concatenate(each) for each in zip(*kept, strict=True))
        left -= len(owner)
        if left <= 0:
            free[owner] = False
        undecided = free[owner]
        owner, times, half = (np.repeat(each[undecided], 3) for each in (owner, times, half))
        times = times + (2.0 / 3.0) * half * np.tile(_THIRDS, len(times) // 3)
        half = half / 3.0
    return free


def _refuted(engine: Engine, way: Way, times: Floats, name: Name) -> MotionCheck | None:
    """The first hit among some times, or None."""
    rows = engine.rows(way.at(times))
    found = engine.colliding(rows, stop=True)
    if not found.any():
        return None
    at = int(found.argmax())
    return _hit(way, float(times[at]), rows[at], name)


def _hit(way: Way, time: float, row: Floats, name: Name) -> MotionCheck:
    return MotionCheck("hit", time, name(row, 0.0), way.at(np.array([time]))[0])


def _sampled(engine: Engine, way: Way, largest: float, name: Name) -> MotionCheck:
    """Samples on the closed loops; ValueError where they cannot be closed, or jump."""
    course = follow(way.mechanism, lambda _, times: way.at(times), np.array([largest]))
    time = float(course.broken[0])
    if not math.isnan(time):
        raise ValueError(f"the loops of {way.mechanism.robot.name!r} cannot be closed at time {time:.3g}")
    rows = engine.rows(course.q)
    found = engine.colliding(rows, stop=True)
    if found.any():
        at = int(found.argmax())
        return MotionCheck("hit", float(course.times[at]), name(rows[at], 0.0), course.q[at])
    return MotionCheck("sampled", None, None, None, step=float(course.steps[0]))


def sampled_lines(
    engine: Engine, mechanism: Mechanism, starts: Floats, ends: Floats, locked: Sequence[str]
) -> Flags:
    """Whether nothing touches at samples on the closed loops of motions between two (B, nq), (B,)."""
    ways = [way(mechanism, a, b, "joints") for a, b in zip(starts, ends, strict=True)]
    if not ways:
        return np.zeros(0, bool)

    def at(owner: Indices, times: Floats) -> Floats:
        runs = np.split(times, np.flatnonzero(np.diff(owner)) + 1)
        firsts = owner[np.concatenate([[0], np.flatnonzero(np.diff(owner)) + 1])]
        return np.concatenate([ways[int(k)].at(run) for k, run in zip(firsts, runs, strict=True)])

    largest = np.array([np.abs(each.velocity).max(initial=0.0) for each in ways])
    course = follow(mechanism, at, largest, locked)
    out = np.isnan(course.broken)
    kept = out[course.owner]
    touching = engine.colliding(engine.rows(course.q[kept]))
    out[course.owner[kept][touching]] = False
    return np.asarray(out)


def _times(largest: float, step: float) -> Floats:
    """Times from 0 to 1, a step of the largest motion apart, or as many as are tested."""
    count = min(max(1, math.ceil(largest / step)), _SAMPLES)
    return np.arange(count + 1, dtype=np.float64) / count


def later(motion: MotionCheck, segments: int) -> MotionCheck:
    """The motion as a part of a path, after some segments."""
    return replace(motion, time=None if motion.time is None else segments + motion.time)
