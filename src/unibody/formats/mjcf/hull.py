"""The convex hull of points, as triangles."""

from __future__ import annotations

import numpy as np

from unibody.formats.mjcf.mesh_file import Faces, Floats


def convex_hull(points: Floats, height: float = 0.0) -> Faces | None:
    """The outward faces (m, 3) of the convex hull of points (n, 3); None if they lie in a plane.

    Adds the farthest point that is outside, until there is none, or none farther than ``height``.

    >>> len(convex_hull(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]])))
    4
    """
    start = _simplex(points)
    if start is None:
        return None
    smallest = 1e-12 * float(np.abs(points - points[start[0]]).max())
    tolerance = max(height, smallest)
    a, b, c, d = start
    inside = points[start].mean(0)
    faces = np.array([(a, b, c), (a, c, d), (a, d, b), (b, d, c)])
    inward = np.einsum("ij,ij->i", inside - points[faces[:, 0]], _normals(points, faces)) > 0.0
    faces[inward] = faces[inward][:, ::-1]
    normals, offsets = _planes(points, faces)
    # Each point that is outside belongs to one face that it is outside of, at this height.
    left = np.setdiff1d(np.arange(len(points)), start)
    owners, heights = _owners(points[left], normals, offsets)
    while True:
        outside = heights > tolerance
        left, owners, heights = left[outside], owners[outside], heights[outside]
        if not left.size:
            return faces
        new = int(left[int(heights.argmax())])
        seen = normals @ points[new] - offsets > smallest
        edges = set(map(tuple, faces[seen][:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2).tolist()))
        made = np.array([(p, q, new) for p, q in edges if (q, p) not in edges])
        more_normals, more_offsets = _planes(points, made)
        orphans = seen[owners] & (left != new)
        kept = int((~seen).sum())
        places = np.cumsum(~seen) - 1
        found, found_heights = _owners(points[left[orphans]], more_normals, more_offsets)
        stays = ~seen[owners]
        owners = np.concatenate([places[owners[stays]], kept + found])
        heights = np.concatenate([heights[stays], found_heights])
        left = np.concatenate([left[stays], left[orphans]])
        faces = np.concatenate([faces[~seen], made])
        normals = np.concatenate([normals[~seen], more_normals])
        offsets = np.concatenate([offsets[~seen], more_offsets])


def _owners(points: Floats, normals: Floats, offsets: Floats) -> tuple[Faces, Floats]:
    """The face that each point is farthest outside of, and how far."""
    if not len(points):
        return np.zeros(0, np.int64), np.zeros(0)
    heights = points @ normals.T - offsets
    owners = heights.argmax(1)
    return owners, heights[np.arange(len(points)), owners]


def _simplex(points: Floats) -> list[int] | None:
    """Four points that are not in a plane."""
    if len(points) < 4:
        return None
    size = float(np.ptp(points, axis=0).max())
    axis = int(np.ptp(points, axis=0).argmax())
    a, b = int(points[:, axis].argmin()), int(points[:, axis].argmax())
    along = points[b] - points[a]
    off = np.linalg.norm(np.cross(points - points[a], along), axis=1)
    c = int(off.argmax())
    if not off[c] > 1e-12 * size * size:
        return None
    normal = np.cross(along, points[c] - points[a])
    heights = np.abs((points - points[a]) @ normal)
    d = int(heights.argmax())
    return [a, b, c, d] if heights[d] > 1e-12 * size**3 else None


def _normals(points: Floats, faces: Faces) -> Floats:
    a, b, c = np.moveaxis(points[faces], 1, 0)
    return np.cross(b - a, c - a)


def _planes(points: Floats, faces: Faces) -> tuple[Floats, Floats]:
    """Unit normals (m, 3) of faces, and the offsets of their planes (m,)."""
    normals = _normals(points, faces)
    lengths = np.linalg.norm(normals, axis=1, keepdims=True)
    normals = normals / np.where(lengths > 0.0, lengths, 1.0)
    return normals, np.einsum("ij,ij->i", normals, points[faces[:, 0]])
