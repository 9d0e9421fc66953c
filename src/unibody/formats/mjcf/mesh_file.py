"""Reads mesh files as MuJoCo does, which differs from what others make of the same file.

MuJoCo stores vertices in single precision and keeps the faces of the first object of an OBJ file only.
The shapes of the model refer to the files; this is for inertias and fitted primitives.
"""

from __future__ import annotations

import os

import numpy as np
from numpy.typing import NDArray

from unibody.formats.mjcf.obj_polygons import triangles_of
from unibody.model.arrays import Floats, Integers
from unibody.text.dataclass import dataclass

_STL_HEADER, _STL_RECORD, _STL_MOST = 84, 50, 200_000
_OBJ_PARTS = (b"o", b"g")


@dataclass(frozen=True, slots=True, eq=False)
class Triangles:
    """Vertices (n, 3) and faces (m, 3); ``parts`` is the number of objects in the file."""

    vertices: Floats
    faces: Integers
    parts: int = 1


class MeshFileError(Exception):
    """A mesh file that MuJoCo rejects; the message says why, ``text`` whether it is an STL file in text."""

    def __init__(self, message: str, *, text: bool = False) -> None:
        super().__init__(message)
        self.text = text


def read_triangles(data: bytes, path: str) -> Triangles:
    """The triangles of a binary STL, OBJ or MSH file; MeshFileError if MuJoCo rejects it."""
    suffix = os.path.splitext(path)[1].lower()
    try:
        if suffix == ".stl":
            return _stl(data)
        if suffix == ".obj":
            return _obj(data)
        if suffix == ".msh":
            return _msh(data)
    except (ValueError, IndexError, OverflowError):
        raise MeshFileError("the file is broken") from None
    raise MeshFileError(f"MuJoCo reads no '{suffix}' files")


def single(values: object) -> Floats:
    """Numbers as MuJoCo stores those of meshes: rounded to single precision."""
    return np.asarray(np.asarray(values, dtype=np.float32), dtype=np.float64)


def _stl(data: bytes) -> Triangles:
    count = int.from_bytes(data[80:_STL_HEADER], "little")
    if (
        len(data) < _STL_HEADER
        or len(data) < _STL_HEADER + _STL_RECORD * count
        or not 1 <= count <= _STL_MOST
    ):
        is_text = data[:5].lower() == b"solid"
        raise MeshFileError(
            "it is a text STL file" if is_text else "it is no binary STL file of 1 to 200000 triangles",
            text=is_text,
        )
    corners: NDArray[np.float32] = np.ndarray((count, 9), "<f4", data, _STL_HEADER + 12, (_STL_RECORD, 4))
    vertices = corners.reshape(-1, 3).astype(np.float64)
    return Triangles(vertices, np.arange(3 * count).reshape(-1, 3))


def _msh(data: bytes) -> Triangles:
    """MuJoCo's own binary format: four counts, then vertices, normals, texture coordinates, faces."""
    vertices, normals, coords, faces = np.frombuffer(data, "<i4", 4).tolist()
    if min(vertices, normals, coords, faces) < 0:
        raise ValueError
    points = np.frombuffer(data, "<f4", 3 * vertices, 16).reshape(-1, 3)
    start = 16 + 4 * (3 * vertices + 3 * normals + 2 * coords)
    corners = np.frombuffer(data, "<i4", 3 * faces, start).reshape(-1, 3)
    made = Triangles(points.astype(np.float64), corners.astype(np.int64))
    _check(made.vertices, made.faces)
    return made


def _obj(data: bytes) -> Triangles:
    lines = [line.split() for line in data.replace(b"\\\n", b" ").splitlines()]
    vertices = single([line[1:4] for line in lines if line and line[0] == b"v"]).reshape(-1, 3)
    polygons: list[list[int]] = []
    parts, seen = 0, 0
    fresh = True
    for line in lines:
        if not line:
            continue
        word = line[0]
        if word == b"v":
            seen += 1
        elif word in _OBJ_PARTS:
            fresh = True
        elif word == b"f":
            parts += fresh
            fresh = False
            if parts == 1:
                corners = [int(corner.partition(b"/")[0]) for corner in line[1:]]
                polygons.append([c - 1 if c > 0 else seen + c for c in corners])
    used = np.array([c for corners in polygons for c in corners], np.int64)
    _check(vertices, used)
    return Triangles(vertices, triangles_of(vertices.astype(np.float32), polygons), max(parts, 1))


def _check(vertices: Floats, faces: Integers) -> None:
    """MeshFileError for vertices that MuJoCo rejects, or faces of other ones."""
    if faces.size and not (int(faces.min()) >= 0 and int(faces.max()) < len(vertices)):
        raise MeshFileError("a face refers to a vertex that does not exist")
    if not np.isfinite(vertices).all():
        raise MeshFileError("a vertex is not finite")
