"""Forward dynamics, integrated, against the independent solutions of contact-free scenarios."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.shared import DEV, SHARED

import unibody as ub
from unibody.mechanism import Mechanism
from unibody.model.pose import Matrix3, matrix_quaternion

Floats = NDArray[np.float64]
Effort = Callable[[float, Floats, Floats], Floats]

FOLDER = SHARED / "oracle/simulation"
TOLERANCE = 1e-6
# The stiff spring in the hand of the arm asks for 1 ms.
STEPS = {"pa10_fall": 2e-3, "sr1_float": 5e-3, "sr1_float_g": 5e-3, "sr1_float_torque": 5e-3}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.usefixtures("shared"),
]


@dataclass(frozen=True, slots=True, eq=False)
class Scenario:
    """A reference, the mechanism, and where each of the reference's joints stands in q and v."""

    data: dict[str, Any]
    mechanism: Mechanism
    q: Any
    v: Any

    def series(self, name: str) -> Floats:
        return np.array(self.data["series"][name])


def scenario(name: str) -> Scenario:
    data = json.loads((FOLDER / f"{name}.reference.json").read_text())
    mechanism = ub.assemble(ub.load(DEV / data["models"][0]))
    numbers = [mechanism.joint_names.index(joint) for joint in data["joints"]]
    return Scenario(data, mechanism, mechanism.idx_q[numbers], mechanism.idx_v[numbers])


def start(given: Scenario) -> tuple[Floats, Floats]:
    q, v = given.mechanism.initial.copy(), np.zeros(given.mechanism.nv)
    q[given.q], v[given.v] = given.series("q")[0], given.series("dq")[0]
    if given.mechanism.base == "free":
        pose = given.series("root_pose")[0]
        turn = pose[3:].reshape(3, 3)
        rows: Matrix3 = tuple(map(tuple, turn.tolist()))  # type: ignore[assignment]
        q[:7] = *pose[:3], *matrix_quaternion(rows)
        # Theirs are in the world's axes, ours in the root's.
        v[:3], v[3:6] = turn.T @ given.series("root_v")[0], turn.T @ given.series("root_w")[0]
    return q, v


def run(given: Scenario, effort: Effort) -> tuple[Floats, Floats]:
    """q and v at the logged times, by the classical Runge-Kutta method."""
    mechanism, gravity = given.mechanism, tuple(given.data["gravity"])

    def slope(t: float, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        return mechanism.q_dot(q, v), mechanism.forward_dynamics(q, v, effort(t, q, v), None, gravity)

    times, step = given.series("t"), STEPS.get(given.data["scenario"], 1e-3)
    q, v = start(given)
    states = [(q, v)]
    for begin, end in pairwise(times):
        for t in np.arange(begin, end - step / 2, step):
            a, b = slope(t, q, v)
            c, d = slope(t + step / 2, q + step / 2 * a, v + step / 2 * b)
            e, f = slope(t + step / 2, q + step / 2 * c, v + step / 2 * d)
            g, h = slope(t + step, q + step * e, v + step * f)
            q, v = q + step / 6 * (a + 2 * c + 2 * e + g), v + step / 6 * (b + 2 * d + 2 * f + h)
        states.append((q, v))
    path, speeds = zip(*states, strict=True)
    return np.array(path), np.array(speeds)


def check(given: Scenario, effort: Effort) -> None:
    mechanism, gravity = given.mechanism, tuple(given.data["gravity"])
    q, v = run(given, effort)
    times = given.series("t").tolist()
    worst: dict[str, float] = {}

    def note(name: str, ours: Floats, theirs: Floats) -> None:
        worst[name] = float((np.abs(ours - theirs) / np.maximum(1.0, np.abs(theirs))).max())

    note("q", q[:, given.q], given.series("q"))
    note("dq", v[:, given.v], given.series("dq"))
    efforts = np.array([effort(*state) for state in zip(times, q, v, strict=True)])
    note("u", efforts[:, given.v], given.series("u"))
    rate = mechanism.forward_dynamics(q, v, efforts, None, gravity)
    note("ddq", rate[:, given.v], given.series("ddq"))
    note("energy", mechanism.energy(q, v, gravity), given.series("energy"))
    poses = mechanism.forward_kinematics(q)
    for name in (name for name in given.data["series"] if name.startswith("link.")):
        link = poses[:, mechanism.link_names.index(name.removeprefix("link."))]
        note(
            name,
            np.concatenate([link[:, :3, 3], link[:, :3, :3].reshape(-1, 9)], axis=1),
            given.series(name),
        )
    if mechanism.base == "free":
        root = mechanism.robot.root
        rows = poses[:, mechanism.link_names.index(root)]
        pose = np.concatenate([rows[:, :3, 3], rows[:, :3, :3].reshape(-1, 9)], axis=1)
        note("root_pose", pose, given.series("root_pose"))
        twist, change = mechanism.velocity(q, v, root), mechanism.acceleration(q, v, rate, root)
        note("root_v", twist[:, :3], given.series("root_v"))
        note("root_w", twist[:, 3:], given.series("root_w"))
        note("root_dv", change[:, :3], given.series("root_dv"))
        note("root_dw", change[:, 3:], given.series("root_dw"))
    assert {name: by for name, by in worst.items() if not by < TOLERANCE} == {}


def spring(given: Scenario, q: Floats, v: Floats, out: Floats) -> Floats:
    """The hand of PA10, held by a spring and a damper."""
    rest = given.series("q")[0]
    for i in (7, 8):
        out[given.v[i]] = -2000.0 * (q[given.q[i]] - rest[i]) - 20.0 * v[given.v[i]]
    return out


@pytest.mark.parametrize("name", ["pa10_fall", "sr1_float", "sr1_float_g"])
def test_falling_and_floating(name: str) -> None:
    given = scenario(name)
    check(given, lambda t, q, v: np.zeros(given.mechanism.nv))


def test_arm_falling_with_a_spring_in_the_hand() -> None:
    given = scenario("pa10_fall_handspring")
    check(given, lambda t, q, v: spring(given, q, v, np.zeros(given.mechanism.nv)))


def test_arm_driven_by_torques() -> None:
    given = scenario("pa10_torque")
    size, rate = [20, 60, 15, 30, 2, 4, 0.3], [0.5, 0.7, 1.1, 0.9, 1.3, 1.7, 0.8]
    phase = [0, 1, 0.5, -1, 0.2, -0.4, 0.9]

    def effort(t: float, q: Floats, v: Floats) -> Floats:
        out = np.zeros(given.mechanism.nv)
        out[given.v[:7]] = np.multiply(size, np.sin(2.0 * np.pi * t * np.array(rate) + phase))
        return spring(given, q, v, out)

    check(given, effort)


def test_humanoid_driven_by_torques_in_flight() -> None:
    given = scenario("sr1_float_torque")

    def effort(t: float, q: Floats, v: Floats) -> Floats:
        out = np.zeros(given.mechanism.nv)
        out[given.v] = 10.0 * np.sin(2.0 * np.pi * t + np.arange(len(given.v)))
        return out

    check(given, effort)
