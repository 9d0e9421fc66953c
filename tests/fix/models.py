"""Models that several tests of fixes begin with."""

from __future__ import annotations

from pathlib import Path

from unibody.formats import FORMATS

#: The model files with mistakes, in a folder of each format; what stands beside them is of another format.
CASES = [
    path
    for format in FORMATS
    for path in sorted((Path(__file__).parent / format.name).glob("*.*"))
    if path.name.endswith(format.suffixes)
]

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
