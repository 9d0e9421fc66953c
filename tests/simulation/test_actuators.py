"""The actuators of a file act as in MuJoCo, unless their joints are commanded otherwise."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import unibody as ub
from unibody.cli.main import main
from unibody.formats.placed import placed
from unibody.model.pose import Pose, from_rpy
from unibody.simulation.simulation import Simulation

ARM = """
<mujoco model="arm">
  <compiler angle="radian"/>
  <option timestep="0.001" integrator="implicitfast"/>
  <default><joint damping="1" armature="0.05"/><geom density="500" contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="upper" pos="0 0 0.3">
      <joint name="lift" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      <body name="lower" pos="0.3 0 0">
        <joint name="bend" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.02"/>
        <body name="hand" pos="0.2 0 0">
          <joint name="slide" type="slide" axis="1 0 0" range="-0.1 0.1"/>
          <geom size="0.03"/>
        </body>
      </body>
    </body>
  </worldbody>
  <actuator>
    <general name="raise" joint="lift" gainprm="800" biasprm="0 -800 -60" biastype="affine"/>
    <position name="bend" joint="bend" kp="300" kv="20" timeconst="0.02"/>
    <intvelocity name="grip" joint="slide" kp="400" kv="10" actrange="-0.1 0.1"/>
  </actuator>
  <keyframe>
    <key name="up" qpos="-0.8 0.4 0.02" qvel="0.1 0 0" act="0.4 0.02" ctrl="-0.8 0.4 0"/>
    <key name="loose" qpos="0.3 0.2 0"/>
  </keyframe>
