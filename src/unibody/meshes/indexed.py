"""Polygons whose corners index tables of positions, normals, colours: checked, and made surfaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from unibody.meshes.numbers import usable_rows
from unibody.meshes.polygon import Indices, owner_of, triangulate
from unibody.meshes.scene import Request
from unibody.meshes.surface import Faces, Floats, Surface, compact, unit_rows
from unibody.text.source import Span

# Where polygon number k stands in its file.
Place: TypeAlias = Callable[[int], Span | None]


@dataclass(frozen=True, slots=True)
class Tables:
    """Positions (n, 3), and what else corners may index: ``normals`` (m, 3), ``tex_coords`` (m, 2),
    ``colors`` (m, 4)."""

    vertices: Floats
    extra: dict[str, Floats] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Polygons:
    """Corners of all polygons one after another: how many each has, and their index in each table.

    An extra index may be the very same object as that of the vertices.
    """

    counts: Indices
    vertices: Indices
    extra: dict[str, Indices] = field(default_factory=dict)

    def only(self, kept: NDArray[np.bool_]) -> Polygons:
        """The polygons that a mask keeps."""
        corners = np.repeat(kept, self.counts)
        vertices = self.vertices[corners]
        extra = {
            name: vertices if index is self.vertices else index[corners]
            for name, index in self.extra.items()
        }
        return Polygons(self.counts[kept], vertices, extra)


def with_vertices(counts: Indices, corners: Indices, tables: Tables) -> Polygons:
    """Polygons whose corners take all they have from the vertices they name."""
    return Polygons(counts, corners, dict.fromkeys(tables.extra, corners))


def checked(polygons: Polygons, tables: Tables, request: Request, place: Place) -> tuple[Polygons, Indices]:
    """The polygons without those that name no vertex or one that is no point, and which these are.

    Normals, texture coordinates and colours that are not there are left out for all.
    """
    count = len(tables.vertices)
    kept = np.ones(polygons.counts.size, bool)
    bad = _outside(polygons.vertices, count)
    if bad is not None:
        owners = np.repeat(np.arange(polygons.counts.size), polygons.counts)[bad]
        kept[owners] = False
        number = polygons.vertices[bad][0]
        what = f"{int((~kept).sum())} faces name vertices that do not exist: {number} of {count}, from 0"
        request.warn("mesh-index", what, place(int(owners[0])), "these faces are left out")
        polygons = polygons.only(kept)
    which = np.flatnonzero(kept)
    odd = _odd(polygons.vertices, tables.vertices)
    if odd is not None:
        owners = np.unique(np.repeat(np.arange(polygons.counts.size), polygons.counts)[odd])
        what = f"{owners.size} faces have NaN or infinite corners"
        request.warn("mesh-not-finite", what, place(int(which[owners[0]])), "these faces are left out")
        finite = np.ones(polygons.counts.size, bool)
        finite[owners] = False
        polygons, which = polygons.only(finite), which[finite]
    return _attributes(polygons, tables, request), which


def _outside(index: Indices, count: int) -> NDArray[np.bool_] | None:
    if not index.size or (index.min() >= 0 and index.max() < count):
        return None
    return (index < 0) | (index >= count)


def _odd(index: Indices, table: Floats) -> NDArray[np.bool_] | None:
    """Which of the rows that are named are no places; None when all are."""
    if index.size < len(table):  # one of many primitives over one large table
        good = usable_rows(table[index])
        return None if good is None else ~good
    good = usable_rows(table)
    return None if good is None or good[index].all() else ~good[index]


def _attributes(polygons: Polygons, tables: Tables, request: Request) -> Polygons:
    """Without the extras whose table is missing, too short, or not finite."""
    good: dict[str, Indices] = {}
    for name, index in polygons.extra.items():
        table = tables.extra.get(name)
        if table is None or _outside(index, len(table)) is not None:
            request.warn("mesh-index", f"faces name {name} that do not exist; all {name} are left out")
        elif _odd(index, table) is None:
            good[name] = index
    return polygons if len(good) == len(polygons.extra) else replace(polygons, extra=good)


def triangles_of(polygons: Polygons, tables: Tables, request: Request | None) -> tuple[Indices, Indices]:
    """Triangles (m, 3) as positions among the corners, and the polygon that each is of.

    Without a request all polygons are taken as convex.
    """
    if request is None:
        triangles = triangulate(tables.vertices, polygons.vertices, polygons.counts)
        return triangles, owner_of(polygons.counts)
    spent = request.work.steps <= 0
    triangles = triangulate(tables.vertices, polygons.vertices, polygons.counts, request.work)
    if request.work.steps <= 0 and not spent:
        request.warn("polygons-too-hard", "polygons with very many corners are not filled exactly")
    return triangles, owner_of(polygons.counts)


def _shared(polygons: Polygons, at: Indices, faces: Faces, kept: Indices) -> dict[str, Indices] | None:
    """For each vertex that is kept its row in every extra table; None when its corners differ in one."""
    rows: dict[str, Indices] = {}
    for name, index in polygons.extra.items():
        if index is polygons.vertices:
            rows[name] = kept
            continue
        own = index[at]
        row = np.zeros(kept.size, np.int64)
        row[faces] = own
        if not (row[faces] == own).all():
            return None
        rows[name] = row
    return rows


def surface_of(triangles: Indices, polygons: Polygons, tables: Tables) -> Surface:
    """A surface of some triangles; corners stay shared where all their indices go together."""
    at = triangles.reshape(-1)
    corners = polygons.vertices[at]
    faces, kept = compact(corners.reshape(-1, 3), len(tables.vertices))
    rows = _shared(
        polygons, at, faces.reshape(-1), np.arange(len(tables.vertices)) if kept is None else kept
    )
    if rows is None:
        rows = {name: index[at] for name, index in polygons.extra.items()}
        faces, kept = np.arange(corners.size, dtype=np.int32).reshape(-1, 3), corners
    extra = {name: tables.extra[name][row] for name, row in rows.items()}
    normals = extra.get("normals")
    return Surface(
        tables.vertices if kept is None else tables.vertices[kept],
        faces,
        None if normals is None else unit_rows(normals),
        extra.get("tex_coords"),
        extra.get("colors"),
    )
