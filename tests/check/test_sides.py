"""Collision shapes that differ from the visual ones by a factor, a turn or an offset are warned of."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

import unibody as ub
from unibody.model.pose import from_rpy

# A wedge with sides of 0.1, 0.2 and 0.4 m, none of whose turns is itself.
WEDGE = "v 0 0 0\nv 0.1 0 0\nv 0 0.2 0\nv 0 0 0.4\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
HALF = math.pi / 2.0


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("seen.obj", "felt.obj"):
        (tmp_path / name).write_text(WEDGE, "utf-8")
    return tmp_path


def mesh(folder: Path, name: str = "felt.obj", scale: float = 1.0, pose: ub.Pose | None = None) -> ub.Shape:
    file = ub.MeshFile(uri=name, path=str(folder / name), scale=(scale, scale, scale))
    return ub.Shape(geometry=file, pose=pose or ub.Pose())


def found(folder: Path, *collisions: ub.Shape, seen: float = 1.0) -> list[ub.Finding]:
    link = ub.Link(name="base", visuals=(mesh(folder, "seen.obj", seen),), collisions=collisions)
    codes = ("collision-scale", "collision-turned", "collision-shifted")
    return [f for f in ub.check(ub.Robot(name="r", links=(link,))) if f.code in codes]


def turned(roll: float, pitch: float, yaw: float) -> ub.Pose:
    return ub.Pose(quat=from_rpy(roll, pitch, yaw))


@pytest.mark.parametrize("factor", [10.0, 25.4, 7.0, 0.1, 0.01, 1.0 / 25.4])
def test_a_factor_is_named_with_its_remedy(folder: Path, factor: float) -> None:
    (finding,) = found(folder, mesh(folder, scale=factor))
    assert finding.code == "collision-scale"
    word = "larger" if factor > 1.0 else "smaller"
    assert f"{max(factor, 1.0 / factor):.4g} times {word}" in finding.message
    assert f"--scale felt.obj={1.0 / factor:.4g}" in str(finding.json("command")["hint"])


@pytest.mark.parametrize("factor", [1000.0, 100.0, 0.001])
def test_a_mesh_in_another_unit_is_one_finding(folder: Path, factor: float) -> None:
    assert found(folder, mesh(folder, scale=factor)) == []
    link = ub.Link(
        name="base", visuals=(mesh(folder, "seen.obj"),), collisions=(mesh(folder, scale=factor),)
    )
    (finding,) = (f for f in ub.check(ub.Robot(name="r", links=(link,))) if f.severity == "warning")
    assert finding.code == "mesh-scale"
    assert f"--scale felt.obj={1.0 / factor:g}" in str(finding.json("command")["hint"])


def test_the_side_that_does_not_fit_the_robot_is_wrong(folder: Path) -> None:
    other = ub.Link(name="arm", visuals=(ub.Shape(geometry=ub.Box(size=(0.2, 0.2, 0.3))),))
    base = ub.Link(name="base", visuals=(mesh(folder, "seen.obj", 10.0),), collisions=(mesh(folder),))
    joint = ub.Joint(name="j", kind="fixed", parent="base", child="arm")
    robot = ub.Robot(name="r", links=(base, other), joints=(joint,))
    (finding,) = (f for f in ub.check(robot) if f.code == "collision-scale")
    assert "--scale seen.obj=0.1" in str(finding.json("command")["hint"])
    both = ub.Link(
        name="base",
        visuals=(mesh(folder, "seen.obj"),),
        collisions=(mesh(folder, "seen.obj", 10.0),),
    )
    (finding,) = (f for f in ub.check(replace(robot, links=(both, other))) if f.code == "collision-scale")
    assert "--scale" not in str(finding.json("command")["hint"])  # it would scale both


@pytest.mark.parametrize(
    ("pose", "words"),
    [
        (turned(HALF, 0.0, 0.0), "90° about x"),
        (turned(-HALF, 0.0, 0.0), "-90° about x"),
        (turned(0.0, HALF, 0.0), "90° about y"),
        (turned(0.0, 0.0, HALF), "90° about z"),
        (turned(2.0 * HALF, 0.0, 0.0), "180° about x"),
        (turned(0.0, 0.0, 2.0 * HALF), "180° about z"),
    ],
)
def test_a_turn_is_named(folder: Path, pose: ub.Pose, words: str) -> None:
    (finding,) = found(folder, mesh(folder, pose=pose))
    assert (finding.code, words in finding.message) == ("collision-turned", True)
    hint = str(finding.json("command")["hint"])
    upright = {"90° about x": "--up-axis seen.obj=Y", "-90° about x": "--up-axis felt.obj=Y"}
    assert upright.get(words, "rpy") in hint


def test_any_turn_of_one_file_is_named(folder: Path) -> None:
    (finding,) = found(folder, mesh(folder, "seen.obj", pose=turned(0.0, 0.0, math.radians(30.0))))
    assert "turned by 30° about z" in finding.message
    assert found(folder, mesh(folder, "seen.obj", pose=turned(0.0, 0.0, math.radians(2.0)))) == []


def test_a_round_mesh_may_be_turned(folder: Path) -> None:
    points = [(math.cos(k * HALF / 6.0), math.sin(k * HALF / 6.0)) for k in range(24)]
    lines = [f"v {x / 10:.9f} {y / 10:.9f} {z}" for z in (0.0, 0.05) for x, y in points]
    lines += [f"f {' '.join(str(k) for k in range(first, first + 24))}" for first in (1, 25)]
    (folder / "seen.obj").write_text("\n".join(lines) + "\n", "utf-8")
    assert found(folder, mesh(folder, "seen.obj", pose=turned(0.0, 0.0, HALF))) == []


def test_an_offset_is_named(folder: Path) -> None:
    (finding,) = found(folder, mesh(folder, pose=ub.Pose((0.0, 0.3, 0.0))))
    assert (finding.code, "0.3 m away" in finding.message) == ("collision-shifted", True)
    assert "0 -0.3 0 m" in str(finding.hint)
    cube = ub.Shape(geometry=ub.Box(size=(0.1, 0.1, 0.1)), pose=ub.Pose((0.5, 1.0, 2.0)))
    (finding,) = found(folder, cube)
    assert "divide the offset of the collision shapes by 10" in str(finding.hint)


def test_simplified_padded_and_partial_shapes_are_fine(folder: Path) -> None:
    middle = ub.Pose((0.05, 0.1, 0.2))
    box = ub.Shape(geometry=ub.Box(size=(0.12, 0.22, 0.42)), pose=middle)
    padded = ub.Shape(geometry=ub.Box(size=(0.3, 0.4, 0.6)), pose=middle)
    capsule = ub.Shape(geometry=ub.Capsule(radius=0.06, height=0.3), pose=middle)
    part = ub.Shape(geometry=ub.Sphere(radius=0.02), pose=ub.Pose((0.05, 0.05, 0.0)))
    for shape in (box, padded, capsule, part, mesh(folder), mesh(folder, "seen.obj")):
        assert found(folder, shape) == [], shape
