"""iDynTree 15.1 makes position limits of the <limit> of a continuous joint.

expected: no limits
seen: 0.0 0.0
"""

from pathlib import Path

import idyntree.bindings as idyntree

loader = idyntree.ModelLoader()
loader.loadModelFromFile(str(Path(__file__).with_name("continuous.urdf")))
joint = loader.model().getJoint(0)
print(joint.getMinPosLimit(0), joint.getMaxPosLimit(0)) if joint.hasPosLimits() else print("no limits")
