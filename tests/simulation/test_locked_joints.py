"""Equal limits hold a joint where they are: in MJCF as an equality, in a simulation, and read back."""

from __future__ import annotations

from dataclasses import replace

import mujoco
import numpy as np
import pytest

import unibody as ub
from unibody.model.pose import Pose

ROD = ub.Inertial(mass=1.0, com=(0.2, 0.0, 0.0), inertia=((0.01, 0, 0), (0, 0.01, 0), (0, 0, 0.01)))
Y, X = (0.0, 1.0, 0.0), (1.0, 0.0, 0.0)


def _arm(bend: tuple[float, float], slide: tuple[float, float]) -> ub.Robot:
    """A free hinge, then a hinge and a slide with these limits."""
    links = tuple(ub.Link(name=name, inertial=ROD) for name in ("foot", "a", "b", "c"))
    joints = (
        ub.Joint(name="lift", kind="revolute", parent="foot", child="a", axis=Y),
        ub.Joint(
            name="bend", kind="revolute", parent="a", child="b", axis=Y,
            origin=Pose((0.4, 0.0, 0.0)), limits=ub.Limits(position=bend),
        ),
        ub.Joint(
            name="slide", kind="prismatic", parent="b", child="c", axis=X, limits=ub.Limits(position=slide)
        ),
    )  # fmt: skip
    return ub.Robot(name="arm", links=links, joints=joints, base="fixed")


@pytest.mark.parametrize(("bend", "slide"), [(0.0, 0.0), (0.5, -0.1)])
@pytest.mark.parametrize("loop_solver", ["engine", "exact"])
def test_a_locked_joint_stays(bend: float, slide: float, loop_solver: str) -> None:
    sim = ub.simulate(_arm((bend, bend), (slide, slide)), loop_solver=loop_solver)
    sim.run(1.0)
    assert abs(sim.q[0]) > 0.5
    assert sim.q[1:] == pytest.approx([bend, slide], abs=1e-6)
    other = sim.copy()
    other.run(0.1)
    assert other.q[1:] == pytest.approx([bend, slide], abs=1e-6)


def test_a_locked_joint_is_free_without_position_limits() -> None:
    sim = ub.simulate(_arm((0.0, 0.0), (0.0, 0.0)), position_limits=False)
    sim.run(0.3)
    assert np.abs(sim.q[1:]).min() > 0.01


@pytest.mark.parametrize("value", [0.0, 0.5])
def test_mujoco_holds_it(value: float) -> None:
    robot = _arm((value, value), (-0.2, 0.2))
    text = ub.dumps(robot, format="mjcf")
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 500)
    assert data.qpos[1] == pytest.approx(value, abs=1e-5)
    again = ub.loads(text)
    assert again.joint("bend").limits.position == (value, value)
    assert again.joint("slide").limits.position == (-0.2, 0.2)


LOCKED = """
<mujoco>
  <worldbody>
    <body><joint name="turn" axis="0 0 1" range="-90 90" ref="30"/><geom size="0.1" mass="1"/></body>
  </worldbody>
  <equality>
    <joint joint1="turn" polycoef="0.25" solref="0.01 1"/>
  </equality>
</mujoco>
"""


def test_an_equality_of_one_joint_is_two_equal_limits() -> None:
    robot = ub.loads(LOCKED)
    assert robot.joint("turn").limits.position == (0.25, 0.25)
    text = ub.dumps(robot, format="mjcf")
    model = mujoco.MjModel.from_xml_string(text)
    assert (model.neq, model.eq_data[0, 0], model.eq_solref[0, 0]) == (1, 0.25, 0.01)
    # the range stands in the file still
    assert model.jnt_range[0] == pytest.approx(np.radians([-90.0, 90.0]))
    joint = robot.joint("turn")
    moved = replace(robot, joints=(replace(joint, limits=ub.Limits(position=(-1.0, 1.0))),))
    model = mujoco.MjModel.from_xml_string(ub.dumps(moved, format="mjcf"))
    assert model.neq == 0
    assert model.jnt_range[0] == pytest.approx(np.radians(30.0) + np.array([-1.0, 1.0]))
