"""Motions on closed loops: coordinates and edges of planners where joints must keep loops closed.

A state is a configuration on the loops. Steps go straight towards a target and are put back onto the
loops (Berenson et al. 2009); the motions between them are sampled, since no bound on them is known.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from unibody.collision.world import World
from unibody.mechanism import loops
from unibody.mechanism.mechanism import Mechanism
from unibody.mechanism.tree import periodic_entries
from unibody.model.arrays import Flags, Floats
from unibody.planning.coordinates import Coordinates, entries_of
from unibody.planning.edges import Edges

#: The longest step of a search tree, in rad or m of any joint.
STEP = 0.15
#: How far the loops of a start or goal may be open, in m or as the sine of an angle.
OPEN = 1e-6
#: Steps of one motion, and the share of a step by which its target must come nearer.
_MOST, _PROGRESS = 400, 0.1
#: What a joint without a coordinate counts in the metric, per rad or m.
_LIGHT = 0.05
#: Changes of joints, in rad or m, that count as none.
_ROUNDING = 1e-7


def open_loop(mechanism: Mechanism, q: Floats) -> str | None:
    """The first loop that a configuration (nq,) leaves open, or None."""
    tree = mechanism.tree
    for loop, equations in zip(mechanism.robot.loops, mechanism.loops, strict=True):
        residual = loops.residual(tree, (equations,), q[None])[0]
        own = np.abs(residual[: len(residual) - len(tree.couplings)])
        if own.max(initial=0.0) > OPEN or not loops.upright(tree, (equations,), q[None])[0]:
            return loop.name or f"between {loop.link_a} and {loop.link_b}"
    return None


class LoopCoordinates:
    """Configurations q on the closed loops as the coordinates of a planner, and their metric.

    Continuous joints take the shorter way. ``given`` are the coordinates that would move without loops.
    """

    def __init__(self, given: Coordinates) -> None:
        mechanism = given.mechanism
        self.given, self.mechanism, self.n = given, mechanism, mechanism.nq
        around = loops.joints_around(mechanism.tree, mechanism.loops)
        entries = entries_of(mechanism, around)
        self.moving = given.moving | given.follows
        self.locked = tuple(
            mechanism.joint_names[joint]
            for joint in around
            if not (entries_of(mechanism, [joint]) & self.moving).any()
        )
        self._turning = self._continuous() & self.moving
        self.weights = self._weights(entries)

    def _continuous(self) -> Flags:
        """The entries of q that may turn for ever and are not coupled."""
        mechanism, tree = self.mechanism, self.mechanism.tree
        out = periodic_entries(tree) & np.isinf(tree.upper - tree.lower)
        for each in mechanism.couplings:
            out[[i for i in (each.index, each.leader) if i is not None]] = False
        return out

    def _weights(self, entries: Flags) -> Floats:
        """What a unit of each entry counts: as the coordinates have it, and lightly for all others."""
        given = self.given
        sizes = np.abs(given.matrix)
        joints = np.maximum((sizes > 0.0).sum(axis=0), 1)
        with np.errstate(divide="ignore"):
            each = np.where(sizes > 0.0, given.weights / np.sqrt(joints) / sizes, 0.0)
        found = each.max(axis=1, initial=0.0)
        return np.where(self.moving & (found == 0.0) & entries, _LIGHT, found)

    @property
    def size(self) -> float:
        """The length of the whole space in the metric."""
        return self.given.size

    def to_joints(self, x: Floats) -> Floats:
        """Configurations (..., nq)."""
        return x

    def moved(self, x: Floats, d: Floats) -> Floats:
        """The configurations (..., nq) at the end of a motion along d."""
        return x + d

    def samples(self, generator: np.random.Generator, count: int) -> Floats:
        """Random configurations (count, nq), on the loops where these can be closed."""
        q = self.given.to_joints(self.given.samples(generator, count))
        found, good = self.settled(q)
        return np.where(good[:, None], found, q)

    def difference(self, a: Floats, b: Floats) -> Floats:
        """b − a; continuous joints take the shorter way."""
        d = b - a
        turns = np.round(d / (2.0 * math.pi))
        return np.asarray(np.where(self._turning, d - 2.0 * math.pi * turns, d))

    def lengths(self, d: Floats) -> Floats:
        """Weighted lengths (...,) of differences (..., nq)."""
        return np.asarray(np.sqrt(((d * self.weights) ** 2).sum(axis=-1)))

    def settled(self, q: Floats) -> tuple[Floats, Flags]:
        """The closest configurations on the loops, and whether they are reached within limits."""
        mechanism = self.mechanism
        unit = np.asarray(mechanism.integrate(q, np.zeros((*q.shape[:-1], mechanism.nv))))
        closure = mechanism.close_loops(unit, self.locked)
        found = np.asarray(closure.q)
        x = self.given.from_joints(found)
        inside = (self.given.cyclic | ((x > -_ROUNDING) & (x < 1.0 + _ROUNDING))).all(axis=-1)
        return found, np.asarray(closure.closed) & inside

    def path(self, found: Sequence[Floats], start: Floats, goal: Floats) -> Floats:
        """The configurations (n, nq) of a path; continuous joints count on."""
        q: Floats = np.array(found)
        kept = np.concatenate([[True], np.abs(self.difference(q[:-1], q[1:])).max(axis=1) > _ROUNDING])
        q = q[kept]
        if len(q) == 1:
            return np.stack([start, goal])
        steps = np.diff(q, axis=0)
        turns = np.cumsum(np.round(steps / (2.0 * math.pi)), axis=0)
        q[1:] -= np.where(self._turning, 2.0 * math.pi * turns, 0.0)
        q[0] = start
        q[-1] = np.where(np.abs(q[-1] - goal) < _ROUNDING, goal, q[-1])
        return np.asarray(q)


class LoopEdges:
    """Motions on the closed loops of a world, sampled in batches."""

    def __init__(self, world: World, coordinates: LoopCoordinates) -> None:
        self.world, self.coordinates = world, coordinates

    def advance(self, a: Floats, d: Floats) -> tuple[list[Floats], Flags]:
        """Go from q = a (B, nq) towards a + d, along the loops, as far as nothing touches at samples.

        Returns for each motion the configurations after its steps, and whether it comes to a + d.
        """
        coordinates = self.coordinates
        target, here = a + d, a.copy()
        chains: list[list[Floats]] = [[] for _ in a]
        reached = np.zeros(len(a), bool)
        live = np.arange(len(a))
        for _ in range(_MOST):
            if not len(live):
                break
            rest = target[live] - here[live]
            stride = np.abs(rest).max(axis=1, initial=0.0)
            share = np.minimum(1.0, STEP / np.maximum(stride, 1e-300))
            wanted = here[live] + share[:, None] * rest
            found, good = coordinates.settled(wanted)
            at_end = (share == 1.0) & (np.abs(found - target[live]).max(axis=1, initial=0.0) < _ROUNDING)
            found[at_end] = target[live][at_end]
            left, before = coordinates.lengths(target[live] - found), coordinates.lengths(rest)
            good &= at_end | (left < before - _PROGRESS * share * before)
            good[good] = self._free(here[live][good], found[good])
            for number, step in zip(live[good].tolist(), found[good], strict=True):
                chains[number].append(step)
            here[live[good]] = found[good]
            reached[live[good & at_end]] = True
            live = live[good & ~at_end & (share < 1.0)]
        return [np.array(chain).reshape(-1, coordinates.n) for chain in chains], reached

    def _free(self, begin: Floats, end: Floats) -> Flags:
        return np.asarray(self.world.sampled(begin, end, self.coordinates.locked))


#: What a planner moves in, with and without closed loops.
AnyCoordinates: TypeAlias = Coordinates | LoopCoordinates
AnyEdges: TypeAlias = Edges | LoopEdges
