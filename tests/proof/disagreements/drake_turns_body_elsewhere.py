"""Drake 1.51 turns a body with two joints of different pos about another point: its place at j = 0.5, in m.

expected: 0.0 0.038354 1.009793
seen: 0.0 -0.441071 0.887376
"""

from pathlib import Path

from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

plant = MultibodyPlant(0.0)
Parser(plant).AddModels(str(Path(__file__).with_name("two_hinges.xml")))
plant.Finalize()
context = plant.CreateDefaultContext()
plant.SetPositions(context, [0.5, 0.0])
place = plant.EvalBodyPoseInWorld(context, plant.GetBodyByName("b")).translation()
print(*(round(float(x), 6) for x in place))
