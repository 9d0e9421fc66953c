"""A gearbox couples the joints of its two links; its axes say in which direction each turns."""

from __future__ import annotations

import pytest

from unibody.files.access import MemoryFiles
from unibody.formats.loader import read
from unibody.model.robot import Robot

GEARS = """<sdf version="1.11"><model name="m">
  <link name="base"/><link name="a"/><link name="b"/>
  <joint name="ja" type="revolute"><parent>base</parent><child>a</child><axis><xyz>{a}</xyz></axis></joint>
  <joint name="jb" type="revolute"><parent>base</parent><child>b</child><axis><xyz>{b}</xyz></axis></joint>
  <joint name="g" type="gearbox"><parent>a</parent><child>b</child>
    <gearbox_ratio>3</gearbox_ratio><gearbox_reference_body>base</gearbox_reference_body>
    <axis><xyz>{first}</xyz></axis><axis2><xyz>{second}</xyz></axis2></joint>
</model></sdf>"""
UP, DOWN = "0 0 1", "0 0 -1"


def test_a_zero_axis_is_that_of_the_joint() -> None:
    text = GEARS.format(a=UP, b=DOWN, first="0 0 0", second=UP)
    found = read("m.sdf", files=MemoryFiles({"m.sdf": text.encode()}))
    (finding,) = (f for f in found.findings if f.code == "axis-zero")
    assert finding.message.endswith("taking the axis of the joint that it couples")
    assert isinstance(found.robot, Robot)
    assert [c.ratio for c in found.robot.couplings] == [3.0]
    assert [j.kind for j in found.robot.joints if j.name in ("ja", "jb")] == ["revolute"] * 2


@pytest.mark.parametrize(
    ("a", "b", "first", "second", "ratio"),
    [
        (UP, UP, UP, UP, -3.0),
        (UP, UP, DOWN, DOWN, -3.0),
        (UP, UP, UP, DOWN, 3.0),
        (DOWN, UP, UP, UP, 3.0),
        (DOWN, DOWN, UP, UP, -3.0),
    ],
)
def test_the_ratio_is_about_the_axes_of_the_gearbox(
    a: str, b: str, first: str, second: str, ratio: float
) -> None:
    text = GEARS.format(a=a, b=b, first=first, second=second)
    robot = read("m.sdf", files=MemoryFiles({"m.sdf": text.encode()})).robot
    assert isinstance(robot, Robot)
    (coupling,) = robot.couplings
    assert (coupling.joint, coupling.leader, coupling.ratio) == ("ja", "jb", ratio)
