"""Servos of a written model: an arm holds its pose, or comes to rest."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import unibody as ub

BIPED = Path(__file__).parents[2] / "src/unibody/models/biped.body"


@pytest.mark.parametrize("style", ["position", "velocity"])
def test_servos_hold_a_robot(style: str) -> None:
    made = ub.to_mujoco(ub.load(BIPED), base="fixed", actuators=style)
    model, data = made.model, made.data
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    assert model.nu == model.nv
    start = np.array(data.qpos)
    if style == "position":
        data.ctrl[:] = start[model.jnt_qposadr[model.actuator_trnid[:, 0]]]
    while data.time < 2.0:
        mujoco.mj_step(model, data)
    assert not any(warning.number for warning in data.warning)
    if style == "position":
        # a servo of 10 Hz gives way to gravity by g / (2π · 10)², in rad for an arm of 1 m
        assert np.abs(data.qpos - start).max() < 0.01
        assert np.abs(data.qvel).max() < 1e-9
    else:
        # without a force at rest a joint sinks, slowly
        assert np.abs(data.qvel).max() < 0.1
