"""What the SRDF of a robot says without kept data: the reader keeps only what differs from it."""

from __future__ import annotations

from unibody.formats.srdf import document as d
from unibody.formats.srdf.names import key_of
from unibody.model.base import WORLD, implied_base
from unibody.model.robot import Robot

#: The elements in the order in which they are written, that of MoveIt's setup assistant.
ORDER = (
    d.Group,
    d.GroupState,
    d.EndEffector,
    d.VirtualJoint,
    d.PassiveJoint,
    d.JointProperty,
    d.SphereApproximation,
    d.DisableDefaultCollisions,
    d.EnableCollisions,
    d.DisableCollisions,
    d.Rotors,
)
RANKS = {key_of(x): rank for rank, x in enumerate(ORDER)}
#: The reason for a pair of links that a joint connects.
ADJACENT = "Adjacent"
#: The types of virtual joints of a base.
TYPES = {"fixed": "fixed", "free": "floating"}


def virtual_joint(robot: Robot) -> d.VirtualJoint | None:
    """The virtual joint that states the base of a robot, None if that is unspecified or implied."""
    if robot.base is None or not robot.links or robot.base == implied_base(robot.root):
        return None
    return d.VirtualJoint(
        name="virtual_joint", type=TYPES[robot.base], parent_frame=WORLD, child_link=robot.root
    )


def rotors(robot: Robot) -> d.Rotors | None:
    """The rotors of a robot, None if it has none; a reflected inertia that is given counts before them."""
    found = [
        d.Rotor(name=j.name, mass=j.actuator.rotor_inertia, gear_ratio=j.actuator.gear_ratio)
        for j in robot.joints
        if j.actuator.rotor_inertia is not None and j.actuator.axis_inertia is None
    ]
    return d.Rotors(joints=found) if found else None
