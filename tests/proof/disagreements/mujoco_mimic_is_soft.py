"""MuJoCo 4.0.1 makes a soft constraint of <mimic>: degrees of freedom and constraints.

expected: 1 0
seen: 2 1
"""

from pathlib import Path

import mujoco

model = mujoco.MjModel.from_xml_path(str(Path(__file__).with_name("mimic.urdf")))
print(model.nv, model.neq)
