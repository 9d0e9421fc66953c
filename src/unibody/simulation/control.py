"""Commands of joints over time, and programs that command a simulation."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np

from unibody.mechanism import Mechanism
from unibody.model.arrays import Floats
from unibody.motions.columns import Column, root_link, sizes
from unibody.motions.motion import Motion, MotionError

#: What the numbers of a control are: positions (rad, m), velocities (rad/s, m/s) or efforts (N·m, N).
Mode = Literal["position", "velocity", "effort"]

#: A function that is called with the simulation before each step.
Program = Callable[[Any], None]

# Rows that are no farther apart than this time in s are a jump.
_JUMP = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class Control:
    """Commands over time: the numbers of a motion that are of a ``mode``.

    A track is commanded by the speed of its surface in m/s in every mode; controls of actuators of the file
    are set in every mode, too. What ``free`` names, the base by
    its root link and joints without a drive, is not commanded: its first positions are where it begins.
    ``besides`` commands other joints of the motion, in another mode.
    MotionError if the motion has no times, or no such numbers.

    >>> bend = Motion(times=[0.0, 2.0], columns=["knee"], q=[[0.0], [1.0]])
    >>> control = Control(motion=bend)
    >>> control.at(0.5), control.at(9.0)
    (array([0.15625]), array([1.]))
    """

    motion: Motion
    mode: Mode = "position"
    free: Collection[str] = ()
    besides: Control | None = None

    def __post_init__(self) -> None:
        if self.motion.times is None:
            raise MotionError(f"{self.motion.name} has no times")
        if not self.columns and not self.motion.controls:
            raise MotionError(f"{self.motion.name} has no numbers of the mode {self.mode!r} for a joint")

    @property
    def times(self) -> Floats:
        """The times (k,) of the rows in s."""
        assert self.motion.times is not None
        return self.motion.times

    @property
    def _given(self) -> tuple[Column, ...]:
        return self.motion.columns if self.mode == "position" else self.motion.rates

    @cached_property
    def _places(self) -> list[int]:
        return [place for place, (name, _) in enumerate(self._given) if name not in self.free]

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The joint and the index of the number of each command."""
        if self._all is None:
            return ()
        return tuple(self._given[place] for place in self._places)

    @property
    def _all(self) -> Floats | None:
        motion = self.motion
        return {"position": motion.q, "velocity": motion.velocities, "effort": motion.efforts}[self.mode]

    @cached_property
    def values(self) -> Floats:
        """The commands (k, m) of the columns."""
        assert self._all is not None
        return self._all[:, self._places]

    def at(self, time: float) -> Floats:
        """The commands (m,) at a time in s: interpolated, and held before the first and after the last row.

        Positions are interpolated by cubics that do not overshoot, velocities by straight lines; efforts
        are held until the next row. Two rows at the same time are a jump.
        """
        row = int(np.searchsorted(self.times, time, side="right")) - 1
        if row < 0:
            return np.array(self.values[0])
        if row + 1 >= len(self.times) or self.mode == "effort":
            return np.array(self.values[row])
        begin, change = self.values[row], self.values[row + 1] - self.values[row]
        share = (time - self.times[row]) / (self.times[row + 1] - self.times[row])
        out: Floats = begin + share * change
        if self.mode == "position":
            first, last = self._bends(row)
            out = out + share * (1.0 - share) * ((1.0 - share) * first - share * last)
        return out

    def controls(self, time: float) -> dict[str, float]:
        """The controls of actuators of the file at a time in s, by name: held until the next row."""
        if not self.motion.controls:
            return {}
        row = max(0, int(np.searchsorted(self.times, time, side="right")) - 1)
        return {name: float(values[row]) for name, values in self.motion.controls.items()}

    def rate(self, time: float) -> Floats:
        """The rates (m,) of positions at a time in s, zero before the first and after the last row.

        >>> Control(motion=Motion(times=[0.0, 2.0], columns=["knee"], q=[[0.0], [1.0]])).rate(1.0)
        array([0.75])
        """
        row = int(np.searchsorted(self.times, time, side="right")) - 1
        if row < 0 or row + 1 >= len(self.times):
            return np.zeros(self.values.shape[1])
        change, span = self.values[row + 1] - self.values[row], self.times[row + 1] - self.times[row]
        share = (time - self.times[row]) / span
        first, last = self._bends(row)
        bend = (1.0 - 2.0 * share) * ((1.0 - share) * first - share * last)
        out: Floats = (change + bend - share * (1.0 - share) * (first + last)) / span
        return out

    def _bends(self, row: int) -> tuple[Floats, Floats]:
        """How much more the values would change in a span at the rates of its ends than they do."""
        change, span = self.values[row + 1] - self.values[row], self.times[row + 1] - self.times[row]
        return self.slopes[row] * span - change, self.slopes[row + 1] * span - change

    @cached_property
    def slopes(self) -> Floats:
        """Rates (k, m) of the positions at the rows, zero where they turn back (Fritsch, Carlson 1980)."""
        out = np.zeros_like(self.values)
        if len(self.times) < 3:
            return out
        spans = np.diff(self.times)[:, None]
        is_jump = spans < _JUMP
        rates = np.where(is_jump, 0.0, np.diff(self.values, axis=0) / np.where(is_jump, 1.0, spans))
        before, after = rates[:-1], rates[1:]
        same = before * after > 0.0
        # The weighted harmonic mean of the rates on both sides.
        near, far = spans[:-1] + 2.0 * spans[1:], 2.0 * spans[:-1] + spans[1:]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            mean = (near + far) / (far / before + near / after)
        out[1:-1] = np.where(same, mean, 0.0)
        return out

    @property
    def begin(self) -> float:
        """The first time, in s."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """The last time, in s."""
        return float(self.times[-1])

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that it commands in any mode, each once."""
        others = self.besides.joints if self.besides is not None else ()
        return tuple(dict.fromkeys((*(name for name, _ in self.columns), *others)))

    def start(self, mechanism: Mechanism) -> Floats:
        """The configuration (nq,) at the first row; other joints are at their initial positions."""
        motion = self.motion
        kinds = {joint.name: joint.kind for joint in mechanism.robot.joints}
        kept = [
            place
            for place, (name, _) in enumerate(motion.columns)
            if name in self.free or (self.mode == "position" and kinds[name] != "track")
        ]
        if not kept:
            return np.asarray(mechanism.apply_couplings(mechanism.initial), np.float64)
        first = replace(
            motion.path(), columns=tuple(motion.columns[i] for i in kept), q=motion.q[:1, kept], rates=()
        )
        return np.array(first.configurations(mechanism)[0])


