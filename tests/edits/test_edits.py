"""Edits of robots: the data that only one format knows follows, losses are named, texts are warned of."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from random import Random
from typing import Any

import mujoco
import pytest
from tests.convert.models import ROOT
from tests.edits.properties import EDITS, outcomes
from tests.losses.corpus import models, sliced
from tests.sampling import few
from tests.shared import DEV

import unibody as ub
from unibody.cli.main import main
from unibody.document.declare import Document, plan
from unibody.document.references import specs
from unibody.edits.attach import edit_attach
from unibody.edits.kept import joined
from unibody.edits.names import GraftError, names_of
from unibody.edits.rename import edit_names
from unibody.edits.subtree import edit_subtree
from unibody.formats import FORMATS
from unibody.model.pose import IDENTITY
from unibody.model.robot import Extra, Robot
from unibody.model.traverse import named_lists
from unibody.text.node import Node, Word, words

ARM = """<robot name="arm">
  <link name="base"/>
  <link name="upper"/>
  <link name="tool"/>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" velocity="2" effort="30"/>
  </joint>
  <joint name="wrist" type="revolute">
    <parent link="upper"/><child link="tool"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" velocity="2" effort="30"/>
  </joint>
  %s
</robot>
"""
BIPED = """format: ChoreonoidBody
format_version: 2.0
name: biped
links:
  - { name: WAIST, joint_type: free, mass: 1, inertia: &unit [1, 0, 0, 0, 1, 0, 0, 0, 1] }
  - { name: LEFT, parent: WAIST, joint_type: revolute, joint_id: 0, mass: 1, inertia: *unit,
      material: LEFT, childLinks: [FOOT] }
  - { name: FOOT, parent: LEFT, joint_type: revolute, joint_id: 1, mass: 1, inertia: *unit }
  - { name: RIGHT, parent: WAIST, joint_type: revolute, joint_id: 2, mass: 1, inertia: *unit,
      elements: [ { type: AGXBreakableJointDevice, name: LATCH, link1Name: RIGHT, link2Name: FOOT } ] }
standard_pose: [ 10, 20, 30 ]
link_group: [ WAIST, { name: LEGS, links: [ LEFT, RIGHT ] } ]
foot_links: [ { link: FOOT, sole_center: [ 0, 0, 0 ] }, { link: RIGHT, sole_center: [ 0, 0, 0 ] } ]
default_ik_setup: { FOOT: [ WAIST, LEFT ], RIGHT: [ WAIST ] }
symmetric_joints: [ [ LEFT, RIGHT, -1 ], [ FOOT ] ]
"""
LAMP = """#VRML V2.0 utf8
PROTO Joint [ exposedField MFNode children [] exposedField SFString jointType ""
  exposedField SFInt32 jointId -1 ] { Group { children IS children } }
PROTO Segment [ exposedField MFNode children [] exposedField SFFloat mass 0 ]
  { Group { children IS children } }
PROTO Humanoid [ exposedField MFNode humanoidBody [] exposedField MFNode joints []
  exposedField MFNode segments [] ] { Group { children IS humanoidBody } }
