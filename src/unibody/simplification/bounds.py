"""Certified one-sided distances between a mesh and simpler shapes, by branch and bound on triangles.

The distance from a convex set is a convex function, so on a triangle it is largest at a corner; and it
changes by no more than its argument moves. Triangles whose bound is too large are split in four.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from unibody.model.arrays import Floats
from unibody.simplification.hulls import Hull
from unibody.simplification.triangles import Triangles, point_distances

#: How close the bounds get: relative to themselves, and to the size of the mesh; and triangles, at most.
_RELATIVE, _ABSOLUTE, _BUDGET = 0.05, 5e-4, 12_000
#: Triangles that are measured at once: at first, and at most.
_FIRST, _MOST = 32, 512
#: The errors of radii of needles, relative to them.
_SLACK = 1e-6
#: Errors of distances, relative to the size.
_ROUNDING = 1e-12
#: Pairs of points and spheres that are compared at once.
_LOT = 2_000_000

#: Upper and lower bounds (k,) on the largest distance on triangles (k, 3, 3), given the largest lower one.
Measure = Callable[[Floats, float], tuple[Floats, Floats]]


def largest(corners: Floats, measure: Measure, size: float) -> float:
    """An upper bound on the largest distance on triangles (n, 3, 3) in m; near to it if work allows."""
    best, upper, spent = 0.0, 0.0, 0
    while len(corners):
        above, below = measure(corners, best)
        spent += len(corners)
        best = max(best, float(below.max()))
        open_ = above > best + max(_RELATIVE * best, _ABSOLUTE * size)
        if spent > max(_BUDGET, 2 * len(corners)):
            open_[:] = False
        upper = max(upper, float(above[~open_].max(initial=0.0)))
        corners = _split(corners[open_])
    return max(upper, best)


def hull_around_sticks_out(hull: Hull, mesh: Triangles) -> float:
    """How far the surface of a hull that contains a mesh gets from it at most, in m.

    Most faces need no search, since their corners are near corners of the mesh: no point of a triangle is
    farther from the nearest corner than the radius of the smallest ball around it, and few faces of a hull
    are larger than the largest distance. The search looks at the least certain ones first.
    """
    apart = hull.apart if np.isfinite(hull.apart) else float(mesh.nearest(hull.vertices)[0].max())
    rows = hull.vertices[hull.faces]
    above = _radii(rows) + apart
    best, spent = 0.0, 0
    step = _FIRST
    while True:
        enough = best + max(_RELATIVE * best, _ABSOLUTE * mesh.size)
        left = np.flatnonzero(above > enough)
        if not len(left) or spent > _BUDGET:
            return max(best, float(above.max())) + _ROUNDING * (mesh.size + hull.boundary.size)
        if len(left) > step:
            left = left[np.argpartition(above[left], -step)[-step:]]
        step = min(2 * step, _MOST)
        spent += len(left)
        mine = rows[left]
        off, nearest = mesh.nearest(mine.mean(axis=1))
        best = max(best, float(off.max()))
        # the distance from a triangle of the mesh is largest at a corner
        triangles = mesh.corners[nearest]
        far = point_distances(mine, triangles[:, None]).max(axis=1)
        above[left] = np.minimum(above[left], far)
        open_ = above[left] > best + max(_RELATIVE * best, _ABSOLUTE * mesh.size)
        parts = _split(mine[open_])
        near = point_distances(parts, np.tile(triangles[open_], (4, 1, 1))[:, None]).max(axis=1)
        # each part is at least as near as the whole
        whole = np.tile(above[left[open_]], 4)
        kept = np.ones(len(rows), bool)
        kept[left[open_]] = False
        rows = np.concatenate([rows[kept], parts])
        above = np.concatenate([above[kept], np.minimum(near, whole)])


def _radii(corners: Floats) -> Floats:
    """The radii (k,) of the smallest balls around triangles (k, 3, 3); not too small."""
    sides = np.sort(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2), axis=1)
    a, b, c = sides.T
    with np.errstate(all="ignore"):
        # of an acute triangle that of its corners, else that of its longest side
        area = np.sqrt(np.maximum((a + b + c) * (a + b - c) * (a - b + c) * (b + c - a), 0.0))
        around = np.fmin(np.maximum(a * b * c / area, 0.5 * c), c / 3.0**0.5)
    acute = a * a + b * b > (1.0 - _SLACK) * c * c
    return np.asarray((1.0 + _SLACK) * np.where(acute, around, 0.5 * c))


def _split(corners: Floats) -> Floats:
    """Four triangles for each (k, 3, 3)."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    ab, bc, ca = 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)
    quarters = [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
    return np.concatenate([np.stack(each, axis=1) for each in quarters])


def hulls_stick_out(hulls: Sequence[Hull], mesh: Triangles) -> float:
    """How far the surface of a union of hulls gets from a mesh at most, in m.

    What is inside of the closed pieces of the mesh has no distance from it.
    """
    corners = np.concatenate([hull.vertices[hull.faces] for hull in hulls])
    size = mesh.size + max(hull.boundary.size for hull in hulls)
    rounding = _ROUNDING * size

    def measure(rows: Floats, best: float) -> tuple[Floats, Floats]:
        middle = rows.mean(axis=1)
        radius = np.linalg.norm(rows - middle[:, None], axis=2).max(axis=1)
        off, nearest = mesh.nearest(middle)
        above, below = off + radius, off.copy()
        left = np.flatnonzero(above > best)
        # triangles of the mesh that are near a corner may be near all of the triangle
        _, places = mesh.nearest(rows[left].reshape(-1, 3))
        places = np.column_stack([nearest[left], places.reshape(-1, 3)])
        each = point_distances(rows[left][:, None], mesh.corners[places][:, :, None])
        above[left] = np.minimum(above[left], each.max(axis=2).min(axis=1))
        left = left[above[left] > best]
        if mesh.is_closed and len(left):
            inner = left[mesh.inside(middle[left])]
            # a way out of the closed mesh is at least as long as the distance of the middle
            above[inner] = np.minimum(above[inner], np.maximum(radius[inner] - off[inner], 0.0))
            below[inner] = 0.0
        if len(hulls) > 1 and len(left):
            covered, hidden = _within(hulls, rows[left], middle[left])
            above[left[covered]] = 0.0
            below[left[hidden]] = 0.0
        return above + rounding, below

    return largest(corners, measure, size)


def _within(hulls: Sequence[Hull], rows: Floats, middle: Floats) -> tuple[Floats, Floats]:
    """Which triangles (k, 3, 3) are strictly inside of a hull, and the middles of which."""
    covered, hidden = np.zeros(len(rows), bool), np.zeros(len(rows), bool)
    for hull in hulls:
        covered |= hull.contains(rows.reshape(-1, 3)).reshape(-1, 3).all(axis=1)
        hidden |= hull.contains(middle)
    return covered, hidden


def hulls_leave(hulls: Sequence[Hull], mesh: Triangles) -> float:
    """How far a mesh gets from a union of hulls at most, in m; 0 if they contain it for certain."""

    def measure(rows: Floats, best: float) -> tuple[Floats, Floats]:
        above, below = np.full(len(rows), np.inf), np.full((len(rows), 3), np.inf)
        points = rows.reshape(-1, 3)
        for hull in hulls:
            inside = hull.contains(points).reshape(-1, 3)
            below[inside] = 0.0
            above[inside.all(axis=1)] = 0.0
        left = np.flatnonzero(above > 0.0)
        for hull in hulls:
            off = hull.distances(rows[left].reshape(-1, 3)).reshape(-1, 3)
            below[left] = np.minimum(below[left], off)
            above[left] = np.minimum(above[left], off.max(axis=1))
        return above, below.max(axis=1)

    return largest(mesh.corners, measure, mesh.size)


def spheres_stick_out(centers: Floats, radii: Floats, mesh: Triangles) -> float:
    """How far balls (n, 3), (n,) get from a mesh, or what it encloses, at most, in m."""
    off, _ = mesh.nearest(centers)
    signed = np.where(mesh.inside(centers), -off, off) if mesh.is_closed else off
    return max(0.0, float((radii + signed).max())) + _ROUNDING * mesh.size


def spheres_leave(centers: Floats, radii: Floats, mesh: Triangles) -> float:
    """How far a mesh gets from a union of balls (n, 3), (n,) at most, in m; 0 if they contain it."""
    rounding = _ROUNDING * (mesh.size + float(np.abs(centers).max(initial=0.0)))

    def measure(rows: Floats, best: float) -> tuple[Floats, Floats]:
        above, below = np.empty(len(rows)), np.empty(len(rows))
        step = max(1, _LOT // (3 * len(centers)))
        for at in range(0, len(rows), step):
            lot = rows[at : at + step]
            off = np.linalg.norm(lot[:, :, None] - centers, axis=3) - radii + rounding
            np.maximum(off, 0.0, out=off)
            above[at : at + step] = off.max(axis=1).min(axis=1)
            below[at : at + step] = off.min(axis=2).max(axis=1)
        return above, below

    return largest(mesh.corners, measure, mesh.size)
