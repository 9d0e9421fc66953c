"""Nested models are written as such: their names, where they are, and what is in them."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.sdf import libsdformat
from tests.sdf.truth import Comparison, reading

import unibody as ub
from unibody.model.pose import Pose
from unibody.model.robot import Coupling, Frame, Joint, Link, Loop, Robot
from unibody.model.scene import Scene

AXIS = "<axis><xyz>0 1 0</xyz></axis>"
HAND = f"""
<model name="hand" canonical_link="finger" placement_frame="grip">
  <pose relative_to="wrist">0 0 0.1 0 0 0.5</pose>
  <link name="palm"/>
  <link name="finger"><pose>0.1 0 0 0.3 0 0</pose></link>
  <joint name="knuckle" type="revolute"><parent>palm</parent><child>finger</child>{AXIS}</joint>
  <frame name="grip" attached_to="palm"><pose>0 0 -0.2 0 0.1 0</pose></frame>
  <model name="tool"><pose>0 0 1 0 0 0</pose><link name="bit"><pose>0 0.2 0 0 0 0</pose></link></model>
  <joint name="clamp" type="fixed"><parent>finger</parent><child>tool::bit</child></joint>
  <plugin name="grasp" filename="g.so"/>
</model>"""
ARM = f"""
<model name="arm">
  <pose>1 2 3 0 0 0</pose>
  <link name="base"><pose>0 0 0.5 0 0 0</pose></link>
  <joint name="wrist" type="revolute">
    <pose relative_to="base">0 0.3 0 0 0 0</pose><parent>base</parent><child>hand::palm</child>{AXIS}
  </joint>
  {HAND}
