"""Models that several tests of fixes begin with."""

ARM = """\
<robot name="arm">
  <link name="base"/>
  <link name="hand"/>
  <joint name="wrist" type="revolute">
    <parent link="base"/>
    <child link="hand"/>
    <axis xyz="0 3 4"/>
    <limit lower="1.5" upper="-1.5" effort="10" velocity="1"/>
  </joint>
</robot>
"""
