"""Mesh files of a model: read once, brought to the model's unit and axes, cut to a fragment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.mesh.build import codes, dae, obj, read, stl, stl_text, tetrahedron, triangles

from unibody.files.access import Files, MemoryFiles
from unibody.files.filesystem import MemoryFileSystem
from unibody.meshes import SUFFIXES, MeshCache, area, bounds, shape_surfaces
from unibody.model.shape import MeshFile, Shape
from unibody.text.finding import Findings
from unibody.text.limits import ReadLimits
from unibody.text.source import Source, Span


class CountingDisk(MemoryFileSystem):
    """Counts how often each file is read."""

    def __init__(self, contents: dict[str, bytes]) -> None:
        super().__init__(contents)
        self.count: dict[str, int] = {}

    def read(self, path: str, limit: int) -> bytes:
        self.count[path] = self.count.get(path, 0) + 1
        return super().read(path, limit)


def test_a_file_is_read_once_and_only_when_asked_for() -> None:
    disk = CountingDisk({"m/a.stl": stl(tetrahedron()), "m/b.stl": b"nothing"})
    cache = MeshCache(Files(disk=disk, environment={}))
    assert disk.count == {}
    plain = MeshFile(uri="a.stl", path="m/a.stl")
    first = cache.surfaces(plain)
    assert cache.surfaces(plain) is first
    assert cache.surfaces(MeshFile(uri="a.stl", path="m/a.stl", scale=(2.0, 2.0, 2.0)))[0] is not first[0]
    for _ in range(3):
        assert cache.surfaces(MeshFile(uri="b.stl", path="m/b.stl")) == ()
        assert cache.surfaces(MeshFile(uri="c.stl", path="m/c.stl")) == ()
    assert disk.count == {"m/a.stl": 1, "m/b.stl": 1, "m/c.stl": 1}
    assert codes(cache) == ["mesh-broken", "file-missing"]


def test_findings_go_where_the_caller_wants_them() -> None:
    findings = Findings()
    cache = MeshCache(MemoryFiles({}), findings)
    cache.surfaces(MeshFile(uri="a.stl", path="a.stl"))
    assert cache.findings is findings
    assert [f.code for f in findings] == ["file-missing"]


def test_a_mesh_that_was_not_found_gives_one_finding() -> None:
    cache = MeshCache(MemoryFiles({"a.stl": stl(tetrahedron())}))
    shape = Shape(geometry=MeshFile(uri="a.stl"))
    assert shape_surfaces(shape, cache) == shape_surfaces(shape, cache) == []
    # the reader of the model refused or missed it: its uri is not tried again
    assert codes(cache) == ["mesh-missing"]


def test_a_missing_file_that_the_reader_told_is_not_told_again() -> None:
    at = Span(Source("a.rob", "model0 'a.iv'"), 7, 13)
    told = Findings()
    told.warning("file-missing", "'a.iv' is missing", at)
    cache = MeshCache(MemoryFiles({}), told)
    cache.surfaces(MeshFile(uri="a.iv"), at)
    assert codes(cache) == ["file-missing"]
    other = MeshCache(MemoryFiles({}), told)
    other.surfaces(MeshFile(uri="b.iv"), Span(at.source, 0, 6))
    assert codes(other) == ["file-missing", "mesh-missing"]


@pytest.mark.parametrize("suffix", [".x3d", ".vtk", ".3ds", ".STEP", ""])
def test_files_of_other_kinds_give_a_finding(suffix: str) -> None:
    surfaces, cache = read(b"VRML V2.0 utf8", suffix)
    assert surfaces == []
    assert codes(cache) == ["mesh-format"]


def test_suffixes_in_capitals() -> None:
    assert triangles(read(stl_text(), ".STL")[0][0]) == tetrahedron()


def test_a_directory_and_a_file_that_is_too_large() -> None:
    cache = MeshCache(MemoryFiles({"a.stl/b": b""}))
    cache.surfaces(MeshFile(uri="a.stl", path="a.stl"))
    assert codes(cache) == ["file-unreadable"]
    cache = MeshCache(MemoryFiles({"a.stl": stl(tetrahedron())}, limits=ReadLimits(file_bytes=100)))
    cache.surfaces(MeshFile(uri="a.stl", path="a.stl"))
    assert codes(cache) == ["file-too-large"]


MILLI: Any = {"unit": 0.001, "up_axis": "choreonoid-Y"}


def test_hints_of_unit_and_axis_as_choreonoid_takes_them() -> None:
    # facts G: STL (0,0,0)(1000,0,0)(0,2000,3000), metadata millimeter + Y → (0,0,0)-(3,1,2)
    surfaces, _ = read(stl([[(0, 0, 0), (1000, 0, 0), (0, 2000, 3000)]]), ".stl", **MILLI)
    low, high = bounds(surfaces) or (None, None)
    assert low is not None
    assert high is not None
    assert np.allclose([low, high], [[0, 0, 0], [3, 1, 2]])


def test_hints_come_on_top_of_what_the_file_says() -> None:
    text = dae(asset='<unit meter="0.01"/><up_axis>Z_UP</up_axis>')
    surfaces, _ = read(text, ".dae", unit=0.001, up_axis="choreonoid-X", scale=(1.0, 1.0, 10.0))
    _, high = bounds(surfaces) or (None, None)
    # (x, y, z) → (y, z, x), 1e-5 m a unit, ten times as high
    assert high is not None
    assert np.allclose(high, [2e-5, 3e-5, 10e-5])


def test_a_mirrored_scale_keeps_the_outside_outside() -> None:
    from unibody.meshes import signed_volume

    for scale in ((-1.0, 1.0, 1.0), (-2.0, -1.0, -1.0), (1.0, -1.0, -1.0)):
        surfaces, _ = read(obj(), ".obj", scale=scale)
        assert signed_volume(surfaces[0]) == pytest.approx(abs(float(np.prod(scale))))


@pytest.mark.parametrize("scale", [(np.nan, 1.0, 1.0), (1e60, 1.0, 1.0), (np.inf, 1.0, 1.0)])
def test_a_scale_that_is_no_number(scale: tuple[float, float, float]) -> None:
    surfaces, cache = read(obj(), ".obj", scale=scale)
    assert surfaces == []
    assert codes(cache) == ["mesh-unit"]


def test_a_scale_of_zero_is_flat() -> None:
    surfaces, _ = read(obj(), ".obj", scale=(1.0, 1.0, 0.0))
    assert np.isfinite(surfaces[0].vertices).all()
    assert area(surfaces[0]) == pytest.approx(2.0)


# --- scenes of Choreonoid ----------------------------------------------------------------------------

SCENE = """
format: ChoreonoidScene
formatVersion: 2.0
scene:
  - type: Transform
    name: UPPER
    translation: [0, 0, 5]
    rotation: [0, 0, 1, 90]
    elements:
      - type: Shape
        name: BLOCK
        translation: [1, 0, 0]
        geometry: { type: Box, size: [2, 4, 6] }
        appearance: { material: { diffuse: [1, 0, 0] } }
  - type: Shape
    geometry: { type: Sphere, radius: 0.5 }
