"""The motion: positions of joints in rows, with times and rates or as a path without a time law."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from unibody.mechanism import Mechanism, assemble
from unibody.model.arrays import Flags, Floats, Indices
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Robot
from unibody.motions.columns import Column, columns_of, doubled, root_link
from unibody.text.finding import Finding

#: The coordinates in which a path was given: q, or MPK's normalized ones.
Space = Literal["joints", "normalized"]

#: Numbers of q that are a quaternion, by how many numbers a joint (or a free base) has.
_QUATERNIONS = {each.nq: slice(each.scalars, each.nq) for each in KINDS.values() if each.has_quaternion}


class MotionError(ValueError):
    """Raised for a motion that is invalid or cannot be read or written; ``findings`` have the places."""

    def __init__(self, message: str, findings: Sequence[Finding] = ()) -> None:
        super().__init__(message)
        self.findings = list(findings)


class MotionState(NamedTuple):
    """q (..., m), and the velocity, acceleration and jerk (..., k), of the columns of a motion."""

    q: Floats
    velocity: Floats
    acceleration: Floats
    jerk: Floats


@dataclass(frozen=True, slots=True, eq=False, init=False)
class Motion:
    """Configurations over time; without ``times`` a path.

    ``columns`` are what the columns of ``q`` (n, m) are: a joint, or the root link for the base, and the
    index of one of its positions (rad, m, quaternions w, x, y, z); a name alone is (name, 0). ``times``
    (n,) in s ascend; equal times are a jump. ``velocities``, ``accelerations``, ``jerks`` and ``efforts``
    (n, k), each optional, are of the columns ``rates``, by default those of q. A track has the speed of its
    surface (m/s) in every quantity. ``controls`` are those (n,) of actuators of an MJCF file by name, in
    the units of the file.

    Between rows, q goes straight, or along cubics if there are jerks. The rows of a path that was given in
    the ``space`` "normalized" count on beyond a whole turn where a cyclic coordinate goes the short way.

    MotionError if sizes differ, times decrease, or a number is not finite.

    >>> bend = Motion(columns=["knee"], q=[[0.0], [1.0]], times=[0.0, 2.0])
    >>> bend.joints, bend.duration, bend.at(0.5).q
    (('knee',), 2.0, array([0.25]))
    """

    columns: tuple[Column, ...]
    q: Floats
    times: Floats | None
    rates: tuple[Column, ...]
    velocities: Floats | None
    accelerations: Floats | None
    jerks: Floats | None
    efforts: Floats | None
    controls: Mapping[str, Floats]
    space: Space
    name: str
    _derivative: Indices = field(init=False, repr=False)

    def __init__(
        self,
        *,
        columns: Sequence[Column | str],
        q: ArrayLike,
        times: ArrayLike | None = None,
        rates: Sequence[Column | str] = (),
        velocities: ArrayLike | None = None,
        accelerations: ArrayLike | None = None,
        jerks: ArrayLike | None = None,
        efforts: ArrayLike | None = None,
        controls: Mapping[str, ArrayLike] | None = None,
        space: Space = "joints",
        name: str = "motion",
    ) -> None:
        named, moving = (
            tuple((each, 0) if isinstance(each, str) else (str(each[0]), int(each[1])) for each in given)
            for given in (columns, rates)
        )
        moving = moving or named
        positions = _table(q, "q", named, None)
        if not len(positions):
            raise MotionError("the motion has no rows")
        tables = {
            "velocities": velocities, "accelerations": accelerations, "jerks": jerks, "efforts": efforts
        }  # fmt: skip
        found: dict[str, Any] = {
            what: None if values is None else _table(values, what, moving, len(positions))
            for what, values in tables.items()
        }
        found["controls"] = {
            actuator: _table([values], "controls", [(actuator, 0)] * len(positions), 1)[0]
            for actuator, values in (controls or {}).items()
        }
        if jerks is not None and (velocities is None or accelerations is None):
            raise MotionError("jerks need velocities and accelerations")
        for given in (named, moving):
            twice = doubled(given)
            if twice is not None:
                raise MotionError(f"joint {twice[0]!r} has two columns")
        found |= {"columns": named, "q": positions, "rates": moving, "space": space, "name": name}
        found["times"] = None if times is None else _ascending(times, len(positions))
        found["_derivative"] = _derivatives(named, moving)
        for what, value in found.items():
            object.__setattr__(self, what, value)

    def __repr__(self) -> str:
        time = "no times" if self.times is None else f"{self.duration:.3f} s"
        return f"Motion({self.name!r}, {len(self)} rows of {len(self.joints)} joints, {time})"

    def __len__(self) -> int:
        return len(self.q)

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints with a column, each once; the root link for the base."""
        return tuple(dict.fromkeys(name for name, _ in (*self.columns, *self.rates)))

    @property
    def duration(self) -> float:
        """Time from the first to the last row, in s; 0 for a path without times."""
        return float(self.times[-1]) - float(self.times[0]) if self.times is not None else 0.0

    @property
    def stops(self) -> tuple[float, ...]:
        """Times of rows between the ends at which all velocities are zero."""
        if self.times is None or self.velocities is None:
            return ()
        still = (self.times > self.times[0]) & (self.times < self.times[-1]) & ~self.velocities.any(axis=1)
        return tuple(np.unique(self.times[still]).tolist())

    def at(self, times: ArrayLike) -> MotionState:
        """The state at times (...,) in s; before the begin and after the end it stands still.

        MotionError for a path without times.
        """
        rows = self._timed()
        given = np.asarray(times, np.float64)
        clipped = np.clip(given, rows[0], rows[-1])
        row = np.clip(np.searchsorted(rows, clipped, side="right") - 1, 0, len(rows) - 1)
        moving = ((given >= rows[0]) & (given <= rows[-1]))[..., None]
        t = (clipped - rows[row])[..., None]
        v, a, j = (
            np.zeros((*given.shape, len(self.rates))) if each is None else each[row]
            for each in (self.velocities, self.accelerations, self.jerks)
        )
        if self.jerks is None:
            return MotionState(
                self._straight(row, clipped), *(np.where(moving, rate, 0.0) for rate in (v, a, j))
            )
        own = [rate[..., self._derivative] * (self._derivative >= 0) for rate in (v, a, j)]
        q = self.q[row] + t * (own[0] + t * (0.5 * own[1] + t * own[2] / 6.0))
        rates = (v + t * (a + 0.5 * t * j), a + t * j, j)
        return MotionState(q, *(np.where(moving, rate, 0.0) for rate in rates))

    def _straight(self, row: Indices, times: Floats) -> Floats:
        """q on the lines between rows; quaternions are normalized."""
        rows = self._timed()
        after = np.minimum(row + 1, len(rows) - 1)
        span = rows[after] - rows[row]
        share = np.where(span > 0.0, (times - rows[row]) / np.where(span > 0.0, span, 1.0), 0.0)[..., None]
        begin, end = self.q[row], self.q[after]
        out = np.asarray(begin + share * (end - begin))
        for places in quaternions(self.columns):
            a, b = begin[..., places], end[..., places]
            same = np.where((a * b).sum(axis=-1, keepdims=True) < 0.0, -1.0, 1.0)
            mixed = (1.0 - share) * a + share * same * b
            length = np.linalg.norm(mixed, axis=-1, keepdims=True)
            moved = (share > 0.0) & (length > 0.0)
            out[..., places] = np.where(moved, mixed / np.where(moved, length, 1.0), a)
        return out

    def sampled(self, step: float = 0.01) -> Motion:
        """The motion with more rows, ``step`` (s) apart at most, without jerks, efforts and controls.

        Both rows of a jump of positions or velocities stay. A controller that interpolates between these
        rows in its own way leaves what was proved of the motion. ValueError for a step that is not above 0,
        MotionError for a path without times.
        """
        if not step > 0.0:
            raise ValueError(f"step must be above 0 s, got {step}")
        rows = self._timed()
        parts = [rows[-1:]]
        for begin, end in zip(rows[:-1].tolist(), rows[1:].tolist(), strict=True):
            count = max(1, int(np.ceil((end - begin) / step)))
            parts.append(begin + (end - begin) * np.arange(count) / count)
        times = np.unique(np.concatenate(parts))
        state = self.at(times)
        given = [self.q] if self.velocities is None else [self.q, self.velocities]
        differs = np.any([(x[1:] != x[:-1]).any(axis=1) for x in given], axis=0)
        jumps = np.flatnonzero((rows[1:] == rows[:-1]) & differs)
        places = np.searchsorted(times, rows[jumps])

        def with_jumps(sampled: Floats, own: Floats) -> Floats:
            return np.insert(sampled, places, own[jumps], axis=0)

        return replace(
            self,
            times=with_jumps(times, rows),
            q=with_jumps(state.q, self.q),
            velocities=None if self.velocities is None else with_jumps(state.velocity, self.velocities),
            accelerations=(
                None if self.accelerations is None else with_jumps(state.acceleration, self.accelerations)
            ),
            jerks=None,
            efforts=None,
            controls={},
        )

    def without_jerks(self) -> Motion:
        """The motion for readers that interpolate between its rows: sampled every 0.01 s if it has jerks.

        >>> turn = Motion(columns=["Turn"], q=[[0.0], [0.5]], times=[0.0, 1.0])
        >>> turn.without_jerks() is turn
        True
        """
        return self if self.jerks is None else self.sampled()

    def spaced(self, interval: float) -> Motion:
        """The motion with rows ``interval`` (s) apart from time 0, and without rates."""
        if not interval > 0.0:
            raise ValueError(f"interval must be above 0 s, got {interval}")
        times = np.arange(len(self), dtype=np.float64) * interval
        return replace(self.path(), times=times, controls=self.controls)

    def path(self) -> Motion:
        """The rows of q alone, without times, rates and controls."""
        return replace(
            self, times=None, velocities=None, accelerations=None, jerks=None, efforts=None, controls={}
        )

    def configurations(self, robot: Robot | Mechanism) -> Floats:
        """Configurations (n, nq) of a robot; positions without a column are the initial ones.

        Couplings hold. MotionError if the robot lacks a joint, if its base is fixed and the motion moves
        it, or if the motion has no positions.
        """
        mechanism = robot if isinstance(robot, Mechanism) else assemble(robot)
        q = np.tile(np.asarray(mechanism.initial, np.float64), (len(self), 1))
        tracks = {joint.name for joint in mechanism.robot.joints if joint.kind == "track"}
        moved = [i for i, (name, _) in enumerate(self.columns) if name not in tracks]
        if not moved:
            raise MotionError(f"{self.name} has no positions")
        places = {column: at for at, column in enumerate(columns_of(mechanism))}
        unknown = next((self.columns[i] for i in moved if self.columns[i] not in places), None)
        if unknown is not None:
            raise MotionError(f"{self.name} moves {_refused(unknown, mechanism)}")
        q[:, [places[self.columns[i]] for i in moved]] = self.q[:, moved]
        given = {name for name, _ in self.columns}
        if given.issuperset(coupling.joint for coupling in mechanism.robot.couplings):
            return q
        return np.asarray(mechanism.apply_couplings(q), np.float64)

    def _timed(self) -> Floats:
        if self.times is None:
            raise MotionError(f"{self.name} has no times; give its rows times with spaced()")
        return self.times


