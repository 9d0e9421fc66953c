"""OBJ files and their material files."""

from __future__ import annotations

import numpy as np
import pytest
from tests.mesh.build import CORNERS, codes, obj, one, read, tetrahedron, triangles

from unibody.meshes import area, signed_volume

SQUARE = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
# an L of area 3: its corner 4 is not convex, and only some fans fill it
ELL = "v 0 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\n"


def test_triangles() -> None:
    assert triangles(one(obj(), ".obj")) == tetrahedron()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n", "\r\n"),
        ("v ", "  v\t"),
        ("f ", "f  "),
        ("v 0.0 0.0 0.0", "# first\nv 0.0 0.0 0.0 # the origin"),
        ("v 0.0 0.0 0.0", "v 0.0 \\\n 0.0 0.0"),
        ("v 0.0 0.0 0.0", "v 0.0 0.0 0.0 1.0"),
        ("f ", "s off\nvp 1\np 1\nl 1 2\nf "),
    ],
)
def test_lines_as_programs_write_them(old: str, new: str) -> None:
    assert triangles(one(obj().replace(old, new), ".obj")) == tetrahedron()


def test_a_file_without_a_last_line_end() -> None:
    assert triangles(one(obj().rstrip(), ".obj")) == tetrahedron()


def test_negative_indices_count_back_from_their_line() -> None:
    text = "v 9 9 9\n" + "".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS)
    faces = "".join(
        f"f {a - 4} {b - 4} {c - 4}\n" for a, b, c in ((0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3))
    )
    surface = one(text + faces + "v 7 7 7\n", ".obj")
    assert triangles(surface) == tetrahedron()
    # what no triangle uses is not there
    assert len(surface.vertices) == 4


@pytest.mark.parametrize("corner", ["{0}", "{0}/{0}", "{0}//{0}", "{0}/{0}/{0}"])
def test_texture_coordinates_and_normals(corner: str) -> None:
    lines = "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n" + "vn 0 0 2\n" * 4
    surface = one(SQUARE + lines + "f " + " ".join(corner.format(i) for i in (1, 2, 3, 4)), ".obj")
    assert area(surface) == 1.0
    if "/{0}/" in corner or (corner.endswith("/{0}") and "//" not in corner):
        assert surface.tex_coords is not None
        assert surface.tex_coords.tolist() == surface.vertices[:, :2].tolist()
    if corner.count("/") == 2:
        assert surface.normals is not None
        assert surface.normals.tolist() == [[0.0, 0.0, 1.0]] * 4


def test_corners_that_share_a_place_only_are_split() -> None:
    text = SQUARE + "vt 0 0\nvt 1 0\nvt 0 1\nvt 0.5 0.5\nf 1/1 2/2 3/3\nf 1/4 3/3 4/2\n"
    surface = one(text, ".obj")
    assert len(surface.vertices) == 6
    assert surface.tex_coords is not None
    assert surface.tex_coords[surface.faces[1, 0]].tolist() == [0.5, 0.5]


# texture coordinates and normals of two parts, by the notations of their corners
@pytest.mark.parametrize(
    ("first", "second"),
    [("{0}", "{0}/{0}/{0}"), ("{0}", "{0}//{0}"), ("{0}/{0}", "{0}//{0}"), ("{0}//-1", "-3/-3/{0}")],
)
@pytest.mark.parametrize("turned", [False, True])
def test_parts_keep_what_their_own_corners_have(first: str, second: str, turned: bool) -> None:
    tables = "vt 0 0\nvt 1 0\nvt 1 1\n" + "vn 0 0 1\n" * 3
    kinds = [second, first] if turned else [first, second]
    faces = "".join(
        f"usemtl m{k}\nf " + " ".join(kind.format(i) for i in (1, 2, 3)) + "\n"
        for k, kind in enumerate(kinds)
    )
    surfaces, cache = read("v 0 0 0\nv 1 0 0\nv 1 1 0\n" + tables + faces, ".obj")
    assert codes(cache) == []
    for kind, surface in zip(kinds, surfaces, strict=True):
        assert (surface.tex_coords is None) == (
            "/{0}/" not in kind and kind != "{0}/{0}" and "-3/" not in kind
        )
        if surface.tex_coords is not None and kind.startswith("{"):
            assert surface.tex_coords.tolist() == [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0]]
        assert (surface.normals is None) == (kind.count("/") < 2)


