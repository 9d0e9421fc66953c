"""Triangulates polygons: fans for convex ones, ear clipping in the polygon's plane for others."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from unibody.meshes.surface import cross
from unibody.model.arrays import Floats, Integers

Point = tuple[float, float]
_FLAT = 1e-12
# Up to this number of points, plain numbers are faster than arrays.
_FEW = 300


@dataclass(slots=True)
class Work:
    """Budget of ear clipping steps (about half a microsecond each); hostile polygons need endless ones."""

    steps: int = 3_000_000


def triangulate(points: Floats, corners: Integers, counts: Integers, work: Work | None = None) -> Integers:
    """Triangles (m, 3) as positions in ``corners``, n − 2 for each polygon of n corners, in order.

    ``corners`` are the vertex indices of all polygons, ``counts`` the number of corners of each. Without
    ``work`` all polygons are assumed to be convex; polygons beyond the budget are split into fans.
    """
    if counts.size and (counts == 3).all():
        return np.arange(corners.size, dtype=np.int64).reshape(-1, 3)
    if counts.size and counts[0] >= 3 and (counts == counts[0]).all():
        return _triangles(points, corners, np.arange(corners.size).reshape(counts.size, -1), work)
    starts = np.cumsum(counts) - counts
    made: list[Integers] = []
    owners: list[Integers] = []
    for count in np.unique(counts[counts >= 3]).tolist():
        which = np.flatnonzero(counts == count)
        made.append(_triangles(points, corners, starts[which, None] + np.arange(count), work))
        owners.append(np.repeat(which, count - 2))
    if not made:
        return np.empty((0, 3), np.int64)
    if len(made) == 1:
        return made[0]
    order = np.argsort(np.concatenate(owners), kind="stable")
    return np.concatenate(made)[order]


def _triangles(points: Floats, corners: Integers, rows: Integers, work: Work | None) -> Integers:
    """Triangles (m, 3) of polygons (p, n), given as positions in ``corners``."""
    if work is None or rows.shape[1] == 3:
        return _fans(rows, np.zeros(len(rows), np.int64)).reshape(-1, 3)
    first = _first(points.take(corners.take(rows), axis=0))
    fans = _fans(rows, np.maximum(first, 0))
    for k in np.flatnonzero(first < 0).tolist():
        fans[k] = rows[k][_Ears(points[corners[rows[k]]], work).cut()]
    return fans.reshape(-1, 3)


def owner_of(counts: Integers) -> Integers:
    """The polygon of each triangle of :func:`triangulate`."""
    return np.repeat(np.arange(counts.size), np.maximum(counts - 2, 0))


def strip_corners(count: int, fan: bool) -> Integers:
    """Positions of the corners of a strip's or fan's triangles, with consistent orientation."""
    if count < 3:
        return np.empty(0, np.int64)
    first = np.arange(count - 2, dtype=np.int64)
    if fan:
        return np.stack([np.zeros_like(first), first + 1, first + 2], axis=1).reshape(-1)
    odd = first % 2
    return np.stack([first, first + 1 + odd, first + 2 - odd], axis=1).reshape(-1)


def polygon_normals(points: Floats) -> Floats:
    """Newell's normals (p, 3) of polygons (p, n, 3), of length twice their area."""
    near = points - points[:, :1]
    return np.asarray(cross(near, near[:, _next(points.shape[1])]).sum(axis=1))


def _next(count: int) -> Integers:
    """The corner after each of ``count`` corners."""
    out = np.arange(1, count + 1)
    out[-1] = 0
    return out


def _fans(rows: Integers, first: Integers) -> Integers:
    """Triangles (p, n − 2, 3) of polygons (p, n), as fans from the corner ``first`` of each."""
    count = rows.shape[1]
    if first.any():
        rows = np.take_along_axis(rows, (first[:, None] + np.arange(count)) % count, axis=1)
    fans = np.empty((len(rows), count - 2, 3), np.int64)
    fans[:, :, 0] = rows[:, :1]
    fans[:, :, 1] = rows[:, 1:-1]
    fans[:, :, 2] = rows[:, 2:]
    return fans


def _first(points: Floats) -> Integers:
    """The corner to start the fan from: 0 for convex polygons, −1 if a fan may not fill the polygon."""
    normals = polygon_normals(points)
    edges = points[:, _next(points.shape[1])] - points
    before = np.arange(-1, points.shape[1] - 1)
    turns = np.einsum("pni,pi->pn", cross(edges[:, before], edges), normals)
    size = np.einsum("pi,pi->p", normals, normals)
    inward = turns < -_FLAT * size[:, None]
    if points.shape[1] == 4:  # at most one reflex corner: start the fan there
        return np.asarray(np.argmax(inward, axis=1))
    return np.where(inward.any(axis=1), -1, 0)


