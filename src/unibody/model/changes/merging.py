"""Merges links that fixed joints hold together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from unibody.model.base import WORLD
from unibody.model.inertia import compose, placed
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Frame, Group, Joint, Link, Loop, Robot, SelfCollision
from unibody.model.shape import Shape
from unibody.model.traverse import path_of

_Posed = TypeVar("_Posed", bound=Any)
_Places = Mapping[str, tuple[str, Pose]]


def fixed_merged(robot: Robot) -> Robot:
    """The robot whose links that fixed joints hold are parts of the links that they are fixed to.

    Masses, shapes, devices, frames and loops move to the first link of each rigid body; the frame of a link
    that is gone stays as a frame with its name. What is fixed to a root link called world stays a link, and
    so does what gravity pulls by another share than the link that it is fixed to. Vendor data of links and
    joints that are gone are left out.

    >>> from unibody.model.robot import Joint
    >>> hold = Joint(name="hold", kind="fixed", parent="arm", child="tool", origin=Pose((0.0, 0.0, 1.0)))
    >>> made = fixed_merged(Robot(name="r", links=(Link(name="arm"), Link(name="tool")), joints=(hold,)))
    >>> [link.name for link in made.links], [(x.name, x.link, x.pose.xyz) for x in made.frames]
    (['arm'], [('tool', 'arm', (0.0, 0.0, 1.0))])
    """
    links = {link.name: link for link in robot.links}
    gone = {
        j.child: j
        for j in robot.joints
        if j.kind == "fixed" and j.parent != WORLD and _falls_alike(links[j.child], links[j.parent])
    }
    if not gone:
        return robot
    places = _places(robot, gone)
    parts: dict[str, list[tuple[Link, Pose]]] = {}
    for link in robot.links:
        top, pose = places[link.name]
        parts.setdefault(top, []).append((link, pose))
    taken = {frame.name for frame in robot.frames}
    added = [
        Frame(name=name, link=places[name][0], pose=places[name][1]) for name in gone if name not in taken
    ]
    lost = {path_of("links", name) for name in gone} | {path_of("joints", j.name) for j in gone.values()}
    held = {joint.name for joint in gone.values()}
    return replace(
        robot,
        links=tuple(_whole(parts[link.name]) for link in robot.links if link.name not in gone),
        joints=tuple(_joint(joint, places) for joint in robot.joints if joint.name not in held),
        loops=tuple(_loop(loop, places) for loop in robot.loops),
        devices=tuple(_moved(device, places) for device in robot.devices),
        frames=(*(_moved(frame, places) for frame in robot.frames), *added),
        groups=tuple(_group(group, places, held) for group in robot.groups),
        self_collision=_pairs(robot.self_collision, places),
        extras=tuple(extra for extra in robot.extras if extra.owner not in lost),
    )


def _falls_alike(link: Link, other: Link) -> bool:
    """Whether gravity pulls a link by the same share as another one."""
    return link.inertial is None or link.gravity_compensation == other.gravity_compensation


def _places(robot: Robot, gone: Mapping[str, Joint]) -> _Places:
    """The link that each link becomes a part of, itself if it stays, and its pose there."""
    out: dict[str, tuple[str, Pose]] = {}
    for link in robot.links:
        chain: list[Joint] = []
        name = link.name
        while name not in out and name in gone:
            chain.append(gone[name])
            name = gone[name].parent
        top, pose = out.setdefault(name, (name, IDENTITY))
        for joint in reversed(chain):
            pose = pose @ joint.origin
            out[joint.child] = (top, pose)
    return out


def _whole(parts: list[tuple[Link, Pose]]) -> Link:
    """A link with all that others add to it; each comes with its pose in the link."""
    first = parts[0][0] if parts[0][1] is IDENTITY else next(x for x, pose in parts if pose is IDENTITY)
    if len(parts) == 1:
        return first
    masses = [placed(x.inertial, pose) for x, pose in parts if x.inertial is not None]
    solid = [(x, pose) for x, pose in parts if x.collides]
    return replace(
        first,
        inertial=compose(masses) if masses else None,
        visuals=tuple(_shape(s, pose) for x, pose in parts for s in x.visuals),
        collisions=tuple(_shape(s, pose) for x, pose in solid or parts for s in x.collisions),
        collisions_alt=tuple(_shape(s, pose) for x, pose in parts for s in x.collisions_alt),
        collides=bool(solid),
    )


def _shape(shape: Shape, pose: Pose) -> Shape:
    return replace(shape, pose=pose @ shape.pose)


def _joint(joint: Joint, places: _Places) -> Joint:
    top, pose = places[joint.parent]
    return joint if top == joint.parent else replace(joint, parent=top, origin=pose @ joint.origin)


def _loop(loop: Loop, places: _Places) -> Loop:
    (a, at_a), (b, at_b) = (places.get(x, (x, IDENTITY)) for x in (loop.link_a, loop.link_b))
    if (a, b) == (loop.link_a, loop.link_b):
        return loop
    turned = Pose(quat=at_a.quat).apply(loop.axis)
    return replace(
        loop, link_a=a, link_b=b, pose_a=at_a @ loop.pose_a, pose_b=at_b @ loop.pose_b, axis=turned
    )


def _moved(item: _Posed, places: _Places) -> _Posed:
    top, pose = places.get(item.link, (item.link, IDENTITY))
    return item if top == item.link else replace(item, link=top, pose=pose @ item.pose)


def _group(group: Group, places: _Places, held: set[str]) -> Group:
    members = tuple(
        _group(x, places, held) if isinstance(x, Group) else places.get(x, (x, IDENTITY))[0]
        for x in group.members
    )
    chains = tuple(
        replace(
            x,
            base_link=places.get(x.base_link, (x.base_link, IDENTITY))[0],
            tip_link=places.get(x.tip_link, (x.tip_link, IDENTITY))[0],
        )
        for x in group.chains
    )
    return replace(
        group,
        members=tuple(dict.fromkeys(members)) if all(isinstance(x, str) for x in members) else members,
        joint_members=tuple(x for x in group.joint_members if x not in held),
        chains=chains,
    )


def _pairs(rules: SelfCollision, places: _Places) -> SelfCollision:
    def each(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        out: dict[tuple[str, str], None] = {}
        for a, b in pairs:
            first, second = (places.get(x, (x, IDENTITY))[0] for x in (a, b))
            if first != second and (second, first) not in out:
                out[first, second] = None
        return tuple(out)

    return replace(rules, enabled=each(rules.enabled), disabled=each(rules.disabled))
