"""DART 6.20 has 1 kg m² about each axis for a body of MJCF whose <inertial> states diaginertia.

expected: 0.02 0.03 0.04
seen: 1.0 1.0 1.0
"""

from pathlib import Path

import dartpy as dart

place = dart.common.Uri.createFromPath(str(Path(__file__).with_name("inertial.xml")))
moment = dart.utils.MjcfParser.readWorld(place).getSkeleton(0).getBodyNode(0).getInertia().getMoment()
print(*(round(float(moment[k][k]), 6) for k in range(3)))
