"""A scene as one robot: names, references, coordinates and pairs stay right."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unibody as ub
from unibody.model.facts import diff
from unibody.model.json import dumps, loads
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Link, Robot, SelfCollision
from unibody.model.scene import Scene, merged
from unibody.model.shape import Box, Shape
from unibody.text.finding import Findings

ROBOTS = Path(__file__).parents[1] / "robots"
BODY = (Shape(geometry=Box(size=(1.0, 1.0, 1.0))),)


def small(name: str) -> Robot:
    robot = loads((ROBOTS / f"{name}.json").read_text("utf-8"), name, Findings())
    assert robot is not None
    return robot


def chain(name: str, *links: str, **more: Any) -> Robot:
    joints = tuple(Joint(name=b, kind="revolute", parent=a, child=b) for a, b in pairwise(links))
    made = tuple(Link(name=n, collisions=BODY) for n in links)
    return Robot(name=name, links=made, joints=joints, **more)


@pytest.mark.parametrize("name", ["mpk", "kitchen_sink", "closed_loop", "mimic", "sensors"])
def test_two_of_one_kind_hold_everything_twice(name: str) -> None:
    robot = small(name)
    pair = (replace(robot, name="a"), replace(robot, name="b"))
    found = merged(Scene(name="both", robots=pair))
    assert len(found.links) == 1 + 2 * len(robot.links)
    assert len(found.joints) == 2 + 2 * len(robot.joints)
    for kind in ("loops", "couplings", "devices", "frames", "groups", "configurations", "extras"):
        assert len(getattr(found, kind)) == 2 * len(getattr(robot, kind)), kind
    # every reference is to a thing that exists: the text is read back without a finding
    findings = Findings()
    again = loads(dumps(found), "both.json", findings)
    assert not findings
    assert again is not None
    assert not diff(found, again)
    owners = {e.owner for e in robot.extras if e.owner}
    assert {e.owner for e in found.extras if e.owner} == {
        owner.replace("/", f"/{n}:", 1) for owner in owners for n in "ab"
    }


def test_robots_stand_where_they_stood() -> None:
    one = small("mpk")
    two = replace(one, name="other", pose=Pose((0.0, 3.0, 0.0)))
    found = ub.assemble(merged(Scene(name="both", robots=(one, two))))
    alone = [ub.assemble(one), ub.assemble(two)]
    t = np.random.default_rng(6).random(8)
    space = found.normalized_space
    assert space.n == 8
    poses = found.forward_kinematics(space.to_joints(t))
    for robot, own, part in zip((one, two), alone, (t[:4], t[4:]), strict=True):
        expected = own.forward_kinematics(own.normalized_space.to_joints(part))
        for name, pose in zip(own.link_names, expected, strict=True):
            at = found.link_names.index(f"{robot.name}:{name}")
            np.testing.assert_allclose(poses[at], pose, atol=1e-14)


def test_names_that_do_not_clash_stay() -> None:
    scene = Scene(name="s", robots=(chain("a", "base", "hand"), chain("b", "base", "claw")))
    found = merged(scene)
    assert [link.name for link in found.links] == ["world", "a:base", "hand", "b:base", "claw"]
    assert [(j.name, j.parent, j.child) for j in found.joints] == [
        ("a", "world", "a:base"),
        ("hand", "a:base", "hand"),
        ("b", "world", "b:base"),
        ("claw", "b:base", "claw"),
    ]


def test_names_of_the_scene_itself_get_out_of_the_way() -> None:
    found = merged(Scene(name="s", robots=(chain("world", "world", "x"), chain("x", "y", "z"))))
    assert [link.name for link in found.links] == ["world_2", "world", "x", "y", "z"]
    assert [j.name for j in found.joints] == ["world", "x", "x_2", "z"]
    assert found.root == "world_2"


def test_pairs_between_robots_and_obstacles() -> None:
    arm = chain("arm", "a", "b", self_collision=SelfCollision(default="none"))
    other = chain("other", "c", "d", "e")  # what no joint joins, as most formats have it
    table, wall = chain("table", "t"), chain("wall", "w")
    bare = Robot(name="bare", links=(Link(name="n"),))
    found = merged(Scene(name="s", robots=(table, arm, bare, other, wall))).self_collision
    assert found.default == "none"
    pairs = {frozenset(p) for p in found.enabled}
    assert len(pairs) == len(found.enabled)
    expected = {"ce", "ta", "tb", "tc", "td", "te", "ac", "ad", "ae", "bc", "bd", "be"}
    expected |= {"aw", "bw", "cw", "dw", "ew"}
    assert pairs == {frozenset(p) for p in expected}


def test_what_a_robot_says_of_its_own_pairs_holds() -> None:
    said = SelfCollision(default="all", disabled=(("b", "a"),))
    assert merged(
        Scene(name="s", robots=(chain("r", "a", "b", "c", self_collision=said),))
    ).self_collision == (SelfCollision(default="none", enabled=(("a", "c"), ("b", "c"))))
    said = SelfCollision(default="not_adjacent", enabled=(("b", "a"),), disabled=(("a", "c"),))
    found = merged(Scene(name="s", robots=(chain("r", "a", "b", "c", self_collision=said),))).self_collision
    assert found.enabled == (("a", "b"),)


def test_a_free_robot_stays_free() -> None:
    found = merged(Scene(name="s", robots=(chain("r", "a", "b", base="free", pose=Pose((1.0, 0.0, 0.0))),)))
    assert found.joints[0].kind == "free"
    assert found.base == "fixed"
    assert ub.assemble(found).nq == 8


def test_links_that_form_no_tree_are_merged_as_they_are() -> None:
    lost = Joint(name="bob", kind="revolute", parent="stand", child="bob")
    broken = Robot(name="broken", links=(Link(name="bob"),), joints=(lost,))
    made = merged(Scene(name="two", robots=(broken, Robot(name="empty"))))
    assert [(joint.parent, joint.child) for joint in made.joints] == [("world", "bob"), ("stand", "bob")]
