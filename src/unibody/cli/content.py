"""What ``unibody info`` shows, as plain data in SI units."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from unibody.cli import words
from unibody.cli.gaps import gaps
from unibody.model.native import value_json
from unibody.model.robot import JOINT_SIZE, Joint, Robot
from unibody.text.finding import Findings

if TYPE_CHECKING:
    from unibody.formats.load import Reading

Data = dict[str, Any]


def content(robot: Robot, reading: Reading) -> Data:
    """The sections of ``unibody info`` as plain data; a finding when the loops' gaps are unknown."""
    said = Findings()
    mover = {joint.child: joint for joint in robot.joints}
    apart = gaps(robot, said)
    reading.findings.extend(said)
    rule = robot.self_collision
    return {
        "name": robot.name,
        "file": reading.source.name if reading.source else "",
        "format": reading.format.name if reading.format else "",
        "counts": _counts(robot),
        "mass": robot.mass,
        "base": robot.base,
        "pose": {"xyz": robot.pose.xyz, "quat": robot.pose.quat},
        "self_collision": {
            "default": rule.default,
            "enabled": len(rule.enabled),
            "disabled": len(rule.disabled),
        },
        "links": [
            {
                "name": link.name,
                "parent": mover[link.name].parent if link.name in mover else None,
                "joint": mover[link.name].name if link.name in mover else None,
                "visuals": len(link.visuals),
                "collisions": len(link.collisions) + len(link.collisions_alt),
            }
            for link in robot.links
        ],
        "joints": [
            _joint(joint, place) for joint, place in zip(robot.joints, words.q_places(robot), strict=True)
        ],
        "masses": {
            link.name: {"mass": link.inertial.mass, "com": link.inertial.com}
            for link in robot.links
            if link.inertial
        },
        "devices": [
            {
                "name": d.name,
                "kind": type(d.spec).__name__,
                "id": d.id,
                "link": d.link,
                "on": d.on,
                "xyz": d.pose.xyz,
                "quat": d.pose.quat,
                "parameters": _parameters(d.spec),
            }
            for d in robot.devices
        ],
        "loops": [
            {
                "name": loop.name,
                "kind": words.loop_word(loop.holds),
                "link_a": loop.link_a,
                "link_b": loop.link_b,
                "axis": loop.axis,
                "gap": None if gap is None else gap.distance,
                "tilt": None if gap is None else gap.angle,
            }
            for loop, gap in zip(robot.loops, apart, strict=True)
        ],
        "couplings": [
            {"joint": c.joint, "leader": c.leader, "ratio": c.ratio, "offset": c.offset}
            for c in robot.couplings
        ],
        "frames": [
            {"name": f.name, "link": f.link, "xyz": f.pose.xyz, "quat": f.pose.quat, "trace": f.trace}
            for f in robot.frames
        ],
        "configurations": {c.name: dict(c.positions) for c in robot.configurations},
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
        "q": sum(JOINT_SIZE[j.kind] for j in robot.joints) + (7 if robot.base == "free" else 0),
        "devices": len(robot.devices),
        "loops": len(robot.loops),
        "couplings": len(robot.couplings),
        "coordinates": len(robot.coordinates),
        "frames": len(robot.frames),
        "configurations": len(robot.configurations),
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
        "position": joint.limits.position,
        "velocity": joint.limits.velocity,
        "effort": joint.limits.effort,
        "initial": joint.initial,
    }


def _parameters(spec: Any) -> Data:
    from dataclasses import fields

    from unibody.text.node import Node, plain

    values = {f.name: getattr(spec, f.name) for f in fields(spec)}
    return {name: plain(value) if isinstance(value, Node) else value for name, value in values.items()}
