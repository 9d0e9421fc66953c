"""What MuJoCo's engine is run with: the only module of the format that packages above ``formats`` import.

Bridges and simulations build the model that the writer writes, and find in it what the robot has. They ask
here how bodies, carriers, sensors and keyframes are written, and what the file of a robot had.
"""

from __future__ import annotations

import re
from html import unescape

from unibody.formats.mjcf.carriers import axes, displacement, moves_of
from unibody.formats.mjcf.constraints import POLYNOMIAL
from unibody.formats.mjcf.devices import is_scan
from unibody.formats.mjcf.document_bodies import Joint
from unibody.formats.mjcf.document_constraints import Equalities, JointEquality
from unibody.formats.mjcf.document_element import OBJECTS
from unibody.formats.mjcf.drives import reflected
from unibody.formats.mjcf.geoms import ALONE
from unibody.formats.mjcf.inertia import solid_of
from unibody.formats.mjcf.kept_elements import Kept
from unibody.formats.mjcf.misread_classes import class_misreadings
from unibody.formats.mjcf.postures import link_poses
from unibody.formats.mjcf.write_bodies import NEAREST, lost_mocap, paired
from unibody.formats.mjcf.write_geoms import holds
from unibody.formats.mjcf.write_sensors import scans_of, words_of
from unibody.formats.mjcf.write_tree import BodyTree, is_world
from unibody.model.device import Device
from unibody.model.robot import Robot
from unibody.text.node import Node, elements
from unibody.text.source import Span

__all__ = [
    "ALONE",
    "NEAREST",
    "SOLVER_DEFAULTS",
    "BodyTree",
    "actuator_inertia_of",
    "axes",
    "body_tree",
    "class_misreadings",
    "displacement",
    "elements_of",
    "has_camera",
    "holds",
    "is_scan",
    "is_world",
    "keyframe_numbers",
    "link_poses",
    "lost_mocap",
    "moves_of",
    "names_of",
    "place_of",
    "polynomials_of",
    "rays_of",
    "solid_of",
    "solvers_of",
    "words_of",
    "zeros_of",
]

#: The attributes of joints for the solver of limits and of friction, with their defaults.
SOLVER_DEFAULTS: dict[str, tuple[float, ...]] = {
    name: getattr(Joint(), name)
    for name in ("solreflimit", "solimplimit", "solreffriction", "solimpfriction")
}
_TAG, _NAME = re.compile(r"<(\w+)"), re.compile(r'\sname="([^"]*)"')


def body_tree(robot: Robot) -> BodyTree:
    """The bodies as which a lowered robot is written, with their names."""
    return BodyTree(robot, Kept(robot))


def zeros_of(robot: Robot) -> dict[str, float]:
    """The coordinates in a robot's file (rad or m) of joints at their zeros, those that are not 0."""
    kept = Kept(robot)
    refs = {joint.name: kept.joint(joint.name).ref or 0.0 for joint in robot.joints}
    return {name: ref for name, ref in refs.items() if ref}


def solvers_of(robot: Robot) -> dict[str, dict[str, tuple[float, ...]]]:
    """What a robot's file has of the solver for each joint: of its limits and of its friction.

    By joint and attribute: two numbers of ``solreflimit`` and ``solreffriction``, five of ``solimplimit``
    and ``solimpfriction``.

    >>> solvers_of(Robot(name="stone"))
    {}
    """
    kept = Kept(robot)
    out: dict[str, dict[str, tuple[float, ...]]] = {}
    for joint in robot.joints:
        own = kept.joint(joint.name)
        out[joint.name] = {
            name: (*(given := getattr(own, name)), *default[len(given) :])
            for name, default in SOLVER_DEFAULTS.items()
        }
    return out


def elements_of(robot: Robot, section: str) -> list[Node]:
    """The elements in a section of the file of a robot that the model does not represent otherwise."""
    return Kept(robot).section(section)


def names_of(robot: Robot, section: str) -> tuple[str, ...]:
    """The names of these elements, those that have one.

    >>> names_of(Robot(name="stone"), "sensor")
    ()
    """
    return tuple(name for node in elements_of(robot, section) if (name := node.word("name")))


def keyframe_numbers(robot: Robot) -> dict[str, int]:
    """The configurations that are keyframes of the file of a robot, with their numbers in the engine.

    >>> keyframe_numbers(Robot(name="stone"))
    {}
    """
    names = [configuration.name for configuration in robot.configurations]
    out: dict[str, int] = {}
    for number, (name, node) in enumerate(
        zip(names, paired(names, elements_of(robot, "keyframe")), strict=True)
    ):
        if node is not None:
            out.setdefault(name, number)
    return out


def rays_of(robot: Robot) -> dict[str, tuple[str, ...]]:
    """The names of the sensors as which each scan of a lowered robot is written: pitch outer, yaw inner."""
    return {name: scan.names for name, scan in scans_of(robot, Kept(robot)).items()}


def has_camera(robot: Robot, device: Device) -> bool:
    """Whether a camera is one of the file of a robot."""
    kept = Kept(robot)
    nodes = (*kept.body(device.link).cameras, *kept.world().cameras)
    return any(node.word("name") == device.name for node in nodes)


def actuator_inertia_of(robot: Robot) -> dict[str, float]:
    """The inertia (kg·m² or kg) of a joint's actuators in the file, times the squares of their gears.

    It is that by joint, without those of 0.

    >>> actuator_inertia_of(Robot(name="stone"))
    {}
    """
    kept = Kept(robot)
    found = {joint.name: reflected(kept.drives(joint.name)) for joint in robot.joints}
    return {name: value for name, value in found.items() if value}


def polynomials_of(robot: Robot) -> dict[str, tuple[str, tuple[float, ...]]]:
    """The joints that follow another one by a polynomial, as the file of a robot says, by name.

    It is the joint that they follow and the five coefficients, the constant first; those without higher
    terms are couplings of the robot.

    >>> polynomials_of(Robot(name="stone"))
    {}
    """
    out: dict[str, tuple[str, tuple[float, ...]]] = {}
    for section in Kept(robot).whole(Equalities):
        for item in section.items:
            if isinstance(item, JointEquality) and item.joint1 and item.joint2 and item.active:
                given = item.polycoef or ()
                factors = (*given, *POLYNOMIAL[len(given) :])
                if any(factors[2:]):
                    out[item.joint1] = item.joint2, factors
    return out


def place_of(robot: Robot, line: str) -> tuple[str, Span | None]:
    """The element that begins in a line of the written robot, in words, and its place in the robot's file.

    The place is None if several elements may be meant, or the robot is of no file.

    >>> place_of(Robot(name="stone"), '    <gyro name="turn" site="imu"/>')
    ("<gyro> 'turn'", None)
    """
    tags, names = _TAG.search(line), _NAME.search(line)
    if tags is None:
        return "", None
    tag, name = tags[1], unescape(names[1]) if names is not None else ""
    kept = (node for extra in robot.extras if extra.format == "mjcf" for node in elements(extra.node))
    spans = [node.span for node in kept if node.tag == tag and (node.word("name") or "") == name]
    for kind in OBJECTS.get(tag, ("devices",))[:1]:
        spans += [part.at for part in getattr(robot, kind, ()) if part.name == name]
    found = [span for span in spans if span is not None]
    return f"<{tag}> '{name}'" if name else f"<{tag}>", found[0] if len(found) == 1 else None
