"""SAPIEN 3.0.3 adds friction to a joint without <dynamics>, and damping to its link.

expected: 0.0 0.0
seen: 0.05 0.05
"""

from pathlib import Path

import sapien

scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
robot = scene.create_urdf_loader().load(str(Path(__file__).with_name("hinge.urdf")))

joint, link = robot.get_active_joints()[0], robot.find_link_by_name("a")
print(round(float(joint.friction), 6), round(float(link.linear_damping), 6))
