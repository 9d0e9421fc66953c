"""Reads STL files: maps binary files as arrays, and parses the numbers of text files at once."""

from __future__ import annotations

import math
import re

import numpy as np
from numpy.typing import NDArray

from unibody.meshes.numbers import find_non_number, floats, usable_rows
from unibody.meshes.scene import MeshScene, Request, single_node
from unibody.meshes.store import ArrayPool
from unibody.meshes.surface import Surface, compact
from unibody.model.arrays import Faces, Floats

_HEADER, _RECORD = 84, 50
_TEXT = re.compile(rb"\A\s*solid\b[^\n\r]{0,1000}[\r\n\s]\s*(?:facet|endsolid)\b", re.IGNORECASE)
_WORDS = (b"facet normal", b"outer loop", b"vertex", b"endloop", b"endfacet")
_LONG_VERTEX = re.compile(rb"vertex(?:[ \t]+[^\s]+){3}[ \t]+[-+.0-9]", re.IGNORECASE)
_VERTEX = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)


def is_binary_stl(data: bytes | memoryview) -> bool:
    """Whether the size of a file is that of a binary STL file with as many triangles as it says."""
    return len(data) >= _HEADER and len(data) == _HEADER + _RECORD * _count(data)


def is_text_stl(data: bytes) -> bool:
    """Whether a text begins as that of an STL file."""
    return _TEXT.match(data[:4096]) is not None


def _count(data: bytes | memoryview) -> int:
    return int.from_bytes(data[80:_HEADER], "little") if len(data) >= _HEADER else 0


def read_stl(data: bytes | memoryview, request: Request) -> MeshScene:
    """Read an STL file; MeshError (``triangle-count``, ``mesh-broken``) if it is invalid.

    A file is binary if its size matches its triangle count, whatever its first word is.
    """
    count = _count(data)
    size = _HEADER + _RECORD * count
    if not is_binary_stl(data) and is_text_stl(bytes(data[:4096])):
        vertices = _text_vertices(bytes(data), request)
        if len(vertices):
            request.findings.info(
                "mesh-text",
                f"{request.path}: text STL file; MuJoCo and PyBullet read only binary ones",
                request.at,
                "save it as binary STL",
            )
        return _scene(vertices, request, False)
    if len(data) < _HEADER:
        raise request.broken("not an STL file: neither text nor long enough for a binary file")
    if size > len(data):
        held = (len(data) - _HEADER) // _RECORD
        raise request.broken(
            f"triangle count is {count}, but the file holds only {held} triangles", "triangle-count"
        )
    if size < len(data):
        request.findings.info(
            "trailing-bytes",
            f"{request.path}: {len(data) - size} bytes after the last triangle; ignoring them",
            request.at,
        )
    return _scene(_binary_vertices(data, count, request.store), request, True)


def _binary_vertices(data: bytes | memoryview, count: int, store: ArrayPool) -> Floats:
    """Three vertices for each triangle (3 n, 3); the file's normals and attributes are ignored."""
    if not count:
        return np.empty((0, 3))
    corners: NDArray[np.float32] = np.ndarray((count, 9), "<f4", data, _HEADER + 12, (_RECORD, 4))
    vertices = store.floats(count, 9)
    vertices[...] = corners
    return vertices.reshape(-1, 3)


def _text_vertices(data: bytes, request: Request) -> Floats:
    """Three vertices for each facet of a text file (3 n, 3)."""
    bare = _without_names(data.lower())
    facets = bare.count(b"facet normal")
    for word in _WORDS:
        bare = bare.replace(word, b"")
    try:
        numbers = floats(bare)
        if facets and numbers.size == 12 * facets:
            return np.ascontiguousarray(numbers.reshape(-1, 12)[:, 3:]).reshape(-1, 3)
    except ValueError:
        pass
    # Irregular spacing, or invalid normals: only the vertices matter.
    if _LONG_VERTEX.search(data):
        raise request.broken("vertex with more than three numbers")
    found = _VERTEX.findall(data)
    try:
        vertices = floats(b" ".join(word for row in found for word in row)).reshape(-1, 3)
    except ValueError:
        places = (v.span(k) for v in _VERTEX.finditer(data) for k in (1, 2, 3))
        at = find_non_number(data, places, request.path)
        raise request.broken("vertex must have numbers only", at=at) from None
    if len(vertices) % 3:
        raise request.broken(f"number of vertices {len(vertices)} is not a multiple of 3")
    return vertices


def _without_names(text: bytes) -> bytes:
    """The text without the lines "solid NAME" and "endsolid NAME", whose names are arbitrary."""
    pieces: list[bytes] = []
    at = 0
    while (word := text.find(b"solid", at)) >= 0:
        pieces.append(text[at : max(text.rfind(b"\n", at, word), at)])
        end = text.find(b"\n", word)
        at = end if end >= 0 else len(text)
    return b"".join([*pieces, text[at:]])


def _scene(vertices: Floats, request: Request, single_precision: bool) -> MeshScene:
    faces: Faces = request.store.arange(len(vertices)).reshape(-1, 3)
    rows = vertices.reshape(-1, 9)
    # 32-bit numbers are always in range, and a sum, the fastest test, propagates NaN and infinities.
    good = None if single_precision and math.isfinite(rows.sum()) else usable_rows(rows)
    if good is not None:
        request.warn(
            "mesh-not-finite",
            f"{int((~good).sum())} triangles have NaN or infinite corners; ignoring them",
            hint="export the mesh again",
        )
        faces, kept = compact(faces[good], len(vertices))
        vertices = vertices if kept is None else vertices[kept]
    return single_node([Surface(vertices, faces)] if len(faces) else [])
