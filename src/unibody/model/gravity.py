"""The gravity of the world that a robot stands in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import dist

from unibody.model.pose import Vector3
from unibody.model.robot import Robot

#: Standard gravity in m/s², along the world's -Z: where a file states none.
STANDARD: Vector3 = (0.0, 0.0, -9.80665)
#: How far the gravity of any place on earth, and 9.8, are from the standard one (m/s²).
PLACES = 0.06


def gravity_of(robot: Robot) -> Vector3:
    """The gravity (m/s²) of a robot in the axes of the world: that of its file, else the standard one.

    >>> from unibody.model.robot import Link
    >>> gravity_of(Robot(name="rover", links=(Link(name="body"),), gravity=(0.0, 0.0, -3.73)))
    (0.0, 0.0, -3.73)
    """
    return STANDARD if robot.gravity is None else robot.gravity


def is_earthly(gravity: Sequence[float]) -> bool:
    """Whether a gravity (m/s²) is that of some place on earth, along the world's -Z.

    >>> is_earthly((0.0, 0.0, -9.81)), is_earthly((0.0, 0.0, -1.62))
    (True, False)
    """
    return dist(gravity, STANDARD) <= PLACES


def common_gravity(robots: Iterable[Robot]) -> Vector3 | None:
    """The gravity (m/s²) of a world with some robots: what the first one states; None if none does.

    >>> from unibody.model.robot import Link
    >>> rover = Robot(name="rover", links=(Link(name="body"),), gravity=(0.0, 0.0, -3.73))
    >>> common_gravity([Robot(name="box", links=(Link(name="box"),)), rover])
    (0.0, 0.0, -3.73)
    """
    return next((robot.gravity for robot in robots if robot.gravity is not None), None)
