"""Wavefront OBJ: all vertices and all faces of a file converted at once, lines told by their first letters."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from unibody.mesh.corners import Attributes, Corners, surface_of
from unibody.mesh.mtl import read_libraries
from unibody.mesh.numbers import floats, integers
from unibody.mesh.polygon import Indices, owner_of, triangulate
from unibody.mesh.scene import MeshScene, Node, Request
from unibody.mesh.surface import Floats
from unibody.model.shape import Material
from unibody.text.source import Source, Span

_V, _VT, _VN, _F, _OTHER = range(5)
# The kind of a line by its first two bytes.
_KINDS = np.full(65536, _OTHER, np.uint8)
for _letters, _kind in ((b"v", _V), (b"f", _F)):
    for _blank in b" \t":
        _KINDS[_letters[0] << 8 | _blank] = _kind
_KINDS[int.from_bytes(b"vt", "big")] = _VT
_KINDS[int.from_bytes(b"vn", "big")] = _VN
_WORDS = {_V: b"v", _VT: b"vt", _VN: b"vn", _F: b"f"}
_CONTINUED = re.compile(rb"\\[ \t]*\r?\n")
_INDENT = re.compile(rb"^[ \t]+", re.MULTILINE)


@dataclass(slots=True)
class _Lines:
    """A file as lines: where each starts, ends, and what kind it is."""

    data: bytes
    starts: Indices
    kinds: NDArray[np.uint8]
    request: Request

    def of(self, kind: int) -> Indices:
        """Numbers of the lines of a kind."""
        return np.flatnonzero(self.kinds == kind)

    def text(self, lines: Indices, word: bytes) -> bytes:
        """Some lines as one text, without their first word."""
        if not lines.size:
            return b""
        breaks = np.flatnonzero(np.diff(lines) != 1)
        first = lines[np.concatenate([[0], breaks + 1])]
        last = lines[np.concatenate([breaks, [lines.size - 1]])]
        runs = zip(self.starts[first].tolist(), self.starts[last + 1].tolist(), strict=True)
        return b"".join([self.data[a:b] for a, b in runs]).replace(word, b" ")

    def words(self, line: int) -> list[str]:
        """The words of one line."""
        return self.data[self.starts[line] : self.starts[line + 1]].decode("utf-8", "replace").split()

    def span(self, line: int) -> Span:
        """Where a line stands."""
        source = Source(self.request.path, self.data.decode("latin-1"))
        end = len(self.data[self.starts[line] : self.starts[line + 1]].rstrip())
        return Span(source, int(self.starts[line]), int(self.starts[line]) + end)


@dataclass(slots=True)
class _Parts:
    """Which part of the file (object, group, material) each face line belongs to."""

    keys: list[tuple[str, str]] = field(default_factory=lambda: [("", "")])
    lines: list[int] = field(default_factory=lambda: [-1])
    ids: list[int] = field(default_factory=lambda: [0])
    libraries: list[tuple[int, str]] = field(default_factory=list)

    def of(self, lines: Indices) -> Indices:
        """The index in ``keys`` for each line."""
        return np.array(self.ids)[np.searchsorted(np.array(self.lines), lines) - 1]


def read_obj(data: bytes, request: Request) -> MeshScene:
    """The polygons of an OBJ file as triangles, a surface for each object and material."""
    lines = _lines(data, request)
    vertices, colors = _vertices(lines)
    parts = _parts(lines)
    materials = read_libraries([(name, lines.span(k)) for k, name in parts.libraries], request)
    corners, counts, faces = _faces(lines, len(vertices))
    attributes = Attributes(
        vertices,
        _table(lines, _VN, 3, corners.normals is not None),
        _table(lines, _VT, 2, corners.tex_coords is not None),
        colors,
    )
    of = parts.of(faces)
    triangles = triangulate(vertices, corners.vertices, counts, request.work)
    of = of[owner_of(counts)]
    nodes: list[Node] = [Node(end=1)]
    for part in np.unique(of).tolist():
        name, material = parts.keys[part]
        chosen = triangles if len(parts.keys) == 1 else triangles[of == part]
        found = _material(material, materials, request)
        surface = surface_of(chosen, corners, attributes, request)
        if surface is None:
            continue
        if nodes[-1].name != name:
            nodes.append(Node(name=name, end=len(nodes) + 1))
            nodes[0].end = len(nodes)
        nodes[-1].surfaces.append(surface.dressed(found, name))
    return MeshScene(nodes)
