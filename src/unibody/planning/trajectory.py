"""Trajectories: configurations over time, as cubic pieces."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from os import PathLike, fspath
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from unibody.collision.world import World
from unibody.mechanism.arrays import Floats, Indices
from unibody.mechanism.tree import scalar_entries
from unibody.planning.path_file import column_names, packed_table, put, trajectory_yaml

#: Suffixes of the files that a trajectory is written to.
TRAJECTORY_SUFFIXES = (".csv", ".yaml", ".yml")


class State(NamedTuple):
    """q (..., nq), and the velocity, acceleration and jerk (..., nv) of v."""

    q: Floats
    velocity: Floats
    acceleration: Floats
    jerk: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Trajectory:
    """Configurations over time, from rest to rest: cubic pieces that begin at ``times`` (m,) in s.

    ``pieces`` (m, 4, nq) are q at the begin of each piece and its first three derivatives. ``stops`` are
    the times at which it stands still between its ends, at corners that could not be blended.
    """

    world: World
    times: Floats
    pieces: Floats
    duration: float
    stops: tuple[float, ...] = ()
    _entries: Indices = field(repr=False)

    def __repr__(self) -> str:
        return f"Trajectory({self.duration:.3f} s, {len(self.times)} pieces)"

    def at(self, times: ArrayLike) -> State:
        """The state at times (...,) in s; before the begin and after the end it stands still."""
        given = np.asarray(times, np.float64)
        clipped = np.clip(given, 0.0, self.duration)
        piece = np.clip(np.searchsorted(self.times, clipped, side="right") - 1, 0, len(self.times) - 1)
        t = (clipped - self.times[piece])[..., None]
        q, v, a, j = np.moveaxis(self.pieces[piece], -2, 0)
        moving = ((given >= 0.0) & (given <= self.duration))[..., None]
        rates = (v + t * (a + 0.5 * t * j), a + t * j, j)
        velocity, acceleration, jerk = (
            np.where(moving, rate, 0.0)[..., self._entries] * (self._entries >= 0) for rate in rates
        )
        return State(q + t * (v + t * (0.5 * a + t * j / 6.0)), velocity, acceleration, jerk)

    def samples(self, step: float = 0.01) -> tuple[Floats, State]:
        """Times ``step`` (s) apart at most, with those at which pieces begin, and the states there."""
        if not step > 0.0:
            raise ValueError(f"step is {step}; expected a time above 0 s")
        ends = np.append(self.times, self.duration)
        rows: list[Floats] = []
        for begin, end in zip(ends[:-1].tolist(), ends[1:].tolist(), strict=True):
            count = max(1, int(np.ceil((end - begin) / step)))
            rows.append(begin + (end - begin) * np.arange(count) / count)
        times = np.unique(np.concatenate([*rows, [self.duration]]))
        return times, self.at(times)

    def save(self, path: str | PathLike[str], overwrite: bool = False, step: float = 0.01) -> None:
        """Write samples: a ``.csv`` with times, or a JointTrajectory of ROS as ``.yaml``.

        ValueError for another suffix, FileExistsError if the file exists and ``overwrite`` is not set. A
        controller interpolates between the samples in its own way, of which nothing is proved.
        """
        suffix = os.path.splitext(fspath(path))[1].lower()
        if suffix not in TRAJECTORY_SUFFIXES:
            raise ValueError(f"{fspath(path)}: a trajectory is written as {', '.join(TRAJECTORY_SUFFIXES)}")
        put(self.packed(suffix, step), path, overwrite)

    def packed(self, suffix: str, step: float = 0.01) -> bytes:
        """Samples as the bytes of a file with one of TRAJECTORY_SUFFIXES."""
        times, state = self.samples(step)
        mechanism = self.world.mechanism
        if suffix != ".csv":
            return trajectory_yaml(mechanism, times, state.q, state.velocity, state.acceleration)
        names = ["time", *column_names(mechanism)]
        return packed_table(names, np.column_stack([times, state.q]))


def trajectory(
    world: World, pieces: Sequence[tuple[float, Floats]], stops: Sequence[float] = ()
) -> Trajectory:
    """A trajectory of pieces: the duration of each (s), and q with its three derivatives (4, nq)."""
    ends = np.cumsum([duration for duration, _ in pieces])
    return Trajectory(
        world=world,
        times=np.concatenate([[0.0], ends[:-1]]),
        pieces=np.array([piece for _, piece in pieces]),
        duration=float(ends[-1]),
        stops=tuple(stops),
        _entries=scalar_entries(world.mechanism.tree),
    )
