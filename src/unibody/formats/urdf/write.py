"""Writes a robot as a URDF document that every URDF reader accepts: links first, then joints."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

from unibody.document.declare import Document
from unibody.formats.extras import keep, leftovers
from unibody.formats.format import Writer
from unibody.formats.urdf import contacts, transmissions, weights
from unibody.formats.urdf import document as d
from unibody.formats.urdf.cannot import CANNOT, EXTENSIONS, UNBOUNDED
from unibody.formats.urdf.drake import without_excluded
from unibody.formats.urdf.versions import (
    CAPSULES,
    RATES,
    Version,
    lacks_capsules,
    parsed,
    text_of,
    version_of,
    with_version,
)
from unibody.formats.urdf.write_drake import (
    drake_damping,
    drake_joint,
    is_dialect,
    is_joint,
    point_constraint,
)
from unibody.formats.urdf.write_loops import CONSTRAINT, URDF_PLUS, coupling_elements, loop_element
from unibody.formats.urdf.write_loops import cannot as loop_rows
from unibody.formats.urdf.write_sensors import sensor
from unibody.formats.urdf.write_shapes import Palette, collision, holds, origin, visual, writable
from unibody.model import shape as s
from unibody.model.changes.joints import split_joints
from unibody.model.changes.shapes import (
    Step,
    as_surface,
    baked,
    capsules_split,
    ellipsoids_as_spheres,
    planes_as_squares,
    upright,
    with_shapes,
)
from unibody.model.changes.surroundings import with_root
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import ZERO
from unibody.model.robot import (
    Coupling,
    Dynamics,
    Joint,
    Limits,
    Link,
    Robot,
)
from unibody.model.traverse import part
from unibody.text.node import Item, Node, Word
from unibody.text.number import parse_float
from unibody.text.xml.printer import print_xml

#: The joint type of each kind that URDF has.
JOINT_TYPES: dict[JointKind, str] = {
    "fixed": "fixed",
    "revolute": "revolute",
    "prismatic": "prismatic",
    "free": "floating",
    "planar": "planar",
}
SIDECAR = "unibody"
# The mesh files that all programs open; PyBullet opens no others, and no STL files in text.
_OPENED = (".stl", ".obj", ".dae")
_AnyDynamics = TypeVar("_AnyDynamics", d.Dynamics, d.DrakeDynamics)
_AnyJoint = TypeVar("_AnyJoint", d.Joint, d.DrakeJoint)


def changes(robot: Robot) -> Robot:
    """Lower a robot to the joints and shapes that the version of URDF has."""
    drake = is_dialect(robot)
    split = (capsules_split,) if version_of(robot) < CAPSULES and not drake else ()
    balls: tuple[Step, ...] = () if drake else (ellipsoids_as_spheres,)
    steps: tuple[Step, ...] = (as_surface, upright, baked, *balls, *split, planes_as_squares)
    kept = [joint.name for joint in robot.joints if drake and is_joint(joint)]
    return with_shapes(split_joints(with_root(robot), JOINT_TYPES, kept), partial(_shape, steps=steps))


def _shape(shape: s.Shape, steps: tuple[Step, ...]) -> tuple[s.Shape, ...]:
    out: list[s.Shape] = [shape]
    for step in steps:
        out = [new for old in out for new in step(old)]
    return tuple(out) if out != [shape] or out[0] is not shape else (shape,)


def from_robot(robot: Robot, dialect: str = CONSTRAINT) -> d.Robot:
    """The URDF document of a lowered robot, its loops in a ``dialect``."""
    extras = leftovers(robot, "urdf", _print_item)
    version, drake = version_of(robot), is_dialect(robot)
    palette = Palette(robot)
    out = d.Robot(name=robot.name, items=[*palette.elements()])
    coupled = coupling_elements(robot, _independent(extras)) if dialect == URDF_PLUS else {}
    followers = {c.joint: c for c in robot.couplings if c.joint not in coupled}
    for link in robot.links:
        made = _link(link, palette, version, drake)
        keep(made, contacts.write_bullet(extras.get(f"links/{part(link.name)}", []), link))
        out.items.append(made)
    for joint in robot.joints:
        more = extras.get(f"joints/{part(joint.name)}", [])
        if drake and is_joint(joint):
            out.items.append(_with_extras(drake_joint(joint, version), joint, more))
        else:
            out.items.append(_joint(joint, followers.get(joint.name), more, version))
    elements = (
        (point_constraint(loop) if drake else None) or loop_element(loop, dialect, version)
        for loop in robot.loops
    )
    out.items += [x for x in elements if x is not None]
    out.items += coupled.values()
    for device in robot.devices:
        element = sensor(device, version)
        if element is not None:
            out.items.append(element)
    items = contacts.write(transmissions.write(extras.get("", []), robot.joints), robot.links)
    for item in weights.write(items, robot.links):
        if item[0] == "version" and isinstance(item[1], Word):
            # urdfdom rejects a file that states another one
            out.version = item[1].text if parsed(item[1].text) is not None else None
        else:
            out.rest.append(item)
    return out


def _independent(extras: Mapping[str, list[Item]]) -> set[str]:
    """The owners of joints that URDF+ marks as independent."""
    return {
        owner.partition("/")[2]
        for owner, items in extras.items()
        for key, value, _ in items
        if key == "independent" and isinstance(value, Word) and value.text == "true"
    }


def _print_item(item: Item) -> str:
    """Print an extra; ValueError if XML cannot represent it."""
    return print_xml(Node("robot", [item]))


def _link(link: Link, palette: Palette, version: Version, drake: bool) -> d.Link:
    return d.Link(
        name=link.name,
        inertial=None if link.inertial is None else _inertial(link.inertial),
        visuals=[visual(x, palette, version) for x in link.visuals if writable(x)],
        collisions=[collision(x, version, drake) for x in link.collisions if writable(x)],
    )


def _inertial(inertial: Inertial) -> d.Inertial:
    (xx, xy, xz), (yx, yy, yz), (zx, zy, zz) = inertial.inertia
    inertia = d.Inertia(ixx=xx, ixy=_mean(xy, yx), ixz=_mean(xz, zx), iyy=yy, iyz=_mean(yz, zy), izz=zz)
    frame = None if inertial.com == ZERO else d.Origin(xyz=inertial.com)
    return d.Inertial(origin=frame, mass=d.Mass(value=inertial.mass), inertia=inertia)


def _mean(a: float, b: float) -> float:
    return a if a == b else a / 2.0 + b / 2.0


def _joint(joint: Joint, coupling: Coupling | None, extras: list[Item], version: Version) -> d.Joint:
    kind = JOINT_TYPES[joint.kind]
    if kind == "revolute" and _is_unbounded(joint.limits.position):
        kind = "continuous"
    out = d.Joint(
        name=joint.name,
        type=kind,
        origin=origin(joint.origin, version),
        parent_link=d.LinkRef(link=joint.parent),
        child_link=d.LinkRef(link=joint.child),
    )
    if KINDS[joint.kind].axes:
        out.axis = d.Axis(xyz=joint.axis)
        out.limit = _limit(joint.limits, kind, version)
    if coupling is not None:
        out.mimic = d.Mimic(joint=coupling.leader, multiplier=coupling.ratio, offset=coupling.offset)
    return _with_extras(out, joint, extras)


def _with_extras(out: _AnyJoint, joint: Joint, extras: list[Item]) -> _AnyJoint:
    """The element of a joint with its dynamics and extras."""
    if isinstance(out, d.DrakeJoint):
        out.dynamics = _dynamics(joint, d.DrakeDynamics(damping=drake_damping(joint)))
    else:
        out.dynamics = _dynamics(joint, d.Dynamics(damping=joint.dynamics.damping))
    for item in extras:
        if not _is_rejected(item, out):
            _add_extra(out, item)
    return out


def _dynamics(joint: Joint, out: _AnyDynamics) -> _AnyDynamics | None:
    """The dynamics of a joint, with damping or friction, since ROS requires one of them."""
    known, armature = joint.dynamics, joint.actuator.axis_inertia
    if known == Dynamics() and armature is None:
        return None
    out.friction, out.armature = known.friction, armature
    if not (known.damping or known.friction):
        out.given.add("damping")
    if known.stiffness or known.rest:
        out.spring_stiffness = known.stiffness
        out.spring_reference = known.rest or None
    return out


def _is_rejected(item: Item, doc: d.Joint | d.DrakeJoint) -> bool:
    """Whether ROS would reject an extra: a duplicate, an empty axis, or a missing attribute."""
    key, value, _ = item
    if isinstance(doc, d.DrakeJoint):  # ROS does not look at it
        return False
    if key == "axis":
        words = (value.word("xyz") or "").split() if isinstance(value, Node) else []
        return doc.axis is not None or not any(parse_float(w) for w in words)
    required = {"safety_controller": ("k_velocity",), "limit": ("effort", "velocity")}.get(key, ())
    if required and not (key == "limit" and doc.limit is not None):
        return not isinstance(value, Node) or any(value.word(name) is None for name in required)
    return False


def _is_unbounded(bounds: tuple[float, float]) -> bool:
    return math.isinf(bounds[0]) and math.isinf(bounds[1])


def _add_extra(doc: d.Joint | d.DrakeJoint, item: Item) -> None:
    """Append an extra to a joint, or to its limit or dynamics element."""
    key, value, _ = item
    inner: Any = getattr(doc, key, None) if key in ("limit", "dynamics") else None
    if inner is not None and isinstance(value, Node):
        keep(inner, value.items)
    elif key == "dynamics" and isinstance(value, Node):
        dynamics = d.DrakeDynamics() if isinstance(doc, d.DrakeJoint) else d.Dynamics()
        keep(dynamics, value.items)
        doc.dynamics = dynamics
    else:
        keep(doc, [item])


def _limit(limits: Limits, kind: str, version: Version) -> d.Limit | None:
    """The limit element; before URDF 1.2, ROS requires velocity and effort."""
    bounded = kind in ("revolute", "prismatic")
    if replace(limits, at=None) == Limits() and not bounded:
        return None
    out = d.Limit()
    if version < RATES or not _is_unbounded(limits.velocity):
        out.velocity = _symmetric(limits.velocity)
    if version < RATES or not _is_unbounded(limits.effort):
        out.effort = _symmetric(limits.effort)
    if not _is_unbounded(limits.acceleration):
        out.acceleration = _symmetric(limits.acceleration)
    if limits.deceleration != limits.acceleration:
        out.deceleration = _symmetric(limits.deceleration)
    if not _is_unbounded(limits.jerk):
        out.jerk = _symmetric(limits.jerk)
    if bounded or (kind == "planar" and not _is_unbounded(limits.position)):
        for name, end in zip(("lower", "upper"), limits.position, strict=True):
            if bounded or version < RATES or not math.isinf(end):
                setattr(out, name, math.copysign(UNBOUNDED, end) if math.isinf(end) else end)
                out.given.add(name)
    return out


def _symmetric(bounds: tuple[float, float]) -> float:
    """The tighter of two limits, as the limit for both directions."""
    smaller = min(abs(bounds[0]), abs(bounds[1]))
    return UNBOUNDED if math.isinf(smaller) else smaller


def carry(doc: Document, lines: list[str]) -> None:
    """Append the lines of the side-car as an element that other readers ignore."""
    text = "\n" + "\n".join(lines) + "\n"
    doc.rest.append((SIDECAR, Node(SIDECAR, [("", Word(text), -1)]), -1))


def configured(options: Mapping[str, str]) -> Writer:
    """The writer with the options of the format."""
    out = WRITER
    version, dialect = options.get("urdf_version"), options.get("loops")
    match options.get("frames"):
        case "all" | "none" as framed:
            out = replace(out, framed=framed)
    if version is not None:
        out = replace(out, requested=partial(with_version, wanted=version), anew=_without_capsules)
    if dialect is not None:
        rows = (*loop_rows(dialect), *CANNOT)
        # The other dialects are chosen for the programs that read them.
        ignored = EXTENSIONS if dialect == CONSTRAINT else EXTENSIONS[:-1]
        out = replace(out, from_robot=partial(from_robot, dialect=dialect), cannot=rows, extensions=ignored)
        before = out.anew
        out = replace(out, anew=lambda robot: before(robot) or _with_loops(robot))
    return out


def _unopened(suffix: str, is_text: bool) -> str:
    """What PyBullet does with a mesh file that it does not open."""
    if is_text:
        return "PyBullet leaves its shapes out"
    return "" if suffix in _OPENED else "PyBullet rejects the file"


def _without_capsules(robot: Robot) -> str:
    """Why a text is written anew for a version that is asked for, "" if it is not."""
    is_split = lacks_capsules(robot) and not is_dialect(robot)
    return f"URDF {text_of(version_of(robot))} is asked for, which has no capsules" if is_split else ""


def _with_loops(robot: Robot) -> str:
    return "the elements of its loops are chosen" if robot.loops else ""


WRITER = Writer(
    changes=changes,
    from_robot=from_robot,
    carry=carry,
    cannot=CANNOT,
    holds=holds,
    meshes=(".stl", ".obj", ".dae", ".ply", ".glb", ".gltf"),
    unopened=_unopened,
    framed="used",
    schemes=("file", "package", "model"),
    tag="robot",
    spell=contacts.state_as,
    extensions=EXTENSIONS,
    warns=frozenset(("geometry-extension",)),
    unsaid=without_excluded,
    configured=configured,
)