DEF Lamp Humanoid {
  humanoidBody [ DEF FOOT Joint { jointType "fixed" children [
    DEF HEAD Joint { jointType "rotate" jointId 0 children [ DEF HEAD_LINK Segment { mass 1 } ] } ] } ]
  joints [ USE FOOT USE HEAD ]
  segments [ USE HEAD_LINK ]
}
DEF CLOCK TimeSensor { }
ROUTE CLOCK.fraction_changed TO HEAD.set_rotation
"""
ROB = """#MPK v1.0 robot
joint foot { ConstTransl 0 0 1 }
joint arm { parent foot Rot1 0 0 1 0 1 param 0 }
joint tip { parent arm ConstTransl 0 0 1 param 1 }
param { 0 { passive } 1 { cyclic } }
"""


def arm(vendor: str) -> Robot:
    return ub.loads(ARM % vendor, format="urdf")


def text(robot: Robot, format: str = "urdf") -> str:
    return ub.dumps(robot, format=format)


VENDOR = """<gazebo reference="tool"><kp>1</kp></gazebo>
  <gazebo reference="wrist"><kp>2</kp></gazebo>
  <gazebo><joint name="loop" type="ball"><parent>base</parent><child>tool</child></joint></gazebo>
  <gazebo reference="upper"><sensor name="bump" type="contact">
    <contact><collision>tool_collision</collision></contact></sensor></gazebo>
  <transmission name="drive"><joint name="wrist"/><actuator name="motor"/></transmission>
  <ros2_control name="hardware" type="system">
    <joint name="shoulder"/>
    <joint name="wrist"><param name="mimic">shoulder</param></joint>
  </ros2_control>
  <frame name="tip" link="tool" xyz="0 0 1"/>
  <drake:collision_filter_group name="ends"><drake:member link="tool"/>
    <drake:ignored_collision_filter_group name="ends"/></drake:collision_filter_group>"""


def test_rename_follows_every_declared_reference() -> None:
    found: list[ub.Finding] = []
    made = text(ub.rename(arm(VENDOR), {"tool": "T", "wrist": "W", "shoulder": "S"}, findings=found))
    assert found == []
    for word in ('"tool"', '"wrist"', '"shoulder"', ">tool<", ">shoulder<", "tool_collision"):
        assert word not in made
    for word in (
        '<gazebo reference="T">',
        '<gazebo reference="W">',
        "<child>T</child>",
        "<collision>T_collision</collision>",
        '<joint name="W"/>',
        '<param name="mimic">S</param>',
        '<frame name="tip" link="T"',
        '<drake:member link="T"/>',
    ):
        assert word in made


def test_a_prefix_is_put_before_what_elements_name_themselves() -> None:
    made = text(ub.prefix(arm(VENDOR), "l_"))
    for word in (
        '<transmission name="l_drive">',
        '<actuator name="l_motor"/>',
        '<ros2_control name="l_hardware"',
        '<sensor name="l_bump"',
        '<drake:ignored_collision_filter_group name="l_ends"/>',
    ):
        assert word in made


def test_a_text_that_mentions_an_old_name_is_a_warning_with_its_place() -> None:
    robot = arm(
        '<gazebo><plugin name="p" filename="lib.so"><controlled>wrist</controlled>\n'
        "<topic>/wrist/state</topic><gain>1</gain><other>wrist_2</other></plugin></gazebo>"
    )
    found: list[ub.Finding] = []
    made = ub.rename(robot, {"wrist": "W"}, findings=found)
    assert "<controlled>wrist</controlled>" in text(made)
    assert [(f.code, f.severity, f.at.line if f.at else 0) for f in found] == [
        ("reference-kept", "warning", 13),
        ("reference-kept", "warning", 14),
    ]
    assert found[0].message == (
        "gazebo/plugin/controlled mentions 'wrist', which is now 'W'; the text is unchanged"
    )


def test_what_plugins_of_gazebo_refer_to_follows() -> None:
    robot = arm(
        '<gazebo><plugin name="p" filename="lib.so"><jointName>shoulder, wrist</jointName>\n'
        "<bodyName>tool</bodyName><robot_base_frame>base</robot_base_frame><frame_name>world</frame_name>\n"
        "<left_joint>wrist</left_joint><robotNamespace>/tools</robotNamespace></plugin></gazebo>"
        '<ros2_control name="c"><sensor name="f"><param name="frame_id">tool</param></sensor>'
        "</ros2_control>"
    )
    found: list[ub.Finding] = []
    made = text(ub.rename(robot, {"wrist": "W", "tool": "T", "base": "B"}, findings=found))
    assert found == []
    for word in (
        "<jointName>shoulder, W</jointName>",
        "<bodyName>T</bodyName>",
        "<robot_base_frame>B</robot_base_frame>",
        "<frame_name>world</frame_name>",
        "<left_joint>W</left_joint>",
        "<robotNamespace>/tools</robotNamespace>",
        '<param name="frame_id">T</param>',
    ):
        assert word in made


def test_one_of_several_items_is_renamed_by_its_list() -> None:
    robot = arm('<gazebo reference="base"/>')
    both = ub.rename(robot, {"shoulder": "base"})
    assert [j.name for j in ub.rename(both, {"joints/base": "x"}).joints] == ["x", "wrist"]
    assert ub.rename(both, {"joints/base": "x"}).root == "base"
    found: list[ub.Finding] = []
    ub.rename(both, {"joints/base": "x"}, findings=found)
    assert "is the name of items in links and joints" in found[0].message


def test_materials_are_renamed() -> None:
    shape = '<visual><geometry><sphere radius="1"/></geometry><material name="red"/></visual>'
    colored = ARM.replace('<link name="tool"/>', f'<link name="tool">{shape}</link>')
    robot = ub.loads(colored % '<material name="red"><color rgba="1 0 0 1"/></material>', format="urdf")
    made = ub.rename(robot, {"red": "paint"})
    assert [d.path for d in ub.diff(robot, made)] == ["links/tool/visuals/0/material/name"]
    assert "red" not in text(made)


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        (lambda r: ub.rename(r, {"wirst": "x"}), "did you mean 'wrist'"),
        (lambda r: ub.rename(r, {"wrist": ""}), "is empty"),
        (lambda r: ub.subtree(r, "uper"), "did you mean 'upper'"),
        (lambda r: ub.attach(r, r, "tol", prefix="a_"), "did you mean 'tool'"),
        (lambda r: ub.attach(r, r, "tool", (1, 2, 3), prefix="a_"), "six numbers"),
        (lambda r: ub.attach(r, r, "tool"), "give a prefix"),
    ],
)
def test_an_impossible_edit_says_what_to_do(call: object, hint: str) -> None:
    with pytest.raises(GraftError, match=hint):
        call(arm(""))  # type: ignore[operator]


def test_subtree_keeps_what_refers_to_its_links() -> None:
    edit = edit_subtree(arm(VENDOR), "upper")
    made = text(edit.robot)
    for word in (
        'reference="tool"',
        'name="drive"',
        "tool_collision",
        'link="tool"',
        '<joint name="wrist"',
    ):
        assert word in made
    for word in ("shoulder", "base", 'name="loop"', "mimic"):
        assert word not in made
    assert edit.robot.base is None
    lost = [x.difference.before.node.items[0] for x in edit.losses]
    assert [(key, value.word("name")) for key, value, _ in lost] == [
        ("gazebo", None),
        ("joint", "shoulder"),
        ("param", "mimic"),
    ]


def test_subtree_of_the_root_is_the_robot() -> None:
    robot = arm(VENDOR)
    edit = edit_subtree(robot, "base")
    assert [d.path for d in ub.diff(robot, edit.robot)] == ["name"]
    assert edit.losses == ()


def test_subtree_drops_what_names_only_other_links_or_a_dropped_group() -> None:
    edit = edit_subtree(arm(VENDOR), "upper")
    hand = edit_subtree(edit.robot, "tool").robot
    assert "drive" not in text(hand)
    assert "ros2_control" not in text(hand)
    base = ub.subtree(arm(VENDOR.replace('link="tool"/>', 'link="base"/>')), "tool")
    assert "collision_filter_group" not in text(base)


def test_subtree_loses_a_loop_across_the_cut() -> None:
    robot = ub.load(ROOT / "tests/commands/models/four_bar.body")
    loop = robot.loops[0]
    lost = edit_subtree(robot, loop.link_a).losses
    assert [(x.difference.path, x.what) for x in lost] == [(f"loops/{loop.name}", "links across the cut")]


def test_attach_keeps_the_data_of_both() -> None:
    robot = arm(VENDOR)
    edit = edit_attach(robot, robot, "tool", IDENTITY, "b_")
    made = text(edit.robot)
    assert made.count("<transmission") == made.count("<ros2_control") == 2
    assert '<gazebo reference="b_tool">' in made
    assert edit.losses == ()
    assert [f.code for f in edit.findings] == []


def test_attach_reports_values_that_cannot_stand_twice() -> None:
    first, second = (
        ub.loads((ARM % "").replace("<robot ", f'<robot version="{v}" '), format="urdf")
        for v in ("1.0", "1.2")
    )
    edit = edit_attach(first, second, "tool", IDENTITY, "b_")
    assert [x.what for x in edit.losses] == ["values of both robots"]
    assert 'version="1.2"' not in text(edit.robot)
    twice = edit_attach(
        arm(VENDOR), ub.rename(arm(VENDOR), {"links/base": "b"}, suffix="2"), "tool", IDENTITY, ""
    )
    assert twice.findings == []


def test_attached_elements_of_one_name_are_a_warning() -> None:
    other = ub.rename(
        arm('<transmission name="drive"><joint name="wrist"/></transmission>'),
        {name: f"b_{name}" for name in ("base", "upper", "tool", "shoulder", "wrist")},
    )
    edit = edit_attach(arm(VENDOR), other, "tool", IDENTITY, "")
    assert [(f.code, f.message) for f in edit.findings] == [
        ("name-duplicate", "transmissions of both robots have the name 'drive'")
    ]


def test_keys_of_body_files() -> None:
    robot = ub.loads(BIPED, format="body")
    made = text(ub.rename(robot, {"FOOT": "SOLE", "LEFT": "L", "LEGS": "BOTH"}), "body")
    assert "FOOT" not in made
    assert made.count("LEFT") == 1  # the contact material
    for word in (
        "childLinks: [ SOLE ]",
        "link: SOLE",
        "SOLE: [ WAIST, L ]",
        "[ L, RIGHT, -1 ]",
        "link2Name: SOLE",
    ):
        assert word.replace(" ", "") in made.replace(" ", "")
    assert "BOTH" in made


def test_a_prefix_leaves_the_world() -> None:
    held = '<joint name="j" type="fixed"><parent link="world"/><child link="a"/></joint>'
    robot = ub.loads(f'<robot name="r"><link name="world"/><link name="a"/>{held}</robot>', format="urdf")
    made = ub.prefix(robot, "l_")
    assert ([link.name for link in made.links], made.joints[0].parent) == (["world", "l_a"], "world")
    assert [link.name for link in ub.rename(robot, {"world": "w"}, prefix="l_").links] == ["w", "l_a"]
    # Where it is attached, it is an ordinary link.
    both = ub.attach(robot, robot, "a", prefix="l_")
    assert [link.name for link in both.links] == ["world", "a", "l_world", "l_a"]


def test_a_prefix_leaves_keywords_of_body_files() -> None:
    robot = ub.prefix(ub.loads(BIPED, format="body"), "a_")
    assert [c.name for c in robot.configurations] == ["standard_pose"]
    assert names_of(robot)["groups"] == ["link_group", "a_LEGS"]
    other = ub.loads(BIPED, format="body")
    both = edit_attach(robot, other, "a_FOOT", IDENTITY, "b_")
    assert len(both.robot.configurations) == len(both.robot.groups) == 1
    assert len(both.robot.configurations[0].positions) == 6
    assert {x.what for x in both.losses} == {"joint numbers"}
    made = text(both.robot, "body")
    assert made.count("foot_links") == made.count("symmetric_joints") == made.count("default_ik_setup") == 1
    assert "b_FOOT: [ b_WAIST, b_LEFT ]".replace(" ", "") in made.replace(" ", "")


def test_subtree_of_a_body_file() -> None:
    edit = edit_subtree(ub.loads(BIPED, format="body"), "LEFT")
    made = text(edit.robot, "body").replace(" ", "")
    for word in ("link:FOOT", "FOOT:[LEFT]", "[FOOT]"):
        assert word in made
    assert "RIGHT" not in made
    assert "WAIST" not in made
    right = edit_subtree(ub.loads(BIPED, format="body"), "RIGHT")
    assert right.robot.devices == ()
    assert "devices/LATCH" in [x.difference.path for x in right.losses]


def test_routes_of_openhrp_files() -> None:
    robot = ub.loads(LAMP, format="openhrp")
    assert "ROUTE CLOCK.fraction_changed TO TOP.set_rotation" in text(
        ub.rename(robot, {"HEAD": "TOP"}), "openhrp"
    )
    made = text(ub.prefix(robot, "a_"), "openhrp")
    assert "ROUTE a_CLOCK.fraction_changed TO a_HEAD.set_rotation" in made
    assert "DEF a_CLOCK TimeSensor" in made
    both = text(ub.attach(robot, robot, "HEAD", prefix="b_"), "openhrp")
    assert both.count("ROUTE") == 2
    assert edit_subtree(robot, "FOOT").losses == ()


def test_parameters_of_mpk_files() -> None:
    robot = ub.loads(ROB, format="mpk")
    both = ub.attach(robot, robot, "tip", prefix="b_")
    assert [(c.index, c.passive) for c in both.coordinates] == [(0, True), (2, True)]
    assert "param 3" in text(both, "mpk")


MUJOCO = """<mujoco model="arm">
  <worldbody>
    <body name="base"><geom name="foot" type="sphere" size="0.1"/>
      <body name="upper"><joint name="shoulder" axis="0 1 0"/><geom name="rod" type="sphere" size="0.1"/>
        <site name="middle"/>
        <body name="tool"><joint name="wrist" axis="1 0 0"/><geom name="tip" type="sphere" size="0.1"/>
          <site name="end"/></body>
      </body>
    </body>
  </worldbody>
  <contact><pair geom1="foot" geom2="tip"/></contact>
  <tendon><spatial name="string"><site site="middle"/><site site="end"/></spatial></tendon>
  <actuator><motor name="motor" joint="shoulder"/><motor name="winch" tendon="string"/></actuator>
  <sensor><framepos name="where" objtype="site" objname="end"/></sensor>
