"""Surfaces: triangles with normals, texture coordinates, colors and material, and their measures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import cast

import numpy as np
from numpy.typing import NDArray

from unibody.model.arrays import Faces, Floats, Matrix
from unibody.model.shape import Material
from unibody.text.dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Triangles with one material; the arrays are shared and read-only.

    ``vertices`` (n, 3) in m, each used by a triangle; ``faces`` (m, 3), vertex indices,
    counter-clockwise seen from outside; ``normals`` (n, 3) of length 1, None for flat triangles;
    ``tex_coords`` (n, 2), origin bottom left; ``colors`` (n, 4), red, green, blue and opacity in [0, 1].
    """

    vertices: Floats
    faces: Faces
    normals: Floats | None = None
    tex_coords: Floats | None = None
    colors: Floats | None = None
    material: Material | None = None
    name: str = ""

    def __post_init__(self) -> None:
        for array in (self.vertices, self.faces, self.normals, self.tex_coords, self.colors):
            if array is not None:
                array.flags.writeable = False


def transformed(surface: Surface, matrix: Matrix | None) -> Surface:
    """The surface transformed by a 4×4 matrix; a mirror flips the triangles, so that they face outward."""
    if matrix is None:
        return surface
    (a, b, c, x), (d, e, f, y), (g, h, i, z), _ = matrix.tolist()
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    vertices, normals, faces = surface.vertices, surface.normals, surface.faces
    if any((b, c, d, f, g, h)):
        vertices = vertices @ matrix[:3, :3].T
    elif not a == e == i == 1.0:
        vertices = vertices * a if a == e == i else vertices * (a, e, i)
    if x or y or z:
        vertices = vertices + matrix[:3, 3]
    if normals is not None and (any((b, c, d, f, g, h)) or not a == e == i > 0.0):
        normals = unit_rows(normals @ cofactors(matrix[:3, :3]).T * (-1.0 if determinant < 0.0 else 1.0))
    if determinant < 0.0:
        faces = faces[:, ::-1]
    return Surface(
        vertices, faces, normals, surface.tex_coords, surface.colors, surface.material, surface.name
    )


# Surfaces with up to this number of vertices are transformed together, up to _LOT vertices at a time,
# whose arrays fit into the processor's cache and into memory that is in use already.
_SMALL, _LOT = 1_000, 4_000


def transformed_all(surfaces: Sequence[Surface], matrices: Sequence[Matrix | None]) -> list[Surface]:
    """Each surface transformed by its matrix, as by :func:`transformed`; small ones in array passes."""
    out = list(surfaces)
    lot: list[int] = []
    size = 0
    for k, (surface, matrix) in enumerate(zip(surfaces, matrices, strict=True)):
        count = len(surface.vertices)
        if matrix is None:
            continue
        if count > _SMALL:
            out[k] = transformed(surface, matrix)
            continue
        if size + count > _LOT:
            _transform_lot(out, matrices, lot)
            lot, size = [], 0
        lot.append(k)
        size += count
    _transform_lot(out, matrices, lot)
    return out


def _transform_lot(surfaces: list[Surface], matrices: Sequence[Matrix | None], lot: list[int]) -> None:
    """Transform some of the surfaces in place, in one array pass."""
    if len(lot) < 4:
        for k in lot:
            surfaces[k] = transformed(surfaces[k], matrices[k])
        return
    olds = [surfaces[k] for k in lot]
    stack = np.array([matrices[k] for k in lot])
    linear = stack[:, :3, :3]
    determinant = np.einsum("ki,ki->k", linear[:, 0], cross(linear[:, 1], linear[:, 2]))
    vertices, ends = _rotated([old.vertices for old in olds], linear)
    vertices += np.repeat(stack[:, :3, 3], np.diff(ends), axis=0)
    # a uniform scale changes no normals
    scale = linear[:, 0, 0]
    turns = ~((scale > 0.0) & (linear == scale[:, None, None] * np.eye(3)).all(axis=(1, 2)))
    new_normals = [old.normals for old in olds]
    if turned := [i for i, normals in enumerate(new_normals) if normals is not None and turns[i]]:
        rows = linear[turned]
        adjoint = np.stack([cross(rows[:, i - 2], rows[:, i - 1]) for i in range(3)], axis=1)
        adjoint[determinant[turned] < 0.0] *= -1.0
        rotated, stops = _rotated([cast(Floats, new_normals[i]) for i in turned], adjoint)
        rotated = unit_rows(rotated)
        for i, start, end in zip(turned, stops, stops[1:], strict=False):
            new_normals[i] = rotated[start:end]
    mirrored = (determinant < 0.0).tolist()
    for i, (k, old) in enumerate(zip(lot, olds, strict=True)):
        surfaces[k] = Surface(
            vertices[ends[i] : ends[i + 1]],
            old.faces[:, ::-1] if mirrored[i] else old.faces,
            new_normals[i],
            old.tex_coords,
            old.colors,
            old.material,
            old.name,
        )


