"""The sensors of an MJCF file are read under their own names, as MuJoCo reads them."""

from __future__ import annotations

import math
from dataclasses import replace

import mujoco
import numpy as np
import pytest

import unibody as ub

TEXT = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <geom type="plane" size="2 2 0.1"/>
    <body name="b" pos="0 0 0.11">
      <joint name="z" type="slide" axis="0 0 1" damping="1"/>
      <geom type="sphere" size="0.1" mass="2"/>
      <body name="arm" pos="0 0 0.2">
        <joint name="h" axis="0 1 0" damping="0.1"/>
        <geom type="capsule" size="0.02" fromto="0 0 0 0.3 0 0" mass="0.3" contype="0" conaffinity="0"/>
        <site name="tool" pos="0.1 0 0.05" euler="0 30 0"/>
        <site name="wrist"/>
      </body>
      <site name="pad" type="sphere" size="0.12"/>
    </body>
  </worldbody>
  <actuator><motor name="m" joint="h" ctrlrange="-1 1"/></actuator>
  <sensor>
    <velocimeter name="velocity" site="tool"/>
    <magnetometer name="north" site="tool"/>
    <touch name="touch" site="pad"/>
    <framepos name="place" objtype="site" objname="tool"/>
    <framequat name="turn" objtype="site" objname="tool"/>
    <jointpos name="angle" joint="h"/>
    <jointvel name="rate" joint="h"/>
    <actuatorfrc name="effort" actuator="m"/>
    <subtreecom name="center" body="b"/>
    <force name="force" site="wrist"/>
    <torque name="torque" site="wrist"/>
    <jointpos joint="z"/>
  </sensor>
  <keyframe><key name="pushed" qpos="0 0.2" qvel="0 1" ctrl="0.3"/></keyframe>
</mujoco>
"""


def test_every_sensor_has_mujocos_reading() -> None:
    model = mujoco.MjModel.from_xml_string(TEXT)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_step(model, data, 300)
    mujoco.mj_forward(model, data)
    sim = ub.simulate(ub.loads(TEXT), step=0.001, integrator="euler")
    sim.reset(pose="pushed")
    recorder = ub.Recorder(sim)
    recorder.run(0.3)
    record = recorder.record()
    names = ("velocity", "north", "touch", "place", "turn", "angle", "rate", "effort", "center", "torque")
    for name in names:
        assert sim.sensors[name] == pytest.approx(data.sensor(name).data, abs=1e-6), name
        assert record.sensors[name][-1] == pytest.approx(sim.sensors[name])
    assert data.sensor("touch").data[0] > 10.0
    # force and torque on one site are a device, whose readings are those on the parent
    assert sim.sensors["force"] == pytest.approx(
        -np.concatenate([data.sensor("force").data, data.sensor("torque").data]), abs=1e-6
    )
    assert {f.code: f.message for f in sim.findings}.keys() >= {
        "simulation-force-sign",
        "simulation-sensor-unnamed",
    }
    with pytest.raises(KeyError, match="is read by MuJoCo, and is no device"):
        sim.read_sensor_as("touch", noise=0.1)


@pytest.mark.parametrize(
    ("cutoff", "reading"), [("", 15.0), ('cutoff="20"', 15.0), ('cutoff="8"', math.inf)]
)
def test_a_rangefinder_without_a_cutoff_sees_any_distance(cutoff: str, reading: float) -> None:
    text = f"""
    <mujoco>
      <worldbody>
        <geom type="box" size="0.1 2 2" pos="15.1 0 0"/>
        <body name="post"><joint axis="0 0 1"/><geom type="sphere" size="0.02" pos="-0.1 0 0"/>
          <site name="beam" zaxis="1 0 0"/>
        </body>
      </worldbody>
      <sensor><rangefinder name="range" site="beam" {cutoff}/></sensor>
    </mujoco>"""
    robot = ub.loads(text)
    sim = ub.simulate(robot)
    assert sim.sensors["range"] == pytest.approx([reading])
    assert robot == ub.loads(ub.dumps(robot, format="mjcf"))
    assert ub.loads(ub.dumps(robot, format="body")) is not None


def test_devices_that_are_off_are_not_simulated() -> None:
    robot = ub.load("src/unibody/models/biped.body")
    name = next(iter(ub.simulate(robot).sensors))
    eye = ub.Device(name="eye", link="WAIST", spec=ub.Camera(), on=False)
    devices = tuple(replace(each, on=each.name != name) for each in robot.devices)
    sim = ub.simulate(replace(robot, devices=(*devices, eye)))
    assert name not in sim.sensors
    assert "eye" not in sim.cameras
    with pytest.raises(KeyError, match="is switched off"):
        sim.sensors[name]