class _Ears:
    """Ear clipping of one polygon (n, 3), projected to 2D, counter-clockwise."""

    def __init__(self, points: Floats, work: Work) -> None:
        normal = polygon_normals(points[None])[0]
        drop = int(np.argmax(np.abs(normal)))
        u, v = (drop + 1) % 3, (drop + 2) % 3
        self.flat = points[:, [u, v]] if normal[drop] >= 0.0 else points[:, [v, u]]
        self.xy: list[Point] = [(x, y) for x, y in self.flat.tolist()]
        self.work = work
        self.left = list(range(len(points)))
        # Only reflex corners can lie in an ear; a convex corner stays convex.
        n = len(points)
        turning = [k for k in range(n) if self._turn(k - 1, k, (k + 1) % n) <= 0.0]
        self.reflex = np.zeros(n, bool)
        self.reflex[turning] = True
        self.turning = set(turning)

    def cut(self) -> Integers:
        """Triangles (n − 2, 3) as positions in the polygon."""
        left, out = self.left, list[tuple[int, int, int]]()
        at = misses = 0
        while len(left) > 3 and self.work.steps > 0:
            at %= len(left)
            a, b, c = left[at - 1], left[at], left[(at + 1) % len(left)]
            # Straight corners are cut only if there are no ears; any corner if the polygon crosses itself.
            if misses >= 2 * len(left) or self._is_ear(a, b, c, misses >= len(left)):
                out.append((a, b, c))
                del left[at]
                self.work.steps -= len(left) // 1000
                self._mark(b, False)
                for k in (at - 1, at % len(left)):
                    before, here, after = left[k - 1], left[k], left[(k + 1) % len(left)]
                    self._mark(here, self._turn(before, here, after) <= 0.0)
                at, misses = max(at - 1, 0), 0
            else:
                at, misses = at + 1, misses + 1
        out += [(left[0], b, c) for b, c in pairwise(left[1:])]
        return np.array(out, np.int64)

    def _mark(self, corner: int, turning: bool) -> None:
        """Note whether a corner is reflex."""
        if turning:
            self.turning.add(corner)
        else:
            self.turning.discard(corner)
        self.reflex[corner] = turning

    def _turn(self, a: int, b: int, c: int) -> float:
        """Twice the signed area of the triangle a b c."""
        (ax, ay), (bx, by), (cx, cy) = self.xy[a], self.xy[b], self.xy[c]
        return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)

    def _is_ear(self, a: int, b: int, c: int, straight: bool) -> bool:
        """Whether b is convex (or straight, if ``straight``), and no other corner lies in a b c."""
        self.work.steps -= 1
        turn = self._turn(a, b, c)
        if turn <= 0.0:
            # a collinear or duplicate corner may be cut, a spike may not
            (ax, ay), (bx, by), (cx, cy) = self.xy[a], self.xy[b], self.xy[c]
            return straight and turn == 0.0 and (bx - ax) * (cx - bx) + (by - ay) * (cy - by) >= 0.0
        self.work.steps -= 30 + len(self.turning) // 3
        if len(self.turning) <= _FEW:
            return self._holds_none_of_few(self.xy[a], self.xy[b], self.xy[c])
        others = self.flat[self.reflex]
        pa, pb, pc = self.flat[a], self.flat[b], self.flat[c]
        inside = (_side(pa, pb, others) >= 0.0) & (_side(pb, pc, others) >= 0.0)
        inside &= _side(pc, pa, others) >= 0.0
        # Bridges to holes use points twice: points that coincide with a corner do not count.
        same = (others == pa).all(1) | (others == pb).all(1) | (others == pc).all(1)
        return not bool((inside & ~same).any())

    def _holds_none_of_few(self, a: Point, b: Point, c: Point) -> bool:
        """Whether no reflex corner lies in a b c, corner by corner."""
        (ax, ay), (bx, by), (cx, cy) = a, b, c
        ux, uy, vx, vy, wx, wy = bx - ax, by - ay, cx - bx, cy - by, ax - cx, ay - cy
        for k in self.turning:
            x, y = point = self.xy[k]
            if (
                ux * (y - ay) - uy * (x - ax) >= 0.0
                and vx * (y - by) - vy * (x - bx) >= 0.0
                and wx * (y - cy) - wy * (x - cx) >= 0.0
                and point not in (a, b, c)
            ):
                return False
        return True


def _side(a: Floats, b: Floats, points: Floats) -> Floats:
    """Distances (n,) of points to the left of the line from a to b, times its length."""
    return np.asarray((b[0] - a[0]) * (points[:, 1] - a[1]) - (b[1] - a[1]) * (points[:, 0] - a[0]))
