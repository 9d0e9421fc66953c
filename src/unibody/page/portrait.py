"""What the picture of a robot shows: the robot without the floor that it stands on."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

import numpy as np

from unibody.files.access import Files
from unibody.mechanism import assemble
from unibody.meshes import MeshCache
from unibody.meshes.cache import placed_surfaces
from unibody.model.arrays import Floats
from unibody.model.base import WORLD
from unibody.model.robot import Link, Robot
from unibody.model.shape import Plane, Shape
from unibody.model.traverse import links_below
from unibody.page.robot import computable
from unibody.text.finding import Findings

#: A shape is flat if it is thinner than this part of its width, and a floor if it is so many times as large
#: as all that it carries: a table stays.
_THIN, _LARGE = 0.1, 3.5


def portrait(robot: Robot, files: Files | None = None) -> Robot:
    """A robot without its planes and floors, beside which it would be too small to be seen.

    Floors are flat shapes that nothing moves and that are far larger than all other shapes; ``files`` reads
    their meshes. A robot without floors, or of nothing else, is returned as it is. AssembleError when its
    links do not make one tree.
    """
    found = _without(robot, lambda shape: isinstance(shape.geometry, Plane))
    floors = _floors(found, files)
    return _without(found, lambda shape: id(shape) in floors) if floors else found


def _without(robot: Robot, is_gone: Callable[[Shape], bool]) -> Robot:
    """A robot without some of its shapes; as it is without such, or if nothing would be left."""

    def kept(shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
        return tuple(shape for shape in shapes if not is_gone(shape))

    if not any(map(is_gone, _shapes(robot.solids))):
        return robot
    left = robot.with_solids(
        lambda link: replace(link, visuals=kept(link.visuals), collisions=kept(link.collisions))
    )
    return left if _shapes(left.solids) else robot


def _shapes(links: Collection[Link]) -> list[Shape]:
    return [shape for link in links for shape in (*link.visuals, *link.collisions)]


def _floors(robot: Robot, files: Files | None) -> set[int]:
    """The identities of the floors among the shapes."""
    moving = _moving(robot)
    solids = [link for link in robot.solids if _shapes([link])]
    still = [link for link in solids if link.name not in moving]
    others = [link for link in solids if link.name in moving]
    if not still or not others:
        return set()
    mechanism = assemble(computable(robot))
    placed = np.asarray(mechanism.forward_kinematics(mechanism.initial))
    poses = {WORLD: np.eye(4), **dict(zip(mechanism.link_names, placed, strict=True))}
    cache = MeshCache(files, Findings())
    sized = [
        (box, id(shape))
        for link in still
        for shape in _shapes([link])
        if (box := _box(shape, poses[link.name], cache)) is not None
    ]
    flat = [(box, name) for box, name in sized if _is_flat(box)]
    if not flat:
        return set()
    rest = [box for box, _ in sized if not _is_flat(box)]
    for link in others:
        rest += [box for s in _shapes([link]) if (box := _box(s, poses[link.name], cache)) is not None]
    floors: set[int] = set()
    # the smallest first: one floor may lie on another
    for box, name in sorted(flat, key=lambda each: _size(each[0])):
        if rest and _size(box) > _LARGE * _size(_union(rest)):
            floors.add(name)
        else:
            rest.append(box)
    return floors


def _moving(robot: Robot) -> set[str]:
    """The names of the links that move: all of a robot with a free base."""
    if robot.base != "fixed":
        return {link.name for link in robot.links}
    moving = (joint.child for joint in robot.joints if joint.kind != "fixed")
    return links_below(moving, robot.joints)


def _box(shape: Shape, pose: Floats, cache: MeshCache) -> Floats | None:
    """The least and largest coordinates (2, 3) of a shape of a link at ``pose``; None without surfaces."""
    points = [np.asarray(surface.vertices).reshape(-1, 3) for surface in placed_surfaces(shape, cache)]
    rows = np.concatenate([np.zeros((0, 3)), *points]) @ pose[:3, :3].T + pose[:3, 3]
    rows = rows[np.isfinite(rows).all(axis=1)]
    return np.array([rows.min(axis=0), rows.max(axis=0)]) if len(rows) else None


def _union(boxes: list[Floats]) -> Floats:
    stack = np.array(boxes)
    return np.array([stack[:, 0].min(axis=0), stack[:, 1].max(axis=0)])


def _size(box: Floats) -> float:
    return float(np.linalg.norm(box[1] - box[0]))


def _is_flat(box: Floats) -> bool:
    least, middle, _ = sorted((box[1] - box[0]).tolist())
    return bool(least <= _THIN * middle)
