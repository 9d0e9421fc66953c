"""Materials, hints and what is left of a state; shapes without points; nodes that are only kept."""

from __future__ import annotations

import pytest
from tests.formats.inventor.cases import colors, finding, reading, shape, shapes

from unibody.formats.inventor import document as d
from unibody.model.shape import Box, Cone, Cylinder, Mesh, Sphere

RED = (1.0, 0.0, 0.0)
GRAY = (0.8, 0.8, 0.8)


def test_the_default_material() -> None:
    material = shape("Cube { }").material
    assert material is not None
    assert (material.diffuse, material.ambient, material.transparency) == (GRAY, 0.25, 0.0)
    assert material.specular_exponent == pytest.approx(26.4)


def test_a_material_sets_all_that_is_not_marked() -> None:
    text = "Material { diffuseColor 1 0 0 transparency 0.5 } Material { shininess 1 } Cube { }"
    assert colors(text) == [GRAY]
    text = "Material { diffuseColor 1 0 0 } Material { diffuseColor 0 1 0 ~ transparency 0.5 } Cube { }"
    material = shape(text).material
    assert material is not None
    assert (material.diffuse, material.transparency) == (RED, 0.5)


def test_base_color_leaves_the_rest() -> None:
    material = shape("Material { transparency 0.5 } BaseColor { rgb 1 0 0 } Cube { }").material
    assert material is not None
    assert (material.diffuse, material.transparency) == (RED, 0.5)


def test_packed_color() -> None:
    material = shape("PackedColor { orderedRGBA 0xff000033 } Cube { }").material
    assert material is not None
    assert material.diffuse == RED
    assert material.transparency == pytest.approx(0.8)


def test_an_invisible_shape_is_left_out() -> None:
    found = shapes("Separator { DrawStyle { style INVISIBLE } Cube { } } Sphere { }", "not-drawn")
    assert [type(s.geometry) for s in found] == [Sphere]


def test_complexity_is_the_number_of_sides() -> None:
    text = "Sphere { } Complexity { value 0.25 } Sphere { } Cube { } Complexity { value 1 } Cone { }"
    found = shapes(text)
    assert [s.divisions for s in found] == [None, 10, None, 40]


def test_solids_stand_along_y() -> None:
    for text in ("Cylinder { radius 0.5 height 4 }", "Cone { bottomRadius 0.5 height 4 }"):
        found = shape(text)
        assert isinstance(found.geometry, Cylinder | Cone)
        assert found.pose.apply((0.0, 0.0, 1.0)) == pytest.approx((0.0, 1.0, 0.0))


def test_parts() -> None:
    found = shape("Cylinder { parts (SIDES | TOP) }").geometry
    assert isinstance(found, Cylinder)
    assert (found.side, found.top, found.bottom) == (True, True, False)
    cone = shape("Cone { parts BOTTOM }").geometry
    assert isinstance(cone, Cone)
    assert (cone.side, cone.bottom) == (False, True)


def test_sizes() -> None:
    assert shape("Cube { width -1 height 2 depth 0 }", "shape-size").geometry == Box(size=(1.0, 2.0, 0.0))
    for text in (
        "Sphere { radius 0 }",
        "Cylinder { height -1 }",
        "Cone { bottomRadius 0 }",
        "Cube { width 0 depth 0 }",
    ):
        assert len(shapes(f"{text} Cube {{ }}", "shape-size")) == 1


def test_names() -> None:
    assert [s.name for s in shapes("DEF a Separator { DEF b Cube { } Cube { } }")] == ["b", ""]


def test_all_is_kept() -> None:
    text = "PerspectiveCamera { } PointLight { } Info { } Text2 { } Frob { } Cube { }"
    found = reading(text)
    assert found.robot is not None
    (extra,) = found.robot.extras
    tags = [node.tag for _, node, _ in extra.node.items]  # type: ignore[union-attr]
    assert tags == ["PerspectiveCamera", "PointLight", "Info", "Text2", "Frob"]


def test_nodes_of_another_program() -> None:
    assert finding("Frob { level 3 } Cube { }", "node-unknown").severity == "warning"
    assert finding("Cuboid { } Cube { }", "node-unknown").hint == ""
    assert finding("Cubee { } Cube { }", "node-unknown").hint == "did you mean 'Cube'?"
    text = "Frob { fields [ SFFloat level ] level 3 } Cube { }"
    assert finding(text, "node-described").severity == "info"
    inner = "Frob { fields [ SFNode alternateRep ] alternateRep Sphere { } Cone { } }"
    assert isinstance(shape(inner, "node-described").geometry, Sphere)
    found = shapes("Frob { BaseColor { rgb 1 0 0 } Cone { } } Cube { }", "node-unknown")
    assert [type(s.geometry) for s in found] == [Cone, Box]
    assert found[1].material is not None
    assert found[1].material.diffuse == GRAY


def test_vrml_1_has_a_crease_angle_of_its_own() -> None:
    body = "Coordinate3 { point [ 0 0 0, 1 0 0, 0 1 0 ] } IndexedFaceSet { coordIndex [ 0, 1, 2, -1 ] }"
    for head, angle in (
        ("#VRML V1.0 ascii", 0.5),
        ("#Inventor V2.1 ascii", 0.0),
        ("#Inventor V2.0 ascii", 0.0),
    ):
        geometry = shape(f"{head}\n{body}").geometry
        assert isinstance(geometry, Mesh)
        assert geometry.crease_angle == angle


def test_shape_hints() -> None:
    body = "Coordinate3 { point [ 0 0 0, 1 0 0, 0 1 0 ] } FaceSet { numVertices 3 }"

    def hinted(fields: str) -> tuple[bool, bool, bool, float]:
        geometry = shape(f"ShapeHints {{ {fields} }} {body}").geometry
        assert isinstance(geometry, Mesh)
        return geometry.ccw, geometry.solid, geometry.convex, geometry.crease_angle

    assert hinted("") == (True, False, True, 0.0)
    assert hinted("shapeType SOLID") == (True, False, True, 0.0)
    assert hinted("vertexOrdering CLOCKWISE shapeType SOLID creaseAngle 1") == (False, True, True, 1.0)
    assert hinted("faceType UNKNOWN_FACE_TYPE") == (True, False, False, 0.0)
    assert hinted("hints (SOLID | ORDERED) creaseAngle 0.25") == (True, True, False, 0.25)
    assert hinted("hints ALL") == (True, True, True, 0.0)


def test_declared_units_are_exact() -> None:
    assert d.UNITS["INCHES"] * 12 == pytest.approx(d.UNITS["FEET"])
