"""Poses of links at given joint positions, for what MJCF states in a posture."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from unibody.model.inertia import Inertial, rotated
from unibody.model.joint_kind import KINDS
from unibody.model.pose import IDENTITY, ZERO, Pose, Vector3, from_axis_angle, rotate
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
    below = _below(robot)
    out = {robot.root: IDENTITY}
    todo = [robot.root]
    while todo:
        parent = todo.pop()
        for joint in below.get(parent, []):
            out[joint.child] = out[parent] @ joint.origin @ motion(joint, at.get(joint.name, ()))
            todo.append(joint.child)
    return out


@dataclass(frozen=True, slots=True)
class Load:
    """What a hinge, slide or screw carries in a posture, in the axes of the root link.

    ``carried`` are the inertials of the links below the joint, with their centers of mass from its origin.
    """

    joint: Joint
    axis: Vector3
    carried: tuple[Inertial, ...]


def loads(robot: Robot, at: Mapping[str, Values]) -> Iterator[Load]:
    """The load of each joint of one degree of freedom; joints that are not listed are at 0."""
    poses = link_poses(robot, at)
    links = {link.name: link for link in robot.links}
    below = _below(robot)
    for joint in robot.joints:
        if KINDS[joint.kind].nq != 1:
            continue
        place = poses[joint.child]
        x, y, z = place.xyz
        carried: list[Inertial] = []
        todo = [joint.child]
        while todo:
            name = todo.pop()
            todo += [inner.child for inner in below.get(name, [])]
            inertial, pose = links[name].inertial, poses[name]
            if inertial is not None:
                a, b, c = pose.apply(inertial.com)
                turned = rotated(inertial.inertia, pose)
                carried.append(Inertial(mass=inertial.mass, com=(a - x, b - y, c - z), inertia=turned))
        yield Load(joint, rotate(place.quat, joint.axis), tuple(carried))


def _below(robot: Robot) -> dict[str, list[Joint]]:
    """The joints of each link to its children."""
    out: dict[str, list[Joint]] = {}
    for joint in robot.joints:
        out.setdefault(joint.parent, []).append(joint)
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
