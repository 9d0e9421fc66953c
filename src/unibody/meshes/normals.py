"""Generates missing normals: smooth across edges whose angle is below the crease angle."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from unibody.meshes.surface import cross, unit_rows
from unibody.model.arrays import Floats, Integers

# Points with more faces than this stay flat: the comparison of all pairs is quadratic, and the number
# of pairs in a mesh is limited, too.
_MOST_FACES, _MOST_PAIRS = 4096, 4_000_000
_BLOCK = 2_000_000
# Points with up to these numbers of faces are computed together.
_SIZES = (8, 16, 64, 256, 1024, _MOST_FACES)


def crease_normals(points: Floats, corners: Integers, counts: Integers, crease: float | Floats) -> Floats:
    """Unit normals (corners, 3): the mean of the faces at a corner's point within ``crease`` (rad).

    ``points`` (n, 3); ``corners``, the point indices of all polygons; ``counts``, the corners of each.
    ``crease`` is one angle, or that of each point (n,).
    """
    faces = face_normals(points, corners, counts)
    own = faces.take(owner_of_corners(counts), axis=0)
    order = np.argsort(corners, kind="stable")
    sizes = np.bincount(corners, minlength=len(points))
    starts = np.cumsum(sizes) - sizes
    out = own.copy()
    least = np.cos(np.minimum(crease, math.pi)) - 1e-9
    pairs = 0
    for groups, width in _groups(sizes):
        pairs += groups.size * width * width
        if pairs > _MOST_PAIRS:
            break
        step = max(_BLOCK // (width * width), 1)
        for at in range(0, groups.size, step):
            some = groups[at : at + step]
            place = np.arange(width)
            filled = place < sizes[some, None]
            rows = order.take(starts[some, None] + place, mode="clip")
            normals = own.take(rows, axis=0)
            normals[~filled] = 0.0
            limit = least[some, None, None] if least.ndim else least
            near = normals @ normals.transpose(0, 2, 1) >= limit
            sums = near.astype(np.float64) @ normals
            out[rows[filled]] = sums.reshape(-1, 3).take(np.flatnonzero(filled), axis=0)
    # where the sum cancels out, the face normal is used
    gone = np.einsum("ij,ij->i", out, out) < 1e-18
    if gone.any():
        out[gone] = own[gone]
    return unit_rows(out)


def has_too_many_pairs(corners: Integers, points: int) -> bool:
    """Whether :func:`crease_normals` leaves some points flat."""
    sizes = np.bincount(corners, minlength=points)
    return bool(sizes.max(initial=0) > _MOST_FACES) or (
        sum(groups.size * width * width for groups, width in _groups(sizes)) > _MOST_PAIRS
    )


def _groups(sizes: Integers) -> Iterator[tuple[Integers, int]]:
    """The points with several faces in groups of similar numbers, and the largest number of each.

    Points with fewer faces are padded with zeros, which add nothing.
    """
    low = 1
    for high in _SIZES:
        groups = np.flatnonzero((sizes > low) & (sizes <= high))
        low = high
        if groups.size:
            yield groups, int(sizes[groups].max())


def owner_of_corners(counts: Integers) -> Integers:
    """The polygon of each corner."""
    return np.repeat(np.arange(counts.size), counts)


def face_normals(points: Floats, corners: Integers, counts: Integers) -> Floats:
    """Unit normals (polygons, 3) by Newell's method; zero for polygons without area."""
    if not corners.size:
        return np.zeros((counts.size, 3))
    near = points.take(corners, axis=0)
    count = int(counts[0])
    if count >= 3 and (counts == count).all():
        polygons = near.reshape(-1, count, 3)
        polygons -= polygons[:, :1].copy()
        pieces = cross(polygons[:, 1:-1], polygons[:, 2:])
        out = pieces[:, 0]
        for k in range(1, count - 2):
            out = out + pieces[:, k]
        return unit_rows(out + 0.0)
    ends = np.cumsum(counts)
    following = np.arange(1, corners.size + 1)
    filled = counts > 0
    starts = (ends - counts)[filled]
    following[ends[filled] - 1] = starts
    near -= near.take(np.repeat(starts, counts[filled]), axis=0)
    pieces = cross(near, near.take(following, axis=0))
    owners = owner_of_corners(counts)
    return unit_rows(np.stack([np.bincount(owners, pieces[:, k], counts.size) for k in range(3)], axis=1))
