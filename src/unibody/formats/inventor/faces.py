"""Converts shapes that consist of points to meshes, lines and points with colors, normals and textures."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from unibody.formats.inventor import document as d
from unibody.formats.inventor.arrays import Arrays
from unibody.formats.inventor.corners import Bound, Corners, bound, grid, polygons, runs, segments, strips
from unibody.formats.inventor.state import State, is_vrml1
from unibody.formats.inventor.texture import matrix_of
from unibody.model import shape as s
from unibody.model.arrays import Floats, Integers
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings

_EMPTY = np.empty(0, np.int64)
#: The default crease angles, in rad.
VRML1_CREASE, CREASE = 0.5, 0.0


@dataclass(frozen=True, slots=True)
class Piece:
    """A geometry and the index of its material in the state."""

    geometry: s.Geometry
    material: int = 0


def pieces(doc: d.VertexShape, state: State, arrays: Arrays, findings: Findings) -> list[Piece]:
    """The geometry of a shape that consists of points; several if its parts differ in transparency.

    Parts with invalid indices are dropped, with a finding.
    """
    work = _Work(doc, state, arrays, findings)
    match doc:
        case d.PointSet() | d.IndexedPointSet():
            return work.points()
        case d.LineSet() | d.IndexedLineSet():
            return work.lines()
    return work.faces()


@dataclass(frozen=True, slots=True)
class _Work:
    """The conversion of one shape."""

    doc: Any
    state: State
    arrays: Arrays
    findings: Findings

    # --- which points -----------------------------------------------------------------

    def _listed(self, name: str) -> Corners:
        """Parts of consecutive points."""
        counts = self.arrays.whole(self.doc, name)
        start = max(self.doc.start_index, 0)
        corners, fitting = runs(counts, start, len(self.state.points))
        if fitting < counts.size:
            self._short(
                f"{counts.size - fitting} of {counts.size} parts need more than the "
                f"{len(self.state.points)} available points",
                name,
            )
        return corners

    def _indexed(self, least: int) -> Corners:
        """Parts of indexed points."""
        index = self.arrays.whole(self.doc, "coord_index")
        corners = polygons(index, least)
        count = len(self.state.points)
        bad = corners.point >= count
        if not bad.any():
            return corners
        owners = np.repeat(np.arange(corners.counts.size), corners.counts)[bad]
        kept = np.ones(corners.counts.size, bool)
        kept[owners] = False
        self._short(
            f"coordIndex {int(corners.point[bad][0])} is out of range; {count} points (counted from 0)",
            "coord_index",
        )
        return corners.only(kept)

    def _short(self, message: str, name: str) -> None:
        self.findings.error(
            "index-out-of-range",
            f"{self.doc.tag}: {message}",
            self.doc.at(name),
            "write a Coordinate3 with all points before the shape; such parts are ignored",
        )

    def _grid(self) -> Corners:
        rows, columns = self.doc.vertices_per_column, self.doc.vertices_per_row
        start, count = max(self.doc.start_index, 0), len(self.state.points)
        if min(rows, columns) < 2 or rows * columns > count - start:
            if min(rows, columns) >= 2:
                self._short(f"{rows} × {columns} points needed, {count} available", "vertices_per_row")
            rows = columns = 0
        return grid(rows, columns, start)

    # --- geometry ---------------------------------------------------------------------

    def points(self) -> list[Piece]:
        """Points, with one color each unless materials are OVERALL."""
        points = self.state.points
        if isinstance(self.doc, d.IndexedPointSet):
            corners = self._indexed(1)
            which = corners.point
        else:
            wanted = np.array([self.doc.num_points])
            which = runs(wanted, max(self.doc.start_index, 0), len(points))[0].point
            if not which.size and self.doc.num_points > 0:
                self._short(f"{self.doc.num_points} points needed, {len(points)} available", "num_points")
        if not which.size:
            return []
        colors = self.state.look.diffuse
        table: Floats = np.empty((0, 3))
        if self.state.material_binding not in ("OVERALL", "NONE", "DEFAULT") and len(colors) > 1:
            rows = np.arange(which.size)
            if isinstance(self.doc, d.IndexedPointSet):
                found = self._bound("material_index", self.state.material_binding, corners)
                rows = rows if found is None else found.index
            table = colors[np.clip(rows, 0, len(colors) - 1)]
        return [Piece(s.PointSet(vertices=s.floats(points[which]), colors=s.floats(table)))]

    def lines(self) -> list[Piece]:
        """Lines, split into segments if each segment has a material."""
        corners = self._indexed(2) if isinstance(self.doc, d.Indexed) else self._listed("num_vertices")
        corners = corners.only(corners.counts >= 2)
        if not corners.counts.size:
            return []
        binding = self.state.material_binding
        if binding.startswith("PER_PART") and len(self.state.look.diffuse) > 1:
            corners = segments(corners)
        colors, per_vertex = self._colors(self._bound("material_index", binding, corners), corners)
        point = _compact(self.state.points, corners.point)
        width = self.state.line_width
        geometry = s.LineSet(
            vertices=s.floats(point.table),
            lines=s.ints(corners.closed(point.index)),
            colors=s.floats(colors.table),
            color_indices=s.ints(_list(colors, corners, point, per_vertex)),
            color_per_vertex=per_vertex,
            width=width if width > 0.0 else None,
        )
        return [Piece(geometry, 0)]

    def faces(self) -> list[Piece]:
        """Meshes, one per transparency."""
        corners = self._corners()
        corners = corners.only(corners.counts >= 3)
        if not corners.counts.size:
            return []
        found = self._bound("material_index", self.state.material_binding, corners)
        look = self.state.look
        if found is None or len(look.transparency) != len(look.diffuse):
            return [self._mesh(corners, found, 0)]
        if found.per_vertex:
            if np.ptp(look.transparency) > 0.0:
                self.findings.info(
                    "transparency-varies",
                    f"{self.doc.tag}: transparency varies between corners; using that of the first",
                    self.doc.at(),
                )
            return [self._mesh(corners, found, 0)]
        # a mesh of the model has colors per face, but a single transparency
        rows = np.clip(found.index, 0, len(look.diffuse) - 1)
        alphas = look.transparency[rows]
        out: list[Piece] = []
        for alpha in np.unique(alphas).tolist():
            kept = alphas == alpha
            out.append(self._mesh(corners.only(kept), Bound(found.index[kept], False), int(rows[kept][0])))
        return out

    def _corners(self) -> Corners:
        match self.doc:
            case d.IndexedTriangleStripSet():
                return strips(self._indexed(3))
            case d.IndexedFaceSet():
                return self._indexed(3)
            case d.TriangleStripSet():
                return strips(self._listed("num_vertices"))
            case d.QuadMesh():
                return self._grid()
        return self._listed("num_vertices")

    def _mesh(self, corners: Corners, materials: Bound | None, material: int) -> Piece:
        hints = self.state.hints
        point = _compact(self.state.points, corners.point)
        normals, normal_bound = self._normals(corners)
        coords = self._tex_coords(corners)
        colors, color = self._colors(materials, corners)
        crease = hints.crease
        if crease is None:
            crease = VRML1_CREASE if is_vrml1(self.doc) else CREASE
        per_vertex = normal_bound is None or normal_bound.per_vertex
        geometry = s.Mesh(
            vertices=s.floats(point.table),
            faces=s.ints(corners.closed(point.index)),
            normals=s.floats(normals.table),
            normal_indices=s.ints(_list(normals, corners, point, per_vertex)),
            normal_per_vertex=per_vertex,
            colors=s.floats(colors.table),
            color_indices=s.ints(_list(colors, corners, point, color)),
            color_per_vertex=color,
            tex_coords=s.floats(coords.table),
            tex_coord_indices=s.ints(_list(coords, corners, point, True)),
            ccw=hints.ordering != "CLOCKWISE",
            convex=hints.convex,
            # backs are culled only if both are known (SoShapeHints)
            solid=hints.solid and hints.ordering != "UNKNOWN_ORDERING",
            crease_angle=min(max(crease, 0.0), math.pi),
        )
        return Piece(geometry, material)

    # --- attributes -------------------------------------------------------------------

    def _bound(self, field: str, binding: str, corners: Corners) -> Bound | None:
        """The materials of the shape's faces or corners; None: one for all."""
        if len(self.state.look.diffuse) < 2:
            return None
        return bound(binding, corners, self.doc, field, self.arrays)

    def _colors(self, found: Bound | None, corners: Corners) -> tuple[Table, bool]:
        """The diffuse colors of a shape, and whether they are per corner; missing ones are the last one."""
        table = self.state.look.diffuse
        if found is None:
            return NOTHING, True
        over = (found.index < 0) | (found.index >= len(table))
        if over.any():
            self.findings.info(
                "materials-few",
                f"{self.doc.tag} needs more than {len(table)} materials; using the last one for the rest",
                self.doc.at(),
            )
        index = np.where(found.index < 0, len(table) - 1, np.minimum(found.index, len(table) - 1))
        return _compact(table, index), found.per_vertex

    def _normals(self, corners: Corners) -> tuple[Table, Bound | None]:
        table = self.state.normals
        if not len(table):
            return NOTHING, None
        binding = self.state.normal_binding
        if binding == "OVERALL":
            zeros = np.zeros(corners.counts.size, np.int64)
            return Table(table[:1], zeros), Bound(zeros, False)
        if binding in ("DEFAULT", "NONE"):
            binding = "PER_VERTEX_INDEXED"
        found = bound(binding, corners, self.doc, "normal_index", self.arrays)
        assert found is not None
        return self._fitting(table, found.index, "normals"), found

    def _tex_coords(self, corners: Corners) -> Table:
        table = self.state.tex_coords
        if table is None or self.state.texture is None:
            return NOTHING
        binding = "PER_VERTEX" if self.state.tex_binding == "PER_VERTEX" else "PER_VERTEX_INDEXED"
        found = bound(binding, corners, self.doc, "texture_coord_index", self.arrays)
        assert found is not None
        moved = matrix_of(self.state.tex_transforms)
        if moved is not None:
            table = table @ moved[:2, :2].T + moved[:2, 2]
        return self._fitting(table, found.index, "texture coordinates")

    def _fitting(self, table: Floats, index: Integers, what: str) -> Table:
        """The rows of a table for an index; empty, with a finding, if the table is too short."""
        if index.size and (int(index.max()) >= len(table) or int(index.min()) < 0):
            self.findings.warning(
                "list-too-short",
                f"{self.doc.tag} needs more than {len(table)} {what}; all of them are ignored",
                self.doc.at(),
                f"write as many {what} as the binding needs, or change the binding",
            )
            return NOTHING
        return _compact(table, index)


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Rows, and their index per corner or face."""

    table: Floats
    index: Integers


NOTHING = Table(np.empty((0, 3)), _EMPTY)


def _compact(table: Floats, index: Integers) -> Table:
    """A table without unused rows, and the index adapted to it."""
    used = np.unique(index)
    if used.size == len(table):
        return Table(table, index)
    return Table(table[used], np.searchsorted(used, index))


def _list(rows: Table, corners: Corners, point: Table, per_vertex: bool) -> Integers:
    """An index list of the model, empty if it equals the default."""
    if not rows.index.size:
        return _EMPTY
    if per_vertex:
        return _EMPTY if np.array_equal(rows.index, point.index) else corners.closed(rows.index)
    return _EMPTY if np.array_equal(rows.index, np.arange(corners.counts.size)) else rows.index
