"""Whether a closed mesh holds a whole shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unibody.collision.geometry import Part
from unibody.meshes.pieces import pieces
from unibody.meshes.surface import cross
from unibody.model.arrays import Floats

# Directions of rays without a simple ratio, so that they miss edges and vertices; two of three decide.
_RAYS = np.array([[0.5257, 0.2743, 0.8052], [-0.3391, 0.8837, 0.3226], [0.6133, -0.7019, 0.3621]])


@dataclass(frozen=True, slots=True, eq=False)
class Pieces:
    """A point of each connected piece of a part (k, 3), and the triangles (m, 3, 3) of closed pieces.

    ``low`` and ``high`` (3,) are the corners of the box around these triangles.
    """

    starts: Floats
    closed: Floats
    low: Floats
    high: Floats


def pieces_of(part: Part) -> Pieces:
    """The pieces of a part, in its own frame; closed if an even number of triangles share each edge."""
    if part.kind == "halfspace":
        return _boxed(np.empty((0, 3)), np.empty((0, 3, 3)))
    if part.is_solid:
        return _boxed(np.zeros((1, 3)), np.empty((0, 3, 3)))
    triangles, group, closed = pieces(part.vertices, part.faces)
    starts = triangles[np.unique(group, return_index=True)[1], 0]
    return _boxed(starts, triangles[closed])


def _boxed(starts: Floats, closed: Floats) -> Pieces:
    corners = closed.reshape(-1, 3)
    low, high = corners.min(axis=0, initial=np.inf), corners.max(axis=0, initial=-np.inf)
    return Pieces(starts, closed, low, high)


def enclosed(inner: Pieces, pose: Floats, outer: Pieces, outer_pose: Floats) -> bool:
    """Whether a piece of a part is inside of a closed piece of another that it does not touch.

    One point of it decides, since what does not touch is on one side as a whole.
    """
    if not len(outer.closed) or not len(inner.starts):
        return False
    place = np.linalg.inv(outer_pose) @ pose
    starts = inner.starts @ place[:3, :3].T + place[:3, 3]
    starts = starts[((starts > outer.low) & (starts < outer.high)).all(axis=1)]
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
