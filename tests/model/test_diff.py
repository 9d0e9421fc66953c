from __future__ import annotations

import math
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.model.changes import changes
from tests.model.strategies import NAMES, robot_of, robots

from unibody.model.facts import Difference, angle_text, diff, facts
from unibody.model.inertia import Inertial
from unibody.model.native import dumps, loads, to_json
from unibody.model.parts import part
from unibody.model.pose import Pose, from_axis_angle, from_rpy
from unibody.model.robot import (
    Configuration,
    Coupling,
    Dynamics,
    Extra,
    Frame,
    Joint,
    Limits,
    Link,
    Robot,
    SelfCollision,
)
from unibody.model.same import close, same_rotation
from unibody.model.shape import Box, Material, Mesh, MeshFile, Shape, Sphere, Texture
from unibody.text.finding import Findings
from unibody.text.node import Node, Word

SINK = robot_of("kitchen_sink")
CHANGES = list(changes(SINK))


def again(robot: Robot) -> Robot:
    """The same robot with no object in common."""
    back = loads(dumps(robot), "again.json", Findings())
    assert back is not None
    return back


def lines(differences: list[Difference]) -> list[str]:
    return [str(d) for d in differences]


def boxes(*sizes: float) -> tuple[Shape, ...]:
    return tuple(Shape(geometry=Box(size=(s, 1.0, 2.0)), pose=Pose((0.0, s, 0.0))) for s in sizes)


def with_shapes(*sizes: float) -> Robot:
    return Robot(name="r", links=(Link(name="L", visuals=boxes(*sizes)),))


# equality


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(robots)
def test_nothing_differs_from_itself(robot: Robot) -> None:
    assert diff(robot, robot) == []
    assert diff(robot, again(robot)) == []
    assert facts(robot) == facts(again(robot))


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
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


# renames, order, best match


def renamed_everywhere(robot: Robot, old: str, new: str) -> Robot:
    text = dumps(robot).replace(f'"{old}"', f'"{new}"').replace(f'/{old}"', f'/{part(new)}"')
    back = loads(text, "renamed.json", Findings())
    assert back is not None
    return back


@pytest.mark.parametrize(
    ("path", "new"),
    [
        ("links/WAIST", "PELVIS"),
        ("links/TOOL MOUNT", "FLANGE"),
        ("joints/CHEST_PITCH", "TORSO/JOINT"),
        ("joints/SLIDE", "SLIDE_2"),
        ("devices/CAMERA", "CAM"),
        ("frames/TIP", "POINT"),
        ("loops/WELD", "WELDED"),
        ("configurations/READY", "SET"),
        ("groups/LOWER", "LEGS"),
    ],
)
def test_a_renamed_item_is_one_difference(path: str, new: str) -> None:
    other = renamed_everywhere(SINK, path.partition("/")[2], new)
    assert lines(diff(SINK, other)) == [f"{path}: renamed to {new}"]


def prefixed(robot: Robot) -> Robot:
    names = [item.name for items in (robot.links, robot.joints, robot.devices) for item in items]
    for name in names:
        robot = renamed_everywhere(robot, name, f"r1_{name}")
    return robot


def test_a_prefix_on_every_name_is_only_renames() -> None:
    found = diff(SINK, prefixed(SINK))
    assert {d.kind for d in found} == {"renamed"}
    assert len(found) == len(SINK.links) + len(SINK.joints) + len(SINK.devices)
    assert all(d.after == f"r1_{d.before}" for d in found)


def test_bare_links_are_told_apart_by_their_joints() -> None:
    names = ["a", "b", "c", "d"]
    links = tuple(Link(name=n) for n in ("root", *names))
    joints = tuple(Joint(name=f"j{n}", kind="fixed", parent="root", child=n) for n in names)
    old = Robot(name="r", links=links, joints=joints)
    other_links = tuple(Link(name=n) for n in ("root", "D", "C", "B", "A"))
    new = Robot(
        name="r", links=other_links, joints=tuple(replace(j, child=j.child.upper()) for j in joints)
    )
    found = diff(old, new)
    assert sorted(str(d) for d in found if d.kind == "renamed") == [
        f"links/{n}: renamed to {n.upper()}" for n in names
    ]
    assert lines([d for d in found if d.kind != "renamed"]) == [
        "links: moved ('A', 'B', 'C', 'D') → ('D', 'C', 'B', 'A')"
    ]


def test_a_new_name_with_new_content_is_another_item() -> None:
    a = Robot(name="r", links=(Link(name="a", inertial=Inertial(mass=1.0)), Link(name="k")))
    b = Robot(name="r", links=(Link(name="b", inertial=Inertial(mass=2.0)), Link(name="k")))
    assert lines(diff(a, b)) == ["links/a: removed Link", "links/b: added Link"]


