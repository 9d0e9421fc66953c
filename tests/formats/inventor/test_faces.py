"""Shapes made of points: strips, grids, bindings, images; and lists that are wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.inventor.cases import finding, mesh, reading, shape, shapes

from unibody.formats.inventor.corners import grid, polygons, runs, segments, strips
from unibody.model.shape import Box, LineSet, Mesh, PointSet, Sphere, TextureTransform

POINTS = "Coordinate3 { point [ 0 0 0, 1 0 0, 1 1 0, 0 1 0, 0 0 1, 1 0 1, 1 1 1, 0 1 1 ] } "
COLORS = "Material { diffuseColor [ 1 0 0, 0 1 0, 0 0 1, 1 1 0, 0 1 1, 1 0 1, 1 1 1, 0 0 0 ] } "
NORMALS = "Normal { vector [ 1 0 0, 0 1 0, 0 0 1, -1 0 0, 0 -1 0, 0 0 -1, 0.6 0.8 0, 0.6 0 0.8 ] } "
TWO = "coordIndex [ 0, 3, 2, 1, -1, 4, 5, 6, 7, -1 ]"
TABLE = np.array("1 0 0 0 1 0 0 0 1 1 1 0 0 1 1 1 0 1 1 1 1 0 0 0".split(), float)


def corner_colors(found: Mesh) -> list[list[int]]:
    """The number of the material that each corner of each face has."""
    table = np.array(found.colors).reshape(-1, 3)
    rows = [int(np.flatnonzero((TABLE.reshape(-1, 3) == color).all(1))[0]) for color in table]
    out: list[list[int]] = []
    faces = np.split(np.array(found.faces), np.flatnonzero(np.array(found.faces) < 0) + 1)[:-1]
    index = np.array(found.color_indices if len(found.color_indices) else found.faces)
    at = 0
    for number, face in enumerate(faces):
        size = len(face) - 1
        if found.color_per_vertex:
            out.append([rows[i] for i in index[at : at + size]])
            at += size + 1
        else:
            own = found.color_indices[number] if len(found.color_indices) else number
            out.append([rows[own]] * size)
    return out


@pytest.mark.parametrize(
    ("binding", "fields", "wanted"),
    [
        ("OVERALL", "", None),
        ("DEFAULT", "", None),
        ("NONE", "", None),
        ("PER_PART", "", [[0] * 4, [1] * 4]),
        ("PER_FACE", "", [[0] * 4, [1] * 4]),
        ("PER_PART_INDEXED", "materialIndex [ 3, 2 ]", [[3] * 4, [2] * 4]),
        ("PER_FACE_INDEXED", "materialIndex [ 3, 2 ]", [[3] * 4, [2] * 4]),
        ("PER_FACE_INDEXED", "materialIndex [ 3, -1, 2, -1 ]", [[3] * 4, [2] * 4]),
        ("PER_FACE_INDEXED", "", [[0] * 4, [1] * 4]),
        ("PER_VERTEX", "", [[0, 1, 2, 3], [4, 5, 6, 7]]),
        ("PER_VERTEX_INDEXED", "", [[0, 3, 2, 1], [4, 5, 6, 7]]),
        ("PER_VERTEX_INDEXED", "materialIndex [ 7,7,7,0,-1, 1,2,3,4,-1 ]", [[7, 7, 7, 0], [1, 2, 3, 4]]),
    ],
)
def test_materials_of_faces(binding: str, fields: str, wanted: list[list[int]] | None) -> None:
    text = f"{POINTS}{COLORS}MaterialBinding {{ value {binding} }} IndexedFaceSet {{ {TWO} {fields} }}"
    found = mesh(text)
    if wanted is None:
        assert len(found.colors) == 0
        assert shape(text).material.diffuse == (1.0, 0.0, 0.0)  # type: ignore[union-attr]
    else:
        assert corner_colors(found) == wanted


@pytest.mark.parametrize(
    ("node", "binding", "wanted"),
    [
        ("IndexedTriangleStripSet { coordIndex [ 0,1,3,2,-1, 4,5,7,-1 ] }", "PER_PART", [0, 0, 1]),
        ("IndexedTriangleStripSet { coordIndex [ 0,1,3,2,-1, 4,5,7,-1 ] }", "PER_FACE", [0, 1, 2]),
        ("TriangleStripSet { numVertices [ 4, 3 ] }", "PER_PART", [0, 0, 1]),
        ("TriangleStripSet { numVertices [ 4, 3 ] }", "PER_FACE_INDEXED", [0, 1, 2]),
        ("QuadMesh { verticesPerColumn 4 verticesPerRow 2 }", "PER_PART", [0, 1, 2]),
        ("QuadMesh { verticesPerColumn 2 verticesPerRow 4 }", "PER_PART", [0, 0, 0]),
        ("QuadMesh { verticesPerColumn 2 verticesPerRow 4 }", "PER_FACE", [0, 1, 2]),
        ("FaceSet { numVertices [ 4, 3 ] }", "PER_PART", [0, 1]),
        ("FaceSet { startIndex 1 numVertices -1 }", "PER_FACE", [0]),
    ],
)
def test_materials_of_parts(node: str, binding: str, wanted: list[int]) -> None:
    found = mesh(f"{POINTS}{COLORS}MaterialBinding {{ value {binding} }} {node}")
    assert [corners[0] for corners in corner_colors(found)] == wanted


def test_too_few_materials() -> None:
    text = f"{POINTS} Material {{ diffuseColor [ 1 0 0, 0 1 0 ] }} MaterialBinding {{ value PER_VERTEX }} "
    text += f"IndexedFaceSet {{ {TWO} }}"
    assert corner_colors(mesh(text, "materials-few")) == [[0, 1, 1, 1], [1, 1, 1, 1]]


def test_faces_of_another_transparency_are_another_shape() -> None:
    text = (
        f"{POINTS} Material {{ diffuseColor [ 1 0 0, 0 1 0 ] transparency [ 0.75, 0.25 ] }} "
        f"MaterialBinding {{ value PER_FACE }} IndexedFaceSet {{ {TWO} }}"
    )
    first, second = shapes(text)
    assert [s.material.transparency for s in (first, second) if s.material] == [0.25, 0.75]
    assert isinstance(first.geometry, Mesh)
    assert corner_colors(first.geometry) == [[1] * 4]
    assert np.array(first.geometry.vertices).reshape(-1, 3)[:, 2].tolist() == [1.0] * 4


def test_one_transparency_for_several_colours() -> None:
    text = f"{POINTS} Material {{ diffuseColor [ 1 0 0, 0 1 0 ] transparency 0.5 }} "
    text += f"MaterialBinding {{ value PER_FACE }} IndexedFaceSet {{ {TWO} }}"
    material = shape(text).material
    assert material is not None
    assert material.transparency == 0.5


def test_normals() -> None:
    face = "IndexedFaceSet { coordIndex [ 1, 2, 6, -1 ]"
    assert len(mesh(f"{POINTS} {face} }}").normals) == 0
    by_point = mesh(f"{POINTS}{NORMALS}{face} }}")
    assert np.array(by_point.normals).reshape(-1, 3).tolist() == [[0, 1, 0], [0, 0, 1], [0.6, 0.8, 0]]
    assert len(by_point.normal_indices) == 0
    one = mesh(f"{POINTS}{NORMALS}NormalBinding {{ value OVERALL }} {face} }}")
    assert (np.array(one.normals).tolist(), one.normal_per_vertex) == ([1.0, 0.0, 0.0], False)
    own = mesh(f"{POINTS}{NORMALS}{face} normalIndex [ 5, 5, 2, -1 ] }}")
    assert np.array(own.normals).reshape(-1, 3)[np.array(own.normal_indices)[:3]].tolist() == [
        [0, 0, -1],
        [0, 0, -1],
        [0, 0, 1],
    ]


def test_too_few_normals() -> None:
    text = f"{POINTS} Normal {{ vector 0 0 1 }} IndexedFaceSet {{ {TWO} }}"
    assert len(mesh(text, "list-too-short").normals) == 0


def test_vertex_property_counts_for_its_shape_alone() -> None:
    own = "vertexProperty VertexProperty { vertex [ 0 0 9, 1 0 9, 0 1 9 ] orderedRGBA 0xff0000ff "
    own += "normal [ 0 0 1 ] normalBinding OVERALL }"
    face = "coordIndex [ 0, 1, 2, -1 ]"
    first, second = shapes(f"{POINTS} IndexedFaceSet {{ {own} {face} }} IndexedFaceSet {{ {face} }}")
    assert isinstance(first.geometry, Mesh)
    assert isinstance(second.geometry, Mesh)
    assert (first.geometry.vertices[2], second.geometry.vertices[2]) == (9.0, 0.0)
    assert (len(first.geometry.normals), len(second.geometry.normals)) == (3, 0)
    assert first.material is not None
    assert first.material.diffuse == (1.0, 0.0, 0.0)
    below = shapes(f"VertexProperty {{ vertex [ 0 0 9, 1 0 9, 0 1 9 ] }} IndexedFaceSet {{ {face} }}")
    assert isinstance(below[0].geometry, Mesh)


def test_points_with_weights() -> None:
    found = mesh("Coordinate4 { point [ 0 0 0 1, 4 0 0 2, 0 6 0 3 ] } FaceSet { numVertices 3 }")
    assert np.array(found.vertices).tolist() == [0, 0, 0, 2, 0, 0, 0, 2, 0]
    assert (
        "fourth number of a point must not be 0"
        in finding("Coordinate4 { point [ 0 0 0 0 ] } Cube { }", "point-at-infinity").message
    )


def test_lines_and_points() -> None:
    line = shape(
        f"{POINTS} DrawStyle {{ lineWidth 2 }} IndexedLineSet {{ coordIndex [ 0, 1, 2, -1, 4, 5 ] }}"
    )
    assert isinstance(line.geometry, LineSet)
    assert line.geometry.lines == (0, 1, 2, -1, 3, 4, -1)
    assert line.geometry.width == 2.0
    parts = shape(
        f"{POINTS}{COLORS}MaterialBinding {{ value PER_PART }} LineSet {{ numVertices [ 3, 2 ] }}"
    ).geometry
    assert isinstance(parts, LineSet)
    assert parts.lines == (0, 1, -1, 1, 2, -1, 3, 4, -1)
    assert (len(parts.colors), parts.color_per_vertex) == (9, False)
    some = shape(
        f"{POINTS}{COLORS}MaterialBinding {{ value PER_VERTEX }} PointSet {{ startIndex 6 }}"
    ).geometry
    assert isinstance(some, PointSet)
    assert some.vertices == (1.0, 1.0, 1.0, 0.0, 1.0, 1.0)
    assert some.colors == (1.0, 0.0, 0.0, 0.0, 1.0, 0.0)


# --- images -------------------------------------------------------------------------------

IMAGE = "Texture2 { image 2 1 3 0xff0000 0x0000ff wrapT CLAMP } "


def test_pixels() -> None:
    material = shape(f"{IMAGE} Cube {{ width 1 height 2 depth 3 }}").material
    assert material is not None
    assert material.texture is not None
    assert material.texture.image == (2, 1, 3, 255, 0, 0, 0, 0, 255)
    assert (material.texture.repeat_s, material.texture.repeat_t) == (True, False)


def test_a_box_with_an_image_is_turned_with_it() -> None:
    found = shape(f"{IMAGE} Cube {{ width 1 height 2 depth 3 }}")
    assert found.geometry == Box(size=(1.0, 3.0, 2.0))
    assert found.pose.apply((0.0, 0.0, 1.0)) == pytest.approx((0.0, 1.0, 0.0))


def test_no_image_ends_the_one_before() -> None:
    first, second = shapes(f"{IMAGE} Sphere {{ }} Texture2 {{ }} Sphere {{ }}")
    assert first.material is not None
    assert second.material is not None
    assert first.material.texture is not None
    assert second.material.texture is None
    assert second.geometry == Sphere(radius=1.0)


def test_an_image_of_another_size() -> None:
    assert "3 pixels" in finding("Texture2 { image 2 1 3 1 2 3 } Cube { }", "image-size").message


def test_texture_coordinates_are_moved() -> None:
    moved = "Texture2Transform { translation 0.5 0 scaleFactor 2 3 center 1 1 } "
    coords = "TextureCoordinate2 { point [ 0 0, 1 0, 1 1, 0 1 ] } "
    text = f"{IMAGE}{moved}{POINTS}{coords} IndexedFaceSet {{ coordIndex [ 0, 1, 2, -1 ] }}"
    found = mesh(text)
    assert np.array(found.tex_coords).reshape(-1, 2).tolist() == [[-0.5, -2], [1.5, -2], [1.5, 1]]
    material = shape(text).material
    assert material is not None
    assert material.texture is not None
    assert material.texture.transform is None


@given(st.floats(-3, 3), st.floats(0.25, 4), st.tuples(st.floats(-2, 2), st.floats(-2, 2)), st.booleans())
def test_the_transform_of_an_image(
    angle: float, scale: float, center: tuple[float, float], even: bool
) -> None:
    """Scaled, turned and translated in Inventor; translated, turned and scaled in the model."""
    angle, sy = (angle, scale) if even else (0.0, 2.0 * scale)
    text = (
        f"{IMAGE} Texture2Transform {{ translation 0.5 -1 rotation {angle} scaleFactor {scale} {sy} "
        f"center {center[0]} {center[1]} }} Sphere {{ }}"
    )
    material = shape(text).material
    assert material is not None
    assert material.texture is not None
    transform = material.texture.transform or TextureTransform()
    for point in ([0.0, 0.0], [1.0, 0.25], [-0.5, 2.0]):
        scaled = (np.array(point) - center) * (scale, sy)
        wanted = spun(scaled, angle) + center + (0.5, -1.0)
        turned = spun(np.array(point) + transform.translation, transform.rotation)
        np.testing.assert_allclose(turned * transform.scale, wanted, atol=1e-9)


def spun(v: np.ndarray, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * v[0] - s * v[1], s * v[0] + c * v[1]])


# --- lists that are wrong -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("node", "words"),
    [
        ("IndexedFaceSet { coordIndex [ 0, 1, 8, -1 ] }", "coordIndex 8 is out of range; 8 points"),
        ("FaceSet { numVertices [ 4, 5 ] }", "1 of 2 parts need more than the 8"),
        ("FaceSet { numVertices 2147483647 }", "1 of 1 parts"),
        ("QuadMesh { verticesPerColumn 3 verticesPerRow 3 }", "3 × 3 points needed, 8 available"),
        (
            "QuadMesh { verticesPerColumn 2000000000 verticesPerRow 2000000000 }",
            "× 2000000000 points needed, 8 available",
        ),
        ("PointSet { numPoints 9 }", "9 points needed, 8 available"),
        ("TriangleStripSet { startIndex 6 numVertices 3 }", "1 of 1 parts"),
    ],
)
def test_points_that_are_not_there(node: str, words: str) -> None:
    assert words in finding(f"{POINTS} {node} Cube {{ }}", "index-out-of-range").message


def test_good_faces_stay() -> None:
    found = reading(f"{POINTS} IndexedFaceSet {{ coordIndex [ 0, 1, 2, -1, 0, 1, 99, -1, 4, 5, 6 ] }}")
    assert found.robot is not None
    geometry = found.robot.links[0].visuals[0].geometry
    assert isinstance(geometry, Mesh)
    assert geometry.faces == (0, 1, 2, -1, 3, 4, 5, -1)


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("Coordinate3 { point [ 0 0 zero ] } Cube { }", "wrong-value", ""),
        (
            "Coordinate3 { point [ 0 0 1, nan 0 0 ] } FaceSet { }",
            "number-not-finite",
            "finite number, not 'nan'",
        ),
        ("Coordinate3 { point [ 0 0 1 2 ] } FaceSet { }", "number-count", "4 numbers, not a multiple of 3"),
        ("IndexedFaceSet { coordIndex [ 0, 1.5, 2 ] }", "wrong-value", "whole number, not '1.5'"),
        ("Texture2 { image 1 1 1 99999999999999999999 } Cube { }", "wrong-value", "not '999"),
    ],
)
def test_numbers_that_are_none(text: str, code: str, words: str) -> None:
    found = finding(text, code)
    assert words in found.message
    assert found.at is not None


# --- corners ------------------------------------------------------------------------------


def test_polygons() -> None:
    found = polygons(np.array([0, 1, 2, -1, 5, 6, -1, 7, 8, 9]), 3)
    assert found.counts.tolist() == [3, 3]
    assert found.face.tolist() == [0, 2]
    assert found.point.tolist() == [0, 1, 2, 7, 8, 9]
    assert found.slot.tolist() == [0, 1, 2, 7, 8, 9]
    assert found.number.tolist() == [0, 1, 2, 5, 6, 7]
    assert found.closed(found.point).tolist() == [0, 1, 2, -1, 7, 8, 9, -1]
    assert polygons(np.array([], np.int64), 3).counts.size == 0


def test_strips_keep_their_side() -> None:
    found = strips(polygons(np.array([0, 1, 2, 3, 4, -1]), 3))
    assert found.point.reshape(-1, 3).tolist() == [[0, 1, 2], [2, 1, 3], [2, 3, 4]]
    assert found.part.tolist() == [0, 0, 0]
    assert found.face.tolist() == [0, 1, 2]


def test_grid_and_segments() -> None:
    assert grid(2, 3, 1).point.reshape(-1, 4).tolist() == [[1, 4, 5, 2], [2, 5, 6, 3]]
    assert segments(polygons(np.array([0, 1, 2, -1]), 2)).point.tolist() == [0, 1, 1, 2]


@given(st.lists(st.integers(-1, 9), max_size=6), st.integers(0, 4), st.integers(0, 20))
def test_runs_stay_within_the_points(counts: list[int], start: int, count: int) -> None:
    found, fitting = runs(np.array(counts, np.int64), start, count)
    assert fitting <= len(counts)
    assert found.counts.size == fitting
    assert found.point.size == found.counts.sum()
    assert found.point.tolist() == list(range(start, start + found.point.size))
    assert found.point.size == 0 or found.point.max() < count
