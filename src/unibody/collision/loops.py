"""Samples of motions on closed loops: straight motions, put onto the loops.

A straight motion leaves the configurations in which loops are closed, and no bound says how far. So its
samples are put onto the loops one by one, and more are taken where two neighbours come out too far apart.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from unibody.mechanism.integration import difference
from unibody.mechanism.mechanism import Mechanism
from unibody.model.arrays import Flags, Floats, Indices

#: Radians or meters between neighbouring samples, of any joint.
STEP = 0.01
#: Samples of a motion at first, at most; then rounds of more, and into how many parts a round divides.
_MOST, _ROUNDS, _PARTS = 20_000, 5, 8


@dataclass(frozen=True, slots=True, eq=False)
class Course:
    """Samples of motions: of which one (k,), when (k,), and on the loops q (k, nq); in order.

    ``steps`` (n,) are the largest changes of a joint between neighbours, for each motion; ``broken`` (n,)
    is when the loops cannot be closed, or jump, else NaN.
    """

    owner: Indices
    times: Floats
    q: Floats
    steps: Floats
    broken: Floats


def follow(
    mechanism: Mechanism,
    at: Callable[[Indices, Floats], Floats],
    largest: Floats,
    locked: Sequence[str] = (),
) -> Course:
    """Samples on the loops of straight motions, whose joints move by ``largest`` (n,) rad or m at most.

    ``at`` gives configurations (k, nq) of motions (k,) at times (k,) from 0 to 1; ``locked`` are joints
    that keep their positions while the loops are closed.
    """
    counts = np.clip(np.ceil(largest / STEP), 1.0, _MOST).astype(np.intp)
    owner = np.repeat(np.arange(len(counts)), counts + 1)
    ends = np.cumsum(counts + 1)
    times = (np.arange(len(owner)) - np.repeat(ends - counts - 1, counts + 1)) / counts[owner]
    q, closed = _closed(mechanism, at(owner, times), locked)
    for _ in range(_ROUNDS):
        gaps = _gaps(mechanism, owner, q)
        open_ = np.zeros(len(counts), bool)
        open_[owner[~closed]] = True
        wide = np.flatnonzero((gaps > STEP) & ~open_[owner[:-1]])
        if not len(wide):
            break
        parts = np.minimum(np.ceil(gaps[wide] / STEP), _PARTS).astype(np.intp)
        before = np.repeat(wide, parts - 1)
        share = np.concatenate([np.arange(1, count) / count for count in parts.tolist()])
        more = times[before] + share * (times[before + 1] - times[before])
        found, good = _closed(mechanism, at(owner[before], more), locked)
        place = before + 1
        owner, times = np.insert(owner, place, owner[before]), np.insert(times, place, more)
        q, closed = np.insert(q, place, found, axis=0), np.insert(closed, place, good)
    gaps = _gaps(mechanism, owner, q)
    steps, broken = np.zeros(len(counts)), np.full(len(counts), math.nan)
    np.maximum.at(steps, owner[:-1], gaps)
    wrong = ~closed
    # a sum of rounded times may be a little wide still
    wrong[1:] |= gaps > STEP * (1.0 + 1e-6)
    for one in np.flatnonzero(wrong)[::-1].tolist():
        broken[owner[one]] = times[one]
    return Course(owner, times, q, steps, broken)


def _closed(mechanism: Mechanism, q: Floats, locked: Sequence[str]) -> tuple[Floats, Flags]:
    closure = mechanism.close_loops(q, locked)
    return np.asarray(closure.q), np.asarray(closure.closed)


def _gaps(mechanism: Mechanism, owner: Indices, q: Floats) -> Floats:
    """The largest change of a joint between neighbours (k - 1,); 0 between two motions."""
    change = np.abs(np.asarray(difference(mechanism.tree, q[:-1], q[1:]))).max(axis=1, initial=0.0)
    return np.where(owner[:-1] == owner[1:], change, 0.0)
