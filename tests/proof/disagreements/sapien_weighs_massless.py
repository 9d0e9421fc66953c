"""SAPIEN 3.0.3 gives a link without <inertial> a mass, in kg.

expected: 0.0
seen: 1e-06
"""

from pathlib import Path

import sapien

scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
robot = scene.create_urdf_loader().load(str(Path(__file__).with_name("massless.urdf")))

print(round(float(robot.find_link_by_name("b").mass), 9))
