"""Geometry nodes: what they become, and what is said of numbers that are wrong."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.formats.vrml97.reading import HEADER, Read, context, read

from unibody.document.bind import Binding, bind
from unibody.files.access import MemoryFiles
from unibody.formats.loader import read as load_reading
from unibody.formats.placement import Placement
from unibody.formats.vrml97 import document as d
from unibody.formats.vrml97.expand import expand
from unibody.formats.vrml97.read import Reader, read_shapes
from unibody.meshes import MeshCache, Surface, area, shape_surfaces
from unibody.model import shape as s
from unibody.model.robot import Robot
from unibody.text.deferred import is_deferred
from unibody.text.finding import Findings
from unibody.text.node import Numbers
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml


def one(geometry: str) -> tuple[Any, Read]:
    """The only geometry of a text with one shape."""
    made = read(f"Shape {{ geometry {geometry} }}")
    (shape,) = made.found.visuals
    return shape.geometry, made


def surfaces(text: str) -> tuple[list[Surface], Findings]:
    """What a whole text is drawn as, in each shape's own frame."""
    cache = MeshCache()
    return [x for shape in read(text).found.visuals for x in shape_surfaces(shape, cache)], cache.findings


def whole(text: str) -> tuple[Robot, Findings]:
    """A file as ``unibody.read`` reads it; the numbers of its shapes stay unread."""
    files = MemoryFiles({"a.wrl": (HEADER + text).encode()})
    reading = load_reading("a.wrl", files=files)
    assert reading.robot is not None
    return reading.robot, Findings(f for f in reading.findings if f.severity != "info")


def drawn(geometry: str) -> Surface:
    (surface,) = surfaces(f"Shape {{ geometry {geometry} }}")[0]
    return surface


THREE = "coord Coordinate { point [ 0 0 0, 1 0 0, 1 1 0 ] }"
SQUARE = "coord Coordinate { point [ 0 0 0, 1 0 0, 1 1 0, 0 1 0 ] } coordIndex [ 0 1 2 3 -1 ]"


# --- primitives ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Box { }", s.Box(size=(2.0, 2.0, 2.0))),
        ("Box { size 1 2 3 }", s.Box(size=(1.0, 2.0, 3.0))),
        ("Sphere { radius 3 }", s.Sphere(radius=3.0)),
        ("Cylinder { }", s.Cylinder(radius=1.0, height=2.0)),
        (
            "Cylinder { radius 3 height 5 top FALSE bottom FALSE side FALSE }",
            s.Cylinder(radius=3.0, height=5.0, top=False, bottom=False, side=False),
        ),
        ("Cone { }", s.Cone(radius=1.0, height=2.0)),
        (
            "Cone { bottomRadius 3 height 5 bottom FALSE side FALSE }",
            s.Cone(radius=3.0, height=5.0, bottom=False, side=False),
        ),
    ],
)
def test_primitives(text: str, expected: s.Geometry) -> None:
    made, reading = one(text)
    assert made == expected
    assert reading.findings == []


def test_a_cone_points_up_along_y() -> None:
    (shape,) = read("Shape { geometry Cone { bottomRadius 1 height 4 } }").found.visuals
    assert shape.pose.apply((0.0, 0.0, 2.0)) == pytest.approx((0.0, 2.0, 0.0))


@pytest.mark.parametrize(
    "text",
    ["Box { size -1 1 1 }", "Sphere { radius 0 }", "Cylinder { height 0 }", "Cone { bottomRadius -1 }"],
)
def test_sizes_must_be_positive(text: str) -> None:
    made = read(f"Shape {{ geometry {text} }} {'Shape { geometry Sphere { } }'}")
    assert len(made.found.visuals) == 1
    assert made.told == ["size-not-positive"]
    assert made.findings[0].at is not None


def test_text_is_kept() -> None:
    made = read('Shape { geometry Text { string "hello" } }')
    assert made.found.visuals == []
    assert made.codes == ["not-drawn"]
    assert [x.tag for x in made.found.kept] == ["Shape"]


def test_a_shape_without_geometry() -> None:
    made = read("Shape { } Shape { geometry NULL }")
    assert made.found.visuals == []
    assert made.findings == []


# --- faces --------------------------------------------------------------------------------


