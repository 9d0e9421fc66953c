"""Assembles a robot: checks that its links form one tree, and converts it to arrays."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from unibody.mechanism.arguments import Names
from unibody.mechanism.mechanism import Mechanism
from unibody.mechanism.tree import (
    BASE_SIZE,
    BASE_VELOCITY_SIZE,
    LinearCoupling,
    Tree,
)
from unibody.model.arrays import Floats, Indices
from unibody.model.base import Base, with_base
from unibody.model.joint_kind import KINDS, NEEDED
from unibody.model.pose import Vector3, unit
from unibody.model.robot import Coupling, Frame, Joint, Robot, check_is_robot
from unibody.text.near import suggestion

_UNIT_QUATERNION = (1.0, 0.0, 0.0, 0.0)
_Z: Vector3 = (0.0, 0.0, 1.0)


class AssembleError(ValueError):
    """Raised if the links and joints of a robot do not form one tree that can be computed."""


def assemble(robot: Robot, *, base: Base | None = None) -> Mechanism:
    """Build the mechanism of a robot; AssembleError unless its links form one tree.

    ``base`` is "fixed" or "free", whatever the robot says; an unspecified base is computed as fixed.

    >>> from unibody.model.robot import Link
    >>> assemble(Robot(name="stone", links=(Link(name="stone"),))).nq
    0
    """
    check_is_robot(robot)
    robot = with_base(robot, base)
    links = _index_by_name((link.name for link in robot.links), "links")
    joints = _index_by_name((joint.name for joint in robot.joints), "joints")
    names = Names(robot=robot.name, links=tuple(links), joints=tuple(joints), frames=_moving(robot))
    return Mechanism(robot=robot, names=names, tree=_tree(robot, links, joints))


def _tree(robot: Robot, links: dict[str, int], names: dict[str, int]) -> Tree:
    link_joints, parents = _parents(robot, links)
    order = _order(robot, parents)
    free = robot.base == "free"
    sizes = [BASE_SIZE if free else 0, *(KINDS[j.kind].nq for j in robot.joints)]
    speeds = [BASE_VELOCITY_SIZE if free else 0, *(KINDS[j.kind].nv for j in robot.joints)]
    idx_q, idx_v = np.cumsum(sizes, dtype=np.intp), np.cumsum(speeds, dtype=np.intp)
    nq, nv = int(idx_q[-1]), int(idx_v[-1])
    limits = list(chain.from_iterable(_limits(joint) for joint in robot.joints))
    bounds = np.array([*[(-np.inf, np.inf)] * sizes[0], *limits], np.float64).reshape(nq, 2)
    axes, second_axes = _axes(robot, order, link_joints)
    per_dof = np.zeros((5, nv))
    for joint, at in zip(robot.joints, idx_v.tolist(), strict=False):
        size, dynamics = KINDS[joint.kind].nv, joint.dynamics
        per_dof[1:3, at : at + size] = [[dynamics.damping], [dynamics.friction]]
        if KINDS[joint.kind].has_quaternion:  # MJCF gives it for all axes alike
            per_dof[0, at : at + size] = joint.actuator.axis_inertia or 0.0
        if KINDS[joint.kind].bounded:
            for dof in range(at, at + size):
                per_dof[0, dof] = joint.actuator.reflected_inertia
                per_dof[3:, dof] = dynamics.stiffness, dynamics.rest
    armature, damping, friction, stiffness, spring_rest = (_frozen(row.copy()) for row in per_dof)
    mass, com, inertia = _inertials(robot)
    origins = np.array([joint.origin.matrix() for joint in robot.joints]).reshape(-1, 4, 4)
    return Tree(
        nq=nq,
        nv=nv,
        free_base=free,
        base_pose=_frozen(np.eye(4) if free else np.array(robot.pose.matrix())),
        parents=_frozen(np.array(parents, np.intp)),
        link_joints=_frozen(np.array(link_joints, np.intp)),
        order=_frozen(np.array(order, np.intp)),
        kinds=tuple(joint.kind for joint in robot.joints),
        origins=_frozen(origins),
        axes=_frozen(axes),
        second_axes=_frozen(second_axes),
        leads=_frozen(np.array([joint.lead for joint in robot.joints])),
        idx_q=_frozen(idx_q[:-1].copy()),
        idx_v=_frozen(idx_v[:-1].copy()),
        lower=_frozen(bounds[:, 0].copy()),
        upper=_frozen(bounds[:, 1].copy()),
        initial=_frozen(np.array(_initial(robot), np.float64)),
        mass=_frozen(mass),
        com=_frozen(com),
        inertia=_frozen(inertia),
        gravity_compensation=_frozen(np.array([x.gravity_compensation for x in robot.links], np.float64)),
        armature=armature,
        damping=damping,
        friction=friction,
        stiffness=stiffness,
        spring_rest=spring_rest,
        couplings=tuple(_couplings(robot, names, idx_q)),
    )


def _inertials(robot: Robot) -> tuple[Floats, Floats, Floats]:
    """Mass (n,), center of mass (n, 3) and inertia (n, 3, 3) of the links, zero where missing.

    Only the symmetric part of an inertia is used.
    """
    count = len(robot.links)
    mass, com, inertia = np.zeros(count), np.zeros((count, 3)), np.zeros((count, 3, 3))
    for place, link in enumerate(robot.links):
        if link.inertial is not None:
            matrix = np.array(link.inertial.inertia)
            mass[place], com[place] = link.inertial.mass, link.inertial.com
            inertia[place] = matrix / 2.0 + matrix.T / 2.0
    return mass, com, inertia


def _moving(robot: Robot) -> tuple[Frame, ...]:
    """The frames without those on the surroundings, which no link carries."""
    links = {link.name for link in robot.links}
    return tuple(frame for frame in robot.frames if frame.link in links)


def _axes(robot: Robot, order: list[int], link_joints: list[int]) -> tuple[Floats, Floats]:
    """First and second unit axes of the joints, Z where there is none; AssembleError if one is missing."""
    first, second = ([_Z] * len(robot.joints) for _ in range(2))
    for number in (link_joints[link] for link in order if link_joints[link] >= 0):
        joint = robot.joints[number]
        if joint.missing:
            raise AssembleError(f"{joint.kind} joint {joint.name!r} has no {NEEDED[joint.missing]}")
        first[number] = _direction(joint, joint.axis)
        if joint.axis2 is not None and KINDS[joint.kind].axes == 2:
            second[number] = _direction(joint, joint.axis2)
    return np.array(first).reshape(-1, 3), np.array(second).reshape(-1, 3)


def _direction(joint: Joint, axis: Vector3) -> Vector3:
    """An axis as a unit vector; AssembleError for one of zero length if the joint moves along it."""
    direction = unit(axis)
    record = KINDS[joint.kind]
    if direction is None and record.axes and record.nv:
        raise AssembleError(f"joint {joint.name!r} has the axis {axis}, which has no direction")
    return direction or _Z


def _index_by_name(names: Iterable[str], word: str) -> dict[str, int]:
    """Map names to indices; AssembleError for duplicates."""
    places: dict[str, int] = {}
    for name in names:
        if name in places:
            raise AssembleError(f"two {word} are named {name!r}")
        places[name] = len(places)
    return places


def _parents(robot: Robot, links: dict[str, int]) -> tuple[list[int], list[int]]:
    """Index of the joint and of the parent link of each link; -1 for roots."""
    mover, parents = [-1] * len(links), [-1] * len(links)
    for number, joint in enumerate(robot.joints):
        for name, word in ((joint.parent, "parent"), (joint.child, "child")):
            if name not in links:
                raise AssembleError(
                    f"joint {joint.name!r} has an unknown {word} link {name!r}{suggestion(name, links)}"
                )
        child = links[joint.child]
        if mover[child] >= 0:
            first = robot.joints[mover[child]]
            raise AssembleError(
                f"link {joint.child!r} is the child of two joints: {first.name!r} and {joint.name!r}"
            )
        mover[child], parents[child] = number, links[joint.parent]
    return mover, parents


def _order(robot: Robot, parents: list[int]) -> list[int]:
    """Indices of all links in depth-first order, parents before children."""
    roots = [i for i, parent in enumerate(parents) if parent < 0]
    children: list[list[int]] = [[] for _ in parents]
    for link, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(link)
    order, waiting = list[int](), roots[::-1]
    while waiting:
        link = waiting.pop()
        order.append(link)
        waiting += reversed(children[link])
    if len(roots) == 1 and len(order) == len(parents):
        return order
    if len(roots) > 1:
        names = _listed(robot.links[i].name for i in roots)
        raise AssembleError(f"the links form {len(roots)} trees, not one; their roots are {names}")
    if not parents:
        raise AssembleError(f"{robot.name!r} has no links")
    # Every link has at most one parent, so links that the root does not reach descend from a cycle.
    reached = set(order)
    link = next(i for i in range(len(parents)) if i not in reached)
    cycle = _listed(robot.links[i].name for i in _cycle(parents, link))
    raise AssembleError(f"the links {cycle} form a cycle" + ("" if roots else "; no link is the root"))


def _cycle(parents: list[int], link: int) -> list[int]:
    """The cycle in which the chain of parents of ``link`` ends, parents first."""
    seen: dict[int, int] = {}
    while link not in seen:
        seen[link] = len(seen)
        link = parents[link]
    return list(seen)[seen[link] :][::-1]


def _limits(joint: Joint) -> list[tuple[float, float]]:
    record = KINDS[joint.kind]
    return [joint.limits.position if record.bounded else (-np.inf, np.inf)] * record.nq


def _initial(robot: Robot) -> Iterable[float]:
    """The initial positions (nq,); a joint that equal limits lock is where they hold it."""
    values = [*robot.pose.xyz, *robot.pose.quat] if robot.base == "free" else []
    for joint in robot.joints:
        size = KINDS[joint.kind].nq
        low = joint.limits.position[0]
        if joint.is_locked and math.isfinite(low):
            values += [low] * size
        elif size == 1:
            values.append(joint.initial)
        else:
            values += [0.0] * KINDS[joint.kind].scalars
            values += _UNIT_QUATERNION if KINDS[joint.kind].has_quaternion else ()
    return values


def _couplings(robot: Robot, names: dict[str, int], idx_q: Indices) -> Iterable[LinearCoupling]:
    """Convert couplings to indices of q, leaders first."""
    by_joint: dict[str, Coupling] = {}
    for coupling in robot.couplings:
        for name in (coupling.joint, coupling.leader):
            if name not in names:
                raise AssembleError(f"a coupling names an unknown joint {name!r}{suggestion(name, names)}")
            if KINDS[robot.joints[names[name]].kind].nq > 1:
                kind = robot.joints[names[name]].kind
                raise AssembleError(
                    f"joint {name!r} is a {kind} joint and cannot be coupled: it has several positions"
                )
        if coupling.joint in by_joint:
            first = by_joint[coupling.joint].leader
            raise AssembleError(
                f"joint {coupling.joint!r} follows two leaders: {first!r} and {coupling.leader!r}"
            )
        by_joint[coupling.joint] = coupling
    for coupling in _leaders_first(by_joint):
        joint, leader = names[coupling.joint], names[coupling.leader]
        # A fixed joint cannot follow; as a leader it is the constant 0.
        if KINDS[robot.joints[joint].kind].nq:
            lead = int(idx_q[leader]) if KINDS[robot.joints[leader].kind].nq else None
            yield LinearCoupling(int(idx_q[joint]), lead, coupling.ratio, coupling.offset)


def _leaders_first(couplings: dict[str, Coupling]) -> Iterable[Coupling]:
    done: set[str] = set()
    for first in couplings.values():
        path: dict[str, Coupling] = {}
        coupling: Coupling | None = first
        while coupling is not None and coupling.joint not in done:
            if coupling.joint in path:
                cycle = [*path][[*path].index(coupling.joint) :]
                raise AssembleError(f"the couplings of joints {_listed(cycle)} form a cycle")
            path[coupling.joint] = coupling
            coupling = couplings.get(coupling.leader)
        done.update(path)
        yield from reversed(path.values())


def _frozen(array: Any) -> Any:
    array.setflags(write=False)
    return array


def _listed(names: Iterable[str] | Sequence[str]) -> str:
    quoted = [repr(name) for name in names]
    return ", ".join([*quoted[:5], f"... ({len(quoted)} in all)"] if len(quoted) > 6 else quoted)
