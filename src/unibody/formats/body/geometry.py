"""Reads geometry (facts A.11). Round shapes are along Y in a Body file and along Z in the model."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from unibody.document.declare import Document
from unibody.formats.body import document as d
from unibody.formats.body.arrays import array, indices, multiple
from unibody.formats.body.placement import radians
from unibody.formats.body.spine import frame_kind, swept, turned_down
from unibody.formats.format import Context
from unibody.formats.reference import find_mesh
from unibody.model import shape as s
from unibody.model.index import out_of_range
from unibody.model.pose import IDENTITY, Pose
from unibody.model.up_axis import UpAxis
from unibody.text.fixes import closed_face

#: Rotation from the Z axis of the model to the Y axis of a Body file.
ALONG_Y = Pose((0.0, 0.0, 0.0), (math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0))

_UNITS = {"millimeter": 0.001, "inch": 0.0254}


def geometry(doc: Document, unit: str, context: Context) -> tuple[s.Geometry, Pose] | None:
    """Convert a geometry; returns it with the rotation of its placement, or None after an error."""
    match doc:
        case d.Box():
            x, y, z = doc.size
            ok = _sizes(doc, context, size=min(x, y, z) >= 0.0)
            return (s.Box(size=(x, y, z)), IDENTITY) if ok else None
        case d.Sphere():
            ok = _sizes(doc, context, radius=doc.radius > 0.0)
            return (s.Sphere(radius=doc.radius), IDENTITY) if ok else None
        case d.Cylinder():
            ok = _sizes(doc, context, radius=doc.radius > 0.0, height=doc.height > 0.0)
            made = s.Cylinder(radius=doc.radius, height=doc.height, top=doc.top, bottom=doc.bottom)
            return (made, ALONG_Y) if ok else None
        case d.Cone():
            ok = _sizes(doc, context, radius=doc.radius > 0.0, height=doc.height > 0.0)
            cone = s.Cone(radius=doc.radius, height=doc.height, bottom=doc.bottom)
            return (cone, ALONG_Y) if ok else None
        case d.Capsule():
            ok = _sizes(doc, context, radius=doc.radius > 0.0, height=doc.height >= 0.0)
            return (s.Capsule(radius=doc.radius, height=doc.height), ALONG_Y) if ok else None
        case d.GeometryResource():
            made_file = mesh_file(doc, (1.0, 1.0, 1.0), context)
            colored = not made_file.uri.lower().endswith(".stl")
            return replace(made_file, geometry_only=colored), IDENTITY
        case _:
            made_mesh = _mesh(doc, unit, context)
            return None if made_mesh is None else (made_mesh, IDENTITY)


def _sizes(doc: Any, context: Context, **good: bool) -> bool:
    for key, ok in good.items():
        if not ok:
            context.findings.error(
                "size-not-positive",
                f"{doc.type}: {key} must be positive, not {getattr(doc, key)}",
                doc.at(key),
            )
    return all(good.values())


def divisions(doc: Document) -> int | None:
    """The division number of a geometry."""
    return doc.division_number if isinstance(doc, d.Divided) else None


def mesh_file(doc: Any, scale: tuple[float, float, float], context: Context) -> s.MeshFile:
    """A reference to a mesh file; the file is resolved but not opened."""
    path = find_mesh(doc.uri or "", lambda: doc.at("uri"), context)
    unit, axis = _metadata(doc.metadata)
    return s.MeshFile(
        uri=doc.uri or "", path=path, fragment=doc.fragment, scale=scale, unit=unit, up_axis=axis
    )


def _metadata(value: Any) -> tuple[float | None, UpAxis | None]:
    """The unit and up axis of ``{length_unit, upper_axis}`` or its old text form (facts A.9)."""
    if value is None:
        return None, None
    if isinstance(value, str):
        unit = next((u for w, u in _UNITS.items() if w in value.split()), None)
        return unit, "choreonoid-Y" if "y_upper" in value.split() else None
    found = dict(value)
    axis: UpAxis | None = "choreonoid-Y" if found.get("upper_axis") in ("Y", "y") else None
    return _UNITS.get(found.get("length_unit", "")), axis


def _mesh(doc: Document, unit: str, context: Context) -> s.Geometry | None:
    match doc:
        case d.TriangleMesh() | d.IndexedFaceSet():
            return _faces(doc, unit, context)
        case d.Extrusion():
            return _extrusion(doc, unit, context)
        case d.ElevationGrid():
            return _grid(doc, unit, context)
    return None


def _faces(doc: d.TriangleMesh | d.IndexedFaceSet, unit: str, context: Context) -> s.Geometry | None:
    vertices = multiple(doc, "vertices", array(doc, "vertices", context), 3, context)
    faces = indices(doc, "faces", context)
    count = vertices.size // 3
    if not count or not faces.size:
        context.findings.error(
            "mesh-empty",
            f"{doc.type} has no {'faces' if count else 'vertices'}",
            doc.at(),
        )
        return None
    if (worst := out_of_range(faces, count)) is not None:
        context.findings.error(
            "index-out-of-range",
            f"{doc.type}: faces refer to vertex {worst} of {count}",
            doc.at("faces"),
        )
        return None
    if isinstance(doc, d.TriangleMesh):
        triangles = multiple(doc, "faces", faces, 3, context).reshape(-1, 3)
        faces = np.hstack([triangles, np.full((len(triangles), 1), -1)]).reshape(-1)
    elif faces[-1] != -1:
        context.findings.warning(
            "last-face-open",
            "IndexedFaceSet: the last face does not end with -1; Choreonoid ignores it",
            doc.at("faces"),
            "append -1",
            fix=closed_face(doc.at("faces")),
        )
        faces = np.append(faces, -1)
    return s.Mesh(
        vertices=s.floats(vertices),
        faces=s.ints(faces),
        normals=s.floats(multiple(doc, "normals", array(doc, "normals", context), 3, context)),
        normal_indices=s.ints(indices(doc, "normal_indices", context)),
        colors=s.floats(multiple(doc, "colors", array(doc, "colors", context), 3, context)),
        color_indices=s.ints(indices(doc, "color_indices", context)),
        tex_coords=s.floats(multiple(doc, "tex_coords", array(doc, "tex_coords", context), 2, context)),
        tex_coord_indices=s.ints(indices(doc, "tex_coord_indices", context)),
        solid=doc.solid,
        convex=False,
        crease_angle=radians(doc.crease_angle, unit),
    )


def _extrusion(doc: d.Extrusion, unit: str, context: Context) -> s.Geometry | None:
    section = multiple(doc, "cross_section", array(doc, "cross_section", context), 2, context)
    spine = multiple(doc, "spine", array(doc, "spine", context), 3, context)
    if section.size < 4 or spine.size < 6:
        context.findings.error(
            "extrusion-short",
            "Extrusion: cross_section and spine must have at least two points each",
            doc.at(),
        )
        return None
    points = spine.size // 3
    scale = multiple(doc, "scale", array(doc, "scale", context), 2, context)
    turns = multiple(doc, "orientation", array(doc, "orientation", context), 4, context)
    # reference: missing values are 0 (no rotation), excess values are ignored
    scale = _fitted(scale.reshape(-1, 2), points, [1.0, 1.0], [0.0, 0.0])
    turns = _fitted(turns.reshape(-1, 4), points, [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0])
    if unit == "degree":
        turns = turns * [1.0, 1.0, 1.0, math.pi / 180.0]
    along, crease = spine.reshape(-1, 3), radians(doc.crease_angle, unit)
    kind = frame_kind(along)
    if kind == "sheared":
        context.findings.info(
            "reference-differs",
            "Extrusion: the section is sheared along the oblique, straight spine, as in Choreonoid",
            doc.at("spine"),
        )
        caps = (doc.begin_cap, doc.end_cap)
        vertices, faces = swept(section.reshape(-1, 2), along, scale, turns, caps)
        return s.Mesh(
            vertices=s.floats(vertices),
            faces=s.ints(faces),
            convex=False,
            solid=doc.solid,
            crease_angle=crease,
        )
    if kind == "mirrored":
        turns = np.array([turned_down(row) for row in turns])
    return s.Extrusion(
        section=s.floats(section),
        spine=s.floats(spine),
        scale=s.floats(scale),
        orientation=s.floats(turns),
        begin_cap=doc.begin_cap,
        end_cap=doc.end_cap,
        # ISO/IEC 14772-1, 6.18, orients these faces outward, Choreonoid inward; sections of real files are
        # ordered for Choreonoid
        ccw=False,
        solid=doc.solid,
        crease_angle=crease,
    )


def _fitted(rows: Any, points: int, single: list[float], missing: list[float]) -> Any:
    """Extend or truncate rows to one per point; a single row applies to all points."""
    if len(rows) == 0:
        return np.array([single])
    if len(rows) == 1:
        return rows
    if len(rows) < points:
        return np.vstack([rows, np.tile(missing, (points - len(rows), 1))])
    return rows[:points]


def _grid(doc: d.ElevationGrid, unit: str, context: Context) -> s.Geometry | None:
    heights = array(doc, "height", context)
    if heights.size != doc.x_dimension * doc.z_dimension or doc.x_dimension < 2 or doc.z_dimension < 2:
        context.findings.error(
            "grid-size",
            f"ElevationGrid: {doc.x_dimension} × {doc.z_dimension} points require as many heights, "
            f"not {heights.size}",
            doc.at("height"),
        )
        return None
    return s.ElevationGrid(
        x_dimension=doc.x_dimension,
        z_dimension=doc.z_dimension,
        x_spacing=doc.x_spacing,
        z_spacing=doc.z_spacing,
        heights=s.floats(heights),
        tex_coords=s.floats(multiple(doc, "tex_coord", array(doc, "tex_coord", context), 2, context)),
        ccw=doc.ccw,
        solid=doc.solid,
        crease_angle=radians(doc.crease_angle, unit),
    )
