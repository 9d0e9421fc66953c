"""What the page tells of a link, a joint, a device, a frame or a loop: labels, values and units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from unibody.model import shape as s
from unibody.model.device import Camera, Device, Opaque
from unibody.model.inertia import Inertial, principal_moments
from unibody.model.metadata import units
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import AXISLESS, JOINT_SIZE, Frame, Joint, Link, Loop, Range, Robot
from unibody.page.numbers import bound, finite, finites
from unibody.text.node import Node, Numbers, Row, Value, Word

#: Label, value (text, a number, numbers, rows of numbers, or {"range": [lower, upper]}), unit.
Property = tuple[str, Any, str]

_MOST_SHAPES = 12
_MOST_ROWS = 30
_LONGEST = 300
_DRIVES = {
    "mode": "drive",
    "gear_ratio": "gear ratio",
    "gear_efficiency": "gear efficiency",
    "rotor_inertia": "rotor inertia",
    "axis_inertia": "inertia at the axis",
    "torque_constant": "torque constant",
    "resistance": "resistance",
    "encoder_pulses": "encoder pulses",
    "max_current": "largest current",
}


def link_properties(link: Link) -> list[Property]:
    """Mass, inertia and shapes of a link."""
    out = list(_mass(link.inertial)) if link.inertial else [("mass", "none", "")]
    for label, shapes in (
        ("visual", link.visuals),
        ("collision", link.collisions),
        ("collision, second set", link.collisions_alt),
    ):
        # Most formats have one set for both.
        if label == "collision" and shapes and shapes == link.visuals:
            out.append((label, "the visual shapes", ""))
            continue
        out += [(label, geometry_text(shape), "") for shape in shapes[:_MOST_SHAPES]]
        if len(shapes) > _MOST_SHAPES:
            out.append((label, f"… and {len(shapes) - _MOST_SHAPES} more", ""))
    return out


def _mass(inertial: Inertial) -> Iterator[Property]:
    yield "mass", finite(inertial.mass), "kg"
    yield "centre of mass", finites(inertial.com), "m"
    yield "inertia", [finites(row) for row in inertial.inertia], "kg·m²"
    if all(math.isfinite(v) for row in inertial.inertia for v in row):
        yield "principal moments", finites(principal_moments(inertial.inertia)), "kg·m²"


def geometry_text(shape: s.Shape) -> str:
    """A shape in few words."""
    name = f"{shape.name}: " if shape.name else ""
    match shape.geometry:
        case s.Box(size=size):
            return f"{name}box {_times(size)} m"
        case s.Sphere(radius=radius):
            return f"{name}sphere, radius {_plain(radius)} m"
        case s.Cylinder(radius=radius, height=height):
            return f"{name}cylinder, radius {_plain(radius)} m, height {_plain(height)} m"
        case s.Capsule(radius=radius, height=height):
            return f"{name}capsule, radius {_plain(radius)} m, height {_plain(height)} m"
        case s.Cone(radius=radius, height=height):
            return f"{name}cone, radius {_plain(radius)} m, height {_plain(height)} m"
        case s.Ellipsoid(radii=radii):
            return f"{name}ellipsoid, half axes {_times(radii)} m"
        case s.MeshFile() as mesh:
            part = f" ({mesh.fragment})" if mesh.fragment else ""
            scale = "" if mesh.scale == (1.0, 1.0, 1.0) else f", scaled {_times(mesh.scale)}"
            return f"{name}{_cut(mesh.uri)}{part}{scale}"
        case geometry:
            word = "".join(f" {c.lower()}" if c.isupper() else c for c in type(geometry).__name__)
            return f"{name}{word.strip()}"


def joint_properties(joint: Joint, robot: Robot) -> list[Property]:
    """What moves how, how far, and what drives it."""
    out: list[Property] = [("kind", joint.kind, ""), ("joins", f"{joint.parent} → {joint.child}", "")]
    if joint.kind not in AXISLESS:
        out.append(("axis", finites(joint.axis), ""))
    out += _pose("origin", joint.origin)
    turns = joint.kind in ("revolute", "screw")
    unit, push = ("rad", "N·m") if turns else ("m", "N")
    if JOINT_SIZE[joint.kind] == 1:
        out += _range("position", joint.limits.position, unit)
        out += _range("velocity", joint.limits.velocity, f"{unit}/s")
        out += _range("effort", joint.limits.effort, push)
        if joint.initial:
            out.append(("initial position", finite(joint.initial), unit))
    if joint.number is not None:
        out.append(("joint id", joint.number, ""))
    dynamics = joint.dynamics
    out += _given("damping", dynamics.damping, f"{push}·s/{unit}")
    out += _given("friction", dynamics.friction, push)
    out += _given("stiffness", dynamics.stiffness, f"{push}/{unit}")
    out += _given("spring at rest", dynamics.rest, unit)
    actuator: type = type(joint.actuator)
    own = units(actuator)
    for name, label in _DRIVES.items():
        value = getattr(joint.actuator, name)
        if value is not None:
            out.append((label, value if isinstance(value, str) else finite(value), own.get(name, "")))
    return [*out, *_followed(joint, robot)]


def _followed(joint: Joint, robot: Robot) -> Iterator[Property]:
    for coupling in robot.couplings:
        if coupling.joint == joint.name:
            more = f" + {_plain(coupling.offset)}" if coupling.offset else ""
            yield "follows", f"{_plain(coupling.ratio)} × {coupling.leader}{more}", ""
    for coordinate in robot.coordinates:
        for drive in coordinate.drives:
            if drive.joint == joint.name:
                kind = ", cyclic" if coordinate.cyclic else ""
                unit = "rad" if joint.kind == "revolute" else "m"
                yield f"coordinate {coordinate.index}{kind}", finites((drive.at_zero, drive.at_one)), unit


def device_properties(device: Device) -> list[Property]:
    """All that a device's specification says."""
    spec = device.spec
    out: list[Property] = [("kind", device_kind(device), ""), ("on link", device.link, "")]
    if device.id is not None:
        out.append(("id", device.id, ""))
    if not device.on:
        out.append(("state", "switched off", ""))
    out += _pose("place", device.pose)
    if isinstance(spec, Opaque):
        return [*out, *_written(spec.data)]
    cls: type = type(spec)
    own = units(cls)
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
    """What a file says of a device that is not known here, as it says it: a row for each value."""
    out: list[Property] = []
    waiting: list[tuple[str, Value]] = [("", data)]
    while waiting and len(out) < _MOST_ROWS:
        label, value = waiting.pop()
        if isinstance(value, Node):
            waiting += [(f"{label} {key}".strip(), inner) for key, inner, _ in reversed(value.items)]
        elif isinstance(value, Row) and not all(isinstance(inner, Word) for inner in value):
            waiting += [(f"{label} {i}".strip(), inner) for i, inner in reversed([*enumerate(value, 1)])]
        elif isinstance(value, Row):
            out.append((label, _cut(", ".join(word.text for word in value if isinstance(word, Word))), ""))
        elif isinstance(value, Numbers):
            out.append((label, _cut(" ".join(value.body[: 2 * _LONGEST].replace(",", " ").split())), ""))
        else:
            out.append((label, _cut(value.text), ""))
    return out


