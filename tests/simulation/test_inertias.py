"""Inertias that MuJoCo's compiler rejects are simulated as they are."""

from __future__ import annotations

import numpy as np
import pytest

import unibody as ub

mujoco = pytest.importorskip("mujoco", reason="needs the extra 'simulate'")

FLAT = """<robot name="arm">
  <link name="base"/>
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


def test_an_impossible_inertia_is_kept() -> None:
    robot = ub.loads(FLAT)
    for base in ("fixed", "free"):
        sim = ub.simulate(robot, base=base)
        mechanism = ub.assemble(robot, base=base)
        mass = np.zeros((sim.model.nv, sim.model.nv))
        mujoco.mj_forward(sim.model, sim.data)
        mujoco.mj_fullM(sim.model, sim.data, mass)
        expected = np.asarray(mechanism.mass_matrix(mechanism.initial))
        assert mass[-1, -1] == pytest.approx(expected[-1, -1], rel=1e-12)
