"""DART 6.20 gives a link without <inertial> a mass, in kg.

expected: 0.0
seen: 1.0
"""

from pathlib import Path

import dartpy

skeleton = dartpy.utils.DartLoader().parseSkeleton(str(Path(__file__).with_name("massless.urdf")))

print(skeleton.getBodyNode("b").getMass())
