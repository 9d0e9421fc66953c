"""Writes the joints and point constraints of Drake, in files that declare its namespace.

The inverse of ``drake``. A file without the namespace is for other programs, which ignore these elements.
"""

from __future__ import annotations

from unibody.formats.urdf import document as d
from unibody.formats.urdf.axes import X, Y, Z
from unibody.formats.urdf.versions import Version
from unibody.formats.urdf.write_shapes import origin
from unibody.model.pose import UNIT_QUATERNION
from unibody.model.robot import BALL, Joint, Limits, Loop, Robot

_NAMESPACE = "xmlns:drake"


def is_dialect(robot: Robot) -> bool:
    """Whether a robot is from a URDF file of Drake's dialect."""
    own = (x.node for x in robot.extras if x.format == "urdf" and not x.owner)
    return any(key == _NAMESPACE for node in own for key, _, _ in node.items)


def is_joint(joint: Joint) -> bool:
    """Whether a joint is one that only Drake has, with the axes that it has there, and no limits."""
    if joint.limits != Limits():
        return False
    match joint.kind:
        case "ball" | "screw":
            return not joint.missing
        case "universal":
            return joint.axis == X and joint.axis2 == Y
        case "planar":
            return joint.axis == Z
    return False


def drake_joint(joint: Joint, version: Version) -> d.DrakeJoint:
    """The element of a joint of Drake."""
    out = d.DrakeJoint(
        name=joint.name,
        type=joint.kind,
        origin=origin(joint.origin, version),
        parent_link=d.LinkRef(link=joint.parent),
        child_link=d.LinkRef(link=joint.child),
    )
    if joint.kind == "screw":
        out.axis = d.Axis(xyz=joint.axis)
        out.pitch = d.ThreadPitch(value=joint.pitch)
    return out


def drake_damping(joint: Joint) -> tuple[float, ...]:
    """The damping of a joint of Drake, which takes a number for each direction of a planar one."""
    return (joint.dynamics.damping,) * (3 if joint.kind == "planar" else 1)


def point_constraint(loop: Loop) -> d.BallConstraint | None:
    """The constraint that holds two points together; None for another loop."""
    if loop.holds != BALL or not loop.pose_a.quat == loop.pose_b.quat == UNIT_QUATERNION:
        return None
    return d.BallConstraint(
        name=loop.name,
        body_a=d.BodyRef(name=loop.link_a),
        point_a=d.Point(value=loop.pose_a.xyz),
        body_b=d.BodyRef(name=loop.link_b),
        point_b=d.Point(value=loop.pose_b.xyz),
    )
