"""Reads COLLADA geometries: sources and the primitives that index them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unibody.meshes.batch import Part, surfaces_of
from unibody.meshes.collada_text import Document, child, children
from unibody.meshes.indexed import Polygons, Tables
from unibody.meshes.polygon import strip_corners
from unibody.meshes.surface import Surface
from unibody.model.arrays import Floats, Integers
from unibody.text.node import Node

_PRIMITIVES = ("triangles", "polylist", "polygons", "tristrips", "trifans")
_WIDTHS = {"POSITION": 3, "NORMAL": 3, "TEXCOORD": 2, "COLOR": 4}
_EXTRA = {"NORMAL": "normals", "TEXCOORD": "tex_coords", "COLOR": "colors"}
_MOST_INPUTS = 64


@dataclass(slots=True)
class Primitive:
    """The polygons of a primitive, and the symbol that an instance binds to its material.

    ``surface`` is set by :meth:`Geometries.tessellate`; None without a triangle.
    """

    symbol: str
    part: Part
    surface: Surface | None = None


@dataclass(frozen=True, slots=True)
class _Input:
    """An <input>: one column of a primitive's indices, its semantic and its source."""

    semantic: str
    offset: int
    source: Node


class Geometries:
    """Reads the geometries of a document, each once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.primitives: dict[int, list[Primitive]] = {}
        self.tables: dict[tuple[int, str], Floats] = {}

    def of(self, geometry: Node) -> list[Primitive]:
        """The primitives of a geometry that have polygons."""
        known = self.primitives.get(id(geometry))
        if known is None:
            mesh = child(geometry, "mesh") or child(geometry, "convex_mesh")
            known = []
            for primitive in children(mesh, *_PRIMITIVES):
                part = self._part(primitive)
                if part is not None:
                    known.append(Primitive(primitive.word("material") or "", part))
            self.primitives[id(geometry)] = known
        return known

    def tessellate(self) -> None:
        """Set the surfaces of all primitives read so far."""
        found = [primitive for some in self.primitives.values() for primitive in some]
        for primitive, surface in zip(found, surfaces_of([p.part for p in found]), strict=True):
            primitive.surface = surface

    def _part(self, primitive: Node) -> Part | None:
        inputs, stride = self._inputs(primitive)
        if "POSITION" not in inputs:
            self.document.request.warn(
                "mesh-broken", f"<{primitive.tag}> without positions; ignoring it", primitive.span
            )
            return None
        rows, counts = self._rows(primitive, stride)
        points = self._table(inputs["POSITION"].source, "POSITION")
        if not counts.size or points is None:
            return None
        columns = {i.offset: np.ascontiguousarray(rows[:, i.offset]) for i in inputs.values()}
        tables, extra = Tables(points), dict[str, Integers]()
        for semantic, name in _EXTRA.items():
            found = inputs.get(semantic)
            table = None if found is None else self._table(found.source, semantic)
            if found is not None and table is not None:
                tables.extra[name], extra[name] = table, columns[found.offset]
        polygons = Polygons(counts, columns[inputs["POSITION"].offset], extra)
        return Part(polygons, tables, self.document.request, place=lambda _: primitive.span)

    def _inputs(self, primitive: Node) -> tuple[dict[str, _Input], int]:
        """The first input of each semantic, those of <vertices> included, and the indices per corner."""
        document = self.document
        out: dict[str, _Input] = {}
        stride = 1
        for element in children(primitive, "input"):
            offset = document.count(element, "offset", 0)
            if offset >= _MOST_INPUTS:
                raise document.request.broken("<input> has too large an offset", at=element.span)
            stride = max(stride, offset + 1)
            semantic = element.word("semantic") or ""
            if semantic != "VERTEX":
                source = document.named(element.word("source"), "source", user=element)
                if source is not None:
                    out.setdefault(semantic, _Input(semantic, offset, source))
                continue
            vertices = document.named(element.word("source"), "vertices", user=element)
            for inner in children(vertices, "input"):
                source = document.named(inner.word("source"), "source", user=inner)
                if source is not None:
                    semantic = inner.word("semantic") or ""
                    out.setdefault(semantic, _Input(semantic, offset, source))
        return {name: i for name, i in out.items() if name in _WIDTHS}, stride

    def _table(self, source: Node, semantic: str) -> Floats | None:
        """The rows of a source, as wide as the semantic requires; None if it is too narrow."""
        key = (id(source), semantic)
        if key not in self.tables:
            table = self._read(source, _WIDTHS[semantic], semantic == "COLOR")
            if table is None:
                return None
            self.tables[key] = table
        return self.tables[key]

    def _read(self, source: Node, width: int, padded: bool) -> Floats | None:
        document = self.document
        accessor = child(source, "technique_common", "accessor")
        array = child(source, "float_array") or child(source, "int_array")
        stride, offset = width, 0
        if accessor is not None:
            array = document.named(accessor.word("source"), "float_array", "int_array", user=accessor)
            stride = document.count(accessor, "stride", 1)
            offset = document.count(accessor, "offset", 0)
        if array is None or not stride:
            return None
        numbers = document.floats(array)
        count = document.count(array, "count", numbers.size)
        if count != numbers.size:
            what = f"<{array.tag}> has {numbers.size} numbers, but its count is {count}"
            document.request.warn("list-length", what, array.span)
        numbers = numbers[offset:]
        rows = numbers[: numbers.size - numbers.size % stride].reshape(-1, stride)
        if padded and stride == 3:
            rows = np.hstack([rows, np.ones((len(rows), 1))])
        return rows[:, :width] if rows.shape[1] >= width else None

    def _rows(self, primitive: Node, stride: int) -> tuple[Integers, Integers]:
        """The indices of all corners (corners, stride), and the number of corners of each polygon."""
        document, tag = self.document, primitive.tag
        lists = [document.integers(p) for p in children(primitive, "p")]
        for holed in children(primitive, "ph"):
            document.request.warn(
                "polygon-holes", "unsupported holes in polygons; filling them", holed.span
            )
            lists += [document.integers(p) for p in children(holed, "p")]
        pieces = [p[: p.size - p.size % stride].reshape(-1, stride) for p in lists]
        if not pieces:
            return np.empty((0, stride), np.int64), np.empty(0, np.int64)
        if tag == "polygons":
            return np.concatenate(pieces), np.array([len(p) for p in pieces], np.int64)
        if tag in ("tristrips", "trifans"):
            pieces = [p[strip_corners(len(p), tag == "trifans")] for p in pieces]
        rows = pieces[0] if len(pieces) == 1 else np.concatenate(pieces)
        if tag == "polylist":
            return self._listed(primitive, rows)
        whole = len(rows) // 3
        return rows[: 3 * whole], np.full(whole, 3, np.int64)

    def _listed(self, primitive: Node, rows: Integers) -> tuple[Integers, Integers]:
        counts = np.concatenate(
            [np.empty(0, np.int64), *(self.document.integers(v) for v in children(primitive, "vcount"))]
        )
        if counts.size and (counts.min() < 0 or counts.max() > len(rows)):
            raise self.document.request.broken("<vcount> does not match <p>", at=primitive.span)
        ends = np.cumsum(counts)
        if counts.size and ends[-1] != len(rows):
            what = f"<vcount> has {ends[-1]} corners in total, but <p> has {len(rows)}"
            self.document.request.warn("mesh-index", what, primitive.span)
            counts = counts[ends <= len(rows)]
        return rows[: int(counts.sum())], counts
