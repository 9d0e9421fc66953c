"""Anchors of loops that cannot meet move to where closing the loops leaves them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

import unibody as ub
from unibody.mechanism.settling import with_settled_loops
from unibody.model.pose import Pose, Vector3
from unibody.model.robot import BALL, FIXED, HINGE, Holds, Joint, Link, Loop, Robot

LENGTH = 0.5


def four_bar(holds: Holds, offset: Vector3 = (0.0, 0.0, 0.0), tilt: float = 0.0) -> Robot:
    """A planar linkage about Z whose last anchor is displaced, and turned about X by ``tilt``."""
    places = {"a": ("base", 0.0), "b": ("a", LENGTH), "c": ("base", LENGTH)}
    joints = tuple(
        Joint(name=name, kind="revolute", parent=parent, child=name, origin=Pose((x, 0.0, 0.0)))
        for name, (parent, x) in places.items()
    )
    end = Pose(offset, (math.cos(tilt / 2.0), math.sin(tilt / 2.0), 0.0, 0.0))
    loop = Loop(name="close", link_a="b", link_b="c", pose_b=end, holds=holds)
    links = tuple(Link(name=name) for name in ("base", *places))
    return Robot(name="bar", links=links, joints=joints, loops=(loop,), base="fixed")


def rest(robot: Robot) -> float:
    """What closing the loops of a robot leaves."""
    mechanism = ub.assemble(robot)
    return float(np.abs(mechanism.close_loops(mechanism.initial).residual).max())


@pytest.mark.parametrize("holds", [BALL, HINGE, FIXED])
@pytest.mark.parametrize(("offset", "tilt"), [((0.0, 0.0, 0.04), 0.0), ((0.1, 0.05, -0.02), 0.1)])
def test_what_no_motion_closes_is_left_out(holds: Holds, offset: Vector3, tilt: float) -> None:
    robot = four_bar(holds, offset, tilt)
    made = with_settled_loops(robot, ("close",))
    assert rest(robot) > 0.01
    assert rest(made) < 1e-9


def test_only_the_held_directions_move() -> None:
    holds = Holds(axial=False, radial=True, swing=True)
    robot = four_bar(holds, (0.0, 0.0, 0.04))
    assert with_settled_loops(robot, ("close",)).loops == robot.loops


def test_a_loop_that_closes_or_is_not_named_stays() -> None:
    closed = four_bar(HINGE, (0.1, 0.1, 0.0))
    assert with_settled_loops(closed, ("close",)) is closed
    open_ = four_bar(HINGE, (0.0, 0.0, 0.04))
    assert with_settled_loops(open_, ()) is open_


def test_a_robot_that_cannot_be_computed_stays() -> None:
    robot = four_bar(HINGE, (0.0, 0.0, 0.04))
    screw = replace(robot.joints[0], kind="screw")
    robot = replace(robot, joints=(screw, *robot.joints[1:]))
    assert with_settled_loops(robot, ("close",)) is robot