def device_kind(device: Device) -> str:
    """The kind of a device, as people say it."""
    spec = device.spec
    if isinstance(spec, Opaque):
        return spec.kind
    if isinstance(spec, Camera) and spec.image != "color":
        return f"camera ({spec.image.replace('_', ' ')})"
    words = {"Imu": "IMU", "ForceTorque": "force-torque sensor"}
    name = type(spec).__name__
    return words.get(name, "".join(f" {c.lower()}" if c.isupper() else c for c in name).strip())


def frame_properties(frame: Frame) -> list[Property]:
    """Where a frame is, and whether its path is traced."""
    traced: list[Property] = [("trace", "its path is drawn", "")] if frame.trace else []
    return [("on link", frame.link, ""), *traced, *_pose("place", frame.pose)]


def loop_properties(loop: Loop) -> list[Property]:
    """What a loop holds together."""
    names = {
        "axial": "sliding along the axis",
        "radial": "sliding across it",
        "twist": "turning about it",
        "swing": "tilting",
    }
    held = [words for name, words in names.items() if getattr(loop.holds, name)]
    return [
        ("joins", f"{loop.link_a} ↔ {loop.link_b}", ""),
        ("forbids", ", ".join(held) or "nothing", ""),
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


def _range(label: str, limits: Range, unit: str) -> Iterator[Property]:
    low, high = bound(limits[0]), bound(limits[1])
    if low is not None or high is not None:
        yield label, {"range": [low, high]}, unit


def _given(label: str, value: float, unit: str) -> Iterator[Property]:
    if value:
        yield label, finite(value), unit


def _plain(value: float) -> str:
    return f"{value:.6g}"


def _times(values: Iterable[float]) -> str:
    return " × ".join(map(_plain, values))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
