"""DART 6.20 gives a body of MJCF without <inertial> the inertia 1 kg m² about each axis.

expected: 2.08 1.6 0.8
seen: 1.0 1.0 1.0
"""

from pathlib import Path

import dartpy

world = dartpy.utils.MjcfParser.readWorld(
    dartpy.common.Uri.createFromPath(str(Path(__file__).with_name("no_inertial.xml")))
)
inertia = world.getSkeleton(0).getBodyNode("b").getInertia().getMoment()
print(*(round(float(inertia[i][i]), 6) for i in range(3)))