def test_every_field_of_a_face_set() -> None:
    mesh, reading = one(
        """IndexedFaceSet {
  coord Coordinate { point [ 0 0 0, 1 0 0, 1 1 0, 0 1 0 ] } coordIndex [ 0 1 2 -1 0 2 3 -1 ]
  normal Normal { vector [ 0 0 1, 0 0 -1 ] } normalIndex [ 0 1 ] normalPerVertex FALSE
  color Color { color [ 1 0 0, 0 1 0 ] } colorIndex [ 1 0 ] colorPerVertex FALSE
  texCoord TextureCoordinate { point [ 0 0, 1 0, 1 1 ] } texCoordIndex [ 0 1 2 -1 0 1 2 -1 ]
  ccw FALSE convex FALSE solid FALSE creaseAngle 0.5 }"""
    )
    assert reading.findings == []
    assert mesh == s.Mesh(
        vertices=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0),
        faces=(0, 1, 2, -1, 0, 2, 3, -1),
        normals=(0.0, 0.0, 1.0, 0.0, 0.0, -1.0),
        normal_indices=(0, 1),
        normal_per_vertex=False,
        colors=(1.0, 0.0, 0.0, 0.0, 1.0, 0.0),
        color_indices=(1, 0),
        color_per_vertex=False,
        tex_coords=(0.0, 0.0, 1.0, 0.0, 1.0, 1.0),
        tex_coord_indices=(0, 1, 2, -1, 0, 1, 2, -1),
        ccw=False,
        convex=False,
        solid=False,
        crease_angle=0.5,
    )


def test_numbers_are_read_when_they_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a number of a mesh was read")

    for name in ("array", "integers", "words", "places"):
        monkeypatch.setattr(Numbers, name, never)
    at = context()
    grid = "ElevationGrid { xDimension 2 zDimension 2 height [ 0 0 0 0 ] }"
    lines = "IndexedLineSet { coord Coordinate { point [ 0 0 0, 1 0 0 ] } coordIndex [ 0 1 ] }"
    shapes = [f"IndexedFaceSet {{ {SQUARE} }}", grid, lines, "Extrusion { spine [ 0 0 0, 0 2 0 ] }"]
    text = HEADER + " ".join(f"Shape {{ geometry {x} }}" for x in shapes)
    tree = expand(vrml.parse(Source("dir/a.wrl", text), at.findings), at)
    world = bind(d.World, tree, Binding(at.findings, nodes=d.NODES, null="NULL"))
    found = read_shapes(world.children, Placement(), Reader(at)).visuals
    assert [type(x.geometry) for x in found] == [s.Mesh, s.ElevationGrid, s.LineSet, s.Extrusion]
    monkeypatch.undo()
    assert isinstance(found[0].geometry, s.Mesh)
    assert len(found[0].geometry.vertices) == 12


def test_a_last_face_that_is_open_is_kept() -> None:
    mesh, reading = one(
        "IndexedFaceSet { coord Coordinate { point [ 0 0 0, 1 0 0, 1 1 0 ] } coordIndex [ 0 1 2 ] }"
    )
    assert mesh.faces == (0, 1, 2, -1)
    assert reading.told == ["last-face-open"]


@pytest.mark.parametrize(("index", "bad"), [("0 1 9 -1 0 1 2 -1", 9), ("0 1 -5 2 -1 0 1 2 -1", -5)])
def test_an_index_out_of_range(index: str, bad: int) -> None:
    text = (
        f"IndexedFaceSet {{ coord Coordinate {{ point [ 0 0 0, 1 0 0, 1 1 0 ] }} coordIndex [ {index} ] }}"
    )
    reading = one(text)[1]
    assert reading.told == ["index-out-of-range"]
    assert f"coordIndex: index {bad} is out of range; 3 points" in reading.findings[0].message
    found, findings = surfaces(f"Shape {{ geometry {text} }}")
    assert sum(len(x.faces) for x in found) >= 1
    assert [f.code for f in findings] == ["index-out-of-range"]


def test_a_face_without_its_points_goes_with_what_belongs_to_it() -> None:
    mesh, reading = one(
        "IndexedFaceSet { coord Coordinate { point [ 0 0 0, 1 0 0, 1 1 0 ] } "
        "coordIndex [ 0 1 9 -1 2 1 0 -1 ] "
        "normal Normal { vector [ 0 0 1, 0 0 -1 ] } normalPerVertex FALSE "
        "color Color { color [ 1 0 0, 0 1 0 ] } colorIndex [ 0 0 0 -1 1 1 1 -1 ] "
        "texCoord TextureCoordinate { point [ 0 0, 1 1 ] } texCoordIndex [ 0 0 ] }"
    )
    assert reading.told == ["index-out-of-range"]
    assert mesh.faces == (2, 1, 0, -1)
    assert mesh.normal_indices == (1,)
    assert mesh.color_indices == (1, 1, 1, -1)
    # nobody knows which of these two would be left
    assert mesh.tex_coords == mesh.tex_coord_indices == ()


