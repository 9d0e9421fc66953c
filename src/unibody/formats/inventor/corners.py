"""The corners of polygons, strips, grids and lines: which point each is, and what else belongs to it.

Materials, normals and texture coordinates go with whole shapes, parts, faces or vertices, one after
another or by indices (Inventor, SoMaterialBinding): here every way becomes one index per face or corner.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unibody.formats.inventor import document as d
from unibody.formats.inventor.arrays import Arrays, Indices

_EMPTY = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """Faces (or lines) one after another.

    ``counts``: corners of each; ``part`` and ``face``: the numbers that materials go by; of each
    corner ``point``, its place ``slot`` in the lists of indices (with every −1 counted) and its
    ``number`` among the vertices of the shape.
    """

    counts: Indices
    part: Indices
    face: Indices
    point: Indices
    slot: Indices
    number: Indices

    def only(self, kept: NDArray[np.bool_]) -> Corners:
        """The faces that a mask keeps."""
        if kept.all():
            return self
        corners = np.repeat(kept, self.counts)
        return Corners(
            self.counts[kept],
            self.part[kept],
            self.face[kept],
            self.point[corners],
            self.slot[corners],
            self.number[corners],
        )

    def closed(self, index: Indices) -> Indices:
        """An index per corner as a list with a −1 behind each face."""
        ends = np.cumsum(self.counts)
        return np.insert(index, ends, -1) if index.size else _EMPTY


def _corners(
    counts: Indices, rows: tuple[Indices, Indices], columns: tuple[Indices, Indices, Indices]
) -> Corners:
    part, face = rows
    point, slot, number = columns
    return Corners(counts, part, face, point, slot, number)


def polygons(index: Indices, least: int) -> Corners:
    """The parts of an index list that −1 separates; those of fewer than ``least`` corners are left out,
    but counted.
    """
    slots = np.flatnonzero(index >= 0)
    ends = np.flatnonzero(index < 0)
    if index.size and index[-1] >= 0:
        ends = np.append(ends, index.size)
    counts = np.diff(ends, prepend=-1) - 1
    numbers = np.arange(counts.size)
    made = _corners(counts, (numbers, numbers), (index[slots], slots, np.arange(slots.size)))
    return made.only(counts >= least)


def runs(counts: Indices, start: int, count: int) -> tuple[Corners, int]:
    """Parts of so many points one after another, −1 takes all that are left of ``count``; and how many
    parts there are points for.
    """
    left = max(count - start, 0)
    sizes = np.clip(counts, 0, left + 1)
    before = np.cumsum(sizes) - sizes
    sizes = np.where(counts < 0, np.maximum(left - before, 0), sizes)
    fitting = int(np.searchsorted(np.cumsum(sizes), left, side="right"))
    sizes = sizes[:fitting]
    number = np.arange(int(sizes.sum()))
    owners = np.arange(fitting)
    return _corners(sizes, (owners, owners), (number + start, number, number)), fitting


def strips(parts: Corners) -> Corners:
    """Strips as their triangles, all with the same side in front."""
    sizes = np.maximum(parts.counts - 2, 0)
    owners = np.repeat(np.arange(sizes.size), sizes)
    starts = np.cumsum(parts.counts) - parts.counts
    step = np.arange(owners.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    first = starts[owners] + step
    odd = step % 2
    corners = np.stack([first + odd, first + 1 - odd, first + 2], axis=1).reshape(-1)
    faces = np.arange(owners.size)
    return _corners(
        np.full(owners.size, 3, np.int64),
        (parts.part[owners], faces),
        (parts.point[corners], parts.slot[corners], parts.number[corners]),
    )


def grid(rows: int, columns: int, start: int) -> Corners:
    """The four-sided faces between the points of a grid; its parts are its rows."""
    low = (np.arange(max(rows - 1, 0))[:, None] * columns + np.arange(max(columns - 1, 0))).reshape(-1)
    number = np.stack([low, low + columns, low + columns + 1, low + 1], axis=1).reshape(-1)
    part = np.repeat(np.arange(max(rows - 1, 0)), max(columns - 1, 0))
    return _corners(
        np.full(low.size, 4, np.int64), (part, np.arange(low.size)), (number + start, number, number)
    )


def segments(lines: Corners) -> Corners:
    """Lines as their pieces of two points."""
    sizes = np.maximum(lines.counts - 1, 0)
    owners = np.repeat(np.arange(sizes.size), sizes)
    starts = np.cumsum(lines.counts) - lines.counts
    first = starts[owners] + np.arange(owners.size) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    corners = np.stack([first, first + 1], axis=1).reshape(-1)
    pieces = np.arange(owners.size)
    return _corners(
        np.full(owners.size, 2, np.int64),
        (pieces, lines.face[owners]),
        (lines.point[corners], lines.slot[corners], lines.number[corners]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """The rows of a table that faces (``per_vertex`` false) or corners take."""

    index: Indices
    per_vertex: bool


def bound(binding: str, corners: Corners, doc: d.VertexShape, field: str, arrays: Arrays) -> Bound | None:
    """How a table goes with a shape; None where its first row serves all.

    Shapes without indices take the rows one after another even where the binding says INDEXED.
    An index list that is −1, the default, is that of the points for vertices, else none.
    """
    if binding in ("OVERALL", "NONE", "DEFAULT"):
        return None
    indexed = binding.endswith("_INDEXED") and isinstance(doc, d.Indexed)
    given = arrays.whole(doc, field) if indexed else _EMPTY
    if given.size and given[0] < 0:
        given = _EMPTY
    if binding.startswith("PER_VERTEX"):
        if not indexed:
            return Bound(corners.number, True)
        return Bound(_taken(given, corners.slot) if given.size else corners.point, True)
    rows = corners.part if binding.startswith("PER_PART") else corners.face
    if given.size:
        rows = _taken(given[given >= 0], rows)
    return Bound(rows, False)


def _taken(table: Indices, rows: Indices) -> Indices:
    """Rows of a table; −1 where it is too short."""
    if not table.size:
        return np.full(rows.size, -1, np.int64)
    return np.where(rows < table.size, table[np.minimum(rows, table.size - 1)], -1)
