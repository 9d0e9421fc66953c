"""Writes geometry as VRML97 nodes (ISO/IEC 14772-1, 6), the inverse of ``vrml97.geometry``."""

from __future__ import annotations

from typing import Any

import numpy as np

from unibody.formats.vrml97 import document as v
from unibody.formats.vrml97.values import to_list
from unibody.model import shape as s
from unibody.text.node import Numbers

#: Geometry types that consist of lists of numbers.
LISTED = (s.Mesh, s.Extrusion, s.ElevationGrid, s.LineSet, s.PointSet)


def solid(geometry: s.Geometry, textured: bool) -> v.Geometry:
    """The node of a box, sphere, cylinder or cone; ``textured``: with a texture."""
    match geometry:
        case s.Box(size=(x, y, z)):
            # the reader rotates a textured box
            return v.Box(size=(x, z, y) if textured else (x, y, z))
        case s.Sphere(radius=radius):
            return v.Sphere(radius=radius)
        case s.Cylinder() as c:
            return v.Cylinder(radius=c.radius, height=c.height, top=c.top, bottom=c.bottom, side=c.side)
        case s.Cone() as c:
            return v.Cone(bottom_radius=c.radius, height=c.height, bottom=c.bottom, side=c.side)
    raise TypeError(f"{geometry} has no node in VRML97")


def _numbers(values: Any) -> Numbers | None:
    flat = np.asarray(values, np.float64).reshape(-1)
    return to_list(flat.tolist()) if flat.size else None


def _closed(values: Any) -> Numbers | None:
    """Indices with the last face or line closed: Choreonoid drops an open one (facts B.8)."""
    flat = np.asarray(values, np.int64).reshape(-1)
    return _whole(np.append(flat, -1) if flat.size and flat[-1] >= 0 else flat)


def _whole(values: Any) -> Numbers | None:
    flat = np.asarray(values, np.int64).reshape(-1)
    return Numbers(", ".join(map(str, flat.tolist())), form="[") if flat.size else None


def _color(values: Any) -> v.Color | None:
    return v.Color(color=_numbers(values)) if len(values) else None


def _normal(values: Any) -> v.Normal | None:
    return v.Normal(vector=_numbers(values)) if len(values) else None


def _tex_coord(values: Any) -> v.TextureCoordinate | None:
    return v.TextureCoordinate(point=_numbers(values)) if len(values) else None


def listed(geometry: s.Geometry) -> v.Geometry:
    """The node of a geometry of one of the types in ``LISTED``."""
    match geometry:
        case s.Mesh():
            return _faces(geometry)
        case s.LineSet() as lines:
            return v.IndexedLineSet(
                coord=v.Coordinate(point=_numbers(lines.vertices)),
                coord_index=_closed(lines.lines),
                color=_color(lines.colors),
                color_index=_whole(lines.color_indices),
                color_per_vertex=lines.color_per_vertex,
            )
        case s.PointSet() as points:
            return v.PointSet(
                coord=v.Coordinate(point=_numbers(points.vertices)), color=_color(points.colors)
            )
        case s.ElevationGrid():
            return _grid(geometry)
        case s.Extrusion():
            return _extrusion(geometry)
    raise TypeError(f"{geometry} does not consist of lists")


def _faces(mesh: s.Mesh) -> v.IndexedFaceSet:
    return v.IndexedFaceSet(
        coord=v.Coordinate(point=_numbers(mesh.vertices)),
        coord_index=_closed(mesh.faces),
        normal=_normal(mesh.normals),
        normal_index=_whole(mesh.normal_indices),
        normal_per_vertex=mesh.normal_per_vertex,
        color=_color(mesh.colors),
        color_index=_whole(mesh.color_indices),
        color_per_vertex=mesh.color_per_vertex,
        tex_coord=_tex_coord(mesh.tex_coords),
        tex_coord_index=_whole(mesh.tex_coord_indices),
        ccw=mesh.ccw,
        convex=mesh.convex or _is_triangles(mesh.faces),
        solid=mesh.solid,
        crease_angle=mesh.crease_angle,
    )


def _is_triangles(faces: s.Ints) -> bool:
    """Whether no face has more than three corners, so that all are convex."""
    ends = np.flatnonzero(np.append(np.asarray(faces, np.int64), -1) < 0)
    return bool((np.diff(ends, prepend=-1) <= 4).all())


def _grid(grid: s.ElevationGrid) -> v.ElevationGrid:
    out = v.ElevationGrid(
        x_dimension=grid.x_dimension,
        z_dimension=grid.z_dimension,
        x_spacing=grid.x_spacing,
        z_spacing=grid.z_spacing,
        height=_numbers(grid.heights),
        color=_color(grid.colors),
        color_per_vertex=grid.color_per_vertex,
        normal=_normal(grid.normals),
        normal_per_vertex=grid.normal_per_vertex,
        tex_coord=_tex_coord(grid.tex_coords),
        ccw=grid.ccw,
        solid=grid.solid,
        crease_angle=grid.crease_angle,
    )
    # written always, because Choreonoid's default is 0 m (facts B.8)
    out.given.update(("x_spacing", "z_spacing"))
    return out


def _extrusion(shape: s.Extrusion) -> v.Extrusion:
    out = v.Extrusion(
        cross_section=_numbers(shape.section),
        spine=_numbers(shape.spine),
        begin_cap=shape.begin_cap,
        end_cap=shape.end_cap,
        ccw=shape.ccw,
        solid=shape.solid,
        crease_angle=shape.crease_angle,
    )
    if tuple(shape.scale) != (1.0, 1.0):
        out.scale = _numbers(shape.scale)
    if tuple(shape.orientation) != v.NO_TURN:
        out.orientation = _numbers(shape.orientation)
    return out
