"""Joint maps of Choreonoid and ros2_control are by their rules, and say so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unibody as ub
from unibody.cli.main import main

STATUS = "stated, not verified in the engine"
JOINT = """<joint name="{}" type="{}"><parent link="{}"/><child link="{}"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" effort="5" velocity="2"/></joint>"""
BLOCK = """\
<ros2_control name="arm" type="system">
  <joint name="grip"><command_interface name="position"/><state_interface name="position"/></joint>
  <joint name="ghost"><state_interface name="position"/></joint>
  <joint name="turn">
    <command_interface name="effort"/><state_interface name="position"/><state_interface name="velocity"/>
  </joint>
  <transmission name="gear">
    <plugin>transmission_interface/SimpleTransmission</plugin>
    <actuator name="motor" role="a"/>
    <joint name="turn" role="j"><mechanical_reduction>-50</mechanical_reduction><offset>0.3</offset></joint>
  </transmission>
  <transmission name="pair">
    <plugin>transmission_interface/DifferentialTransmission</plugin>
    <actuator name="a"/><actuator name="b"/><joint name="lift"/><joint name="grip"/>
  </transmission>
</ros2_control>
<ros2_control name="gripper" type="actuator">
  <joint name="lift"><param name="mimic">turn</param><state_interface name="position"/></joint>
</ros2_control>
"""


def urdf(extra: str = "") -> str:
    """A robot whose joints are not in the order of its links."""
    links = "".join(f'<link name="{name}"/>' for name in "abcdef")
    joints = [
        ("lift", "prismatic", "b", "c"),
        ("weld", "fixed", "a", "f"),
        ("turn", "revolute", "a", "b"),
        ("swim", "floating", "c", "d"),
        ("grip", "continuous", "d", "e"),
    ]
    return f'<robot name="r">{links}{"".join(JOINT.format(*each) for each in joints)}{extra}</robot>'


BODY = """\
format: ChoreonoidBody
format_version: 2.0
name: r
links:
  - {name: a, joint_type: free}
  - {name: b, parent: a, joint_type: revolute, joint_axis: X, joint_id: 3}
  - {name: c, parent: b, joint_type: revolute, joint_axis: Y}
  - {name: d, parent: a, joint_name: slide, joint_type: prismatic, joint_axis: Z, joint_id: 0}
  - {name: e, parent: d, joint_type: revolute, joint_axis: X, joint_id: 3}
"""


def written(folder: Path, text: str, name: str = "r.urdf") -> str:
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def found(places: ub.JointMap) -> list[Any]:
    return [(joint.joint, joint.engine_q, joint.unit) for joint in places.joints]


def test_ids_of_urdf_are_in_the_order_of_moving_joints(tmp_path: Path) -> None:
    made = ub.joint_map(written(tmp_path, urdf()), "choreonoid")
    assert found(made) == [
        ("lift", (0,), "m"),
        ("turn", (1,), "rad"),
        ("swim", (), ""),
        ("grip", (2,), "rad"),
    ]
    assert made.notes == ("the root link is free, whatever the file says",)
    assert (made.holds, made.status) == (False, STATUS)
    assert not any(joint.verified for joint in made.joints)


def test_ids_of_body_leave_gaps_and_joints_without_one_follow(tmp_path: Path) -> None:
    made = ub.joint_map(written(tmp_path, BODY, "r.body"), "choreonoid")
    assert found(made) == [
        ("", (), ""),
        ("b", (3,), "rad"),
        ("c", (4,), "rad"),
        ("slide", (0,), "m"),
        ("e", (), ""),
    ]
    reasons = {joint.joint: joint.reason for joint in made.joints}
    assert "root link" in reasons[""]
    assert "no joint id" in reasons["c"]
    assert reasons["e"] == "another joint has its id 3"
    assert made.notes == ("no joint has the id 1, 2: an empty joint has the number",)
    assert made.to_engine(np.arange(11.0)).tolist() == [9.0, 0.0, 0.0, 7.0, 8.0]


def test_other_formats_are_written_as_body(tmp_path: Path) -> None:
    robot = ub.load(written(tmp_path, urdf().replace("floating", "revolute")))
    path = tmp_path / "r.xml"
    ub.save(robot, path)
    made = ub.joint_map(path, "choreonoid")
    assert made.stated == "joint ids of the file"
    assert sorted(joint.engine_q for joint in made.joints) == [(0,), (1,), (2,), (3,)]


