"""Small URDF models."""

from __future__ import annotations

SAMPLES = {
    "pendulum.urdf": """\
<?xml version="1.0"?>
<robot name="pendulum">
  <link name="stand">
    <visual>
      <origin xyz="0 0 0.5"/>
      <geometry><box size="0.1 0.1 1"/></geometry>
    </visual>
    <inertial>
      <origin xyz="0 0 0.5"/>
      <mass value="2"/>
      <inertia ixx="0.2" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.004"/>
    </inertial>
  </link>
  <link name="bob">
    <visual>
      <origin xyz="0 0 -0.5"/>
      <geometry><sphere radius="0.05"/></geometry>
    </visual>
    <inertial>
      <origin xyz="0 0 -0.5"/>
      <mass value="1"/>
      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.001"/>
    </inertial>
  </link>
  <joint name="swing" type="revolute">
    <parent link="stand"/>
    <child link="bob"/>
    <origin xyz="0 0.1 1"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" velocity="10" effort="5"/>
  </joint>
</robot>
""",
}