def motion_of(mechanism: Mechanism, q: ArrayLike, times: ArrayLike | None = None, **more: Any) -> Motion:
    """The motion of configurations (n, nq); rates are (n, nv). MotionError for another shape."""
    values = np.atleast_2d(np.asarray(q, np.float64))
    if values.ndim != 2 or values.shape[1] != mechanism.nq:
        raise MotionError(f"positions have shape {values.shape}; expected (k, {mechanism.nq})")
    rates = columns_of(mechanism, "velocity")
    return Motion(columns=columns_of(mechanism), q=values, times=times, rates=rates, **more)


def quaternions(columns: Sequence[Column]) -> list[list[int]]:
    """The places of the columns that are a quaternion together."""
    found: dict[str, list[int]] = {}
    for place in sorted(range(len(columns)), key=lambda i: columns[i][1]):
        found.setdefault(columns[place][0], []).append(place)
    return [places[_QUATERNIONS[len(places)]] for places in found.values() if len(places) in _QUATERNIONS]


def _refused(column: Column, mechanism: Mechanism) -> str:
    name, part = column
    if name == root_link(mechanism) and mechanism.base != "free":
        return f"the base, which is not free: read the model with the base 'free' ({name} is its root link)"
    if name in mechanism.joint_names:
        return f"position {part} of joint {name!r}, which it does not have"
    return f"joint {name!r}, which the robot does not have"


