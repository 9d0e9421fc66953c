"""Time laws of plans: along the proved lines, with corners blended where the blend is proved."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from unibody.collision.world import World
from unibody.mechanism.mechanism import Mechanism
from unibody.mechanism.tree import scalar_entries
from unibody.model.arrays import Flags, Floats, Indices
from unibody.model.joint_kind import KINDS
from unibody.motions.motion import Motion, motion_of
from unibody.planning.planner import PlanResult, coordinates_in
from unibody.planning.profile import Phase, Rates, double_s, trapezoid
from unibody.text.near import suggestion

#: A limit of all joints, or of some by name, in rad or m per s, s² or s³.
Limit: TypeAlias = float | Mapping[str, float] | None

#: The duration (s) of a cubic piece, and q with its first three derivatives (4, nq) at its begin.
_Piece: TypeAlias = tuple[float, Floats]

#: The largest share of a line that the blend at one of its ends takes.
_SHARE = 0.45
#: How often a blend is made smaller before the motion stops at the corner, and by which factor of speed.
_TRIES, _SLOWER = 4, 0.6
#: Chords by which a blend is proved, and the distance (m) of pairs that are too near to prove one.
_CHORDS, _NEAR = 4, 1e-4


class MissingLimitError(ValueError):
    """A moving joint has no limit of velocity or acceleration (``limit``)."""

    def __init__(self, joint: str, limit: str) -> None:
        self.limit = limit
        self.problem = f"joint {joint!r} has no limit of {limit}"
        super().__init__(f"{self.problem}; pass {limit}=")


@dataclass(frozen=True, slots=True, eq=False)
class _Bounds:
    """Limits of the entries of q (nq,) in the direction of growing and of falling values, all positive."""

    velocity: tuple[Floats, Floats]
    acceleration: tuple[Floats, Floats]
    deceleration: tuple[Floats, Floats]
    jerk: tuple[Floats, Floats]


def timed(
    plan: PlanResult,
    velocity: Limit = None,
    acceleration: Limit = None,
    jerk: Limit = None,
    *,
    blend: bool = True,
) -> Motion:
    """The motion of a plan within limits of velocity, acceleration and jerk, from rest to rest.

    Limits are those of the robot, and those given, for all joints or by name; the tighter ones hold. It
    follows the lines of the path. With ``blend``, parabolas round the corners, each proved to be free;
    where that fails, and at all corners if a joint has a limit of jerk, the motion stops for a moment.

    ValueError if the plan has no path or moves closed loops, a free base or a free joint, if a joint that
    moves has no limit of velocity or acceleration, or for a limit that is not above 0; KeyError for an
    unknown joint.

    >>> import pytest
    >>> coal = pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
    >>> from unibody import collisions, load, plan
    >>> found = plan(collisions(load("src/unibody/models/arm.rob")), {"Fore": 0.0}, {"Fore": 0.5})
    >>> motion = timed(found, velocity=1.0, acceleration=4.0)
    >>> round(motion.duration, 6), len(motion.stops)
    (0.75, 0)
    """
    path = plan.found
    mechanism = plan.world.mechanism
    if plan.status == "sampled":
        raise ValueError("a path on closed loops has no time law: its lines leave the loops")
    if len(coordinates_in(plan).turning):
        raise ValueError("the path of a free base or joint has no time law: its turns are no lines")
    d = np.diff(path, axis=0)
    moving = np.abs(d).max(axis=1, initial=0.0) > 0.0
    starts, d = path[:-1][moving], d[moving]
    if not len(d):
        return motion_of(mechanism, path[:1], [0.0])
    bounds = _bounds(mechanism, velocity, acceleration, jerk, (d != 0.0).any(axis=0))
    rates = [_rates(bounds, step) for step in d]
    if any(math.isfinite(each.jerk) for each in rates):
        return _stopping(mechanism, starts, d, rates)
    corners = _Corners(plan.world, starts, d, rates, bounds)
    return corners.motion(corners.speeds() if blend else np.zeros(len(d) + 1))


def _stopping(mechanism: Mechanism, starts: Floats, d: Floats, rates: list[Rates]) -> Motion:
    """Every line from rest to rest."""
    pieces: list[_Piece] = []
    for start, step, limits in zip(starts, d, rates, strict=True):
        pieces += _pieces(start, step, 0.0, 0.0, double_s(1.0, limits))
    return _motion(mechanism, pieces)


def _motion(mechanism: Mechanism, pieces: list[_Piece]) -> Motion:
    """The motion of cubic pieces: a row at the begin of each, and one at the end."""
    durations = np.array([duration for duration, _ in pieces])
    q, v, a, j = np.array([piece for _, piece in pieces]).swapaxes(0, 1)
    t = durations[-1]
    last = q[-1] + t * (v[-1] + t * (0.5 * a[-1] + t * j[-1] / 6.0))
    ends = (last, v[-1] + t * (a[-1] + 0.5 * t * j[-1]), a[-1] + t * j[-1], j[-1])
    # what has more positions than rates (quaternions) does not move
    places = scalar_entries(mechanism.tree)
    q, v, a, j = (np.vstack([each, end]) for each, end in zip((q, v, a, j), ends, strict=True))
    return motion_of(
        mechanism,
        q,
        np.concatenate([[0.0], np.cumsum(durations)]),
        velocities=np.where(places >= 0, v[:, places], 0.0),
        accelerations=np.where(places >= 0, a[:, places], 0.0),
        jerks=np.where(places >= 0, j[:, places], 0.0),
    )


def _pieces(start: Floats, step: Floats, share: float, speed: float, phases: list[Phase]) -> list[_Piece]:
    """The pieces of phases along a line, from a share of it on, at a speed (shares per s)."""
    out = []
    for duration, acceleration, jerk in phases:
        derivatives = np.outer([speed, acceleration, jerk], step)
        out.append((duration, np.concatenate([(start + share * step)[None], derivatives])))
        share += duration * (speed + duration * (0.5 * acceleration + duration * jerk / 6.0))
        speed += duration * (acceleration + 0.5 * duration * jerk)
    return out


class _Corners:
    """The lines of a path with blends of constant acceleration between them.

    At corner i a blend begins at the speed ``f[i]`` times the largest one of the line before, and ends at
    as much of the line behind. It takes equal times before and behind the corner.
    """

    def __init__(
        self, world: World, starts: Floats, d: Floats, rates: list[Rates], bounds: _Bounds
    ) -> None:
        self._world, self._starts, self._d, self._rates = world, starts, d, rates
        self._top = np.array([each.speed for each in rates])
        change = self._top[1:, None] * d[1:] - self._top[:-1, None] * d[:-1]
        up, down = (np.minimum(a, b) for a, b in zip(bounds.acceleration, bounds.deceleration, strict=True))
        with np.errstate(divide="ignore", invalid="ignore"):
            needed = np.where(change > 0.0, change / up, -change / down)
        #: The duration of each blend at full speed; it grows with the speed.
        self._needed = np.nan_to_num(needed, nan=0.0, posinf=0.0).max(axis=1, initial=0.0)
        self._change = change

    def speeds(self) -> Floats:
        """The shares f (m + 1,) of the largest speeds at all corners, 0 at both ends and where it stops."""
        count = len(self._d)
        f = np.zeros(count + 1)
        fastest = np.maximum(self._top[:-1], self._top[1:])
        with np.errstate(divide="ignore"):
            f[1:-1] = np.minimum(1.0, np.sqrt(_SHARE / np.maximum(0.5 * fastest * self._needed, 1e-300)))
        self._reachable(f)
        tries = np.zeros(count + 1, np.intp)
        while True:
            # a slower corner makes its neighbours slower, too: what they are at last is proved
            left = 1 + np.flatnonzero(f[1:-1] > 0.0)
            wrong = left[~self._free(left, f)]
            if not len(wrong):
                return f
            tries[wrong] += 1
            f[wrong] = np.where(tries[wrong] > _TRIES, 0.0, _SLOWER * f[wrong])
            self._reachable(f)

    def _blend(self, corner: int, f: Floats) -> tuple[float, float, float]:
        """Duration (s) of a blend, and its shares of the line before and of the line behind."""
        duration = float(f[corner] * self._needed[corner - 1])
        half = 0.5 * duration * float(f[corner])
        return duration, half * float(self._top[corner - 1]), half * float(self._top[corner])

    def _reachable(self, f: Floats) -> None:
        """Lower shares until every line can get from the speed at its begin to that at its end."""
        count = len(self._d)
        for forward in (True, False, True, False):
            for line in range(count) if forward else reversed(range(count)):
                top, rates = float(self._top[line]), self._rates[line]
                length = 1.0
                length -= self._blend(line, f)[2] if line > 0 else 0.0
                length -= self._blend(line + 1, f)[1] if line + 1 < count else 0.0
                first, last = float(f[line]) * top, float(f[line + 1]) * top
                if last > first:
                    most = math.sqrt(first**2 + 2.0 * rates.acceleration * length)
                    f[line + 1] = min(f[line + 1], most / top)
                else:
                    most = math.sqrt(last**2 + 2.0 * rates.deceleration * length)
                    f[line] = min(f[line], most / top)

    def _free(self, corners: Indices, f: Floats) -> Flags:
        """Which blends are proved: by chords of the parabola, and how far it is off them."""
        if not len(corners):
            return np.zeros(0, bool)
        begins, ends, beside = [], [], []
        mechanism = self._world.mechanism
        for corner in corners.tolist():
            duration, before, _ = self._blend(corner, f)
            start, step = self._starts[corner - 1], self._d[corner - 1]
            t = duration * np.linspace(0.0, 1.0, _CHORDS + 1)[:, None]
            speed, change = f[corner] * self._top[corner - 1] * step, f[corner] * self._change[corner - 1]
            bend = change / duration if duration > 0.0 else np.zeros_like(change)
            q = start + (1.0 - before) * step + t * (speed + 0.5 * t * bend)
            begins.append(q[:-1])
            ends.append(q[1:])
            off = np.abs(bend) * (duration / _CHORDS) ** 2 / 8.0
            beside.append(np.repeat(_as_velocity(mechanism, off)[None], _CHORDS, axis=0))
        free = self._world.free(np.concatenate(begins), np.concatenate(ends), _NEAR, np.concatenate(beside))
        return np.asarray(free.reshape(len(corners), _CHORDS).all(axis=1))

    def motion(self, f: Floats) -> Motion:
        """The motion with these shares of the largest speeds at the corners."""
        pieces: list[_Piece] = []
        count = len(self._d)
        for line in range(count):
            start, step, top = self._starts[line], self._d[line], float(self._top[line])
            share = self._blend(line, f)[2] if line > 0 else 0.0
            end = self._blend(line + 1, f)[1] if line + 1 < count else 0.0
            phases = trapezoid(
                1.0 - share - end, float(f[line]) * top, float(f[line + 1]) * top, self._rates[line]
            )
            pieces += _pieces(start, step, share, float(f[line]) * top, phases)
            if line + 1 == count:
                break
            duration, before, _ = self._blend(line + 1, f)
            if duration > 0.0:
                bend = f[line + 1] * self._change[line] / duration
                speed = f[line + 1] * top * step
                q = start + (1.0 - before) * step
                pieces.append((duration, np.stack([q, speed, bend, np.zeros_like(q)])))
        return _motion(self._world.mechanism, pieces)


def _as_velocity(mechanism: Mechanism, entries: Floats) -> Floats:
    """Values of the entries of q (nq,) as those of v (nv,)."""
    places = scalar_entries(mechanism.tree)
    return np.asarray(np.where(places >= 0, entries[places], 0.0))


def _rates(bounds: _Bounds, step: Floats) -> Rates:
    """The limits of the share of a line."""

    def least(limits: tuple[Floats, Floats]) -> float:
        up, down = limits
        moved = np.flatnonzero(step)
        return float((np.where(step > 0.0, up, down)[moved] / np.abs(step[moved])).min())

    return Rates(
        speed=least(bounds.velocity),
        acceleration=least(bounds.acceleration),
        # what slows down a growing value is an acceleration of the other direction
        deceleration=least((bounds.deceleration[1], bounds.deceleration[0])),
        jerk=min(least(bounds.jerk), least((bounds.jerk[1], bounds.jerk[0]))),
    )


def _bounds(
    mechanism: Mechanism, velocity: Limit, acceleration: Limit, jerk: Limit, moved: Flags
) -> _Bounds:
    """The limits of all entries of q; ValueError if one that moves has none."""
    names = {
        joint.name: np.arange(at, at + KINDS[joint.kind].nq)
        for joint, at in zip(mechanism.robot.joints, mechanism.idx_q.tolist(), strict=True)
        if KINDS[joint.kind].nq and not KINDS[joint.kind].has_quaternion
    }
    followers = {int(each.index) for each in mechanism.couplings}
    given = {"velocity": velocity, "acceleration": acceleration, "deceleration": acceleration, "jerk": jerk}
    found: dict[str, tuple[Floats, Floats]] = {}
    for what, limit in given.items():
        up, down = np.full(mechanism.nq, math.inf), np.full(mechanism.nq, math.inf)
        for joint in mechanism.robot.joints:
            if joint.name in names:
                low, high = getattr(joint.limits, what)
                up[names[joint.name]], down[names[joint.name]] = max(0.0, high), max(0.0, -low)
        for name, value in _limited(limit, what, names).items():
            up[names[name]], down[names[name]] = (np.minimum(x[names[name]], value) for x in (up, down))
        for name, at in ((name, at) for name, entries in names.items() for at in entries.tolist()):
            if not moved[at]:
                continue
            least = min(up[at], down[at])
            if not least > 0.0:
                raise ValueError(
                    f"joint {name!r} has a limit of {what} of {least:g} and cannot move; "
                    "if the file means that none is stated, remove it from the robot"
                )
            if math.isinf(least) and what != "jerk" and at not in followers:
                word = "acceleration" if what == "deceleration" else what
                raise MissingLimitError(name, word)
        found[what] = up, down
    return _Bounds(**found)


def _limited(limit: Limit, what: str, names: Mapping[str, Indices]) -> Mapping[str, float]:
    """The given limits by joint."""
    if limit is None:
        return {}
    if not isinstance(limit, Mapping):
        limit = dict.fromkeys(names, float(limit))
    for name, value in limit.items():
        if name not in names:
            raise KeyError(f"unknown joint {name!r}{suggestion(name, names)}")
        if not value > 0.0:
            raise ValueError(f"the limit of {what} of {name!r} is {value}; expected a number above 0")
    return {name: float(value) for name, value in limit.items()}
