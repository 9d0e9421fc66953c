"""What the readers of formats share whose joints have frames of their own on both bodies."""

from __future__ import annotations

import math
from collections.abc import Mapping

from unibody.model.joint_kind import JointKind
from unibody.model.pose import ZERO, Pose, Vector3, rotate
from unibody.model.robot import BALL, FIXED, HINGE, PISTON, Holds

#: What a loop forbids that is closed by a joint of a kind.
HOLDS: Mapping[JointKind, Holds] = {
    "revolute": HINGE,
    "fixed": FIXED,
    "ball": BALL,
    "prismatic": Holds(axial=False, radial=True, twist=True, swing=True),
    "planar": Holds(axial=True, radial=False, swing=True),
    # approximated: the model has no loop with two axes, and none with a thread
    "universal": BALL,
    "screw": PISTON,
}


def offset(kind: JointKind, child: Pose, axis: Vector3) -> Vector3:
    """Where a joint is in the frame of its child link, if the link has to be moved there; else zero.

    ``child`` is the frame of the joint in the link. A joint that holds its link, or slides it, may be
    anywhere, one that turns it anywhere on its axis.
    """
    if kind in ("fixed", "prismatic"):
        return ZERO
    x, y, z = child.xyz
    if kind in ("revolute", "screw"):
        a, b, c = rotate(child.quat, axis)
        along = x * a + y * b + z * c
        x, y, z = x - along * a, y - along * b, z - along * c
    return child.xyz if math.hypot(x, y, z) > 1e-12 else ZERO
