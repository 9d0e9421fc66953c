"""Generates missing normals: smooth across edges whose angle is below the crease angle."""

from __future__ import annotations

import math

import numpy as np

from unibody.meshes.polygon import Indices
from unibody.meshes.surface import Floats, cross, unit_rows

# Points with more faces than this stay flat: the comparison of all pairs is quadratic, and the number
# of pairs in a mesh is limited, too.
_MOST_FACES, _MOST_PAIRS = 4096, 4_000_000
_BLOCK = 2_000_000


def crease_normals(points: Floats, corners: Indices, counts: Indices, crease: float) -> Floats:
    """Unit normals (corners, 3): the mean of the faces at a corner's point within ``crease`` (rad).

    ``points`` (n, 3); ``corners``, the point indices of all polygons; ``counts``, the corners of each.
    """
    faces = face_normals(points, corners, counts)
    own = faces[np.repeat(np.arange(counts.size), counts)]
    order = np.argsort(corners, kind="stable")
    sizes = np.bincount(corners, minlength=len(points))
    starts = np.cumsum(sizes) - sizes
    out = own.copy()
    least = math.cos(min(crease, math.pi)) - 1e-9
    pairs = 0
    for size in np.unique(sizes[(sizes > 1) & (sizes <= _MOST_FACES)]).tolist():
        groups = starts[sizes == size]
        pairs += groups.size * size * size
        if pairs > _MOST_PAIRS:
            break
        step = max(_BLOCK // (size * size), 1)
        for at in range(0, groups.size, step):
            rows = order[groups[at : at + step, None] + np.arange(size)]
            normals = own[rows]
            near = normals @ normals.transpose(0, 2, 1) >= least
            out[rows] = near.astype(np.float64) @ normals
    # where the sum cancels out, the face normal is used
    lengths = np.linalg.norm(out, axis=1)
    out[lengths < 1e-9] = own[lengths < 1e-9]
    return unit_rows(out)


def face_normals(points: Floats, corners: Indices, counts: Indices) -> Floats:
    """Unit normals (polygons, 3) by Newell's method; zero for polygons without area."""
    out = np.zeros((counts.size, 3))
    if not corners.size:
        return out
    ends = np.cumsum(counts)
    following = np.arange(1, corners.size + 1)
    filled = counts > 0
    following[ends[filled] - 1] = (ends - counts)[filled]
    base = np.repeat(points[corners[(ends - counts)[filled]]], counts[filled], axis=0)
    near = points[corners] - base
    pieces = cross(near, near[following])
    np.add.at(out, np.repeat(np.arange(counts.size), counts), pieces)
    return unit_rows(out)
