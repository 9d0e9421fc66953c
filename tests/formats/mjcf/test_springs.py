"""Springs by time constant and damping ratio are those that MuJoCo computes of them."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import unibody as ub

ROD = '<geom type="capsule" size=".1" fromto="0 0 0 0 0 1"/>'
TREE = f"""
<body euler="10 20 30"><joint name="hip" axis="1 0 0" springdamper=".1 1" ref="20"/>{ROD}
  <site name="a" pos="0 -.1 .5"/>
  <body pos="0 .3 1"><joint name="knee" axis="1 0 0" springdamper=".2 .5"/>{ROD}
    <site name="b" pos="0 -.1 .5"/></body></body>
<body pos="1 0 0"><joint name="slide" type="slide" axis="0 1 0" springdamper=".1 1" armature=".3"/>{ROD}
  <site name="c" pos="0 -.1 .5"/></body>
<body pos="0 2 0"><joint name="ball" type="ball" springdamper=".1 1"/>
  <geom type="box" size=".1 .2 .3" pos="1 1 1"/></body>
<body pos="0 3 0"><joint name="free" type="free" springdamper=".1 1"/>
  <geom type="box" size=".1 .2 .3" pos=".1 0 .2"/><site name="d" pos="0 1 0"/></body>
"""
TENDONS = {
    "none": "",
    "joints": '<fixed armature="2"><joint joint="hip" coef="2"/><joint joint="knee" coef="-1"/></fixed>',
    "apart": '<fixed armature="1"><joint joint="hip" coef="2"/><joint joint="slide" coef="-1"/></fixed>',
    "sites": '<spatial armature="1"><site site="a"/><site site="b"/><site site="d"/></spatial>',
    "pulleys": '<spatial armature="1"><pulley divisor="3"/><site site="a"/><site site="b"/>'
    '<pulley divisor="2"/><site site="a"/><site site="c"/></spatial>',
    "still": '<spatial><site site="a"/><site site="b"/></spatial>',
}


@pytest.mark.parametrize("tendon", TENDONS)
def test_the_armature_of_tendons_is_a_part_of_what_joints_feel(tmp_path: Path, tendon: str) -> None:
    path = tmp_path / "springs.xml"
    path.write_text(
        f"<mujoco><worldbody>{TREE}</worldbody><tendon>{TENDONS[tendon]}</tendon></mujoco>", "utf-8"
    )
    model, robot = mujoco.MjModel.from_xml_path(str(path)), ub.load(path)
    stiffness = np.reshape(model.jnt_stiffness, (model.njnt, -1))[:, 0]
    damping = np.reshape(model.dof_damping, (model.nv, -1))[:, 0]
    for at in range(model.njnt):
        own = robot.joint(model.joint(at).name).dynamics
        there = stiffness[at], damping[model.jnt_dofadr[at]]
        assert (own.stiffness, own.damping) == pytest.approx(there, rel=1e-9)


def test_a_tendon_between_trees_holds_each_by_itself(tmp_path: Path) -> None:
    """By hand: 1 / (1/I) with I = m r² + armature of the tendon · coefficient², T = 0.1 s, ζ = 1."""
    path = tmp_path / "two.xml"
    inertial = '<inertial pos="2 0 0" mass="3" diaginertia="1 1 1"/>'
    joints = [f'<joint name="{name}" axis="0 0 1" springdamper=".1 1"/>' for name in "ab"]
    bodies = "".join(f"<body>{joint}{inertial}</body>" for joint in joints)
    path.write_text(
        f"<mujoco><worldbody>{bodies}</worldbody><tendon><fixed armature='5'>"
        '<joint joint="a" coef="1"/><joint joint="b" coef="-2"/></fixed></tendon></mujoco>',
        "utf-8",
    )
    robot = ub.load(path)
    felt = {"a": 1.0 + 3.0 * 4.0 + 5.0, "b": 1.0 + 3.0 * 4.0 + 5.0 * 4.0}
    for name, inertia in felt.items():
        assert robot.joint(name).dynamics.damping == pytest.approx(2.0 * inertia / 0.1, rel=1e-12)
        assert robot.joint(name).dynamics.stiffness == pytest.approx(inertia / 0.01, rel=1e-12)
