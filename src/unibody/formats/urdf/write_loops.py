"""Writes loops and couplings in one of the dialects of URDF; the inverse of ``loops``."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from unibody.document.declare import Document
from unibody.formats.conditions import removed
from unibody.formats.format import Cannot
from unibody.formats.tidy import rpy, tidy
from unibody.formats.urdf import document as d
from unibody.formats.urdf.loops import X, movers, rotation_between
from unibody.formats.urdf.versions import Version
from unibody.formats.urdf.write_sensors import inverse
from unibody.formats.urdf.write_shapes import origin
from unibody.model.joint_kind import KINDS
from unibody.model.pose import Pose, multiply, rotate
from unibody.model.robot import BALL, FIXED, HINGE, PISTON, Coupling, Holds, Joint, Loop, Robot
from unibody.model.traverse import part

CONSTRAINT, URDF_PLUS, LOOP_JOINT = ("constraint", "urdf+", "loop_joint")
TAGS = {CONSTRAINT: "constraint", URDF_PLUS: "loop", LOOP_JOINT: "loop_joint"}

_SLIDER = Holds(axial=False, radial=True, twist=True, swing=True)
_PLANE = Holds(axial=True, radial=False, swing=True)
_COMMON = {HINGE: "revolute", FIXED: "fixed", _SLIDER: "prismatic", _PLANE: "planar"}
_TYPES: dict[str, dict[Holds, str]] = {
    CONSTRAINT: {**_COMMON, BALL: "ball", PISTON: "cylindrical"},
    URDF_PLUS: _COMMON,
    LOOP_JOINT: {**_COMMON, BALL: "spherical"},
}


def cannot(dialect: str) -> tuple[Cannot, ...]:
    """What a dialect cannot say of loops, before the rows of the format."""
    other = Cannot(
        "other loops", "loops/*", f"no type of <{TAGS[dialect]}> holds these directions", removed
    )
    turned = Cannot(
        "frames of loops",
        "loops/*/pose_*/quat",
        "both turned so that the axis is X",
        outcome="converted",
    )
    return (other, turned) if dialect == LOOP_JOINT else (other,)


def loop_element(loop: Loop, dialect: str, version: Version) -> Document | None:
    """The element of a loop; None if the dialect has no type for it."""
    kind = _TYPES[dialect].get(loop.holds)
    if kind is None:
        return None
    if dialect == LOOP_JOINT:
        return _loop_joint(loop, kind)
    own = rotate(inverse(loop.pose_a.quat), loop.axis)
    direction = (tidy(own[0]), tidy(own[1]), tidy(own[2]))
    axis = None if direction == X else d.Axis(xyz=direction)
    first, second = origin(loop.pose_a, version), origin(loop.pose_b, version)
    if dialect == URDF_PLUS:
        return d.LoopConstraint(
            name=loop.name,
            type=kind,
            predecessor=d.LoopEnd(link=loop.link_a, origin=first),
            successor=d.LoopEnd(link=loop.link_b, origin=second),
            axis=axis,
        )
    return d.Constraint(
        name=loop.name,
        type=kind,
        parent_link=d.LinkRef(link=loop.link_a),
        parent_origin=first,
        child_link=d.LinkRef(link=loop.link_b),
        child_origin=second,
        parent_axis=axis,
    )


def _loop_joint(loop: Loop, kind: str) -> d.LoopJoint:
    """A loop joint; its axis is X where it matters, since Isaac Sim reads no other."""
    own = rotate(inverse(loop.pose_a.quat), loop.axis)
    axis = None
    if kind in ("spherical", "fixed"):
        direction = (tidy(own[0]), tidy(own[1]), tidy(own[2]))
        axis = None if direction == X else d.Axis(xyz=direction)
    elif max(abs(a - b) for a, b in zip(own, X, strict=True)) > 1e-15:
        turn = rotation_between(X, own)
        a, b = (replace(p, quat=multiply(p.quat, turn)) for p in (loop.pose_a, loop.pose_b))
        loop = replace(loop, pose_a=a, pose_b=b)
    ends = ((loop.link_a, loop.pose_a), (loop.link_b, loop.pose_b))
    first, second = (_loop_joint_end(link, pose) for link, pose in ends)
    return d.LoopJoint(name=loop.name, type=kind, link1=first, link2=second, axis=axis)


def _loop_joint_end(link: str, pose: Pose) -> d.LoopJointEnd:
    return d.LoopJointEnd(link=link, xyz=pose.xyz, rpy=rpy(pose.quat))


def coupling_elements(robot: Robot, independent: Collection[str]) -> dict[str, d.CouplingConstraint]:
    """Couplings as elements of URDF+, by the joint that follows; the others remain `<mimic>`.

    ``independent`` are the joints that lead in a coupling of URDF+, as parts of paths.
    """
    joints = {joint.name: joint for joint in robot.joints}
    out: dict[str, d.CouplingConstraint] = {}
    for c in robot.couplings:
        if not c.offset and part(c.joint) not in independent and _is_pair(robot, joints, c):
            out[c.joint] = d.CouplingConstraint(
                name=c.joint,
                predecessor=d.LoopEnd(link=joints[c.leader].child),
                successor=d.LoopEnd(link=joints[c.joint].child),
                ratio=d.Ratio(value=c.ratio),
            )
    return out


def _is_pair(robot: Robot, joints: dict[str, Joint], c: Coupling) -> bool:
    """Whether the two joints are all that moves between their links."""
    leader, joint = joints[c.leader], joints[c.joint]
    moving = movers(robot.joints, leader.child, joint.child)
    return moving == [[leader], [joint]] and KINDS[joint.kind].nq == KINDS[leader.kind].nq == 1
