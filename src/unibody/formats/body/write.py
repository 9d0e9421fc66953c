"""Writes a robot as a Body document: version 2.0, degrees, keys that Choreonoid reads (facts D.1, F.1)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from unibody.document.declare import Document, plan
from unibody.formats.body import document as d
from unibody.formats.body.cannot import CANNOT
from unibody.formats.body.mesh_files import opens
from unibody.formats.body.write_devices import device, is_node, read_back
from unibody.formats.body.write_sections import collision_rules, extra_joints, link_group, standard_pose
from unibody.formats.body.write_shapes import UNITS, elements, holds, place
from unibody.formats.extras import leftovers
from unibody.formats.format import Writer
from unibody.formats.images import without_other_images
from unibody.formats.tidy import degrees
from unibody.model import shape as s
from unibody.model.base import stated_base
from unibody.model.changes.joints import number_joints, split_joints
from unibody.model.changes.meshes import outward, per_corner
from unibody.model.changes.shapes import (
    as_surface,
    ellipsoids_as_spheres,
    planes_as_squares,
    upright,
    with_shapes,
)
from unibody.model.changes.surroundings import with_root
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import ZERO
from unibody.model.robot import UNBOUNDED, Joint, Limits, Link, Range, Robot
from unibody.model.traverse import part
from unibody.text.node import Item, Node, Numbers, Row, Value, Word, values
from unibody.text.number import parse_float

_TYPES: dict[JointKind, str] = {
    "fixed": "fixed",
    "revolute": "revolute",
    "prismatic": "prismatic",
    "free": "free",
    "track": "pseudo_continuous_track",
}
_MODES = {
    "effort": "joint_effort",
    "displacement": "joint_displacement",
    "velocity": "joint_velocity",
    "link_position": "link_position",
}
SIDECAR = "unibody"
# Expanded before binding; as extras they would be expanded again.
_SHORT_FORMS = ("import", "<<", SIDECAR)
# Up axes of mesh files that `metadata` can state.
_UP_AXES = (None, "Z", "choreonoid-Y")


def changes(robot: Robot) -> Robot:
    """Lower a robot to the joints and shapes that Body files have."""
    single = split_joints(with_root(robot), _TYPES.keys(), coupled=False)
    return with_shapes(number_joints(single), _shape)


def _shape(shape: s.Shape) -> tuple[s.Shape, ...]:
    (shape,) = as_surface(shape)
    match shape.geometry:
        case s.Ellipsoid():
            return ellipsoids_as_spheres(shape)
        case s.Plane():
            return planes_as_squares(shape)
        case s.Mesh() as mesh:
            made = outward(per_corner(mesh))
            return (shape if made is mesh else _with(shape, made),)
        case s.MeshFile() as mesh if mesh.unit not in (None, *UNITS) or mesh.up_axis not in _UP_AXES:
            return upright(shape)
    return (shape,)


def _with(shape: s.Shape, geometry: s.Geometry) -> s.Shape:
    return replace(shape, geometry=geometry)


def from_robot(robot: Robot) -> d.Body:
    """The Body document of a lowered robot."""
    extras = leftovers(robot, "body", read_back)
    out = d.Body(
        format="ChoreonoidBody",
        format_version=2.0,
        name=robot.name,
        extra_joints=extra_joints(robot),
        standard_pose=standard_pose(robot),
        link_group=link_group(robot),
        collision_detection_rules=collision_rules(robot),
    )
    out.given.add("angle_unit")
    root = robot.root
    if robot.links[0].name != root:
        out.root_link = root
    joints = {j.child: j for j in robot.joints}
    devices: dict[str, list[Document]] = {}
    for x in robot.devices:
        made = device(x, extras.get(f"devices/{part(x.name)}", []))
        if made is not None:
            devices.setdefault(x.link, []).append(made)
    for link in robot.links:
        doc = _link(link, devices.get(link.name, []))
        if link.name == root:
            _root(doc, robot)
        else:
            _joint(doc, joints[link.name])
        _add_extras(doc, extras.get(f"links/{part(link.name)}", []))
        out.links.append(doc)
    _add_extras(out, extras.get("", []))
    return out


def _add_extras(doc: Document, items: list[Item]) -> None:
    """Insert extras, except for keys that the document sets."""
    p, start = plan(type(doc)), len(doc.rest)
    taken: set[str] = set()
    # the last duplicate wins
    for item in reversed(items):
        entry = p.keys.get(item[0])
        if item[0] in taken or item[0] in _SHORT_FORMS:
            continue
        if item[0] == "joint_type" and entry is not None:
            # a root with a joint type other than fixed and free
            doc.given.discard("joint_type")
            doc.joint_type = "fixed"  # type: ignore[attr-defined]
        elif entry is not None and item[0] != "elements" and _is_set(doc, entry.name):
            continue
        if item[0] != "elements":
            taken.add(item[0])
        doc.rest.insert(start, item)


def _is_set(doc: Document, name: str) -> bool:
    default = plan(type(doc)).defaults.get(name)
    value = getattr(doc, name)
    return name in doc.given or (value != default and value is not None and value != [])


def _link(link: Link, devices: list[Document]) -> d.Link:
    out = d.Link(name=link.name, elements=[*elements(link.visuals, link.collisions), *devices])
    mass = link.inertial or Inertial(mass=0.0, inertia=(ZERO, ZERO, ZERO))
    out.mass = mass.mass
    if mass.com != ZERO:
        out.center_of_mass = mass.com
    # Choreonoid's default is a unit inertia (facts A.7)
    out.inertia = tuple(v for row in mass.inertia for v in row)
    return out


def _root(doc: d.Link, robot: Robot) -> None:
    place(doc, robot.pose)
    # Choreonoid's default is a free root (facts C.1)
    doc.joint_type = stated_base(robot, "free")
    doc.given.add("joint_type")


def _joint(doc: d.Link, joint: Joint) -> None:
    doc.parent = joint.parent
    if joint.name != doc.name:
        doc.joint_name = joint.name
    place(doc, joint.origin)
    doc.joint_type = _TYPES[joint.kind]
    doc.given.add("joint_type")
    if joint.number is not None and joint.number >= 0:
        doc.joint_id = joint.number
    if KINDS[joint.kind].axes:
        doc.joint_axis = joint.axis
        doc.given.add("joint_axis")
        _limits(doc, joint.limits, joint.kind == "revolute")
    if joint.initial:
        doc.joint_displacement = degrees(joint.initial) if joint.kind == "revolute" else joint.initial
    actuator = joint.actuator
    if joint.kind == "track" and actuator.mode == "surface_velocity":
        doc.actuation_mode = None
    else:
        doc.actuation_mode = _MODES.get(actuator.mode or "")
    doc.gear_ratio, doc.rotor_inertia = actuator.gear_ratio, actuator.rotor_inertia
    doc.joint_axis_inertia = actuator.axis_inertia


def _limits(doc: d.Link, limits: Limits, turns: bool) -> None:
    if limits.position != UNBOUNDED:
        doc.joint_range = _pair(limits.position, turns)
    low, high = limits.velocity
    if limits.velocity != UNBOUNDED:
        if low == -high and high >= 0.0:
            doc.max_joint_velocity = degrees(high) if turns else high
        else:
            doc.joint_velocity_range = _pair(limits.velocity, turns)
    effort = min(abs(limits.effort[0]), abs(limits.effort[1]))
    if math.isfinite(effort):
        # Body files have one limit for both directions: the tighter one
        doc.max_joint_effort = effort


def _pair(bounds: Range, turns: bool) -> tuple[Any, Any]:
    low, high = ("unlimited" if math.isinf(v) else degrees(v) if turns else v for v in bounds)
    return low, high


def as_loaded(robot: Robot) -> Robot:
    """Remove what Choreonoid skips: nodes of unknown types, some images."""
    devices = tuple(x for x in robot.devices if is_node(x.spec))
    return without_other_images(
        robot if len(devices) == len(robot.devices) else replace(robot, devices=devices)
    )


def carry(doc: Document, lines: list[str]) -> None:
    """Append the lines of the side-car as a key at the end of the file."""
    doc.rest.append((SIDECAR, Row([Word(line, quote="'") for line in lines]), -1))


def arrange(root: Node) -> None:
    """Move types to the front, merge duplicate lists, and write the version as in the reference."""
    for v in values(root):
        if not isinstance(v, Node):
            continue
        v.items.sort(key=lambda item: item[0] != "type")
        v.items[:] = [(k, _numbers(inner), at) for k, inner, at in v.items]
        _merge_elements(v)
    for link in _row(root.get("links")):
        if isinstance(link, Node):
            link.items[:] = [i for i in link.items if i[0] != "type" or i[1] != Word("Link")]
    root.items[:] = [(k, Word("2.0") if k == "format_version" else v, at) for k, v, at in root.items]


def _numbers(value: Value) -> Value:
    """Convert a list of number words to ``Numbers``."""
    words = value.values if isinstance(value, Row) and value.flow else []
    if words and all(isinstance(w, Word) and parse_float(w.text) is not None for w in words):
        return Numbers(", ".join(w.text for w in words if isinstance(w, Word)))
    return value


def _merge_elements(node: Node) -> None:
    """Merge duplicate ``elements`` lists of a node."""
    lists = [v for k, v, _ in node.items if k == "elements"]
    if len(lists) < 2:
        return
    values = [x for v in lists for x in (v.values if isinstance(v, Row) else [v])]
    at = next(i for i, item in enumerate(node.items) if item[0] == "elements")
    node.items[:] = [
        ("elements", Row(values), -1) if i == at else item
        for i, item in enumerate(node.items)
        if i == at or item[0] != "elements"
    ]


def _row(value: Value | None) -> list[Value]:
    return value.values if isinstance(value, Row) else []


WRITER = Writer(
    changes=changes,
    from_robot=from_robot,
    carry=carry,
    cannot=CANNOT,
    holds=holds,
    warns=frozenset(("base-world", "device-unnamed", "import-in-place")),
    meshes=(".stl", ".obj", ".dae", ".wrl", ".scen", ".yaml", ".yml"),
    opens=opens,
    schemes=("file", "package"),
    complete=True,
    arrange=arrange,
    as_loaded=as_loaded,
)
