"""Drake 1.51 makes a constraint of <mimic>: degrees of freedom and constraints.

expected: 1 0
seen: 2 1
"""

from pathlib import Path

from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

plant = MultibodyPlant(0.001)
Parser(plant).AddModels(str(Path(__file__).with_name("mimic.urdf")))
plant.Finalize()
print(plant.num_velocities(), plant.num_constraints())
