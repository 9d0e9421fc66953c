"""The proved ranges of single joints: how far each one turns or slides until something touches."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from unibody.collision.pairs import Pair
from unibody.mechanism.loops import joints_around
from unibody.mechanism.mechanism import Mechanism
from unibody.model.arrays import Floats
from unibody.model.joint_kind import KINDS

if TYPE_CHECKING:
    from unibody.collision.world import World

#: The ends of ranges are found to this share of the way to the limit.
_STEP = 1e-3


@dataclass(frozen=True, slots=True)
class JointRange:
    """The range of a joint that is proved free, ``low`` to ``high`` (rad or m), with all else as it is.

    ``below`` and ``above`` are the pairs that touch beyond its ends, or come nearer than can be decided;
    None at a limit of the joint, or half a turn away for a turning joint without limits.
    """

    joint: str
    low: float
    high: float
    below: Pair | None = None
    above: Pair | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FreeRanges:
    """The proved ranges of joints around the configuration ``q`` (nq,).

    ``touching`` are the pairs that touch in q; the ranges say nothing about these.
    """

    q: Floats
    joints: tuple[JointRange, ...]
    touching: tuple[Pair, ...] = ()


def free_ranges(world: World, q: Floats) -> FreeRanges:
    """The proved ranges of the joints around a configuration q (nq,); see :meth:`World.free_ranges`."""
    mechanism = world.mechanism
    tree = mechanism.tree
    start = np.asarray(mechanism.apply_couplings(q), np.float64)
    touching = tuple(hit.pair for hit in world.hits(start))
    rest = world.without(touching) if touching else world
    coupled = {coupling.joint for coupling in mechanism.robot.couplings}
    # A loop would have to be closed on the way, of which nothing is proved.
    looped = set(joints_around(tree, mechanism.loops))
    out = []
    for number, joint in enumerate(mechanism.robot.joints):
        kind = KINDS[joint.kind]
        if kind.nq != 1 or joint.name in coupled or number in looped:
            continue
        entry = int(tree.idx_q[number])
        at = float(start[entry])
        low, high = _limits(joint.limits.position, at, kind.angular)
        if not (math.isfinite(low) and math.isfinite(high) and low <= at <= high):
            continue
        first, last = (_end(rest, mechanism, start, entry, limit) for limit in (low, high))
        if first is not None and last is not None:
            (lowest, below), (highest, above) = first, last
            out.append(JointRange(joint.name, lowest, highest, below, above))
    return FreeRanges(start, tuple(out), touching)


def _limits(position: tuple[float, float], at: float, turns: bool) -> tuple[float, float]:
    """The limits of a joint; for a turning joint without limits, half a turn to each side."""
    low, high = position
    if turns and not math.isfinite(low) and not math.isfinite(high):
        return at - math.pi, at + math.pi
    return low, high


_Bound = tuple[float, Pair | None]


def _end(world: World, mechanism: Mechanism, start: Floats, entry: int, limit: float) -> _Bound | None:
    """How far a joint goes towards a limit, and the pair that ends its way; None if nothing is proved."""
    at = float(start[entry])

    def moved(share: float) -> Floats:
        out = start.copy()
        out[entry] = limit if share == 1.0 else at + share * (limit - at)
        return np.asarray(mechanism.apply_couplings(out), np.float64)

    if limit == at:
        return at, None
    check = world.segment(start, moved(1.0))
    if check.status in ("sampled", "incomplete"):
        return None
    if check.status == "free":
        return limit, None
    # Everything up to ``free`` is proved; ``pair`` is not at ``beyond``.
    free, beyond, pair = 0.0, float(check.time or 0.0), check.pair
    while beyond - free > _STEP:
        middle = 0.5 * (free + beyond)
        check = world.segment(moved(free), moved(middle))
        if check.status == "free":
            free = middle
        else:
            beyond, pair = free + (middle - free) * float(check.time or 0.0), check.pair
    return float(moved(free)[entry]), pair
