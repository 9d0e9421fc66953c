"""Poses of links at given joint positions, for what MJCF states in a posture."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.model.joint_kind import KINDS
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
        if joint.name not in stated and KINDS[joint.kind].nq == 1:
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
