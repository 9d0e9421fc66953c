"""Transforms embedded meshes: linear maps, reversed faces, attributes per corner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.model import shape as s
from unibody.model.arrays import Matrix


def moved_points(drawn: s.LineSet | s.PointSet, linear: Matrix) -> s.LineSet | s.PointSet:
    """Apply a linear map (3×3) to lines or points."""
    return replace(drawn, vertices=_times(drawn.vertices, linear))


def moved(mesh: s.Mesh, linear: Matrix) -> s.Mesh:
    """Apply a linear map (3×3) to a mesh; a reflection also reverses the faces."""
    out = replace(mesh, vertices=_times(mesh.vertices, linear))
    if len(mesh.normals):
        a, b, c = linear
        cofactors = np.array([np.cross(b, c), np.cross(c, a), np.cross(a, b)])
        rows = _mapped(mesh.normals, cofactors)
        lengths = np.linalg.norm(rows, axis=1)
        lengths[lengths == 0.0] = 1.0
        out = replace(out, normals=s.floats(rows / lengths[:, None]))
    if np.linalg.det(linear) < 0.0:
        flipped = turned_over(out)
        # The cofactors of a reflection point the normals inward.
        normals = s.floats(-np.asarray(flipped.normals, np.float64)) if len(flipped.normals) else ()
        return replace(flipped, normals=normals, ccw=mesh.ccw)
    return out


def _times(vertices: Any, linear: Matrix) -> s.Floats:
    return s.floats(_mapped(vertices, linear))


def _mapped(rows: Any, linear: Matrix) -> NDArray[np.float64]:
    """Apply a linear map to rows; a matrix product would depend on the processor in its last digits."""
    x, y, z = np.asarray(rows, np.float64).reshape(-1, 3).T
    return np.stack([x * a + y * b + z * c for a, b, c in linear], axis=1)


def turned_over(mesh: s.Mesh) -> s.Mesh:
    """Reverse the order of the corners of all faces, and ``ccw``; the surface is the same.

    >>> turned_over(s.Mesh(vertices=(0.0,) * 9, faces=(0, 1, 2, -1), ccw=False)).faces
    (2, 1, 0, -1)
    """
    faces = np.asarray(mesh.faces, np.int64).reshape(-1)
    order = _reversed(faces)
    # Index lists without −1 have one entry per corner.
    corners = np.flatnonzero(faces >= 0)
    place = np.full(faces.size, -1)
    place[corners] = np.arange(corners.size)
    bare = place[order][faces[order] >= 0]

    def along(indices: Any, per_vertex: bool) -> s.Ints:
        given = np.asarray(indices, np.int64).reshape(-1)
        if not given.size or not per_vertex:
            return s.ints(given)
        if given.size == faces.size:
            return s.ints(given[order])
        if given.size == faces.size + 1 and given[-1] == -1:
            return s.ints(np.append(given[:-1][order], -1))
        return s.ints(given[bare]) if given.size == corners.size else s.ints(given)

    return replace(
        mesh,
        faces=s.ints(faces[order]),
        normal_indices=along(mesh.normal_indices, mesh.normal_per_vertex),
        color_indices=along(mesh.color_indices, mesh.color_per_vertex),
        tex_coord_indices=along(mesh.tex_coord_indices, True),
        ccw=not mesh.ccw,
    )


def _reversed(faces: NDArray[np.int64]) -> NDArray[np.int64]:
    """Indices that reverse the corners of each face and keep every −1 in place."""
    at = np.arange(faces.size)
    ends = np.flatnonzero(faces < 0)
    starts = np.concatenate([[0], ends + 1])
    stops = np.append(ends, faces.size)
    of = np.searchsorted(ends, at)
    order: NDArray[np.int64] = starts[of] + stops[of] - 1 - at
    order[ends] = ends
    return order


def outward(mesh: s.Mesh) -> s.Mesh:
    """Make faces counterclockwise seen from outside; the mesh itself if they are."""
    return mesh if mesh.ccw else turned_over(mesh)


def per_corner(mesh: s.Mesh) -> s.Mesh:
    """Convert normals and colors per face to normals and colors per corner."""
    faces = np.asarray(mesh.faces, np.int64).reshape(-1)
    out = mesh
    if not mesh.normal_per_vertex:
        indices = _spread(faces, mesh.normal_indices) if len(mesh.normals) else ()
        out = replace(out, normal_indices=indices, normal_per_vertex=True)
    if not mesh.color_per_vertex:
        indices = _spread(faces, mesh.color_indices) if len(mesh.colors) else ()
        out = replace(out, color_indices=indices, color_per_vertex=True)
    return out


def _spread(faces: NDArray[np.int64], indices: Any) -> s.Ints:
    """Repeat the index of each face for its corners, with −1 at the end of each face."""
    ends = np.flatnonzero(faces < 0)
    own = np.asarray(indices, np.int64).reshape(-1)
    own = own if own.size else np.arange(ends.size + 1)
    of = np.minimum(np.searchsorted(ends, np.arange(faces.size)), own.size - 1)
    return s.ints(np.where(faces < 0, -1, own[of]))
