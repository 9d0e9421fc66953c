"""Certified lower bounds on distances.

coal's distance of two solids can exceed the truth. The plane across the line between its two nearest
points does not: each solid is wholly on one side of its own parallel, whatever the accuracy of the points,
so the gap of the two supports is a lower bound.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unibody.collision.engine import Engine
from unibody.collision.geometry import Part
from unibody.model.arrays import Floats

_LEAST_NORMAL = 1e-12


def lower_bounds(
    engine: Engine,
    parts: Sequence[Part],
    couples: tuple[Sequence[int], Sequence[int]],
    doubts: Floats,
    row: Floats,
    within: float,
) -> list[tuple[int, float]]:
    """Pairs of parts that are nearer than ``within``, each with a lower bound on its distance (m).

    ``doubts`` are how much the engine may err on each pair. A pair that touches has the bound 0.
    """
    everything = math.isinf(within)
    if not couples[0]:
        return []
    near = np.arange(len(couples[0])) if everything else engine.touching(row, within + float(doubts.max()))
    if not len(near):
        return []
    distances, first, second = engine.distances(row, near)
    poses = engine.poses(row)
    out: list[tuple[int, float]] = []
    for couple, found, p, q in zip(near.tolist(), distances.tolist(), first, second, strict=True):
        a, b = couples[0][couple], couples[1][couple]
        bound = max(found - float(doubts[couple]), 0.0)
        if found > 0.0 and parts[a].is_solid and parts[b].is_solid:
            bound = _gap(parts[a], poses[a], parts[b], poses[b], q - p)
        if everything or bound < within:
            out.append((couple, bound))
    return out


def _gap(a: Part, pose_a: Floats, b: Part, pose_b: Floats, normal: Floats) -> float:
    """How far apart two solids are along a direction from the first to the second; 0 if they overlap."""
    length = float(np.linalg.norm(normal))
    if not length > _LEAST_NORMAL:
        return 0.0
    for part, pose, sign in ((a, pose_a, 1.0), (b, pose_b, -1.0)):
        if part.kind == "halfspace":
            normal, length = sign * pose[:3, 2], 1.0
    n = normal / length
    upper = _support(a, pose_a, n) + float(n @ pose_a[:3, 3])
    lower = float(n @ pose_b[:3, 3]) - _support(b, pose_b, -n)
    return max(lower - upper, 0.0)


def _support(part: Part, pose: Floats, normal: Floats) -> float:
    if part.kind == "halfspace":
        # the normal is its own, or opposite to that of a second half space
        return 0.0 if float(normal @ pose[:3, 2]) > 1.0 - 1e-9 else math.inf
    return part.support(pose[:3, :3].T @ normal)
