"""USE and File: what names mean, where files are looked for, cycles, and what multiplies."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from tests.formats.inventor.cases import BINARY, HEAD, field, finding, floats, node, reading, shape, shapes

import unibody as ub
from unibody.formats import detect
from unibody.formats.loader import read, read_with
from unibody.model.shape import Box, MeshFile, Sphere

FOLDER = Path(__file__).parent / "read"
CUBE = HEAD + "Cube { width 3 }"


def test_the_latest_of_a_name_counts() -> None:
    text = "DEF A Cube { } DEF A Sphere { } USE A"
    assert [type(s.geometry) for s in shapes(text)] == [Box, Sphere, Sphere]


def test_use_of_nothing() -> None:
    found = finding("DEF Box Cube { } USE Bax", "use-undefined")
    assert (found.severity, found.hint) == ("error", "did you mean 'Box'?")
    assert (
        "USE refers to unknown node 'Later'"
        in finding("USE Later DEF Later Cube { }", "use-undefined").message
    )


def test_use_inside_of_itself() -> None:
    found = finding("DEF A Separator { Cube { } USE A }", "use-recursion")
    assert found.severity == "warning"
    assert "USE A inside A" in found.message


def test_a_name_in_a_field() -> None:
    text = (
        "IndexedFaceSet { vertexProperty DEF P VertexProperty { vertex [ 0 0 0, 1 0 0, 0 1 0 ] } "
        "coordIndex [ 0, 1, 2, -1 ] } FaceSet { vertexProperty USE P numVertices 3 }"
    )
    assert len(shapes(text)) == 2


def test_names_are_those_of_one_file() -> None:
    found = reading('File { name "a.iv" } USE A', {"m/a.iv": f"{HEAD} DEF A Cube {{ }}"})
    assert [f.code for f in found.findings if f.severity == "error"] == ["use-undefined"]


def test_a_file_is_as_if_it_stood_here() -> None:
    inner = f"{HEAD} BaseColor {{ rgb 1 0 0 }} Translation {{ translation 1 0 0 }}"
    found = shape('File { name "a.iv" } Cube { }', files={"m/a.iv": inner})
    assert found.pose.xyz == (1.0, 0.0, 0.0)
    assert found.material is not None
    assert found.material.diffuse == (1.0, 0.0, 0.0)


def test_an_inline_keeps_its_state_to_itself() -> None:
    inner = "#VRML V1.0 ascii\nTranslation { translation 1 0 0 } Sphere { }"
    text = '#VRML V1.0 ascii\nWWWInline { name "a.wrl" } Cube { }'
    first, second = shapes(text, files={"m/a.wrl": inner})
    assert (first.pose.xyz[0], second.pose.xyz[0]) == (1.0, 0.0)


@pytest.mark.parametrize(
    "path",
    ["m/a.iv", "m/ivmodels/a.iv", "ivmodels/a.iv", "m/ivmodels.private/a.iv", "a.iv", "else/where/a.iv"],
)
def test_where_files_are_looked_for(path: str) -> None:
    found = reading('File { name "a.iv" }', {path: CUBE}, IVMODELS="else/where")
    assert found.ok, [str(f) for f in found.findings]
    assert found.robot is not None
    assert found.robot.links[0].visuals[0].geometry == Box(size=(3.0, 2.0, 2.0))


def test_beside_the_file_that_names_the_file() -> None:
    files = {"m/sub/arm.iv": f'{HEAD} File {{ name "hand.iv" }}', "m/hand.iv": CUBE}
    assert shape('File { name "sub/arm.iv" }', files=files).geometry == Box(size=(3.0, 2.0, 2.0))


def test_a_missing_file() -> None:
    found = finding('File { name "no_such.iv" } Cube { }', "file-missing")
    assert found.severity == "warning"
    assert "no_such.iv" in found.message
    assert found.at is not None
    assert found.at.text == '"no_such.iv"'


def test_cycles() -> None:
    assert finding('File { name "test.iv" } Cube { }', "include-recursion").severity == "error"
    files = {"m/a.iv": f'{HEAD} File {{ name "b.iv" }}', "m/b.iv": f'{HEAD} File {{ name "a.iv" }}'}
    assert "recursive File" in finding('File { name "a.iv" }', "include-recursion", files).message


def test_a_broken_file_is_left_out() -> None:
    found = reading('File { name "a.iv" } Cube { }', {"m/a.iv": f"{HEAD} Separator {{"})
    assert found.robot is not None
    assert [type(x.geometry) for x in found.robot.links[0].visuals] == [MeshFile, Box]
    (error,) = [f for f in found.findings if f.severity == "error"]
    assert str(error).startswith("m/a.iv:")


def test_a_binary_file() -> None:
    data = BINARY + node("Cube", field("width", floats(3)))
    assert shape('File { name "a.iv" }', files={"m/a.iv": data}).geometry == Box(size=(3.0, 2.0, 2.0))
    assert shape(data).geometry == Box(size=(3.0, 2.0, 2.0))


def test_a_file_of_another_kind_is_a_mesh() -> None:
    text = 'Translation { translation 1 0 0 } File { name "a.wrl" } File { name "b.stl" }'
    files = {"m/a.wrl": "#VRML V2.0 utf8\nShape { geometry Box { } }", "m/b.stl": "solid b\nendsolid b\n"}
    first, second = shapes(text, files=files)
    assert first.geometry == MeshFile(uri="a.wrl")
    assert isinstance(second.geometry, MeshFile)
    assert second.geometry.path == "m/b.stl"
    assert first.pose.xyz == (1.0, 0.0, 0.0)


def test_a_file_without_a_header() -> None:
    assert shape('File { name "a.iv" }', files={"m/a.iv": "Cube { width 3 }"}).geometry == Box(
        size=(3.0, 2.0, 2.0)
    )


@pytest.mark.slow
def test_what_multiplies_ends() -> None:
    lines = ["DEF A0 Group { Cube { } Cube { } }"]
    lines += [f"DEF A{i} Group {{ USE A{i - 1} USE A{i - 1} }}" for i in range(1, 60)]
    started = time.process_time()
    assert finding("\n".join(lines), "model-too-large").severity == "error"
    many = "Array { numElements1 30000 numElements2 30000 numElements3 30000 Cube { } }"
    assert finding(many, "model-too-large").severity == "error"
    assert time.process_time() - started < 20.0


def test_the_first_line_tells_the_format() -> None:
    for path, head, name in (
        ("a.iv", "#Inventor V2.1 ascii", "inventor"),
        ("a.wrl", "#VRML V1.0 ascii", "inventor"),
        ("a.iv", "#VRML V2.0 utf8", "openhrp"),
        ("a.wrl", "#VRML V2.0 utf8", "openhrp"),
        ("a.txt", "#Inventor V2.0 ascii", "inventor"),
        ("a.iv", "Cube { }", "inventor"),
    ):
        entry = detect(path, head)
        assert entry is not None
        assert entry.name == name


READ = sorted((Path(__file__).parent / "read").glob("*.iv"))


@pytest.mark.parametrize("path", READ, ids=lambda p: p.name)
def test_a_watched_reading_gives_the_same(path: Path) -> None:
    assert read_with(path, watch=True).robot == read(path).robot


def test_binary_is_the_same_model() -> None:
    """binary.iv is state.iv as Coin 4.0 writes it."""
    ascii_robot, binary_robot = ub.load(FOLDER / "state.iv"), ub.load(FOLDER / "binary.iv")
    assert len(ascii_robot.links[0].visuals) == len(binary_robot.links[0].visuals)
    for a, b in zip(ascii_robot.links[0].visuals, binary_robot.links[0].visuals, strict=True):
        assert a.name == b.name
        assert a.geometry == b.geometry
        assert a.material == b.material
        # turns were floats of four bytes on their way
        assert a.pose.xyz == pytest.approx(b.pose.xyz, abs=1e-6)
        np.testing.assert_allclose(a.pose.rotation(), b.pose.rotation(), atol=1e-6)
