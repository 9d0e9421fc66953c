"""PLY files: text, and binary in both byte orders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.mesh.build import CORNERS, FACES, codes, one, read, tetrahedron, triangles

HEAD = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n{more}element face {n}\n"
LIST = "property list uchar int vertex_indices\n"


def text(faces: Any, more: str = "", columns: Any = None, listed: str = LIST) -> bytes:
    rows = [[*c, *(columns[i] if columns is not None else ())] for i, c in enumerate(CORNERS)]
    lines = [" ".join(map(str, row)) for row in rows] + [" ".join(map(str, (len(f), *f))) for f in faces]
    head = "ply\nformat ascii 1.0\ncomment made here\n" + HEAD.format(n=len(faces), more=more) + listed
    return (head + "end_header\n" + "\n".join(lines) + "\n").encode()


def binary(faces: Any, order: str = "<", listed: str = LIST, length: str = "u1") -> bytes:
    name = {"<": "binary_little_endian", ">": "binary_big_endian"}[order]
    head = f"ply\nformat {name} 1.0\n" + HEAD.format(n=len(faces), more="") + listed + "end_header\n"
    body = np.array(CORNERS, order + "f4").tobytes()
    for face in faces:
        body += np.array([len(face)], order + length).tobytes() + np.array(face, order + "i4").tobytes()
    return head.encode() + body


def test_text() -> None:
    assert triangles(one(text(FACES), ".ply")) == tetrahedron()


@pytest.mark.parametrize("order", ["<", ">"])
def test_binary(order: str) -> None:
    assert triangles(one(binary(FACES, order), ".ply")) == tetrahedron()


@pytest.mark.parametrize("make", [text, binary])
def test_polygons_of_different_sizes(make: Any) -> None:
    surface = one(make([(0, 1, 3), (0, 1, 2, 3), (1, 2, 3)]), ".ply")
    assert surface.faces.shape == (4, 3)
    assert triangles(surface)[0] == [list(CORNERS[i]) for i in (0, 1, 3)]
    assert triangles(surface)[3] == [list(CORNERS[i]) for i in (1, 2, 3)]


@pytest.mark.parametrize("order", ["<", ">"])
def test_lists_with_other_types(order: str) -> None:
    listed = "property list uint int32 vertex_index\n"
    assert triangles(one(binary(FACES, order, listed, "u4"), ".ply")) == tetrahedron()


def test_windows_line_ends() -> None:
    data = text(FACES).replace(b"\n", b"\r\n")
    assert triangles(one(data, ".ply")) == tetrahedron()


def test_colours_normals_and_texture() -> None:
    more = "".join(f"property uchar {c}\n" for c in ("red", "green", "blue", "alpha"))
    more += "".join(f"property float {c}\n" for c in ("nx", "ny", "nz", "s", "t"))
    columns = [(255, 0, 51, 255, 0, 0, 2, 0.25, 0.5)] * 4
    surface = one(text(FACES, more, columns), ".ply")
    assert surface.colors is not None
    assert surface.normals is not None
    assert surface.tex_coords is not None
    assert surface.colors[0].tolist() == [1.0, 0.0, 0.2, 1.0]
    assert surface.normals[0].tolist() == [0.0, 0.0, 1.0]
    assert surface.tex_coords[0].tolist() == [0.25, 0.5]


def test_faces_with_more_properties() -> None:
    listed = (
        "property uchar flags\nproperty list uchar int vertex_indices\nproperty list uchar float texcoord\n"
    )
    head = "ply\nformat ascii 1.0\n" + HEAD.format(n=2, more="") + listed + "end_header\n"
    points = "\n".join(" ".join(map(str, c)) for c in CORNERS)
    for faces in ("7 3 0 2 1 2 .5 .5\n7 3 0 1 3 2 .5 .5\n", "7 3 0 2 1 2 .5 .5\n7 3 0 1 3 0\n"):
        assert triangles(one(f"{head}{points}\n{faces}", ".ply")) == tetrahedron()[:2]


def test_elements_of_other_kinds_are_passed_over() -> None:
    data = text(FACES).decode()
    data = data.replace("element vertex", "element camera 1\nproperty float f\nelement vertex", 1)
    data = data.replace("end_header\n", "end_header\n35.0\n")
    assert triangles(one(data, ".ply")) == tetrahedron()


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"ply", "mesh-broken"),
        (b"plyformat\nend_header\n", "mesh-broken"),
        (text(FACES).replace(b"ascii", b"binary_middle"), "mesh-broken"),
        (text(FACES).replace(b"property float x", b"property half x"), "mesh-broken"),
        (text(FACES).replace(b"property float x\n", b""), "mesh-broken"),
        (text(FACES).replace(b"element face 4", b"element face 400"), "mesh-broken"),
        (text(FACES).replace(b"element face 4", b"element face 99999999999"), "mesh-broken"),
        (text(FACES).replace(b"element vertex 4", b"element vertex 99999999999"), "mesh-broken"),
        (text(FACES).replace(b"3 0 2 1", b"3.5 0 2 1"), "mesh-broken"),
        (text(FACES).replace(b"3 0 2 1", b"-3 0 2 1"), "mesh-broken"),
        (text(FACES).replace(b"3 0 2 1", b"1e9 0 2 1"), "mesh-broken"),
        (text(FACES).replace(b"3 0 2 1", b"3 0 two 1"), "mesh-broken"),
        (binary(FACES)[:-1], "mesh-broken"),
        (binary([*FACES, (0, 1, 2, 3)])[:-9], "mesh-broken"),
        (text([]), "mesh-empty"),
        (text([(0, 1)]), "mesh-empty"),
    ],
)
def test_what_gives_no_triangles(data: bytes, code: str) -> None:
    surfaces, cache = read(data, ".ply")
    assert surfaces == []
    assert codes(cache) == [code]


def test_points_without_faces_are_no_surface() -> None:
    data = b"ply\nformat ascii 1.0\nelement vertex 1\n" + b"".join(
        b"property float %c\n" % c for c in b"xyz"
    )
    assert codes(read(data + b"end_header\n0 0 0\n", ".ply")[1]) == ["mesh-empty"]


@pytest.mark.parametrize("index", ["4", "-1", "1e300", "nan", "4294967295"])
def test_a_face_without_vertex_is_left_out(index: str) -> None:
    data = text(FACES).replace(b"3 0 2 1", f"3 0 2 {index}".encode())
    surfaces, cache = read(data, ".ply")
    assert triangles(surfaces[0]) == tetrahedron()[1:]
    assert codes(cache) == ["mesh-index"]
