"""Adds actuators on request, and the controls of keyframes that hold their postures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from unibody.document.declare import Document
from unibody.document.unbind import unbind
from unibody.formats.mjcf import document_actuators as a
from unibody.formats.mjcf.expand import ROOT
from unibody.formats.mjcf.kept_elements import Kept
from unibody.formats.mjcf.postures import Values, loads, positions
from unibody.formats.mjcf.write_bodies import paired
from unibody.model.joint_kind import KINDS
from unibody.model.pose import Vector3, cross, dot, rotate
from unibody.model.robot import Extra, Joint, Range, Robot
from unibody.text.node import Item, Node, Word
from unibody.text.number import format_float

STYLES = MOTOR, POSITION, VELOCITY = ("motor", "position", "velocity")
#: The natural frequency in rad/s that servos give a joint, with its inertia at the zero position: 10 Hz.
#: Under gravity an arm of 0.5 m sags by 0.3°, and a step of 2 ms is still short.
FREQUENCY = 20.0 * math.pi
# The inertia in kg·m² or kg of a joint that moves nothing.
_LEAST = 1e-3


def with_actuators(robot: Robot, style: str) -> Robot:
    """The robot with an actuator of a style for each driven joint that has none yet, as elements of MJCF.

    Driven are hinges and slides that follow no other joint and are not marked as passive (number −1).
    A motor has the gear ratio of the joint and its effort limits. Servos act on the joint itself, with its
    limits of position or velocity and of effort; their gains follow from its inertia. Keyframes get the
    controls that hold them.
    """
    kept = Kept(robot).section("actuator")
    taken = {node.word("joint") or node.word("jointinparent") for node in kept}
    names = {node.word("name") for node in kept}
    followers = {coupling.joint for coupling in robot.couplings}
    driven = [
        joint
        for joint in robot.joints
        if KINDS[joint.kind].nq == 1
        and joint.number != -1
        and joint.name not in taken
        and joint.name not in followers
    ]
    if not driven:
        return robot
    refs = {joint.name: Kept(robot).joint(joint.name).ref or 0.0 for joint in driven} if kept else {}
    inertias = {} if style == MOTOR else joint_inertias(robot)
    docs: list[Document] = []
    for joint in driven:
        doc = _actuator(joint, style, inertias.get(joint.name, 0.0), refs.get(joint.name, 0.0))
        doc.name = None if joint.name in names else joint.name
        docs.append(doc)
    robot = with_controls(robot, _controls(robot, driven, style, refs), [joint.name for joint in driven])
    node = unbind(a.Actuators(items=docs), "actuator")
    gears = {joint.name for joint in driven} if style == MOTOR else set()
    joints = tuple(_geared(joint) if joint.name in gears else joint for joint in robot.joints)
    return replace(robot, joints=joints, extras=_added(robot, node))


def _controls(
    robot: Robot, driven: Sequence[Joint], style: str, refs: Mapping[str, float]
) -> list[dict[str, float]]:
    """The controls of added actuators in each configuration, by joint, with which they hold it."""
    if style == POSITION:
        return [
            {joint.name: at.get(joint.name, 0.0) + refs.get(joint.name, 0.0) for joint in driven}
            for at in postures(robot)
        ]
    if style == VELOCITY:
        return [dict.fromkeys((joint.name for joint in driven), 0.0) for _ in robot.configurations]
    return [
        {joint.name: held[joint.name] / (joint.actuator.gear_ratio or 1.0) for joint in driven}
        for held in efforts(robot)
    ]


def _geared(joint: Joint) -> Joint:
    """A joint whose motor has a stated gear."""
    if joint.actuator.gear_ratio is not None:
        return joint
    return replace(joint, actuator=replace(joint.actuator, gear_ratio=1.0))


def _added(robot: Robot, node: Node) -> tuple[Extra, ...]:
    item = ("actuator", node, -1)
    out = list(robot.extras)
    for k, extra in enumerate(out):
        if extra.format == "mjcf" and extra.owner == "":
            out[k] = replace(extra, node=Node(extra.node.tag, [*extra.node.items, item]))
            return tuple(out)
    return (*out, Extra(format="mjcf", node=Node(ROOT, [item])))


def _actuator(joint: Joint, style: str, inertia: float, ref: float) -> a.Motor | a.Position | a.Velocity:
    limits, inertia = joint.limits, max(inertia, _LEAST)
    if style == MOTOR:
        gear = joint.actuator.gear_ratio or 1.0
        motor = a.Motor(joint=joint.name, ctrlrange=_range(limits.effort, 1.0 / gear))
        if gear != 1.0:
            motor.gear = (gear,)
        return motor
    force = _range(limits.effort)
    if style == POSITION:
        low, high = limits.position
        return a.Position(
            joint=joint.name,
            ctrlrange=_range((low + ref, high + ref)),
            forcerange=force,
            kp=_rounded(inertia * FREQUENCY * FREQUENCY),
            dampratio=1.0,
        )
    return a.Velocity(
        joint=joint.name,
        ctrlrange=_range(limits.velocity),
        forcerange=force,
        kv=_rounded(inertia * FREQUENCY),
    )


def _range(limits: Range, factor: float = 1.0) -> tuple[float, ...] | None:
    """A range of MuJoCo, None for one that is empty or unbounded: MuJoCo takes both as no limit."""
    low, high = sorted((limits[0] * factor, limits[1] * factor))
    return (low, high) if low < high and math.isfinite(low) and math.isfinite(high) else None


def _rounded(value: float) -> float:
    return float(f"{value:.2g}")


def joint_inertias(robot: Robot) -> Mapping[str, float]:
    """The inertia felt at each hinge or screw, or mass on each slide, at zero position (kg·m² or kg)."""
    out: dict[str, float] = {}
    for load in loads(robot, {}):
        total = load.joint.actuator.reflected_inertia
        for inertial in load.carried:
            if load.joint.kind == "prismatic":
                total += inertial.mass
                continue
            arm = cross(load.axis, inertial.com)
            x, y, z = (dot(row, load.axis) for row in inertial.inertia)
            total += inertial.mass * (load.joint.lead**2 + dot(arm, arm)) + dot((x, y, z), load.axis)
        out[load.joint.name] = total
    return out


#: Gravity in m/s² of an MJCF file that states none.
GRAVITY: Vector3 = (0.0, 0.0, -9.81)
# Actuators with several controls, whose number depends on what they are given.
_SEVERAL = frozenset(("pid", "orientation", "dcmotor"))
_KEYFRAME = "keyframe"


def with_controls(robot: Robot, values: Sequence[Mapping[str, float]], joints: Sequence[str]) -> Robot:
    """The robot with the controls of actuators that are added for ``joints``, behind those that it has.

    ``values`` are, for each configuration, the controls by joint.
    """
    kept = Kept(robot)
    present = kept.section("actuator")
    if not robot.configurations or any(node.tag in _SEVERAL for node in present):
        return robot
    names = [configuration.name for configuration in robot.configurations]
    keys: list[Item] = []
    for name, node, controls in zip(names, paired(names, kept.section(_KEYFRAME)), values, strict=True):
        old = (node.word("ctrl") or "").split() if node is not None else []
        new = [format_float(controls[joint]) for joint in joints]
        items = [("name", Word(name), -1)] if node is None else [x for x in node.items if x[0] != "ctrl"]
        words = [*old, *["0"] * (len(present) - len(old)), *new]
        keys.append(("key", Node("key", [*items, ("ctrl", Word(" ".join(words)), -1)]), -1))
    section: Item = (_KEYFRAME, Node(_KEYFRAME, keys), -1)
    out: list[Extra] = []
    for extra in robot.extras:
        if extra.format == "mjcf" and extra.owner == "":
            items = [item for item in extra.node.items if item[0] != _KEYFRAME]
            out.append(replace(extra, node=Node(extra.node.tag, [*items, section])))
        else:
            out.append(extra)
    if not any(extra.format == "mjcf" and extra.owner == "" for extra in robot.extras):
        out.append(Extra(format="mjcf", node=Node(ROOT, [section])))
    return replace(robot, extras=tuple(out))


def postures(robot: Robot) -> list[dict[str, float]]:
    """The positions of hinges and slides in each configuration."""
    at = (positions(robot, configuration) for configuration in robot.configurations)
    return [{name: values[0] for name, values in each.items() if len(values) == 1} for each in at]


def efforts(robot: Robot) -> list[dict[str, float]]:
    """The efforts (N·m, N) of joints that hold each configuration against gravity and springs.

    Those of a free base are 0: what carries it is not known.
    """
    if robot.base == "free":
        return [{joint.name: 0.0 for joint in robot.joints} for _ in robot.configurations]
    gravity = rotate(robot.pose.inverse().quat, robot.gravity or GRAVITY)
    return [
        _efforts(robot, positions(robot, configuration), gravity) for configuration in robot.configurations
    ]


def _efforts(robot: Robot, at: Mapping[str, Values], gravity: Vector3) -> dict[str, float]:
    out = {joint.name: 0.0 for joint in robot.joints}
    for load in loads(robot, at):
        joint = load.joint
        value = at.get(joint.name, (0.0,))[0]
        total = joint.dynamics.stiffness * (value - joint.dynamics.rest)
        along = dot(gravity, load.axis)
        for inertial in load.carried:
            pull = along
            if joint.kind != "prismatic":
                pull = dot(cross(inertial.com, gravity), load.axis) + joint.lead * along
            total -= inertial.mass * pull
        out[joint.name] = total
    return _led(robot, out)


def _led(robot: Robot, efforts: dict[str, float]) -> dict[str, float]:
    """The efforts with those of followers on their leaders."""
    leaders = {coupling.joint: coupling for coupling in robot.couplings}
    out = dict(efforts)
    for follower, effort in efforts.items():
        share, at, seen = effort, follower, {follower}
        while (coupling := leaders.get(at)) is not None and coupling.leader not in seen:
            share, at = share * coupling.ratio, coupling.leader
            seen.add(at)
        if at != follower:
            out[at] = out.get(at, 0.0) + share
    return out
