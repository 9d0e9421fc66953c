"""Divides the polygons of OBJ files into triangles as MuJoCo does, in single precision.

A polygon that is not flat encloses another volume when it is divided otherwise, and so has another inertia.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unibody.model.arrays import Integers, Singles

_NOTHING = np.float32(np.finfo(np.float32).eps)


def triangles_of(vertices: Singles, polygons: Sequence[Sequence[int]]) -> Integers:
    """The triangles (m, 3) of polygons of vertices (n, 3), those of three corners first.

    >>> square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
    >>> triangles_of(square, [[0, 1, 2, 3]]).tolist()
    [[0, 1, 3], [1, 2, 3]]
    """
    threes = np.array([p for p in polygons if len(p) == 3], np.int64).reshape(-1, 3)
    fours = np.array([p for p in polygons if len(p) == 4], np.int64).reshape(-1, 4)
    others = [ear for p in polygons if len(p) > 4 for ear in _ears(vertices, p)]
    return np.concatenate((threes, _halves(vertices, fours), np.array(others, np.int64).reshape(-1, 3)))


def _halves(vertices: Singles, fours: Integers) -> Integers:
    """The halves of polygons of four corners: each is divided along its shorter diagonal."""
    a, b, c, d = fours.T
    first, second = (_square(vertices[y] - vertices[x]) for x, y in ((a, c), (b, d)))
    along = first < second
    upper = np.stack((a, b, np.where(along, c, d)), axis=1)
    lower = np.stack((np.where(along, a, b), c, d), axis=1)
    return np.stack((upper, lower), axis=1).reshape(-1, 3)


def _square(edges: Singles) -> Singles:
    x, y, z = edges.T
    return np.asarray(x * x + y * y + z * z, np.float32)


def _ears(vertices: Singles, polygon: Sequence[int]) -> list[tuple[int, int, int]]:
    """The triangles of a polygon: corners are cut off in turn, where no other corner is inside the cut.

    A corner that points inward is passed over, which is decided by the sign of its turn beside that of the
    triangle of the corner before, the corner and the origin. When a whole round cuts nothing, or only in
    its last try, the rest of the polygon is left out.
    """
    points = vertices[np.array(polygon)][:, _axes(vertices[np.array(polygon)])]
    left = list(range(len(polygon)))
    out: list[tuple[int, int, int]] = []
    at, before, tries = 0, len(left), len(left)
    while len(left) > 3 and tries > 0:
        count = len(left)
        tries = tries - 1 if count == before else count
        before = count
        at %= count
        corner = [left[(at + k) % count] for k in range(3)]
        (ax, ay), (bx, by), (cx, cy) = ear = points[corner]
        turn = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
        others = points[[left[(at + k) % count] for k in range(3, count)]]
        if turn * ((ax * by - ay * bx) * np.float32(0.5)) < 0 or _is_any_inside(ear, others):
            at += 1
            continue
        out.append((polygon[corner[0]], polygon[corner[1]], polygon[corner[2]]))
        del left[(at + 1) % count]
    if len(left) == 3:
        out.append((polygon[left[0]], polygon[left[1]], polygon[left[2]]))
    return out


def _axes(corners: Singles) -> list[int]:
    """The two axes in which a polygon is seen: without the one along which its first real corner turns."""
    edges = np.roll(corners, -1, axis=0) - corners
    for x, y, z in np.abs(np.cross(edges, np.roll(edges, -1, axis=0))):
        if max(x, y, z) > _NOTHING:
            if x > y and x > z:
                break
            return [0, 1] if z > x and z > y else [0, 2]
    return [1, 2]


def _is_any_inside(ear: Singles, points: Singles) -> bool:
    """Whether one of the points (n, 2) is inside of a triangle (3, 2): a ray from it crosses one edge."""
    x, y = points.T
    inside = np.zeros(len(points), bool)
    with np.errstate(divide="ignore", invalid="ignore"):
        for (ax, ay), (bx, by) in zip(ear, np.roll(ear, 1, axis=0), strict=True):
            inside ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return bool(inside.any())
