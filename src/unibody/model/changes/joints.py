"""Replaces joints of several degrees of freedom by chains of single ones."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from unibody.model.collision import tested_otherwise
from unibody.model.joint_kind import KINDS, JointKind
from unibody.model.pose import IDENTITY, Vector3, cross, quaternion_matrix
from unibody.model.robot import (
    Actuator,
    Configuration,
    Coupling,
    Dynamics,
    Group,
    Joint,
    Limits,
    Link,
    Robot,
)

X: Vector3 = (1.0, 0.0, 0.0)
Y: Vector3 = (0.0, 1.0, 0.0)
Z: Vector3 = (0.0, 0.0, 1.0)


def split_joints(
    robot: Robot, kinds: Collection[JointKind], keep: Collection[str] = (), *, coupled: bool = True
) -> Robot:
    """Replace joints whose kind is not in ``kinds`` by chains, whose last joint keeps name and child.

    The joints named in ``keep`` stay as they are. ``coupled`` says that the target has couplings.

    ball: revolute about X, Y and Z; free: prismatic along X, Y and Z, then as ball; planar: two
    prismatic joints and a revolute one, with the directions of ``mechanism``; universal: revolute about
    its axes (about the axis and a normal if it has no second one); screw: prismatic, coupled to a revolute
    one, or revolute alone without couplings or pitch; track: fixed. The links in between are massless.
    Configurations have the positions of the joints of the chains. Links with collision shapes that were
    adjacent are still not tested.

    >>> arm = Joint(name="hip", kind="ball", parent="base", child="leg")
    >>> robot = Robot(name="r", links=(Link(name="base"), Link(name="leg")), joints=(arm,))
    >>> [(j.name, j.child) for j in split_joints(robot, ["revolute"]).joints]
    [('hip_1', 'hip_1'), ('hip_2', 'hip_2'), ('hip', 'leg')]
    """
    if all(j.kind in kinds for j in robot.joints):
        return robot
    taken = {link.name for link in robot.links} | {j.name for j in robot.joints}
    joints: list[Joint] = []
    between: dict[str, list[Link]] = {}
    chains: dict[str, list[str]] = {}
    couplings = list(robot.couplings)
    for joint in robot.joints:
        chain = [joint] if joint.kind in kinds or joint.name in keep else _chain(joint, coupled)
        if len(chain) > 1:
            chain = _named(chain, taken)
            between[joint.child] = [Link(name=j.child, at=joint.at) for j in chain[:-1]]
            if joint.kind == "screw":
                couplings.append(Coupling(joint=chain[0].name, leader=joint.name, ratio=joint.lead))
            else:
                chains[joint.name] = [j.name for j in chain]
        joints += chain
    links = [x for link in robot.links for x in (*between.get(link.name, ()), link)]
    configurations = tuple(_split_positions(c, robot, chains) for c in robot.configurations)
    made = replace(
        robot,
        links=tuple(links),
        joints=tuple(joints),
        couplings=tuple(couplings),
        configurations=configurations,
        groups=tuple(_split_members(group, chains) for group in robot.groups),
    )
    # links around a chain are not adjacent any more
    parted = tuple(pair for pair, was_tested in tested_otherwise(robot, made) if not was_tested)
    if not parted:
        return made
    rules = made.self_collision
    return replace(made, self_collision=replace(rules, disabled=(*rules.disabled, *parted)))


def _split_members(group: Group, chains: Mapping[str, list[str]]) -> Group:
    """A group, and those inside it, with the joints of ``chains`` in place of those that they replace."""
    joints = [name for member in group.joint_members for name in chains.get(member, [member])]
    members = [_split_members(x, chains) if isinstance(x, Group) else x for x in group.members]
    return replace(group, joint_members=tuple(joints), members=tuple(members))


def _split_positions(
    configuration: Configuration, robot: Robot, chains: Mapping[str, list[str]]
) -> Configuration:
    """A configuration with positions of the joints of ``chains``, without incomplete ones."""
    if not any(name in chains for name, _ in configuration.positions):
        return configuration
    records = {joint.name: KINDS[joint.kind] for joint in robot.joints if joint.name in chains}
    positions: list[tuple[str, float]] = []
    for name, value in configuration.by_joint.items():
        values = value if isinstance(value, tuple) else (value,)
        if name not in chains:
            positions += [(name, v) for v in values]
        elif len(values) == records[name].nq:
            places = records[name].scalars
            angles = _angles(values[places:]) if records[name].has_quaternion else ()
            positions += zip(chains[name], (*values[:places], *angles), strict=True)
    return replace(configuration, positions=tuple(positions))


def _angles(quaternion: Sequence[float]) -> tuple[float, float, float]:
    """The angles of a rotation about X, then Y and Z of the turned frame, from w x y z."""
    w, x, y, z = quaternion
    r = quaternion_matrix((w, x, y, z))
    second = math.asin(max(-1.0, min(1.0, r[0][2])))
    return math.atan2(-r[1][2], r[2][2]), second, math.atan2(-r[0][1], r[0][0])


def number_joints(robot: Robot) -> Robot:
    """Number the moving joints whose number is None, in document order, after the numbers in use.

    Choreonoid controls only joints with an id. A number of −1 is the author's and stays.

    >>> arm = Joint(name="hip", kind="revolute", parent="base", child="leg")
    >>> robot = Robot(name="r", links=(Link(name="base"), Link(name="leg")), joints=(arm,))
    >>> number_joints(robot).joint("hip").number
    0
    """
    number = max((j.number for j in robot.joints if j.number is not None), default=-1)
    joints: list[Joint] = []
    for joint in robot.joints:
        if joint.number is None and KINDS[joint.kind].numbered:
            number += 1
            joints.append(replace(joint, number=number))
        else:
            joints.append(joint)
    same = all(a is b for a, b in zip(joints, robot.joints, strict=True))
    return robot if same else replace(robot, joints=tuple(joints))


def _chain(joint: Joint, coupled: bool) -> list[Joint]:
    """The single joints, without their final names and links."""
    kinds, axes, lead = KINDS[joint.kind].parts, _axes(joint), joint.lead
    joint = replace(joint, axis2=None, pitch=None)
    if kinds == ("fixed",):
        return [replace(joint, kind="fixed", axis=Z, limits=Limits(), initial=0.0)]
    if joint.kind == "screw" and not (lead and coupled):
        return [replace(joint, kind="revolute")]
    bare = replace(joint, initial=lead * joint.initial, number=None)
    if joint.kind != "universal":
        bare = replace(bare, limits=Limits(), dynamics=Dynamics(), actuator=Actuator())
    parts = zip(kinds, axes, strict=True)
    out = [replace(bare, kind=kind, axis=axis, origin=IDENTITY) for kind, axis in parts]
    out[0] = replace(out[0], origin=joint.origin)
    last = replace(joint, kind=out[-1].kind, axis=out[-1].axis, origin=out[-1].origin)
    out[-1] = last if KINDS[joint.kind].axes else replace(last, limits=Limits())
    return out


def _axes(joint: Joint) -> list[Vector3]:
    """The axis of each joint of a chain."""
    first, second = across(joint.axis)
    match joint.kind:
        case "ball":
            return [X, Y, Z]
        case "free":
            return [X, Y, Z, X, Y, Z]
        case "planar":
            return [first, second, joint.axis]
        case "universal":
            return [joint.axis, first if joint.axis2 is None else joint.axis2]
        case _:
            return [joint.axis] * len(KINDS[joint.kind].parts)


def _named(chain: list[Joint], taken: set[str]) -> list[Joint]:
    out: list[Joint] = []
    parent = chain[0].parent
    for k, joint in enumerate(chain[:-1], 1):
        name = free_name(f"{joint.name}_{k}", taken)
        taken.add(name)
        out.append(replace(joint, name=name, parent=parent, child=name))
        parent = name
    return [*out, replace(chain[-1], parent=parent)]


def free_name(name: str, taken: Collection[str]) -> str:
    """Return the name, with the smallest number appended that makes it unique.

    >>> free_name("arm", {"arm", "arm_2"})
    'arm_3'
    """
    made, number = name, 2
    while made in taken:
        made, number = f"{name}_{number}", number + 1
    return made


def across(axis: Vector3) -> tuple[Vector3, Vector3]:
    """Two directions normal to a unit axis, equal to those of ``mechanism.program.axis_frame``."""
    x, y, z = axis
    level = math.hypot(y, z)
    u: Vector3 = (level, -x * y / level, -x * z / level) if level else (0.0, 1.0, 0.0)
    v = cross(axis, u)
    return (u[0] + 0.0, u[1] + 0.0, u[2] + 0.0), (v[0] + 0.0, v[1] + 0.0, v[2] + 0.0)
