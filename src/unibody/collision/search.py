"""Searches a box of coordinates for a touch of two links, and proves that there is none.

Both need only a test of whole batches: is the pair nearer than a margin? The proof bisects the box: a cell
is free when the pair is farther apart in its middle than the bounds on its motion over half of the cell.
All cells of a level have one size, so they are one batch. The search keeps the configurations that are
nearest, by shrinking the margin until few are left, and looks around them, ever closer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from unibody.model.arrays import Flags, Floats

#: Whether a pair is no farther apart than its margins in configurations (n, k): booleans (n,).
Near = Callable[[Floats, Floats], Flags]

#: Cells that are not decided where the pair moves less than this stay open (m).
_LAST = 1e-6
#: The search ends among configurations in which the pair is this near (m).
_NEAR = 1e-6
#: The population of the search: how many it begins with, keeps, and adds each time, and how often.
_FIRST, _KEPT, _ADDED, _ROUNDS = 1_000, 24, 240, 14
#: How much the margin shrinks at once, and the spread of what is added, as a share of the ranges.
_SHRINK, _WIDE, _NARROW = 0.75, 0.25, 0.002


@dataclass(slots=True)
class Proof:
    """The state of a proof: ``cells`` tested; ``free`` if proved; ``witness`` (k,) if it is refuted.

    ``centers`` (n, k) and ``half`` (k,) are the cells that are left.
    """

    centers: Floats
    half: Floats
    cells: int = 0
    free: bool = False
    witness: Floats | None = None
    stuck: bool = False

    @property
    def open(self) -> bool:
        """Whether more cells may decide it."""
        return not self.free and self.witness is None and not self.stuck


def begin(low: Floats, high: Floats) -> Proof:
    """The proof about a box, before any test."""
    return Proof(0.5 * (low + high)[None], 0.5 * (high - low))


def prove(proof: Proof, near: Near, speeds: Floats, slack: Floats, budget: int) -> Iterator[None]:
    """Continue a proof up to ``budget`` cells in all, one level at a time.

    ``speeds`` (pairs of parts, k) bound how much nearer the pair comes per unit of each coordinate;
    ``slack`` (pairs of parts,), more than the errors of the engine's distances, is added to the margins.
    """
    touch = np.zeros(len(speeds))
    while proof.open and proof.cells + len(proof.centers) <= budget:
        moved = speeds @ proof.half
        left = proof.centers[near(proof.centers, moved + slack)]
        proof.cells += len(proof.centers)
        if not len(left):
            proof.free = True
            return
        found = near(left, touch)
        if found.any():
            proof.witness = left[int(found.argmax())]
            return
        at = int((speeds * proof.half).max(axis=0).argmax())
        proof.stuck = float(moved.max()) < _LAST
        proof.half[at] *= 0.5
        step = np.zeros(len(proof.half))
        step[at] = proof.half[at]
        proof.centers = np.concatenate([left - step, left + step])
        yield


def closest(
    near: Near,
    speeds: Floats,
    low: Floats,
    high: Floats,
    starts: Floats,
    generator: np.random.Generator,
) -> Iterator[Floats | None]:
    """Look for a touch near ``starts`` (n, k) and elsewhere in the box; the last item is one, or None."""
    pairs, wide = np.ones(len(speeds)), high - low
    first = generator.random((_FIRST, len(low)))
    # what comes nearest is often at the limits
    edge = generator.random((_FIRST, len(low))) < 0.4 * generator.random((_FIRST, 1))
    first = np.where(edge, np.round(first), first)
    some = np.concatenate([low + first * wide, starts])
    margin = float((speeds @ wide).max())
    for number in range(_ROUNDS):
        some, margin = _nearest(near, some, margin, pairs)
        found = near(some, 0.0 * pairs)
        if found.any():
            yield some[int(found.argmax())]
            return
        yield None
        spread = _WIDE * (_NARROW / _WIDE) ** (number / (_ROUNDS - 1))
        parents = some[generator.integers(len(some), size=(3, _ADDED))]
        ways = generator.random((2, _ADDED, 1))
        moved = parents[0] + np.where(
            ways[0] < 0.5,
            spread * wide * generator.normal(size=(_ADDED, len(low))) * (2.0 * ways[1]),
            ways[1] * (parents[1] - parents[2]),
        )
        few = generator.random((_ADDED, len(low))) < 0.5
        some = np.concatenate([some, np.clip(np.where(few, moved, parents[0]), low, high)])


def _nearest(near: Near, some: Floats, margin: float, pairs: Floats) -> tuple[Floats, float]:
    """The few of some configurations that are nearest, and a margin that contains them."""
    while len(some) > _KEPT and margin > _NEAR:
        left = some[near(some, margin * _SHRINK * pairs)]
        if not len(left):
            return some[:_KEPT], margin
        some, margin = left, margin * _SHRINK
    return some[:_KEPT], margin
