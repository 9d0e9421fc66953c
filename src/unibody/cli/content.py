"""The content of ``unibody info`` as plain data in SI units."""

from __future__ import annotations

import math
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from unibody.checks.loops import Gap, gaps
from unibody.cli import words
from unibody.model.device import Device
from unibody.model.joint_kind import KINDS
from unibody.model.json import value_json
from unibody.model.metadata import units
from unibody.model.pose import Pose
from unibody.model.robot import Joint, Limits, Link, Loop, Robot
from unibody.text.finding import Findings
from unibody.text.node import Node, plain

if TYPE_CHECKING:
    from unibody.formats.loader import Reading

Data = dict[str, Any]


def content(robot: Robot, reading: Reading) -> Data:
    """The sections of ``unibody info`` as plain data; adds a finding if loop gaps cannot be computed."""
    findings = Findings()
    loop_gaps = gaps(robot, findings)
    reading.findings.extend(findings)
    movers = {joint.child: joint for joint in robot.joints}
    places = words.q_places(robot)
    return {
        "name": robot.name,
        "file": reading.source.name if reading.source else "",
        "format": reading.format.name if reading.format else "",
        "beside": dict(reading.beside),
        "arguments": dict(reading.arguments),
        "counts": _counts(robot),
        "mass": None if math.isnan(robot.mass) else robot.mass,
        "base": robot.base,
        "pose": _pose(robot.pose),
        "gravity": robot.gravity,
        "self_collision": _self_collision(robot),
        "links": [_link(link, movers.get(link.name)) for link in robot.links],
        "surroundings": None if robot.surroundings is None else _link(robot.surroundings, None),
        "joints": [_joint(joint, place) for joint, place in zip(robot.joints, places, strict=True)],
        "masses": {
            link.name: {
                "mass": None if link.inertial.unknown == "mass" else link.inertial.mass,
                "com": None if link.inertial.unknown else link.inertial.com,
            }
            for link in robot.links
            if link.inertial
        },
        "devices": [_device(device) for device in robot.devices],
        "loops": [_loop(loop, gap) for loop, gap in zip(robot.loops, loop_gaps, strict=True)],
        "couplings": [
            {"joint": c.joint, "leader": c.leader, "ratio": c.ratio, "offset": c.offset}
            for c in robot.couplings
        ],
        "coordinates": [words.coordinate_data(c) for c in robot.coordinates],
        "frames": [
            {"name": f.name, "link": f.link, **_pose(f.pose), "trace": f.trace} for f in robot.frames
        ],
        "configurations": {c.name: c.by_joint for c in robot.configurations},
        "groups": [value_json(group) for group in robot.groups],
        "extras": [
            {"format": e.format, "owner": e.owner, "keys": [key for key, _, _ in e.node.items if key]}
            for e in robot.extras
        ],
    }


def _counts(robot: Robot) -> Data:
    return {
        "links": len(robot.links),
        "joints": len(robot.joints),
        "q": sum(KINDS[j.kind].nq for j in robot.joints) + (7 if robot.base == "free" else 0),
        "devices": len(robot.devices),
        "loops": len(robot.loops),
        "couplings": len(robot.couplings),
        "coordinates": len(robot.coordinates),
        "frames": len(robot.frames),
        "configurations": len(robot.configurations),
    }


def _pose(pose: Pose) -> Data:
    return {"xyz": pose.xyz, "quat": pose.quat}


def _self_collision(robot: Robot) -> Data:
    rule = robot.self_collision
    return {
        "default": rule.default,
        "enabled": len(rule.enabled),
        "disabled": len(rule.disabled),
        "excluded_links": [link.name for link in robot.links if not link.collides],
    }


def _link(link: Link, mover: Joint | None) -> Data:
    return {
        "name": link.name,
        "parent": mover.parent if mover else None,
        "joint": mover.name if mover else None,
        "visuals": len(link.visuals),
        "collisions": len(link.collisions) + len(link.collisions_alt),
    }


def _joint(joint: Joint, place: tuple[int, int]) -> Data:
    at, size = place
    return {
        "name": joint.name,
        "kind": joint.kind,
        "q": list(range(at, at + size)),
        "axis": joint.axis if words.has_axis(joint) else None,
        "parent": joint.parent,
        "child": joint.child,
        "number": joint.number,
        **{name: getattr(joint.limits, name) for name in units(Limits)},
        "initial": joint.initial,
        "passive": joint.passive,
    }


def _device(device: Device) -> Data:
    spec = device.spec
    values = {f.name: getattr(spec, f.name) for f in fields(spec)}
    return {
        "name": device.name,
        "kind": type(spec).__name__,
        "id": device.id,
        "link": device.link,
        "on": device.on,
        **_pose(device.pose),
        "parameters": {name: plain(v) if isinstance(v, Node) else v for name, v in values.items()},
    }


def _loop(loop: Loop, gap: Gap | None) -> Data:
    return {
        "name": loop.name,
        "kind": words.loop_word(loop.holds),
        "link_a": loop.link_a,
        "link_b": loop.link_b,
        "axis": loop.axis,
        "gap": None if gap is None else gap.distance,
        "tilt": None if gap is None else gap.angle,
    }
