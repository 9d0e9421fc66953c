"""Motion and sensors against the reference series of ``../shared/oracle/simulation``."""

from __future__ import annotations

import json
import math
from typing import Any

import mujoco
import numpy as np
import pytest
from tests.sampling import few
from tests.shared import DEV, SHARED

import unibody as ub

SERIES = SHARED / "oracle" / "simulation"
TOLERANCE = 1e-6

pytestmark = pytest.mark.usefixtures("shared")


def reference(name: str) -> tuple[ub.Robot, dict[str, Any]]:
    told = json.loads((SERIES / f"{name}.json").read_text("utf-8"))
    path = told["models"][0]
    own = SERIES / path
    return ub.load(own if own.exists() else DEV / path), told


def started(name: str, **settings: Any) -> tuple[ub.Simulation, dict[str, Any], np.ndarray]:
    """A simulation at the first row of a series, the series, and the places of its joints in v."""
    robot, told = reference(name)
    sim = ub.simulate(
        robot,
        gravity=told["gravity"],
        position_limits=False,
        effort_limits=False,
        contacts=False,
        **settings,
    )
    mechanism, series = sim.mechanism, told["series"]
    joints = [mechanism.joint_names.index(joint) for joint in told["joints"]]
    at = np.asarray(mechanism.idx_v)[joints]
    q, v = mechanism.initial.copy(), np.zeros(mechanism.nv)
    q[np.asarray(mechanism.idx_q)[joints]], v[at] = series["q"][0], series["dq"][0]
    if "root_pose" in series and mechanism.base == "free":
        pose = np.array(series["root_pose"][0])
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, pose[3:])
        q[:7] = [*pose[:3], *quat]
        turn = pose[3:].reshape(3, 3)
        v[:3], v[3:6] = turn.T @ series["root_v"][0], turn.T @ series["root_w"][0]
    sim.reset(q, v)
    return sim, series, at


def deviation(sim: ub.Simulation, series: dict[str, Any], at: np.ndarray, control: Any = None) -> float:
    worst = 0.0
    for row in range(1, len(series["t"])):
        sim.run(series["t"][row] - sim.time, control, within=control is not None)
        places = at + sim.mechanism.nq - sim.mechanism.nv
        worst = max(worst, np.abs(sim.q[places] - series["q"][row]).max())
        if "root_pose" in series and sim.mechanism.base == "free":
            worst = max(worst, np.abs(sim.q[:3] - series["root_pose"][row][:3]).max())
    return float(worst)


@pytest.mark.parametrize("name", ["pa10_fall", "sr1_float", "sr1_float_g"])
def test_motion_without_drives(name: str) -> None:
    sim, series, at = started(f"{name}.reference")
    assert deviation(sim, series, at) < TOLERANCE


@pytest.mark.parametrize("name", few(["pa10_fall_handspring", "pa10_torque", "sr1_float_torque"], 2))
def test_motion_under_efforts(name: str) -> None:
    sim, series, at = started(f"{name}.reference")
    begin = sim.q
    places = at + sim.mechanism.nq - sim.mechanism.nv

    def control(sim: ub.Simulation) -> None:
        effort = np.zeros(sim.mechanism.nv)
        if name == "sr1_float_torque":
            effort[at] = 10.0 * np.sin(2.0 * math.pi * sim.time + np.arange(len(at)))
        else:
            effort[at] = -2000.0 * (sim.q - begin)[places] - 20.0 * sim.v[at]
            effort[at[:7]] = 0.0
        if name == "pa10_torque":
            size, rate = [20, 60, 15, 30, 2, 4, 0.3], np.array([0.5, 0.7, 1.1, 0.9, 1.3, 1.7, 0.8])
            effort[at[:7]] = size * np.sin(
                2.0 * math.pi * rate * sim.time + [0, 1, 0.5, -1, 0.2, -0.4, 0.9]
            )
        sim.set_effort(effort)

    assert deviation(sim, series, at, control) < TOLERANCE


@pytest.mark.slow
def test_a_closed_loop_held_exactly() -> None:
    sim, series, at = started("closed.reference", loop_solver="exact")

    def control(sim: ub.Simulation) -> None:
        sim.set_effort({"J0": 0.05 * math.sin(2.0 * math.pi * sim.time)})

    assert deviation(sim, series, at, control) < TOLERANCE
    assert np.abs(sim.loop_residual).max() < 1e-10


def test_sensors_by_definition() -> None:
    sim, series, _ = started("sensor_test.reference")
    sim.set_effort(dict(zip(("ARM", "SLIDE", "TIP"), series["u"][0], strict=True)))
    for row, time in enumerate(series["t"]):
        sim.run(time - sim.time)
        for name, values in series.items():
            kind, _, sensor = name.replace("point_", "point.").partition(".")
            if kind not in ("device", "point"):
                continue
            if kind == "device" and f"point_{sensor}" in series:
                continue  # the acceleration of the link's origin: a real sensor has that of its point
            assert sim.sensors[sensor][: len(values[row])] == pytest.approx(values[row], abs=TOLERANCE), (
                name
            )


def test_free_flight_conserves_energy_and_momentum() -> None:
    sim, _, _ = started("sr1_float.reference")

    def kept() -> np.ndarray:
        sim.refresh()
        model, data = sim.model, sim.data
        mujoco.mj_energyVel(model, data)
        mujoco.mj_subtreeVel(model, data)
        return np.array([data.energy[1], *data.subtree_linvel[1], *data.subtree_angmom[1]])

    before = kept()
    sim.run(5.0)
    assert kept() == pytest.approx(before, rel=1e-9)


@pytest.mark.parametrize(
    ("loops", "seconds", "most"),
    [
        ("engine", 1.0, 1e-5),
        pytest.param("engine", 5.0, 1e-5, marks=pytest.mark.slow),
        ("exact", 0.2, 1e-10),
        pytest.param("exact", 5.0, 1e-10, marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize(
    "path",
    few(
        [
            "corpus/dev/choreonoid+choreonoid/share/model/misc/ClosedLinkSample.body",
            "corpus/dev/fkanehiro+openhrp3/sample/model/closed-link-sample.wrl",
            "oracle/simulation/closed-link-piston.wrl",
        ],
        1,
    ),
)
def test_loops_stay_closed(path: str, loops: str, seconds: float, most: float) -> None:
    sim = ub.simulate(ub.load(SHARED / path), loop_solver=loops)
    worst = 0.0

    def control(sim: ub.Simulation) -> None:
        sim.set_effort({"J0": 0.05 * math.sin(2.0 * math.pi * sim.time)})

    for _ in range(round(seconds / 0.01)):
        sim.run(0.01, control)
        worst = max(worst, np.abs(sim.loop_residual).max())
    assert abs(sim.q[0]) > 0.01
    assert worst < most


def test_a_saved_state_continues_to_the_last_bit() -> None:
    sim, _, _ = started("sr1_float_g.reference")
    sim.step(50)
    state = sim.state
    sim.step(50)
    end = sim.q
    sim.state = state
    sim.step(50)
    assert np.array_equal(sim.q, end)