"""


def test_a_scene() -> None:
    surfaces, cache = read(SCENE, ".scen")
    assert codes(cache) == []
    assert [s.faces.shape[0] for s in surfaces] == [12, 360]
    low, high = bounds(surfaces[:1]) or (None, None)
    assert low is not None
    assert high is not None
    assert np.allclose([low, high], [[-2, 0, 2], [2, 2, 8]])
    assert surfaces[0].material is not None
    assert surfaces[0].material.diffuse == (1.0, 0.0, 0.0)
    assert surfaces[1].material is None


def test_a_fragment_of_a_scene_and_a_unit() -> None:
    surfaces, _ = read(SCENE, ".scen", fragment="UPPER", unit=0.001)
    low, high = bounds(surfaces) or (None, None)
    assert low is not None
    assert high is not None
    assert np.allclose([low, high], [[-0.002, 0, -0.003], [0.002, 0.002, 0.003]])


@pytest.mark.parametrize(
    "scene",
    [
        "scene: { type: Shape, geometry: { type: Box } }",
        "scene: { Shape: { geometry: { type: Box } } }",
        "angle_unit: radian\nscene: { Group: { elements: [{ type: Shape, geometry: { type: Box } }] } }",
    ],
)
def test_forms_of_a_scene(scene: str) -> None:
    surfaces, cache = read(f"format: ChoreonoidScene\nformat_version: 1.0\n{scene}\n", ".scen")
    assert codes(cache) == []
    assert [s.faces.shape[0] for s in surfaces] == [12]


def test_body_elements_in_a_yaml_file() -> None:
    text = "- { type: RigidBody, mass: 1, elements: [{ type: Shape, geometry: { type: Box } }] }\n"
    surfaces, cache = read(text, ".yaml")
    assert codes(cache) == []
    assert [s.faces.shape[0] for s in surfaces] == [12]


def test_a_scene_that_names_a_mesh() -> None:
    text = "scene: { type: Resource, uri: box.obj, translation: [0, 0, 9], metadata: millimeter }\n"
    surfaces, cache = read(text, ".scen", {"box.obj": obj().encode()})
    assert codes(cache) == []
    assert np.allclose(surfaces[0].vertices.max(0), [0.001, 0.002, 9.003])


def test_a_scene_that_names_itself() -> None:
    text = "scene: [{ type: Resource, uri: part.scen }, { type: Shape, geometry: { type: Box } }]\n"
    surfaces, cache = read(text, ".scen")
    assert [s.faces.shape[0] for s in surfaces] == [12]
    assert codes(cache) == ["include-recursion"]


@pytest.mark.parametrize(
    "text", ["format: ChoreonoidScene\n", "scene: [", "- 1\n- 2\n", "just text", "scene: []"]
)
def test_what_is_no_scene(text: str) -> None:
    surfaces, cache = read(text, ".scen")
    assert surfaces == []
    assert cache.findings


def test_the_corpus_s_scenes(shared: object) -> None:
    from pathlib import Path

    folder = Path(str(shared)) / "corpus/dev/choreonoid+choreonoid/share/model/misc"
    cache = MeshCache()
    dome = cache.surfaces(MeshFile(uri="dome.scen", path=str(folder / "dome.scen")))
    assert [s.faces.shape[0] for s in dome] == [360]
    assert cache.findings == []
    # Text is not drawn
    assert cache.surfaces(MeshFile(uri="text.scen", path=str(folder / "text.scen"))) == ()


def test_suffixes() -> None:
    assert set(SUFFIXES) >= {".stl", ".obj", ".ply", ".dae", ".gltf", ".glb", ".scen"}
