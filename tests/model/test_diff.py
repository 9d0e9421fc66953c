from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.model.strategies import NAMES, again, lines, robot_of, robots

from unibody.model.equality import close, same_rotation
from unibody.model.facts import diff, facts
from unibody.model.inertia import Inertial
from unibody.model.json import to_json
from unibody.model.pose import Pose, from_axis_angle, from_rpy
from unibody.model.robot import (
    Configuration,
    Coupling,
    Extra,
    Frame,
    Joint,
    Limits,
    Link,
    Robot,
    SelfCollision,
)
from unibody.model.shape import Material, Mesh, MeshFile, Shape, Texture
from unibody.model.wording import angle_text
from unibody.text.node import Node, Word

SINK = robot_of("kitchen_sink")


# equality


@settings(suppress_health_check=list(HealthCheck))
@given(robots)
def test_nothing_differs_from_itself(robot: Robot) -> None:
    assert diff(robot, robot) == []
    assert diff(robot, again(robot)) == []
    assert facts(robot) == facts(again(robot))


@settings(suppress_health_check=list(HealthCheck))
@given(robots, robots)
def test_any_two_robots_can_be_compared(a: Robot, b: Robot) -> None:
    differences = diff(a, b)
    assert (differences == []) == (diff(b, a) == [])
    assert all("\n" not in str(d) for d in differences)
    assert all(set(d.json()) == {"path", "kind", "before", "after"} for d in differences)


@pytest.mark.parametrize("name", NAMES)
def test_the_small_robots_equal_themselves(name: str) -> None:
    assert diff(robot_of(name), again(robot_of(name))) == []


def test_nan_equals_nan_and_infinity_only_itself() -> None:
    nan = Robot(name="r", links=(Link(name="L", inertial=Inertial(mass=math.nan)),))
    assert diff(nan, again(nan)) == []
    assert close(math.inf, math.inf)
    assert not close(math.inf, -math.inf)
    assert not close(math.inf, 1e308)
    assert not close(-1.7e308, 1.7e308)


@pytest.mark.parametrize(("off", "equal"), [(0.9e-12, True), (2.1e-12, False)])
def test_numbers_are_compared_to_1e_12(off: float, equal: bool) -> None:
    for value in (0.0, 1.0, 1e6):
        a = Robot(name="r", links=(Link(name="L", inertial=Inertial(mass=value)),))
        b = Robot(name="r", links=(Link(name="L", inertial=Inertial(mass=value + off * (1 + value))),))
        assert (diff(a, b) == []) == equal
    many = Mesh(vertices=np.full(66, 1.0), faces=())
    other = replace(many, vertices=np.array([*[1.0] * 65, 1.0 + off * 2]))
    a, b = (Robot(name="r", links=(Link(name="L", visuals=(Shape(geometry=g),)),)) for g in (many, other))
    assert (diff(a, b) == []) == equal


_angle = st.floats(-math.pi, math.pi)


@given(_angle, _angle, _angle, st.sampled_from([(1.0, 0.0, 0.0), (0.6, 0.0, 0.8), (0.48, -0.6, 0.64)]))
def test_rotations_are_compared_by_angle(
    r: float, p: float, y: float, axis: tuple[float, float, float]
) -> None:
    pose = Pose(quat=from_rpy(r, p, y))
    w, a, b, c = pose.quat
    assert same_rotation(pose.quat, (-w, -a, -b, -c))
    for angle, equal in ((5e-13, True), (1e-11, False), (1.0, False)):
        turn = from_axis_angle(axis, angle)
        assert turn is not None
        turned = (pose @ Pose(quat=turn)).quat
        assert same_rotation(pose.quat, turned) == equal
        assert same_rotation(turned, pose.quat) == equal
        assert same_rotation(pose.quat, (-turned[0], -turned[1], -turned[2], -turned[3])) == equal


