"""Actuators that are added to a file hold its keyframes."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import mujoco
import numpy as np
import pytest

import unibody as ub
from unibody.model.pose import Pose

ROD = ub.Inertial(mass=1.0, com=(0.2, 0.0, 0.0), inertia=((0.01, 0, 0), (0, 0.01, 0), (0, 0, 0.01)))


def _arm(base: Literal["fixed", "free"] = "fixed") -> ub.Robot:
    """A hinge with a gear and a spring, a slide, a hinge, and one that follows it, on a tilted foot."""
    links = tuple(ub.Link(name=name, inertial=ROD) for name in ("foot", "a", "b", "c", "d"))
    places = [("lift", "foot", "a"), ("reach", "a", "b"), ("bend", "b", "c"), ("led", "c", "d")]
    joints = [
        ub.Joint(
            name=name,
            kind="prismatic" if name == "reach" else "revolute",
            parent=parent,
            child=child,
            axis=(1.0, 0.0, 0.0) if name == "reach" else (0.0, 1.0, 0.0),
            origin=Pose((0.3, 0.0, 0.0)),
        )
        for name, parent, child in places
    ]
    joints[0] = replace(
        joints[0],
        actuator=ub.Actuator(gear_ratio=20.0),
        dynamics=ub.Dynamics(stiffness=3.0, rest=0.2, damping=0.5),
    )
    return ub.Robot(
        name="arm",
        links=links,
        joints=tuple(joints),
        couplings=(ub.Coupling(joint="led", leader="bend", ratio=-0.5),),
        configurations=(
            ub.Configuration(name="up", positions=(("lift", -0.7), ("reach", 0.1), ("bend", 0.6))),
            ub.Configuration(name="out", positions=(("bend", -0.3),)),
        ),
        pose=Pose((0.0, 0.0, 1.0), (0.9, 0.1, 0.3, 0.3)),
        base=base,
    )


@pytest.mark.parametrize(("style", "moved"), [("position", 0.02), ("motor", 1e-6)])
def test_added_actuators_hold_the_keyframes(style: str, moved: float) -> None:
    model = mujoco.MjModel.from_xml_string(ub.dumps(_arm(), format="mjcf", actuators=style))
    data = mujoco.MjData(model)
    assert [model.key(k).name for k in range(model.nkey)] == ["up", "out"]
    for key in range(model.nkey):
        mujoco.mj_resetDataKeyframe(model, data, key)
        mujoco.mj_step(model, data, 100)
        assert data.qpos == pytest.approx(model.key_qpos[key], abs=moved)


def test_velocity_servos_and_free_bases_have_no_controls() -> None:
    for robot, style in ((_arm(), "velocity"), (_arm("free"), "motor")):
        model = mujoco.MjModel.from_xml_string(ub.dumps(robot, format="mjcf", actuators=style))
        assert not model.key_ctrl.any()


def test_controls_of_the_file_stay() -> None:
    text = """
    <mujoco>
      <worldbody>
        <body><joint name="a" axis="0 1 0"/><geom size="0.1"/>
          <body pos="0.3 0 0"><joint name="b" axis="0 1 0" ref="0.5"/><geom size="0.1"/></body>
        </body>
      </worldbody>
      <actuator><position joint="a" kp="100"/></actuator>
      <keyframe>
        <key name="home" qpos="0.4 0.7" qvel="0.1 0" ctrl="0.45"/>
        <key name="bare" qpos="0 0.9"/>
      </keyframe>
    </mujoco>"""
    out = ub.dumps(ub.loads(text), format="mjcf", actuators="position")
    model = mujoco.MjModel.from_xml_string(out)
    assert model.key_ctrl == pytest.approx(np.array([[0.45, 0.7], [0.0, 0.9]]))
    assert model.key_qpos == pytest.approx(np.array([[0.4, 0.7], [0.0, 0.9]]))
    assert model.key_qvel[0] == pytest.approx([0.1, 0.0])


_GEARED = """<mujoco><worldbody><body name="a"><joint name="ja" axis="0 1 0" armature="0.07"/>
<inertial pos="0 0 0" mass="1" diaginertia=".02 .03 .025"/>
<body name="b" pos="0.2 0 0"><joint name="jb" axis="1 0 0"/>
<inertial pos="0 0 0" mass="1" diaginertia=".02 .03 .025"/></body></body></worldbody>
<actuator><motor joint="jb" gear="13" armature="0.0017"/>
<motor joint="ja" gear="3" armature="0.0023"/></actuator>
</mujoco>"""


def test_the_armature_of_actuators_is_felt_at_their_joints_and_written_once() -> None:
    robot = ub.loads(_GEARED, format="mjcf")
    inertias = [joint.actuator.reflected_inertia for joint in robot.joints]
    assert inertias == pytest.approx([0.07 + 9.0 * 0.0023, 169.0 * 0.0017], rel=1e-15)
    # a turns b, too, which is 0.2 m away
    matrix = ub.assemble(robot, base="fixed").mass_matrix([0.0, 0.0])
    assert matrix[0][0] == pytest.approx(inertias[0] + 0.03 + 0.03 + 0.2**2, rel=1e-14)
    text = ub.dumps(robot, format="mjcf")
    assert '<joint name="ja" axis="0 1 0" armature="0.07"/>' in text
    assert '<joint name="jb" axis="1 0 0"/>' in text
    again = ub.loads(text, format="mjcf")
    assert [joint.actuator.reflected_inertia for joint in again.joints] == inertias