def _rotated(tables: Sequence[Floats], matrices: Floats) -> tuple[Floats, list[int]]:
    """The rows of each table times its 3×3 matrix, one after the other, and where the tables start."""
    ends = np.cumsum([0, *map(len, tables)]).tolist()
    rows = np.empty((ends[-1], 3))
    transposed = matrices.transpose(0, 2, 1)
    for k, table in enumerate(tables):
        np.matmul(table, transposed[k], out=rows[ends[k] : ends[k + 1]])
    return rows, ends


def with_material(surface: Surface, material: Material | None, name: str | None = None) -> Surface:
    """The surface with another material, and with another name if one is given."""
    return Surface(
        surface.vertices,
        surface.faces,
        surface.normals,
        surface.tex_coords,
        surface.colors,
        material,
        surface.name if name is None else name,
    )


def cofactors(linear: Matrix) -> Matrix:
    """The 3×3 matrix that transforms normals: determinant · inverse transpose, defined if singular too."""
    (a, b, c), (d, e, f), (g, h, i) = linear.tolist()
    return np.array(
        [
            (e * i - f * h, f * g - d * i, d * h - e * g),
            (h * c - i * b, i * a - g * c, g * b - h * a),
            (b * f - c * e, c * d - a * f, a * e - b * d),
        ]
    )


def cross(a: Floats, b: Floats) -> Floats:
    """Cross products of vectors (..., 3) in a fraction of the time of ``np.cross``."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    out = np.empty(np.broadcast(a, b).shape)
    np.subtract(ay * bz, az * by, out=out[..., 0])
    np.subtract(az * bx, ax * bz, out=out[..., 1])
    np.subtract(ax * by, ay * bx, out=out[..., 2])
    return out


def unit_rows(rows: Floats) -> Floats:
    """Rows (n, k) scaled to length 1; zero rows stay zero."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    if not lengths.size or not lengths.min() > 0.0:
        lengths[~(lengths > 0.0)] = 1.0
    return np.asarray(rows / lengths[:, None])


def compact(faces: NDArray[np.integer], count: int) -> tuple[Faces, NDArray[np.int64] | None]:
    """Faces renumbered over the vertices in use, and the old indices of these (None if all are used)."""
    if 8 * faces.size < count:
        kept, new = np.unique(faces, return_inverse=True)
        return new.reshape(faces.shape).astype(np.int32), kept
    used = np.zeros(count, dtype=bool)
    used[faces.reshape(-1)] = True
    if used.all():
        return faces.astype(np.int32, copy=False), None
    kept = np.flatnonzero(used)
    number = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return number.take(faces), kept


def joined(surfaces: Sequence[Surface]) -> tuple[Floats, Faces]:
    """Concatenate surfaces into vertices (n, 3) and faces (m, 3)."""
    if not surfaces:
        return np.empty((0, 3)), np.empty((0, 3), np.int32)
    starts = np.cumsum([0, *(len(s.vertices) for s in surfaces)])
    vertices = np.concatenate([s.vertices for s in surfaces])
    faces = np.concatenate([s.faces + np.int32(k) for s, k in zip(surfaces, starts[:-1], strict=True)])
    return vertices, faces


def bounds(surfaces: Iterable[Surface]) -> tuple[Floats, Floats] | None:
    """Lowest and highest corner (3,) of the bounding box (m); None without vertices."""
    corners = [(s.vertices.min(0), s.vertices.max(0)) for s in surfaces if len(s.vertices)]
    if not corners:
        return None
    return np.min([low for low, _ in corners], 0), np.max([high for _, high in corners], 0)


def area(surface: Surface) -> float:
    """Total area of the triangles (m²)."""
    return float(np.linalg.norm(_area_normals(surface), axis=1).sum()) / 2.0


def signed_volume(surface: Surface) -> float:
    """Volume of a closed surface (m³), negative if it is inside out."""
    corner = surface.vertices[surface.faces[:, 0]]
    return float(np.einsum("ij,ij->", corner, _area_normals(surface))) / 6.0


def _area_normals(surface: Surface) -> Floats:
    """Normals (m, 3) of the triangles, of length twice their area."""
    a, b, c = (surface.vertices[surface.faces[:, i]] for i in range(3))
    return cross(b - a, c - a)
