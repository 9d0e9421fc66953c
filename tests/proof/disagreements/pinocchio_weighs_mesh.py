"""Pinocchio 4.1 gives each geom that is a mesh 1 kg, whatever its mass or density: the mass of the body.

expected: 3.0
seen: 1.0
"""

from pathlib import Path

import pinocchio

model = pinocchio.buildModelFromMJCF(str(Path(__file__).with_name("mesh.xml")))
print(round(float(model.inertias[1].mass), 6))
