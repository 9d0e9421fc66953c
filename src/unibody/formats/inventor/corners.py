"""Corners of polygons, strips, grids and lines, with the indices of their points and attributes.

Materials, normals and texture coordinates are bound to shapes, parts, faces or vertices, in order or by
index (Inventor, SoMaterialBinding): all bindings are converted to one index per face or corner.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unibody.formats.inventor import document as d
from unibody.formats.inventor.arrays import Arrays
from unibody.model.arrays import Integers
from unibody.text.dataclass import dataclass

_EMPTY = np.empty(0, np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Corners:
    """Consecutive faces (or lines).

    Per face: ``counts`` (number of corners), ``part`` and ``face`` (indices for bindings). Per corner:
    ``point`` (index of its point), ``slot`` (position in the index lists, including every −1) and
    ``number`` (position among the vertices of the shape).
    """

    counts: Integers
    part: Integers
    face: Integers
    point: Integers
    slot: Integers
    number: Integers

    def only(self, kept: NDArray[np.bool_]) -> Corners:
        """The faces selected by a mask."""
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

    def closed(self, index: Integers) -> Integers:
        """An index per corner as a list with a −1 after each face."""
        ends = np.cumsum(self.counts)
        return np.insert(index, ends, -1) if index.size else _EMPTY


def _corners(
    counts: Integers, rows: tuple[Integers, Integers], columns: tuple[Integers, Integers, Integers]
) -> Corners:
    part, face = rows
    point, slot, number = columns
    return Corners(counts, part, face, point, slot, number)


def polygons(index: Integers, least: int) -> Corners:
    """The parts of an index list, separated by −1; those with fewer than ``least`` corners are dropped,
    but numbered.
    """
    slots = np.flatnonzero(index >= 0)
    ends = np.flatnonzero(index < 0)
    if index.size and index[-1] >= 0:
        ends = np.append(ends, index.size)
    counts = np.diff(ends, prepend=-1) - 1
    numbers = np.arange(counts.size)
    made = _corners(counts, (numbers, numbers), (index[slots], slots, np.arange(slots.size)))
    return made.only(counts >= least)


def runs(counts: Integers, start: int, count: int) -> tuple[Corners, int]:
    """Parts of consecutive points, by their counts (−1: all remaining points of ``count``).

    Also returns the number of parts for which there are enough points.
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
    """The triangles of strips, with consistent winding."""
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
    """The quadrilaterals of a grid of points; its parts are its rows."""
    low = (np.arange(max(rows - 1, 0))[:, None] * columns + np.arange(max(columns - 1, 0))).reshape(-1)
    number = np.stack([low, low + columns, low + columns + 1, low + 1], axis=1).reshape(-1)
    part = np.repeat(np.arange(max(rows - 1, 0)), max(columns - 1, 0))
    return _corners(
        np.full(low.size, 4, np.int64), (part, np.arange(low.size)), (number + start, number, number)
    )


def segments(lines: Corners) -> Corners:
    """The line segments of polylines."""
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
    """The rows of an attribute table per corner (``per_vertex``) or per face."""

    index: Integers
    per_vertex: bool


def bound(binding: str, corners: Corners, doc: d.VertexShape, field: str, arrays: Arrays) -> Bound | None:
    """The rows of an attribute table for the faces or corners of a shape; None: the first row for all.

    Shapes without indices use consecutive rows, also for INDEXED bindings. An index list of −1 (the
    default) stands for the point indices for vertices, and for consecutive rows otherwise.
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


def _taken(table: Integers, rows: Integers) -> Integers:
    """The entries ``rows`` of a table, −1 beyond its end."""
    if not table.size:
        return np.full(rows.size, -1, np.int64)
    return np.where(rows < table.size, table[np.minimum(rows, table.size - 1)], -1)
