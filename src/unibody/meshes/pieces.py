"""The connected pieces of triangles, and which of them are closed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unibody.model.arrays import Faces, Floats


def pieces(vertices: Floats, faces: Faces) -> tuple[Floats, NDArray[np.intp], NDArray[np.bool_]]:
    """Triangles (n, 3, 3) with three corners, the piece of each (n,), and whether that is closed (n,).

    Equal vertices are one. A piece is closed if an even number of its triangles share each edge.

    >>> corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    >>> tetrahedron = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], np.int32)
    >>> bool(pieces(corners, tetrahedron)[2].all()), bool(pieces(corners, tetrahedron[:3])[2].any())
    (True, False)
    """
    places, number = np.unique(vertices, axis=0, return_inverse=True)
    joined = number.reshape(-1)[faces]
    distinct = (
        (joined[:, 0] != joined[:, 1]) & (joined[:, 1] != joined[:, 2]) & (joined[:, 2] != joined[:, 0])
    )
    joined = joined[distinct]
    group = _connected(joined, len(places))
    edges = np.sort(np.concatenate([joined[:, [0, 1]], joined[:, [1, 2]], joined[:, [2, 0]]]), axis=1)
    keys, counts = np.unique(edges, axis=0, return_counts=True)
    border = np.unique(group[keys[counts % 2 == 1, 0]])
    mine = group[joined[:, 0]]
    return places[joined], mine, ~np.isin(mine, border)


def _connected(faces: NDArray[np.intp], count: int) -> NDArray[np.intp]:
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
