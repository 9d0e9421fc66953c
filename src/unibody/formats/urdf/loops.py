"""Reads `<constraint>` elements as loops (extension proposed to urdfdom, pull request 264)."""

from __future__ import annotations

import math

from unibody.formats.format import Context
from unibody.formats.urdf import document as d
from unibody.formats.urdf.poses import pose
from unibody.model.pose import Pose, Quaternion, Vector3, cross, multiply, rotate, unit
from unibody.model.robot import BALL, FIXED, HINGE, PISTON, Holds, Loop

_HOLDS: dict[str, Holds] = {
    "ball": BALL,
    "revolute": HINGE,
    "cylindrical": PISTON,
    "fixed": FIXED,
    "prismatic": Holds(axial=False, radial=True, twist=True, swing=True),
    "planar": Holds(axial=True, radial=False, swing=True),
    # approximated by the common point: the model has no loop with two axes
    "universal": BALL,
}


def loops(doc: d.Robot, links: set[str], context: Context) -> list[Loop]:
    """Convert all constraints to loops; reports constraints of unknown links."""
    out: list[Loop] = []
    for x in doc.items:
        if isinstance(x, d.Constraint):
            loop = _loop(x, links, context)
            if loop is not None:
                out.append(loop)
    return out


def _loop(x: d.Constraint, links: set[str], context: Context) -> Loop | None:
    if x.name is None or x.type is None or x.parent_link is None or x.child_link is None:
        return None
    ends = (x.parent_link.link, x.child_link.link)
    for end, holder in zip(ends, (x.parent_link, x.child_link), strict=True):
        if end is not None and end not in links:
            context.findings.error(
                "link-unknown",
                f"constraint '{x.name}' refers to unknown link '{end}'",
                holder.at("link"),
            )
            return None
    if ends[0] is None or ends[1] is None:
        return None
    if x.type == "universal":
        context.findings.warning(
            "constraint-type",
            f"constraint '{x.name}': universal joints cannot close a loop; using a ball joint, "
            "which leaves the third rotation free",
            x.at(),
        )
    a, b = pose(x.parent_origin, context), pose(x.child_origin, context)
    axis = _axis(x, x.parent_axis, context)
    if x.child_axis is not None and x.type != "universal":
        # rotate the child anchor so that both axes coincide
        b = Pose(b.xyz, multiply(b.quat, _rotation_between(axis, _axis(x, x.child_axis, context))))
    return Loop(
        name=x.name,
        link_a=ends[0],
        link_b=ends[1],
        pose_a=a,
        pose_b=b,
        axis=rotate(a.quat, axis),
        holds=_HOLDS[x.type],
        at=x.at(),
    )


def _axis(x: d.Constraint, axis: d.Axis | None, context: Context) -> Vector3:
    """The axis of a constraint in an anchor frame; X by default, as for a joint."""
    if axis is None or axis.xyz is None:
        return (1.0, 0.0, 0.0)
    found = unit(axis.xyz)  # type: ignore[arg-type]
    if found is None:
        context.findings.error("axis-zero", f"constraint '{x.name}' has a zero axis", axis.at("xyz"))
        return (1.0, 0.0, 0.0)
    return found


def _rotation_between(start: Vector3, end: Vector3) -> Quaternion:
    """The shortest rotation from one unit vector to another."""
    dot = sum(p * q for p, q in zip(start, end, strict=True))
    if dot > 1.0 - 1e-15:
        return (1.0, 0.0, 0.0, 0.0)
    if dot < -1.0 + 1e-12:
        side = (0.0, 1.0, 0.0) if abs(start[0]) > 0.9 else (1.0, 0.0, 0.0)
        x, y, z = unit(cross(start, side)) or (0.0, 0.0, 1.0)
        return (0.0, x, y, z)
    x, y, z = cross(start, end)
    w = 1.0 + dot
    length = math.hypot(w, x, y, z)
    return (w / length, x / length, y / length, z / length)
