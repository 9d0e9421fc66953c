"""The polygons, elevation grids and extrusions of a model as parts to tessellate (ISO/IEC 14772-1, 6)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from unibody.meshes.batch import Part
from unibody.meshes.extrusion import extrude
from unibody.meshes.indexed import Polygons, Tables
from unibody.meshes.scene import Request
from unibody.model import shape as s
from unibody.model.arrays import Floats, Integers
from unibody.text.finding import Findings


def part_of(shape: s.Shape, request: Request) -> Part | None:
    """A Mesh, an ElevationGrid or an Extrusion to tessellate; None if it has no polygon."""
    textured = shape.material is not None and shape.material.texture is not None
    found = s.conversion_findings(shape.geometry)
    request.findings.extend(found)
    if any(f.code == "index-out-of-range" for f in found):
        # Already reported with its place; the faces are left out below.
        request = replace(request, findings=Findings())
    match shape.geometry:
        case s.Mesh() as mesh:
            return _mesh(mesh, textured, request)
        case s.ElevationGrid() as grid:
            return _grid(grid, textured, request)
        case s.Extrusion() as extrusion:
            return _extrusion(extrusion, textured, request)
    return None


def _mesh(mesh: s.Mesh, textured: bool, request: Request) -> Part:
    faces = np.asarray(mesh.faces, np.int64).reshape(-1)
    ends = np.flatnonzero(faces < 0)
    if faces.size and faces[-1] >= 0:
        ends = np.append(ends, faces.size)
    counts = ends.copy()
    counts[1:] -= ends[:-1] + 1
    corners = faces[faces >= 0]
    columns = _Columns(corners, counts)
    vertices = _table(mesh.vertices, 3)
    tables, extra = dict[str, Floats](), dict[str, Integers]()
    if len(mesh.normals) and len(normals := _table(mesh.normals, 3)):
        tables["normals"] = normals
        extra["normals"] = columns.of(mesh.normal_indices, mesh.normal_per_vertex)
    if len(mesh.tex_coords) and len(coords := _table(mesh.tex_coords, 2)):
        tables["tex_coords"] = coords
        extra["tex_coords"] = columns.of(mesh.tex_coord_indices, True)
    elif textured and len(vertices):
        tables["tex_coords"], extra["tex_coords"] = _flat_image(vertices), corners
    if len(mesh.colors) and len(colors := _table(mesh.colors, 3)):
        tables["colors"] = _rgba(colors)
        extra["colors"] = columns.of(mesh.color_indices, mesh.color_per_vertex)
    polygons = Polygons(counts, corners, extra)
    return Part(polygons, Tables(vertices, tables), request, mesh.crease_angle, mesh.ccw, mesh.convex)


def _grid(grid: s.ElevationGrid, textured: bool, request: Request) -> Part | None:
    heights = np.asarray(grid.heights, float).reshape(-1)
    nx, nz = grid.x_dimension, grid.z_dimension
    if nx < 2 or nz < 2 or heights.size != nx * nz:
        return None
    at = np.arange(nx * nz)
    vertices = np.stack([at % nx * grid.x_spacing, heights, at // nx * grid.z_spacing], axis=1)
    first = (np.arange(nz - 1)[:, None] * nx + np.arange(nx - 1)).reshape(-1)
    # faces point toward +Y
    corners = np.stack([first, first + nx, first + nx + 1, first + 1], axis=1).reshape(-1)
    counts = np.full(first.size, 4, np.int64)
    columns = _Columns(corners, counts)
    normals, colors = _table(grid.normals, 3), _table(grid.colors, 3)
    coords = _table(grid.tex_coords, 2)
    if textured and not len(coords):
        coords = np.stack([at % nx / (nx - 1), at // nx / (nz - 1)], axis=1)
    extra = {
        "normals": columns.of((), grid.normal_per_vertex),
        "tex_coords": corners,
        "colors": columns.of((), grid.color_per_vertex),
    }
    tables = Tables(vertices, _given(normals, coords, colors))
    polygons = Polygons(counts, corners, {name: extra[name] for name in tables.extra})
    return Part(polygons, tables, request, grid.crease_angle, grid.ccw, convex=True)


def _extrusion(shape: s.Extrusion, textured: bool, request: Request) -> Part | None:
    if len(shape.section) // 2 * (len(shape.spine) // 3) > request.most_triangles // 4:
        request.warn("mesh-too-large", "extrusion has too many points")
        return None
    points, corners, counts, coords = extrude(shape)
    if not counts.size:
        return None
    tables = Tables(points, {"tex_coords": coords} if textured else {})
    polygons = Polygons(counts, corners, {"tex_coords": np.arange(corners.size)} if textured else {})
    return Part(polygons, tables, request, shape.crease_angle, shape.ccw)


class _Columns:
    """Assigns indices of normals, colors and texture coordinates to the corners."""

    def __init__(self, corners: Integers, counts: Integers) -> None:
        self.corners, self.counts = corners, counts

    def of(self, given: Any, per_vertex: bool) -> Integers:
        """The index of every corner: as given (with or without −1), else that of its vertex or face."""
        index = np.asarray(given, np.int64).reshape(-1)
        if not per_vertex:
            rows = index if index.size else np.arange(self.counts.size)
            rows = np.pad(rows, (0, max(self.counts.size - rows.size, 0)), constant_values=-1)
            return np.repeat(rows[: self.counts.size], self.counts)
        if not index.size:
            return self.corners
        index = index[index >= 0]
        # a list that is too short is padded with an invalid index, which is reported
        index = np.pad(index, (0, max(self.corners.size - index.size, 0)), constant_values=-1)
        return index[: self.corners.size]


def _table(values: Any, width: int) -> Floats:
    """Values as rows (n, width); an incomplete last row is left out."""
    flat = np.asarray(values, np.float64).reshape(-1)
    return flat[: flat.size - flat.size % width].reshape(-1, width)


def _given(normals: Floats, tex_coords: Floats, colors: Floats) -> dict[str, Floats]:
    """The tables that have rows; colors get an opacity of 1."""
    found = {"normals": normals, "tex_coords": tex_coords, "colors": _rgba(colors)}
    return {name: table for name, table in found.items() if len(table)}


def _rgba(colors: Floats) -> Floats:
    """Colors with an opacity of 1."""
    return np.hstack([np.clip(colors, 0.0, 1.0), np.ones((len(colors), 1))])


def _flat_image(vertices: Floats) -> Floats:
    """Texture coordinates (n, 2) projected onto the two longest sides of the bounding box (6.23)."""
    sizes = np.ptp(vertices, axis=0)
    first, second = np.argsort(-sizes, kind="stable")[:2]
    longest = sizes[first] if sizes[first] > 0.0 else 1.0
    return np.asarray((vertices[:, [first, second]] - vertices[:, [first, second]].min(axis=0)) / longest)
