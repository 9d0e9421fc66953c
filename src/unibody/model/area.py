"""The area of meshes."""

from __future__ import annotations

import numpy as np

from unibody.model.shape import Mesh

#: The area in m² below which MuJoCo rejects a mesh as too small.
LEAST_AREA = 1e-13


def area(mesh: Mesh) -> float:
    """The area in m² of the faces of a mesh, which are convex."""
    points = np.asarray(mesh.vertices, np.float64).reshape(-1, 3)
    faces = np.asarray(mesh.faces, np.int64)
    if len(faces) % 4 == 0 and bool((faces[3::4] < 0).all()) and int((faces < 0).sum()) * 4 == len(faces):
        a, b, c = (points[faces[k::4]] for k in range(3))
        return float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum()) / 2.0
    total = 0.0
    for face in np.split(faces, np.flatnonzero(faces < 0) + 1):
        corners = points[face[face >= 0]]
        if len(corners) > 2:
            edges = corners[1:] - corners[0]
            total += float(np.linalg.norm(np.cross(edges[:-1], edges[1:]).sum(axis=0))) / 2.0
    return total
