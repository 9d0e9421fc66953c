"""Pinocchio 4.1 makes the velocity of a <limit> the lower limit, too, with the sign of the upper one.

expected: -2.0 2.0
seen: 2.0 2.0
"""

from pathlib import Path

import pinocchio

model = pinocchio.buildModelFromUrdf(str(Path(__file__).with_name("hinge.urdf")))
print(float(model.lowerVelocityLimit[0]), float(model.upperVelocityLimit[0]))
