"""PyBullet 3.2.7 ignores the inertia of a link unless it is asked for: its largest moment, in kg m².

expected: 1.0
seen: 0.0
"""

from pathlib import Path

import pybullet

pybullet.connect(pybullet.DIRECT)
robot = pybullet.loadURDF(str(Path(__file__).with_name("hinge.urdf")))
print(round(max(pybullet.getDynamicsInfo(robot, 0)[2]), 5))
