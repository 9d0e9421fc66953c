"""A small SRDF file with its URDF."""

from __future__ import annotations

_SRDF = """\
<?xml version="1.0"?>
<!-- a lamp with two joints and a head -->
<robot name="lamp">
  <virtual_joint name="mount" type="fixed" parent_frame="room" child_link="foot"/>
  <group name="arm">
    <chain base_link="foot" tip_link="head"/>
  </group>
  <group name="neck">
    <joint name="neck"/>
    <link name="head"/>
  </group>
  <group name="all">
    <group name="arm"/>
    <group name="neck"/>
  </group>
  <group_state name="reading" group="arm">
    <joint name="shoulder" value="0.4"/>
    <joint name="neck" value="-0.9"/>
  </group_state>
  <end_effector name="bulb" parent_link="pole" group="neck" parent_group="arm"/>
  <passive_joint name="neck"/>
  <disable_collisions link1="foot" link2="pole" reason="Adjacent"/>
  <disable_collisions link1="pole" link2="head" reason="Adjacent"/>
  <disable_collisions link1="foot" link2="head" reason="Never"/>
  <joint_property joint_name="neck" property_name="angle_wraparound" value="false"/>
</robot>
"""

_URDF = """\
<?xml version="1.0"?>
<robot name="lamp">
  <link name="foot">
    <collision><geometry><cylinder radius="0.1" length="0.02"/></geometry></collision>
  </link>
  <link name="pole">
    <collision>
      <origin xyz="0 0 0.2"/>
      <geometry><cylinder radius="0.01" length="0.38"/></geometry>
    </collision>
  </link>
  <link name="head">
    <collision><geometry><sphere radius="0.05"/></geometry></collision>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="foot"/>
    <child link="pole"/>
    <origin xyz="0 0 0.02"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="2" velocity="3"/>
  </joint>
  <joint name="neck" type="revolute">
    <parent link="pole"/>
    <child link="head"/>
    <origin xyz="0 0 0.4"/>
    <axis xyz="0 1 0"/>
    <limit lower="-1.5" upper="1.5" effort="1" velocity="3"/>
  </joint>
</robot>
"""

SAMPLES = {"lamp.srdf": _SRDF, "lamp.urdf": _URDF}
