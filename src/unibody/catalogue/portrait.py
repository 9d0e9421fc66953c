"""What the picture of a robot shows: the robot without the floor that it stands on."""

from __future__ import annotations

from dataclasses import replace

from unibody.model.robot import Link, Robot
from unibody.model.shape import Plane, Shape


def portrait(robot: Robot) -> Robot:
    """A robot without its planes, beside which it would be too small to be seen.

    A robot without planes, or of nothing else, is returned as it is.
    """
    if not any(len(_kept(shapes)) < len(shapes) for link in robot.links for shapes in _shapes(link)):
        return robot
    links = [
        replace(link, visuals=_kept(link.visuals), collisions=_kept(link.collisions))
        for link in robot.links
    ]
    has_others = any(shapes for link in links for shapes in _shapes(link))
    return replace(robot, links=tuple(links)) if has_others else robot


def _shapes(link: Link) -> tuple[tuple[Shape, ...], tuple[Shape, ...]]:
    return link.visuals, link.collisions


def _kept(shapes: tuple[Shape, ...]) -> tuple[Shape, ...]:
    return tuple(shape for shape in shapes if not isinstance(shape.geometry, Plane))