def control_of(motion: Motion, mechanism: Mechanism, mode: Mode | None = None) -> Control:
    """The control of a motion: by default of its positions, else of its velocities or efforts.

    By default, a joint without positions is commanded by its velocities or efforts, too, as the wheels of a
    vehicle beside its steering. MotionError if the motion has no times, no such numbers, or a joint that
    the robot does not have.
    """
    if mode is None:
        given: dict[Mode, bool] = {
            "position": bool(motion.columns),
            "velocity": motion.velocities is not None,
            "effort": motion.efforts is not None,
        }
        chosen: Mode = next((each for each, there in given.items() if there), "position")
    else:
        chosen = mode
    root = root_link(mechanism)
    known, rates = sizes(mechanism, "position"), sizes(mechanism, "velocity")
    # ball and free joints, whose positions and velocities differ in number, have no drive
    undriven = [name for name, size in known.items() if size != rates[name]]
    base = [root] if mechanism.base == "free" and root not in known else []
    if chosen != "effort":
        motion = motion.without_jerks()
    free = (*base, *undriven)
    besides = None
    if mode is None and chosen == "position":
        besides = _besides(motion, (*free, *(name for name, _ in motion.columns)))
    control = Control(motion=motion, mode=chosen, free=free, besides=besides)
    unknown = next((name for name in control.joints if name not in known), None)
    if unknown is not None and unknown == root:
        raise MotionError(f"{motion.name} moves the base, and the base of the robot is not free")
    if unknown is not None:
        raise MotionError(f"{motion.name} moves joint {unknown!r}, which the robot does not have")
    return control


def _besides(motion: Motion, free: Collection[str]) -> Control | None:
    """The control of the joints for which a motion has rates alone; None if there are none."""
    if all(name in free for name, _ in motion.rates):
        return None
    if motion.velocities is not None:
        return Control(motion=motion, mode="velocity", free=free)
    return Control(motion=motion, mode="effort", free=free) if motion.efforts is not None else None