def test_one_of_two_alike_is_renamed_and_the_other_removed() -> None:
    a = Robot(name="r", devices=SINK.devices[:1], links=(Link(name="x"), Link(name="y")))
    b = Robot(name="r", devices=SINK.devices[:1], links=(Link(name="z"),))
    assert lines(diff(a, b)) == ["links/x: renamed to z", "links/y: removed Link"]


def test_references_to_a_renamed_item_still_count() -> None:
    other = replace(
        SINK, links=tuple(replace(x, name="PELVIS") if x.name == "WAIST" else x for x in SINK.links)
    )
    found = diff(SINK, other)
    assert str(found[0]) == "links/WAIST: renamed to PELVIS"
    assert "joints/CHEST_PITCH/parent: changed 'PELVIS' → 'WAIST'" in lines(found)


def test_another_order_is_one_difference() -> None:
    links = SINK.links
    assert lines(diff(SINK, replace(SINK, links=(*links[1:3], links[0], *links[3:])))) == [
        "links: moved ('WAIST', 'CHEST', 'HEAD') → ('CHEST', 'HEAD', 'WAIST')"
    ]
    found = diff(SINK, replace(SINK, links=links[::-1], joints=SINK.joints[::-1], extras=SINK.extras[::-1]))
    assert [(d.path, d.kind) for d in found] == [
        ("links", "moved"),
        ("joints", "moved"),
        ("extras", "moved"),
    ]


def test_shapes_are_matched_by_what_they_are() -> None:
    one = with_shapes(1, 2, 3, 4)
    assert lines(diff(one, with_shapes(2, 3, 4))) == ["links/L/visuals/0: removed Shape"]
    assert lines(diff(one, with_shapes(1, 2, 9, 3, 4))) == ["links/L/visuals/2: added Shape"]
    assert lines(diff(one, with_shapes(3, 1, 2, 4))) == [
        "links/L/visuals: moved ('0', '1', '2') → ('1', '2', '0')"
    ] or [d.kind for d in diff(one, with_shapes(3, 1, 2, 4))] == ["moved"]
    assert lines(diff(with_shapes(), one)) == [f"links/L/visuals/{i}: added Shape" for i in range(4)]
    assert diff(with_shapes(1, 1, 1), with_shapes(1, 1, 1)) == []
    assert lines(diff(with_shapes(1, 1, 1), with_shapes(1, 1))) == ["links/L/visuals/2: removed Shape"]


def test_a_changed_shape_is_matched_by_most_equal_facts() -> None:
    one, two, three = boxes(1, 2, 3)
    changed = replace(two, geometry=Sphere(radius=1.0), name="ball")
    a = Robot(name="r", links=(Link(name="L", visuals=(one, two, three)),))
    b = Robot(name="r", links=(Link(name="L", visuals=(changed, one, three)),))
    assert lines(diff(a, b)) == [
        "links/L/visuals/1/geometry: changed Box → Sphere",
        "links/L/visuals/1/name: added 'ball'",
        "links/L/visuals: moved ('1', '0') → ('0', '1')",
    ]


def test_many_changed_shapes_are_compared_in_good_time() -> None:
    start = time.process_time()
    sizes = [float(i) for i in range(3000)]
    found = diff(with_shapes(*sizes), with_shapes(*[s + 0.5 for s in sizes]))
    assert len(found) == 6000
    assert time.process_time() - start < 10.0


def test_leftovers_of_two_formats_are_never_one_that_changed() -> None:
    a = Robot(name="r", extras=(Extra(format="body", owner="links/a"),))
    b = Robot(name="r", extras=(Extra(format="urdf", owner="links/a"),))
    assert lines(diff(a, b)) == ["extras/0: removed Extra", "extras/0: added Extra"]


def test_two_thousand_links_compare_in_good_time() -> None:
    links = tuple(
        Link(name=f"l{i}", inertial=Inertial(mass=float(i)), visuals=boxes(i)) for i in range(2000)
    )
    joints = tuple(
        Joint(
            name=f"j{i}",
            kind="revolute",
            parent=f"l{i}",
            child=f"l{i + 1}",
            dynamics=Dynamics(damping=i / 7),
        )
        for i in range(1999)
    )
    robot = Robot(name="r", links=links, joints=joints)
    other = Robot(
        name="r",
        links=tuple(replace(x, name=f"p_{x.name}") for x in links),
        joints=tuple(
            replace(j, name=f"p_{j.name}", parent=f"p_{j.parent}", child=f"p_{j.child}") for j in joints
        ),
    )
    start = time.process_time()
    assert diff(robot, again(robot)) == []
    assert Counter(d.kind for d in diff(robot, other)) == {"renamed": 3999}
    assert time.process_time() - start < 6.0


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
        "couplings/J: added Coupling",
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
