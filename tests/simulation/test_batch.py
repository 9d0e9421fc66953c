"""Saved states, copies and batches continue to the last bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unibody as ub
from unibody.simulation.simulation import Simulation

BIPED = Path(__file__).parents[2] / "src" / "unibody" / "models" / "biped.body"


def falling() -> Simulation:
    """A biped that has fallen on a floor, with a servo, a prescribed joint and an effort."""
    sim = ub.simulate(ub.load(BIPED), floor=0.0)
    sim.reset(above=0.01)
    sim.set_gains({"RLEG_KNEE": 50.0}, {"RLEG_KNEE": 1.0})
    sim.set_position({"RLEG_KNEE": 0.3})
    sim.set_velocity({"LLEG_KNEE": 0.2})
    sim.set_effort({"CHEST": 1.0})
    sim.step(100)
    assert len(sim.contacts)
    return sim


def test_a_saved_state_continues_to_the_last_bit() -> None:
    sim = falling()
    other, saved = sim.copy(), sim.state
    sim.step(50)
    q, v, readings = sim.q, sim.v, {name: np.array(value) for name, value in sim.sensors.items()}
    sim.set_effort({"CHEST": -3.0})
    sim.step(20)
    sim.state = saved
    other.step(50)
    sim.step(20)
    assert sim.contacts is not None  # reading does not change the motion
    sim.step(30)
    for one in (sim, other):
        assert one.time == pytest.approx(0.15)
        assert np.array_equal(one.q, q)
        assert np.array_equal(one.v, v)
        for name, value in one.sensors.items():
            assert np.array_equal(value, readings[name])


def test_a_batch_gives_what_single_runs_give() -> None:
    first = falling()
    many = [first.copy() for _ in range(6)]
    for number, sim in enumerate(many):
        sim.set_effort({"CHEST": float(number)})
    alone = [sim.copy() for sim in many]
    called: list[Simulation] = []
    ub.run_batch(many[:5], 0.02, threads=3)
    ub.run_batch(many[5:], 0.02, called.append)
    for sim, other in zip(many, alone, strict=True):
        other.run(0.02)
        assert np.array_equal(sim.q, other.q)
    assert called == many[5:] * 20
    ub.run_batch([], 1.0)
    with pytest.raises(ValueError, match="twice in the batch"):
        ub.run_batch([first, first], 0.1)
    with pytest.raises(ValueError, match="at least 1"):
        ub.run_batch([first], 0.1, threads=0)
