"""iDynTree 15.1 ignores <mimic>: degrees of freedom.

expected: 1
seen: 2
"""

from pathlib import Path

import idyntree.bindings as idyntree

loader = idyntree.ModelLoader()
loader.loadModelFromFile(str(Path(__file__).with_name("mimic.urdf")))
print(loader.model().getNrOfDOFs())
