"""The controls with which added actuators hold the configurations of a robot, as keyframes of MJCF."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from unibody.formats.mjcf import document as d
from unibody.formats.mjcf.kept_elements import Kept
from unibody.formats.mjcf.postures import Values, loads, positions
from unibody.formats.mjcf.write_bodies import paired
from unibody.model.pose import Vector3, cross, dot, rotate
from unibody.model.robot import Extra, Robot
from unibody.text.node import Item, Node, Word
from unibody.text.number import format_float

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
        out.append(Extra(format="mjcf", node=Node("", [section])))
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
    stated = [option.gravity for option in Kept(robot).whole(d.Option) if option.gravity is not None]
    x, y, z = stated[-1] if stated else GRAVITY
    gravity = rotate(robot.pose.inverse().quat, (x, y, z))
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
