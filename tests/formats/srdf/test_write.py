"""SRDF as it is written: on its own, and beside a URDF."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import unibody as ub
from unibody.formats.srdf.write import URDF_KINDS
from unibody.formats.urdf.write import JOINT_TYPES

URDF = """<robot name="lamp">
  <link name="foot"/><link name="arm"/><link name="head"/>
  <joint name="hinge" type="continuous"><parent link="foot"/><child link="arm"/></joint>
  <joint name="tilt" type="continuous"><parent link="arm"/><child link="head"/></joint>
</robot>
"""
SRDF = """<?xml version="1.0"?>
<robot name="lamp">
  <!-- all joints -->
  <group name="all"><joint name="hinge"/><joint name="tilt"/></group>
  <group_state name="bent" group="all">
    <joint name="hinge" value="0.5"/><joint name="tilt" value="1"/>
  </group_state>
  <end_effector name="shade" parent_link="arm" group="all"/>
  <disable_collisions link1="foot" link2="arm" reason="Adjacent"/>
</robot>
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    (tmp_path / "lamp.urdf").write_text(URDF, "utf-8")
    (tmp_path / "lamp.srdf").write_text(SRDF, "utf-8")
    return tmp_path / "lamp.urdf"


def test_a_urdf_is_written_with_its_srdf(model: Path) -> None:
    target = model.parent / "out" / "lamp.urdf"
    report = ub.convert(model, target)
    assert [os.path.basename(name) for name in report.files] == ["lamp.urdf", "lamp.srdf"]
    assert list(report.losses) == []
    assert target.with_suffix(".srdf").read_text("utf-8") == SRDF
    again = ub.load(target)
    assert again.groups == ub.load(model).groups
    assert again.configurations == ub.load(model).configurations
    assert again.self_collision == ub.load(model).self_collision


def test_no_srdf_on_request(model: Path) -> None:
    target = model.parent / "out" / "lamp.urdf"
    report = ub.convert(model, target, srdf="")
    assert not target.with_suffix(".srdf").exists()
    assert report.losses == ()


def test_a_robot_without_groups_has_no_srdf(tmp_path: Path) -> None:
    ub.save(ub.loads(URDF), tmp_path / "lamp.urdf")
    assert sorted(os.listdir(tmp_path)) == ["lamp.urdf"]


def test_an_srdf_of_somebody_else_is_not_replaced(model: Path) -> None:
    robot = ub.load(model)
    folder = model.parent / "out"
    folder.mkdir()
    (folder / "lamp.srdf").write_text("<robot name='other'/>", "utf-8")
    with pytest.raises(ub.SaveError):
        ub.save(robot, folder / "lamp.urdf")
    assert sorted(os.listdir(folder)) == ["lamp.srdf"]
    ub.save(robot, folder / "lamp.urdf", overwrite=True)
    assert ub.load(folder / "lamp.urdf").groups == robot.groups


def test_names_are_renamed_in_the_srdf(model: Path) -> None:
    renamed = ub.rename(ub.load(model), {"links/arm": "rod", "joints/tilt": "nod"})
    target = model.parent / "out" / "lamp.urdf"
    ub.save(renamed, target)
    text = target.with_suffix(".srdf").read_text("utf-8")
    assert 'parent_link="rod"' in text
    assert '<joint name="nod" value="1"/>' in text
    assert "tilt" not in text


def test_an_srdf_keeps_its_text(model: Path) -> None:
    target = model.parent / "out" / "lamp.srdf"
    ub.convert(model.with_suffix(".srdf"), target)
    assert target.read_text("utf-8") == SRDF


def test_a_read_only_file_is_not_replaced(model: Path) -> None:
    robot = ub.load(model)
    target = model.parent / "kept.urdf"
    target.write_text(URDF, "utf-8")
    target.chmod(0o444)
    with pytest.raises(ub.SaveError) as caught:
        ub.save(robot, target, overwrite=True)
    assert [f.code for f in caught.value.findings] == ["output-unwritable"]
    assert target.read_text("utf-8") == URDF


def test_joints_are_split_as_in_the_urdf() -> None:
    assert set(URDF_KINDS) == set(JOINT_TYPES)
