"""Material tables: the rules of pairs, and what they do to friction and bounces."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

import unibody as ub
from unibody.simulation.materials import read_materials

TABLE = """\
materials:
  - { name: Default, roughness: 0.5, viscosity: 1.0 }
  - { name: Ground, roughness: 0.5, viscosity: 1.0 }
  - { name: Ice, roughness: 0.02, viscosity: 1.0 }
  - { name: Rubber, roughness: 0.98, viscosity: 0.36 }
contact_materials:
  - { materials: [ Ground, Ice, Rubber ], friction: 0.3 }
  - { materials: [ Ground, Ball ], static_friction: 0.6, dynamic_friction: 0.4, restitution: 0.7 }
"""
BODY = """\
format: ChoreonoidBody
format_version: 2.0
name: thing
root_link: THING
links:
  - name: THING
    joint_type: free
    material: {material}
    mass: 1
    inertia: [ 0.004, 0, 0, 0, 0.004, 0, 0, 0, 0.004 ]
    elements: [ {{ type: Shape, geometry: {{ {geometry} }} }} ]
"""
GRAVITY = 9.80665


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "materials.yaml"
    path.write_text(TABLE)
    return path


def test_pairs(table: Path) -> None:
    read = read_materials(table)
    assert not read.findings
    # all pairs of a list, in both orders
    assert [read.pair(*pair).sliding for pair in (("Ground", "Ice"), ("Rubber", "Ice"))] == [0.3, 0.3]
    ball = read.pair("Ball", "Ground")
    assert (ball.static, ball.sliding, ball.restitution) == (0.6, 0.4, 0.7)
    # others by roughness and viscosity
    assert read.pair("Default", "Ice").sliding == pytest.approx(math.sqrt(0.5 * 0.02))
    assert read.pair("Rubber", "Rubber").restitution == pytest.approx(0.64)
    # a name that the table lacks is Default
    assert read.pair("Mud", "Ice").sliding == read.pair("Default", "Ice").sliding


@pytest.mark.parametrize(("material", "friction"), [("Ice", 0.3), ("Default", 0.5)])
def test_a_block_slides_by_its_material(table: Path, material: str, friction: float) -> None:
    text = BODY.format(material=material, geometry="type: Box, size: [ 0.4, 0.4, 0.1 ]")
    sim = ub.simulate(ub.loads(text), floor=0.0, materials=table)
    sim.reset(above=0.0)
    sim.place(sim.q, [2.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    sim.run(1.5)
    assert sim.q[0] == pytest.approx(2.0**2 / (2.0 * friction * GRAVITY), rel=0.02)


def test_a_ball_bounces_by_its_material(table: Path) -> None:
    text = BODY.format(material="Ball", geometry="type: Sphere, radius: 0.1")
    sim = ub.simulate(ub.loads(text), floor=0.0, materials=table)
    sim.reset(above=0.5)
    heights = []
    for _ in range(700):
        sim.step()
        heights.append(sim.q[2] - 0.1)
    landed = next(i for i, height in enumerate(heights) if height < 0.0)
    assert max(heights[landed:]) == pytest.approx(0.5 * 0.7**2, rel=0.03)
