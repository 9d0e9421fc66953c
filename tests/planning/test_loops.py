"""Plans on closed loops: the loops stay closed, nothing touches at samples, and that is what is said."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from tests.planning.robots import bar, box, joint

PIN = box("pin", (0.1, 0.3, 1.0), (0.5, 1.55, 0.0))
ROUND = ub.Holds(axial=True, radial=True, twist=False, swing=True)
BALL = ub.Holds(axial=True, radial=True, twist=False, swing=False)


def five_bar(middle: str = "revolute", **more: object) -> ub.Robot:
    """Two arms of two bars of 1 m, 1 m apart, that hold one another's tips: two degrees of freedom."""
    names = ("base", "a0", "a1", "b0", "b1")
    joints = (
        joint("ja0", "base", "a0"),
        joint("ja1", "a0", "a1", middle, at=(1.0, 0.0, 0.0)),  # type: ignore[arg-type]
        joint("jb0", "base", "b0", at=(1.0, 0.0, 0.0)),
        joint("jb1", "b0", "b1", at=(1.0, 0.0, 0.0)),
    )
    loop = ub.Loop(
        name="tips",
        link_a="a1",
        pose_a=ub.Pose((1.0, 0.0, 0.0)),
        link_b="b1",
        pose_b=ub.Pose((1.0, 0.0, 0.0)),
        axis=(0.0, 0.0, 1.0),
        holds=ROUND if middle == "revolute" else BALL,
    )
    # joints of ball type keep the bars in the plane only at rest, so the bars are thin
    return ub.Robot(
        name="five-bar",
        links=(ub.Link(name="base"), *(bar(name) for name in names[1:])),
        joints=joints,
        loops=(loop,),
        base="fixed",
        self_collision=ub.SelfCollision(default="none"),
        **more,  # type: ignore[arg-type]
    )


def at_tip(world: ub.World, x: float, y: float, up: bool = True) -> np.ndarray:
    """The configuration with the tips at a place, and the elbows outward."""
    m = world.mechanism

    def angles(dx: float, dy: float, side: float) -> tuple[float, float]:
        bend = side * math.acos((dx * dx + dy * dy - 2.0) / 2.0)
        return math.atan2(dy, dx) - math.atan2(math.sin(bend), 1.0 + math.cos(bend)), bend

    a, b = angles(x, y, -1.0), angles(x - 1.0, y, 1.0)
    q = np.array(m.initial)
    given = dict(zip(("ja0", "ja1", "jb0", "jb1"), (*a, *b), strict=True))
    for name, value in given.items():
        number = m.joint_names.index(name)
        entry = int(m.idx_q[number])
        if m.tree.kinds[number] == "ball":
            q[entry : entry + 4] = math.cos(value / 2), 0.0, 0.0, math.sin(value / 2)
        else:
            q[entry] = value
    return q


def check(world: ub.World, path: np.ndarray) -> None:
    """The loops are closed at all configurations, and nothing touches between them."""
    m = world.mechanism
    assert np.abs(m.loop_residual(path)).max() < 1e-6
    assert world.path(path).status == "sampled"
    for a, b in pairwise(path):
        velocity = np.asarray(m.difference(a, b))
        assert np.abs(velocity).max() < 0.6  # no jump to another branch
        q = m.integrate(a, np.linspace(0.0, 1.0, 60)[:, None] * velocity)
        closure = m.close_loops(q)
        assert closure.closed.all()
        assert not world.colliding(closure.q).any()


@pytest.mark.slow
@pytest.mark.parametrize("middle", ["revolute", "ball"])
def test_a_path_around_a_pin(middle: str) -> None:
    world = ub.collisions(five_bar(middle), [PIN])
    start, goal = at_tip(world, 0.2, 1.5), at_tip(world, 0.8, 1.5)
    assert np.abs(world.mechanism.loop_residual(np.array([start, goal]))).max() < 1e-9
    assert world.segment(start, goal).status == "hit"
    found = ub.plan(world, start, goal, iterations=500)
    assert (found.reason, found.status) == ("", "sampled")
    assert 0.0 < found.step <= 0.01
    assert np.array_equal(found.found[0], start)
    assert found.found[-1] == pytest.approx(goal, abs=1e-6)
    check(world, found.found)
    shorter = ub.shorten(found)
    assert shorter.length <= found.length
    check(world, shorter.found)
    with pytest.raises(ValueError, match="no time law"):
        ub.timed(found, velocity=1.0, acceleration=1.0)
    again = ub.plan(world, start, goal, iterations=500)
    assert np.array_equal(again.found, found.found)


