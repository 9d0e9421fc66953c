"""Drake 1.51 floats a root link that is not called 'world': degrees of freedom.

expected: 1
seen: 7
"""

from pathlib import Path

from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

plant = MultibodyPlant(0.0)
Parser(plant).AddModels(str(Path(__file__).with_name("root.urdf")))
plant.Finalize()

print(plant.num_velocities())
