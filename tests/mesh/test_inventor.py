"""Inventor files as meshes of links: their parts, and the ways to name them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.formats.loader import read
from unibody.meshes.cache import MeshCache
from unibody.meshes.surface import bounds
from unibody.model.shape import MeshFile

HEAD = "#Inventor V2.1 ascii\n"
ROBOT = """
DEF base Separator {
  Translation { translation 1 0 0 }
  Cube { }
  DEF arm Separator {
    Translation { translation 0 0 5 }
    Scale { scaleFactor 1 1 3 }
    Cube { }
    DEF hand Sphere { radius 0.5 }
  }
}
Cube { width 9 }
"""


def cache(text: str | bytes, path: str = "a.iv", more: Mapping[str, bytes] | None = None) -> MeshCache:
    data = text if isinstance(text, bytes) else text.encode()
    return MeshCache(MemoryFiles({path: data, **(more or {})}))


def box(found: MeshCache, path: str = "a.iv", **fields: object) -> list[list[float]]:
    surfaces = found.surfaces(MeshFile(uri=path, path=path, **fields))  # type: ignore[arg-type]
    assert [str(f) for f in found.findings if f.severity != "info"] == []
    around = bounds(surfaces)
    assert around is not None
    return [around[0].tolist(), around[1].tolist()]


def test_the_whole_file() -> None:
    assert box(cache(HEAD + ROBOT)) == [[-4.5, -1.0, -1.0], [4.5, 1.0, 8.0]]


def test_a_part_stands_on_its_own_origin() -> None:
    """The place where its node begins is its origin; turns and scales stay."""
    assert box(cache(HEAD + ROBOT), fragment="base") == [[0.0, -1.0, -1.0], [2.0, 1.0, 8.0]]
    assert box(cache(HEAD + ROBOT), fragment="arm") == [[-1.0, -1.0, 2.0], [1.0, 1.0, 8.0]]
    assert np.allclose(box(cache(HEAD + ROBOT), fragment="hand")[1], [0.5, 0.5, 1.5])


def test_a_part_that_is_not_there() -> None:
    found = cache(HEAD + ROBOT)
    assert found.surfaces(MeshFile(uri="a.iv", path="a.iv", fragment="leg")) == ()
    (error,) = [f for f in found.findings if f.severity == "error"]
    assert (error.code, "base, arm, hand" in error.hint) == ("mesh-fragment", True)


def test_scale_and_colours() -> None:
    text = f"{HEAD} BaseColor {{ rgb 1 0 0 }} Cube {{ }}"
    (surface,) = cache(text).surfaces(MeshFile(uri="a.iv", path="a.iv", scale=(0.5, 0.5, 0.5)))
    assert surface.vertices.max() == 0.5
    assert surface.material is not None
    assert surface.material.diffuse == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.iv", "#Inventor V2.0 ascii\nCube { }"),
        ("a.wrl", "#VRML V1.0 ascii\nCube { }"),
        ("a.wrl", "#Inventor V2.1 ascii\nCube { }"),
        ("a.iv", "Cube { }"),
        ("a.iv", "#VRML V2.0 utf8\nShape { geometry Box { } }"),
        ("a.iv", b"#Inventor V2.1 binary  \n\0\0\0\4Cube\0\0\0\0\0\0\0\0"),
    ],
)
def test_the_first_line_tells_the_syntax(path: str, text: str | bytes) -> None:
    assert box(cache(text, path), path) == [[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]]


def test_a_file_in_a_file_in_a_mesh() -> None:
    more = {"b.wrl": b"#VRML V2.0 utf8\nShape { geometry Box { size 4 4 4 } }"}
    text = f'{HEAD} Translation {{ translation 1 0 0 }} File {{ name "b.wrl" }}'
    assert box(cache(text, more=more)) == [[-1.0, -2.0, -2.0], [3.0, 2.0, 2.0]]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"{HEAD} Separator {{", "inventor-syntax"),
        (f"{HEAD} Separator {{ }}", "mesh-empty"),
        (b"#Inventor V2.1 binary  \n\0\0\0\4Cube", "inventor-binary"),
        (f'{HEAD} File {{ name "a.iv" }} Cube {{ }}', "include-recursion"),
    ],
)
def test_wrong(text: str | bytes, code: str) -> None:
    found = cache(text)
    found.surfaces(MeshFile(uri="a.iv", path="a.iv"))
    assert code in {f.code for f in found.findings}


def test_the_model_of_a_link() -> None:
    files = MemoryFiles(
        {
            "r.urdf": b'<robot name="r"><link name="a"><visual><geometry><mesh filename="a.iv"/>'
            b"</geometry></visual></link></robot>",
            "a.iv": (HEAD + ROBOT).encode(),
        }
    )
    reading = read("r.urdf", files=files)
    assert reading.findings == []
    assert reading.robot is not None
    vertices, faces = ub.mesh(reading.robot, "a", cache=MeshCache(files))
    assert vertices.max(axis=0).tolist() == [4.5, 1.0, 8.0]
    assert len(faces) == 3 * 12 + 360
