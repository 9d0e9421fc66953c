"""The surroundings of a robot in formats whose robots have links only."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from unibody.model.base import WORLD
from unibody.model.changes.joints import free_name
from unibody.model.collision import PairRules, links_tested_with_world
from unibody.model.device import Device
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Frame, Joint, Link, Robot
from unibody.model.shape import Shape

_Posed = TypeVar("_Posed", Shape, Device, Frame)

#: The name of the joint that holds a robot on its surroundings.
HOLDER = "world_fixed"


def rooted(robot: Robot, holder: str = HOLDER) -> Robot:
    """The robot with a fixed base on a new root link ``world``, which has the surroundings.

    Positions q stay the same. ``holder`` is the name of the fixed joint between the old root and the new.

    >>> arm = Robot(name="arm", links=(Link(name="foot"),), surroundings=Link(name="world"))
    >>> [(joint.parent, joint.child) for joint in rooted(arm).joints]
    [('world', 'foot')]
    """
    name = free_name(holder, [joint.name for joint in robot.joints])
    first = Joint(name=name, kind="fixed", parent=WORLD, child=robot.root, origin=robot.pose)
    made = replace(
        robot,
        links=(robot.surroundings or Link(name=WORLD), *robot.links),
        joints=(first, *robot.joints),
        base="fixed",
        pose=IDENTITY,
        surroundings=None,
    )
    # a link that a joint connects to the old root is adjacent to the new one
    rules = PairRules(made)
    lost = ((WORLD, x) for x in links_tested_with_world(robot) if not rules.are_tested(WORLD, x))
    pairs = robot.self_collision
    return replace(made, self_collision=replace(pairs, enabled=(*pairs.enabled, *lost)))


def is_world(robot: Robot) -> bool:
    """Whether the root link is the world: it has its name and nothing on it, and is not all there is.

    >>> is_world(Robot(name="arm", links=(Link(name="world"),)))
    False
    """
    if robot.root != WORLD or robot.base == "free" or len(robot.links) == 1:
        return False
    return not has_content(robot, WORLD)


def has_content(robot: Robot, name: str) -> bool:
    """Whether a link has a mass, shapes, or something on it."""
    link = robot.link(name)
    if link.inertial is not None or link.visuals or link.collisions or link.collisions_alt:
        return True
    on: list[Device | Frame] = [*robot.devices, *robot.frames]
    return any(item.link == name for item in on)


def with_root(robot: Robot) -> Robot:
    """The robot as :func:`rooted` where it has surroundings and a fixed base, else without surroundings."""
    if robot.surroundings is None:
        return robot
    return rooted(robot) if robot.base == "fixed" else without_surroundings(robot)


def without_surroundings(robot: Robot) -> Robot:
    """The robot without its surroundings and what is on them: devices, frames, pairs of links."""
    if robot.surroundings is None:
        return robot
    rules = robot.self_collision
    return replace(
        robot,
        surroundings=None,
        devices=tuple(x for x in robot.devices if x.link != WORLD),
        frames=tuple(x for x in robot.frames if x.link != WORLD),
        self_collision=replace(
            rules,
            enabled=tuple(pair for pair in rules.enabled if WORLD not in pair),
            disabled=tuple(pair for pair in rules.disabled if WORLD not in pair),
        ),
    )


def placed(robot: Robot, place: Pose) -> Robot:
    """The robot and its surroundings, moved in the world by a pose.

    >>> arm = Robot(name="arm", links=(Link(name="foot"),), pose=Pose((0.0, 0.0, 1.0)))
    >>> placed(arm, Pose((2.0, 0.0, 0.0))).pose.xyz
    (2.0, 0.0, 1.0)
    """
    moved = replace(robot, pose=place @ robot.pose)
    around = robot.surroundings
    if around is None:
        return moved

    def each(items: tuple[_Posed, ...]) -> tuple[_Posed, ...]:
        return tuple(replace(item, pose=place @ item.pose) for item in items)

    return replace(
        moved,
        surroundings=replace(
            around,
            visuals=each(around.visuals),
            collisions=each(around.collisions),
            collisions_alt=each(around.collisions_alt),
        ),
        devices=tuple(each((x,))[0] if x.link == WORLD else x for x in robot.devices),
        frames=tuple(each((x,))[0] if x.link == WORLD else x for x in robot.frames),
    )
