"""SAPIEN 3.0.3 ignores the velocity of a <limit>: each joint may have 100 rad/s.

expected: 2.0
seen: 100.0
"""

from pathlib import Path

import sapien

scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
robot = scene.create_urdf_loader().load(str(Path(__file__).with_name("hinge.urdf")))

print(round(float(robot.get_active_joints()[0].max_velocity), 6))
