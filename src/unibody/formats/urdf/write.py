"""Writes a robot as a URDF document that every URDF reader accepts: links first, then joints."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from unibody.document.declare import Document
from unibody.formats.extras import leftovers
from unibody.formats.format import Writer
from unibody.formats.tidy import tidy
from unibody.formats.urdf import document as d
from unibody.formats.urdf.cannot import CANNOT, UNBOUNDED
from unibody.formats.urdf.write_sensors import inverse, sensor
from unibody.formats.urdf.write_shapes import Palette, collision, holds, origin, visual, writable
from unibody.model import shape as s
from unibody.model.changes.joints import split_joints
from unibody.model.changes.shapes import baked, capsules_split, planes_as_squares, upright, with_shapes
from unibody.model.inertia import Inertial
from unibody.model.pose import ZERO, rotate
from unibody.model.robot import (
    AXISLESS,
    BALL,
    FIXED,
    HINGE,
    PISTON,
    Coupling,
    Holds,
    Joint,
    Limits,
    Link,
    Loop,
    Robot,
)
from unibody.model.traverse import part
from unibody.text.node import Item, Node, Word
from unibody.text.number import parse_float
from unibody.text.xml.printer import print_xml

_TYPES = {
    "fixed": "fixed",
    "revolute": "revolute",
    "prismatic": "prismatic",
    "free": "floating",
    "planar": "planar",
}
_CONSTRAINTS: dict[Holds, str] = {
    BALL: "ball",
    HINGE: "revolute",
    PISTON: "cylindrical",
    FIXED: "fixed",
    Holds(axial=False, radial=True, twist=True, swing=True): "prismatic",
    Holds(axial=True, radial=False, swing=True): "planar",
}
SIDECAR = "unibody"


def changes(robot: Robot) -> Robot:
    """The robot with the joints and shapes that readers of URDF know."""
    return with_shapes(split_joints(robot, ("ball", "universal", "screw", "track")), _shape)


def _shape(shape: s.Shape) -> tuple[s.Shape, ...]:
    out: list[s.Shape] = [shape]
    for step in (upright, baked, capsules_split, planes_as_squares):
        out = [new for old in out for new in step(old)]
    return tuple(out) if out != [shape] or out[0] is not shape else (shape,)


def from_robot(robot: Robot) -> d.Robot:
    """The document of a robot whose joints and shapes are those of URDF."""
    extras = leftovers(robot, "urdf", _alone)
    palette = Palette(robot)
    out = d.Robot(name=robot.name, items=[*palette.elements()])
    followers = {c.joint: c for c in robot.couplings}
    for link in robot.links:
        made = _link(link, palette)
        made.rest.extend(extras.get(f"links/{part(link.name)}", []))
        out.items.append(made)
    for joint in robot.joints:
        out.items.append(
            _joint(joint, followers.get(joint.name), extras.get(f"joints/{part(joint.name)}", []))
        )
    out.items += [x for x in map(_constraint, robot.loops) if x is not None]
    for device in robot.devices:
        element = sensor(device)
        if element is not None:
            out.items.append(element)
    for item in extras.get("", []):
        if item[0] == "version" and isinstance(item[1], Word):
            out.version = item[1].text
        else:
            out.rest.append(item)
    return out


def _alone(item: Item) -> str:
    """The text of a leftover alone; ValueError when XML has none."""
    return print_xml(Node("robot", [item]))


def _link(link: Link, palette: Palette) -> d.Link:
    return d.Link(
        name=link.name,
        inertial=None if link.inertial is None else _inertial(link.inertial),
        visuals=[visual(x, palette) for x in link.visuals if writable(x)],
        collisions=[collision(x) for x in link.collisions if writable(x)],
    )


def _inertial(given: Inertial) -> d.Inertial:
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = given.inertia
    inertia = d.Inertia(ixx=xx, ixy=_mean(xy, yx), ixz=_mean(xz, zx), iyy=yy, iyz=_mean(yz, zy), izz=zz)
    at = None if given.com == ZERO else d.Origin(xyz=given.com)
    return d.Inertial(origin=at, mass=d.Mass(value=given.mass), inertia=inertia)


def _mean(a: float, b: float) -> float:
    return a if a == b else a / 2.0 + b / 2.0


def _joint(joint: Joint, coupling: Coupling | None, extras: list[Item]) -> d.Joint:
    kind = _TYPES[joint.kind]
    if kind == "revolute" and _is_unbounded(joint.limits.position):
        kind = "continuous"
    out = d.Joint(
        name=joint.name,
        type=kind,
        origin=origin(joint.origin),
        parent_link=d.LinkRef(link=joint.parent),
        child_link=d.LinkRef(link=joint.child),
    )
    if joint.kind not in AXISLESS:
        out.axis = d.Axis(xyz=joint.axis)
        out.limit = _limit(joint.limits, kind)
    if joint.dynamics.damping or joint.dynamics.friction:
        out.dynamics = d.Dynamics(damping=joint.dynamics.damping, friction=joint.dynamics.friction)
    if coupling is not None:
        out.mimic = d.Mimic(joint=coupling.leader, multiplier=coupling.ratio, offset=coupling.offset)
    for item in extras:
        if not _is_refused(item, out):
            _keep(out, item)
    return out


def _is_refused(item: Item, doc: d.Joint) -> bool:
    """Whether ROS would refuse the file for a leftover: elements given twice, without a part, or empty."""
    key, value, _ = item
    if key == "axis":
        words = (value.word("xyz") or "").split() if isinstance(value, Node) else []
        return doc.axis is not None or not any(parse_float(w) for w in words)
    wanted = {"safety_controller": ("k_velocity",), "limit": ("effort", "velocity")}.get(key, ())
    if wanted and not (key == "limit" and doc.limit is not None):
        return not isinstance(value, Node) or any(value.word(name) is None for name in wanted)
    return False


def _is_unbounded(bounds: tuple[float, float]) -> bool:
    return math.isinf(bounds[0]) and math.isinf(bounds[1])


def _keep(doc: d.Joint, item: Item) -> None:
    """A leftover of a joint: of its limit or dynamics element, or beside them."""
    key, value, _ = item
    inner: Any = getattr(doc, key, None) if key in ("limit", "dynamics") else None
    if inner is not None and isinstance(value, Node):
        inner.rest.extend(value.items)
    elif key == "dynamics" and isinstance(value, Node):
        doc.dynamics = d.Dynamics()
        doc.dynamics.rest.extend(value.items)
    else:
        doc.rest.append(item)


def _limit(limits: Limits, kind: str) -> d.Limit | None:
    """Bounds; ROS asks for a whole element of joints that are bounded, and for both largest values."""
    bounded = kind in ("revolute", "prismatic")
    if replace(limits, at=None) == Limits() and not bounded:
        return None
    out = d.Limit(velocity=_largest(limits.velocity), effort=_largest(limits.effort))
    if bounded or (kind == "planar" and not _is_unbounded(limits.position)):
        out.lower, out.upper = (
            math.copysign(UNBOUNDED, v) if math.isinf(v) else v for v in limits.position
        )
        out.given.update(("lower", "upper"))
    return out


def _largest(bounds: tuple[float, float]) -> float:
    """One number for both directions: the smaller one allows nothing that was not allowed."""
    smaller = min(abs(bounds[0]), abs(bounds[1]))
    return UNBOUNDED if math.isinf(smaller) else smaller


def _constraint(loop: Loop) -> d.Constraint | None:
    """The constraint element of a loop; None for what no type of it holds."""
    kind = _CONSTRAINTS.get(loop.holds)
    if kind is None:
        return None
    out = d.Constraint(
        name=loop.name,
        type=kind,
        parent_link=d.LinkRef(link=loop.link_a),
        parent_origin=origin(loop.pose_a),
        child_link=d.LinkRef(link=loop.link_b),
        child_origin=origin(loop.pose_b),
    )
    axis = tuple(tidy(v) for v in rotate(inverse(loop.pose_a.quat), loop.axis))
    if axis != (1.0, 0.0, 0.0):
        out.parent_axis = d.Axis(xyz=axis)
    return out


def carry(doc: Document, lines: list[str]) -> None:
    """The lines as the text of an element of their own, which other readers pass over."""
    text = "\n" + "\n".join(lines) + "\n"
    doc.rest.append((SIDECAR, Node(SIDECAR, [("", Word(text), -1)]), -1))


WRITER = Writer(
    changes=changes,
    from_robot=from_robot,
    carry=carry,
    cannot=CANNOT,
    holds=holds,
    meshes=(".stl", ".obj", ".dae", ".ply", ".glb", ".gltf"),
    packages=True,
    tag="robot",
)
