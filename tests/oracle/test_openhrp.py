"""Every OpenHRP file of the corpus against what Choreonoid's own loader made of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.oracle.choreonoid import UNLIMITED, compare
from tests.oracle.test_meshes import compare as compare_surfaces
from tests.oracle.test_meshes import differences
from tests.sampling import sampled
from tests.shared import DEV, SHARED

import unibody as ub
from unibody.meshes import MeshCache, link_surfaces
from unibody.model.device import Accelerometer, Camera

ORACLE = SHARED / "oracle"

# Where unibody differs on purpose (docs/formats/openhrp.md says why): what may differ, by file.
ON_PURPOSE = {
    # a Joint turns about its center, as the reference says: the link's frame is there; and the inertia of a
    # momentsOfInertia with three numbers is zero in the rest, where Choreonoid reads beyond the list
    "micro/vrml.wrl": (
        *("J0: com", "J0: inertia", "J0: pose", "J1: pose", "J2: pose"),
        *("device 'CAM'", "device 'CAM2'"),
    ),
    # and maxAcceleration is read, which Choreonoid misses (facts F.1, 33)
    "micro/vrml_accel.wrl": ("J0: com", "J0: pose", "configuration", "device 'G': dv_max"),
}
MESHES_ON_PURPOSE = {
    # a last face without −1 is kept
    "fkanehiro+openhrp3/sample/model/slopes_on_floor.wrl": ("WAIST: triangles",),
    "fkanehiro+openhrp3/sample/model/wedges_on_floor.wrl": ("WAIST: triangles",),
    # the same, and a link's frame at its Joint's center
    "micro/vrml.wrl": tuple(f"J0: {what}" for what in ("triangles", "bounds", "area", "volume")),
}
# Choreonoid refuses it; here it loads: the reference documents it, or its meaning is plain.
LOADED_HERE = {
    # jointType "xy"
    "fkanehiro+openhrp3/sample/model/closed-link-sample.wrl",
    # jointType "crawler"
    "fkanehiro+openhrp3/sample/model/crawler.wrl",
    # a Joint below a Transform
    "micro/vrml_transform_above_joint.wrl",
}


def _names(kind: str) -> list[str]:
    """Models of a kind in the index (``body``: with a Humanoid; ``mesh``: shapes alone), and micro ones."""
    if not (ORACLE / "INDEX.tsv").exists():
        return []
    rows = [line.split("\t") for line in (ORACLE / "INDEX.tsv").read_text().splitlines()[1:]]
    listed = [r[0] for r in rows if r[0].endswith(".wrl") and r[1] == kind]
    # the VRML 1.0 files have tests of their own
    listed = [name for name in listed if "vrml1.0" not in name]
    suffix = ".json" if kind == "body" else ".mesh.json"
    micro = [
        f"micro/{p.name}" for p in (ORACLE / "micro/models").glob("*.wrl") if _path(p, suffix).exists()
    ]
    return sorted([*listed, *micro])


def _path(model: Path, suffix: str) -> Path:
    return ORACLE / "micro" / f"{model.name}{suffix}"


def _model(name: str) -> Path:
    if name.startswith("micro/"):
        return ORACLE / "micro/models" / name.removeprefix("micro/")
    return DEV / name


def _truth(name: str, suffix: str = ".json") -> dict[str, Any] | None:
    """The dump of a file in this project's terms; None when Choreonoid refused it."""
    path = ORACLE / f"{name}{suffix}"
    if not path.exists():
        return None
    truth: dict[str, Any] = json.loads(path.read_text())
    if not truth["ok"]:
        return None
    for device in truth.get("devices", ()):
        for key in ("w_max", "F_max", "dv_max"):
            # −1 means no limit (facts F.1, 34)
            device[key] = [UNLIMITED if v == -1 else v for v in device[key]] if key in device else None
            if device[key] is None:
                del device[key]
    _number_repeated(truth)
    return truth


def _number_repeated(truth: dict[str, Any]) -> None:
    """Links that share a name are told apart here by a number."""
    seen: dict[str, int] = {}
    for link in truth.get("links", ()):
        count = seen[link["name"]] = seen.get(link["name"], 0) + 1
        if count > 1:
            link["name"] = link["joint_name"] = f"{link['name']}_{count}"
    for configuration in truth.get("configurations", ()):
        for q in configuration.get("q", ()):
            q[0] = truth["links"][q[1]]["name"]


def _without(found: list[str], allowed: tuple[str, ...]) -> list[str]:
    for start in allowed:
        assert any(d.startswith(start) for d in found), f"{start}: no longer differs; take it off the list"
    return [d for d in found if not d.startswith(allowed or ("\0",))]


BODIES, SHAPES = _names("body"), _names("mesh")


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", sampled(BODIES))
def test_robot_agrees_with_choreonoid(name: str) -> None:
    truth = _truth(name)
    reading = ub.read(_model(name))
    assert [f.code for f in reading.findings if f.severity == "error"] == []
    assert reading.robot is not None
    if truth is None:
        assert name in LOADED_HERE
        return
    for device in truth["devices"]:
        # what NONE means is another test
        spec = next(x.spec for x in reading.robot.devices if x.name == device["name"])
        if isinstance(spec, Camera) and spec.image == "none":
            device["image_type"] = None
    assert _without(list(compare(reading.robot, truth)), ON_PURPOSE.get(name, ())) == []


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", sampled(n for n in BODIES if _truth(n)))
def test_links_agree_with_choreonoid(name: str) -> None:
    truth = _truth(name)
    assert truth is not None
    robot = ub.read(_model(name)).robot
    assert robot is not None
    assert _without(list(differences(robot, truth)), MESHES_ON_PURPOSE.get(name, ())) == []


@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("name", sampled(SHAPES))
def test_shapes_agree_with_choreonoid(name: str) -> None:
    truth = _truth(name, ".mesh.json")
    robot = ub.load(_model(name))
    assert [link.name for link in robot.links] == ["Root"]
    assert robot.base == "fixed"
    if truth is not None:
        made = link_surfaces(robot, "Root", "visual", MeshCache())
        assert list(compare_surfaces(made, truth["shape"])) == []


@pytest.mark.usefixtures("shared")
def test_what_choreonoid_misses() -> None:
    """maxAcceleration is read, and NONE is no colour camera (facts F.1, 32 and 33)."""
    robot = ub.load(_model("micro/vrml_accel.wrl"))
    assert robot.device("G").spec == Accelerometer(max_acceleration=(10.0, 20.0, 30.0))
    camera = ub.read(_model("micro/vrml.wrl")).robot
    assert camera is not None
    spec = camera.device("CAM").spec
    assert isinstance(spec, Camera)
    assert spec.image == "none"


@pytest.mark.usefixtures("shared")
def test_enough_was_compared() -> None:
    assert len(BODIES) >= 70
    assert len(SHAPES) >= 20
