"""Replaces joints of several degrees of freedom by chains of single ones."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

from unibody.model.pose import IDENTITY, Vector3, cross
from unibody.model.robot import AXISLESS, Actuator, Dynamics, Joint, JointKind, Limits, Link, Robot

X: Vector3 = (1.0, 0.0, 0.0)
Y: Vector3 = (0.0, 1.0, 0.0)
Z: Vector3 = (0.0, 0.0, 1.0)


def split_joints(robot: Robot, kinds: Collection[JointKind], keep: Collection[str] = ()) -> Robot:
    """Replace joints of ``kinds`` by chains; the last joint of a chain keeps name and child.

    The joints named in ``keep`` stay as they are.

    ball: revolute about X, Y and Z; free: prismatic along X, Y and Z, then as ball; planar: two
    prismatic joints and a revolute one, with the directions of ``mechanism``; universal: revolute about
    the axis, then about a normal; screw: revolute, since the model has no pitch; track: fixed. The links
    in between are massless.

    >>> arm = Joint(name="hip", kind="ball", parent="base", child="leg")
    >>> robot = Robot(name="r", links=(Link(name="base"), Link(name="leg")), joints=(arm,))
    >>> [(j.name, j.child) for j in split_joints(robot, ["ball"]).joints]
    [('hip_1', 'hip_1'), ('hip_2', 'hip_2'), ('hip', 'leg')]
    """
    if not any(j.kind in kinds for j in robot.joints):
        return robot
    taken = {link.name for link in robot.links} | {j.name for j in robot.joints}
    joints: list[Joint] = []
    between: dict[str, list[Link]] = {}
    for joint in robot.joints:
        chain = _chain(joint) if joint.kind in kinds and joint.name not in keep else [joint]
        if len(chain) > 1:
            chain = _named(chain, taken)
            between[joint.child] = [Link(name=j.child, at=joint.at) for j in chain[:-1]]
        joints += chain
    links = [x for link in robot.links for x in (*between.get(link.name, ()), link)]
    return replace(robot, links=tuple(links), joints=tuple(joints))


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
        if joint.number is None and joint.kind not in ("fixed", "free"):
            number += 1
            joints.append(replace(joint, number=number))
        else:
            joints.append(joint)
    same = all(a is b for a, b in zip(joints, robot.joints, strict=True))
    return robot if same else replace(robot, joints=tuple(joints))


def _chain(joint: Joint) -> list[Joint]:
    """The single joints, without their final names and links."""
    first, second = _across(joint.axis)
    match joint.kind:
        case "ball":
            parts: list[tuple[JointKind, Vector3]] = [("revolute", X), ("revolute", Y), ("revolute", Z)]
        case "planar":
            parts = [("prismatic", first), ("prismatic", second), ("revolute", joint.axis)]
        case "free":
            slides: list[tuple[JointKind, Vector3]] = [("prismatic", v) for v in (X, Y, Z)]
            parts = [*slides, *(("revolute", v) for v in (X, Y, Z))]
        case "universal":
            parts = [("revolute", joint.axis), ("revolute", first)]
        case "screw":
            return [replace(joint, kind="revolute")]
        case _:
            return [replace(joint, kind="fixed", axis=Z, limits=Limits(), initial=0.0)]
    bare = replace(
        joint, limits=Limits(), dynamics=Dynamics(), actuator=Actuator(), initial=0.0, number=None
    )
    out = [replace(bare, kind=kind, axis=axis, origin=IDENTITY) for kind, axis in parts]
    out[0] = replace(out[0], origin=joint.origin)
    last = replace(joint, kind=parts[-1][0], axis=parts[-1][1], origin=out[-1].origin)
    out[-1] = last if joint.kind not in AXISLESS else replace(last, limits=Limits())
    return out


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


def _across(axis: Vector3) -> tuple[Vector3, Vector3]:
    """Two directions normal to a unit axis, equal to those of ``mechanism.program.axis_frame``."""
    x, y, z = axis
    level = math.hypot(y, z)
    u: Vector3 = (level, -x * y / level, -x * z / level) if level else (0.0, 1.0, 0.0)
    v = cross(axis, u)
    return (u[0] + 0.0, u[1] + 0.0, u[2] + 0.0), (v[0] + 0.0, v[1] + 0.0, v[2] + 0.0)
