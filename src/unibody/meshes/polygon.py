"""Polygons to triangles: fans where a polygon is convex, ears on its own plane where it is not."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from unibody.meshes.surface import Floats

Indices = NDArray[np.int64]
_FLAT = 1e-12


@dataclass(slots=True)
class Work:
    """How many steps may still be spent on ears: polygons of a hostile file ask for endless ones.

    A step is about half a microsecond.
    """

    steps: int = 3_000_000


def triangulate(points: Floats, corners: Indices, counts: Indices, work: Work | None = None) -> Indices:
    """Triangles (m, 3) as positions in ``corners``; polygons keep their order and give n − 2 each.

    ``corners`` are the polygons' vertices one after another, ``counts`` how many each has. Without
    ``work`` all are taken as convex; when it is used up, the rest is cut without a look.
    """
    if counts.size and (counts == 3).all():
        return np.arange(corners.size, dtype=np.int64).reshape(-1, 3)
    starts = np.cumsum(counts) - counts
    made: list[Indices] = []
    owners: list[Indices] = []
    for count in np.unique(counts[counts >= 3]).tolist():
        which = np.flatnonzero(counts == count)
        rows = starts[which, None] + np.arange(count)
        if work is None or count == 3:
            fans = _fans(rows, np.zeros(len(rows), np.int64))
        else:
            first = _first(points[corners[rows]])
            fans = _fans(rows, np.maximum(first, 0))
            for k in np.flatnonzero(first < 0).tolist():
                fans[k] = rows[k][_Ears(points[corners[rows[k]]], work).cut()]
        made.append(fans.reshape(-1, 3))
        owners.append(np.repeat(which, count - 2))
    if not made:
        return np.empty((0, 3), np.int64)
    if len(made) == 1:
        return made[0]
    order = np.argsort(np.concatenate(owners), kind="stable")
    return np.concatenate(made)[order]


def owner_of(counts: Indices) -> Indices:
    """For each triangle of :func:`triangulate`, the polygon it is of."""
    return np.repeat(np.arange(counts.size), np.maximum(counts - 2, 0))


def strip_corners(count: int, fan: bool) -> Indices:
    """The corners of a strip or fan as separate triangles, all with the same side outside."""
    if count < 3:
        return np.empty(0, np.int64)
    first = np.arange(count - 2, dtype=np.int64)
    if fan:
        return np.stack([np.zeros_like(first), first + 1, first + 2], axis=1).reshape(-1)
    odd = first % 2
    return np.stack([first, first + 1 + odd, first + 2 - odd], axis=1).reshape(-1)


def polygon_normals(points: Floats) -> Floats:
    """Newell's normals (p, 3) of polygons (p, n, 3), twice their area long."""
    near = points - points[:, :1]
    return np.asarray(np.cross(near, np.roll(near, -1, axis=1)).sum(axis=1))


def _fans(rows: Indices, first: Indices) -> Indices:
    """Triangles (p, n − 2, 3) of polygons (p, n) that fan out from the corner ``first`` of each."""
    count = rows.shape[1]
    if first.any():
        rows = np.take_along_axis(rows, (first[:, None] + np.arange(count)) % count, axis=1)
    fans = np.empty((len(rows), count - 2, 3), np.int64)
    fans[:, :, 0] = rows[:, :1]
    fans[:, :, 1] = rows[:, 1:-1]
    fans[:, :, 2] = rows[:, 2:]
    return fans


def _first(points: Floats) -> Indices:
    """The corner to fan out from: 0 of a convex polygon, −1 of one that a fan may not fill."""
    normals = polygon_normals(points)
    edges = np.roll(points, -1, axis=1) - points
    turns = np.einsum("pni,pi->pn", np.cross(np.roll(edges, 1, axis=1), edges), normals)
    size = np.einsum("pi,pi->p", normals, normals)
    inward = turns < -_FLAT * size[:, None]
    if points.shape[1] == 4:  # one inward corner at most: both triangles meet there
        return np.asarray(np.argmax(inward, axis=1))
    return np.where(inward.any(axis=1), -1, 0)


class _Ears:
    """One polygon (n, 3) that loses a corner at a time, in 2D and counter-clockwise."""

    def __init__(self, points: Floats, work: Work) -> None:
        normal = polygon_normals(points[None])[0]
        drop = int(np.argmax(np.abs(normal)))
        u, v = (drop + 1) % 3, (drop + 2) % 3
        self.flat = points[:, [u, v]] if normal[drop] >= 0.0 else points[:, [v, u]]
        self.xy: list[tuple[float, float]] = [(x, y) for x, y in self.flat.tolist()]
        self.work = work
        self.left = list(range(len(points)))
        # Only a corner that turns right can lie in an ear; a corner that turns left stays so.
        n = len(points)
        turning = [k for k in range(n) if self._turn(k - 1, k, (k + 1) % n) <= 0.0]
        self.reflex = np.zeros(n, bool)
        self.reflex[turning] = True

    def cut(self) -> Indices:
        """Triangles (n − 2, 3) as positions in the polygon."""
        left, out = self.left, list[tuple[int, int, int]]()
        at = misses = 0
        while len(left) > 3 and self.work.steps > 0:
            at %= len(left)
            a, b, c = left[at - 1], left[at], left[(at + 1) % len(left)]
            # Straight corners go when there are no others; of a polygon that crosses itself, any.
            if misses >= 2 * len(left) or self._is_ear(a, b, c, misses >= len(left)):
                out.append((a, b, c))
                del left[at]
                self.work.steps -= len(left) // 1000
                self.reflex[b] = False
                for k in (at - 1, at % len(left)):
                    before, here, after = left[k - 1], left[k], left[(k + 1) % len(left)]
                    self.reflex[here] = self._turn(before, here, after) <= 0.0
                at, misses = max(at - 1, 0), 0
            else:
                at, misses = at + 1, misses + 1
        out += [(left[0], b, c) for b, c in pairwise(left[1:])]
        return np.array(out, np.int64)

    def _turn(self, a: int, b: int, c: int) -> float:
        """Twice the signed area of the triangle a b c."""
        (ax, ay), (bx, by), (cx, cy) = self.xy[a], self.xy[b], self.xy[c]
        return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

    def _is_ear(self, a: int, b: int, c: int, straight: bool) -> bool:
        """Whether a corner turns left, or goes ``straight``, and its triangle holds no other corner."""
        self.work.steps -= 1
        turn = self._turn(a, b, c)
        if turn <= 0.0:
            # straight ahead or doubled, it is cut off at no loss; a spike is not
            (ax, ay), (bx, by), (cx, cy) = self.xy[a], self.xy[b], self.xy[c]
            return straight and turn == 0.0 and (bx - ax) * (cx - bx) + (by - ay) * (cy - by) >= 0.0
        others = self.flat[self.reflex]
        self.work.steps -= 30 + len(others) // 3
        pa, pb, pc = self.flat[a], self.flat[b], self.flat[c]
        inside = (_side(pa, pb, others) >= 0.0) & (_side(pb, pc, others) >= 0.0)
        inside &= _side(pc, pa, others) >= 0.0
        # Bridges to holes use points twice: what coincides with a corner is no obstacle.
        same = (others == pa).all(1) | (others == pb).all(1) | (others == pc).all(1)
        return not bool((inside & ~same).any())


def _side(a: Floats, b: Floats, points: Floats) -> Floats:
    """How far left of the line from a to b some points are (times its length)."""
    return np.asarray((b[0] - a[0]) * (points[:, 1] - a[1]) - (b[1] - a[1]) * (points[:, 0] - a[0]))