</model>"""


def again(robot: Robot, path: Path, **options: Any) -> Robot:
    """A robot that was written and read again."""
    ub.save(robot, path, plain=True, **options)
    return ub.load(path)


def models(path: Path) -> dict[str, ET.Element]:
    return {x.get("name", ""): x for x in ET.parse(path).getroot().iter("model")}


def test_nested_models_stay_nested(tmp_path: Path) -> None:
    robot = ub.loads(f'<sdf version="1.11">{ARM}</sdf>')
    path = tmp_path / "m.sdf"
    report = ub.save(robot, path, plain=True)
    assert report.losses == ()
    assert ub.diff(robot, ub.load(path)) == []
    found = models(path)
    assert {name: [x.get("name") for x in m.findall("link")] for name, m in found.items()} == {
        "arm": ["base"],
        "hand": ["palm", "finger"],
        "tool": ["bit"],
    }
    assert found["hand"].get("canonical_link") == "finger"
    assert found["hand"].find("plugin") is not None
    assert found["tool"].findtext("pose") == "0 0 1 0 0 0"
    assert [x.findtext("child") for x in found["hand"].findall("joint")] == ["finger", "tool::bit"]
    assert found["arm"].findtext("joint/child") == "hand::palm"
    assert ub.load(path).extras == robot.extras


def test_a_link_that_is_changed_stays_in_its_model(tmp_path: Path) -> None:
    path = tmp_path / "m.sdf"
    path.write_text(f'<sdf version="1.11"><!-- an arm -->{ARM}</sdf>')
    robot = ub.load(path)
    heavy = replace(robot.link("hand::palm"), inertial=ub.Inertial(mass=7.0))
    links = tuple(heavy if x.name == heavy.name else x for x in robot.links)
    ub.save(replace(robot, links=links), path, overwrite=True)
    assert "<!-- an arm -->" in path.read_text()
    assert models(path)["hand"].findtext("link/inertial/mass") == "7"
    assert models(path)["hand"].get("placement_frame") == "grip"
    assert ub.diff(replace(robot, links=links), ub.load(path)) == []


def test_before_names_reach_into_models_there_is_one(tmp_path: Path) -> None:
    robot = ub.loads(f'<sdf version="1.11">{ARM}</sdf>')
    report = ub.save(robot, tmp_path / "m.sdf", plain=True, sdf_version="1.7")
    found = [x.name for x in ub.load(tmp_path / "m.sdf").links]
    assert found == ["base", "hand_palm", "hand_finger", "hand_tool_bit"]
    assert all(x.row is not None for x in report.losses)


def chain(*names: str) -> Robot:
    links = tuple(Link(name=name, inertial=ub.Inertial(mass=1.0)) for name in names)
    joints = tuple(
        Joint(name=f"j{i}", kind="revolute", parent=a, child=b, origin=Pose((0.1, 0.0, 0.0)))
        for i, (a, b) in enumerate(pairwise(names))
    )
    return Robot(name="r", links=links, joints=joints, base="free")


@pytest.mark.parametrize(
    ("names", "written"),
    [
        (("a", "b::c"), ("a", "b::c")),
        (("b", "b::c"), ("b", "b_c")),  # a model has no name of a link beside it
        (("b", "b::c", "b::c::d"), ("b", "b_c", "b_c_d")),
        (("a", "b::c", "b::c::d"), ("a", "b::c", "b::c_d")),
        (("a", "world::c"), ("a", "world_c")),
        (("a", "::c"), ("a", "_c")),
        (("a", "b::"), ("a", "b_")),
        (("a", "b:::c"), ("a", "b_c")),
        (("a", "b::__c__"), ("a", "b::__c___link")),
        (("a", "b_c", "b::b::c"), ("a", "b_c", "b::b::c")),
        (("m::a", "m::b"), ("m::a", "m::b")),
        (("a", "::".join(["m"] * 40)), ("a", "_".join(["m"] * 40))),
    ],
)
def test_names_say_which_model_an_item_is_in(
    names: tuple[str, ...], written: tuple[str, ...], tmp_path: Path
) -> None:
    found = again(chain(*names), tmp_path / "m.sdf")
    assert sorted(x.name for x in found.links) == sorted(written)
    assert {x.name: (x.parent, x.child) for x in found.joints} == {
        f"j{i}": pair for i, pair in enumerate(pairwise(written))
    }


def test_what_names_another_model_is_in_the_one_around_both(tmp_path: Path) -> None:
    robot = chain("base", "left::hand", "right::hand", "left::tip")
    names = ("left::up", "right::turn", "left::turn")
    robot = replace(
        robot,
        joints=tuple(replace(x, name=name) for x, name in zip(robot.joints, names, strict=True)),
        couplings=(Coupling(joint="left::turn", leader="right::turn", ratio=2.0),),
        frames=(Frame(name="left::eye", link="right::hand"), Frame(name="right::eye", link="right::hand")),
        loops=(Loop(name="left::ring", link_a="left::hand", link_b="left::tip"),),
    )
    found = again(robot, tmp_path / "m.sdf")
    assert {x.name for x in found.joints} == {"left_up", "right_turn", "left_turn"}
    (coupling,) = found.couplings
    assert (coupling.joint, coupling.leader, coupling.ratio) == ("left_turn", "right_turn", 2.0)
    assert {(x.name, x.link) for x in found.frames} == {
        ("left_eye", "right::hand"),
        ("right::eye", "right::hand"),
    }
    assert [(x.name, x.link_a, x.link_b) for x in found.loops] == [
        ("left::ring", "left::hand", "left::tip")
    ]
    assert found.joint("left_turn").origin.xyz == pytest.approx((0.1, 0.0, 0.0), abs=1e-12)


def test_static_models_beside_a_robot_keep_theirs(tmp_path: Path) -> None:
    box = '<visual name="v"><geometry><box/></geometry></visual>'
    inner = f'<model name="in"><pose>0 0 2 0 0 0</pose><link name="b">{box}</link></model>'
    shelf = f'<model name="shelf"><static>true</static><link name="a">{box}</link>{inner}</model>'
    robot = ub.loads(f'<sdf version="1.11"><world name="w">{ARM}{shelf}</world></sdf>')
    assert ub.diff(robot, again(robot, tmp_path / "m.sdf")) == []
    assert [x.get("name") for x in models(tmp_path / "m.sdf")["in"].findall("link")] == ["b"]


def test_models_that_joints_of_the_world_connect_keep_their_names(tmp_path: Path) -> None:
    other = '<model name="rig"><pose>0 1 0 0 0 0</pose><link name="bar"/></model>'
    joint = '<joint name="tie" type="fixed"><parent>arm::base</parent><child>rig::bar</child></joint>'
    robot = ub.loads(f'<sdf version="1.11"><world name="w">{ARM}{other}{joint}</world></sdf>')
    found = again(robot, tmp_path / "m.sdf")
    assert "arm::hand::tool::bit" in [x.name for x in found.links]
    assert [x.name for x in found.links] == [x.name for x in robot.links]
    assert {x.name for x in found.joints} == {x.name for x in robot.joints}
    assert found.extras == robot.extras


@pytest.mark.slow
@pytest.mark.parametrize("in_scene", [False, True])
def test_libsdformat_reads_nested_models(in_scene: bool, tmp_path: Path) -> None:
    libsdformat.needed()
    robot = ub.loads(f'<sdf version="1.11">{ARM}</sdf>')
    path = tmp_path / "m.sdf"
    model = Scene(name="s", robots=(robot, replace(robot, name="b"))) if in_scene else robot
    ub.save(model, path, plain=True, sdf_version="1.9")
    truth = libsdformat.ask(path)
    assert truth["errors"] == []
    assert Comparison(reading(path), truth).out == []
