"""DART 6.20 holds a mimic joint by a servo: a force on it accelerates nothing.

expected: accelerates
seen: at rest
"""

from pathlib import Path

import dartpy

skeleton = dartpy.utils.DartLoader().parseSkeleton(str(Path(__file__).with_name("mimic.urdf")))

skeleton.setGravity([0, 0, 0])
skeleton.setForces([0.0, 1.0])
skeleton.computeForwardDynamics()
print("accelerates" if abs(skeleton.getAcceleration(1)) > 1e-6 else "at rest", skeleton.getAccelerations())