def test_corners_of_one_part_without_coordinates_or_normals_get_some() -> None:
    text = SQUARE + "vt 0.5 1\nvn 1 0 0\nf 1/1/1 2//1 3/1/1\nf 1//1 3/1/1 4/1\nf 1 3 4\n"
    surface = one(text, ".obj")
    assert area(surface) == 1.5
    assert surface.tex_coords is not None
    assert surface.tex_coords[surface.faces].tolist() == [
        [[0.5, 1.0], [0.0, 0.0], [0.5, 1.0]],
        [[0.0, 0.0], [0.5, 1.0], [0.5, 1.0]],
        [[0.0, 0.0]] * 3,
    ]
    assert surface.normals is not None
    x, z = [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]
    assert surface.normals[surface.faces].tolist() == [[x, x, x], [x, x, z], [z, z, z]]


@pytest.mark.parametrize("bad", ["1/7", "1/0", "1/-9", "1/99999999999999999999", "1/-99999999999999999999"])
def test_an_invalid_index_among_mixed_corners_is_a_warning(bad: str) -> None:
    surfaces, cache = read(SQUARE + f"vt 0 0\nf 1 2 3\nf {bad} 3/1 4\n", ".obj")
    assert area(surfaces[0]) == 1.0
    assert surfaces[0].tex_coords is None
    assert codes(cache) == ["mesh-index"]


@pytest.mark.parametrize("bad", ["f 1 /1 3/1", "f 1 2/x 3", "f 1 2 3//"])
def test_mixed_corners_need_a_vertex(bad: str) -> None:
    surfaces, cache = read(SQUARE + f"vt 0 0\nf 1/1 2 3\n{bad}\n", ".obj")
    assert [code for code in codes(cache) if code != "mesh-broken"] == []
    assert (len(surfaces) == 0) == (bad != "f 1 2 3//")


@pytest.mark.parametrize("start", range(6))
def test_concave_polygons_are_filled_exactly(start: int) -> None:
    order = [(start + i) % 6 + 1 for i in range(6)]
    surface = one(ELL + "f " + " ".join(map(str, order)), ".obj")
    assert surface.faces.shape == (4, 3)
    assert area(surface) == pytest.approx(3.0)
    a, b, c = (surface.vertices[surface.faces[:, i]] for i in range(3))
    assert (np.cross(b - a, c - a)[:, 2] > 0.0).all()


def test_polygons_of_different_sizes_keep_their_order() -> None:
    surface = one(ELL + "f 1 2 3 4\nf 4 5 6\nf 1 4 6\n", ".obj")
    assert triangles(surface)[2] == [[1.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 2.0, 0.0]]
    assert surface.faces.shape == (4, 3)


def test_colours_of_vertices() -> None:
    surface = one("v 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 0 1 0 0 0 2\nf 1 2 3", ".obj")
    assert surface.colors is not None
    assert surface.colors.tolist() == [[1, 0, 0, 1], [0, 1, 0, 1], [0, 0, 1, 1]]


MATERIALS = """
newmtl red paint
Kd 0.5 0.25 0
Ka 0.25 0.125 0
Ks 0.1
Ke 0 0 1
Ns 96
d 0.25
newmtl wood
map_Kd -s 2 2 2 -clamp on tex/wood 1.png
Tr 0.5
illum 2
newmtl plain
"""
PARTS = SQUARE + (
    "mtllib part one.mtl\no left\nusemtl red paint\nf 1 2 3\nusemtl wood\nf 1 3 4\n"
    "o right\nusemtl red paint\nf 1 2 4\nusemtl plain\nf 2 3 4\n"
)


def test_materials_and_parts() -> None:
    beside = {"part one.mtl": MATERIALS.encode(), "tex/wood 1.png": b"PNG"}
    surfaces, cache = read(PARTS, ".obj", beside)
    assert codes(cache) == []
    assert [(s.name, s.material.name if s.material else "") for s in surfaces] == [
        ("left", "red paint"),
        ("left", "wood"),
        ("right", "red paint"),
        ("right", "plain"),
    ]
    red, wood, _, plain = (s.material for s in surfaces)
    assert red is not None
    assert wood is not None
    assert plain is not None
    assert red.diffuse == (0.5, 0.25, 0.0)
    assert (red.ambient, red.specular, red.emissive) == (0.5, (0.1, 0.1, 0.1), (0.0, 0.0, 1.0))
    assert (red.specular_exponent, red.transparency) == (96.0, 0.75)
    assert wood.texture is not None
    assert (wood.texture.uri, wood.texture.path) == ("tex/wood 1.png", "m/tex/wood 1.png")
    assert wood.transparency == 0.5
    assert plain.diffuse == (1.0, 1.0, 1.0)


