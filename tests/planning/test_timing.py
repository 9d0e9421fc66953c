"""Trajectories: limits hold everywhere, corners are proved, and one line takes no longer than it must."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from tests.planning.robots import box, planar_arm

from unibody.motions.notations import format_motion
from unibody.planning.profile import Rates, double_s, trapezoid

PIN = box("pin", (0.05, 0.05, 0.5), (1.5, 0.0, 0.0))


def found(seed: int = 0) -> ub.PlanResult:
    world = ub.collisions(planar_arm(count=3), [PIN])
    return ub.shorten(ub.plan(world, [0.7, 0.3, 0.1], [-0.7, -0.3, 0.1], seed=seed, iterations=2000))


def test_limits_hold_everywhere() -> None:
    velocity, acceleration = {"j0": 1.0, "j1": 2.0, "j2": 0.5}, {"j0": 3.0, "j1": 2.0, "j2": 9.0}
    for seed in range(4):
        plan = found(seed)
        for jerk in (None, 20.0):
            motion = ub.timed(plan, velocity, acceleration, jerk)
            times = motion.sampled(1e-3).times
            assert times is not None
            assert motion.times is not None
            # just before the end of each piece, too
            times = np.concatenate([times, np.nextafter(motion.times[1:], 0.0)])
            state = motion.at(times)
            assert (np.abs(state.velocity) <= np.array(list(velocity.values())) + 1e-9).all()
            assert (np.abs(state.acceleration) <= np.array(list(acceleration.values())) + 1e-9).all()
            if jerk is not None:
                assert (np.abs(state.jerk) <= jerk + 1e-9).all()
                assert len(motion.stops) == len(plan.found) - 2
            assert np.abs(motion.at(0.0).q - plan.found[0]).max() < 1e-12
            assert np.abs(motion.at(motion.duration).q - plan.found[-1]).max() < 1e-12
            assert np.abs(motion.at([0.0, motion.duration]).velocity).max() < 1e-12


def test_it_is_continuous_and_its_derivatives_are_right() -> None:
    motion = ub.timed(found(), 1.0, 2.0, 20.0)
    assert motion.times is not None
    before, after = motion.at(motion.times[1:-1] - 1e-9), motion.at(motion.times[1:-1] + 1e-9)
    assert np.abs(before.q - after.q).max() < 1e-8
    assert np.abs(before.velocity - after.velocity).max() < 1e-7
    assert np.abs(before.acceleration - after.acceleration).max() < 1e-6
    t = np.linspace(0.01, motion.duration - 0.01, 200)
    slope = (motion.at(t + 1e-6).q - motion.at(t - 1e-6).q) / 2e-6
    assert np.abs(slope - motion.at(t).velocity).max() < 1e-5


def test_blends_are_free_and_faster_than_stops() -> None:
    plan = found()
    assert len(plan.found) > 2
    blended, stopping = ub.timed(plan, 1.0, 2.0), ub.timed(plan, 1.0, 2.0, blend=False)
    assert blended.duration < stopping.duration
    assert len(stopping.stops) == len(plan.found) - 2
    for motion in (blended, stopping):
        rows = motion.sampled(1e-3)
        assert not plan.world.colliding(rows.q).any()
        assert plan.world.path(rows.q[::5]).status == "free"
        assert rows.times is not None
        assert (np.diff(rows.times) > 0.0).all()


def test_a_blend_that_would_touch_is_a_stop() -> None:
    # a corner against a plate leaves no room for a parabola
    robot = ub.Robot(
        name="gantry",
        links=(
            ub.Link(name="base"),
            ub.Link(name="x"),
            ub.Link(name="y", collisions=(box("b", (0.1, 0.1, 0.1), (0.0, 0.0, 0.0)),)),
        ),
        joints=tuple(
            ub.Joint(
                name=n, kind="prismatic", parent=p, child=n, axis=a, limits=ub.Limits(position=(-2.0, 2.0))
            )
            for n, p, a in (("x", "base", (1.0, 0.0, 0.0)), ("y", "x", (0.0, 1.0, 0.0)))
        ),
    )
    corner = box("corner", (1.0, 1.0, 0.1), (0.5501, 0.5501, 0.0))
    world = ub.collisions(robot, [corner])
    plan = ub.plan(world, [-0.5, 1.0], [-0.5, 0.5])
    path = np.array([[-0.0001, 1.0], [-0.0001, -0.0001], [1.0, -0.0001]])
    assert world.path(path).status == "free"
    # the parabola cuts the corner on the inner side, where the obstacle is
    assert len(ub.timed(replace(plan, path=path), 1.0, 2.0).stops) == 1
    outer = np.array([[-0.5, 1.0], [-0.5, -0.5], [1.0, -0.5]])
    assert ub.timed(replace(plan, path=outer), 1.0, 2.0).stops == ()


def test_one_line_takes_as_long_as_ruckig_says() -> None:
    ruckig = pytest.importorskip("ruckig", reason="the oracle of durations")
    rng = np.random.default_rng(0)
    for _ in range(200):
        speed, acceleration, jerk, length = np.exp(rng.uniform(-3.0, 3.0, 4)).tolist()
        for limit in (jerk, math.inf):
            given = ruckig.InputParameter(1)
            given.current_position, given.target_position = [0.0], [length]
            given.max_velocity, given.max_acceleration = [speed], [acceleration]
            given.max_jerk = [limit]
            solved = ruckig.Trajectory(1)
            assert ruckig.Ruckig(1).calculate(given, solved) == ruckig.Result.Working
            rates = Rates(speed, acceleration, acceleration, limit)
            phases = double_s(length, rates) if math.isfinite(limit) else trapezoid(length, 0.0, 0.0, rates)
            assert sum(p[0] for p in phases) == pytest.approx(solved.duration, rel=1e-3)


def test_phases_reach_the_end_at_rest() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        length, *limits = np.exp(rng.uniform(-4.0, 4.0, 5)).tolist()
        for phases in (double_s(length, Rates(*limits)), trapezoid(length, 0.0, 0.0, Rates(*limits[:3]))):
            s = v = 0.0
            for t, a, j in phases:
                s += t * (v + t * (a / 2.0 + t * j / 6.0))
                v += t * (a + t * j / 2.0)
            assert s == pytest.approx(length, rel=1e-9)
            assert v == pytest.approx(0.0, abs=1e-9 * max(limits))


def test_limits_of_the_robot_and_missing_ones() -> None:
    plan = found()
    with pytest.raises(ValueError, match="'j0' has no limit of velocity; pass velocity="):
        ub.timed(plan)
    with pytest.raises(ValueError, match="pass acceleration="):
        ub.timed(plan, 1.0)
    with pytest.raises(KeyError, match="unknown joint 'elbow'"):
        ub.timed(plan, {"elbow": 1.0}, 1.0)
    with pytest.raises(ValueError, match="above 0"):
        ub.timed(plan, 0.0, 1.0)
    robot = plan.world.mechanism.robot
    one_way = replace(robot.joints[0], limits=ub.Limits(velocity=(0.0, 1.0)))
    robot = replace(robot, joints=(one_way, *robot.joints[1:]))
    with pytest.raises(ValueError, match="'j0' has a limit of velocity of 0 and cannot move"):
        ub.timed(replace(plan, world=ub.collisions(robot)), 1.0, 1.0)
    robot = plan.world.mechanism.robot
    slow = ub.Limits(velocity=(-0.5, 0.25), acceleration=(-1.0, 1.0), deceleration=(-2.0, 2.0))
    limited = replace(
        robot,
        joints=tuple(replace(j, limits=replace(slow, position=j.limits.position)) for j in robot.joints),
    )
    world = ub.collisions(limited)
    up = ub.timed(ub.plan(world, [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]))
    down = ub.timed(ub.plan(world, [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]))
    assert up.duration == pytest.approx(1.0 / 0.25 + 0.5 * 0.25 / 1.0 + 0.5 * 0.25 / 2.0)
    assert down.duration == pytest.approx(1.0 / 0.5 + 0.5 * 0.5 / 1.0 + 0.5 * 0.5 / 2.0)
    assert ub.timed(ub.plan(world, [0.0] * 3, [0.0] * 3)).duration == 0.0


def test_times_of_rows_grow(tmp_path: Path) -> None:
    plan = found()
    far = np.array([[0.0] * 3, [1.0, 0.0, 0.0], [1.0, 1e-14, 0.0], [1.0, 1e-14, 1.0]])
    for path in (far, far[:1], far[[0, 0]], far[[1, 2]]):
        motion = ub.timed(replace(plan, path=path), 1.0, 2.0)
        rows = motion.sampled()
        assert rows.times is not None
        assert (np.diff(rows.times) > 0.0).all()
        assert rows.q[-1].tolist() == pytest.approx(path[-1].tolist())
        said = yaml.safe_load(format_motion(motion, plan.world.mechanism, ".yaml")[".yaml"])["points"]
        stamps = [p["time_from_start"]["sec"] * 10**9 + p["time_from_start"]["nanosec"] for p in said]
        assert stamps == sorted(set(stamps))
        assert said[-1]["positions"] == rows.q[-1].tolist()


def test_it_is_written_for_ros(tmp_path: Path) -> None:
    plan = found()
    motion, robot = ub.timed(plan, 1.0, 2.0), plan.world.mechanism
    ub.save_motion(motion.sampled(0.05), tmp_path / "t.yaml", robot)
    with pytest.raises(FileExistsError, match="overwrite"):
        ub.save_motion(motion, tmp_path / "t.yaml", robot)
    said = yaml.safe_load((tmp_path / "t.yaml").read_text("utf-8"))
    assert said["joint_names"] == ["j0", "j1", "j2"]
    last = said["points"][-1]
    assert last["positions"] == motion.at(motion.duration).q.tolist()
    assert last["time_from_start"]["sec"] + 1e-9 * last["time_from_start"]["nanosec"] == pytest.approx(
        motion.duration
    )
    assert len(last["velocities"]) == len(last["accelerations"]) == 3
    ub.save_motion(motion, tmp_path / "t.csv", robot)
    assert (
        (tmp_path / "t.csv")
        .read_text("utf-8")
        .startswith("time,j0,j1,j2,velocity:j0,velocity:j1,velocity:j2,acc")
    )
    with pytest.raises(ValueError, match=r"written as \.csv, \.json"):
        ub.save_motion(motion, tmp_path / "t.txt", robot)
