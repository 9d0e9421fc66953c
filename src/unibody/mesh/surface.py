"""A surface: triangles with what they look like, and the few measures that checks need of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from unibody.model.shape import Material

Floats: TypeAlias = NDArray[np.float64]
Faces: TypeAlias = NDArray[np.int32]
Matrix: TypeAlias = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Surface:
    """Triangles of one look; the arrays are shared and read-only.

    ``vertices`` (n, 3) in m, each used by a triangle; ``faces`` (m, 3), counter-clockwise seen
    from outside; ``normals`` (n, 3) of length 1, None: flat triangles; ``tex_coords`` (n, 2),
    origin bottom left; ``colors`` (n, 4), red, green, blue and opacity in [0, 1].
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
    """The surface moved by a 4×4 matrix; a mirror turns its triangles round, so that outside stays."""
    if matrix is None:
        return surface
    linear = matrix[:3, :3]
    normals = surface.normals
    scale = linear[0, 0]
    if (linear == np.diag([scale] * 3)).all():
        vertices = surface.vertices * scale if scale != 1.0 else surface.vertices
        determinant = scale
        if normals is not None and scale < 0.0:
            normals = -normals
    else:
        vertices = surface.vertices @ linear.T
        determinant = float(np.linalg.det(linear))
        if normals is not None:
            normals = unit_rows(normals @ cofactors(linear).T * np.sign(determinant))
    if matrix[:3, 3].any():
        vertices = vertices + matrix[:3, 3]
    faces = surface.faces[:, ::-1] if determinant < 0.0 else surface.faces
    return replace(surface, vertices=vertices, faces=faces, normals=normals)


def cofactors(linear: Matrix) -> Matrix:
    """The matrix that normals turn with: determinant · inverse transposed, also for a singular one."""
    a, b, c = linear
    return np.array([np.cross(b, c), np.cross(c, a), np.cross(a, b)])


def unit_rows(rows: Floats) -> Floats:
    """Rows of length 1; a row without a direction stays zero."""
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    lengths[~(lengths > 0.0)] = 1.0
    return np.asarray(rows / lengths[:, None])


def compact(faces: NDArray[np.integer], count: int) -> tuple[Faces, NDArray[np.int64] | None]:
    """Faces over the vertices they use, and the old indices of these; None when all are used."""
    used = np.zeros(count, dtype=bool)
    used[faces.reshape(-1)] = True
    if used.all():
        return faces.astype(np.int32, copy=False), None
    kept = np.flatnonzero(used)
    new = np.cumsum(used, dtype=np.int32) - np.int32(1)
    return new[faces], kept


def joined(surfaces: Sequence[Surface]) -> tuple[Floats, Faces]:
    """Vertices (n, 3) and faces (m, 3) of several surfaces as one."""
    if not surfaces:
        return np.empty((0, 3)), np.empty((0, 3), np.int32)
    starts = np.cumsum([0, *(len(s.vertices) for s in surfaces)])
    vertices = np.concatenate([s.vertices for s in surfaces])
    faces = np.concatenate([s.faces + np.int32(k) for s, k in zip(surfaces, starts[:-1], strict=True)])
    return vertices, faces


def bounds(surfaces: Iterable[Surface]) -> tuple[Floats, Floats] | None:
    """Lowest and highest corner (m) of the box around some surfaces; None around nothing."""
    corners = [(s.vertices.min(0), s.vertices.max(0)) for s in surfaces if len(s.vertices)]
    if not corners:
        return None
    return np.min([low for low, _ in corners], 0), np.max([high for _, high in corners], 0)


def area(surface: Surface) -> float:
    """Sum of the areas of the triangles (m²)."""
    return float(np.linalg.norm(_doubled(surface), axis=1).sum()) / 2.0


def signed_volume(surface: Surface) -> float:
    """Volume inside of a closed surface (m³), negative when it is inside out."""
    corner = surface.vertices[surface.faces[:, 0]]
    return float(np.einsum("ij,ij->", corner, _doubled(surface))) / 6.0


def _doubled(surface: Surface) -> Floats:
    """Normals of the triangles, twice their area long."""
    a, b, c = (surface.vertices[surface.faces[:, i]] for i in range(3))
    return np.cross(b - a, c - a)
