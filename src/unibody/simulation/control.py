"""Commands of joints over time, and programs that command a simulation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from unibody.mechanism import Mechanism
from unibody.mechanism.columns import Column
from unibody.model.joint_kind import KINDS

Floats = NDArray[np.float64]

#: What the numbers of a control are: positions (rad, m), velocities (rad/s, m/s) or efforts (N·m, N).
Mode = Literal["position", "velocity", "effort"]

#: A function that is called with the simulation before each step.
Program = Callable[[Any], None]

# Velocities of joints with several positions; a free base counts as a free joint.
# Numbers of joints beyond this are ignored.
_MOST = 10_000
# Rows that are no farther apart than this time in s are a jump.
_JUMP = 1e-12


@dataclass(frozen=True, kw_only=True, eq=False)
class Control:
    """Commands over time: ``values`` (k, m) of the ``columns`` at ``times`` (k,) in s, ascending.

    ``mode`` says what they are; a track is commanded by the speed of its surface in m/s in every mode.
    ``base`` (k, 7) are the poses of the root link in the world (xyz, then quaternion w, x, y, z) of a file
    that has them: where the motion begins, not a command.

    >>> control = Control(name="bend", mode="position", times=[0.0, 2.0], columns=[("knee", 0)],
    ...                   values=[[0.0], [1.0]])
    >>> control.at(0.5), control.at(9.0)
    (array([0.15625]), array([1.]))
    """

    name: str
    mode: Mode
    times: Floats
    columns: Sequence[Column]
    values: Floats
    base: Floats | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "times", np.asarray(self.times, np.float64))
        object.__setattr__(self, "values", np.asarray(self.values, np.float64))
        object.__setattr__(self, "columns", tuple(self.columns))

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

    def rate(self, time: float) -> Floats:
        """The rates (m,) of positions at a time in s, zero before the first and after the last row.

        >>> Control(name="bend", mode="position", times=[0.0, 2.0], columns=[("knee", 0)],
        ...         values=[[0.0], [1.0]]).rate(1.0)
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
        """The joints that it commands, each once."""
        return tuple(dict.fromkeys(name for name, _ in self.columns))

    def start(self, mechanism: Mechanism) -> Floats:
        """The configuration (nq,) at the first row; other joints are at their initial positions."""
        q = np.array(mechanism.initial, np.float64)
        if self.base is not None and mechanism.base == "free":
            q[:7] = self.base[0]
        if self.mode == "position":
            places = {
                j.name: place for j, place in zip(mechanism.robot.joints, mechanism.idx_q, strict=True)
            }
            kinds = {joint.name: joint.kind for joint in mechanism.robot.joints}
            for (name, part), value in zip(self.columns, self.values[0], strict=True):
                if kinds[name] != "track":
                    q[places[name] + part] = value
        return np.asarray(mechanism.apply_couplings(q), np.float64)


def sizes(mechanism: Mechanism, mode: Mode) -> dict[str, int]:
    """How many numbers each joint takes in a mode.

    >>> import unibody as ub
    >>> sizes(ub.assemble(ub.load("src/unibody/models/biped.body")), "effort")["RLEG_KNEE"]
    1
    """
    out: dict[str, int] = {}
    for joint in mechanism.robot.joints:
        record = KINDS[joint.kind]
        size = record.nq if mode == "position" else record.nv
        out[joint.name] = 1 if joint.kind == "track" else size
    return out


def numbered(mechanism: Mechanism) -> list[str | None]:
    """The joints in the order of their numbers (joint ids), None where a number is missing.

    Without numbers: the joints that have one position, in their order.
    """
    given = [(joint.number, joint.name) for joint in mechanism.robot.joints]
    joints = {number: name for number, name in given if number is not None and 0 <= number < _MOST}
    if not joints:
        single = [j.name for j in mechanism.robot.joints if KINDS[j.kind].nq == 1 or j.kind == "track"]
        return list(single)
    return [joints.get(number) for number in range(max(joints) + 1)]
