"""Polygons whose corners index tables of positions, normals, colours: checked, and made surfaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np

from unibody.mesh.numbers import finite_rows
from unibody.mesh.polygon import Indices, owner_of, triangulate
from unibody.mesh.scene import Request
from unibody.mesh.surface import Floats, Surface, compact, unit_rows
from unibody.text.source import Span

# Where polygon number k stands in its file.
Place: TypeAlias = Callable[[int], Span | None]


@dataclass(frozen=True, slots=True)
class Tables:
    """Positions (n, 3), and what else corners may index: normals (…, 3), texture (…, 2), RGBA (…, 4)."""

    vertices: Floats
    normals: Floats | None = None
    tex_coords: Floats | None = None
    colors: Floats | None = None


@dataclass(frozen=True, slots=True)
class Polygons:
    """Corners of all polygons one after another: ``counts`` of each, and one index for each table.

    An index list may be the very same object as that of the vertices.
    """

    counts: Indices
    vertices: Indices
    normals: Indices | None = None
    tex_coords: Indices | None = None
    colors: Indices | None = None

    def only(self, kept: Indices) -> Polygons:
        """The polygons that ``kept``, a mask, keeps."""
        corners = np.repeat(kept, self.counts)
        vertices = self.vertices[corners]

        def of(index: Indices | None) -> Indices | None:
            return vertices if index is self.vertices else None if index is None else index[corners]

        return Polygons(self.counts[kept], vertices, of(self.normals), of(self.tex_coords), of(self.colors))


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
        message = (
            f"{int((~kept).sum())} faces name vertices that do not exist ({number} of {count}, from 0)"
        )
        request.warn("mesh-index", message, place(int(owners[0])), "these faces are left out")
    good = finite_rows(tables.vertices)
    if good is not None:
        wrong = np.repeat(kept, polygons.counts)
        wrong[wrong] = ~good[polygons.vertices[wrong]]
        owners = np.repeat(np.arange(polygons.counts.size), polygons.counts)[wrong]
        if owners.size:
            kept[owners] = False
            message = f"{np.unique(owners).size} faces have NaN or infinite corners"
            request.warn("mesh-not-finite", message, place(int(owners[0])), "these faces are left out")
    if not kept.all():
        polygons = polygons.only(kept)
    return _attributes(polygons, tables, request), np.flatnonzero(kept)


def _outside(index: Indices, count: int) -> Indices | None:
    if not index.size or (index.min() >= 0 and index.max() < count):
        return None
    return (index < 0) | (index >= count)


def _attributes(polygons: Polygons, tables: Tables, request: Request) -> Polygons:
    """Without the attributes whose table is missing, too short, or not finite."""
    for name in ("normals", "tex_coords", "colors"):
        index, table = getattr(polygons, name), getattr(tables, name)
        if index is None:
            continue
        if table is None or _outside(index, len(table)) is not None:
            request.warn("mesh-index", f"faces name {name} that do not exist; all {name} are left out")
        elif finite_rows(table) is None:
            continue
        polygons = replace(polygons, **{name: None})
    return polygons


def triangles_of(polygons: Polygons, tables: Tables, request: Request | None) -> tuple[Indices, Indices]:
    """Triangles (m, 3) as positions among the corners, and the polygon that each is of.

    Without a request all polygons are taken as convex.
    """
    if request is None:
        triangles = triangulate(tables.vertices, polygons.vertices, polygons.counts)
        return triangles, owner_of(polygons.counts)
    spent = request.work.tests <= 0
    triangles = triangulate(tables.vertices, polygons.vertices, polygons.counts, request.work)
    if request.work.tests <= 0 and not spent:
        request.warn("polygons-too-hard", "polygons with very many corners are not filled exactly")
    return triangles, owner_of(polygons.counts)


def surface_of(triangles: Indices, polygons: Polygons, tables: Tables) -> Surface:
    """A surface of some triangles; corners stay shared where all their indices go together."""
    at = triangles.reshape(-1)
    vertices = polygons.vertices[at]
    rows = {
        name: index[at]
        for name in ("normals", "tex_coords", "colors")
        if (index := getattr(polygons, name)) is not None
    }
    of_vertex: dict[str, Indices] = {}
    for name, index in rows.items():
        if getattr(polygons, name) is polygons.vertices:
            of_vertex[name] = np.arange(len(tables.vertices))
            continue
        table = np.zeros(len(tables.vertices), np.int64)
        table[vertices] = index
        if not (table[vertices] == index).all():
            break
        of_vertex[name] = table
    found: dict[str, Floats] = {}
    if len(of_vertex) < len(rows):
        faces = np.arange(vertices.size, dtype=np.int32).reshape(-1, 3)
        points = tables.vertices[vertices]
        found = {name: getattr(tables, name)[index] for name, index in rows.items()}
    else:
        faces, kept = compact(vertices.reshape(-1, 3), len(tables.vertices))
        points = tables.vertices if kept is None else tables.vertices[kept]
        for name, table in of_vertex.items():
            found[name] = getattr(tables, name)[table if kept is None else table[kept]]
    if "normals" in found:
        found["normals"] = unit_rows(found["normals"])
    return Surface(points, faces, **found)
