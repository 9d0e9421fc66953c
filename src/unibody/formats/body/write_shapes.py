"""Writes shapes as Body elements (facts A.8 to A.12); the inverse of ``elements`` and ``geometry``."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from unibody.document.declare import Document, to_numbers
from unibody.formats.body import document as d
from unibody.formats.body.geometry import ALONG_Y
from unibody.formats.body.spine import frame_kind, turned_down
from unibody.formats.placement import Placement, turned
from unibody.formats.tidy import axis_angle, degrees, tidy
from unibody.model import shape as s
from unibody.model.decomposition import product, singular_values, transposed
from unibody.model.pose import ZERO, Matrix3, Pose, matrix_quaternion
from unibody.text.node import Numbers, Value

UNITS = {0.001: "millimeter", 0.0254: "inch"}
_UPRIGHT = ALONG_Y.inverse()


def elements(visuals: tuple[s.Shape, ...], collisions: tuple[s.Shape, ...]) -> list[Document]:
    """The elements of a link; wrapped in Visual and Collision unless both have the same shapes."""
    seen = [made for made in map(element, visuals) if made is not None]
    if visuals == collisions:
        return seen
    # lines are only drawn
    hit = [made for x in collisions if (made := element(x)) is not None and not isinstance(made, d.LineSet)]
    out: list[Document] = [d.Visual(elements=seen)] if seen else []
    return [*out, d.Collision(elements=hit)] if hit else out


def element(shape: s.Shape) -> Document | None:
    """The element of a shape; None if Body files cannot represent it."""
    if not writable(shape.geometry):
        return None
    at = Placement(shape.pose, shape.linear)
    if stands_along_y(shape):
        # round shapes are along Y; the reader rotates the deformation with them
        at = turned(at, _UPRIGHT)
    pose, stretch = at.pose, at.linear
    made: d.Posed
    made, own = _bare(shape)
    if own is not None:
        stretch = own if stretch is None else product(stretch, own)
    if stretch is None or is_diagonal(stretch):
        place(made, pose)
        if stretch is not None:
            _scale(made, (stretch[0][0], stretch[1][1], stretch[2][2]))
        return made
    return _sheared(made, pose, stretch)


def stands_along_y(shape: s.Shape) -> bool:
    """Whether the reader rotates a shape from Y to Z: a round shape, or a textured sphere."""
    textured = shape.material is not None and shape.material.texture is not None
    return isinstance(shape.geometry, s.Cylinder | s.Cone | s.Capsule) or (
        isinstance(shape.geometry, s.Sphere) and textured
    )


def is_diagonal(matrix: Matrix3) -> bool:
    """Whether a 3×3 matrix only scales along the axes."""
    return not any(matrix[i][j] for i in range(3) for j in range(3) if i != j)


def writable(geometry: s.Geometry) -> bool:
    """Whether Choreonoid accepts a geometry; it rejects zero sizes (facts A.11)."""
    match geometry:
        case s.Box(size=size):
            return min(size) >= 0.0
        case s.Sphere(radius=radius):
            return radius > 0.0
        case s.Cylinder() | s.Cone():
            return geometry.radius > 0.0 and geometry.height > 0.0
        case s.Capsule():
            return geometry.radius > 0.0 and geometry.height >= 0.0
        case s.Mesh():
            return len(geometry.vertices) >= 3 and bool(np.any(np.asarray(geometry.faces) >= 0))
        case s.MeshFile():
            return bool(geometry.uri)
        case s.LineSet():
            return bool(np.any(np.asarray(geometry.lines) >= 0))
        case s.Extrusion():
            return len(geometry.section) >= 4 and len(geometry.spine) >= 6
        case s.ElevationGrid():
            nx, nz = geometry.x_dimension, geometry.z_dimension
            return nx > 1 and nz > 1 and len(geometry.heights) == nx * nz
    return False


def place(doc: Any, pose: Pose) -> None:
    """Set the pose of a posed node."""
    if pose.xyz != ZERO:
        doc.translation = pose.xyz
    doc.rotation = axis_angle(pose.quat)


def _scale(doc: Any, scale: tuple[float, float, float]) -> None:
    sx, sy, sz = scale
    if isinstance(doc, d.Resource) and doc.scale is not None:
        a, b, c = doc.scale
        sx, sy, sz = sx * a, sy * b, sz * c
    doc.scale = None if (sx, sy, sz) == (1.0, 1.0, 1.0) else (sx, sy, sz)


def _sheared(made: Any, pose: Pose, linear: Matrix3) -> Document:
    """An element under any stretch: a turn, a scale and another turn (the singular values)."""
    u, scale, v = singular_values(product(pose.rotation(), linear))
    outer = d.Transform(elements=[made], scale=(tidy(scale[0]), tidy(scale[1]), tidy(scale[2])))
    place(outer, Pose(pose.xyz, matrix_quaternion(u)))
    place(made, Pose(quat=matrix_quaternion(transposed(v))))
    return outer


def _bare(shape: s.Shape) -> tuple[Any, Matrix3 | None]:
    """The element of a shape without its pose, and the scale to apply to it."""
    match shape.geometry:
        case s.MeshFile() as mesh:
            return _mesh_file(mesh, shape)
        case s.LineSet() as lines:
            return _lines(lines, shape), None
    doc = d.Shape(
        name=shape.name, geometry=_geometry(shape.geometry), appearance=appearance(shape.material)
    )
    if isinstance(doc.geometry, d.Divided):
        doc.geometry.division_number = shape.divisions
    return doc, None


def _mesh_file(mesh: s.MeshFile, shape: s.Shape) -> tuple[Any, Matrix3 | None]:
    keys: dict[str, Any] = {"uri": mesh.uri, "fragment": mesh.fragment, "metadata": _metadata(mesh)}
    if mesh.geometry_only or (shape.material is not None and mesh.uri.lower().endswith(".stl")):
        # the appearance applies to a mesh file used as geometry, which must have a single shape (facts A.9)
        a, b, c = mesh.scale
        stretch = None if mesh.scale == (1.0, 1.0, 1.0) else ((a, 0.0, 0.0), (0.0, b, 0.0), (0.0, 0.0, c))
        made = d.Shape(
            name=shape.name, geometry=d.GeometryResource(**keys), appearance=appearance(shape.material)
        )
        return made, stretch
    scale = None if mesh.scale == (1.0, 1.0, 1.0) else mesh.scale
    return d.Resource(name=shape.name, scale=scale, **keys), None


def _metadata(mesh: s.MeshFile) -> Any:
    pairs = []
    if mesh.unit in UNITS:
        pairs.append(("length_unit", UNITS[mesh.unit]))
    if mesh.up_axis == "choreonoid-Y":
        pairs.append(("upper_axis", "Y"))
    return tuple(pairs) or None


def _lines(lines: s.LineSet, shape: s.Shape) -> d.LineSet:
    index = np.asarray(lines.lines, np.int64).reshape(-1)
    both = (index[:-1] >= 0) & (index[1:] >= 0)
    pairs = np.stack([index[:-1][both], index[1:][both]], axis=1).reshape(-1)
    material = None if shape.material is None else _material(shape.material)
    width = 1.0 if lines.width is None else lines.width
    return d.LineSet(
        name=shape.name,
        vertices=_numbers(lines.vertices),
        lines=_whole(pairs),
        line_width=width,
        material=material,
    )


def _numbers(values: Any) -> Numbers | None:
    flat = np.asarray(values, np.float64).reshape(-1)
    return to_numbers(flat.tolist()) if flat.size else None


def _whole(values: Any) -> Value | None:
    flat = np.asarray(values, np.int64).reshape(-1)
    return Numbers(", ".join(map(str, flat.tolist()))) if flat.size else None


def _geometry(geometry: s.Geometry) -> Document | None:
    match geometry:
        case s.Box(size=size):
            return d.Box(size=size)
        case s.Sphere(radius=radius):
            return d.Sphere(radius=radius)
        case s.Cylinder():
            return d.Cylinder(
                radius=geometry.radius, height=geometry.height, top=geometry.top, bottom=geometry.bottom
            )
        case s.Cone():
            return d.Cone(radius=geometry.radius, height=geometry.height, bottom=geometry.bottom)
        case s.Capsule():
            return d.Capsule(radius=geometry.radius, height=geometry.height)
        case s.Mesh():
            return _faces(geometry)
        case s.Extrusion():
            return _extrusion(geometry)
        case s.ElevationGrid():
            return _grid(geometry)
    return None


def _faces(mesh: s.Mesh) -> d.IndexedFaceSet:
    faces = np.asarray(mesh.faces, np.int64).reshape(-1)
    if faces.size and faces[-1] >= 0:
        # Choreonoid ignores an open last face (facts A.11)
        faces = np.append(faces, -1)
    return d.IndexedFaceSet(
        vertices=_numbers(mesh.vertices),
        faces=_whole(faces),
        normals=_numbers(mesh.normals),
        normal_indices=_whole(mesh.normal_indices),
        colors=_numbers(mesh.colors),
        color_indices=_whole(mesh.color_indices),
        tex_coords=_numbers(mesh.tex_coords),
        tex_coord_indices=_whole(mesh.tex_coord_indices),
        crease_angle=degrees(mesh.crease_angle),
        solid=mesh.solid,
    )


def _points(shape: s.Extrusion) -> Any:
    spine = np.asarray(shape.spine, np.float64)
    return spine[: spine.size - spine.size % 3].reshape(-1, 3)


def holds(shape: s.Shape) -> bool:
    """Whether a shape is written without conversion to a mesh file."""
    match shape.geometry:
        case s.Extrusion() as extrusion:
            # Choreonoid shears the section along an oblique line
            spine = _points(extrusion)
            return len(spine) < 2 or frame_kind(spine) != "sheared"
        case s.MeshFile() as mesh:
            return not mesh.centered
        case s.LineSet() | s.PointSet() | s.Mesh() | s.ElevationGrid():
            return True
        case s.Ellipsoid() | s.Plane():
            return False
    return True


def _extrusion(shape: s.Extrusion) -> d.Extrusion:
    """Reorder an extrusion for the reader, which assumes clockwise faces and mirrors along −Y."""
    section = np.asarray(shape.section, np.float64).reshape(-1, 2)
    spine = _points(shape)
    scale = np.asarray(shape.scale, np.float64).reshape(-1, 2)
    turns = np.asarray(shape.orientation, np.float64).reshape(-1, 4)
    if shape.ccw:
        section = section[::-1]
    if len(spine) > 1 and frame_kind(spine) == "mirrored":
        turns = np.array([turned_down(row) for row in turns])
    rows = [(x, y, z, degrees(a)) for x, y, z, a in turns.tolist()]
    plain = not turns[:, 3].any()
    return d.Extrusion(
        cross_section=_numbers(section),
        spine=_numbers(spine),
        orientation=None if plain and len(rows) == 1 else to_numbers([v for row in rows for v in row]),
        scale=None if scale.tolist() == [[1.0, 1.0]] else _numbers(scale),
        crease_angle=degrees(shape.crease_angle),
        begin_cap=shape.begin_cap,
        end_cap=shape.end_cap,
        solid=shape.solid,
    )


def _grid(grid: s.ElevationGrid) -> d.ElevationGrid:
    return d.ElevationGrid(
        x_dimension=grid.x_dimension,
        z_dimension=grid.z_dimension,
        x_spacing=grid.x_spacing,
        z_spacing=grid.z_spacing,
        height=_numbers(grid.heights),
        tex_coord=_numbers(grid.tex_coords),
        ccw=grid.ccw,
        solid=grid.solid,
        crease_angle=degrees(grid.crease_angle),
    )


def appearance(material: s.Material | None) -> d.Appearance | None:
    """The appearance of a material; None without a material."""
    if material is None:
        return None
    texture = material.texture if material.texture is not None and material.texture.uri else None
    bare = replace(material, texture=None, name="") == s.Material()
    out = d.Appearance(material=None if bare and texture is not None else _material(material))
    if texture is not None:
        out.texture = d.Texture(url=texture.uri, repeat_s=texture.repeat_s, repeat_t=texture.repeat_t)
        if texture.transform is not None:
            move = texture.transform
            out.texture_transform = d.TextureTransform(
                center=move.center,
                scale=move.scale,
                translation=move.translation,
                rotation=degrees(move.rotation),
            )
    return out


def _material(material: s.Material) -> d.Material:
    return d.Material(
        ambient=material.ambient,
        diffuse=material.diffuse,
        emissive=material.emissive,
        specular=material.specular,
        specular_exponent=material.specular_exponent,
        transparency=material.transparency,
    )


__all__ = ["UNITS", "appearance", "element", "elements", "holds", "place", "writable"]
