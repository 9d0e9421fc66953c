"""Postures and limits of every format: what no motion reaches and what no drive moves is reported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.model.posture import posture, usable_positions

ARM = """format: ChoreonoidBody
format_version: 2.0
standard_pose: [ {pose} ]
links:
  - {{ name: BASE, joint_type: fixed, mass: 1.0, inertia: [0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1] }}
  - {{ name: ARM, parent: BASE, joint_id: 0, joint_type: revolute, joint_range: [{range}], {more}
      mass: 1.0, inertia: [0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1] }}
"""
LEG = """<mujoco><compiler angle="radian"/><default><position kp="50" inheritrange="0.5"/></default>
<worldbody><body><joint name="hip" axis="0 1 0" range="-1 1" ref="{ref}"/><geom size="0.1"/>
<body><joint name="toe" axis="0 1 0" range="-3 3"/><geom size="0.1"/></body></body></worldbody>
<equality><joint joint1="toe" joint2="hip" polycoef="{offset} -1 0 0 0"/></equality>
<actuator><position name="hip" joint="hip"/><motor name="push" joint="hip" ctrlrange="-5 5"/></actuator>
<keyframe><key name="key" qpos="{q}" ctrl="{ctrl}"/></keyframe></mujoco>"""
URDF = """<robot name="arm"><link name="base"/><link name="l"/><link name="r"/><link name="tool"/>
<joint name="left" type="prismatic"><parent link="base"/><child link="l"/><axis xyz="0 1 0"/>
<limit lower="{lower}" upper="0.04" effort="{effort}" velocity="{velocity}"/>{safety}</joint>
<joint name="right" type="prismatic"><parent link="base"/><child link="r"/><axis xyz="0 1 0"/>
<limit lower="{low}" upper="{high}" effort="0" velocity="0"/>
<mimic joint="left" multiplier="{ratio}" offset="{offset}"/></joint>
<joint name="mount" type="fixed"><parent link="base"/><child link="tool"/>{mimic}</joint></robot>"""
GIVEN = {
    "lower": "0",
    "effort": "9",
    "velocity": "1",
    "safety": "",
    "low": "-0.04",
    "high": "0",
    "ratio": "-1",
    "offset": "0",
    "mimic": "",
}


def found(text: str, name: str, tmp_path: Path, srdf: str = "") -> list[tuple[str, str, str]]:
    """Code, severity and message of each finding about postures, limits and couplings."""
    (tmp_path / name).write_text(text, "utf-8")
    if srdf:
        (tmp_path / name).with_suffix(".srdf").write_text(srdf, "utf-8")
    words = ("state-", "limit", "coupling-", "control-", "initial-", "group-", "soft-")
    findings = ub.read(tmp_path / name).findings
    return [(f.code, f.severity, f.message) for f in findings if f.code.startswith(words)]


def codes(*args: Any) -> list[tuple[str, str]]:
    return [(code, severity) for code, severity, _ in found(*args)]


# --- postures ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pose", "expected"),
    [
        ("45", [("state-limits", "warning")]),
        ("-30.4", [("state-limits", "info")]),  # leans on the stop
        ("30", []),
    ],
)
def test_standard_pose(pose: str, expected: list[tuple[str, str]], tmp_path: Path) -> None:
    assert codes(ARM.format(pose=pose, range="-30, 30", more=""), "a.body", tmp_path) == expected


def test_a_posture_has_both_units_and_a_remedy(tmp_path: Path) -> None:
    text = ARM.format(pose="45", range="-30, 30", more="")
    (tmp_path / "a.body").write_text(text, "utf-8")
    (finding,) = [f for f in ub.read(tmp_path / "a.body").findings if f.code == "state-limits"]
    assert "'ARM' at 0.785398 rad (45°)" in finding.message
    assert finding.hint.startswith("write 0.523599 rad (30°)")
    assert finding.at is not None
    assert finding.at.start == text.index("[ 45")
    assert finding.subject == "configurations/standard_pose/positions/ARM"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, []),
        ({"q": "1.2 -1.2"}, ["state-limits"]),
        ({"q": "0.5 0.5"}, ["state-coupling"]),
        ({"q": "0.5 -0.3", "offset": "0.2"}, []),
        ({"q": "0.5 0.5", "ref": "1"}, []),  # positions of the model and of equalities count from ref
        ({"ctrl": "0.6 0"}, ["control-limits"]),  # half of the range of the joint
        ({"ctrl": "0.5 -6"}, ["control-limits"]),
        ({"ctrl": "0.6 -6"}, ["control-limits", "control-limits"]),
        ({"ctrl": "0.5 5", "q": "0.5 0.5", "ref": "1"}, []),
    ],
)
def test_keyframes(given: dict[str, str], expected: list[str], tmp_path: Path) -> None:
    text = LEG.format(**{"ref": "0", "offset": "0", "q": "0.5 -0.5", "ctrl": "0.5 0", **given})
    assert [code for code, _ in codes(text, "leg.xml", tmp_path)] == expected


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        ('<joint name="left" value="0.04"/>', []),
        ('<joint name="left" value="0.0401"/>', ["state-limits"]),
        ('<joint name="left" value="0.04"/><joint name="right" value="-0.04"/>', []),
        ('<joint name="left" value="0.04"/><joint name="right" value="-0.01"/>', ["state-coupling"]),
        # the follower alone has no effect
        ('<joint name="right" value="-0.01"/>', ["state-coupling", "state-incomplete"]),
        ('<joint name="left" value="0 0.1"/>', ["state-size"]),
        ('<joint name="left" value="0.01"/><joint name="left" value="0.02"/>', ["state-size"]),
        ('<joint name="left" value="0.01"/><joint name="mount" value="0"/>', ["state-size"]),
        ("", ["state-empty"]),
    ],
)
def test_states_of_groups(state: str, expected: list[str], tmp_path: Path) -> None:
    srdf = (
        '<robot name="arm"><group name="hand"><joint name="left"/><joint name="right"/>'
        f'<joint name="mount"/></group><group_state name="s" group="hand">{state}</group_state></robot>'
    )
    assert sorted(c for c, _ in codes(URDF.format(**GIVEN), "arm.urdf", tmp_path, srdf)) == expected
    # what is reported is not used, and nothing fails
    robot = ub.load(tmp_path / "arm.urdf")
    sizes = {
        name: len(value) if isinstance(value, tuple) else 1 for name, value in posture(robot, "s").items()
    }
    assert all(size == 1 for size in sizes.values())
    assert "mount" not in sizes
    assert main(["fk", str(tmp_path / "arm.urdf"), "--pose", "s"]) == 0


def test_the_later_of_two_states_is_used(tmp_path: Path) -> None:
    group = '<group name="g"><joint name="left"/></group>'
    states = [
        f'<group_state name="s" group="g"><joint name="left" value="{v}"/></group_state>'
        for v in (0.01, 0.02)
    ]
    srdf = (
        f'<robot name="arm">{group}{"".join(states)}<group name="g"><joint name="mount"/></group></robot>'
    )
    assert [c for c, _ in codes(URDF.format(**GIVEN), "arm.urdf", tmp_path, srdf)] == [
        "state-twice",
        "group-twice",
    ]
    assert posture(ub.load(tmp_path / "arm.urdf"), "s") == {"left": 0.02}


def test_joints_outside_of_the_group_are_not_used(tmp_path: Path) -> None:
    srdf = """<robot name="arm"><group name="g"><joint name="left"/></group>
