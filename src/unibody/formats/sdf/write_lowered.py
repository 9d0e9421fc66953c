"""Lowers a robot to what SDF has: its joints, its shapes, masses, and no link that is the world."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

from unibody.formats.sdf.frames import in_world
from unibody.formats.sdf.surroundings import AROUND
from unibody.formats.sdf.write_joints import JOINT_KINDS, LOOP_TYPES
from unibody.formats.sdf.write_versions import CAPSULES, DEFAULT, Version
from unibody.model import shape as s
from unibody.model.base import WORLD, stated_base
from unibody.model.changes.joints import free_name, split_joints
from unibody.model.changes.shapes import (
    Step,
    baked,
    capsules_split,
    ellipsoids_as_spheres,
    planes_as_squares,
    upright,
    with_shapes,
)
from unibody.model.changes.surroundings import has_content, is_world, rooted
from unibody.model.inertia import Inertial
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Link, Robot

#: What a link without mass is written with: kg and kg·m².
LEAST_MASS, LEAST_INERTIA = 1e-5, 1e-8


def changes(robot: Robot, version: Version = DEFAULT) -> Robot:
    """Lower a robot to the joints and shapes of a version, with a mass for each link."""
    out = on_world(robot)
    top = out.root if is_world(out) else None
    held = _only_in_loops(out, top)
    free = [j.name for j in out.joints if j.kind == "free" and j.parent == top and j.child not in held]
    vague = {j.name for j in out.joints if j.missing}
    out = split_joints(out, JOINT_KINDS - {"universal", "screw"}, free + _whole(out, vague))
    out = with_shapes(out, partial(_each, steps=_steps(version)))
    out = out.with_solids(_with_flat_planes)
    return _with_masses(out, top)


def _only_in_loops(robot: Robot, top: str | None) -> set[str]:
    """The free links that are children of loops, whose joint would be read as the one that moves them.

    Their free joint is a chain, so that the joint of the loop is a further one.
    """
    moved = {j.child for j in robot.joints if (j.kind, j.parent) != ("free", top)}
    out: set[str] = set()
    for loop in robot.loops:
        if loop.holds in LOOP_TYPES and moved.isdisjoint((loop.link_a, loop.link_b)):
            child = loop.link_a if loop.link_b == top else loop.link_b
            moved.add(child)
            out.add(child)
    return out


def _whole(robot: Robot, vague: set[str]) -> list[str]:
    """The joints with two axes or a thread that say all of their motion."""
    return [j.name for j in robot.joints if j.kind in ("universal", "screw") and j.name not in vague]


def _steps(version: Version) -> tuple[Step, ...]:
    older: tuple[Step, ...] = (ellipsoids_as_spheres, capsules_split) if version < CAPSULES else ()
    return (upright, baked, *older)


def _each(shape: s.Shape, steps: tuple[Step, ...]) -> tuple[s.Shape, ...]:
    out: tuple[s.Shape, ...] = (shape,)
    for step in steps:
        out = tuple(new for old in out for new in step(old))
    return out


def _with_flat_planes(link: Link) -> Link:
    """A link whose planes with an end are squares where they collide: Gazebo's have none."""

    def square(shape: s.Shape) -> s.Shape:
        plane = shape.geometry
        is_finite = isinstance(plane, s.Plane) and plane.half_size is not None
        return planes_as_squares(shape)[0] if is_finite else shape

    made = tuple(map(square, link.collisions))
    return link if made == link.collisions else replace(link, collisions=made)


def is_static(robot: Robot) -> bool:
    """Whether nothing of a robot moves, and it is not on a link that is the world, or beside others."""
    if robot.base != "fixed" or is_world(robot) or robot.loops or robot.surroundings is not None:
        return False
    return all(KINDS[joint.kind].nv == 0 for joint in robot.joints)


def stands(robot: Robot) -> bool:
    """Whether a robot on a link that is the world is a static model of several links."""
    if not is_world(robot) or robot.loops or robot.surroundings is not None:
        return False
    return all(
        (joint.kind, joint.parent, joint.name) == ("fixed", WORLD, in_world(joint.child))
        for joint in robot.joints
    )


def on_world(robot: Robot) -> Robot:
    """A robot with a fixed base on a root link that is the world, unless nothing of it moves.

    What the world has on it is beside the robot, as surroundings that are called by another name.
    """
    if len(robot.links) > 1 and robot.root == WORLD and stated_base(robot, "free") == "fixed":
        if not has_content(robot, WORLD):
            return robot
        around = robot.link(WORLD)
        bare = tuple(Link(name=WORLD) if link is around else link for link in robot.links)
        return _called(replace(robot, links=bare, surroundings=around))
    if robot.surroundings is not None:
        robot = _called(robot)
    if robot.base != "fixed" or is_static(robot):
        return robot
    return replace(rooted(replace(robot, surroundings=None)), surroundings=robot.surroundings)


def _called(robot: Robot) -> Robot:
    """The robot whose surroundings, and what is on them, have a name that no link has."""
    assert robot.surroundings is not None
    name = free_name(AROUND, [link.name for link in robot.links])

    def moved(items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(replace(x, link=name) if x.link == WORLD else x for x in items)

    def pairs(given: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
        return tuple(tuple(name if x == WORLD else x for x in pair) for pair in given)  # type: ignore[misc]

    rules = robot.self_collision
    return replace(
        robot,
        surroundings=replace(robot.surroundings, name=name),
        devices=moved(robot.devices),
        frames=moved(robot.frames),
        self_collision=replace(rules, enabled=pairs(rules.enabled), disabled=pairs(rules.disabled)),
    )


def _with_masses(robot: Robot, top: str | None) -> Robot:
    """The robot with the least mass for each link that has none: without, Gazebo gives it 1 kg."""
    least = LEAST_INERTIA
    tensor = ((least, 0.0, 0.0), (0.0, least, 0.0), (0.0, 0.0, least))
    light = Inertial(mass=LEAST_MASS, inertia=tensor)

    def heavy(link: Link) -> Link:
        has_mass = link.inertial is not None and link.inertial.mass > 0.0
        return link if has_mass or link.name == top else replace(link, inertial=light)

    return replace(robot, links=tuple(map(heavy, robot.links)))