def _table(values: Any, what: str, columns: Sequence[Column], rows: int | None) -> Floats:
    """Numbers as an array (n, columns); MotionError for another shape, or for one that is not finite."""
    out = np.asarray(values, np.float64)
    wanted = (len(out) if rows is None and out.ndim else rows, len(columns))
    if out.shape != wanted:
        shape = f"({'n' if rows is None else rows}, {len(columns)})"
        raise MotionError(f"{what} must have the shape {shape}, one number a column, got {out.shape}")
    finite: Flags = np.isfinite(out)
    if not finite.all():
        row, column = np.argwhere(~finite)[0].tolist()
        name, _ = columns[column]
        raise MotionError(f"{what} must be finite, got {out[row, column]} for {name!r} in row {row + 1}")
    return out


def _ascending(times: Any, rows: int) -> Floats:
    out = np.asarray(times, np.float64)
    if out.shape != (rows,):
        raise MotionError(f"times must have the shape ({rows},), one a row, got {out.shape}")
    if not np.isfinite(out).all():
        raise MotionError("times must be finite")
    back = np.flatnonzero(out[1:] < out[:-1])
    if len(back):
        row = int(back[0]) + 1
        raise MotionError(
            f"times must ascend, got {out[row]:g} s after {out[row - 1]:g} s in row {row + 1}"
        )
    return out


def _derivatives(columns: Sequence[Column], rates: Sequence[Column]) -> Indices:
    """The place in ``rates`` of the rate of each column, -1 where positions and rates differ in number."""

    counts, moving = (Counter(name for name, _ in given) for given in (columns, rates))
    places = {column: at for at, column in enumerate(rates)}
    return np.array(
        [places.get(each, -1) if counts[each[0]] == moving[each[0]] else -1 for each in columns], np.intp
    )
