"""Pinocchio 4.1 ignores <mimic> unless it is asked for: degrees of freedom.

expected: 1
seen: 2
"""

from pathlib import Path

import pinocchio

print(pinocchio.buildModelFromUrdf(str(Path(__file__).with_name("mimic.urdf"))).nv)
