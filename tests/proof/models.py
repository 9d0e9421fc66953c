"""Small models of the proofs' tests, none of them symmetric."""

from __future__ import annotations

from pathlib import Path

ARM = """\
<robot name="arm">
  <link name="base">
    <inertial><origin xyz="0 0 0.1"/><mass value="2"/>
      <inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="upper">
    <inertial><origin xyz="0.1 0.02 0.2" rpy="0.3 0.4 0.5"/><mass value="1.5"/>
      <inertia ixx="0.02" iyy="0.03" izz="0.04" ixy="0.003" ixz="-0.002" iyz="0.004"/></inertial>
  </link>
  <link name="plate">
    <inertial><origin xyz="0.05 0 0" rpy="0 0 0.2"/><mass value="0.5"/>
      <inertia ixx="0.002" iyy="0.003" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="fore">
    <inertial><origin xyz="0.01 0.2 0.03"/><mass value="0.7"/>
      <inertia ixx="0.01" iyy="0.012" izz="0.015" ixy="0.001" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="finger">
    <inertial><origin xyz="0 0.02 0"/><mass value="0.1"/>
      <inertia ixx="0.0001" iyy="0.00012" izz="0.00015" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="shoulder" type="revolute">
    <parent link="base"/><child link="upper"/><origin xyz="0.02 0.03 0.2" rpy="0.1 0.2 0.3"/>
    <axis xyz="0 0.6 0.8"/><limit lower="-1.5" upper="2" effort="50" velocity="3"/>
    <dynamics damping="0.3" friction="0.2"/>
  </joint>
  <joint name="mount" type="fixed">
    <parent link="upper"/><child link="plate"/><origin xyz="0 0.1 0.1" rpy="0 0.7 0"/>
  </joint>
  <joint name="elbow" type="continuous">
    <parent link="upper"/><child link="fore"/><origin xyz="0 0.1 0.4" rpy="0.5 0 1"/>
    <axis xyz="1 0 0"/><limit effort="20" velocity="3"/>
  </joint>
  <joint name="grip" type="prismatic">
    <parent link="fore"/><child link="finger"/><origin xyz="0 0.4 0.01"/>
    <axis xyz="0 0 -1"/><limit lower="0" upper="0.04" effort="5" velocity="1"/>
  </joint>
</robot>
"""

# One link with a turned, off-diagonal inertia (docs/prove.md).
EXAMPLE = (Path(__file__).parent / "disagreements/turned_inertia.urdf").read_text("utf-8")
