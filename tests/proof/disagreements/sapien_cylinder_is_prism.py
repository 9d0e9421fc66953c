"""SAPIEN 3.0.3 weighs a link without <inertial> by its shapes at 1000 kg/m³, a cylinder as a prism, in kg.

expected: 0.0
seen: 280.93
"""

from pathlib import Path

import sapien

scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
robot = scene.create_urdf_loader().load(str(Path(__file__).with_name("cylinder.urdf")))
print(round(float(robot.get_links()[1].mass), 2))
