"""Where a robot begins: with its lowest point at a height."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from unibody.mechanism import Mechanism
from unibody.meshes.shapes import mesh
from unibody.model.arrays import Floats
from unibody.model.joint_kind import KINDS


def lowest_point(mechanism: Mechanism, q: Any, links: Collection[str] | None = None) -> float:
    """Height in m of the lowest point of the collision shapes of all links, or of some.

    ValueError for a robot without collision shapes.

    >>> import unibody as ub
    >>> m = ub.assemble(ub.load("src/unibody/models/biped.body"))
    >>> round(lowest_point(m, m.initial), 6)
    0.0
    """
    poses = np.asarray(mechanism.forward_kinematics(q))
    lowest = np.inf
    for link, pose in zip(mechanism.robot.links, poses, strict=True):
        if not link.collides or not link.collisions or (links is not None and link.name not in links):
            continue
        vertices, _ = mesh(mechanism.robot, link.name, "collision")
        if len(vertices):
            lowest = min(lowest, float((vertices @ pose[2, :3] + pose[2, 3]).min()))
    if not np.isfinite(lowest):
        raise ValueError("the robot has no collision shapes")
    return lowest


def at_locks(mechanism: Mechanism, q: Any) -> Floats:
    """The configuration (nq,) with the joints whose limits are equal where these hold them."""
    out = np.array(q, np.float64)
    for joint, place in zip(mechanism.robot.joints, mechanism.idx_q.tolist(), strict=True):
        if joint.is_locked:
            out[place : place + KINDS[joint.kind].nq] = joint.limits.position[0]
    return out


def begin_of(mechanism: Mechanism) -> Floats:
    """The configuration (nq,) where a simulation begins: the initial one, with locks and loops closed."""
    start = at_locks(mechanism, mechanism.initial)
    if mechanism.robot.loops or mechanism.couplings:
        start = np.array(mechanism.close_loops(start, limits=False).q)
    return start


def lifted(mechanism: Mechanism, q: Any, height: float) -> Floats:
    """The configuration (nq,) with the lowest point of a free base at a height in m.

    In a scene of several robots it is that of the first one. ValueError unless the base is free.
    """
    out = np.array(mechanism.positions(q), np.float64)
    if mechanism.base == "free":
        out[2] += height - lowest_point(mechanism, out)
        return out
    joints = mechanism.robot.joints
    if not joints or joints[0].kind != "free":
        raise ValueError("the base of the robot is not free")
    first, place = joints[0], int(mechanism.idx_q[0])
    rise = height - lowest_point(mechanism, out, _below(mechanism, first.child))
    parent = np.asarray(mechanism.forward_kinematics(out))[mechanism.link_names.index(first.parent)]
    up = (parent @ np.array(first.origin.matrix()))[2, :3]
    out[place : place + 3] += rise * up
    return out


def _below(mechanism: Mechanism, link: str) -> set[str]:
    """A link, and all links that it carries."""
    found = {link}
    for name in (mechanism.link_names[place] for place in mechanism.order):
        joint = next((joint for joint in mechanism.robot.joints if joint.child == name), None)
        if joint is not None and joint.parent in found:
            found.add(name)
    return found
