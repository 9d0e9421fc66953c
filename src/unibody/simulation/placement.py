"""Where a robot begins: with its lowest point at a height."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.mechanism import Mechanism
from unibody.meshes.shapes import mesh

Floats = NDArray[np.float64]


def lowest_point(mechanism: Mechanism, q: Any) -> float:
    """Height in m of the lowest point of the collision shapes of the links that a free base carries.

    ValueError for a robot without collision shapes.

    >>> import unibody as ub
    >>> m = ub.assemble(ub.load("src/unibody/models/biped.body"))
    >>> round(lowest_point(m, m.initial), 6)
    0.0
    """
    poses = np.asarray(mechanism.forward_kinematics(q))
    lowest = np.inf
    for link, pose in zip(mechanism.robot.links, poses, strict=True):
        if not link.collides or not link.collisions:
            continue
        vertices, _ = mesh(mechanism.robot, link.name, "collision")
        if len(vertices):
            lowest = min(lowest, float((vertices @ pose[2, :3] + pose[2, 3]).min()))
    if not np.isfinite(lowest):
        raise ValueError("the robot has no collision shapes")
    return lowest


def lifted(mechanism: Mechanism, q: Any, height: float) -> Floats:
    """The configuration (nq,) with the lowest point of a free base at a height in m.

    ValueError unless the base is free.
    """
    if mechanism.base != "free":
        raise ValueError("the base of the robot is not free")
    out = np.array(mechanism.positions(q), np.float64)
    out[2] += height - lowest_point(mechanism, out)
    return out
