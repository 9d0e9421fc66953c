"""A robot as indices and arrays: the start of everything that computes with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from unibody.mechanism.arguments import BASE_SIZE, near
from unibody.mechanism.arrays import Indices
from unibody.mechanism.forward_kinematics import Move, make_plan
from unibody.mechanism.mechanism import Follower, Mechanism
from unibody.mechanism.tree import VELOCITY_SIZE
from unibody.model.needed import check_is_robot
from unibody.model.pose import unit
from unibody.model.robot import JOINT_SIZE, Coupling, Joint, Robot

#: Kinds of joints of which the model does not say enough to compute with them.
NOT_COMPUTED = ("screw", "universal")
_UNIT_QUATERNION = (1.0, 0.0, 0.0, 0.0)


class AssembleError(ValueError):
    """The robot's links and joints do not make one tree that can be computed with."""


def assemble(robot: Robot) -> Mechanism:
    """Indices and arrays of a robot; AssembleError when its links do not form one tree.

    >>> from unibody.model.robot import Link
    >>> assemble(Robot(name="stone", links=(Link(name="stone"),))).nq
    0
    """
    check_is_robot(robot)
    links = _numbered((link.name for link in robot.links), "links")
    names = _numbered((joint.name for joint in robot.joints), "joints")
    link_joints, parents = _tree(robot, links)
    order = _order(robot, parents)
    sizes = [BASE_SIZE if robot.base == "free" else 0, *(JOINT_SIZE[j.kind] for j in robot.joints)]
    offsets = np.cumsum(sizes)
    nq = int(offsets[-1])
    speeds = np.cumsum([6 if robot.base == "free" else 0, *(VELOCITY_SIZE[j.kind] for j in robot.joints)])
    limits = list(chain.from_iterable(_limits(joint) for joint in robot.joints))
    free = [(-np.inf, np.inf)] * sizes[0]
    bounds = np.array([*free, *limits], np.float64).reshape(nq, 2)
    with np.errstate(all="ignore"):  # numbers beyond all measure have findings
        plan = make_plan(len(links), nq, _moves(robot, order, parents, link_joints, offsets))
    return Mechanism(
        robot=robot,
        link_names=tuple(links),
        joint_names=tuple(names),
        nq=nq,
        nv=int(speeds[-1]),
        base=robot.base,
        parents=_frozen(np.array(parents, np.intp)),
        link_joints=_frozen(np.array(link_joints, np.intp)),
        order=_frozen(np.array(order, np.intp)),
        idx_q=_frozen(offsets[:-1].astype(np.intp)),
        idx_v=_frozen(speeds[:-1].astype(np.intp)),
        lower=_frozen(bounds[:, 0].copy()),
        upper=_frozen(bounds[:, 1].copy()),
        initial=_frozen(np.array(_initial(robot), np.float64)),
        couplings=robot.couplings,
        followers=tuple(_followers(robot, names, offsets)),
        plan=plan,
    )


def _numbered(names: Iterable[str], word: str) -> dict[str, int]:
    """Place by name, in order; names are unique in a valid model."""
    places: dict[str, int] = {}
    for name in names:
        if name in places:
            raise AssembleError(f"two {word} are named {name!r}")
        places[name] = len(places)
    return places


def _tree(robot: Robot, links: dict[str, int]) -> tuple[list[int], list[int]]:
    """Per link, the joint that moves it and its parent link; -1 where there is none."""
    mover, parents = [-1] * len(links), [-1] * len(links)
    for number, joint in enumerate(robot.joints):
        for name, word in ((joint.parent, "parent"), (joint.child, "child")):
            if name not in links:
                raise AssembleError(
                    f"joint {joint.name!r} has an unknown {word} link {name!r}{near(name, links)}"
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
    """All links, parents before children, each branch in one run."""
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
    # Every link has at most one parent, so whatever the root does not reach hangs on a cycle.
    reached = set(order)
    link = next(i for i in range(len(parents)) if i not in reached)
    cycle = _listed(robot.links[i].name for i in _cycle(parents, link))
    raise AssembleError(f"the links {cycle} form a cycle" + ("" if roots else "; no link is the root"))


def _cycle(parents: list[int], link: int) -> list[int]:
    """The cycle that the chain of parents from ``link`` ends in, parents first."""
    seen: dict[int, int] = {}
    while link not in seen:
        seen[link] = len(seen)
        link = parents[link]
    return list(seen)[seen[link] :][::-1]


def _limits(joint: Joint) -> list[tuple[float, float]]:
    size = JOINT_SIZE[joint.kind]
    return [joint.limits.position] if size == 1 else [(-np.inf, np.inf)] * size


def _initial(robot: Robot) -> Iterable[float]:
    values = [*robot.pose.xyz, *robot.pose.quat] if robot.base == "free" else []
    for joint in robot.joints:
        size = JOINT_SIZE[joint.kind]
        if size == 1:
            values.append(joint.initial)
        elif joint.kind in ("ball", "free"):
            values += [0.0] * (size - 4)
            values += _UNIT_QUATERNION
        else:
            values += [0.0] * size
    return values


def _moves(
    robot: Robot, order: list[int], parents: list[int], link_joints: list[int], offsets: Indices
) -> Iterable[Move]:
    for link in order:
        if link_joints[link] < 0:
            if robot.base == "free":
                yield Move(link, -1, "free", np.eye(4).tolist())
            else:
                yield Move(link, -1, "fixed", robot.pose.matrix())
            continue
        joint = robot.joints[link_joints[link]]
        if joint.kind in NOT_COMPUTED:
            lack = "pitch" if joint.kind == "screw" else "second axis"
            raise AssembleError(
                f"joint {joint.name!r} is a {joint.kind} joint, and the model carries no {lack}"
            )
        axis = unit(joint.axis)
        if axis is None and joint.kind in ("revolute", "prismatic", "planar"):
            raise AssembleError(f"joint {joint.name!r} has the axis {joint.axis}, which has no direction")
        entry = int(offsets[link_joints[link]])
        yield Move(link, parents[link], joint.kind, joint.origin.matrix(), axis or (0.0, 0.0, 1.0), entry)


def _followers(robot: Robot, names: dict[str, int], offsets: Indices) -> Iterable[Follower]:
    """The couplings as entries of q, leaders first."""
    by_joint: dict[str, Coupling] = {}
    for coupling in robot.couplings:
        for name in (coupling.joint, coupling.leader):
            if name not in names:
                raise AssembleError(f"a coupling names an unknown joint {name!r}{near(name, names)}")
            if JOINT_SIZE[robot.joints[names[name]].kind] > 1:
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
        # A fixed joint stays where it is, and counts as a leader at 0.
        if JOINT_SIZE[robot.joints[joint].kind]:
            lead = int(offsets[leader]) if JOINT_SIZE[robot.joints[leader].kind] else None
            yield Follower(int(offsets[joint]), lead, coupling.ratio, coupling.offset)


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
