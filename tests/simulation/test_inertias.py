"""Inertias that MuJoCo's compiler rejects are simulated as they are."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import unibody as ub
from unibody.simulation.checks import SimulationError

FLAT = """<robot name="arm">
  <link name="base">{base}</link>
  <link name="rod">
    <inertial>
      <origin xyz="0.1 0.2 0.3" rpy="0.4 0.5 0.6"/><mass value="2"/>
      <inertia ixx="0.1" iyy="0.1" izz="0.5" ixy="0.01" ixz="0" iyz="0"/>
    </inertial>
  </link>
  <joint name="hinge" type="continuous">
    <origin xyz="1 0 0" rpy="0.1 0.2 0.3"/><parent link="base"/><child link="rod"/><axis xyz="1 1 1"/>
  </joint>
</robot>"""


BALL = """<inertial><mass value="{mass}"/>
  <inertia ixx="{moment}" iyy="{moment}" izz="{moment}" ixy="0" ixz="0" iyz="0"/></inertial>"""


def test_an_impossible_inertia_is_kept() -> None:
    robot = ub.loads(FLAT.format(base=BALL.format(mass=1, moment=1)))
    for base in ("fixed", "free"):
        sim = ub.simulate(robot, base=base)
        mechanism = ub.assemble(robot, base=base)
        mass = np.zeros((sim.model.nv, sim.model.nv))
        mujoco.mj_forward(sim.model, sim.data)
        mujoco.mj_fullM(sim.model, sim.data, mass)
        expected = np.asarray(mechanism.mass_matrix(mechanism.initial))
        assert mass[-1, -1] == pytest.approx(expected[-1, -1], rel=1e-12)


def test_an_inertia_without_mass_is_kept() -> None:
    sim = ub.simulate(ub.loads(FLAT.format(base=BALL.format(mass=0, moment=3))), base="free")
    base = sim.model.body("base").id
    assert sim.model.body_mass[base] == 0.0
    assert sim.model.body_inertia[base] == pytest.approx([3.0, 3.0, 3.0])


def test_what_moves_without_inertia_is_an_error() -> None:
    """A base without inertia turns about the axis of its joint without moving anything."""
    with pytest.raises(SimulationError, match="link 'base' moves, but neither it nor any link beyond it"):
        ub.simulate(ub.loads(FLAT.format(base="")), base="free")
