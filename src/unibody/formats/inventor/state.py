"""The traversal state that shapes inherit from the nodes before them, and how nodes change it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from unibody.document.declare import Document
from unibody.formats.inventor import document as d
from unibody.formats.inventor.arrays import Arrays
from unibody.formats.inventor.placement import mapped, posed, scaled
from unibody.formats.placement import Placement
from unibody.model.arrays import Floats
from unibody.model.inertia import matrix3
from unibody.model.pose import Pose, Quaternion, Vector3, from_axis_angle
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings

_NONE = np.empty((0, 3))
_NO_TURN = (1.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """Materials: lists of diffuse colors and transparencies, single other values, as in Inventor 2.1."""

    diffuse: Floats
    transparency: Floats
    ambient: Vector3 = (0.2, 0.2, 0.2)
    specular: Vector3 = (0.0, 0.0, 0.0)
    emissive: Vector3 = (0.0, 0.0, 0.0)
    shininess: float = 0.2


DEFAULT_LOOK = Look(np.array([[0.8, 0.8, 0.8]]), np.array([0.0]))


@dataclass(frozen=True, slots=True, eq=False)
class Hints:
    """Properties of polygons; ``crease`` is None for the default."""

    ordering: str = "UNKNOWN_ORDERING"
    solid: bool = False
    convex: bool = True
    crease: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """The state that shapes inherit from the nodes before them."""

    place: Placement = Placement()
    unit: float = 1.0
    points: Floats = field(default_factory=lambda: _NONE)
    normals: Floats = field(default_factory=lambda: _NONE)
    normal_binding: str = "PER_VERTEX_INDEXED"
    tex_coords: Floats | None = None
    tex_binding: str = "PER_VERTEX_INDEXED"
    look: Look = DEFAULT_LOOK
    material_binding: str = "OVERALL"
    hints: Hints = Hints()
    texture: d.Texture2 | None = None
    tex_transforms: tuple[d.Texture2Transform, ...] = ()
    complexity: float | None = None
    visible: bool = True
    line_width: float = 0.0
    child: int = -1


@dataclass(frozen=True, slots=True, eq=False)
class Reader:
    """Inputs of state changes besides the state: arrays and findings."""

    arrays: Arrays
    findings: Findings


def ignored(doc: Document, *keys: str) -> bool:
    """Whether a field is marked as ignored (~), so that it does not change the state."""
    return any(item[0][:1] == "~" and item[0][1:] in keys for item in doc.rest)


def is_vrml1(doc: Document) -> bool:
    """Whether a node comes from a VRML 1.0 file."""
    source = doc.node.source if doc.node is not None else None
    return source is not None and source.text[:40].lstrip("\ufeff \t\r\n").startswith("#VRML")


# --- transformations ------------------------------------------------------------------


def turn(value: tuple[float, ...]) -> Quaternion:
    """The quaternion of an axis and an angle; identity for a zero axis."""
    x, y, z, angle = value
    if angle == 0.0:
        return _NO_TURN
    return from_axis_angle((x, y, z), angle) or _NO_TURN


def _vector(value: tuple[float, ...]) -> Vector3:
    x, y, z = value
    return (x, y, z)


def _moved(place: Placement, doc: d.Transform) -> Placement:
    """translation · center · rotation · scaleOrientation · scale · back (Inventor, SoTransform)."""
    center = _vector(doc.center)
    x, y, z = doc.translation
    a, b, c = center
    place = posed(place, Pose((x + a, y + b, z + c), turn(doc.rotation)))
    if doc.scale_factor != d.ONE:
        tilt = Pose(quat=turn(doc.scale_orientation))
        place = posed(scaled(posed(place, tilt), _vector(doc.scale_factor)), tilt.inverse())
    return place if center == d.ZERO else posed(place, Pose((-a, -b, -c)))


def _transform(doc: d.Transform, state: State, reader: Reader) -> State:
    return replace(state, place=_moved(state.place, doc))


def _translation(doc: d.Translation, state: State, reader: Reader) -> State:
    here = doc.translation0 if isinstance(doc, d.Shuttle) else doc.translation
    return replace(state, place=posed(state.place, Pose(_vector(here))))


def _rotation(doc: d.Rotation, state: State, reader: Reader) -> State:
    here = doc.rotation0 if isinstance(doc, d.Pendulum) else doc.rotation
    return replace(state, place=posed(state.place, Pose(quat=turn(here))))


def _rotation_xyz(doc: d.RotationXYZ, state: State, reader: Reader) -> State:
    axis = tuple(1.0 if name == doc.axis else 0.0 for name in "XYZ")
    return replace(state, place=posed(state.place, Pose(quat=turn((*axis, doc.angle)))))


def _scale(doc: d.Scale, state: State, reader: Reader) -> State:
    return replace(state, place=scaled(state.place, _vector(doc.scale_factor)))


def _matrix(doc: d.MatrixTransform, state: State, reader: Reader) -> State:
    place = by_matrix(state.place, np.array(doc.matrix).reshape(4, 4), doc, reader.findings)
    return replace(state, place=place)


def by_matrix(place: Placement, rows: Any, doc: Any, findings: Findings) -> Placement:
    """The placement moved by a 4×4 matrix for row vectors."""
    last = rows[:, 3]
    if not np.allclose(last, (0.0, 0.0, 0.0, 1.0), rtol=0.0, atol=1e-9):
        findings.warning(
            "matrix-perspective",
            f"{doc.tag}: last column of matrix must be 0 0 0 1; perspective is ignored",
            doc.at("matrix"),
            "transpose the matrix if it is written for column vectors",
        )
    return mapped(place, matrix3(rows[:3, :3].T), _vector(tuple(rows[3, :3].tolist())))


def _units(doc: d.Units, state: State, reader: Reader) -> State:
    unit = d.UNITS[doc.units]
    factor = unit / state.unit
    return replace(state, unit=unit, place=scaled(state.place, (factor, factor, factor)))


def _reset(doc: d.ResetTransform, state: State, reader: Reader) -> State:
    if "TRANSFORM" not in doc.what_to_reset:
        return state
    return replace(state, place=Placement(), unit=1.0)


# --- appearance -----------------------------------------------------------------------


# Attribute of Look, field by Python name and as written, numbers per value.
_COLORS = (
    ("diffuse", "diffuse_color", "diffuseColor", 3),
    ("transparency", "transparency", "transparency", 1),
    ("ambient", "ambient_color", "ambientColor", 3),
    ("specular", "specular_color", "specularColor", 3),
    ("emissive", "emissive_color", "emissiveColor", 3),
    ("shininess", "shininess", "shininess", 1),
)


def _material(doc: d.Material, state: State, reader: Reader) -> State:
    changes: dict[str, Any] = {}
    for what, name, written, width in _COLORS:
        rows = reader.arrays.rows(doc, name, width)
        if not len(rows) or ignored(doc, written):
            continue
        if what == "diffuse":
            changes[what] = rows
        elif what == "transparency":
            changes[what] = rows[:, 0]
        else:
            first = rows[0].tolist()
            changes[what] = first[0] if width == 1 else tuple(first)
    return replace(state, look=replace(state.look, **changes))


def _base_color(doc: d.BaseColor, state: State, reader: Reader) -> State:
    rows = reader.arrays.rows(doc, "rgb", 3)
    if not len(rows) or ignored(doc, "rgb"):
        return state
    return replace(state, look=replace(state.look, diffuse=rows))


def _packed(look: Look, doc: Any, reader: Reader) -> Look:
    """The look with colors and opacities from integers 0xRRGGBBAA."""
    words = reader.arrays.whole(doc, "ordered_rgba") & 0xFFFFFFFF
    if not words.size:
        return look
    parts = np.stack([words >> shift & 0xFF for shift in (24, 16, 8, 0)], axis=1) / 255.0
    return replace(look, diffuse=parts[:, :3], transparency=1.0 - parts[:, 3])


def _packed_color(doc: d.PackedColor, state: State, reader: Reader) -> State:
    return replace(state, look=_packed(state.look, doc, reader))


def _material_binding(doc: d.MaterialBinding, state: State, reader: Reader) -> State:
    return state if ignored(doc, "value") else replace(state, material_binding=doc.value)


def _draw_style(doc: d.DrawStyle, state: State, reader: Reader) -> State:
    if not ignored(doc, "style"):
        state = replace(state, visible=doc.style != "INVISIBLE")
    return state if ignored(doc, "lineWidth") else replace(state, line_width=doc.line_width)


def _shape_hints(doc: d.ShapeHints, state: State, reader: Reader) -> State:
    if doc.hints is not None:
        whole = "ALL" in doc.hints
        solid, convex = whole or "SOLID" in doc.hints, whole or "CONVEX" in doc.hints
        ordered = whole or "ORDERED" in doc.hints
        ordering = "COUNTERCLOCKWISE" if ordered else "UNKNOWN_ORDERING"
        return replace(state, hints=Hints(ordering, solid, convex, doc.crease_angle))
    old = state.hints
    return replace(
        state,
        hints=Hints(
            old.ordering if ignored(doc, "vertexOrdering") else doc.vertex_ordering,
            old.solid if ignored(doc, "shapeType") else doc.shape_type == "SOLID",
            old.convex if ignored(doc, "faceType") else doc.face_type == "CONVEX",
            old.crease if ignored(doc, "creaseAngle") else doc.crease_angle,
        ),
    )


def _complexity(doc: d.Complexity, state: State, reader: Reader) -> State:
    if ignored(doc, "value") or doc.type != "OBJECT_SPACE" or "value" not in doc.given:
        return state
    return replace(state, complexity=min(max(doc.value, 0.0), 1.0))


def _texture(doc: d.Texture2, state: State, reader: Reader) -> State:
    return replace(state, texture=doc)


def _texture_transform(doc: d.Texture2Transform, state: State, reader: Reader) -> State:
    return replace(state, tex_transforms=(*state.tex_transforms, doc))


def _tex_coords(doc: d.TextureCoordinate2, state: State, reader: Reader) -> State:
    return replace(state, tex_coords=reader.arrays.rows(doc, "point", 2))


def _tex_default(doc: d.TextureCoordinateDefault, state: State, reader: Reader) -> State:
    return replace(state, tex_coords=None)


def _tex_binding(doc: d.TextureCoordinateBinding, state: State, reader: Reader) -> State:
    return replace(state, tex_binding=doc.value)


# --- vertices -------------------------------------------------------------------------


def _coordinate3(doc: d.Coordinate3, state: State, reader: Reader) -> State:
    return replace(state, points=reader.arrays.rows(doc, "point", 3))


def _coordinate4(doc: d.Coordinate4, state: State, reader: Reader) -> State:
    rows = reader.arrays.rows(doc, "point", 4)
    if len(rows) and not rows[:, 3].all():
        reader.findings.error(
            "point-at-infinity",
            "Coordinate4: fourth number of a point must not be 0",
            doc.at("point"),
            "write 1 as the fourth number",
        )
        return replace(state, points=_NONE)
    return replace(state, points=rows[:, :3] / rows[:, 3:])


def _normal(doc: d.Normal, state: State, reader: Reader) -> State:
    return replace(state, normals=reader.arrays.rows(doc, "vector", 3))


def _normal_binding(doc: d.NormalBinding, state: State, reader: Reader) -> State:
    return state if ignored(doc, "value") else replace(state, normal_binding=doc.value)


def vertex_property(doc: d.VertexProperty, state: State, reader: Reader) -> State:
    """The state with the non-empty lists of a VertexProperty and their bindings."""
    vertex, normal = reader.arrays.rows(doc, "vertex", 3), reader.arrays.rows(doc, "normal", 3)
    coords = reader.arrays.rows(doc, "tex_coord", 2)
    if len(vertex):
        state = replace(state, points=vertex)
    if len(normal):
        state = replace(state, normals=normal, normal_binding=doc.normal_binding)
    if len(coords):
        state = replace(state, tex_coords=coords)
    if reader.arrays.whole(doc, "ordered_rgba").size:
        look = _packed(state.look, doc, reader)
        state = replace(state, look=look, material_binding=doc.material_binding)
    return state


Change = Callable[[Any, State, Reader], State]
#: The state changes of property nodes; derived classes inherit them.
CHANGES: Mapping[type[Any], Change] = MappingProxyType(
    {
        d.Transform: _transform,
        d.Translation: _translation,
        d.Rotation: _rotation,
        d.RotationXYZ: _rotation_xyz,
        d.Scale: _scale,
        d.MatrixTransform: _matrix,
        d.Units: _units,
        d.ResetTransform: _reset,
        d.Material: _material,
        d.BaseColor: _base_color,
        d.PackedColor: _packed_color,
        d.MaterialBinding: _material_binding,
        d.DrawStyle: _draw_style,
        d.ShapeHints: _shape_hints,
        d.Complexity: _complexity,
        d.Texture2: _texture,
        d.Texture2Transform: _texture_transform,
        d.TextureCoordinate2: _tex_coords,
        d.TextureCoordinateDefault: _tex_default,
        d.TextureCoordinateBinding: _tex_binding,
        d.Coordinate3: _coordinate3,
        d.Coordinate4: _coordinate4,
        d.Normal: _normal,
        d.NormalBinding: _normal_binding,
        d.VertexProperty: vertex_property,
    }
)
