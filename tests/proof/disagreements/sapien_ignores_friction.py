"""SAPIEN 3.0.3 gives a joint with <dynamics damping="0.3" friction="0.2"/> a friction of its own.

expected: 0.2
seen: 0.05
"""

from pathlib import Path

import sapien

scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
robot = scene.create_urdf_loader().load(str(Path(__file__).with_name("hinge_friction.urdf")))

print(round(float(robot.get_active_joints()[0].friction), 6))