</mujoco>
"""


@pytest.fixture
def arm() -> ub.Robot:
    return ub.loads(ARM)


def _simulated(robot: ub.Robot) -> Simulation:
    return ub.simulate(robot, integrator="implicitfast")


@pytest.mark.parametrize("key", ["up", "loose"])
def test_a_keyframe_runs_as_in_mujoco(arm: ub.Robot, key: str) -> None:
    model = mujoco.MjModel.from_xml_string(ARM)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, model.key(key).id)
    mujoco.mj_step(model, data, 1000)
    sim = _simulated(arm)
    sim.reset(pose=key)
    sim.run(1.0)
    assert sim.q == pytest.approx(data.qpos, abs=1e-9)
    assert sim.effort == pytest.approx(data.qfrc_actuator, abs=1e-6)


def test_servos_stay_where_the_motion_begins(arm: ub.Robot) -> None:
    sim = _simulated(arm)
    begin = np.array([-0.5, 0.3, 0.05])
    sim.reset(begin)
    assert sim.data.ctrl[:3] == pytest.approx([-0.5, 0.3, 0.0])
    assert sim.data.act == pytest.approx([0.3, 0.05])
    sim.run(1.0)
    assert np.abs(sim.q - begin).max() < 0.02  # they sag under the weight


def test_what_commands_a_joint_switches_its_actuators_off(arm: ub.Robot) -> None:
    sim = _simulated(arm)
    sim.reset(pose="up")
    assert not sim.warnings
    held = {"lift": -0.8, "bend": 0.4}
    sim.set_position(held)
    sim.run(0.2)
    (warning,) = sim.warnings
    assert warning.code == "simulation-actuators-off"
    assert "'raise', 'bend'" in warning.message
    assert "'grip'" not in warning.message
    # what holds an arm is its weight, and no servo
    assert np.abs(sim.effort[:2]).max() < 10.0
    other = sim.copy()
    other.run(0.1)
    sim.run(0.1)
    assert (other.q == sim.q).all()
    sim.reset(pose="up")
    assert not sim.warnings
    assert other.warnings


def test_gains_replace_the_servos_of_the_file(arm: ub.Robot) -> None:
    sim = _simulated(arm)
    sim.set_gains(500.0, 50.0)
    sim.reset()
    sim.set_position([-0.6, 0.3, 0.0])
    sim.run(2.0)
    assert sim.q[:2] == pytest.approx([-0.6, 0.3], abs=0.05)


def test_a_column_sets_the_control_of_an_actuator(arm: ub.Robot, tmp_path: Path) -> None:
    (tmp_path / "arm.xml").write_text(ARM)
    # "bend" is a joint, too, which comes first
    (tmp_path / "control.csv").write_text("time,raise,bend\n0,-0.3,0.1\n0.5,-0.7,0.1\n2,-0.7,0.1\n")
    control = ub.load_motion(tmp_path / "control.csv", arm)
    assert list(control.controls) == ["raise"]
    out = tmp_path / "run.npz"
    words = ["simulate", str(tmp_path / "arm.xml"), "--control", str(tmp_path / "control.csv"), "--hold"]
    assert main([*words, "--integrator", "implicitfast", "--record", str(out)]) == 0
    run = ub.load_record(out)
    assert run.q[-1, 0] == pytest.approx(-0.7, abs=0.02)
    assert run.q[-1, 1] == pytest.approx(0.1, abs=1e-6)
    assert run.q[-1, 2] == pytest.approx(0.0, abs=1e-6)
    sim = _simulated(arm)
    with pytest.raises(KeyError, match="has no actuator 'rise'"):
        sim.set_control({"rise": 1.0})
    with pytest.raises(ValueError, match="takes 1 finite number"):
        sim.set_control({"raise": [1.0, 2.0]})


def test_an_actuator_of_several_joints_is_off_with_any_of_them() -> None:
    text = (
        ARM.replace(
            "<actuator>",
            '<tendon><fixed name="both"><joint joint="lift" coef="1"/><joint joint="bend" coef="-1"/>'
            "</fixed></tendon>"
            '<actuator><position name="pull" tendon="both" kp="50"/>',
        )
        .replace("act=", 'time="0" act=')
        .replace('ctrl="', 'ctrl="-1.2 ')
    )
    sim = ub.simulate(ub.loads(text))
    sim.set_position({"bend": 0.2})
    (warning,) = sim.warnings
    assert "'pull', 'bend'" in warning.message
    assert sim.joints_of_actuators(["pull"]) == {"lift", "bend"}


TWO = """<mujoco model="{0}"><worldbody><body name="{0}" pos="0 0 2"><freejoint/><geom size=".1" mass="1"/>
<body name="{0}_arm"><joint name="{0}_j" axis="0 1 0"/>
<geom size=".1" pos=".2 0 0" mass=".5"/></body></body>
</worldbody><actuator><position name="{0}_p" joint="{0}_j" kp="9"/>
<intvelocity name="{0}_i" joint="{0}_j" kp="1" actrange="-1 1"/></actuator>
<keyframe><key name="home" qpos="0 0 1 1 0 0 0 .1"/>
<key name="{0}_up" qpos="0 1 1 1 0 0 0 .3" qvel="1 0 0 0 0 .5 .2" act=".6" ctrl=".4 .5"/></keyframe>
</mujoco>"""


def test_a_keyframe_is_of_one_robot_of_a_scene() -> None:
    left, right = (ub.loads(TWO.format(name)) for name in ("left", "right"))
    turn = Pose((5.0, 0.0, 0.0), from_rpy(0.0, 0.0, np.pi / 2.0))
    sim = ub.simulate((left, placed(right, turn)))
    assert sim.keyframes == ("left:home", "left_up", "right:home", "right_up")
    sim.reset({"left_j": 0.7})
    sim.reset(pose="right_up")
    one, other = sim.robots.values()
    assert one.q == pytest.approx([0.0, 0.0, 2.0, 1.0, 0.0, 0.0, 0.0, 0.0])
    assert one.v == pytest.approx(np.zeros(7))
    assert other.q == pytest.approx([4.0, 0.0, 1.0, *turn.quat, 0.3])
    assert other.v == pytest.approx([1.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.2])
    assert sim.data.ctrl[:4] == pytest.approx([0.0, 0.0, 0.4, 0.5])
    assert sim.data.act == pytest.approx([0.0, 0.6])
    sim.reset(pose="left:home")
    assert one.q[-1] == pytest.approx(0.1)
    assert other.q == pytest.approx([5.0, 0.0, 2.0, *turn.quat, 0.0])
    assert sim.data.ctrl[:4] == pytest.approx(np.zeros(4))
    with pytest.raises(KeyError, match="several robots have it: 'left:home', 'right:home'"):
        sim.reset(pose="home")


def test_the_keyframe_of_another_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [tmp_path / f"{name}.xml" for name in ("left", "right")]
    for path in paths:
        path.write_text(TWO.format(path.stem))
    words = ["simulate", str(paths[0]), "--with", f"{paths[1]}@3,0,0", "--seconds", "0.001"]
    for key, place in (("right_up", [3.0, 1.0, 1.0]), ("right:home", [3.0, 0.0, 1.0])):
        record = tmp_path / f"{key[6:]}.npz"
        assert main([*words, "--pose", key, "--record", str(record)]) == 0
        run = ub.load_record(record)
        base = run.mechanism.idx_q[[j.name for j in run.robot.joints].index("right")]
        assert run.q[0, base : base + 3] == pytest.approx(np.subtract(place, [3.0, 0.0, 2.0]), abs=1e-12)
    capsys.readouterr()
    assert main([*words, "--pose", "home"]) == 2
    assert "several robots have it: 'left:home', 'right:home'" in capsys.readouterr().err
