"""Reads PLY files: elements as tables, faces as triangles.

A text file is first converted to the binary form, with all numbers as doubles.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.meshes.indexed import Tables, surface_of, triangles_of, validated, with_vertices
from unibody.meshes.numbers import find_non_number, floats
from unibody.meshes.scene import MeshScene, Request, files_named, single_node
from unibody.model.arrays import Floats, Integers

_TEXTURE = re.compile(r"^comment[ \t]+TextureFile[ \t]+(.+?)[ \t]*$", re.MULTILINE)
_WORD = re.compile(rb"\S+")
_TYPES = {"char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I"}
_TYPES |= {"float": "f", "double": "d", "int8": "b", "uint8": "B", "int16": "h", "uint16": "H"}
_TYPES |= {"int32": "i", "uint32": "I", "float32": "f", "float64": "d"}
_ORDERS = {"ascii": "=", "binary_little_endian": "<", "binary_big_endian": ">"}
_MOST_HEADER = 65536


def ply_companions(data: bytes | memoryview, request: Request) -> Iterator[str]:
    """The images that the comments of a PLY file name, as those of MeshLab do."""
    head = bytes(data[:_MOST_HEADER]).partition(b"end_header")[0].decode("utf-8", "replace")
    return files_named(_TEXTURE.findall(head), request)


@dataclass(slots=True)
class _Property:
    """A column: the type code of its numbers, and that of the length if it is a list."""

    name: str
    kind: str
    length: str = ""


@dataclass(slots=True)
class _Element:
    """An element of the header: its number of rows and its properties."""

    name: str
    count: int
    properties: list[_Property] = field(default_factory=list)

    def column(self, *names: str) -> int:
        """The index of the first of ``names`` that is a property; −1 if there is none."""
        places = [i for name in names for i, p in enumerate(self.properties) if p.name == name]
        return places[0] if places else -1


def read_ply(data: bytes, request: Request) -> MeshScene:
    """Read a PLY file, with normals, texture coordinates and colors; MeshError if it is invalid."""
    order, elements, at = _header(data, request)
    rows = _Rows(data, order, at, request)
    tables: Tables | None = None
    for element in elements:
        if element.name == "vertex" and tables is None:
            tables = _tables(element, rows, request)
        elif element.name == "face":
            return single_node([] if tables is None else _faces(element, rows, tables, request))
        else:
            rows.skip(element)
    if tables is None:
        raise request.broken("element 'vertex' is missing")
    return single_node([])


def _header(data: bytes, request: Request) -> tuple[str, list[_Element], int]:
    """Byte order ("=" for text), the elements, and the offset of the rows."""
    end = data.find(b"end_header", 0, _MOST_HEADER)
    if not data.startswith(b"ply") or end < 0:
        raise request.broken("not a PLY file: header is missing")
    at = end + len(b"end_header")
    at += 2 if data[at : at + 2] == b"\r\n" else 1
    order = ""
    elements: list[_Element] = []
    for line in data[:end].decode("latin-1").splitlines():
        match line.split():
            case ["format", name, *_]:
                order = _ORDERS.get(name, "")
            case ["element", name, count] if count.isascii() and count.isdigit() and len(count) < 12:
                elements.append(_Element(name, int(count)))
            case ["property", "list", length, kind, name] if elements and {length, kind} <= _TYPES.keys():
                elements[-1].properties.append(_Property(name, _TYPES[kind], _TYPES[length]))
            case ["property", kind, name] if elements and kind in _TYPES:
                elements[-1].properties.append(_Property(name, _TYPES[kind]))
            case ["element" | "property", *_]:
                raise request.broken(f"invalid header line '{line.strip()[:60]}'")
    if not order:
        raise request.broken("header has an unknown format, or none")
    return order, elements, at


class _Rows:
    """Reads the rows of a file in sequence."""

    def __init__(self, data: bytes, order: str, at: int, request: Request) -> None:
        self.order, self.at, self.request = order, at, request
        self.data = data
        if order == "=":
            try:
                self.data, self.at = floats(data[at:]).tobytes(), 0
            except ValueError:
                odd = find_non_number(data, (w.span() for w in _WORD.finditer(data, at)), request.path)
                raise request.broken("rows must have numbers only", at=odd) from None

    def _code(self, letter: str) -> str:
        return self.order + ("d" if self.order == "=" else letter)

    def _truncated(self, element: _Element) -> Exception:
        return self.request.broken(f"file ends before the {element.count} rows of element '{element.name}'")

    def plain(self, element: _Element) -> Floats:
        """Read the rows of an element without lists (count, properties)."""
        kinds = [(str(i), self._code(p.kind)) for i, p in enumerate(element.properties)]
        size = sum(struct.calcsize(code) for _, code in kinds)
        if self.at + size * element.count > len(self.data):
            raise self._truncated(element)
        out = np.empty((element.count if kinds else 0, len(kinds)))
        if out.size:
            table: NDArray[Any] = np.frombuffer(self.data, np.dtype(kinds), element.count, self.at)
            for i in range(len(kinds)):
                out[:, i] = table[str(i)]
        self.at += size * element.count
        return out

    def lists(self, element: _Element, chosen: int) -> tuple[Integers, Integers]:
        """Read the lists in column ``chosen`` of an element: lengths (count,), and all their items."""
        if element.count > len(self.data):
            raise self._truncated(element)
        shape = self._shape(element)
        kinds = [
            (f"{part}{i}", self._code(letter), size)
            for i, (p, n) in enumerate(zip(element.properties, shape, strict=True))
            for part, letter, size in (("n", p.length, (1,)), ("v", p.kind, (n if p.length else 1,)))
            if letter
        ]
        record = np.dtype(kinds)
        if self.at + record.itemsize * element.count <= len(self.data):
            block: NDArray[Any] = np.frombuffer(self.data, record, element.count, self.at)
            lists = [i for i, p in enumerate(element.properties) if p.length]
            if all((block[f"n{i}"] == shape[i]).all() for i in lists):
                self.at += record.itemsize * element.count
                items = _as_indices(block[f"v{chosen}"].reshape(-1))
                return np.full(element.count, shape[chosen], np.int64), items
        return self._lists_by_row(element, chosen)

    def skip(self, element: _Element) -> None:
        """Skip the rows of an element."""
        lists = [i for i, p in enumerate(element.properties) if p.length]
        if not lists:
            self.plain(element)
        elif element.count:
            self.lists(element, lists[0])

    def _shape(self, element: _Element) -> list[int]:
        """The lengths of the lists in the next row; 0 for a scalar."""
        out: list[int] = []
        at = self.at
        for p in element.properties:
            if p.length:
                out.append(self._length(element, p, at))
                at += struct.calcsize(self._code(p.length)) + out[-1] * struct.calcsize(self._code(p.kind))
            else:
                out.append(0)
                at += struct.calcsize(self._code(p.kind))
        return out

    def _length(self, element: _Element, p: _Property, at: int) -> int:
        code = self._code(p.length)
        if at + struct.calcsize(code) > len(self.data):
            raise self._truncated(element)
        n = struct.unpack_from(code, self.data, at)[0]
        if not 0 <= n * struct.calcsize(self._code(p.kind)) <= len(self.data) - at or n != int(n):
            raise self._truncated(element)
        return int(n)

    def _lists_by_row(self, element: _Element, chosen: int) -> tuple[Integers, Integers]:
        """The same for lists of different lengths: locates them row by row, then reads all at once."""
        starts, lengths = list[int](), list[int]()
        steps = [
            (struct.Struct(self._code(p.length)) if p.length else None, struct.calcsize(self._code(p.kind)))
            for p in element.properties
        ]
        data, at, n = self.data, self.at, 0.0
        for _ in range(element.count):
            for i, (length, size) in enumerate(steps):
                if length is None:
                    at += size
                    continue
                if at + length.size > len(data):
                    raise self._truncated(element)
                n = length.unpack_from(data, at)[0]
                at += length.size
                if i == chosen:
                    starts.append(at)
                    lengths.append(int(n) if 0 <= n <= len(data) else -1)
                at += int(n) * size if 0 <= n <= len(data) else len(data)
        if at > len(data) or -1 in lengths:
            raise self._truncated(element)
        self.at = at
        return self._gather(
            np.array(starts), np.array(lengths), self._code(element.properties[chosen].kind)
        )

    def _gather(self, starts: Integers, lengths: Integers, code: str) -> tuple[Integers, Integers]:
        """The lengths and items of lists that start at some offsets."""
        size = struct.calcsize(code)
        letters = np.frombuffer(self.data, np.uint8)
        places = np.cumsum(lengths) - lengths
        out = np.empty(int(lengths.sum()), np.int64)
        for n in np.unique(lengths[lengths > 0]).tolist():
            which = np.flatnonzero(lengths == n)
            found = letters[starts[which, None] + np.arange(n * size)].view(code)
            out[places[which, None] + np.arange(n)] = _as_indices(found.reshape(-1)).reshape(-1, n)
        return lengths, out


def _as_indices(items: NDArray[Any]) -> Integers:
    """Indices as integers; others than integers become −1."""
    if items.dtype.kind == "f":
        items = np.where(np.abs(items) < 2**31, items, -1.0)
    return items.astype(np.int64)


def _faces(element: _Element, rows: _Rows, tables: Tables, request: Request) -> list[Any]:
    """The triangles of all faces as a list of at most one surface."""
    chosen = element.column("vertex_indices", "vertex_index")
    if chosen < 0 or not element.properties[chosen].length:
        raise request.broken("faces have no list of vertex indices")
    if not element.count:
        return []
    counts, corners = rows.lists(element, chosen)
    polygons, _ = validated(with_vertices(counts, corners, tables), tables, request, lambda _: None)
    triangles, _ = triangles_of(polygons, tables, request)
    return [surface_of(triangles, polygons, tables)] if len(triangles) else []


def _tables(element: _Element, rows: _Rows, request: Request) -> Tables:
    """Positions, normals, texture coordinates and colors of the vertices."""
    if any(p.length for p in element.properties):
        raise request.broken("unsupported list property of vertices")
    plain = rows.plain(element)

    def table(*names: str) -> Floats | None:
        columns = [element.column(name) for name in names]
        return np.ascontiguousarray(plain[:, columns]) if min(columns) >= 0 else None

    vertices = table("x", "y", "z")
    if vertices is None:
        raise request.broken("vertices must have x, y and z")
    colors = table("red", "green", "blue")
    if colors is not None:
        alpha = table("alpha")
        colors = np.hstack([colors, np.full((len(colors), 1), np.nan) if alpha is None else alpha])
        if element.properties[element.column("red")].kind not in "fd":
            colors = colors / 255.0
        colors = np.clip(np.where(np.isnan(colors), 1.0, colors), 0.0, 1.0)
    pairs = (("s", "t"), ("u", "v"), ("texture_u", "texture_v"))
    tex_coords = next((t for names in pairs if (t := table(*names)) is not None), None)
    found = {"normals": table("nx", "ny", "nz"), "tex_coords": tex_coords, "colors": colors}
    return Tables(vertices, {name: t for name, t in found.items() if t is not None})
