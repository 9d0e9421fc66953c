"""Writes a robot as an OpenHRP document: one Joint with one Segment per link (facts B.3 to B.9)."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import field, replace
from typing import Any

from unibody.document.declare import Document, Tagged, plan
from unibody.formats.format import AssetStore, Writer
from unibody.formats.images import without_other_images
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.cannot import CANNOT
from unibody.formats.openhrp.info import to_info
from unibody.formats.openhrp.leftovers import Leftovers, as_written, segment_of
from unibody.formats.openhrp.names import define, legal, legal_names
from unibody.formats.openhrp.write_devices import device, facing_ahead, kind_of, single_sensors
from unibody.formats.openhrp.write_protos import arrange
from unibody.formats.openhrp.write_shapes import Shapes, holds, opens, place
from unibody.formats.vrml97.values import FEW_FLOATS, MF_STRING
from unibody.model import shape as s
from unibody.model.base import stated_base
from unibody.model.changes.joints import number_joints, split_joints
from unibody.model.changes.shapes import (
    as_surface,
    capsules_split,
    ellipsoids_as_spheres,
    planes_as_squares,
    upright,
    with_shapes,
)
from unibody.model.changes.surroundings import with_root
from unibody.model.device import Accelerometer, Device
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import ZERO
from unibody.model.robot import BALL, PISTON, XY, Holds, Joint, Link, Loop, Robot, Z
from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node

_TYPES: dict[JointKind, str] = {
    "fixed": "fixed",
    "revolute": "rotate",
    "prismatic": "slide",
    "free": "free",
    # Choreonoid rejects crawler (facts F.1, 24)
    "track": "pseudoContinuousTrack",
}
# The types of Choreonoid where it has one: it rejects others (facts B.9). Its solver constrains for piston
# exactly the translations of xy.
_LOOP_TYPES: tuple[tuple[Holds, str], ...] = ((BALL, "ball"), (PISTON, "piston"), (XY, "piston"), (Z, "z"))
_LIMITS = ("llimit", "ulimit", "lvlimit", "uvlimit", "climit")


def changes(robot: Robot) -> Robot:
    """Convert joints, sensors and shapes to those that OpenHRP supports."""
    single = number_joints(split_joints(with_root(robot), _TYPES.keys(), coupled=False))
    return with_shapes(facing_ahead(single_sensors(single)), _shape)


def _shape(shape: s.Shape) -> tuple[s.Shape, ...]:
    (shape,) = as_surface(shape)
    match shape.geometry:
        case s.Ellipsoid():
            return ellipsoids_as_spheres(shape)
        case s.Plane():
            return planes_as_squares(shape)
        case s.Capsule():
            return capsules_split(shape)
        case s.MeshFile():
            return upright(shape)
    return (shape,)


def models(robot: Robot, store: AssetStore) -> Robot:
    """Replace mesh files that an Inline cannot refer to by polygons; missing ones are removed."""
    made: dict[tuple[Any, str], list[s.Shape]] = {}

    def polygons(shape: s.Shape) -> tuple[s.Shape, ...]:
        mesh = shape.geometry
        missing = isinstance(mesh, s.MeshFile) and not mesh.path
        if missing or store.kept(shape):
            return () if missing else (shape,)
        key = (mesh, mesh.path) if isinstance(mesh, s.MeshFile) else (id(shape), "")
        if key not in made:
            made[key] = [_with_file(x, store) for x in store.meshes(replace(shape, material=None))]
        several = len(made[key]) > 1
        return tuple(
            replace(
                shape,
                geometry=x.geometry,
                material=x.material or shape.material,
                name=f"{shape.name}_{k}" if several and shape.name else shape.name,
            )
            for k, x in enumerate(made[key], 1)
        )

    return with_shapes(robot, polygons)


def _with_file(shape: s.Shape, store: AssetStore) -> s.Shape:
    material = shape.material
    if material is None or material.texture is None:
        return shape
    return replace(shape, material=replace(material, texture=store.texture(material.texture)))


@dataclass(slots=True)
class _Work:
    """State of one write: DEF names by link, extras, devices by link, and the nodes written so far.

    ``taken`` counts all DEF names; ``by_device_id`` are the device kinds numbered by deviceId.
    """

    robot: Robot
    extras: Leftovers
    names: dict[str, str]
    shapes: Shapes
    taken: Counter[str]
    by_device_id: set[str]
    devices: dict[str, list[Device]]
    joints: dict[str, d.Joint] = field(default_factory=dict)
    segments: list[d.Segment] = field(default_factory=list)


def from_robot(robot: Robot) -> d.File:
    """The document of a robot that :func:`changes` has converted."""
    extras = Leftovers(robot)
    names = legal_names([link.name for link in robot.links])
    taken = Counter([*names.values(), *(legal(x.name) for x in robot.devices)])
    taken.update(legal(x.name) for x in robot.loops)
    taken[legal(robot.name)] += 1
    taken.update(segment_of(name) for name in names.values())
    by_device_id = {
        kind_of(x) for x in robot.devices if any(k == "sensorId" for k, _, _ in extras.device(x))
    }
    devices: dict[str, list[Device]] = {}
    for x in robot.devices:
        devices.setdefault(x.link, []).append(x)
    work = _Work(robot, extras, names, Shapes(robot.links, taken), taken, by_device_id, devices)
    humanoid = _humanoid(work)
    before, after = extras.beside()
    loops = [x for x in (_loop(loop, work) for loop in robot.loops) if x is not None]
    return d.File(children=[*before, humanoid, *loops, *after])


def _humanoid(work: _Work) -> d.Humanoid:
    robot = work.robot
    out = define(d.Humanoid(), robot.name)
    joint_of = {j.child: j for j in robot.joints}
    for link in robot.links:
        work.joints[link.name] = _joint(link, joint_of.get(link.name), work)
    for j in robot.joints:
        work.joints[j.parent].children.append(work.joints[j.child])
    root = work.joints[robot.root]
    out.humanoid_body = [root]
    out.joints = [x for x in work.joints.values() if work.taken[x.def_name] == 1]
    out.segments = [x for x in work.segments if work.taken[x.def_name] == 1]
    out.rest.extend(work.extras.humanoid())
    return out


def _joint(link: Link, joint: Joint | None, work: _Work) -> d.Joint:
    """The Joint of a link, without its child Joints."""
    out = define(d.Joint(), work.names[link.name])
    if joint is None:
        place(out, work.robot.pose)
        # Choreonoid rejects a root without a type (facts B.5) and assumes a free base
        out.joint_type = stated_base(work.robot, "free")
    else:
        place(out, joint.origin)
        out.joint_type = _TYPES[joint.kind]
        out.joint_id = -1 if joint.number is None else max(joint.number, -1)
        if KINDS[joint.kind].axes:
            _motion(out, joint)
        _motor(out, joint)
    extras = work.extras.link(link)
    _segments(out, link, extras, work)
    for x in work.devices.get(link.name, ()):
        made = device(x, work.extras.device(x), kind_of(x) in work.by_device_id)
        if made is not None:
            out.children.append(made)
    for item in extras:
        _keep(out, item)
    return out


def _motion(out: d.Joint, joint: Joint) -> None:
    out.joint_axis = joint.axis
    (low, high), (slow, fast) = joint.limits.position, joint.limits.velocity
    for name, bound in (("llimit", low), ("ulimit", high), ("lvlimit", slow), ("uvlimit", fast)):
        if math.isfinite(bound):
            setattr(out, name, (bound,))


def _motor(out: d.Joint, joint: Joint) -> None:
    a = joint.actuator
    values = {
        "gear_ratio": a.gear_ratio,
        "gear_efficiency": a.gear_efficiency,
        "rotor_inertia": a.rotor_inertia,
        "rotor_resistor": a.resistance,
        "torque_const": a.torque_constant,
        "encoder_pulse": a.encoder_pulses,
        "equivalent_inertia": a.axis_inertia,
        "climit": None if a.max_current is None else (a.max_current,),
    }
    for name, value in values.items():
        if value is not None:
            setattr(out, name, value)
            out.given.add(name)


def _segments(out: d.Joint, link: Link, extras: list[Item], work: _Work) -> None:
    """Add the Segment of a link, and the massless Segments of the file that it comes from."""
    kept = [item for item in extras if item[0] == "Segment"]
    extras[:] = [item for item in extras if item[0] != "Segment"]
    inside = [item[0] == "children" and _is_inside(item) for item in extras]
    inner = [item for item, own in zip(extras, inside, strict=True) if own]
    extras[:] = [item for item, own in zip(extras, inside, strict=True) if not own]
    children = work.shapes.children(link.visuals, link.collisions)
    children += [as_written(node) for _, node, _ in inner if isinstance(node, Node)]
    massless = link.inertial is None or link.inertial.mass == 0.0
    own = next((i for i in kept if massless or not _has(i, "centerOfMass")), None)
    if children or link.inertial is not None or own is not None:
        segment = _segment(link.inertial, children)
        define(segment, segment_of(out.def_name))
        if own is not None:
            _take(segment, own)
        _add(out, segment, work)
    for item in kept:
        if item is not own:
            other = d.Segment()
            _take(other, item)
            _add(out, other, work)


def _add(out: d.Joint, segment: d.Segment, work: _Work) -> None:
    if segment.def_name != segment_of(out.def_name):
        work.taken[segment.def_name] += 1
    out.children.append(segment)
    work.segments.append(segment)


def _segment(inertial: Inertial | None, children: list[Tagged]) -> d.Segment:
    if inertial is None:
        return d.Segment(children=children)
    return d.Segment(
        children=children,
        mass=inertial.mass,
        center_of_mass=inertial.com,
        moments_of_inertia=tuple(value for row in inertial.inertia for value in row),
    )


def _take(segment: d.Segment, item: Item) -> None:
    """Restore the name and the extra fields of a Segment."""
    if isinstance(item[1], Node):
        define(segment, item[1].name)
        segment.rest.extend(item[1].items)


def _has(item: Item, key: str) -> bool:
    return isinstance(item[1], Node) and item[1].get(key) is not None


# Nodes that are ignored directly below a Joint and shown in a Segment.
_OUTSIDE = ("Shape", "Surface", "Inline", "Transform", "Group")


def _is_inside(item: Item) -> bool:
    """Whether an extra node belongs into the Segment, because it is not drawn there."""
    value = item[1]
    shown = isinstance(value, Node) and value.tag in _OUTSIDE
    is_text = isinstance(value, Node) and isinstance(g := value.get("geometry"), Node) and g.tag == "Text"
    return is_text or not shown


def _keep(out: d.Joint, item: Item) -> None:
    """Restore an extra item of a Joint, unless the document has another value."""
    key, value, _ = item
    if key in ("minAngle", "maxAngle"):
        # of a mouse sensor around the Joint
        return
    if key == "children" and isinstance(value, Node):
        out.children.append(as_written(value))
        return
    entry = plan(d.Joint).keys.get(key)
    name = "" if entry is None else entry.name
    if name in _LIMITS and getattr(out, name):
        # the first of several numbers is the limit
        if FEW_FLOATS.parse(value)[:1] != getattr(out, name):
            return
        setattr(out, name, ())
        out.given.discard(name)
    elif name == "joint_type":
        # the type of a root that was neither fixed nor free
        out.joint_type = ""
    elif name and getattr(out, name) != plan(d.Joint).defaults[name]:
        return
    out.rest.append(item)


def _loop(x: Loop, work: _Work) -> d.ExtraJoint | None:
    word = next((word for holds, word in _LOOP_TYPES if holds == x.holds), None)
    if word is None:
        return None
    out = d.ExtraJoint(
        link1_name=work.names[x.link_a],
        link2_name=work.names[x.link_b],
        link1_local_pos=x.pose_a.xyz,
        link2_local_pos=x.pose_b.xyz,
        joint_type=word,
    )
    define(out, x.name)
    out.given.add("joint_type")
    if word != "ball":
        out.joint_axis = x.axis
    out.rest.extend(work.extras.of("loops", x.name))
    return out


def carry(doc: Document, lines: list[str]) -> None:
    """Append the lines of the side-car to the info of the Humanoid."""
    assert isinstance(doc, d.File)
    humanoid = next(x for x in doc.children if isinstance(x, d.Humanoid))
    made = tuple(map(to_info, lines))
    for k, (key, value, start) in enumerate(humanoid.rest):
        if key == "info":
            humanoid.rest[k] = (key, MF_STRING.print((*MF_STRING.parse(value), *made)), start)
            return
    humanoid.info = made


def as_loaded(robot: Robot) -> Robot:
    """Reset what Choreonoid ignores.

    That is axes of tracks, largest readings of acceleration sensors (facts F.1, 33), and some images.
    """
    joints = tuple(replace(j, axis=ZERO) if j.kind == "track" else j for j in robot.joints)
    devices = tuple(
        replace(x, spec=Accelerometer()) if isinstance(x.spec, Accelerometer) else x for x in robot.devices
    )
    return without_other_images(replace(robot, joints=joints, devices=devices))


WRITER = Writer(
    changes=changes,
    from_robot=from_robot,
    carry=carry,
    cannot=CANNOT,
    holds=holds,
    opens=opens,
    warns=frozenset(("base-world", "device-unnamed", "import-in-place")),
    meshes=(".wrl",),
    arrange=arrange,
    models=models,
    complete=True,
    as_loaded=as_loaded,
    one_name=True,
)
