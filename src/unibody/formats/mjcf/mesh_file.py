"""Reads mesh files as MuJoCo does, which differs from what others make of the same file.

MuJoCo stores vertices in single precision and keeps the faces of the first object of an OBJ file only.
The shapes of the model refer to the files; this is for inertias and fitted primitives.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unibody.model.arrays import Floats, Integers, Singles
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


_NOTHING = np.float32(np.finfo(np.float32).eps)


def triangles_of(vertices: Singles, polygons: Sequence[Sequence[int]]) -> Integers:
    """The triangles (m, 3) of polygons of vertices (n, 3), those of three corners first.

    >>> square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], np.float32)
    >>> triangles_of(square, [[0, 1, 2, 3]]).tolist()
    [[0, 1, 3], [1, 2, 3]]
    """
    threes = np.array([p for p in polygons if len(p) == 3], np.int64).reshape(-1, 3)
    fours = np.array([p for p in polygons if len(p) == 4], np.int64).reshape(-1, 4)
    others = [ear for p in polygons if len(p) > 4 for ear in _ears(vertices, p)]
    return np.concatenate((threes, _halves(vertices, fours), np.array(others, np.int64).reshape(-1, 3)))


def _halves(vertices: Singles, fours: Integers) -> Integers:
    """The halves of polygons of four corners: each is divided along its shorter diagonal."""
    a, b, c, d = fours.T
    first, second = (_square(vertices[y] - vertices[x]) for x, y in ((a, c), (b, d)))
    along = first < second
    upper = np.stack((a, b, np.where(along, c, d)), axis=1)
    lower = np.stack((np.where(along, a, b), c, d), axis=1)
    return np.stack((upper, lower), axis=1).reshape(-1, 3)


def _square(edges: Singles) -> Singles:
    x, y, z = edges.T
    return np.asarray(x * x + y * y + z * z, np.float32)


def _ears(vertices: Singles, polygon: Sequence[int]) -> list[tuple[int, int, int]]:
    """The triangles of a polygon: corners are cut off in turn, where no other corner is inside the cut.

    A corner that points inward is passed over, which is decided by the sign of its turn beside that of the
    triangle of the corner before, the corner and the origin. When a whole round cuts nothing, or only in
    its last try, the rest of the polygon is left out.
    """
    points = vertices[np.array(polygon)][:, _axes(vertices[np.array(polygon)])]
    left = list(range(len(polygon)))
    out: list[tuple[int, int, int]] = []
    at, before, tries = 0, len(left), len(left)
    while len(left) > 3 and tries > 0:
        count = len(left)
        tries = tries - 1 if count == before else count
        before = count
        at %= count
        corner = [left[(at + k) % count] for k in range(3)]
        (ax, ay), (bx, by), (cx, cy) = ear = points[corner]
        turn = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
        others = points[[left[(at + k) % count] for k in range(3, count)]]
        if turn * ((ax * by - ay * bx) * np.float32(0.5)) < 0 or _is_any_inside(ear, others):
            at += 1
            continue
        out.append((polygon[corner[0]], polygon[corner[1]], polygon[corner[2]]))
        del left[(at + 1) % count]
    if len(left) == 3:
        out.append((polygon[left[0]], polygon[left[1]], polygon[left[2]]))
    return out


def _axes(corners: Singles) -> list[int]:
    """The two axes in which a polygon is seen: without the one along which its first real corner turns."""
    edges = np.roll(corners, -1, axis=0) - corners
    for x, y, z in np.abs(np.cross(edges, np.roll(edges, -1, axis=0))):
        if max(x, y, z) > _NOTHING:
            if x > y and x > z:
                break
            return [0, 1] if z > x and z > y else [0, 2]
    return [1, 2]


def _is_any_inside(ear: Singles, points: Singles) -> bool:
    """Whether one of the points (n, 2) is inside of a triangle (3, 2): a ray from it crosses one edge."""
    x, y = points.T
    inside = np.zeros(len(points), bool)
    with np.errstate(divide="ignore", invalid="ignore"):
        for (ax, ay), (bx, by) in zip(ear, np.roll(ear, 1, axis=0), strict=True):
            inside ^= ((ay > y) != (by > y)) & (x < (bx - ax) * (y - ay) / (by - ay) + ax)
    return bool(inside.any())
