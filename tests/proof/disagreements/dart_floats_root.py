"""DART 6.20 floats a root link that is not called 'world': degrees of freedom.

expected: 1
seen: 7
"""

from pathlib import Path

import dartpy

skeleton = dartpy.utils.DartLoader().parseSkeleton(str(Path(__file__).with_name("root.urdf")))

print(skeleton.getNumDofs())