<group name="tool"><link name="tool"/></group>
<group_state name="s" group="g"><joint name="left" value="0.01"/></group_state>
<group_state name="t" group="tool"><joint name="left" value="0.01"/></group_state></robot>"""
    assert [c for c, _ in codes(URDF.format(**GIVEN), "arm.urdf", tmp_path, srdf)] == ["state-group"]
    robot = ub.load(tmp_path / "arm.urdf")
    assert [usable_positions(robot, c) for c in robot.configurations] == [{"left": 0.01}, {}]


def test_a_robot_of_a_program_is_checked_alike(tmp_path: Path) -> None:
    (tmp_path / "arm.urdf").write_text(URDF.format(**GIVEN), "utf-8")
    robot = ub.load(tmp_path / "arm.urdf")
    wrong = ub.Configuration(name="c", positions=(("left", 0.5), ("mount", 1.0)))
    robot = replace(robot, configurations=(wrong,))
    assert {f.code for f in ub.check(robot) if f.code.startswith("state")} == {"state-limits", "state-size"}


# --- initial positions ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "range_", "pose", "expected"),
    [
        ("", "10, 60", "0", [("initial-outside-limits", "warning"), ("state-limits", "warning")]),
        ("", "10, 60", "20", [("initial-outside-limits", "info")]),  # a posture to begin at
        ("joint_angle: 70,", "10, 60", "20", [("initial-outside-limits", "warning")]),
        ("joint_angle: 20,", "10, 60", "20", []),
    ],
)
def test_initial_positions(
    more: str, range_: str, pose: str, expected: list[tuple[str, str]], tmp_path: Path
) -> None:
    assert sorted(codes(ARM.format(pose=pose, range=range_, more=more), "a.body", tmp_path)) == expected


def test_a_pose_is_proposed_for_all_joints_at_once(tmp_path: Path) -> None:
    joint = '<joint name="{0}" type="revolute"><parent link="{1}"/><child link="{0}"/><axis xyz="0 0 1"/>'
    joint += '<limit lower="{2}" upper="{3}" effort="1" velocity="1"/></joint><link name="{0}"/>'
    joints = (
        joint.format("a", "base", 0.5, 1.5) + joint.format("b", "a", -2, -1) + joint.format("c", "b", -1, 1)
    )
    (tmp_path / "r.urdf").write_text(f'<robot name="r"><link name="base"/>{joints}</robot>', "utf-8")
    (one,) = [f for f in ub.read(tmp_path / "r.urdf").findings if f.code == "initial-outside-limits"]
    assert one.severity == "warning"
    assert "begin at a=1 b=-1.5," in one.hint
    srdf = """<robot name="r"><group name="g"><joint name="a"/><joint name="b"/></group>
