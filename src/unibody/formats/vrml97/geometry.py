"""Converts geometry nodes of VRML97 to geometry of the model (ISO/IEC 14772-1, 6).

Cylinders and cones are along Y in the file and along Z in the model: their shapes get an extra rotation.
Lists of numbers are converted on first use, or at once if they may contain NaN.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from unibody.document.declare import plan
from unibody.formats.format import Context
from unibody.formats.vrml97 import document as d
from unibody.formats.vrml97.lists import Listed, Lists, listed
from unibody.formats.vrml97.missing import kept
from unibody.model import shape as s
from unibody.model.index import out_of_range
from unibody.model.pose import IDENTITY, Pose
from unibody.text.dataclass import dataclass
from unibody.text.deferred import is_deferred
from unibody.text.finding import Finding
from unibody.text.fixes import closed_face
from unibody.text.number import may_hold_nan

#: The rotation of the model's Z axis onto the file's Y axis.
ALONG_Y = Pose((0.0, 0.0, 0.0), (math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0))

#: Tags of the nodes with this rotation.
ROUND = ("Cylinder", "Cone")
Made = tuple[s.Geometry, Pose]
_G = TypeVar("_G", s.Mesh, s.LineSet, s.PointSet, s.ElevationGrid, s.Extrusion)


def geometry(doc: d.Geometry, textured: bool, context: Context) -> Made | None:
    """The geometry of a node and the rotation for its placement; None after a finding.

    ``textured``: a texture is applied. Boxes and spheres are then rotated too, to orient it as in the file.
    """
    match doc:
        case d.Box():
            x, y, z = doc.size
            if not _sizes(doc, context, size=min(x, y, z) >= 0.0):
                return None
            return (s.Box(size=(x, z, y)), ALONG_Y) if textured else (s.Box(size=(x, y, z)), IDENTITY)
        case d.Sphere():
            ok = _sizes(doc, context, radius=doc.radius > 0.0)
            return (s.Sphere(radius=doc.radius), ALONG_Y if textured else IDENTITY) if ok else None
        case d.Cylinder():
            ok = _sizes(doc, context, radius=doc.radius > 0.0, height=doc.height > 0.0)
            cylinder = s.Cylinder(
                radius=doc.radius, height=doc.height, top=doc.top, bottom=doc.bottom, side=doc.side
            )
            return (cylinder, ALONG_Y) if ok else None
        case d.Cone():
            ok = _sizes(doc, context, bottom_radius=doc.bottom_radius > 0.0, height=doc.height > 0.0)
            cone = s.Cone(radius=doc.bottom_radius, height=doc.height, bottom=doc.bottom, side=doc.side)
            return (cone, ALONG_Y) if ok else None
    made = _listed_geometry(doc, context)
    return None if made is None else (made, IDENTITY)


def _listed_geometry(doc: d.Geometry, context: Context) -> s.Geometry | None:
    """A geometry that consists of lists of numbers."""
    match doc:
        case d.IndexedFaceSet():
            return _faces(doc, context)
        case d.IndexedLineSet():
            return _lines(doc, context)
        case d.PointSet():
            return _points(doc, context)
        case d.ElevationGrid():
            return _grid(doc, context)
        case d.Extrusion():
            return _extrusion(doc, context)
    context.findings.info("not-drawn", f"unsupported node {doc.tag}; kept, not drawn", doc.at())
    return None


def _sizes(doc: Any, context: Context, **good: bool) -> bool:
    for name, ok in good.items():
        if not ok:
            key, value = plan(type(doc)).fields[name].key, getattr(doc, name)
            # as in Choreonoid, which creates no mesh
            context.findings.warning(
                "size-not-positive",
                f"{doc.tag}: {key} must be positive, not {value}; the shape is ignored",
                doc.at(name),
            )
    return all(good.values())


def _there(doc: d.Geometry, needed: Sequence[Listed], context: Context) -> bool:
    """Whether all required lists have numbers; reports an empty one."""
    for what in needed:
        if what.empty:
            at = doc.at()
            context.findings.warning("mesh-empty", f"{doc.tag}: empty {what.key}; ignored", at)
            return False
    return True


def _converted(
    cls: type[_G],
    lists: Sequence[Listed],
    convert: Callable[[], tuple[_G, Sequence[Finding]]],
    context: Context,
) -> _G:
    """A deferred geometry; converted at once, with its findings, if a list may contain NaN."""
    if any(given.numbers is not None and may_hold_nan(given.numbers.body) for given in lists):
        geometry, findings = convert()
        context.findings.extend(findings)
        return geometry
    return s.defer_geometry(cls, convert)


@dataclass(frozen=True, slots=True)
class _Colors:
    """The color lists of a geometry."""

    color: Listed
    index: Listed
    per_vertex: bool


def _colors(doc: Any) -> _Colors:
    return _Colors(listed(doc.color, "color"), listed(doc, "color_index"), doc.color_per_vertex)


# --- faces ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Polygons:
    """The lists and flags of an IndexedFaceSet."""

    points: Listed
    faces: Listed
    normals: Listed
    normal_index: Listed
    places: Listed
    place_index: Listed
    colors: _Colors
    look: dict[str, Any]


def _polygons(doc: d.IndexedFaceSet) -> _Polygons:
    return _Polygons(
        points=listed(doc.coord, "point"),
        faces=listed(doc, "coord_index"),
        normals=listed(doc.normal, "vector"),
        normal_index=listed(doc, "normal_index"),
        places=listed(doc.tex_coord, "point"),
        place_index=listed(doc, "tex_coord_index"),
        colors=_colors(doc),
        look={
            "normal_per_vertex": doc.normal_per_vertex,
            "color_per_vertex": doc.color_per_vertex,
            "ccw": doc.ccw,
            "convex": _is_convex(doc),
            "solid": doc.solid,
            "crease_angle": doc.crease_angle,
        },
    )


def _is_convex(doc: d.IndexedFaceSet | d.Extrusion) -> bool:
    """Whether faces are assumed to be convex: never; marks the field as read.

    TRUE is the default, and many exporters write it for concave faces. Choreonoid ignores it, too
    (facts B.8).
    """
    _ = doc.convex
    return False


def _faces(doc: d.IndexedFaceSet, context: Context) -> s.Mesh | None:
    if is_deferred(doc):
        # the parser skips only nodes whose required lists are not empty and without NaN
        return s.defer_geometry(s.Mesh, lambda: _mesh(doc, _polygons(doc)))
    given = _polygons(doc)
    if not _there(doc, (given.points, given.faces), context):
        return None
    lists = (given.points, given.faces, given.normals, given.normal_index, given.places, given.place_index)
    colors = (given.colors.color, given.colors.index)
    return _converted(s.Mesh, (*lists, *colors), lambda: _mesh(doc, given), context)


def _mesh(doc: d.IndexedFaceSet, given: _Polygons) -> tuple[s.Mesh, Sequence[Finding]]:
    """The converted mesh and its findings."""
    lists = Lists()
    vertices = lists.finite(given.points, 3)
    corners = lists.ints(given.faces)
    count = len(vertices) // 3
    whole = _in_range(corners, count, given.faces, lists)
    if len(corners) and corners[-1] >= 0:
        lists.findings.warning(
            "last-face-open",
            "IndexedFaceSet: last face without a final -1 is kept; Choreonoid drops it",
            doc.at("coord_index"),
            "append -1 to coordIndex",
            fix=closed_face(doc.at("coord_index")),
        )
        corners = s.ints((*corners, -1))
    mesh = s.Mesh(
        vertices=vertices,
        faces=corners,
        normals=lists.normals(given.normals),
        normal_indices=lists.ints(given.normal_index),
        colors=lists.finite(given.colors.color, 3),
        color_indices=lists.ints(given.colors.index),
        tex_coords=lists.finite(given.places, 2),
        tex_coord_indices=lists.ints(given.place_index),
        **given.look,
    )
    return mesh if whole else _without_invalid_faces(mesh, count), lists.findings


def _without_invalid_faces(mesh: s.Mesh, count: int) -> s.Mesh:
    """A mesh without the faces whose indices are out of range."""
    corners = np.asarray(mesh.faces, np.int64)
    left = kept(corners, count)
    changed: dict[str, Any] = {"faces": s.ints(corners[left.entries])}
    for table, key, per_vertex in (
        ("normals", "normal_indices", mesh.normal_per_vertex),
        ("colors", "color_indices", mesh.color_per_vertex),
        ("tex_coords", "tex_coord_indices", True),
    ):
        index = np.asarray(getattr(mesh, key), np.int64)
        fitting = left.of(index, per_vertex, len(getattr(mesh, table)) > 0)
        changed[key] = s.ints(()) if fitting is None else s.ints(fitting)
        if fitting is None:
            changed[table] = s.floats(())
    return replace(mesh, **changed)


def _in_range(corners: Any, count: int, where: Listed, lists: Lists) -> bool:
    """Whether all indices are valid (−1 ends a face); reports the worst one otherwise."""
    worst = out_of_range(corners, count)
    if worst is None:
        return True
    at = where.at()
    lists.findings.warning(
        "index-out-of-range",
        f"{where.name}: index {worst} is out of range; {count} points (counted from 0); "
        "faces and lines with such indices are ignored",
        at,
        "correct the index",
    )
    return False


# --- lines and points -----------------------------------------------------------------------


def _lines(doc: d.IndexedLineSet, context: Context) -> s.LineSet | None:
    points, index = listed(doc.coord, "point"), listed(doc, "coord_index")
    colors = _colors(doc)
    if not _there(doc, (points, index), context):
        return None

    def make() -> tuple[s.LineSet, Sequence[Finding]]:
        lists = Lists()
        vertices = lists.finite(points, 3)
        lines = lists.ints(index)
        if len(lines) and lines[-1] >= 0:
            lines = s.ints((*lines, -1))
        count = len(vertices) // 3
        whole = _in_range(lines, count, index, lists)
        made = s.LineSet(
            vertices=vertices,
            lines=lines if whole else s.ints(np.asarray(lines)[kept(np.asarray(lines), count).entries]),
            # without the ignored lines, colors would belong to other lines
            colors=lists.finite(colors.color, 3) if whole else (),
            color_indices=lists.ints(colors.index) if whole else (),
            color_per_vertex=colors.per_vertex,
        )
        return made, lists.findings

    return _converted(s.LineSet, (points, index, colors.color, colors.index), make, context)


def _points(doc: d.PointSet, context: Context) -> s.PointSet | None:
    points, color = listed(doc.coord, "point"), listed(doc.color, "color")
    if not _there(doc, (points,), context):
        return None

    def make() -> tuple[s.PointSet, Sequence[Finding]]:
        lists = Lists()
        made = s.PointSet(vertices=lists.finite(points, 3), colors=lists.finite(color, 3))
        return made, lists.findings

    return _converted(s.PointSet, (points, color), make, context)


# --- grids and extrusions -------------------------------------------------------------------


def _grid(doc: d.ElevationGrid, context: Context) -> s.ElevationGrid | None:
    nx, nz = doc.x_dimension, doc.z_dimension
    heights, colors = listed(doc, "height"), listed(doc.color, "color")
    normals, places = listed(doc.normal, "vector"), listed(doc.tex_coord, "point")
    if nx < 2 or nz < 2:
        at = doc.at("x_dimension", "z_dimension")
        context.findings.warning(
            "mesh-empty", f"ElevationGrid: {nx} × {nz} points have no faces; ignored", at
        )
        return None
    if not _there(doc, (heights,), context):
        return None
    look: dict[str, Any] = {
        "x_dimension": nx,
        "z_dimension": nz,
        "x_spacing": doc.x_spacing,
        "z_spacing": doc.z_spacing,
        "color_per_vertex": doc.color_per_vertex,
        "normal_per_vertex": doc.normal_per_vertex,
        "ccw": doc.ccw,
        "solid": doc.solid,
        "crease_angle": doc.crease_angle,
    }

    def make() -> tuple[s.ElevationGrid, Sequence[Finding]]:
        lists = Lists()
        height = lists.finite(heights)
        if len(height) != nx * nz:
            # Choreonoid ignores further heights, and reads beyond the end of a short list
            short = len(height) < nx * nz
            report = lists.findings.error if short else lists.findings.warning
            report(
                "grid-size",
                f"ElevationGrid: height must have {nx} × {nz} numbers, not {len(height)}"
                f"{'' if short else '; the last ones are ignored'}",
                doc.at("height"),
            )
        made = s.ElevationGrid(
            heights=s.floats(height[: nx * nz] if len(height) >= nx * nz else ()),
            colors=lists.finite(colors, 3),
            normals=lists.normals(normals),
            tex_coords=lists.finite(places, 2),
            **look,
        )
        return made, lists.findings

    return _converted(s.ElevationGrid, (heights, colors, normals, places), make, context)


def _extrusion(doc: d.Extrusion, context: Context) -> s.Extrusion:
    section, spine = listed(doc, "cross_section"), listed(doc, "spine")
    scale, turns = listed(doc, "scale"), listed(doc, "orientation")
    _is_convex(doc)
    look: dict[str, Any] = {
        "begin_cap": doc.begin_cap,
        "end_cap": doc.end_cap,
        "ccw": doc.ccw,
        "solid": doc.solid,
        "crease_angle": doc.crease_angle,
    }

    def make() -> tuple[s.Extrusion, Sequence[Finding]]:
        lists = Lists()
        across = _or(lists.finite(section, 2), section, d.SQUARE)
        along = _or(lists.finite(spine, 3), spine, d.UPWARD)
        points = len(along) // 3
        if len(across) < 4 or points < 2:
            lists.findings.error(
                "extrusion-short",
                "Extrusion: crossSection and spine must have two points each",
                doc.at(),
            )
            across = along = ()
        made = s.Extrusion(
            section=s.floats(across),
            spine=s.floats(along),
            scale=_each(lists.finite(scale, 2), (1.0, 1.0), points, (scale, lists)),
            orientation=_each(lists.finite(turns, 4), d.NO_TURN, points, (turns, lists)),
            **look,
        )
        return made, lists.findings

    return _converted(s.Extrusion, (section, spine, scale, turns), make, context)


def _or(values: Any, given: Listed, default: tuple[float, ...]) -> Any:
    """The values, or the default if the field is absent."""
    return default if given.numbers is None else values


def _each(rows: Any, single: tuple[float, ...], points: int, where: tuple[Listed, Lists]) -> s.Floats:
    """One row for all points of the spine, or one per point; the last one is repeated if rows are missing.

    6.18 leaves the result undefined if rows are missing.
    """
    width = len(single)
    count = len(rows) // width
    if count == 0:
        return single
    if count not in (1, points):
        given, lists = where
        at = given.at()
        lists.findings.warning(
            "list-length",
            f"{given.name} must have 1 or {points} entries (points of the spine), not {count}",
            at,
            "write one entry, or one per point of the spine",
        )
    table = np.asarray(rows).reshape(-1, width)
    if count == 1:
        return s.floats(table)
    table = np.vstack([table, np.repeat(table[-1:], max(points - count, 0), axis=0)])
    return s.floats(table[:points])
