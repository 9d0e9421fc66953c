"""SAPIEN 3.0.3 holds a mimic joint by forces: degrees of freedom.

expected: 1
seen: 2
"""

from pathlib import Path

import sapien

scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
robot = scene.create_urdf_loader().load(str(Path(__file__).with_name("mimic.urdf")))

print(robot.dof)