def test_an_id_without_measure_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, BODY.replace("joint_id: 0", "joint_id: 2000000000"), "r.body")
    with pytest.raises(ub.JointMapError, match="'slide' has the id 2000000000, which must be below"):
        ub.joint_map(path, "choreonoid")


def test_ros2_control_has_the_order_of_its_blocks(tmp_path: Path) -> None:
    made = ub.joint_map(written(tmp_path, urdf(BLOCK)), "ros2_control")
    assert found(made) == [
        ("lift", (3,), "m"),
        ("turn", (2,), "rad"),
        ("swim", (), ""),
        ("grip", (0,), "rad"),
    ]
    joints = {joint.joint: joint for joint in made.joints}
    assert (joints["turn"].commands, joints["turn"].states) == (("effort",), ("position", "velocity"))
    assert joints["lift"].reason == "mimics turn"
    motor = joints["turn"].actuator
    assert motor is not None
    # q = q_motor / ratio + offset
    assert (motor.name, motor.scale, motor.zero) == ("motor", -50.0, 15.0)
    assert (joints["lift"].actuator, joints["grip"].actuator) == (None, None)
    assert any("'pair' connects several" in note for note in made.notes)
    assert any("number 1 is of 'ghost'" in note for note in made.notes)


def test_the_numbers_of_other_transmissions_are_not_those_of_the_block(tmp_path: Path) -> None:
    """ros_control's transmission of the same joint, outside the block, has the reduction."""
    old = (
        '<transmission name="old"><type>SimpleTransmission</type><joint name="turn"/>'
        '<actuator name="m"><mechanicalReduction>7</mechanicalReduction></actuator></transmission>'
    )
    text = BLOCK.replace("<mechanical_reduction>-50</mechanical_reduction><offset>0.3</offset>", "")
    made = ub.joint_map(written(tmp_path, urdf(text + old)), "ros2_control")
    motor = next(joint.actuator for joint in made.joints if joint.joint == "turn")
    assert motor is not None
    assert (motor.scale, motor.zero) == (1.0, 0.0)


def test_a_robot_in_memory_has_its_block(tmp_path: Path) -> None:
    robot = ub.rename(ub.load(written(tmp_path, urdf(BLOCK))), {"turn": "yaw"})
    made = ub.joint_map(robot, "ros2_control")
    assert {joint.joint: joint.engine_q for joint in made.joints}["yaw"] == (2,)


def test_the_command_says_that_nothing_is_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = written(tmp_path, urdf(BLOCK))
    assert main(["info", path, "--engine", "choreonoid,ros2_control"]) == 0
    text = capsys.readouterr().out
    assert text.count(STATUS) == 2
    assert "motor = -50 q + 15" in text
    assert main(["info", path, "--engine", "ros2_control", "--json"]) == 0
    (data,) = json.loads(capsys.readouterr().out)["engines"]
    assert (data["status"], data["holds"], data["positions"]) == (STATUS, False, None)
    assert data["stated"] == "the order of joints in the <ros2_control> blocks of the file"
    assert data["joints"][1]["actuator"] == {"name": "motor", "scale": -50, "zero": 15}
    assert main(["info", path, "--engine", "ros2_control", "--python"]) == 0
    python = capsys.readouterr().out
    assert python.splitlines()[1].startswith(f"# {STATUS}")
    names: dict[str, Any] = {}
    exec(python, names)
    made = ub.joint_map(path, "ros2_control")
    q = np.random.default_rng(0).uniform(-1.0, 1.0, (3, len(made.start)))
    assert np.array_equal(names["to_ros2_control"](q), made.to_engine(q))
    turn = next(joint.q[0] for joint in made.joints if joint.joint == "turn")
    assert names["to_ros2_control_actuators"](q)[:, 0] == pytest.approx(-50.0 * (q[:, turn] - 0.3))


def test_a_model_without_a_block_says_so_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["info", written(tmp_path, urdf()), "--engine", "ros2_control"]) == 1
    line = "ros2_control: the model has no <ros2_control> block, which lists the joints of the hardware\n"
    assert capsys.readouterr().out == line


def test_proofs_ask_engines_only(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="unknown engine 'choreonoid'"):
        ub.prove(written(tmp_path, urdf()), engines="choreonoid")
