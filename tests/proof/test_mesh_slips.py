"""Importers that weigh shapes by rules of their own."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from tests.proof.proving import proved, written

import unibody as ub
from unibody.proof.mesh_slips import MESHES, simplified_hulls
from unibody.proof.reference import Reference, reference_of

CUBE = "-1 -1 -1  1 -1 -1  -1 1 -1  1 1 -1  -1 -1 1  1 -1 1  -1 1 1  1 1 1"
BLOCK = f"""<mujoco>
  <asset><mesh name="box" vertex="{CUBE}"/></asset>
  <worldbody><body name="block"><joint name="hinge"/>
    <geom type="mesh" mesh="box" mass="3" pos="2 0 0"/>
    <geom size=".1"/>
    <geom size=".2" contype="0" conaffinity="0"/></body></worldbody>
</mujoco>"""
DRUM = """<robot name="drum">
  <link name="base"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="drum"><collision><geometry><cylinder radius="0.3" length="1"/></geometry></collision></link>
  <joint name="hinge" type="continuous"><parent link="base"/><child link="drum"/><axis xyz="1 0 0"/></joint>
</robot>"""


def reference(path: Path) -> Reference:
    """What an engine should have of a file."""
    return reference_of(ub.load(path), path.suffix.replace(".xml", "mjcf").lstrip("."))


def slipped(given: Reference, words: str, link: str) -> ub.Inertial | None:
    """The inertial of a link after a slip."""
    (slip,) = [each for each in MESHES if words in each.cause]
    robot = slip.change(given, [each.name for each in given.robot.links]).robot
    return next(each.inertial for each in robot.links if each.name == link)


BALL, GHOST = (4000.0 / 3.0 * math.pi * radius**3 for radius in (0.1, 0.2))


@pytest.mark.parametrize(
    ("words", "mass", "along"),
    [
        ("1 kg and 1 kg m²", 1.0 + BALL, 2.0 / (1.0 + BALL)),
        ("no mass, other", BALL, 0.0),
        ("by what it encloses", 8000.0 + BALL, 16000.0 / (8000.0 + BALL)),
        ("cannot collide", 3.0 + BALL, 6.0 / (3.0 + BALL)),
    ],
)
def test_masses_of_meshes_by_hand(tmp_path: Path, words: str, mass: float, along: float) -> None:
    given = reference(written(tmp_path, BLOCK, "block.xml"))
    own = next(link.inertial for link in given.robot.links if link.name == "block")
    assert own is not None
    assert own.mass == pytest.approx(3.0 + BALL + GHOST, rel=1e-12)
    inertial = slipped(given, words, "block")
    assert inertial is not None
    assert inertial.mass == pytest.approx(mass, rel=1e-12)
    assert inertial.com == pytest.approx((along, 0.0, 0.0), abs=1e-12)


def test_a_cylinder_is_a_prism_of_32_sides(tmp_path: Path) -> None:
    given = reference(written(tmp_path, DRUM))
    inertial = slipped(given, "hulls", "drum")
    assert inertial is not None
    assert inertial.mass == pytest.approx(16.0 * math.sin(math.pi / 16.0) * 90.0, rel=1e-12)
    assert np.array(inertial.inertia)[2, 2] == pytest.approx(12.560884, rel=1e-6)  # in PhysX
    drum = next(link for link in given.robot.links if link.name == "drum")
    assert "simplified: 280 kg" in simplified_hulls(drum, 280.0, given.meshes)
    assert not simplified_hulls(drum, 281.0, given.meshes)
    assert not simplified_hulls(given.robot.links[0], 1.0, given.meshes)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "text", "name", "words"),
    [
        ("sapien", DRUM, "drum.urdf", "hulls of its collision shapes at 1000 kg/m³"),
        ("pinocchio", BLOCK, "block.xml", "a mesh has 1 kg and 1 kg m² about each axis"),
    ],
)
def test_engines_weigh_by_these_rules(
    tmp_path: Path, engine: str, text: str, name: str, words: str
) -> None:
    result = proved(engine, written(tmp_path, text, name))
    assert result.verdict == "explained"
    assert any(words in cause.cause for cause in result.causes)
