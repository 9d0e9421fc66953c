"""Checks joint offsets against the size of the robot."""

from __future__ import annotations

import math

from unibody.checks.shapes import LinkShapes
from unibody.model.robot import Robot
from unibody.model.traverse import path_of
from unibody.text.finding import Findings

_FAR = 2.0
_TIMES_OTHERS, _TIMES_USUAL, _TIMES_SHAPES = 2.0, 15.0, 10.0


def check_offsets(robot: Robot, shapes: list[LinkShapes], findings: Findings) -> None:
    """Warn of each joint whose offset from its parent exceeds all other sizes of the robot."""
    offsets = [math.hypot(*joint.origin.xyz) for joint in robot.joints]
    moving = [d for d in offsets if d > 0.0]
    if len(moving) <= 2 or not any(d > _FAR for d in moving):
        return
    from statistics import median

    total, usual = sum(offsets), median(moving)
    largest = max((d.diagonal for one in shapes for d in one.drawn), default=0.0)
    for joint, distance in zip(robot.joints, offsets, strict=True):
        if (
            distance > _FAR
            and distance > _TIMES_OTHERS * (total - distance)
            and distance > _TIMES_USUAL * usual
            and distance > _TIMES_SHAPES * largest
        ):
            findings.warning(
                "joint-far",
                f"joint '{joint.name}' is {distance:.4g} m from its parent's frame; the distances of all "
                f"others add up to {total - distance:.3g} m",
                joint.at,
                "look for a decimal point, or for millimeters",
                subject=path_of("joints", joint.name),
            )
