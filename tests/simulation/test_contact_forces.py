"""The sum of the contact forces on a link."""

from __future__ import annotations

import pytest

import unibody as ub

BOX = """<robot name="box"><link name="box">
  <inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
  <collision><geometry><box size="1 1 1"/></geometry></collision>
</link></robot>"""


def test_the_floor_carries_a_box() -> None:
    sim = ub.simulate(ub.loads(BOX), base="free", floor=-0.5)
    sim.step(1000)
    assert sim.contacts.force_on("box") == pytest.approx([0.0, 0.0, 2.0 * 9.80665], abs=1e-3)
