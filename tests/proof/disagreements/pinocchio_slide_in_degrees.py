"""Pinocchio 4.1 reads the range of a slide as an angle in degrees.

expected: -1.0 1.0
seen: -0.017453 0.017453
"""

from pathlib import Path

import pinocchio

model = pinocchio.buildModelFromMJCF(str(Path(__file__).with_name("slide.xml")))
print(round(float(model.lowerPositionLimit[-1]), 6), round(float(model.upperPositionLimit[-1]), 6))
