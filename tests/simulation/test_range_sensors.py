"""Range sensors: order and signs of the rays, what they see and miss, noise that is asked for."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from tests.simulation.test_series import SERIES

import unibody as ub
from unibody.model.device import RangeSensor
from unibody.model.pose import Pose
from unibody.simulation.simulation import Simulation

#: A sensor looks along -Z with Y up; so turned, along the X of its link with Z up.
AHEAD = (0.5, 0.5, -0.5, -0.5)
LOW, HIGH = np.array([-2.0, -1.5, 0.0]), np.array([3.0, 2.5, 2.4])
THICK = 0.1


def block(low: Any, high: Any) -> ub.Shape:
    low, high = np.asarray(low, float), np.asarray(high, float)
    middle = tuple((0.5 * (low + high)).tolist())
    return ub.Shape(geometry=ub.Box(size=tuple((high - low).tolist())), pose=ub.Pose(middle))


def room() -> tuple[ub.Shape, ...]:
    """The walls of a closed room and a box in it (facts, simulation 8)."""
    walls = []
    for axis in range(3):
        for side, edge in ((LOW, -THICK), (HIGH, THICK)):
            low, high = LOW - THICK, HIGH + THICK
            ends = sorted((side[axis], side[axis] + edge))
            low[axis], high[axis] = ends
            walls.append(block(low, high))
    return (*walls, block([1.3, 0.4, 0.8], [1.7, 0.8, 1.2]))


def looking(shapes: tuple[ub.Shape, ...], spec: RangeSensor, **settings: Any) -> Simulation:
    """A sensor 1 m above the origin, on a link of its own, among shapes that are drawn."""
    sensor = ub.Device(name="SCAN", link="post", spec=spec, pose=Pose((0.0, 0.0, 1.0), AHEAD))
    robot = ub.Robot(name="room", links=(ub.Link(name="post", visuals=shapes),), devices=(sensor,))
    return ub.simulate(robot, **settings)


def fan(yaw: float, yaw_step: float, pitch: float, pitch_step: float, **more: Any) -> RangeSensor:
    """A symmetric sensor with ranges and steps in degrees."""
    half, step, tilt, tilt_step = (math.radians(x) for x in (0.5 * yaw, yaw_step, 0.5 * pitch, pitch_step))
    given: dict[str, Any] = {"max_distance": 10.0, "min_distance": 0.1, **more}
    return RangeSensor(
        min_yaw=-half, max_yaw=half, yaw_step=step,
        min_pitch=-tilt, max_pitch=tilt, pitch_step=tilt_step, **given,
    )  # fmt: skip


def test_rays_go_from_right_to_left_and_from_below_upward() -> None:
    scan = looking(room(), fan(180, 90, 40, 20)).sensors["SCAN"].reshape(3, 3)
    tilt = math.cos(math.radians(20.0))
    # right wall at y = -1.5, front wall at x = 3, left wall at y = 2.5
    assert scan[1] == pytest.approx([1.5, 3.0, 2.5])
    assert scan[0, 0] == pytest.approx(1.5 / tilt)
    assert scan[0, 1] == pytest.approx(1.0 / math.sin(math.radians(20.0)))  # the floor
    assert scan[2, 1] == pytest.approx(3.0 / tilt)


@pytest.mark.usefixtures("shared")
def test_the_derived_distances_of_the_facts() -> None:
    told = json.loads((SERIES / "vision_derived.json").read_text("utf-8"))["range_sensor"]
    spec = fan(told["yaw_range_deg"], told["yaw_step_deg"], told["pitch_range_deg"], told["pitch_step_deg"])
    scan = looking(room(), spec).sensors["SCAN"]
    assert scan == pytest.approx([sample["distance"] for sample in told["samples"]], abs=1e-6)


def test_no_return_is_infinity() -> None:
    wall = (block([2.0, -1.0, 0.0], [2.2, 1.0, 2.0]),)
    assert looking(wall, fan(180, 90, 0, 0)).sensors["SCAN"].tolist() == [
        math.inf,
        pytest.approx(2.0),
        math.inf,
    ]
    near = looking(wall, fan(0, 0, 0, 0, max_distance=1.9))
    assert near.sensors["SCAN"].tolist() == [math.inf]
    # what is nearer than the least distance is looked through
    through = looking((*wall, block([0.2, -0.1, 0.9], [0.25, 0.1, 1.1])), fan(0, 0, 0, 0, min_distance=0.5))
    assert through.sensors["SCAN"] == pytest.approx([2.0])


def test_noise_is_asked_for_and_seeded() -> None:
    spec = fan(40, 10, 0, 0, error_deviation=0.01, detection_rate=0.5, scan_rate=20.0)
    exact = looking(room(), spec).sensors["SCAN"]
    assert np.array_equal(looking(room(), spec, seed=5).sensors["SCAN"], exact)

    def readings(seed: int) -> list[list[float]]:
        sim = looking(room(), spec, seed=seed)
        sim.read_sensor_as("SCAN", noise=0.01, detection=0.5)
        return [sim.sensors["SCAN"].tolist() for _ in range(20)]

    first = np.array(readings(1))
    assert np.array_equal(first, readings(1))
    assert not np.array_equal(first, readings(2))
    seen = np.isfinite(first)
    assert 0.3 < seen.mean() < 0.7
    off = (first - exact)[seen]
    assert 0.003 < off.std() < 0.03
    assert abs(off.mean()) < 0.01


def test_a_declared_sensor_is_late_by_a_period() -> None:
    sim = looking(room(), fan(0, 0, 0, 0, scan_rate=20.0))
    sim.read_sensor_as("SCAN")
    assert np.isnan(sim.sensors["SCAN"]).all()
    sim.run(0.05)
    assert sim.sensors["SCAN"] == pytest.approx([3.0])
