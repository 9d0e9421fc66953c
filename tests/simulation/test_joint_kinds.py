"""Screw and universal joints in the engine, against the mechanism and the conservation of energy."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.convert.models import neutral

import unibody as ub


def loose(name: str) -> ub.Robot:
    """A robot of tests/robots without friction, damping and limits."""
    robot = neutral(name)
    joints = tuple(replace(j, dynamics=ub.Dynamics(), limits=ub.Limits()) for j in robot.joints)
    return replace(robot, joints=joints, configurations=())


def speeds(count: int) -> Any:
    return np.resize([3.0, -1.0, 2.0, 0.5], count)


@pytest.mark.parametrize("solver", ["engine", "exact"])
@pytest.mark.parametrize("name", ["screw", "universal"])
def test_energy_is_conserved_and_links_are_where_the_mechanism_has_them(name: str, solver: str) -> None:
    simulation = ub.simulate(loose(name), step=5e-4, contacts=False, loop_solver=solver)
    mechanism = simulation.mechanism
    simulation.reset(v=speeds(mechanism.nv))
    before = np.sum(mechanism.energy(simulation.q, simulation.v))
    moving = mechanism.energy(simulation.q, simulation.v)[0]
    simulation.step(1000)
    after = np.sum(mechanism.energy(simulation.q, simulation.v))
    soft = name == "screw" and solver == "engine"
    assert after - before == pytest.approx(0.0, abs=(1e-5 if soft else 1e-8) * moving)
    poses = mechanism.forward_kinematics(simulation.q)
    for link, body in enumerate(simulation.layout.bodies.tolist()):
        place = (
            simulation.data.xpos[body]
            + simulation.data.xmat[body].reshape(3, 3) @ (simulation.layout.in_body[link][:3, 3])
        )
        assert np.abs(place - poses[link, :3, 3]).max() < (1e-6 if soft else 1e-9)


@pytest.mark.parametrize("name", ["screw", "universal"])
def test_accelerations_are_those_of_the_mechanism(name: str) -> None:
    simulation = ub.simulate(loose(name), contacts=False, loop_solver="exact")
    mechanism = simulation.mechanism
    simulation.reset(v=speeds(mechanism.nv))
    effort = 0.3 * speeds(mechanism.nv)
    simulation.effort = effort
    expected = mechanism.forward_dynamics(simulation.q, simulation.v, effort)
    assert np.abs(simulation.acceleration - expected).max() < 1e-8 * np.abs(expected).max()


def test_positions_commands_and_limits() -> None:
    robot = neutral("universal")
    simulation = ub.simulate(robot, contacts=False)
    simulation.set_position({"shoulder": [0.4, -0.3], "wrist": [0.2, 0.1]})
    simulation.step(200)
    assert simulation.q == pytest.approx([0.4, -0.3, 0.2, 0.1], abs=1e-4)
    screw = ub.simulate(neutral("screw"), contacts=False)
    assert screw.q == pytest.approx([1.5, 0.0])
    screw.set_effort({"lead": 100.0})
    assert screw.effort[0] == 4.0
