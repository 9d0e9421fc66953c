"""Worlds: static models stand in the way of the others, and a state is a configuration."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import unibody as ub
from unibody.cli.main import main

ARM = """<model name="arm">
  <link name="base"><collision name="c">
    <geometry><box><size>0.1 0.1 0.1</size></box></geometry></collision></link>
  <joint name="fix" type="fixed"><parent>world</parent><child>base</child></joint>
  <link name="a"><pose>0 0 0.2 0 0 0</pose><collision name="c"><pose>0.5 0 0 0 0 0</pose>
    <geometry><box><size>1 0.05 0.05</size></box></geometry></collision></link>
  <joint name="j" type="revolute"><parent>base</parent><child>a</child>
    <axis><xyz>0 0 1</xyz><limit><lower>-1.5</lower><upper>1.5</upper></limit></axis></joint>
</model>"""
WALL = """<model name="wall"><static>true</static><pose>0.6 0.6 0 0 0 0</pose>
  <link name="slab"><collision name="c">
    <geometry><box><size>0.1 0.1 2</size></box></geometry></collision></link>
  <link name="top"><pose>0 0 0.9 0 0 0</pose>
    <collision name="c"><geometry><box><size>0.2 0.2 0.4</size></box></geometry></collision></link>
</model>"""
STATE = """<state world_name="w"><model name="arm">
  <joint name="j"><angle axis="0">0.3</angle></joint></model></state>"""


@pytest.fixture
def world(tmp_path: Path) -> Path:
    other = WALL.replace('name="wall"', 'name="wall_2"')
    text = f'<sdf version="1.11"><world name="w">{ARM}{WALL}{other}{STATE}</world></sdf>'
    (tmp_path / "w.sdf").write_text(text)
    return tmp_path / "w.sdf"


def test_parts_of_what_stands_still_are_no_pairs(world: Path) -> None:
    robot = ub.read(world).robot
    assert robot is not None
    tested = {frozenset(pair) for pair in robot.self_collision.enabled}
    assert tested == {frozenset(("a", "world"))}
    names = ["wall::slab::c", "wall::top::c", "wall_2::slab::c", "wall_2::top::c"]
    assert [shape.name for shape in robot.link("world").collisions] == names
    assert robot.link("world").collisions[1].pose.xyz == (0.6, 0.6, 0.9)


def test_two_robots_are_a_scene_with_obstacles(tmp_path: Path) -> None:
    other = ARM.replace('name="arm"', 'name="arm_2"')
    (tmp_path / "w.sdf").write_text(f'<sdf version="1.11"><world name="w">{ARM}{WALL}{other}</world></sdf>')
    scene = ub.read(tmp_path / "w.sdf").scene
    assert scene is not None
    assert [(x.name, x.base) for x in scene.robots] == [
        ("arm", "fixed"),
        ("wall", "fixed"),
        ("arm_2", "fixed"),
    ]


def test_a_state_is_a_configuration(world: Path) -> None:
    robot = ub.read(world).robot
    assert robot is not None
    assert [(x.name, x.positions) for x in robot.configurations] == [("state", (("j", 0.3),))]


def test_a_way_through_a_wall_is_refuted(world: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("coal")
    path = world.parent / "way.csv"
    for end, hit in (("1.4", True), ("0.2", False)):
        path.write_text(f"j\n-0.5\n{end}\n")
        assert main(["check-path", str(world), str(path)]) == int(hit)
        assert ("a touches world" in capsys.readouterr().out) == hit
    assert main(["plan", str(world), "--start", "state", "--goal", "j=1.4", "--time-limit", "0.2"]) == 1
    assert main(["plan", str(world), "--start", "state", "--goal", "j=-1"]) == 0
    assert "every line is proved free" in capsys.readouterr().out


def test_other_commands_take_a_world(world: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ik", str(world), "a", "--rpy", "0,0,30"]) == 0
    assert main(["simulate", str(world), "--seconds", "0.01"]) == 0
    assert main(["fmt", str(world)]) == 0
    capsys.readouterr()
    both = ub.attach(ub.load(world), ub.loads(f'<sdf version="1.11">{ARM}</sdf>'), on="a", prefix="x_")
    assert both.joint("x_j").kind == "revolute"


def test_the_state_of_a_model_is_a_configuration(tmp_path: Path) -> None:
    ends = "<parent>a</parent><child>b</child>"
    joint = f'<joint name="j" type="revolute">{ends}<axis><xyz>0 0 1</xyz></axis></joint>'
    links = '<link name="a"/><link name="b"><pose>1 0 0 0 0 0</pose></link>'

    def state(angle: str) -> str:
        position = f"<axis_state><position degrees='true'>{angle}</position></axis_state>"
        return f'<model_state name="x"><joint_state name="j">{position}</joint_state></model_state>'

    inner = f'<model name="in"><pose>5 0 0 0 0 0</pose>{links}{joint}{state("90")}</model>'
    fixed = '<joint name="f" type="fixed"><parent>b</parent><child>in::a</child></joint>'
    model = f'<model name="m">{links}{joint}{inner}{fixed}{state("180")}</model>'
    for text in (model, f'<world name="w">{model}</world>'):
        path = tmp_path / "m.sdf"
        path.write_text(f'<sdf version="1.12">{text}</sdf>')
        robot = ub.load(path)
        (found,) = robot.configurations
        assert found.name == "model_state"
        assert dict(found.positions) == {"j": math.pi, "in::j": math.pi / 2.0}
        ub.save(robot, tmp_path / "out.sdf", plain=True, overwrite=True)
        (kept,) = ub.load(tmp_path / "out.sdf").configurations
        assert ("j", math.pi) in kept.positions


@pytest.mark.parametrize("inside", ["", "<inertial><mass>2</mass></inertial>"])
def test_a_static_model_without_shapes_stays_static(inside: str, tmp_path: Path) -> None:
    model = f'<model name="m"><static>true</static><link name="l">{inside}</link></model>'
    robot = ub.loads(f'<sdf version="1.11"><world name="w">{ARM}{model}</world></sdf>')
    ub.save(robot, tmp_path / "w.sdf", plain=True)
    again = ub.read(tmp_path / "w.sdf")
    assert again.scene is None
    assert again.robot is not None
    assert [d for d in ub.diff(robot, again.robot) if not d.path.endswith("/name")] == []