</mujoco>
"""


def test_elements_of_mjcf() -> None:
    robot = ub.loads(MUJOCO, format="mjcf")
    found: list[ub.Finding] = []
    renamed = [w for e in ub.prefix(robot, "a_", findings=found).extras for w in words(e.node)]
    assert found == []
    old = "base upper tool shoulder wrist foot rod tip middle end string motor winch where"
    for name in old.split():
        assert (name in renamed) == (name in ("motor", "tendon", "site")), name
    assert {"a_end", "a_string", "a_tip", "a_shoulder"} <= set(renamed)
    edit = edit_subtree(robot, "tool")
    left = [w for e in edit.robot.extras for w in words(e.node)]
    assert {"where", "end", "tip"} <= set(left)
    assert not {"string", "winch", "motor", "foot", "middle"} & set(left)
    assert any("tendon" in words(x.difference.before.node) for x in edit.losses)


def test_mujoco_compiles_edited_robots_with_what_is_kept() -> None:

    def compiled(robot: ub.Robot) -> Any:
        return mujoco.MjModel.from_xml_string(ub.dumps(robot, format="mjcf", plain=True))

    robot = ub.loads(MUJOCO, format="mjcf")
    named = compiled(ub.prefix(robot, "a_"))
    assert named.geom("a_tip").id == mujoco.MjModel.from_xml_string(MUJOCO).geom("tip").id
    assert (named.nu, named.ntendon, named.nsensor, named.npair) == (2, 1, 1, 1)
    part = compiled(ub.subtree(robot, "upper"))
    assert (part.nu, part.ntendon, part.nsensor, part.npair) == (1, 1, 1, 0)
    both = compiled(ub.attach(robot, robot, "tool", prefix="b_"))
    assert (both.nu, both.ntendon, both.nsensor, both.npair) == (4, 2, 2, 2)
    tips = [both.geom(name).id for name in ("foot", "tip", "b_foot", "b_tip")]
    assert sorted([*both.pair_geom1.tolist(), *both.pair_geom2.tolist()]) == sorted(tips)


JIG = """<mujoco model="jig">
  <compiler angle="radian"/>
  <option timestep="%s"><flag %s/></option>
  <visual><map znear="%s"/></visual>
  <worldbody><body name="base"><geom size=".1" mass="1"/>%s
    <body name="left" pos="0 0 1"><joint name="one" axis="0 1 0" ref="0.5"/><geom size="1" mass="1"/></body>
    <body name="right" pos="0 1 0"><joint name="two" type="ball"/><geom size=".1" mass="1"/>
      <body name="tip" pos="0 1 0"><joint name="three" axis="0 1 0"/><geom size="1" mass="1"/></body></body>
  </body></worldbody>
  <sensor><jointpos name="angle" joint="one"/></sensor>
  <actuator>%s<motor name="drive" joint="one"/>
    <position name="servo" joint="three" timeconst=".1"/></actuator>
  <keyframe><key name="%s" qpos="%s" qvel="%s" ctrl="3 4" act="5"/></keyframe>
