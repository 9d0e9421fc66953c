"""Moves a robot in the world, with what the formats keep of it there."""

from __future__ import annotations

from unibody.formats import FORMATS
from unibody.model.changes.surroundings import placed as placed_model
from unibody.model.pose import Pose
from unibody.model.robot import Robot


def placed(robot: Robot, place: Pose) -> Robot:
    """The robot, its surroundings, and the poses in the world of its vendor data, moved by a pose.

    >>> placed(Robot(name="stone"), Pose((2.0, 0.0, 0.0))).pose.xyz
    (2.0, 0.0, 0.0)
    """
    used = {extra.format for extra in robot.extras}
    for format in FORMATS:
        if format.placed is not None and format.name in used:
            robot = format.placed()(robot, place)
    return placed_model(robot, place)
