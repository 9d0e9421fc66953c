"""All configurations of a robot within its limits, as a box of independent coordinates.

The coordinates are those of MPK, where the robot has them, and each other joint's own; frozen and passive
ones move, too. Coupled joints go where their leaders put them, whatever their own limits. A ball joint has
the three numbers of a rotation vector, in a cube that contains all rotations: two rotations are no farther
apart than their vectors, so the bounds of motions hold. Closed loops restrict the configurations further,
so that what holds in the whole box holds for those, too.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unibody.collision.bounds import Hinge
from unibody.mechanism.mechanism import Mechanism
from unibody.mechanism.tree import periodic_entries
from unibody.model.arrays import Flags, Floats, Indices
from unibody.model.joint_kind import KINDS

#: Couplings of turning joints repeat after this many turns of their leader, at most.
_MOST_TURNS = 12
#: How far what has no limits is searched: meters, and turns to each side.
_FAR, _TURNS = 1.0, 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Domain:
    """A box ``low`` to ``high`` (k,) of coordinates u, and q = ``start`` + ``lines`` @ u, rotations apart.

    ``whole`` (k,) is False for the coordinates that go on beyond the box. ``balls`` are the places of
    quaternions in q and of their rotation vectors in u.
    """

    mechanism: Mechanism
    low: Floats
    high: Floats
    whole: Flags
    start: Floats
    lines: Floats
    balls: tuple[tuple[int, int], ...]

    def positions(self, u: Floats) -> Floats:
        """Configurations (n, nq) of coordinates (n, k)."""
        return _turned(self.start + u @ self.lines.T, u, self.balls)

    def only(self, coordinates: Indices) -> Slice:
        """The configurations in which only some coordinates move, and all else is initial."""
        lines = self.lines[:, coordinates]
        moved = np.asarray(lines.any(axis=1))
        inner = {int(number): at for at, number in enumerate(coordinates)}
        balls = [(place, inner[at]) for place, at in self.balls if at in inner]
        for place, _ in balls:
            moved[place : place + 4] = True
        initial = np.asarray(self.mechanism.apply_couplings(self.mechanism.initial))
        entries = np.flatnonzero(moved)
        return Slice(np.where(moved, self.start, initial), entries, lines[entries], tuple(balls))

    def range(self) -> tuple[Floats, Floats]:
        """Lowest and highest q (nq,) in the box, of all that is no quaternion."""
        one, other = self.lines * self.low, self.lines * self.high
        return (
            self.start + np.minimum(one, other).sum(axis=1),
            self.start + np.maximum(one, other).sum(axis=1),
        )

    def rates(self, hinges: list[Hinge], columns: int) -> Floats:
        """How much each motion (columns, k) changes, at most, per unit of each coordinate."""
        out = np.zeros((columns, len(self.low)))
        size = np.abs(self.lines)
        turning = dict(self.balls)
        for hinge in hinges:
            if hinge.slide >= 0:
                out[hinge.slide] += hinge.rate * size[hinge.at_q].sum(axis=0)
            if hinge.turn >= 0 and hinge.axis is not None:
                out[hinge.turn] += size[hinge.turn_q]
            elif hinge.turn >= 0 and hinge.turn_q in turning:
                at = turning[hinge.turn_q]
                out[hinge.turn, at : at + 3] = 1.0
        return out


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """Some coordinates: q is ``start``, but ``lines`` @ u more in its ``entries``, rotations apart."""

    start: Floats
    entries: Indices
    lines: Floats
    balls: tuple[tuple[int, int], ...]

    def positions(self, u: Floats) -> Floats:
        """Configurations (n, nq) of coordinates (n, k)."""
        q = np.tile(self.start, (len(u), 1))
        q[:, self.entries] += u @ self.lines.T
        return _turned(q, u, self.balls)


def _turned(q: Floats, u: Floats, balls: Sequence[tuple[int, int]]) -> Floats:
    for place, at in balls:
        q[:, place : place + 4] = _quaternions(u[:, at : at + 3])
    return q


def domain_of(mechanism: Mechanism) -> Domain:
    """The configurations of a mechanism within its limits; a free base stays where it is."""
    tree = mechanism.tree
    columns: list[Floats] = []
    ranges: list[tuple[float, float, bool]] = []
    balls: list[tuple[int, int]] = []
    start = tree.initial.copy()
    periodic = periodic_entries(tree)
    single = {int(at) for kind, at in zip(tree.kinds, tree.idx_q, strict=True) if KINDS[kind].nq == 1}
    followers = {coupling.index for coupling in tree.couplings}
    driven = dict[int, Floats]()
    given = sorted(mechanism.robot.coordinates, key=lambda c: c.index)
    drives = [
        (number, int(mechanism.idx_q[mechanism.joint_names.index(drive.joint)]), drive)
        for number, coordinate in enumerate(given)
        for drive in coordinate.drives
        if drive.joint in mechanism.joint_names
    ]
    last = {entry: (number, drive) for number, entry, drive in drives if entry in single}
    for number in range(len(given)):
        column = np.zeros(tree.nq)
        for entry, (other, drive) in last.items():
            if other == number and entry not in followers:
                start[entry] = drive.at_zero
                column[entry] = drive.at_one - drive.at_zero
                driven[entry] = column
        if column.any():
            columns.append(column)
            ranges.append((0.0, 1.0, True))
    for kind, place in zip(tree.kinds, tree.idx_q.tolist(), strict=True):
        for entry in range(place, place + KINDS[kind].scalars):
            if entry in followers or entry in driven:
                continue
            column = np.zeros(tree.nq)
            start[entry], column[entry] = 0.0, 1.0
            columns.append(column)
            turns = KINDS[kind].q_units[entry - place] == "rad"
            ranges.append(_range(mechanism, entry, turns, periodic))
        if KINDS[kind].has_quaternion:
            balls.append((place + KINDS[kind].scalars, len(columns)))
            columns += [np.zeros(tree.nq)] * 3
            ranges += [(-math.pi, math.pi, True)] * 3
    lines = np.array(columns).reshape(len(columns), tree.nq).T.copy()
    for coupling in tree.couplings:
        lead = coupling.leader
        start[coupling.index] = coupling.offset + (0.0 if lead is None else coupling.ratio * start[lead])
        lines[coupling.index] = 0.0 if lead is None else coupling.ratio * lines[lead]
    return Domain(
        mechanism,
        np.array([low for low, _, _ in ranges]),
        np.array([high for _, high, _ in ranges]),
        np.array([whole for _, _, whole in ranges], bool),
        start,
        lines,
        tuple(balls),
    )


def _range(mechanism: Mechanism, entry: int, turns: bool, periodic: Flags) -> tuple[float, float, bool]:
    """Lowest and highest position of a joint that moves by itself, and whether it has no others.

    A turning joint repeats after a full turn, or after as many as the joints that follow it need.
    """
    tree = mechanism.tree
    low, high, initial = (float(x[entry]) for x in (tree.lower, tree.upper, tree.initial))
    if not low <= high:
        # reversed: what loaders make of it differs
        low, high = (-math.inf, math.inf) if turns else (min(low, high), max(low, high))
    if turns:
        count = _turns(mechanism, entry, periodic)
        period = 2.0 * math.pi * (count or 2.0 * _TURNS)
        if high - low <= period or (count is None and high - low < math.inf):
            return low, high, True
        if math.isfinite(low):
            return low, low + period, count is not None
        if math.isfinite(high):
            return high - period, high, count is not None
        return -0.5 * period, 0.5 * period, count is not None
    if math.isfinite(low) and math.isfinite(high):
        return low, high, True
    if math.isnan(low) or math.isnan(high):
        low, high = -math.inf, math.inf
    return max(low, min(initial, high) - _FAR), min(high, max(initial, low) + _FAR), False


def _turns(mechanism: Mechanism, entry: int, periodic: Flags) -> int | None:
    """After how many turns of a joint all that follow it are where they were; None if never."""
    if not periodic[entry]:
        return None
    rates = {entry: 1.0}
    count = 1
    for coupling in mechanism.tree.couplings:
        if coupling.leader not in rates or coupling.ratio == 0.0:
            continue
        rate = rates[coupling.leader] * coupling.ratio
        rates[coupling.index] = rate
        from fractions import Fraction

        part = Fraction(rate).limit_denominator(_MOST_TURNS)
        if not periodic[coupling.index] or float(part) != rate:
            return None
        count = math.lcm(count, part.denominator)
    return count if count <= _MOST_TURNS else None


def _quaternions(vectors: Floats) -> Floats:
    """Unit quaternions w, x, y, z (n, 4) of rotation vectors (n, 3)."""
    angles = np.linalg.norm(vectors, axis=1)[:, None]
    return np.concatenate([np.cos(0.5 * angles), 0.5 * np.sinc(0.5 * angles / math.pi) * vectors], axis=1)
