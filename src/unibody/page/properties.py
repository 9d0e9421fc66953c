"""Properties of a link, joint, device, frame or loop on the page: labels, values and units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from unibody.model import shape as s
from unibody.model.device import Device, Opaque
from unibody.model.inertia import Inertial, principal_moments
from unibody.model.joint_kind import KINDS
from unibody.model.metadata import units
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Drive, Frame, Joint, Link, Loop, Robot
from unibody.page.numbers import bound, finite, finites
from unibody.text.counted import and_more
from unibody.text.node import Node, Numbers, Row, Value, Word

#: Label, value (text, a number, numbers, rows of numbers, or {"range": [lower, upper]}), unit.
Property = tuple[str, Any, str]

_MAX_SHAPES = 12
_MAX_ROWS = 30
_MAX_CHARACTERS = 300
# Labels of fields whose names are not plain words.
_LABELS = {
    "rest": "spring at rest",
    "mode": "drive",
    "axis_inertia": "inertia at the axis",
    "max_current": "largest current",
}


def link_properties(link: Link) -> list[Property]:
    """Mass, inertia and shapes of a link."""
    out: list[Property] = list(_mass(link.inertial)) if link.inertial else [("mass", "none", "")]
    for label, shapes in (
        ("visual", link.visuals),
        ("collision", link.collisions),
        ("collision, second set", link.collisions_alt),
    ):
        # Most formats have one set for both.
        if label == "collision" and shapes and shapes == link.visuals:
            out.append((label, "the visual shapes", ""))
            continue
        out += [(label, geometry_text(shape), "") for shape in shapes[:_MAX_SHAPES]]
        if rest := and_more(len(shapes) - _MAX_SHAPES):
            out.append((label, f"… {rest}", ""))
    if link.gravity_compensation:
        out.append(("gravity compensation", f"{link.gravity_compensation:.6g}", ""))
    if not link.collides:
        out.append(("collision detection", "excluded", ""))
    return out


def _mass(inertial: Inertial) -> Iterator[Property]:
    if inertial.unknown:
        is_known = inertial.unknown == "inertia"
        yield ("mass", finite(inertial.mass), "kg") if is_known else ("mass", "unknown", "")
        yield "inertia", "unknown", ""
        return
    yield "mass", finite(inertial.mass), "kg"
    yield "center of mass", finites(inertial.com), "m"
    yield "inertia", [finites(row) for row in inertial.inertia], "kg·m²"
    if all(math.isfinite(v) for row in inertial.inertia for v in row):
        yield "principal moments", finites(principal_moments(inertial.inertia)), "kg·m²"


def geometry_text(shape: s.Shape) -> str:
    """Describe a shape in one line."""
    name = f"{shape.name}: " if shape.name else ""
    match shape.geometry:
        case s.Box(size=size):
            return f"{name}box {_times(size)} m"
        case s.Sphere(radius=radius):
            return f"{name}sphere, radius {_short(radius)} m"
        case s.Cylinder(radius=radius, height=height):
            return f"{name}cylinder, radius {_short(radius)} m, height {_short(height)} m"
        case s.Capsule(radius=radius, height=height):
            return f"{name}capsule, radius {_short(radius)} m, height {_short(height)} m"
        case s.Cone(radius=radius, height=height):
            return f"{name}cone, radius {_short(radius)} m, height {_short(height)} m"
        case s.Ellipsoid(radii=radii):
            return f"{name}ellipsoid, half axes {_times(radii)} m"
        case s.MeshFile() as mesh:
            part = f" ({mesh.fragment})" if mesh.fragment else ""
            scale = "" if mesh.scale == (1.0, 1.0, 1.0) else f", scaled {_times(mesh.scale)}"
            return f"{name}{_truncated(mesh.uri)}{part}{scale}"
        case geometry:
            word = "".join(f" {c.lower()}" if c.isupper() else c for c in type(geometry).__name__)
            return f"{name}{word.strip()}"


def joint_properties(joint: Joint, robot: Robot) -> list[Property]:
    """Kind, links, axis, limits, dynamics, drive and couplings of a joint."""
    out: list[Property] = [("kind", joint.kind, ""), ("joins", f"{joint.parent} → {joint.child}", "")]
    if KINDS[joint.kind].axes:
        out.append(("axis", finites(joint.axis), ""))
    if joint.axis2 is not None:
        out.append(("second axis", finites(joint.axis2), ""))
    out += _pose("origin", joint.origin)
    if joint.pitch is not None:
        out.append(("pitch", finite(joint.pitch), units(Joint)["pitch"]))
    turns = KINDS[joint.kind].angular
    if KINDS[joint.kind].bounded:
        for name, unit in units(type(joint.limits), turns).items():
            low, high = map(bound, getattr(joint.limits, name))
            if low is not None or high is not None:
                out.append((name, {"range": [low, high]}, unit))
        if joint.initial:
            out.append(("initial position", finite(joint.initial), units(Joint, turns)["initial"]))
    if joint.number is not None and joint.number >= 0:
        out.append(("joint id", joint.number, ""))
    for record in (joint.dynamics, joint.actuator):
        own = units(type(record), turns)
        for entry in fields(record):
            value = getattr(record, entry.name)
            if value != entry.default:
                label = _LABELS.get(entry.name, entry.name.replace("_", " "))
                shown = value if isinstance(value, str) else finite(value)
                out.append((label, shown, own.get(entry.name, "")))
    return [*out, *_couplings(joint, robot)]


def _couplings(joint: Joint, robot: Robot) -> Iterator[Property]:
    for coupling in robot.couplings:
        if coupling.joint == joint.name:
            more = f" + {_short(coupling.offset)}" if coupling.offset else ""
            yield "follows", f"{_short(coupling.ratio)} × {coupling.leader}{more}", ""
    for coordinate in robot.coordinates:
        for drive in coordinate.drives:
            if drive.joint == joint.name:
                kind = ", cyclic" if coordinate.cyclic else ""
                unit = units(Drive, KINDS[joint.kind].angular)["at_zero"]
                yield f"coordinate {coordinate.index}{kind}", finites((drive.at_zero, drive.at_one)), unit


def device_properties(device: Device) -> list[Property]:
    """Kind, link, pose and parameters of a device."""
    spec = device.spec
    out: list[Property] = [("kind", spec.kind, ""), ("on link", device.link, "")]
    if device.id is not None:
        out.append(("id", device.id, ""))
    if not device.on:
        out.append(("state", "switched off", ""))
    out += _pose("place", device.pose)
    if isinstance(spec, Opaque):
        return [*out, *_written(spec.data)]
    own = units(type(spec))
    for entry in fields(spec):
        value = getattr(spec, entry.name)
        label, unit = entry.name.replace("_", " "), own.get(entry.name, "")
        if isinstance(value, tuple):
            if all(math.isfinite(v) for v in value):
                out.append((label, finites(value), unit))
        elif isinstance(value, float):
            out.append((label, finite(value), unit))
        elif value is not None:
            out.append((label, value, unit))
    return out


def _written(data: Node) -> list[Property]:
    """The data of a device of an unknown kind as its file gives it: a row for each value."""
    out: list[Property] = []
    waiting: list[tuple[str, Value]] = [("", data)]
    while waiting and len(out) < _MAX_ROWS:
        label, value = waiting.pop()
        if isinstance(value, Node):
            waiting += [(f"{label} {key}".strip(), inner) for key, inner, _ in reversed(value.items)]
        elif isinstance(value, Row) and not all(isinstance(inner, Word) for inner in value):
            waiting += [(f"{label} {i}".strip(), inner) for i, inner in reversed([*enumerate(value, 1)])]
        elif isinstance(value, Row):
            out.append(
                (label, _truncated(", ".join(word.text for word in value if isinstance(word, Word))), "")
            )
        elif isinstance(value, Numbers):
            out.append(
                (
                    label,
                    _truncated(" ".join(value.body[: 2 * _MAX_CHARACTERS].replace(",", " ").split())),
                    "",
                )
            )
        else:
            out.append((label, _truncated(value.text), ""))
    return out


def frame_properties(frame: Frame) -> list[Property]:
    """Link and pose of a frame, and whether its path is traced."""
    traced: list[Property] = [("trace", "its path is drawn", "")] if frame.trace else []
    return [("on link", frame.link, ""), *traced, *_pose("place", frame.pose)]


def loop_properties(loop: Loop) -> list[Property]:
    """Links, forbidden motions, axis and anchors of a loop."""
    return [
        ("joins", f"{loop.link_a} ↔ {loop.link_b}", ""),
        ("forbids", ", ".join(loop.holds.forbidden) or "nothing", ""),
        ("axis", finites(loop.axis), ""),
        *_pose(f"anchor in {loop.link_a}", loop.pose_a),
        *_pose(f"anchor in {loop.link_b}", loop.pose_b),
    ]


def _pose(label: str, pose: Pose) -> Iterator[Property]:
    if pose == IDENTITY:
        return
    yield label, finites(pose.xyz), "m"
    if pose.quat[1:] != (0.0, 0.0, 0.0):
        yield f"{label}: roll, pitch, yaw", finites(pose.rpy()), "rad"


def _short(value: float) -> str:
    return f"{value:.6g}"


def _times(values: Iterable[float]) -> str:
    return " × ".join(map(_short, values))


def _truncated(text: str) -> str:
    return text if len(text) <= _MAX_CHARACTERS else f"{text[: _MAX_CHARACTERS - 1]}…"
