"""VRML files as mesh resources."""

from __future__ import annotations

import gzip
import time

import numpy as np
import pytest
from tests.mesh.build import codes, one, read, stl, tetrahedron

from unibody.meshes import Surface, bounds
from unibody.meshes.surface import area

HEADER = "#VRML V2.0 utf8\n"


def box(size: float, at: float = 0.0) -> str:
    return f"Transform {{ translation {at} 0 0 children Shape {{ geometry Box {{ size {size} 1 1 }} }} }}"


def widths(surfaces: list[Surface]) -> list[float]:
    """How wide each surface is along x, to tell boxes apart."""
    return [float(np.ptp(s.vertices[:, 0])) for s in surfaces]


def test_a_shape() -> None:
    surface = one(f"{HEADER}Shape {{ geometry Box {{ size 1 2 3 }} }}", ".wrl")
    assert np.ptp(surface.vertices, axis=0).tolist() == [1.0, 2.0, 3.0]
    assert surface.material is None


def test_faces_and_their_material() -> None:
    surface = one(
        HEADER + "Shape { appearance Appearance { material Material { diffuseColor 1 0 0 } } geometry "
        "IndexedFaceSet { coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0 ] } coordIndex [ 0 1 2 -1 ] } }",
        ".wrl",
    )
    assert surface.faces.tolist() == [[0, 1, 2]]
    assert surface.material is not None
    assert surface.material.diffuse == (1.0, 0.0, 0.0)


def test_suffix_in_capitals_and_no_header() -> None:
    surfaces, cache = read("Shape { geometry Box { } }", ".WRL")
    assert len(surfaces) == 1
    assert [f for f in cache.findings if f.severity != "info"] == []


def test_packed_by_gzip() -> None:
    text = f"{HEADER}Shape {{ geometry Box {{ size 1 2 3 }} }}".encode()
    assert np.ptp(one(gzip.compress(text), ".wrl").vertices, axis=0).tolist() == [1.0, 2.0, 3.0]
    surfaces, cache = read(gzip.compress(text)[:-5], ".wrl")
    assert not surfaces
    assert codes(cache) == ["gzip-broken"]


def test_places_of_groups_and_shapes() -> None:
    text = HEADER + f"Transform {{ translation 0 5 0 scale 2 2 2 children [ {box(1, 3)} ] }}"
    low, high = bounds([one(text, ".wrl")]) or (np.zeros(3), np.zeros(3))
    assert low.tolist() == [5.0, 4.0, -1.0]
    assert high.tolist() == [7.0, 6.0, 1.0]


TANK = f"""{HEADER}DEF HULL Transform {{ translation 1 0 0 rotation 0 0 1 1.5707963267948966 children [
  DEF SKIN {box(1)}
  DEF TURRET Transform {{ translation 0 0 2 children [ {box(2)}
    DEF GUN Group {{ children {box(3, 9)} }} ] }}
] }}"""


@pytest.mark.parametrize(
    ("fragment", "without", "count"),
    [
        ("", (), 3),
        ("HULL", (), 3),
        ("SKIN", (), 1),
        ("TURRET", (), 2),
        ("GUN", (), 1),
        # what is a part of its own is not taken along; what is not inside takes nothing away
        ("HULL", ("TURRET",), 1),
        ("HULL", ("GUN", "NOWHERE"), 2),
        ("TURRET", ("HULL", "SKIN"), 2),
        ("TURRET", ("TURRET",), 2),
        ("", ("TURRET",), 1),
    ],
)
def test_parts_by_their_def_name(fragment: str, without: tuple[str, ...], count: int) -> None:
    surfaces, cache = read(TANK, ".wrl", fragment=fragment, without=without)
    assert len(surfaces) == count
    assert codes(cache) == []


def test_a_part_stands_on_its_own_origin_and_keeps_its_turn() -> None:
    surfaces, _ = read(TANK, ".wrl", fragment="GUN")
    low, high = bounds(surfaces) or (np.zeros(3), np.zeros(3))
    # 9 along the x axis that HULL has turned onto y
    assert np.allclose((low + high) / 2, [0.0, 9.0, 0.0])


def test_a_part_that_is_not_there() -> None:
    surfaces, cache = read(TANK, ".wrl", fragment="GUNN")
    assert surfaces == []
    assert codes(cache) == ["mesh-fragment"]
    assert "TURRET" in cache.findings[0].hint


def test_a_robot_in_it_is_a_scene() -> None:
    text = (
        HEADER
        + """PROTO Joint [ exposedField SFVec3f translation 0 0 0
  exposedField MFNode children [ ] ] { Transform { translation IS translation children IS children } }
DEF J Joint { translation 1 0 0 children Shape { geometry Box { size 1 1 1 } } }"""
    )
    low, _ = bounds([one(text, ".wrl")]) or (np.zeros(3), np.zeros(3))
    assert low.tolist() == [0.5, -0.5, -0.5]
    assert len(read(text, ".wrl", fragment="J")[0]) == 1


def test_files_that_it_names() -> None:
    text = HEADER + 'Transform { scale 2 2 2 children [ Inline { url "b.wrl" } Inline { url "c.stl" } ] }'
    surfaces, cache = read(text, ".wrl", {"b.wrl": (HEADER + box(1)).encode(), "c.stl": stl(tetrahedron())})
    assert [len(s.faces) for s in surfaces] == [12, 4]
    assert widths(surfaces) == [2.0, 2.0]
    assert codes(cache) == []


def test_a_file_that_names_itself() -> None:
    surfaces, cache = read(HEADER + box(1) + 'Inline { url "part.wrl" }', ".wrl")
    assert len(surfaces) == 1
    assert codes(cache) == ["include-recursion"]


