"""Where an SRDF file is found, and what it adds to the robot."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import unibody as ub
from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.formats.srdf.samples import SAMPLES
from unibody.model.robot import Chain

SRDF, URDF = SAMPLES["lamp.srdf"], SAMPLES["lamp.urdf"]


def _read(path: str, srdf: str | None = None, **files: str) -> Reading:
    contents = {name.replace("__", "/"): text.encode() for name, text in files.items()}
    return read(path, files=MemoryFiles(contents), srdf=srdf)


def test_the_sample() -> None:
    robot = _read("lamp.srdf", **SAMPLES).robot
    assert robot is not None
    arm, neck, everything = robot.groups
    assert arm.chains == (Chain(base_link="foot", tip_link="head"),)
    assert (neck.members, neck.joint_members) == (("head",), ("neck",))
    assert everything.subgroups == ("arm", "neck")
    (reading,) = robot.configurations
    assert (reading.name, reading.group, reading.by_joint) == (
        "reading",
        "arm",
        {"shoulder": 0.4, "neck": -0.9},
    )
    assert robot.self_collision.default == "all"
    assert robot.self_collision.disabled == (("foot", "pole"), ("pole", "head"), ("foot", "head"))
    assert robot.base == "fixed"


@pytest.mark.parametrize(
    ("urdf", "srdf"),
    [
        ("lamp.urdf", "lamp.srdf"),
        ("urdf/lamp.urdf", "srdf/lamp.srdf"),
        ("robots/lamp.urdf", "config/lamp.srdf"),
        ("lamp_description/urdf/lamp.urdf", "lamp_moveit_config/config/lamp.srdf"),
        ("lamp_description/urdf/lamp_v2.urdf", "lamp_moveit_config/config/lamp.srdf"),
    ],
)
def test_places(urdf: str, srdf: str) -> None:
    contents = {f"ws/{urdf}": URDF, f"ws/{srdf}": SRDF}
    for path in (urdf, srdf):
        robot = _read(f"ws/{path}", **contents).robot
        assert robot is not None
        assert [g.name for g in robot.groups] == ["arm", "neck", "all"]
    alone = _read(f"ws/{urdf}", srdf="", **contents).robot
    assert alone is not None
    assert not alone.groups


def test_the_srdf_of_another_robot_is_read_only_by_name() -> None:
    other = SRDF.replace('name="lamp"', 'name="desk"')
    found = _read("lamp.urdf", **{"lamp.urdf": URDF, "lamp.srdf": other})
    assert found.robot is not None
    assert not found.robot.groups
    assert [f.code for f in found.findings if f.code.startswith("srdf")] == ["srdf-not-used"]
    named = _read("lamp.urdf", srdf="lamp.srdf", **{"lamp.urdf": URDF, "lamp.srdf": other})
    assert named.robot is not None
    assert len(named.robot.groups) == 3
    assert "srdf-robot" in {f.code for f in named.findings}


def test_a_missing_srdf_is_an_error() -> None:
    reading = _read("lamp.urdf", srdf="lamps.srdf", **{"lamp.urdf": URDF})
    assert [f.code for f in reading.findings if f.severity == "error"] == ["file-missing"]


def test_virtual_joints_are_kept_where_they_are() -> None:
    text = SRDF.replace('<joint name="neck"/>', '<joint name="neck"/><joint name="mount"/>', 1)
    text = text.replace('type="fixed"', 'type="planar"')
    robot = _read("lamp.srdf", **{"lamp.srdf": text, "lamp.urdf": URDF}).robot
    assert robot is not None
    assert robot.base is None
    assert [e.owner for e in robot.extras if e.format == "srdf"] == ["groups/neck", ""]


def test_floating_joints_have_w_first() -> None:
    urdf = URDF.replace('<joint name="neck" type="revolute">', '<joint name="neck" type="floating">')
    srdf = SRDF.replace('value="-0.9"', 'value="1 2 3 0 0 0.6 0.8"')
    robot = _read("lamp.srdf", **{"lamp.srdf": srdf, "lamp.urdf": urdf}).robot
    assert robot is not None
    assert robot.configurations[0].by_joint["neck"] == (1.0, 2.0, 3.0, 0.8, 0.0, 0.0, 0.6)


def test_rotors() -> None:
    rotors = '<rotor_params><joint name="neck" mass="1e-5" gear_ratio="100."/></rotor_params></robot>'
    robot = _read("lamp.srdf", **{"lamp.srdf": SRDF.replace("</robot>", rotors), "lamp.urdf": URDF}).robot
    assert robot is not None
    actuator = robot.joint("neck").actuator
    assert (actuator.gear_ratio, actuator.rotor_inertia) == (100.0, 1e-5)
    assert actuator.reflected_inertia == pytest.approx(0.1)


def test_from_python(tmp_path: Path) -> None:
    for name, text in SAMPLES.items():
        (tmp_path / name).write_text(text, "utf-8")
    robot = ub.load(tmp_path / "lamp.urdf")
    assert robot.groups
    assert ub.load(tmp_path / "lamp.urdf", srdf="").groups == ()
    assert ub.load(tmp_path / "lamp.urdf", srdf=tmp_path / "lamp.srdf") == replace(robot)
