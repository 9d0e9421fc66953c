"""Contacts against the series of Choreonoid in ``../shared/oracle/simulation``, and closed forms."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from tests.shared import DEV
from tests.simulation.test_series import SERIES

import unibody as ub
from unibody.model.inertia import matrix3
from unibody.model.pose import matrix_quaternion
from unibody.simulation.materials import MaterialTable, PairValues
from unibody.simulation.members import Member
from unibody.simulation.simulation import Simulation

pytestmark = pytest.mark.usefixtures("shared")

GRAVITY = 9.80665
# Time (s) that one test simulates after its robot has come to rest or to a constant speed.
_AFTER = 0.2


def _pair(a: str, b: str, friction: float, restitution: float = 0.0) -> Any:
    return frozenset((a, b)), PairValues(static=friction, sliding=friction, restitution=restitution)


#: The pairs of Choreonoid's material table that the series touch.
TABLE = MaterialTable(
    pairs=dict(
        [
            _pair("Ground", "Default", 0.5),
            _pair("Ground", "Ball", 0.5, 0.8),
            _pair("Ground", "Sole", 1.0),
            _pair("Default", "Default", 0.5),
        ]
    )
)


def on_floor(name: str) -> tuple[Simulation, Member, dict[str, Any]]:
    """A simulation with the robot of a series at its first row, the robot, and the series."""
    told = json.loads((SERIES / f"{name}.json").read_text("utf-8"))
    floor, robot = (ub.load(DEV / path) for path in told["models"])
    sim = ub.simulate([floor, robot], materials=TABLE)
    moving, series = list(sim.robots.values())[1], told["series"]
    mechanism = moving.mechanism
    q, v = mechanism.initial.copy(), np.zeros(mechanism.nv)
    pose = np.array(series["root_pose"][0])
    turn = pose[3:].reshape(3, 3)
    q[:3], q[3:7] = pose[:3], matrix_quaternion(matrix3(turn))
    v[:3], v[3:6] = turn.T @ series["root_v"][0], turn.T @ series["root_w"][0]
    joints = [mechanism.joint_names.index(joint) for joint in told["joints"]]
    if joints:
        q[np.asarray(mechanism.idx_q)[joints]] = series["q"][0]
    moving.place(q, v)
    return sim, moving, series


def yaw(robot: Member) -> float:
    w, x, y, z = robot.q[3:7]
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def test_a_box_slides_and_stops() -> None:
    sim, box, _ = on_floor("box_slide")
    start = box.q[0]
    sim.run(0.4)
    assert 0.0 < box.v[0] < 0.05
    sim.run(_AFTER)
    assert abs(box.v[0]) < 1e-3
    assert box.q[0] - start == pytest.approx(2.0**2 / (2.0 * 0.5 * GRAVITY), rel=0.01)
    assert box.q[1] == pytest.approx(0.0, abs=1e-3)


def test_a_ball_bounces() -> None:
    sim, ball, _ = on_floor("ball_drop")
    heights = []
    for _ in range(1600):
        sim.step()
        heights.append(ball.q[2])
    z = np.array(heights)
    peaks = z[1:-1][(z[1:-1] > z[:-2]) & (z[1:-1] >= z[2:]) & (z[1:-1] > 0.11)]
    # it falls 0.5 m and keeps the square of 0.8 of it each time
    assert peaks[:3] == pytest.approx([0.42, 0.305, 0.231], rel=0.02)


def test_a_ball_slides_then_rolls() -> None:
    sim, ball, _ = on_floor("ball_roll")
    sim.run(0.3)
    turn = np.asarray(ball.mechanism.forward_kinematics(ball.q))[0, :3, :3]
    assert (turn @ ball.v[:3])[0] == pytest.approx(0.6024, rel=0.01)
    assert (turn @ ball.v[3:6])[1] == pytest.approx(0.6024 / 0.1, rel=0.01)


@pytest.mark.parametrize("name", ["box_drop", "box_drop_tilted"])
def test_a_box_comes_to_rest(name: str) -> None:
    sim, box, series = on_floor(name)
    sim.run(2.0)
    assert np.abs(box.v).max() < 1e-2
    # on one of its faces; Choreonoid's bodies sink 0.25 mm deeper
    assert box.q[2] == pytest.approx(series["root_pose"][-1][2], abs=1e-3)


def drive(name: str) -> tuple[Simulation, Member, dict[str, Any]]:
    sim, tank, series = on_floor(name)
    sim.set_gains(
        dict.fromkeys(("TURRET_Y", "TURRET_P"), 200.0), dict.fromkeys(("TURRET_Y", "TURRET_P"), 50.0)
    )
    tank.set_position({"TURRET_Y": 0.0, "TURRET_P": 0.0})
    speeds = json.loads((SERIES / f"{name}.json").read_text("utf-8"))["track_speed"]
    tank.set_velocity(dict(zip(("TRACK_L", "TRACK_R"), speeds, strict=True)))
    return sim, tank, series


def test_a_tank_drives_straight() -> None:
    sim, tank, _ = drive("tank_straight")
    sim.run(0.5)
    assert tank.v[0] == pytest.approx(0.5, rel=0.01)
    sim.run(0.5)
    # the engine's contacts lift a body that starts to slide by 0.1 mm, and push it forward for as long
    assert tank.q[0] == pytest.approx(0.5 - 0.5**2 / (2.0 * 0.5 * GRAVITY), rel=0.03)
    assert abs(tank.q[1]) < 1e-3


@pytest.mark.parametrize("name", ["tank_spin", "tank_curve"])
def test_a_tank_turns(name: str) -> None:
    sim, tank, series = drive(name)
    sim.run(3.0)
    end = np.array(series["root_pose"][-1])
    expected = math.atan2(end[6], end[3])
    assert yaw(tank) == pytest.approx(expected, rel=0.15)


def test_sr1_stands() -> None:
    sim, sr1, series = on_floor("sr1_stand")
    joints = json.loads((SERIES / "sr1_stand.json").read_text("utf-8"))["joints"]
    arms = {*joints[6:13], *joints[19:26]}
    sim.set_gains({j: 3000.0 if j in arms else 8000.0 for j in joints}, dict.fromkeys(joints, 100.0))
    sim.run(0.5)
    assert sr1.q[2] == pytest.approx(series["root_pose"][-1][2], abs=1e-3)
    for side in ("Left", "Right"):
        expected = series[f"device.{side}AnkleForceSensor"][-1][2]
        assert sim.sensors[f"{side}AnkleForceSensor"][2] == pytest.approx(expected, rel=0.01)
    assert sim.sensors["WaistAccelSensor"][2] == pytest.approx(GRAVITY, rel=0.01)