@pytest.mark.parametrize(
    "text",
    [
        "IndexedFaceSet { }",
        "IndexedFaceSet { coord Coordinate { } coordIndex [ 0 1 2 -1 ] }",
        "IndexedFaceSet { coord Coordinate { point [ ] } coordIndex [ 0 1 2 -1 ] }",
        "IndexedFaceSet { coord Coordinate { point [ 0 0 0 ] } }",
        "IndexedFaceSet { coord NULL coordIndex [ 0 1 2 -1 ] }",
        "IndexedLineSet { }",
        "PointSet { }",
        "ElevationGrid { }",
        "ElevationGrid { xDimension 2 zDimension 2 }",
    ],
)
def test_geometry_without_numbers_draws_nothing(text: str) -> None:
    made = read(f"Shape {{ geometry {text} }}")
    assert made.found.visuals == []
    assert made.told == ["mesh-empty"]


@pytest.mark.parametrize(
    ("point", "code", "place"),
    [
        ("0 0 0, 1 0 0, 1 1 x", "wrong-value", "x"),
        ("0 0 0, 1 0 0, 1 1 TRUE", "wrong-value", "TRUE"),
        ("0 0 0, 1 0 0, 1 1 nan", "number-not-finite", "nan"),
        ("0 0 0, 1 0 0, 1 1 1.#IND", "number-not-finite", "1.#IND"),
        ("0 0 0, 1 0 0, 1 1", "list-length", "[ 0 0 0, 1 0 0, 1 1 ]"),
    ],
)
def test_points_that_are_wrong(point: str, code: str, place: str) -> None:
    _, reading = one(
        f"IndexedFaceSet {{ coord Coordinate {{ point [ {point} ] }} coordIndex [ 0 1 0 -1 ] }}"
    )
    assert code in reading.told
    finding = next(f for f in reading.findings if f.code == code)
    assert finding.message.startswith("Coordinate: point")
    assert finding.at is not None
    assert finding.at.text == place


@pytest.mark.parametrize(
    "word", ["nan", "-NaN", "-nan(ind)", "inf", "-Infinity", "1.#IND", "-1.#INF", "1.#QNAN"]
)
@pytest.mark.parametrize("kind", ["IndexedFaceSet", "DEF A IndexedFaceSet", "IndexedLineSet", "PointSet"])
def test_nan_is_found_without_converting_the_numbers(word: str, kind: str) -> None:
    index = "" if kind == "PointSet" else "coordIndex [ 0 1 2 -1 ]"
    text = f"{kind} {{ coord Coordinate {{ point [ 0 0 0,\n1 0 {word}, 1 1 0 # none\n] }} {index} }}"
    robot, findings = whole(f"Shape {{ geometry {text} }}")
    assert [(f.code, f.severity) for f in findings] == [("number-not-finite", "error")]
    at = findings[0].at
    assert at is not None
    assert (at.line, at.column, at.text) == (3, 5, word)
    assert not is_deferred(robot.links[0].visuals[0].geometry)


def test_an_n_in_a_comment_converts_nothing() -> None:
    commented = SQUARE.replace("[", "[ # none\n")
    robot, findings = whole(f"Shape {{ geometry IndexedFaceSet {{ {commented} }} }}")
    assert findings == []
    assert is_deferred(robot.links[0].visuals[0])


def test_normals_of_nan_are_found_at_once() -> None:
    text = f"IndexedFaceSet {{ {SQUARE} normal Normal {{ vector [ 0 0 -nan, 0 0 1 ] }} }}"
    _, findings = whole(f"Shape {{ geometry {text} }}")
    assert [f.code for f in findings] == ["normals-not-finite"]


def test_indices_in_other_forms() -> None:
    mesh, reading = one(
        "IndexedFaceSet { coord Coordinate { point [ 0 0 0, 1 0 0, 1 1 0 ] } coordIndex [ 0x0 1.0 2 -1 ] }"
    )
    assert mesh.faces == (0, 1, 2, -1)
    assert reading.told == ["number-suffix"]
    _, wrong = one(f"IndexedFaceSet {{ {THREE} coordIndex [ 0 1 99999999999 ] }}")
    assert "wrong-value" in wrong.told


def test_normals_that_are_no_numbers_are_made_anew() -> None:
    """``sample3dof.wrl`` has -nan normals, and loads (facts B.10)."""
    mesh, reading = one(f"IndexedFaceSet {{ {SQUARE} normal Normal {{ vector [ 0 0 -nan, 0 0 1 ] }} }}")
    assert mesh.normals == ()
    assert reading.told == ["normals-not-finite"]