</mujoco>
"""


def jig(key: str, *, step: str = "0.001", flag: str = 'gravity="disable"', free: bool = False) -> Robot:
    base = "0 0 1 1 0 0 0 " if free else "", "0 0 0 0 0 0 " if free else ""
    qpos, qvel = base[0] + "0.1 0 1 0 0 0.2", base[1] + "1 2 3 4 5"
    text = JIG % (step, flag, step, "<freejoint/>" if free else "", "", key, qpos, qvel)
    return ub.loads(text, format="mjcf")


@pytest.mark.parametrize("free", [False, True])
def test_attached_keyframes_have_their_values_at_the_joints(free: bool) -> None:
    robot = jig("home", free=free)
    edit = edit_attach(robot, jig("grasp", free=free), "left", IDENTITY, "b_")
    # the base of the second robot is none any more
    assert not edit.losses
    text = ub.dumps(edit.robot, format="mjcf", plain=True)
    model = mujoco.MjModel.from_xml_string(text)
    base, still = ([0, 0, 1, 1, 0, 0, 0], [0.0] * 6) if free else ([], [])
    own, rest = [0.1, 0.0, 1.0, 0.0, 0.0, 0.2], [0.5, 1.0, 0.0, 0.0, 0.0, 0.0]
    # the second robot stands between the joint of the left and that of the right body
    assert model.key("home").qpos.tolist() == [*base, own[0], *rest, *own[1:]]
    base = [0, 0, 0, *base[3:]] if free else []
    assert model.key("b_grasp").qpos.tolist() == [*base, rest[0], *own, *rest[1:]]
    assert model.key("home").qvel.tolist() == [*still, 1, 0, 0, 0, 0, 0, 2, 3, 4, 5]
    assert model.key("b_grasp").qvel.tolist() == [*still, 0, 1, 2, 3, 4, 5, 0, 0, 0, 0]
    assert model.key("home").ctrl.tolist() == [3, 4, 0, 0]
    assert model.key("b_grasp").ctrl.tolist() == [0, 0, 3, 4]
    assert (model.key("home").act.tolist(), model.key("b_grasp").act.tolist()) == ([5, 0], [0, 5])
    drives = [model.actuator(i).name for i in range(model.nu)]
    assert drives == ["drive", "servo", "b_drive", "b_servo"]
    postures = {c.name: dict(c.positions) for c in edit.robot.configurations}
    assert postures["home"] == pytest.approx({"one": -0.4, "three": 0.2, "b_one": 0, "b_three": 0})
    assert postures["b_grasp"] == pytest.approx({"one": 0, "three": 0, "b_one": -0.4, "b_three": 0.2})


def test_sections_of_mjcf_are_joined_as_the_writer_joins_them(tmp_path: Path) -> None:
    twice = ub.attach(jig("home"), jig("grasp"), "right", prefix="b_")
    nested = ub.attach(twice, jig("grasp"), "b_left", prefix="c_")
    for robot in (twice, nested):
        report = ub.save(robot, tmp_path / "out.xml", overwrite=True, plain=True)
        lost = {loss.row and loss.row.what for loss in report.losses}
        assert not lost & {None, "vendor data", "configurations"}
    tags = [key for key, _, _ in nested.extras[0].node.items]
    assert tags == ["option", "visual", "actuator", "sensor", "keyframe"]
    again = ub.load(tmp_path / "out.xml")
    sections = [item[:2] for item in again.extras[0].node.items if item[0] != "contact"]
    assert sections == [item[:2] for item in nested.extras[0].node.items]


def test_settings_of_the_first_robot_hold() -> None:
    second = jig("grasp", step="0.005", flag='gravity="enable" contact="disable"')
    edit = edit_attach(jig("home"), second, "left", IDENTITY, "b_")
    (option,) = (value for key, value, _ in edit.robot.extras[0].node.items if key == "option")
    assert words(option) == words(ub.loads(JOINED, format="mjcf").extras[0].node.items[0][1])
    lost = [words(loss.difference.before.node) for loss in edit.losses]
    assert [set(each) & {"0.005", "disable"} for each in lost] == [{"0.005"}, {"0.005"}]
    assert edit.robot.gravity == (0.0, 0.0, 0.0)
    model = mujoco.MjModel.from_xml_string(ub.dumps(edit.robot, format="mjcf", plain=True))
    assert (model.opt.timestep, model.vis.map.znear) == (0.001, pytest.approx(0.001))


JOINED = """<mujoco><option timestep="0.001"><flag contact="disable" gravity="enable"/></option>
<worldbody><body name="base"/></worldbody></mujoco>
"""


def test_values_whose_place_is_unknown_are_losses() -> None:
    text = JIG % (
        "0.001",
        "",
        "1",
        "",
        '<dcmotor name="m" joint="one" motorconst="1" resistance="1"/>',
        "k",
        *"00",
    )
    edit = edit_attach(ub.loads(text, format="mjcf"), jig("grasp"), "left", IDENTITY, "b_")
    (loss,) = [loss for loss in edit.losses if loss.what == "values by place"]
    assert words(loss.difference.before.node).count("3 4") == 1


def declared(cls: type[Document], seen: set[type[Document]]) -> None:
    """All classes that a class can contain."""
    if cls in seen:
        return
    seen.add(cls)
    for inner in (*plan(cls).fields.values(), *specs(cls).values()):
        for member in inner.members.values():
            declared(member, seen)


def test_declared_references_are_lists_of_the_robot() -> None:
    lists = {*named_lists(), "links", "joints", "devices", "loops", "frames", "groups", "coordinates"}
    for format in FORMATS:
        found = format.declarations()
        seen: set[type[Document]] = set()
        for cls in (found.root, *found.owners.values(), *found.devices.values(), *found.nodes.values()):
            declared(cls, seen)
        all_specs = [spec for cls in seen for spec in specs(cls).values()]
        kinds = {spec.names for spec in all_specs}
        for spec in all_specs:
            assert set(spec.refers) <= lists | kinds, (format.name, spec)


# --- random edits ---------------------------------------------------------------------------

SAMPLES = [
    ROOT / "tests/commands/models/ros_arm.urdf",
    ROOT / "tests/formats/urdf/kitchen_sink.urdf",
    ROOT / "tests/formats/body/kitchen_sink.body",
    ROOT / "tests/formats/openhrp/kitchen_sink.wrl",
    ROOT / "tests/formats/mpk/kitchen_sink.rob",
    ROOT / "tests/formats/mjcf/read/actuators.xml",
    ROOT / "tests/formats/srdf/kitchen_sink.srdf",
    ROOT / "tests/commands/models/four_bar.body",
]


@pytest.mark.parametrize("edit", few(EDITS, 2))
@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.name)
def test_random_edits_of_the_samples(path: Path, edit: str) -> None:
    found = list(outcomes(path, Random(edit), [edit]))
    assert len(found) == 1
    assert [str(x) for x in found if x.problems] == []


WHOLE = bool(os.environ.get("UNIBODY_WHOLE_CORPUS"))
SLOW = ("Labo1", "mobile_robot", "T12", "pipes.wrl", "RoadSurface")
# Renamed links of MJCF change other names, too: those of bodies that carry several joints.
SWEPT = [p for p in models() if p.suffix != ".xml"]
CORPUS = SWEPT if WHOLE else [p for p in sliced(SWEPT, 5, 24) if not p.name.startswith(SLOW)]


@pytest.mark.slow
@pytest.mark.usefixtures("shared")
@pytest.mark.parametrize("path", CORPUS, ids=[str(p.relative_to(DEV)) for p in CORPUS])
def test_random_edits_of_the_corpus(path: Path) -> None:
    found = list(outcomes(path, Random(path.name)))
    assert found
    assert [str(x) for x in found if x.problems] == []


def test_an_edit_has_no_loss_without_a_cause() -> None:
    assert edit_names(arm(VENDOR), {"base": "b"}).losses == ()


# --- the command ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--place", "0,0,1"], "--place requires --attach FILE"),
        (["--on", "tool"], "--on requires --attach FILE"),
        (["--attach", "arm.urdf", "--on", "tool", "--place", "0,0"], "expected X,Y,Z"),
        (["--attach", "arm.urdf", "--on", "tol", "--attach-prefix", "b_"], "did you mean 'tool'?"),
        (["--rename", "wirst=x"], "did you mean 'wrist'?"),
    ],
)
def test_wrong_usage_of_the_command(
    options: list[str],
    message: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "arm.urdf").write_text(ARM % "", "utf-8")
    monkeypatch.chdir(tmp_path)
    assert main(["convert", "arm.urdf", "out.urdf", *options]) == 2
    assert message in capfd.readouterr().err


def test_the_command_counts_the_losses_of_the_attached_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "arm.urdf").write_text(ARM % "", "utf-8")
    hand = ARM.replace('"arm"', '"hand"') % '<material name="a" shine="1"/>'
    (tmp_path / "hand.urdf").write_text(hand, "utf-8")
    monkeypatch.chdir(tmp_path)
    words = [
        "convert",
        "arm.urdf",
        "out.urdf",
        "--attach",
        "hand.urdf",
        "--on",
        "tool",
        "--attach-prefix",
        "b_",
    ]
    assert main([*words, "--place", "-1,0,0", "--json"]) == 0
    report = json.loads(capfd.readouterr().out)
    assert [(u["key"], u["at"]) for u in report["reading"]] == [("shine", "hand.urdf:13:29")]
    robot = ub.load("out.urdf")
    assert robot.joint("tool_to_b_base").origin.xyz == (-1.0, 0.0, 0.0)


def test_a_robot_is_attached_to_a_frame() -> None:
    turned = ub.Pose((0.0, 0.0, 0.3), (0.6, 0.0, 0.8, 0.0))
    frames = (
        ub.Frame(name="tool", link="base", pose=turned),
        ub.Frame(name="base", link="base", pose=turned),
    )
    arm = ub.Robot(name="arm", links=(ub.Link(name="base"),), frames=frames)
    hand = ub.Robot(name="hand", links=(ub.Link(name="palm"),))
    (mount,) = ub.attach(arm, hand, "tool", ub.Pose((0.1, 0.0, 0.0))).joints
    assert (mount.name, mount.parent) == ("tool_to_palm", "base")
    assert mount.origin == turned @ ub.Pose((0.1, 0.0, 0.0))
    # a link is found first
    assert ub.attach(arm, hand, "base").joints[0].origin == ub.Pose()
    with pytest.raises(ub.GraftError, match="has no link or frame 'toll'; did you mean 'tool'"):
        ub.attach(arm, hand, "toll")


def test_the_data_of_two_robots_are_joined_in_good_time() -> None:
    """Each element is looked at once, not once for each of the other robot."""

    def many(prefix: str) -> list[Extra]:
        names = [f"{prefix}{k}" for k in range(1000)]
        items = [("gazebo", Node("gazebo", [("reference", Word(name), -1)]), -1) for name in names]
        owned = [Extra(format="urdf", owner=f"links/{name}", node=Node("", [])) for name in names]
        return [Extra(format="urdf", node=Node("", list(items))), *owned]

    start = time.process_time()
    made = joined(many("a"), many("b"))
    assert time.process_time() - start < 1.0
    assert (len(made), len(made[0].node.items)) == (2001, 2000)
    assert joined(made, many("b")) == made
