"""Prisms over several polygons, of which those in others are holes: as meshes, and these as polygons again.

A point is in the prism if an odd number of the polygons has it inside (even-odd rule), as in Gazebo.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

import numpy as np

from unibody.model import shape as s
from unibody.model.arrays import Floats

Point: TypeAlias = tuple[float, float]
Ring: TypeAlias = Sequence[Point]


def prism(rings: Sequence[Ring], height: float) -> s.Mesh:
    """The mesh of polygons in the XY plane (m) that are extruded from z = 0 to a height (m).

    Its vertices are the corners of all polygons in order, first those below. Its faces are the sides of the
    polygons in order, a quadrangle for each edge, then the two ends of each outline with its holes.

    >>> square = [(0.0, 0.0), (3.0, 0.0), (3.0, 3.0), (0.0, 3.0)]
    >>> hole = [(1.0, 1.0), (2.0, 1.0), (2.0, 2.0), (1.0, 2.0)]
    >>> rings_of(prism([square, hole], 0.5)) == ([square, hole], 0.5)
    True
    """
    flat = np.array([point for ring in rings for point in ring], np.float64).reshape(-1, 2)
    ends = np.cumsum([len(ring) for ring in rings]).tolist()
    count = len(flat)
    around = _around(rings)
    turned: list[list[int]] = []
    faces: list[int] = []
    for k, (ring, end) in enumerate(zip(rings, ends, strict=True)):
        corners = list(range(end - len(ring), end))
        # the inside of an outline is on its left, and that of a hole on its right
        if (area(ring) > 0.0) != (len(around[k]) % 2 == 0):
            corners.reverse()
        turned.append(corners)
        for a, b in pairwise((*corners, corners[0])):
            faces += (a, b, b + count, a + count, -1)
    for k, outline in enumerate(turned):
        if len(around[k]) % 2:
            continue
        holes = [
            turned[i] for i, outer in enumerate(around) if len(outer) == len(around[k]) + 1 and k in outer
        ]
        corners = bridged(outline, holes, flat)
        faces += (*corners[::-1], -1)
        faces += (*(corner + count for corner in corners), -1)
    below = np.column_stack([flat, np.zeros(count)])
    above = np.column_stack([flat, np.full(count, height)])
    return s.Mesh(vertices=s.floats(np.vstack([below, above])), faces=s.ints(faces), convex=False)


def rings_of(mesh: s.Mesh) -> tuple[list[list[Point]], float] | None:
    """The polygons of a mesh that :func:`prism` makes, and its height; None for another mesh."""
    size = len(mesh.vertices)
    if (
        mesh.convex
        or size < 36
        or size % 6
        or len(mesh.normals)
        or len(mesh.colors)
        or len(mesh.tex_coords)
    ):
        return None
    table = np.asarray(mesh.vertices, np.float64).reshape(2, -1, 3)
    indices = np.asarray(mesh.faces, np.int64)
    count, height = table.shape[1], float(table[1, 0, 2])
    if table[0, :, 2].any() or (table[1, :, 2] != height).any() or not height > 0.0:
        return None
    if len(indices) < 5 * count or (indices[4 : 5 * count : 5] != -1).any():
        return None
    # of the edges below, that which closes a polygon joins its last corner to its first one
    edges = np.sort(indices[: 5 * count].reshape(-1, 5)[:, :2], axis=1)
    closing = edges[edges[:, 1] - edges[:, 0] > 1]
    closing = closing[np.argsort(closing[:, 0])]
    starts, ends = closing[:, 0], closing[:, 1] + 1
    if len(closing) < 2 or starts[0] != 0 or ends[-1] != count or (starts[1:] != ends[:-1]).any():
        return None
    points = [(x, y) for x, y, _ in table[0].tolist()]
    rings = [points[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True)]
    return (rings, height) if prism(rings, height) == mesh else None


def area(ring: Ring) -> float:
    """The area of a polygon, positive if it is counter-clockwise."""
    x0, y0 = ring[0]
    twice = 0.0
    for (ax, ay), (bx, by) in pairwise((*ring, ring[0])):
        twice += (ax - x0) * (by - y0) - (ay - y0) * (bx - x0)
    return twice / 2.0


def crossing(rings: Sequence[Ring]) -> int | None:
    """The number of a polygon with an edge that crosses one of an earlier polygon; None if none does."""
    seen: list[tuple[Floats, Floats]] = []
    for number, ring in enumerate(rings):
        start = np.array(ring)
        end = np.roll(start, -1, axis=0)
        for a, b in seen:
            if (a.max(0) < start.min(0)).any() or (a.min(0) > start.max(0)).any():
                continue
            for c, d in zip(start, end, strict=True):
                around = _side(a, b, c) * _side(a, b, d) < 0.0
                if (around & (_sides(c, d, a) * _sides(c, d, b) < 0.0)).any():
                    return number
        seen.append((start, end))
    return None


def _side(a: Floats, b: Floats, point: Floats) -> Floats:
    """On which side of the lines from a to b (n, 2) a point is."""
    return np.asarray(
        (b[:, 0] - a[:, 0]) * (point[1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (point[0] - a[:, 0])
    )


def _sides(c: Floats, d: Floats, points: Floats) -> Floats:
    """On which side of the line from c to d points (n, 2) are."""
    return np.asarray((d[0] - c[0]) * (points[:, 1] - c[1]) - (d[1] - c[1]) * (points[:, 0] - c[0]))


def _around(rings: Sequence[Ring]) -> list[set[int]]:
    """The polygons that each polygon is in."""
    firsts = np.array([_extreme(ring) for ring in rings])
    out: list[set[int]] = [set() for _ in rings]
    for number, ring in enumerate(rings):
        inside = np.zeros(len(rings), bool)
        for (ax, ay), (bx, by) in pairwise((*ring, ring[0])):
            if ay == by:
                continue
            spans = (firsts[:, 1] >= min(ay, by)) & (firsts[:, 1] < max(ay, by))
            inside ^= spans & (firsts[:, 0] < ax + (firsts[:, 1] - ay) * (bx - ax) / (by - ay))
        inside[number] = False
        for k in np.flatnonzero(inside).tolist():
            out[k].add(number)
    return out


def _extreme(ring: Ring) -> Point:
    """The middle of the first edge with an extent: a point of a polygon that is no corner of it."""
    for (ax, ay), (bx, by) in pairwise(ring):
        if ay != by:
            return (ax + bx) / 2.0, (ay + by) / 2.0
    return ring[0]


def bridged(outline: Sequence[int], holes: Sequence[Sequence[int]], points: Floats) -> list[int]:
    """One polygon of an outline and its holes, all of them corners in a table of points (n, 2).

    From each hole a bridge, which is passed twice, leads to a corner that its rightmost corner sees.
    """
    out = list(outline)
    rightmost = [max(range(len(hole)), key=lambda i: tuple(points[hole[i]])) for hole in holes]
    order = sorted(range(len(holes)), key=lambda k: -points[holes[k][rightmost[k]]][0])
    for k in order:
        hole, first = holes[k], rightmost[k]
        at = _seen(points[hole[first]], points[out])
        out[at + 1 : at + 1] = [*hole[first:], *hole[:first], hole[first], out[at]]
    return out


def _seen(point: Floats, corners: Floats) -> int:
    """The position of a corner of a polygon (n, 2) that a point inside sees on its right.

    It is the end of the nearest edge there, unless corners are between: then the one with the least slope.
    """
    x, y = point
    after = np.roll(corners, -1, axis=0)
    low, high = np.minimum(corners[:, 1], after[:, 1]), np.maximum(corners[:, 1], after[:, 1])
    rise = after[:, 1] - corners[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        reach = corners[:, 0] + (y - corners[:, 1]) / rise * (after[:, 0] - corners[:, 0])
    # the inside is on the left of an edge: those on the right of the point rise
    usable = (low <= y) & (y <= high) & (rise > 0.0) & (reach >= x)
    if not usable.any():
        return int(np.argmin(np.hypot(*(corners - point).T)))
    reach = np.where(usable, reach, np.inf)
    nearest = float(reach.min())
    edge = int(np.argmin(reach))
    ends = (edge, (edge + 1) % len(corners))
    best = max(ends, key=lambda i: float(corners[i, 0]))
    hit, end = np.array([nearest, y]), corners[best]
    if (end == hit).all():
        return _open_to(point, best, corners)
    triangle = (point, hit, end) if end[1] > y else (point, end, hit)
    inside = np.ones(len(corners), bool)
    for a, b in pairwise((*triangle, triangle[0])):
        inside &= _sides(a, b, corners) >= 0.0
    inside &= (corners[:, 0] > x) & ~(corners == end).all(axis=1)
    if not inside.any():
        return _open_to(point, best, corners)
    away = corners - point
    slope = np.where(inside, np.abs(away[:, 1]) / np.where(inside, away[:, 0], 1.0), np.inf)
    least = np.flatnonzero(slope == slope.min())
    return _open_to(point, int(least[np.argmin(away[least, 0])]), corners)


def _open_to(point: Floats, chosen: int, corners: Floats) -> int:
    """Of the corners where a chosen one is, the one that has a point on its inside.

    There are several at the end of a bridge.
    """
    for i in np.flatnonzero((corners == corners[chosen]).all(axis=1)).tolist():
        before, here, after = corners[i - 1], corners[i], corners[(i + 1) % len(corners)]
        lefts = [bool(_sides(a, b, point[None])[0] > 0.0) for a, b in ((before, here), (here, after))]
        is_convex = bool(_sides(before, here, after[None])[0] > 0.0)
        if all(lefts) if is_convex else any(lefts):
            return i
    return chosen