def colours(text: str) -> Any:
    """The colour of each corner of each triangle (triangles, 3, red and green and blue)."""
    points = "coord Coordinate { point [ 0 0 0, 1 0 0, 1 1 0, 0 1 0 ] } coordIndex [ 0 1 2 -1 0 2 3 -1 ]"
    surface = drawn(f"IndexedFaceSet {{ {points} {text} }}")
    assert surface.colors is not None
    return surface.colors[surface.faces][:, :, :3].tolist()


R, G, B = [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]
RGB = "color Color { color [ 1 0 0, 0 1 0, 0 0 1, 1 0 0 ] }"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 6.23: per vertex, by coordIndex where colorIndex is empty
        (RGB, [[R, G, B], [R, B, R]]),
        (f"{RGB} colorIndex [ 0 0 1 -1 2 2 2 -1 ]", [[R, R, G], [B, B, B]]),
        # per face, in their order where colorIndex is empty
        (f"{RGB} colorPerVertex FALSE", [[R, R, R], [G, G, G]]),
        (f"{RGB} colorPerVertex FALSE colorIndex [ 2 1 ]", [[B, B, B], [G, G, G]]),
    ],
)
def test_colours_by_all_index_rules(text: str, expected: Any) -> None:
    assert colours(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("normal Normal { vector [ 0 0 1, 0 0 1, 0 0 1, 0 0 1 ] }", 1.0),
        ("normal Normal { vector [ 0 0 -1, 0 0 1 ] } normalIndex [ 0 0 0 -1 0 0 0 -1 ]", -1.0),
        ("normal Normal { vector [ 0 0 1, 0 0 1 ] } normalPerVertex FALSE", 1.0),
        ("normal Normal { vector [ 0 0 1, 0 0 -1 ] } normalPerVertex FALSE normalIndex [ 1 1 ]", -1.0),
    ],
)
def test_normals_by_all_index_rules(text: str, expected: float) -> None:
    points = "coord Coordinate { point [ 0 0 0, 1 0 0, 1 1 0, 0 1 0 ] } coordIndex [ 0 1 2 -1 0 2 3 -1 ]"
    surface = drawn(f"IndexedFaceSet {{ {points} {text} }}")
    assert surface.normals is not None
    assert (surface.normals[:, 2] == expected).all()


def test_ccw_false_turns_the_faces() -> None:
    front, back = drawn(f"IndexedFaceSet {{ {SQUARE} }}"), drawn(f"IndexedFaceSet {{ {SQUARE} ccw FALSE }}")
    assert (front.faces[:, ::-1] == back.faces).all()


@pytest.mark.parametrize("convex", ["TRUE", "FALSE"])
def test_a_concave_face(convex: str) -> None:
    """Exporters leave convex TRUE for all."""
    arrow = "point [ 0 0 0, 2 0 0, 2 2 0, 1 .5 0 ] } coordIndex [ 0 1 2 3 -1 ]"
    surface = drawn(f"IndexedFaceSet {{ convex {convex} coord Coordinate {{ {arrow} }}")
    assert area(surface) == pytest.approx(1.5)


# --- lines and points ---------------------------------------------------------------------


def test_lines() -> None:
    text = """IndexedLineSet { coord Coordinate { point [ 0 0 0, 1 0 0, 1 1 0 ] } coordIndex [ 0 1 -1 1 2 ]
  color Color { color [ 1 0 0, 0 1 0 ] } colorIndex [ 1 0 ] colorPerVertex FALSE }"""
    made, reading = one(text)
    assert made == s.LineSet(
        vertices=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0),
        lines=(0, 1, -1, 1, 2, -1),
        colors=(1.0, 0.0, 0.0, 0.0, 1.0, 0.0),
        color_indices=(1, 0),
        color_per_vertex=False,
    )
    assert reading.findings == []


def test_a_line_to_nowhere_is_left_out() -> None:
    made, reading = one(
        "IndexedLineSet { coord Coordinate { point [ 0 0 0, 1 0 0 ] } coordIndex [ 0 7 -1 0 1 -1 ] }"
    )
    assert made.lines == (0, 1, -1)
    assert reading.told == ["index-out-of-range"]


def test_points() -> None:
    made, _ = one(
        "PointSet { coord Coordinate { point [ 0 0 0, 1 0 0 ] } color Color { color [ 1 0 0, 0 1 0 ] } }"
    )
    assert made == s.PointSet(
        vertices=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0), colors=(1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    )


def test_angles_are_radians() -> None:
    made, _ = one(f"IndexedFaceSet {{ {SQUARE} creaseAngle 3.14159265358979 }}")
    assert made.crease_angle == pytest.approx(math.pi)
