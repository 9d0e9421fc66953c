"""Assembles the parts of a Humanoid into a robot: names links, builds joints, checks ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from unibody.formats.extras import Extras
from unibody.formats.format import Context
from unibody.formats.neighbors import without_rules
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.content import composed
from unibody.formats.openhrp.links import Part, actuator, axis, joint_extras, limits
from unibody.formats.openhrp.loops import extra_joints
from unibody.formats.tree import check_numbers, check_tree, first_place, joint_number, ordinal, unique_names
from unibody.model.device import Accelerometer, Camera, Device, ForceTorque, Gyro, RangeSensor
from unibody.model.joint_kind import KINDS
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Limits, Link, Robot
from unibody.model.traverse import path_of
from unibody.text.counted import listed
from unibody.text.finding import Findings
from unibody.text.fixes import defined, renamed, respelled
from unibody.text.source import Span

# Node names of the sensors that are numbered from 0 within their kind.
_NUMBERED_SENSORS = {
    Accelerometer: "AccelerationSensor",
    Gyro: "Gyro",
    ForceTorque: "ForceSensor",
    Camera: "VisionSensor",
    RangeSensor: "RangeSensor",
}


def assemble(
    name: str, parts: list[Part], loops: Sequence[d.ExtraJoint], pose: Pose, context: Context
) -> Robot:
    """Assemble a robot from its parts, the root first; ``pose`` is the pose of the Humanoid."""
    root = parts[0]
    names = _names(parts, context.findings)
    extras = Extras("openhrp")
    links: list[Link] = []
    joints: list[Joint] = []
    devices: list[Device] = []
    for part, link in zip(parts, names, strict=True):
        content = part.content
        links.append(
            Link(
                name=link,
                inertial=composed(content.bodies),
                visuals=tuple(content.visuals),
                collisions=tuple(content.collisions if content.surfaces is None else content.surfaces),
                at=part.at,
            )
        )
        if part is not root:
            joints.append(_joint(part, link, names[part.parent], context))
        extras.add(joint_extras(part, part is root, context.findings) + content.extras, "links", link)
        devices += [replace(made, link=link) for made in content.devices]
    named = unique_names(devices, "device", context.findings, code="device-unnamed")
    _device_extras(parts, named, extras)
    check_tree(links, joints, context.findings)
    check_numbers([(j.number, j.name, j.at) for j in joints if j.number is not None], context.findings)
    _check_missing_ids(joints, context.findings)
    _check_sensors(named, context.findings)
    inner = [x for part in parts for x in part.content.loops]
    # a name refers to the first link with that name
    centers = {part.name: part.center for part in reversed(parts) if part.name}
    made = extra_joints([*loops, *inner], centers, context)
    closed = unique_names([loop for loop, _ in made], "loop", context.findings)
    for loop, (_, items) in zip(closed, made, strict=True):
        extras.add(items, "loops", loop.name)
    robot = Robot(
        name=name,
        links=tuple(links),
        joints=tuple(joints),
        loops=tuple(closed),
        devices=tuple(named),
        base=_base(root, names[0], context.findings),
        pose=pose @ root.origin,
        extras=extras.made(),
    )
    return replace(robot, self_collision=without_rules(robot))


def _names(parts: list[Part], findings: Findings) -> list[str]:
    """The DEF names of the parts, made unique; unnamed and duplicate ones are reported.

    Choreonoid checks neither (facts B.5), but its look-up by name returns the first link.
    """
    taken = {part.name for part in parts}
    seen: set[str] = set()
    first: dict[str, Span | None] = {}
    count: Counter[str] = Counter()
    out: list[str] = []
    for i, part in enumerate(parts):
        name = part.name
        count[name] += 1
        if name and name not in seen:
            seen.add(name)
            first[name] = part.at
            out.append(name)
            continue
        number, stem = (2, f"{name}_") if name else (i, "link")
        while f"{stem}{number}" in taken:
            number += 1
        new = f"{stem}{number}"
        taken.add(new)
        seen.add(new)
        out.append(new)
        if name:
            place = first_place(first.get(name), part.at)
            message = f"Joint: duplicate name '{name}'; renamed to '{new}'{place}"
            hint = "give each Joint a unique DEF name"
            fix = renamed(part.at, name, new, f"{ordinal(count[name])} Joint")
            findings.warning(
                "name-duplicate", message, part.at, hint, subject=path_of("joints", new), fix=fix
            )
        else:
            message = f"unnamed Joint; using '{new}'"
            hint = "give the Joint a DEF name"
            fix = defined(part.at, new)
            findings.warning(
                "name-missing", message, part.at, hint, subject=path_of("joints", new), fix=fix
            )
    return out


def _joint(part: Part, name: str, parent: str, context: Context) -> Joint:
    doc = part.doc
    assert doc is not None
    axisless = not KINDS[part.kind].axes
    return Joint(
        name=name,
        kind=part.kind,
        parent=parent,
        child=name,
        origin=part.origin,
        axis=(0.0, 0.0, 1.0) if axisless else axis(doc, context),
        limits=Limits() if axisless else limits(doc),
        actuator=actuator(doc, part.kind),
        number=joint_number(doc.joint_id, part.kind),
        at=part.at,
    )


def _device_extras(parts: list[Part], devices: list[Device], extras: Extras) -> None:
    """Add the undeclared fields of devices to ``extras`` under the final device names."""
    start = 0
    for part in parts:
        for index, rest in part.content.device_extras:
            extras.add(rest, "devices", devices[start + index].name)
        start += len(part.content.devices)


def _base(root: Part, name: str, findings: Findings) -> Literal["fixed", "free"]:
    """The base type of the robot, from the jointType of its root Joint."""
    if root.kind == "free":
        return "free"
    if root.kind != "fixed" and root.doc is not None:
        doc = root.doc
        fix = respelled(doc.at("joint_type"), doc.joint_type, "fixed", safe=True)
        findings.warning(
            "root-joint-type",
            f"root Joint '{name}' has jointType {doc.joint_type}; using fixed, as in Choreonoid's dynamics",
            root.at,
            "set jointType to free or fixed",
            subject=path_of("joints", name),
            fix=replace(fix, leftover=True) if fix is not None else None,
        )
    return "fixed"


def _check_missing_ids(joints: list[Joint], findings: Findings) -> None:
    """Report movable joints without an id.

    The reference requires an id for joints that a controller moves; OpenHRP warns about them.
    """
    without = [j for j in joints if j.number == -1 and j.kind in ("revolute", "prismatic")]
    if without:
        shown = listed((f"'{j.name}'" for j in without), 5)
        one = f"movable joint {shown} without jointId; controllers ignore it"
        findings.info(
            "joint-id-missing",
            one
            if len(without) == 1
            else f"{len(without)} movable joints without jointId: {shown}; controllers ignore them",
            without[0].at,
        )


def _check_sensors(devices: list[Device], findings: Findings) -> None:
    """Report sensor ids that do not count from 0 without gaps within their kind (the reference)."""
    kinds: dict[str, list[Device]] = {}
    for device in devices:
        word = _NUMBERED_SENSORS.get(type(device.spec))
        if word is not None:
            kinds.setdefault(word, []).append(device)
    for word, sensors in kinds.items():
        _check_kind(word, sensors, findings)


def _check_kind(word: str, sensors: list[Device], findings: Findings) -> None:
    first: dict[int, Device] = {}
    for device in sensors:
        if device.id is None:
            message = f"{word} '{device.name}' has no sensorId; OpenHRP ignores it"
            findings.info("sensor-id-missing", message, device.at, "number the sensors of each kind from 0")
        elif device.id in first:
            findings.warning(
                "sensor-id-duplicate",
                f"duplicate sensorId {device.id}: {word} '{first[device.id].name}' and '{device.name}'",
                device.at,
                "give each sensor of a kind a unique sensorId",
            )
        else:
            first[device.id] = device
    missing = next((i for i in range(len(first)) if i not in first), None)
    if missing is not None:
        last = max(first)
        findings.info(
            "sensor-id-gap",
            f"no {word} has sensorId {missing}, but '{first[last].name}' has {last}",
            first[last].at,
            "number the sensors of each kind from 0 without gaps",
        )
