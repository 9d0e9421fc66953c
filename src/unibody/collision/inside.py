"""Whether a closed mesh holds a whole shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unibody.collision.geometry import Part
from unibody.mechanism.arrays import Floats, Indices
from unibody.meshes.surface import Faces, cross

# Directions of rays without a simple ratio, so that they miss edges and vertices; two of three decide.
_RAYS = np.array([[0.5257, 0.2743, 0.8052], [-0.3391, 0.8837, 0.3226], [0.6133, -0.7019, 0.3621]])


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """A point of each connected piece of a part (k, 3), and the triangles (m, 3, 3) of closed pieces."""

    starts: Floats
    closed: Floats


def pieces_of(part: Part) -> Pieces:
    """The pieces of a part, in its own frame; closed if an even number of triangles share each edge."""
    if part.kind == "halfspace":
        return Pieces(np.empty((0, 3)), np.empty((0, 3, 3)))
    if part.kind != "mesh":
        return Pieces(np.zeros((1, 3)), np.empty((0, 3, 3)))
    vertices, number = np.unique(part.vertices, axis=0, return_inverse=True)
    faces = number.reshape(-1)[part.faces]
    distinct = (faces[:, 0] != faces[:, 1]) & (faces[:, 1] != faces[:, 2]) & (faces[:, 2] != faces[:, 0])
    faces = faces[distinct]
    group = _connected(faces, len(vertices))
    starts = vertices[np.unique(group[faces[:, 0]])]
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    keys, counts = np.unique(edges, axis=0, return_counts=True)
    border = np.unique(group[keys[counts % 2 == 1, 0]])
    return Pieces(starts, vertices[faces[~np.isin(group[faces[:, 0]], border)]])


def enclosed(inner: Pieces, pose: Floats, outer: Pieces, outer_pose: Floats) -> bool:
    """Whether a piece of a part is inside of a closed piece of another that it does not touch.

    One point of it decides, since what does not touch is on one side as a whole.
    """
    if not len(outer.closed) or not len(inner.starts):
        return False
    place = np.linalg.inv(outer_pose) @ pose
    starts = inner.starts @ place[:3, :3].T + place[:3, 3]
    low, high = outer.closed.min(axis=(0, 1)), outer.closed.max(axis=(0, 1))
    starts = starts[((starts > low) & (starts < high)).all(axis=1)]
    return any(sum(crossings(point, ray, outer.closed) % 2 for ray in _RAYS) >= 2 for point in starts)


def crossings(point: Floats, ray: Floats, triangles: Floats) -> int:
    """How many triangles (m, 3, 3) a ray from a point crosses (Möller and Trumbore 1997).

    >>> flat = np.array([[[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]]])
    >>> crossings(np.array([0.2, 0.2, 0.0]), np.array([0.0, 0.0, 1.0]), flat)
    1
    """
    corner = triangles[:, 0]
    first, second = triangles[:, 1] - corner, triangles[:, 2] - corner
    across = cross(np.broadcast_to(ray, second.shape), second)
    scale = np.einsum("ij,ij->i", first, across)
    away = point - corner
    other = cross(away, first)
    with np.errstate(all="ignore"):
        u = np.einsum("ij,ij->i", away, across) / scale
        v = other @ ray / scale
        t = np.einsum("ij,ij->i", second, other) / scale
        return int(((u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (t > 0.0)).sum())


def _connected(faces: Faces, count: int) -> Indices:
    """A number for each of ``count`` vertices, equal for those that triangles connect."""
    group = np.arange(count)
    while len(faces):
        lower = group.copy()
        np.minimum.at(lower, faces.reshape(-1), np.repeat(group[faces].min(axis=1), 3))
        lower = lower[lower]
        if (lower == group).all():
            break
        group = lower
    return group