def test_quaternions_that_are_none_are_compared_as_numbers() -> None:
    assert same_rotation((0.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 0.0))
    assert not same_rotation((0.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    assert same_rotation((math.nan, 0.0, 0.0, 0.0), (math.nan, 0.0, 0.0, 0.0))
    assert not same_rotation((2.0, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))
    assert same_rotation((1e200, 1e200, 0.0, 0.0), (-1e200, -1e200, 0.0, 0.0))
    assert not same_rotation((math.inf, 0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0))


def test_the_order_of_a_pair_says_nothing() -> None:
    a = Robot(name="r", self_collision=SelfCollision(disabled=(("a", "b"), ("c", "d"))))
    b = Robot(name="r", self_collision=SelfCollision(disabled=(("d", "c"), ("b", "a"))))
    assert diff(a, b) == []
    c = Robot(name="r", self_collision=SelfCollision(disabled=(("d", "c"), ("b", "c"))))
    assert lines(diff(a, c)) == [
        "self_collision/disabled/a/b: removed true",
        "self_collision/disabled/b/c: added true",
    ]


# mesh and texture files


def mesh_robot(uri: str, path: Path | str = "") -> Robot:
    texture = Material(texture=Texture(uri=uri, path=str(path)))
    shape = Shape(geometry=MeshFile(uri=uri, path=str(path)), material=texture)
    return Robot(name="r", links=(Link(name="L", visuals=(shape,)),))


def test_mesh_files_are_compared_by_content(tmp_path: Path) -> None:
    one, copy, other = tmp_path / "one.stl", tmp_path / "copy.stl", tmp_path / "sub"
    other.mkdir()
    other = other / "one.stl"
    one.write_bytes(b"solid a")
    copy.write_bytes(b"solid a")
    other.write_bytes(b"solid b")
    assert diff(mesh_robot("package://x/one.stl", one), mesh_robot("y/copy.stl", copy)) == []
    found = diff(mesh_robot("one.stl", one), mesh_robot("one.stl", other))
    assert [d.path for d in found] == [
        "links/L/visuals/0/geometry/uri",
        "links/L/visuals/0/material/texture/uri",
    ]
    assert str(found[0].before).startswith("one.stl (content ")
    assert found[0].before != found[0].after


def test_missing_files_are_compared_by_their_last_part(tmp_path: Path) -> None:
    here = tmp_path / "one.stl"
    here.write_bytes(b"solid a")
    for path in ("", tmp_path / "gone.stl", tmp_path, "bad\0path"):
        assert diff(mesh_robot("package://x/one.stl", here), mesh_robot("y\\one.stl", path)) == []
        assert len(diff(mesh_robot("package://x/one.stl", here), mesh_robot("y/two.stl", path))) == 2


def test_digests_may_come_from_elsewhere_and_are_asked_for_once() -> None:
    asked = []

    def digest(path: str) -> str:
        asked.append(path)
        return path[0]

    assert diff(mesh_robot("a.stl", "1a"), mesh_robot("b.stl", "1b"), digest) == []
    assert sorted(asked) == ["1a", "1b"]
    assert len(diff(mesh_robot("a.stl", "1a"), mesh_robot("a.stl", "2b"), digest)) == 2


# texts


def test_differences_read_well() -> None:
    joint = Joint(
        name="J", kind="revolute", parent="a", child="b", limits=Limits(position=(-math.pi / 6, 1.0))
    )
    slide = replace(joint, kind="prismatic", limits=Limits(position=(0.0, 0.5)))
    a = Robot(
        name="r",
        joints=(joint, replace(slide, name="S")),
        configurations=(Configuration(name="c", positions=(("J", 0.0), ("S", 0.1))),),
    )
    b = replace(
        a,
        joints=(
            replace(
                joint,
                limits=Limits(position=(-math.pi / 3, 1.0)),
                initial=math.pi / 2,
                origin=Pose(quat=from_rpy(0.0, math.pi / 2, 0.0)),
            ),
            replace(slide, name="S", limits=Limits(position=(0.0, 0.75), velocity=(-1.0, 1.0)), number=3),
        ),
        couplings=(Coupling(joint="J", leader="S"),),
        configurations=(Configuration(name="c", positions=(("J", math.pi), ("S", 0.2))),),
        base="fixed",
    )
    assert lines(diff(a, b)) == [
        "joints/J/origin/quat: changed roll 0, pitch 0, yaw 0 deg → roll 0, pitch 90, yaw 0 deg",
        "joints/J/limits/position: changed (-30, 57.29577951308232) deg → (-60, 57.29577951308232) deg",
        "joints/J/initial: changed 0 deg → 90 deg",
        "joints/S/limits/position: changed (0, 0.5) → (0, 0.75)",
        "joints/S/limits/velocity: changed (-inf, inf) → (-1, 1)",
        "joints/S/number: added 3",
        "couplings/J: added mimic joint",
        "configurations/c/positions/J: changed 0 deg → 180 deg",
        "configurations/c/positions/S: changed 0.1 → 0.2",
        "base: added 'fixed'",
    ]


def test_long_values_are_told_in_short() -> None:
    mesh = Mesh(vertices=np.zeros(90), faces=np.arange(70))
    other = replace(mesh, vertices=np.array([*[0.0] * 89, 0.25]), faces=np.arange(71), colors=np.ones(12))
    a, b = (Robot(name="r", links=(Link(name="L", visuals=(Shape(geometry=g),)),)) for g in (mesh, other))
    assert lines(diff(a, b)) == [
        "links/L/visuals/0/geometry/vertices: changed 1 of 90 numbers, by up to 0.25",
        "links/L/visuals/0/geometry/faces: changed "
        "(0, 1, 2, 3, 4, 5, 6, 7, … 70 in all) → (0, 1, 2, 3, 4, 5, 6, 7, … 71 in all)",
        "links/L/visuals/0/geometry/colors: added (1, 1, 1, 1, 1, 1, 1, 1, … 12 in all)",
    ]
    long = Robot(name="x" * 500 + "\n")
    assert all(len(str(d)) < 200 for d in diff(Robot(name="r"), long))


def test_differences_as_data() -> None:
    found = diff(Robot(name="a", frames=(Frame(name="f", link="l"),)), Robot(name="b"))
    assert [d.json() for d in found] == [
        {"path": "name", "kind": "changed", "before": "a", "after": "b"},
        {"path": "frames/f", "kind": "removed", "before": {"name": "f", "link": "l"}, "after": None},
    ]
    node = Extra(format="x", node=Node("t", [("a", Word("1"), 0)]))
    assert to_json(Robot(name="r", extras=(node,)))["extras"][0] == {
        "format": "x",
        "node": {"tag": "t", "items": [["a", "1"]]},
    }


@given(st.integers(-360_000, 360_000))
def test_an_angle_in_thousandths_of_a_degree_comes_back(thousandths: int) -> None:
    degrees = thousandths / 1000
    for radians in (math.radians(degrees), degrees * math.pi / 180.0, degrees / 180.0 * math.pi):
        assert float(angle_text(radians)) == degrees


@given(st.floats(-10.0, 10.0))
def test_an_angle_reads_back_nearly_exactly(radians: float) -> None:
    assert abs(math.radians(float(angle_text(radians))) - radians) <= 4 * math.ulp(radians)
