"""SAPIEN 3.0.3 holds a link that turns from rest in other engines: its acceleration, in rad/s².

expected: 10.38
seen: 0.0
"""

from pathlib import Path

import sapien

scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
scene.set_timestep(0.0001)
robot = scene.create_urdf_loader().load(str(Path(__file__).with_name("turned_inertia.urdf")))
scene.step()
as_loaded = float(robot.get_qvel()[0]) / 0.0001
robot.get_active_joints()[0].set_friction(0.0)
robot.set_qvel([0.0])
scene.step()
print(round(abs(as_loaded), 2), "and without friction", round(float(robot.get_qvel()[0]) / 0.0001, 2))
