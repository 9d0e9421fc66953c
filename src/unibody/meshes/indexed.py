"""Indexed polygons: validates the indices of their corners and converts them to surfaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from unibody.meshes.numbers import usable_rows
from unibody.meshes.polygon import owner_of, triangulate
from unibody.meshes.scene import Request
from unibody.meshes.surface import Surface, compact, unit_rows
from unibody.model.arrays import Faces, Floats, Integers
from unibody.text.source import Span

# The place of polygon k in its file.
Place: TypeAlias = Callable[[int], Span | None]


@dataclass(frozen=True, slots=True)
class Tables:
    """Positions (n, 3), and further tables that corners index: ``normals`` (m, 3), ``tex_coords`` (m, 2),
    ``colors`` (m, 4)."""

    vertices: Floats
    extra: dict[str, Floats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Polygons:
    """The number of corners of each polygon, and the index of each corner in each table.

    An array in ``extra`` may be the same object as ``vertices``.
    """

    counts: Integers
    vertices: Integers
    extra: dict[str, Integers] = field(default_factory=dict)

    def only(self, kept: NDArray[np.bool_]) -> Polygons:
        """The polygons selected by a mask."""
        corners = np.repeat(kept, self.counts)
        vertices = self.vertices[corners]
        extra = {
            name: vertices if index is self.vertices else index[corners]
            for name, index in self.extra.items()
        }
        return Polygons(self.counts[kept], vertices, extra)


def with_vertices(counts: Integers, corners: Integers, tables: Tables) -> Polygons:
    """Polygons whose corners index all tables by their vertex."""
    return Polygons(counts, corners, dict.fromkeys(tables.extra, corners))


def validated(
    polygons: Polygons, tables: Tables, request: Request, place: Place
) -> tuple[Polygons, Integers]:
    """The polygons whose corners are existing, finite vertices, and their indices in ``polygons``.

    A table of normals, texture coordinates or colors with an invalid index is left out for all polygons.
    """
    count = len(tables.vertices)
    kept = np.ones(polygons.counts.size, bool)
    bad = _outside(polygons.vertices, count)
    if bad is not None:
        owners = np.repeat(np.arange(polygons.counts.size), polygons.counts)[bad]
        kept[owners] = False
        number = polygons.vertices[bad][0]
        what = (
            f"{int((~kept).sum())} faces refer to unknown vertices, the first to {number} of {count} "
            "(counted from 0); ignoring them"
        )
        request.warn("mesh-index", what, place(int(owners[0])), "export the mesh again")
        polygons = polygons.only(kept)
    which = np.flatnonzero(kept)
    odd = _not_finite(polygons.vertices, tables.vertices)
    if odd is not None:
        owners = np.unique(np.repeat(np.arange(polygons.counts.size), polygons.counts)[odd])
        what = f"{owners.size} faces have NaN or infinite corners; ignoring them"
        request.warn("mesh-not-finite", what, place(int(which[owners[0]])), "export the mesh again")
        finite = np.ones(polygons.counts.size, bool)
        finite[owners] = False
        polygons, which = polygons.only(finite), which[finite]
    return _with_valid_extra(polygons, tables, request), which


def _outside(index: Integers, count: int) -> NDArray[np.bool_] | None:
    if not index.size or (index.min() >= 0 and index.max() < count):
        return None
    return (index < 0) | (index >= count)


def _not_finite(index: Integers, table: Floats) -> NDArray[np.bool_] | None:
    """Mask of the corners whose rows are not finite; None if all are."""
    if index.size < len(table):  # one of many primitives over one large table
        good = usable_rows(table.take(index, axis=0))
        return None if good is None else ~good
    good = usable_rows(table)
    return None if good is None or good[index].all() else ~good[index]


def _with_valid_extra(polygons: Polygons, tables: Tables, request: Request) -> Polygons:
    """Remove the extra indices whose table is missing, too short, or not finite."""
    good: dict[str, Integers] = {}
    for name, index in polygons.extra.items():
        table = tables.extra.get(name)
        if table is None or _outside(index, len(table)) is not None:
            request.warn("mesh-index", f"faces refer to unknown {name}; ignoring all {name}")
        elif _not_finite(index, table) is None:
            good[name] = index
    return polygons if len(good) == len(polygons.extra) else replace(polygons, extra=good)


def triangles_of(polygons: Polygons, tables: Tables, request: Request | None) -> tuple[Integers, Integers]:
    """Triangles (m, 3) as positions among the corners, and the polygon (m,) of each.

    Without a request all polygons are assumed to be convex.
    """
    if request is None:
        triangles = triangulate(tables.vertices, polygons.vertices, polygons.counts)
        return triangles, owner_of(polygons.counts)
    spent = request.work.steps <= 0
    triangles = triangulate(tables.vertices, polygons.vertices, polygons.counts, request.work)
    if request.work.steps <= 0 and not spent:
        request.warn("polygons-too-hard", "polygons with too many corners are not triangulated exactly")
    return triangles, owner_of(polygons.counts)


def _shared(polygons: Polygons, at: Integers, faces: Faces, kept: Integers) -> dict[str, Integers] | None:
    """The row of each kept vertex in every extra table; None if the corners of a vertex differ."""
    rows: dict[str, Integers] = {}
    for name, index in polygons.extra.items():
        if index is polygons.vertices:
            rows[name] = kept
            continue
        own = index.take(at)
        row = np.zeros(kept.size, np.int64)
        row[faces] = own
        if not (row.take(faces) == own).all():
            return None
        rows[name] = row
    return rows


def surface_of(triangles: Integers, polygons: Polygons, tables: Tables) -> Surface:
    """The surface of some triangles; corners share a vertex if all their indices agree everywhere."""
    at = triangles.reshape(-1)
    corners = polygons.vertices.take(at)
    faces, kept = compact(corners.reshape(-1, 3), len(tables.vertices))
    rows = _shared(
        polygons, at, faces.reshape(-1), np.arange(len(tables.vertices)) if kept is None else kept
    )
    if rows is None:
        rows = {name: index.take(at) for name, index in polygons.extra.items()}
        faces, kept = np.arange(corners.size, dtype=np.int32).reshape(-1, 3), corners
    extra = {name: tables.extra[name].take(row, axis=0) for name, row in rows.items()}
    normals = extra.get("normals")
    return Surface(
        tables.vertices if kept is None else tables.vertices.take(kept, axis=0),
        faces,
        None if normals is None else unit_rows(normals),
        extra.get("tex_coords"),
        extra.get("colors"),
    )