<group_state name="ready" group="g"><joint name="a" value="1"/><joint name="b" value="-1.5"/></group_state>
</robot>"""
    (tmp_path / "r.srdf").write_text(srdf, "utf-8")
    (one,) = [f for f in ub.read(tmp_path / "r.urdf").findings if f.code == "initial-outside-limits"]
    assert (one.severity, one.hint) == ("info", "begin at the configuration 'ready'")


# --- limits --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, []),
        ({"high": "-0.03"}, [("coupling-limits", "warning")]),
        ({"low": "-0.039"}, [("coupling-limits", "info")]),
        ({"low": "0", "high": "0.04"}, [("coupling-limits", "warning")]),
        ({"ratio": "2", "offset": "-0.04", "low": "-0.04", "high": "0.04"}, []),
        ({"mimic": '<mimic joint="left"/>'}, [("coupling-fixed", "info")]),
        ({"effort": "0"}, [("limit-zero", "warning")]),
        ({"velocity": "0", "effort": "0"}, [("limit-zero", "warning")]),
    ],
)
def test_limits(given: dict[str, str], expected: list[tuple[str, str]], tmp_path: Path) -> None:
    """The follower has no drive of its own, so its limits of 0 are no finding."""
    assert codes(URDF.format(**{**GIVEN, **given}), "arm.urdf", tmp_path) == expected


@pytest.mark.parametrize(
    ("safety", "words"),
    [
        ('soft_lower_limit="0" soft_upper_limit="0" k_velocity="1"', "both soft limits are 0 m;"),
        ('k_velocity="1"', "(soft_lower_limit and soft_upper_limit missing)"),
        ('soft_lower_limit="0.03" soft_upper_limit="0.01" k_velocity="1"', "is above the upper one"),
        ('soft_lower_limit="1" soft_upper_limit="2" k_velocity="1"', "are outside of the limits"),
        ('soft_lower_limit="-1" soft_upper_limit="1" k_velocity="1"', "have no effect there"),
        ('soft_lower_limit="0.001" soft_upper_limit="0.039" k_velocity="1"', ""),
    ],
)
def test_soft_limits(safety: str, words: str, tmp_path: Path) -> None:
    text = URDF.format(**{**GIVEN, "safety": f"<safety_controller {safety}/>"})
    messages = [m for code, _, m in found(text, "arm.urdf", tmp_path) if code == "soft-limits"]
    assert len(messages) == bool(words)
    assert not words or words in messages[0]


def test_forces_of_servos_are_limits_of_effort(tmp_path: Path) -> None:
    """All kinds of actuators of a joint; the forces of several add up."""
    actuators = {
        "motor": '<motor joint="{0}" gear="50" ctrlrange="-1 1"/>',
        "position": '<position joint="{0}" kp="100" gear="2" forcerange="-75 75"/>',
        "general": '<general joint="{0}" gainprm="9" ctrlrange="-2 2"/>',
        "velocity": '<velocity joint="{0}" kv="10" gear="2" ctrlrange="-3 3" forcerange="-10 10"/>',
        "two": '<position joint="{0}" kp="1" forcerange="-5 5"/>'
        '<velocity joint="{0}" kv="1" forcerange="-2 2"/>',
        "open": '<position joint="{0}" kp="1" forcerange="-5 5"/><velocity joint="{0}" kv="1"/>',
    }
    bodies = "".join(f'<body><joint name="{name}" axis="0 1 0"/><geom size="0.1"/>' for name in actuators)
    text = f"<mujoco><worldbody>{bodies}{'</body>' * len(actuators)}</worldbody><actuator>"
    text += "".join(each.format(name) for name, each in actuators.items()) + "</actuator></mujoco>"
    (tmp_path / "a.xml").write_text(text, "utf-8")
    robot = ub.load(tmp_path / "a.xml")
    assert {j.name: j.limits.effort[1] for j in robot.joints} == {
        "motor": 50.0,
        "position": 150.0,
        "general": 18.0,
        "velocity": 20.0,
        "two": 7.0,
        "open": float("inf"),
    }
    assert robot.joint("velocity").limits.velocity == (-1.5, 1.5)
    # what is written has the actuators, and no second limit of them
    assert "actuatorfrcrange" not in ub.dumps(robot, format="mjcf")
    assert ub.loads(ub.dumps(robot, format="mjcf"), format="mjcf").joints == robot.joints
