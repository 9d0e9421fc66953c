"""Normals where a file gives none: smooth across edges that bend less than the crease angle."""

from __future__ import annotations

import math

import numpy as np

from unibody.meshes.polygon import Indices
from unibody.meshes.surface import Floats, unit_rows

# More faces than this at one point stay flat there: comparing them all takes the square of their number,
# of which there are at most so many in a mesh.
_MOST_FACES, _MOST_PAIRS = 4096, 4_000_000
_BLOCK = 2_000_000


def crease_normals(points: Floats, corners: Indices, counts: Indices, crease: float) -> Floats:
    """A unit normal for each corner: the mean of the faces at its point within ``crease`` (radians)."""
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
    # where faces cancel each other out, each keeps its own
    lengths = np.linalg.norm(out, axis=1)
    out[lengths < 1e-9] = own[lengths < 1e-9]
    return unit_rows(out)


def face_normals(points: Floats, corners: Indices, counts: Indices) -> Floats:
    """Unit normals of polygons (Newell's); zero for one without extent."""
    out = np.zeros((counts.size, 3))
    if not corners.size:
        return out
    ends = np.cumsum(counts)
    following = np.arange(1, corners.size + 1)
    filled = counts > 0
    following[ends[filled] - 1] = (ends - counts)[filled]
    base = np.repeat(points[corners[(ends - counts)[filled]]], counts[filled], axis=0)
    near = points[corners] - base
    pieces = np.cross(near, near[following])
    np.add.at(out, np.repeat(np.arange(counts.size), counts), pieces)
    return unit_rows(out)
