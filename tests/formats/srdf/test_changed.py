"""Robots that were changed after they were read: what their SRDF says then, element by element."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import unibody as ub
from unibody.formats.srdf.reasons import reasons_of, with_reasons
from unibody.model import collision
from unibody.model.robot import Actuator, Configuration, Group, SelfCollision

SINK = Path(__file__).with_name("kitchen_sink.srdf")


@pytest.fixture(scope="module")
def crane() -> ub.Robot:
    return ub.load(SINK)


def written(robot: ub.Robot, tag: str, folder: Path) -> list[dict[str, str]]:
    """The attributes of the elements of a tag, as they are written."""
    ub.save(robot, folder / "crane.srdf")
    return [dict(x.attrib) for x in ElementTree.parse(folder / "crane.srdf").iter(tag)]


@pytest.mark.parametrize(("base", "type"), [("fixed", "fixed"), ("free", "floating")])
def test_the_base_is_that_of_the_virtual_joint(
    crane: ub.Robot, base: str, type: str, tmp_path: Path
) -> None:
    (joint,) = written(replace(crane, base=base), "virtual_joint", tmp_path)  # type: ignore[arg-type]
    assert joint == {"name": "floor", "type": type, "parent_frame": "yard", "child_link": "base"}


def test_a_base_that_is_open_has_no_virtual_joint(crane: ub.Robot, tmp_path: Path) -> None:
    assert crane.base == "free"
    assert written(replace(crane, base=None), "virtual_joint", tmp_path) == []


def with_actuator(robot: ub.Robot, name: str, **values: Any) -> ub.Robot:
    joints = (
        replace(j, actuator=replace(j.actuator, **values)) if j.name == name else j for j in robot.joints
    )
    return replace(robot, joints=tuple(joints))


def test_rotors_are_those_of_the_model(crane: ub.Robot, tmp_path: Path) -> None:
    assert crane.joint("lift").actuator == Actuator(
        gear_ratio=120.0, rotor_inertia=0.0625, mode=crane.joint("lift").actuator.mode
    )

    def rotors(robot: ub.Robot) -> list[dict[str, str]]:
        ub.save(robot, tmp_path / "crane.srdf", overwrite=True)
        root = ElementTree.parse(tmp_path / "crane.srdf")
        return [dict(x.attrib) for x in root.findall("rotor_params/joint")]

    assert rotors(crane) == [{"name": "lift", "mass": "0.0625", "gear_ratio": "120"}]
    changed = with_actuator(crane, "lift", gear_ratio=80.0)
    assert rotors(changed) == [{"name": "lift", "mass": "0.0625", "gear_ratio": "80"}]
    more = with_actuator(crane, "winch", rotor_inertia=0.5, gear_ratio=-3.0)
    assert rotors(more)[1:] == [{"name": "winch", "mass": "0.5", "gear_ratio": "-3"}]


def pairs(robot: ub.Robot, folder: Path) -> dict[str, list[tuple[str, ...]]]:
    """The pairs and links that the elements about collisions name."""
    names = ("disable_default_collisions", "enable_collisions", "disable_collisions")
    found = {tag: written(robot, tag, folder / tag) for tag in names}
    return {
        tag: [tuple(v for k, v in x.items() if k.startswith("link")) for x in rows]
        for tag, rows in found.items()
    }


def test_pairs_as_they_were_read(crane: ub.Robot, tmp_path: Path) -> None:
    rules = crane.self_collision
    assert rules.default == "all"
    assert {frozenset(pair) for pair in rules.disabled} == {
        frozenset(pair) for pair in (("hook", "column"), ("hook", "jib"), ("base", "column"))
    }
    assert pairs(crane, tmp_path) == {
        "disable_default_collisions": [("hook",)],
        "enable_collisions": [("hook", "base")],
        "disable_collisions": [("base", "column")],
    }


def test_a_default_that_no_longer_holds_is_written_as_pairs(crane: ub.Robot, tmp_path: Path) -> None:
    rules = SelfCollision(default="all", disabled=(("hook", "jib"), ("base", "jib")))
    found = pairs(replace(crane, self_collision=rules), tmp_path)
    assert found["disable_default_collisions"] == []
    assert found["disable_collisions"] == [("hook", "jib"), ("base", "jib")]


def test_a_robot_that_tests_nothing_but_some_pairs(crane: ub.Robot, tmp_path: Path) -> None:
    rules = SelfCollision(default="none", enabled=(("base", "hook"), ("column", "hook")))
    found = pairs(replace(crane, self_collision=rules), tmp_path)
    assert sorted(found["disable_default_collisions"]) == [("base",), ("column",), ("hook",), ("jib",)]
    assert sorted(map(sorted, found["enable_collisions"])) == [["base", "hook"], ["column", "hook"]]
    ub.save(replace(crane, self_collision=rules), tmp_path / "crane.urdf")
    tested = {frozenset(pair) for pair in collision.tested_pairs(ub.load(tmp_path / "crane.urdf"))}
    assert tested == {frozenset(("base", "hook")), frozenset(("column", "hook"))}


def test_groups_inside_of_groups_become_subgroups(crane: ub.Robot, tmp_path: Path) -> None:
    inner = Group(name="end", members=("hook",))
    robot = replace(crane, groups=(Group(name="end", members=("jib", inner)),), configurations=())
    ub.save(robot, tmp_path / "crane.srdf")
    groups = ElementTree.parse(tmp_path / "crane.srdf").findall("group")
    assert [g.get("name") for g in groups] == ["end", "end_2"]
    assert [(x.tag, x.get("name")) for x in groups[0]] == [("link", "jib"), ("group", "end_2")]
    assert [(x.tag, x.get("name")) for x in groups[1]] == [("link", "hook")]


def test_a_posture_of_the_whole_robot_belongs_to_a_group_of_all_joints(
    crane: ub.Robot, tmp_path: Path
) -> None:
    home = Configuration(name="home", positions=(("turn", 0.25), ("lift", 0.5), ("winch", 1.5)))
    robot = replace(crane, configurations=(home,))
    ub.save(robot, tmp_path / "crane.srdf")
    root = ElementTree.parse(tmp_path / "crane.srdf").getroot()
    (state,) = root.findall("group_state")
    assert {x.get("name"): x.get("value") for x in state} == {"turn": "0.25", "lift": "0.5", "winch": "1.5"}
    (group,) = [g for g in root.findall("group") if g.get("name") == state.get("group")]
    assert [x.get("name") for x in group] == ["turn", "lift", "winch"]


def test_reasons_of_pairs(crane: ub.Robot) -> None:
    found = reasons_of(crane)
    assert found[frozenset(("base", "column"))] == "Adjacent"
    assert frozenset(("hook", "base")) not in found
    rules = SelfCollision(default="all", disabled=(("base", "hook"), ("column", "jib")))
    changed = with_reasons(crane, rules, {("base", "hook"): "Never"})
    assert changed.self_collision == rules
    assert reasons_of(changed) == {
        frozenset(("base", "hook")): "Never",
        frozenset(("column", "jib")): "Adjacent",
    }
    kept = [item[0] for extra in changed.extras for item in extra.node.items]
    assert "enable_collisions" not in kept
    assert kept.count("disable_collisions") == 1
    assert "virtual_joint" in kept