def test_a_straight_motion_follows_the_loops() -> None:
    world = ub.collisions(five_bar())
    start, goal = at_tip(world, 0.2, 1.1), at_tip(world, 0.8, 1.3)
    found = ub.plan(world, start, goal)
    assert found.status == "sampled"
    assert found.iterations == 0
    check(world, found.found)


def test_positions_by_name_close_the_loops() -> None:
    world = ub.collisions(five_bar())
    start = at_tip(world, 0.5, 1.2)
    found = ub.plan(world, start, {"ja0": start[0] + 0.3, "jb0": start[2] + 0.2})
    assert found.found[-1][[0, 2]] == pytest.approx(start[[0, 2]] + [0.3, 0.2])
    check(world, found.found)
    pose = np.eye(4)
    pose[:3, 3] = 0.6, 1.4, 0.0
    tip = ub.Target(frame=("a1", ub.Pose((1.0, 0.0, 0.0))), pose=pose, orientation=False)
    reached = ub.plan(world, start, tip)
    assert world.mechanism.pose(reached.found[-1], tip.frame)[:2, 3] == pytest.approx([0.6, 1.4], abs=1e-5)
    check(world, reached.found)


def test_what_is_off_the_loops_is_refused() -> None:
    world = ub.collisions(five_bar())
    good = at_tip(world, 0.5, 1.2)
    off = good + np.array([0.1, 0.0, 0.0, 0.0])
    for start, goal, reason in ((off, good, "start off the loops"), (good, off, "goal off the loops")):
        found = ub.plan(world, start, goal)
        assert found.reason == reason
        assert "leaves the loop tips open" in found.message
        assert "close_loops" in found.message
    # both arms point outward: no positions of the others close the loop
    apart = ub.plan(world, good, {"ja0": math.pi, "jb0": 0.0})
    assert apart.reason == "goal off the loops"
    with pytest.raises(ValueError, match="sbl moves no closed loops"):
        ub.plan(world, good, good, "sbl")


def test_frozen_coordinates_stay_and_passive_ones_follow() -> None:
    coordinates = tuple(
        ub.Coordinate(
            index=i,
            drives=(ub.Drive(joint=name, at_zero=-math.pi, at_one=math.pi),),
            passive=name == "ja1",
            frozen=name == "jb0",
        )
        for i, name in enumerate(("ja0", "ja1", "jb0"))
    )
    world = ub.collisions(five_bar(coordinates=coordinates))
    start = at_tip(world, 0.5, 1.2)
    found = ub.plan(world, start, {"ja0": start[0] - 0.3, "jb0": start[2]})
    assert np.ptp(found.found[:, 2]) == 0.0
    assert (np.ptp(found.found[:, [0, 1, 3]], axis=0) > 0.01).all()
    moved = ub.plan(world, start, {"ja0": start[0] - 0.3, "jb0": start[2] + 0.1})
    assert (moved.reason, moved.joint) == ("goal not reached by the coordinates", "jb0")


def test_samples_are_close_on_the_loops_too() -> None:
    """Near a singularity small steps of one joint move another far."""
    world = ub.collisions(five_bar())
    start, goal = at_tip(world, 0.5, 1.9), at_tip(world, 0.55, 1.75)
    found = world.segment(start, goal)
    assert found.status == "sampled"
    assert found.step <= 0.01 * (1.0 + 1e-6)


def test_a_plan_that_moves_no_loop_is_proved() -> None:
    robot = five_bar()
    robot = replace(
        robot,
        links=(*robot.links, bar("other")),
        joints=(*robot.joints, joint("alone", "base", "other", at=(0.0, -5.0, 0.0))),
        coordinates=(ub.Coordinate(index=0, drives=(ub.Drive(joint="alone", at_zero=-1.0, at_one=1.0),)),),
    )
    world = ub.collisions(robot)
    start = at_tip(world, 0.5, 1.2)
    found = ub.plan(world, start, {"alone": 0.5, "ja0": start[0]}, method="sbl")
    assert found.status == "free"
