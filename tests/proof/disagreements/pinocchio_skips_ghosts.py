"""Pinocchio 4.1 does not weigh geoms that cannot collide: the mass of the body.

expected: 8.0
seen: 3.0
"""

from pathlib import Path

import pinocchio

model = pinocchio.buildModelFromMJCF(str(Path(__file__).with_name("ghost.xml")))
print(round(float(model.inertias[1].mass), 6))
