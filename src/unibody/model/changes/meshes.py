"""Meshes that the model holds, changed as a whole: moved, turned inside out, spelled corner by corner."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.model import shape as s

Linear = NDArray[np.float64]


def moved_points(drawn: s.LineSet | s.PointSet, linear: Linear) -> s.LineSet | s.PointSet:
    """Lines or points under a linear map (3×3)."""
    return replace(drawn, vertices=_times(drawn.vertices, linear))


def moved(mesh: s.Mesh, linear: Linear) -> s.Mesh:
    """A mesh under a linear map (3×3); a mirror turns its faces over, so that outside stays outside."""
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
        # the cofactors of a mirror point the normals inward
        normals = s.floats(-np.asarray(flipped.normals, np.float64)) if len(flipped.normals) else ()
        return replace(flipped, normals=normals, ccw=mesh.ccw)
    return out


def _times(vertices: Any, linear: Linear) -> s.Floats:
    return s.floats(_mapped(vertices, linear))


def _mapped(rows: Any, linear: Linear) -> NDArray[np.float64]:
    """Vectors under a linear map. The last digits of a matrix product would depend on the processor."""
    x, y, z = np.asarray(rows, np.float64).reshape(-1, 3).T
    return np.stack([x * a + y * b + z * c for a, b, c in linear], axis=1)


def turned_over(mesh: s.Mesh) -> s.Mesh:
    """The same surface, its faces written the other way round and ``ccw`` to match.

    >>> turned_over(s.Mesh(vertices=(0.0,) * 9, faces=(0, 1, 2, -1), ccw=False)).faces
    (2, 1, 0, -1)
    """
    faces = np.asarray(mesh.faces, np.int64).reshape(-1)
    order = _reversed(faces)
    # lists without an entry for each −1 go by corners alone
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
    """Places of the corners with each face's own in the opposite order, −1 where they are."""
    at = np.arange(faces.size)
    ends = np.flatnonzero(faces < 0)
    starts = np.concatenate([[0], ends + 1])
    stops = np.append(ends, faces.size)
    of = np.searchsorted(ends, at)
    order: NDArray[np.int64] = starts[of] + stops[of] - 1 - at
    order[ends] = ends
    return order


def outward(mesh: s.Mesh) -> s.Mesh:
    """A mesh whose faces are counter-clockwise seen from outside; the same when they are."""
    return mesh if mesh.ccw else turned_over(mesh)


def per_corner(mesh: s.Mesh) -> s.Mesh:
    """Normals and colors that belong to faces given to each corner of the face instead."""
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
    """The index of each face at each of its corners, −1 where the face ends."""
    ends = np.flatnonzero(faces < 0)
    own = np.asarray(indices, np.int64).reshape(-1)
    own = own if own.size else np.arange(ends.size + 1)
    of = np.minimum(np.searchsorted(ends, np.arange(faces.size)), own.size - 1)
    return s.ints(np.where(faces < 0, -1, own[of]))
