"""Small MJCF models."""

from __future__ import annotations

SAMPLES = {
    "pendulum.xml": """\
<mujoco model="pendulum">
  <compiler angle="radian"/>
  <default>
    <default class="steel">
      <geom density="7800" rgba="0.6 0.6 0.65 1"/>
    </default>
  </default>
  <worldbody>
    <body name="stand">
      <geom name="post" type="box" size="0.05 0.05 0.5" pos="0 0 0.5" mass="2"/>
      <body name="bob" pos="0 0.1 1" childclass="steel">
        <joint name="swing" axis="0 1 0" range="-1.5 1.5" damping="0.01"/>
        <geom name="rod" type="capsule" fromto="0 0 0 0 0 -0.45" size="0.005"/>
        <geom name="ball" size="0.05" pos="0 0 -0.5"/>
        <site name="tip" pos="0 0 -0.55"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <motor name="drive" joint="swing" gear="5" ctrlrange="-1 1"/>
  </actuator>
</mujoco>
""",
    "arm.xml": """\
<mujoco model="arm">
  <include file="assets.xml"/>
  <worldbody>
    <light name="sun" type="directional" pos="0 0 3"/>
    <geom name="floor" type="plane" size="2 2 0.1"/>
    <body name="base" pos="0 0 0.1">
      <geom type="cylinder" size="0.1 0.1" material="paint"/>
      <frame euler="0 0 45">
        <body name="upper" pos="0 0 0.1">
          <joint name="yaw"/>
          <joint name="pitch" axis="0 1 0" pos="0 0 0.05" range="-60 90" ref="10"/>
          <geom type="mesh" mesh="wedge" material="paint"/>
          <camera name="eye" pos="0.1 0 0.1" fovy="60"/>
          <site name="imu" pos="0 0 0.1"/>
          <replicate count="3" offset="0.03 0 0">
            <body name="finger" pos="0.1 0 0.2">
              <joint name="bend" axis="0 1 0" range="0 80"/>
              <geom type="capsule" size="0.01" fromto="0 0 0 0 0 0.1"/>
            </body>
          </replicate>
        </body>
      </frame>
    </body>
  </worldbody>
  <equality>
    <joint joint1="bend1" joint2="bend0"/>
    <joint joint1="bend2" joint2="bend0" polycoef="0 0.5"/>
  </equality>
  <contact>
    <exclude body1="finger0" body2="finger1"/>
  </contact>
  <sensor>
    <accelerometer name="acceleration" site="imu"/>
    <gyro name="rates" site="imu"/>
  </sensor>
  <keyframe>
    <key name="home" qpos="0 10 0 0 0"/>
  </keyframe>
</mujoco>
""",
    "assets.xml": """\
<mujocoinclude>
  <asset>
    <material name="paint" rgba="0.8 0.3 0.1 1" specular="0.3"/>
    <mesh name="wedge" vertex="0 0 0  0.2 0 0  0 0.1 0  0 0 0.2"/>
  </asset>
</mujocoinclude>
""",
}
