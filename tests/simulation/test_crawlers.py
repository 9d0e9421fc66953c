"""A vehicle on tracks drives straight, in curves, on the spot, up a slope and over a step."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import mujoco
import numpy as np
import pytest

import unibody as ub
from unibody.model.pose import Pose
from unibody.simulation.simulation import Simulation

CRAWLER = Path(__file__).parents[1] / "commands" / "models" / "crawler.body"
GRAVITY = 9.80665


def driving(left: float, right: float, slope: float = 0.0) -> Simulation:
    """The crawler on a floor that rises ahead of it, after 2 s with these speeds of its tracks (m/s)."""
    tilted = (-GRAVITY * math.sin(slope), 0.0, -GRAVITY * math.cos(slope))
    sim = ub.simulate(ub.load(CRAWLER), floor=0.0, gravity=tilted)
    sim.reset(above=0.0)
    sim.set_velocity({"TRACK_L": left, "TRACK_R": right})
    sim.run(2.0)
    return sim


def yaw(sim: Simulation) -> float:
    w, x, y, z = sim.q[3:7]
    return math.atan2(2.0 * (w * z + x * y), 1.0 - 2.0 * (y * y + z * z))


def test_straight() -> None:
    sim = driving(0.5, 0.5)
    assert sim.v[0] == pytest.approx(0.5, rel=0.01)
    assert sim.q[1] == pytest.approx(0.0, abs=5e-3)
    assert yaw(sim) == pytest.approx(0.0, abs=0.01)
    # it speeds up by friction until it has the speed of its tracks
    assert sim.q[0] == pytest.approx(2.0 * 0.5 - 0.5**2 / (2.0 * 0.5 * GRAVITY), rel=0.03)
    sim.set_velocity({"TRACK_L": 0.0, "TRACK_R": 0.0})
    sim.run(0.5)
    assert sim.v[0] == pytest.approx(0.0, abs=1e-2)
    assert driving(-0.5, -0.5).v[0] == pytest.approx(-0.5, rel=0.01)


def test_a_curve_turns_to_the_slower_track() -> None:
    sim = driving(0.3, 0.6)
    assert 0.1 < yaw(sim) < 2.0 * 0.3 / 0.32  # less than without slip
    assert sim.q[0] > 0.5
    assert sim.q[1] > 0.02
    mirrored = driving(0.6, 0.3)
    assert yaw(mirrored) == pytest.approx(-yaw(sim), rel=0.05)


def test_it_turns_on_the_spot() -> None:
    sim = driving(-0.4, 0.4)
    assert sim.v[5] > 0.3
    assert np.abs(sim.q[:2]).max() < 0.1


def test_a_slope() -> None:
    # friction 0.5 holds on slopes up to 26.6°
    assert driving(0.3, 0.3, math.radians(15.0)).v[0] == pytest.approx(0.3, rel=0.05)
    assert abs(driving(0.0, 0.0, math.radians(15.0)).q[0]) < 0.01
    assert driving(0.3, 0.3, math.radians(35.0)).v[0] < 0.0


STEP = """<robot name="step"><link name="step">
  <collision><geometry><box size="2 2 0.06"/></geometry></collision>
</link></robot>"""


def test_it_climbs_a_step() -> None:
    step = replace(ub.loads(STEP), pose=Pose((1.6, 0.0, 0.03)), base="fixed")
    sim = ub.simulate([ub.load(CRAWLER), step], floor=0.0, friction=0.9)
    sim.reset(above=0.0)
    crawler = sim.robots["Crawler"]
    crawler.set_velocity({"TRACK_L": 0.4, "TRACK_R": 0.4})
    sim.run(4.0)
    assert crawler.q[0] > 1.0
    assert crawler.q[2] == pytest.approx(0.16, abs=5e-3)


def test_a_saved_state_keeps_the_speeds() -> None:
    sim = driving(0.5, 0.5)
    other, saved = sim.copy(), sim.state
    sim.set_velocity({"TRACK_L": 0.0})
    sim.run(0.2)
    sim.state = saved
    for one in (sim, other):
        one.run(0.2)
    assert np.array_equal(sim.q, other.q)
    assert sim.v[0] == pytest.approx(0.5, rel=0.01)


def test_a_written_file_is_driven_through_the_engines_model(tmp_path: Path) -> None:
    """As docs/formats/mjcf.md says: no control of the file drives a track, but a program does."""
    robot = ub.load(CRAWLER)
    ub.save(robot, tmp_path / "crawler.xml", plain=True, scene="floor")
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "crawler_scene.xml"))
    data = mujoco.MjData(model)
    for joint in robot.joints:
        body = model.body(joint.child)
        for geom in range(body.geomadr[0], body.geomadr[0] + body.geomnum[0]):
            turn = np.zeros(9)
            mujoco.mju_quat2Mat(turn, model.geom_quat[geom])
            # the belt is 0.2 m high
            model.geom_surfacevel[geom, 3:] = turn.reshape(3, 3).T @ joint.axis * 0.5 / 0.1
    assert not model.flg_surfacevel
    model.flg_surfacevel = True
    mujoco.mj_step(model, data, round(2.0 / model.opt.timestep))
    assert data.qvel[0] == pytest.approx(0.5, rel=0.01)
    assert data.qpos[0] == pytest.approx(2.0 * 0.5, abs=0.05)
