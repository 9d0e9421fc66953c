"""Triangles of links and of mesh files against what Choreonoid's own loader made of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.sampling import sampled
from tests.shared import DEV, SHARED

import unibody as ub
from unibody.meshes import MeshCache, Surface, area, bounds, link_surfaces, shape_surfaces, signed_volume
from unibody.model.robot import Robot
from unibody.model.shape import MeshFile, Shape

ORACLE = SHARED / "oracle"
TOLERANCE = 1e-4
READ = (".stl", ".dae", ".obj", ".scen", ".wrl")

# Where unibody differs on purpose (docs/formats/meshes.md says why): what may differ, by file.
ON_PURPOSE = {
    # a last face without −1 is kept; these have an area of next to nothing
    **dict.fromkeys(
        [f"choreonoid+choreonoid/share/model/Labo1/{name}.body" for name in ("Labo1", "Labo1v2")],
        tuple(f"{link}: triangles" for link in ("Tank", "Pipes", "Rack1", "Rack2", "Rack3")),
    ),
    # a cap with a hole that a bridge reaches: filled here, lost in Choreonoid
    "choreonoid+choreonoid/sample/WRS2018/model/RoadSurface40m_T1L.body": (
        "Base: triangles",
        "Base: area",
        "Base: volume",
    ),
    # a Joint with a center, which Choreonoid ignores, and a last face without −1
    "micro/vrml.wrl": ("J0: triangles", "J0: bounds", "J0: area", "J0: volume"),
    # triangles without area are kept here, and dropped from IndexedFaceSets in Choreonoid
    "k38-suzuki+hairo-world-plugin/sample/tutorial/Tutorial/example.body": ("STEPFIELD: triangles",),
    # the same: wedges whose corners coincide
    "fkanehiro+openhrp3/sample/model/slopes_on_floor.wrl": ("WAIST: triangles",),
    "fkanehiro+openhrp3/sample/model/wedges_on_floor.wrl": ("WAIST: triangles",),
    # import: *node is read in place; Choreonoid copies it to info only
    "micro/doc_import.body": ("A: triangles",),
    # a last face without −1 is kept
    "micro/faces.body": ("R: triangles", "R: area"),
    # dumped with a ROS_PACKAGE_PATH that named test_package
    "newton-physics+urdf-usd-converter/tests/data/ros_packages.urdf": ("link_mesh_stl: triangles",),
}


def _names(suffix: str) -> list[str]:
    found = [str(p.relative_to(ORACLE))[: -len(".json")] for p in sorted(ORACLE.glob(f"**/*{suffix}.json"))]
    # What the C++ loader made of written models has its models beside it, not in the corpus.
    found = [name for name in found if not name.startswith("written/")]
    return [name for name in found if json.loads((ORACLE / f"{name}.json").read_text())["ok"]]


def _model(name: str) -> Path:
    if name.startswith("micro/"):
        return ORACLE / "micro/models" / name.removeprefix("micro/")
    return DEV / name


def _close(a: float, b: float) -> bool:
    return abs(a - b) <= TOLERANCE * max(abs(a), abs(b))


def compare(surfaces: list[Surface], truth: dict[str, Any]) -> Iterator[str]:
    """Everything that differs: triangles, bounds, area, signed volume."""
    count = sum(len(s.faces) for s in surfaces)
    if count != truth["triangles"]:
        yield f"triangles {count} != {truth['triangles']}"
    box = bounds(surfaces)
    if box is None or not truth["triangles"]:
        return
    there = np.array(truth["bbox"], float)
    size = float(np.ptp(there, axis=0).max())
    if np.abs(np.array(box) - there).max() > TOLERANCE * size:
        yield f"bounds {np.array(box).tolist()} != {there.tolist()}"
    skin = sum(area(s) for s in surfaces)
    if not _close(skin, truth["area"]):
        yield f"area {skin} != {truth['area']}"
    inside = sum(signed_volume(s) for s in surfaces)
    # of an open surface the volume is a small difference of large numbers
    if abs(inside - truth["signed_volume"]) > 10 * TOLERANCE * max(abs(inside), 0.01 * size**3):
        yield f"volume {inside} != {truth['signed_volume']}"


def _read(shape: Shape) -> bool:
    mesh = shape.geometry
    return not isinstance(mesh, MeshFile) or mesh.uri.lower().endswith(READ)


def differences(robot: Robot, truth: dict[str, Any]) -> Iterator[str]:
    """Everything that differs in the links whose shapes can all be read."""
    cache = MeshCache()
    for link in truth["links"]:
        if link["name"] not in {own.name for own in robot.links}:
            yield f"{link['name']}: no such link"
            continue
        own = robot.link(link["name"])
        for which, shapes in (("visual", own.visuals), ("collision", own.collisions)):
            if not all(map(_read, shapes)):
                continue
            there = link.get(which) or {"triangles": 0}
            made = link_surfaces(robot, own.name, "visual" if which == "visual" else "collision", cache)
            for difference in compare(made, there):
                yield f"{own.name}: {difference} ({which})"
            if all(s.material is None for s in shapes):
                for difference in _colours(made, there):
                    yield f"{own.name}: {difference} ({which})"


def _colours(surfaces: list[Surface], truth: dict[str, Any]) -> Iterator[str]:
    """Diffuse colours of mesh files; what has none there may have one here, and the other way round."""
    there = [tuple(c) for c in truth.get("diffuse", []) if c is not None]
    here = [s.material.diffuse for s in surfaces if s.material is not None]
    if len(here) == len(there):
        for a, b in zip(sorted(here), sorted(there), strict=True):
            if not np.allclose(a, b, atol=1e-4):
                yield f"colour {a} != {b}"


BODIES, URDFS, WRLS = _names(".body"), _names(".urdf"), _names(".wrl")
MESHES = [name for name in _names(".mesh") if name.removesuffix(".mesh").endswith(READ)]


@cache
def _truth(name: str) -> Any:
    return json.loads((ORACLE / f"{name}.json").read_text())


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", sampled([*BODIES, *URDFS, *WRLS]))
def test_links_agree_with_choreonoid(name: str) -> None:
    reading = ub.read(_model(name))
    assert reading.robot is not None, [str(f) for f in reading.findings]
    allowed = ON_PURPOSE.get(name, ())
    found = list(differences(reading.robot, _truth(name)))
    assert [d for d in found if not d.startswith(allowed or ("\0",))] == []
    for start in allowed:
        assert any(d.startswith(start) for d in found), f"{start}: no longer differs; take it off the list"


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", sampled(MESHES))
def test_mesh_files_agree_with_choreonoid(name: str) -> None:
    path = str(_model(name.removesuffix(".mesh")))
    surfaces = shape_surfaces(Shape(geometry=MeshFile(uri=path, path=path)), MeshCache())
    assert list(compare(surfaces, _truth(name)["shape"])) == []


@pytest.mark.usefixtures("shared")
def test_enough_was_compared() -> None:
    assert len(BODIES) >= 150
    assert len(URDFS) >= 160
    assert len(WRLS) >= 70
    assert len(MESHES) >= 25


@pytest.mark.usefixtures("shared")
def test_an_extrusion_straight_down() -> None:
    """Choreonoid mirrors its section (../shared/oracle/written/README.md, 5)."""
    truth = json.loads((ORACLE / "written/down.body.json").read_text())
    assert list(differences(ub.load(ORACLE / "written/down.body"), truth)) == []
