"""Poses of links at given joint positions, for what MJCF states in a posture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from unibody.model.pose import IDENTITY, ZERO, Pose, from_axis_angle
from unibody.model.robot import Configuration, Coupling, Joint, Robot

Values = tuple[float, ...]


def link_poses(robot: Robot, at: Mapping[str, Values]) -> dict[str, Pose]:
    """The pose of each link in the root link; joints that are not listed are at 0.

    >>> from unibody.model.robot import Link
    >>> slide = Joint(name="s", kind="prismatic", parent="a", child="b")
    >>> robot = Robot(name="r", links=(Link(name="a"), Link(name="b")), joints=(slide,))
    >>> link_poses(robot, {"s": (0.5,)})["b"].xyz
    (0.0, 0.0, 0.5)
    """
    below: dict[str, list[Joint]] = {}
    for joint in robot.joints:
        below.setdefault(joint.parent, []).append(joint)
    out = {robot.root: IDENTITY}
    todo = [robot.root]
    while todo:
        parent = todo.pop()
        for joint in below.get(parent, []):
            out[joint.child] = out[parent] @ joint.origin @ motion(joint, at.get(joint.name, ()))
            todo.append(joint.child)
    return out


def motion(joint: Joint, values: Values) -> Pose:
    """How a joint moves its child from the zero position; other kinds than those of MJCF do not move it."""
    x, y, z = joint.axis
    match joint.kind, values:
        case "revolute", (angle,):
            turn = from_axis_angle(joint.axis, angle)
            return IDENTITY if turn is None else Pose(ZERO, turn)
        case "prismatic", (way,):
            return Pose((x * way, y * way, z * way))
        case "ball", (qw, qx, qy, qz):
            return Pose(ZERO, (qw, qx, qy, qz))
        case "free", (px, py, pz, qw, qx, qy, qz):
            return Pose((px, py, pz), (qw, qx, qy, qz))
    return IDENTITY


def positions(robot: Robot, configuration: Configuration) -> dict[str, Values]:
    """The position of each joint in a configuration.

    Joints that are left open follow their leader, if they have one, or are in their initial position.
    """
    stated: dict[str, Values] = {}
    for name, value in configuration.positions:
        stated[name] = (*stated.get(name, ()), value)
    leaders = {c.joint: c for c in robot.couplings}
    out = dict(stated)
    for joint in robot.joints:
        if joint.name not in stated and joint.kind in ("revolute", "prismatic"):
            out[joint.name] = (_followed(robot, joint.name, stated, leaders),)
    return out


def _followed(
    robot: Robot, name: str, stated: Mapping[str, Values], leaders: Mapping[str, Coupling]
) -> float:
    initial = {joint.name: joint.initial for joint in robot.joints}
    way: list[Coupling] = []
    seen = {name}
    while name not in stated and (coupling := leaders.get(name)) is not None:
        way.append(coupling)
        name = coupling.leader
        if name in seen:
            break
        seen.add(name)
    given = stated.get(name, ())
    value = given[0] if given else initial.get(name, 0.0)
    for coupling in reversed(way):
        value = coupling.ratio * value + coupling.offset
    return value


def split_positions(before: Robot, after: Robot) -> Robot:
    """The lowered robot ``after`` with configurations of its joints, where joints of ``before`` were split.

    The positions of planar and universal joints go to the joints of their chains.
    """
    if not after.configurations:
        return after
    parents = {joint.child: joint for joint in after.joints}
    kinds = {joint.name: joint.kind for joint in after.joints}
    chains: dict[str, list[str]] = {}
    for joint in before.joints:
        if kinds.get(joint.name) != joint.kind:
            chain = [joint.name]
            link = next((x.parent for x in after.joints if x.name == joint.name), joint.parent)
            while link != joint.parent and link in parents:
                chain.insert(0, parents[link].name)
                link = parents[link].parent
            chains[joint.name] = chain
    if not chains:
        return after
    return replace(after, configurations=tuple(_split(c, chains) for c in after.configurations))


def _split(configuration: Configuration, chains: Mapping[str, list[str]]) -> Configuration:
    count: Counter[str] = Counter(name for name, _ in configuration.positions)
    place: Counter[str] = Counter()
    out: list[tuple[str, float]] = []
    for name, value in configuration.positions:
        chain = chains.get(name, [name])
        if name not in chains:
            out.append((name, value))
        elif len(chain) == count[name]:
            out.append((chain[place[name]], value))
            place[name] += 1
    return replace(configuration, positions=tuple(out))
