"""Makes the world of a robot and obstacles: its parts, their names and the pairs that are tested."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeAlias, get_args

import numpy as np

from unibody.collision.geometry import CollisionError, MissingMesh, Part, moved, parts_of
from unibody.collision.pairs import Pair, bodies_of, check_pair, listed, own_pairs
from unibody.collision.world import World
from unibody.formats.left_out import left_out
from unibody.mechanism.assembly import assemble
from unibody.mechanism.mechanism import Mechanism
from unibody.meshes.cache import MeshCache
from unibody.model.base import WORLD
from unibody.model.left_out import LeftOut
from unibody.model.robot import Link, Robot, check_is_robot
from unibody.model.scene import Scene, merged
from unibody.model.shape import Shape

#: Which shapes of links are tested: their collision shapes, or MPK's ``model1`` or the visual shapes, where
#: a link has them.
Shapes: TypeAlias = Literal["collision", "secondary", "visual"]
Missing: TypeAlias = Literal["refuse", "skip"]


def construct(
    robot: Robot | Scene,
    pairs: Literal["file", "all", "none"] | Sequence[Pair],
    shapes: Shapes,
    missing: Missing,
    obstacles: Iterable[Robot | Shape] = (),
    skip: Iterable[Pair] = (),
    cache: MeshCache | None = None,
) -> World:
    """The world of :func:`unibody.collisions`; mesh files are read through ``cache``, if it is given."""
    if shapes not in get_args(Shapes):
        raise ValueError(f"shapes must be one of {', '.join(map(repr, get_args(Shapes)))}, got {shapes!r}")
    if missing not in ("refuse", "skip"):
        raise ValueError(f"missing must be 'refuse' or 'skip', got {missing!r}")
    obstacles, skip = listed(obstacles, "obstacles", "robots and shapes"), listed(skip, "skip", "pairs")
    if shapes != "collision":
        robot = _with_shapes(robot, shapes)
        obstacles = [_with_shapes(o, shapes) if isinstance(o, Robot) else o for o in obstacles]
    if isinstance(robot, Scene):
        robot = merged(robot)
    check_is_robot(robot)
    mechanism = assemble(robot)
    cache = MeshCache() if cache is None else cache
    known = len(cache.findings)
    lost: list[LeftOut] = []
    unread: list[LeftOut] = []
    read = partial(parts_of, cache=cache, lost=lost, left_out=unread)
    names, parts, links = list[str](), list[Part](), list[int | None]()
    for number, link in enumerate(robot.links):
        if link.collides:
            found = read(link.name, link.collisions)
            names += [link.name] * len(found)
            parts += found
            links += [number] * len(found)
    groups = _obstacles(obstacles, read, {*mechanism.link_names, *(x.name for x in robot.solids)})
    around = robot.surroundings
    if around is not None and around.collides:
        found = read(around.name, around.collisions)
        names += [around.name] * len(found)
        parts += found
        links += [None] * len(found)
    for group in groups.values():
        for name, found in group.items():
            names += [name] * len(found)
            parts += found
            links += [None] * len(found)
    if lost and missing == "refuse":
        raise MissingMesh(lost)
    unread += lost
    of_obstacle = {name: tuple(group) for name, group in groups.items()}
    skipped = _skipped(mechanism, of_obstacle, skip)
    tested = [*own_pairs(mechanism, pairs), *_with_obstacles(mechanism, of_obstacle)]
    tested = [pair for pair in tested if pair not in skipped]
    for each in (robot, *(each for each in obstacles if isinstance(each, Robot))):
        unread += left_out(each)
    return World(mechanism, names, parts, links, tested, tuple(cache.findings[known:]), obstacles, unread)


def _with_shapes(robot: Robot | Scene, shapes: Shapes) -> Any:
    """The robot with other shapes as the collision model of each link that has them."""
    if isinstance(robot, Scene):
        return replace(robot, robots=tuple(_with_shapes(each, shapes) for each in robot.robots))
    check_is_robot(robot)

    def changed(link: Link) -> Link:
        chosen = link.visuals if shapes == "visual" else link.collisions_alt
        return replace(link, collisions=chosen) if chosen else link

    return robot.with_solids(changed)


def _obstacles(
    obstacles: Iterable[Robot | Shape], read: Callable[..., list[Part]], taken: set[str]
) -> dict[str, dict[str, list[Part]]]:
    """The parts of each obstacle in the world, by its name and, for each link, the name that is tested."""
    out: dict[str, dict[str, list[Part]]] = {}
    for number, obstacle in enumerate(obstacles, 1):
        if isinstance(obstacle, Shape):
            name = obstacle.name or f"obstacle {number}"
            group = {name: read(name, [obstacle])}
        else:
            if not isinstance(obstacle, Robot | str | os.PathLike):
                more = "; a scene has its own in scene.robots" if isinstance(obstacle, Scene) else ""
                raise TypeError(f"an obstacle is a Robot or a Shape, not {type(obstacle).__name__}{more}")
            check_is_robot(obstacle)
            name = obstacle.name or f"obstacle {number}"
            placed = assemble(obstacle)
            poses = np.asarray(placed.forward_kinematics(placed.initial))
            frames = [*poses, np.eye(4)]  # the surroundings are in the frame of the world
            solid = [
                (frame, link)
                for frame, link in zip(frames, obstacle.solids, strict=False)
                if link.collides and link.collisions
            ]
            group = {}
            for frame, link in solid:
                own = name if len(solid) == 1 else f"{name}:{link.name}"
                group[own] = [moved(part, frame) for part in read(own, link.collisions)]
        twice = ({name, *group} & taken) or ({name} & out.keys())
        if twice:
            raise CollisionError(f"two links or obstacles are named {sorted(twice)[0]!r}; rename one")
        taken |= group.keys()
        out[name] = group
    return out


def _skipped(
    mechanism: Mechanism, obstacles: dict[str, tuple[str, ...]], skip: Iterable[Pair]
) -> set[Pair]:
    """The pairs of two links, or of a link and an obstacle, that are not tested, in both orders."""
    of_robot = [link.name for link in mechanism.robot.solids]
    known = [*of_robot, *obstacles, *(name for group in obstacles.values() for name in group)]
    found: set[Pair] = set()
    for pair in skip:
        first, second = check_pair(pair, known)
        for a in obstacles.get(first, (first,)):
            for b in obstacles.get(second, (second,)):
                found |= {(a, b), (b, a)}
    return found


def _with_obstacles(mechanism: Mechanism, obstacles: dict[str, tuple[str, ...]]) -> list[Pair]:
    """The pairs of links that move with all obstacles."""
    body_of = bodies_of(mechanism)
    moving = [
        link.name
        for link in mechanism.robot.links
        if link.collides and body_of[link.name] != body_of[WORLD]
    ]
    return [(link, name) for link in moving for group in obstacles.values() for name in group]
