"""What ``unibody info`` computes: trees of any shape, and the gaps of loops."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from unibody.checks import loops as gaps
from unibody.cli import sections
from unibody.cli.output import Window
from unibody.model.device import ContactSwitch, Device
from unibody.model.pose import Pose, from_axis_angle
from unibody.model.robot import BALL, FIXED, HINGE, PISTON, Holds, Joint, Limits, Link, Loop, Robot


def chain(count: int) -> Robot:
    links = tuple(Link(name=f"l{i}") for i in range(count))
    joints = tuple(
        Joint(name=f"j{i}", kind="revolute", parent=f"l{i}", child=f"l{i + 1}") for i in range(count - 1)
    )
    return Robot(name="chain", links=links, joints=joints)


def test_a_long_chain_stays_in_the_window() -> None:
    lines = sections.tree(chain(3000), Window(width=80))
    assert len(lines) == 3000
    assert max(map(len, lines)) <= 80


def test_acceleration_and_jerk_limits_have_a_column_only_where_there_are_some() -> None:
    robot = chain(3)
    assert "acceleration" not in "\n".join(sections.joints(robot, Window()))
    rates = (-math.pi, math.pi / 2)
    limits = Limits(velocity=(-1.0, 1.0), acceleration=rates, deceleration=rates, effort=(-5.0, 5.0))
    even = (-3.0, 3.0)
    slide = replace(robot.joints[1], kind="prismatic", limits=Limits(acceleration=even, deceleration=even))
    robot = replace(robot, joints=(replace(robot.joints[0], limits=limits), slide))
    titles, turn, push = sections.joints(robot, Window())
    assert titles.split()[-3:] == ["velocity", "acceleration", "effort"]
    assert turn.split()[-5:] == ["-180", "…", "90°/s²", "5", "N·m"]
    assert push.endswith(" 3 m/s²")
    assert "acceleration" not in sections.joints(robot, Window(width=60))[0]
    limits = replace(limits, deceleration=(-math.pi, math.pi), jerk=even)
    robot = replace(robot, joints=(replace(slide, limits=limits),))
    titles, push_row = sections.joints(robot, Window())
    assert titles.split()[-5:] == ["velocity", "acceleration", "deceleration", "jerk", "effort"]
    assert push_row.split()[-4:] == ["3", "m/s³", "5", "N"]


def test_the_threshold_of_a_contact_switch_is_shown_unless_any_contact_closes_it() -> None:
    switches = tuple(
        Device(name=f"above_{force:g}", link="foot", spec=ContactSwitch(threshold=force))
        for force in (0, 2.5)
    )
    robot = Robot(name="foot", links=(Link(name="foot"),), devices=switches)
    lines = [line.split() for line in sections.devices(robot, Window())]
    assert lines[1:] == [
        ["above_0", "contact", "switch", "foot", "0", "0", "0"],
        ["above_2.5", "contact", "switch", "foot", "0", "0", "0"],
        ["above", "2.5", "N"],
    ]


def test_a_cycle_ends() -> None:
    robot = chain(3)
    loop = Joint(name="back", kind="fixed", parent="l2", child="l0")
    ring = Robot(name="ring", links=robot.links, joints=(*robot.joints, loop))
    assert len(sections.tree(ring, Window())) == 4
    assert sections.summary(ring, "", "", "", Window())


def apart(holds: Holds, pose: Pose) -> tuple[float, float]:
    loop = Loop(name="l", link_a="a", link_b="b", axis=(0.0, 1.0, 0.0), holds=holds)
    found = gaps.gap(loop, Pose(), pose)
    return round(found.distance, 12), round(math.degrees(found.angle), 9)


def test_a_gap_counts_only_what_is_held() -> None:
    tilted = Pose((3.0, 5.0, 4.0), from_axis_angle((1.0, 0.0, 0.0), math.radians(20)) or (1, 0, 0, 0))
    turned = Pose((0.0, 0.0, 0.0), from_axis_angle((0.0, 1.0, 0.0), math.radians(-30)) or (1, 0, 0, 0))
    assert apart(BALL, tilted) == (round(math.hypot(3, 4, 5), 12), 0)
    assert apart(HINGE, turned) == (0, 0)
    assert apart(HINGE, tilted)[1] == 20
    assert apart(FIXED, turned) == (0, 30)
    assert apart(PISTON, tilted) == (5, 20)
    assert apart(Holds(axial=True, radial=False, twist=True), turned) == (0, 30)


def test_a_gap_is_seen_in_the_anchors() -> None:
    a = Pose((1.0, 0.0, 0.0), from_axis_angle((0.0, 0.0, 1.0), math.pi / 2) or (1, 0, 0, 0))
    # The anchor's own turn moves no axis: the loop's axis is given in the link.
    loop = Loop(name="l", link_a="a", link_b="b", pose_a=a, axis=(0.0, 0.0, 1.0), holds=PISTON)
    found = gaps.gap(loop, Pose(), Pose((1.0, 0.2, 9.0), a.quat))
    assert found.distance == pytest.approx(0.2)
    assert found.angle == pytest.approx(0.0)
