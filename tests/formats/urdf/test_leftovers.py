"""Extras of a URDF model against what its writer writes itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import unibody as ub
from unibody.model.robot import Extra
from unibody.text.node import Item, Node, Word


def _attribute(name: str, text: str) -> Item:
    return (name, Word(text), -1)


def test_a_leftover_does_not_repeat_an_attribute_of_its_element() -> None:
    text = (
        "<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='continuous'>"
        "<parent link='a'/><child link='b'/><limit velocity='1' effort='2' jerk='3'/></joint></robot>"
    )
    limit = [_attribute("jerk", "9"), _attribute("effort", "9"), _attribute("k_velocity", "4")]
    items = [("limit", Node("limit", limit), -1), _attribute("name", "other")]
    extra = Extra(format="urdf", owner="joints/j", node=Node("", items))
    written = ub.dumps(replace(ub.loads(text, format="urdf"), extras=(extra,)), format="urdf", plain=True)
    assert written.count("jerk=") == written.count("effort=") == 1
    assert 'jerk="3" k_velocity="4"' in written
    assert "other" not in written


DIALECT = """\
<robot name="m">
  <link name="a">
    <collision concave="yes" group="body"><geometry><sphere radius="1"/></geometry></collision>
  </link>
  <link name="b"/>
  <joint name="k" type="continuous"><parent link="a"/><child link="b"/>
    <limit effort="33" velocity="7" stiffness="5"/>
    <dynamics damping="0.1" armature="0.05" spring_stiffness="3" spring_reference="0.1"/></joint>
</robot>
"""


def test_attributes_of_simulators_are_read_and_others_stay_in_the_text(tmp_path: Path) -> None:
    path = tmp_path / "m.urdf"
    path.write_text(DIALECT, "utf-8")
    reading = ub.read(path)
    assert reading.robot is not None
    joint = reading.robot.joint("k")
    assert joint.actuator.axis_inertia == 0.05
    assert (joint.dynamics.stiffness, joint.dynamics.rest) == (3.0, 0.1)
    assert "dynamics-extension" in [f.code for f in reading.findings]
    report = ub.convert(path, tmp_path / "out.urdf")
    assert not report.reading
    assert (tmp_path / "out.urdf").read_text("utf-8") == DIALECT
    # what the other format has no place for is named, what the model has is not
    report = ub.convert(path, tmp_path / "out.xml")
    assert sorted(u.key for u in report.reading) == ["concave", "group"]
    assert 'armature="0.05"' in (tmp_path / "out.xml").read_text("utf-8")


def test_armatures_and_springs_are_written(tmp_path: Path) -> None:
    path = tmp_path / "m.urdf"
    path.write_text(DIALECT.replace(' damping="0.1"', ""), "utf-8")
    robot = ub.load(path)
    report = ub.save(robot, tmp_path / "new.urdf", plain=True)
    # ROS requires damping or friction
    words = '<dynamics damping="0" armature="0.05" spring_stiffness="3" spring_reference="0.1"/>'
    assert words in (tmp_path / "new.urdf").read_text("utf-8")
    assert {x.path for x in report.extensions} == {
        "joints/k/actuator/axis_inertia",
        "joints/k/dynamics/stiffness",
    }