def test_files_of_two_kinds_that_name_each_other() -> None:
    scene = b"{ format_version: 1, scene: [ { type: Resource, uri: part.wrl } ] }"
    surfaces, cache = read(HEADER + box(1) + 'Inline { url "b.scen" }', ".wrl", {"b.scen": scene})
    assert len(surfaces) == 1
    # the other file is not read again, and so has no triangles
    assert codes(cache) == ["include-recursion", "mesh-empty"]


def test_vrml_1_is_read_by_its_own_reader() -> None:
    surfaces, _ = read("#VRML V1.0 ascii\nSeparator { Cube { width 1 height 2 depth 3 } }", ".wrl")
    (surface,) = surfaces
    assert np.ptp(surface.vertices, axis=0).tolist() == [1.0, 2.0, 3.0]
    inner = {"b.wrl": b"#VRML V1.0 ascii\nSeparator { Cube { } }"}
    assert len(read(HEADER + 'Inline { url "b.wrl" }', ".wrl", inner)[0]) == 1


def test_lines_and_points_are_told_of() -> None:
    lines = "IndexedLineSet { coord Coordinate { point [ 0 0 0, 1 0 0 ] } coordIndex [ 0 1 -1 ] }"
    surfaces, cache = read(HEADER + f"{box(1)} Shape {{ geometry {lines} }}", ".wrl")
    assert len(surfaces) == 1
    assert [(f.code, f.severity) for f in cache.findings] == [("not-drawn", "info")]


def test_numbers_that_are_wrong_are_told_of_once() -> None:
    text = (
        HEADER
        + """DEF S Shape { geometry IndexedFaceSet {
  coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 x ] } coordIndex [ 0 1 2 -1 ] } }"""
    )
    surfaces, cache = read(text, ".wrl")
    assert surfaces == []
    assert codes(cache)[0] == "wrong-value"
    assert str(cache.findings[0]).startswith("m/part.wrl:3:48: error: Coordinate: point: must be a number")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (HEADER + "Group {", "vrml-syntax"),
        (HEADER + "Group { children [ " * 100_000, "nesting-too-deep"),
        (HEADER, "mesh-empty"),
        ("", "mesh-broken"),
        ("\x00\x01\x02" * 100, "not-text"),
    ],
)
def test_broken_files(text: str, code: str) -> None:
    started = time.process_time()
    surfaces, cache = read(text, ".wrl")
    assert surfaces == []
    assert codes(cache) == [code]
    assert time.process_time() - started < 20.0


def test_uses_that_multiply() -> None:
    text = HEADER + f"DEF A0 {box(1)}\n"
    for i in range(1, 60):
        text += f"DEF A{i} Group {{ children [ USE A{i - 1} USE A{i - 1} ] }}\n"
    started = time.process_time()
    surfaces, cache = read(text, ".wrl")
    assert surfaces == []
    assert codes(cache)[0] in ("mesh-too-large", "model-too-large")
    assert time.process_time() - started < 20.0


def test_a_mesh_of_a_million_numbers() -> None:
    rng = np.random.default_rng(1)
    points = rng.random((100_000, 3))
    index = np.hstack([np.arange(99_999).reshape(-1, 3), np.full((33_333, 1), -1)])
    text = (
        f"{HEADER}Shape {{ geometry IndexedFaceSet {{ coord Coordinate {{ point ["
        f"{','.join(map(str, points.reshape(-1).tolist()))} ] }} coordIndex [ "
        f"{' '.join(map(str, index.reshape(-1).tolist()))} ] }} }}"
    )
    surface = one(text, ".wrl")
    assert len(surface.faces) == 33_333
    corners = points[:99_999].reshape(-1, 3, 3)
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert area(surface) == pytest.approx(np.linalg.norm(cross, axis=1).sum() / 2)


SIZED = "Shape { geometry Box { size 2 1 1 } }"
OF_PROTO = "PROTO B [ field SFVec3f s 1 1 1 ] { Shape { geometry Box { size IS s } } }"
USED = "Shape { appearance USE A geometry Box { } }"


@pytest.mark.parametrize(
    ("text", "found", "shared"),
    [
        (f"{SIZED} Transform {{ children {SIZED} }}", [2.0, 2.0], True),
        (f"{SIZED} Shape {{ geometry Box {{ size 3 1 1 }} }}", [2.0, 3.0], False),
        (f"{OF_PROTO} B {{ s 2 1 1 }} B {{ s 3 1 1 }}", [2.0, 3.0], False),
        (f"PROTO B [ ] {{ Box {{ size 2 1 1 }} }} {'Shape { geometry B { } } ' * 2}", [2.0, 2.0], True),
        (f"Transform {{ children DEF A Appearance {{ }} }} {USED} {USED}", [2.0, 2.0], True),
    ],
)
def test_shapes_of_the_same_text(text: str, found: list[float], shared: bool) -> None:
    surfaces, _ = read(HEADER + text, ".wrl")
    assert widths(surfaces)[-2:] == found
    assert (surfaces[-1].vertices is surfaces[-2].vertices) is shared


def test_each_shape_of_the_same_text_reports_its_numbers() -> None:
    shape = (
        "Shape { geometry IndexedFaceSet { coord Coordinate { point [ 0 0 0, 1 0 0, 0 1 0 ] } "
        "coordIndex [ 0 1 2 -1 0 1 9 -1 ] } } "
    )
    _, cache = read(HEADER + 2 * shape, ".wrl")
    assert codes(cache).count("index-out-of-range") == 2