def test_a_part_by_its_name() -> None:
    surfaces, _ = read(PARTS, ".obj", {"part one.mtl": MATERIALS.encode()}, fragment="right")
    assert [s.name for s in surfaces] == ["right", "right"]


def test_parts_that_come_back_are_one_surface() -> None:
    faces = "usemtl a\nf 1 2 3\nusemtl b\nf 1 3 4\nusemtl a\nf 2 3 4\n"
    assert [len(s.faces) for s in read(SQUARE + faces, ".obj")[0]] == [2, 1]


def test_a_missing_material_file_is_a_warning_at_its_line() -> None:
    surfaces, cache = read("# a\n" + PARTS, ".obj")
    assert len(surfaces) == 4
    assert codes(cache) == ["file-missing"]
    assert str(cache.findings[0]).startswith("m/part.obj:6:1: warning:")


def test_a_texture_outside_the_model_is_not_opened() -> None:
    text = "mtllib a.mtl\nusemtl m\n" + obj()
    _, cache = read(text, ".obj", {"a.mtl": b"newmtl m\nmap_Kd ../../../etc/passwd\n"})
    assert codes(cache) == ["outside-model"]


def test_an_unknown_material_is_a_warning() -> None:
    surfaces, cache = read("mtllib a.mtl\nusemtl m\n" + obj(), ".obj", {"a.mtl": b"newmtl n\n"})
    assert surfaces[0].material is None
    assert codes(cache) == ["material-unknown"]


@pytest.mark.parametrize("bad", ["f 1 2 5", "f 1 2 0", "f 1 2 -9", "f 1 2 99999999999999999999"])
def test_a_face_without_vertex_is_left_out_with_its_line(bad: str) -> None:
    surfaces, cache = read(f"{obj()}\n{bad}\nf 1 2 3\n", ".obj")
    assert triangles(surfaces[0])[:4] == tetrahedron()
    assert surfaces[0].faces.shape == (5, 3)
    assert codes(cache) == ["mesh-index"]
    assert str(cache.findings[0]).startswith("m/part.obj:10:1: warning:")


def test_normals_that_do_not_exist_are_left_out() -> None:
    surfaces, cache = read(SQUARE + "vn 0 0 1\nf 1//1 2//1 3//7\n", ".obj")
    assert surfaces[0].normals is None
    assert codes(cache) == ["mesh-index"]


def test_a_face_at_no_place_is_left_out() -> None:
    surfaces, cache = read(SQUARE + "v nan 0 0\nf 1 2 3\nf 1 2 5\n", ".obj")
    assert surfaces[0].faces.shape == (1, 3)
    assert codes(cache) == ["mesh-not-finite"]
    assert cache.findings[0].at is not None
    assert cache.findings[0].at.line == 7


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("v 0 0 0\nv 1 0 zero\nv 0 1 0\nf 1 2 3\n", 2),
        ("v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n", 1),
        (SQUARE + "f 1 2 3\nf 1 2 3x\n", 6),
        (SQUARE + "vt a b\nf 1/1 2/1 3/1\n", 5),
    ],
)
def test_what_is_no_number_is_an_error_with_its_line(text: str, line: int) -> None:
    surfaces, cache = read(text, ".obj")
    assert surfaces == []
    assert codes(cache) == ["mesh-broken"]
    assert cache.findings[0].at is not None
    assert cache.findings[0].at.line == line


@pytest.mark.parametrize("text", ["# nothing\n", SQUARE, SQUARE + "f 1 2\n", SQUARE + "f\n"])
def test_without_triangles(text: str) -> None:
    surfaces, cache = read(text, ".obj")
    assert surfaces == []
    assert codes(cache) == ["mesh-empty"]


def test_many_parts_take_no_longer_than_few() -> None:
    text = SQUARE * 500 + "".join(f"o part{k}\nf {4 * k + 1} {4 * k + 2} {4 * k + 3}\n" for k in range(500))
    surfaces, _ = read(text, ".obj")
    assert len(surfaces) == 500
    assert all(len(s.vertices) == 3 for s in surfaces)


def test_too_many_parts_are_refused() -> None:
    text = SQUARE + "".join(f"o p{k}\nf 1 2 3\n" for k in range(20_001))
    assert codes(read(text, ".obj")[1]) == ["mesh-too-large"]


def test_volume() -> None:
    assert signed_volume(one(obj(), ".obj")) == pytest.approx(1.0)
