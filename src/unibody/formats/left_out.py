"""What the vendor data of a robot say that its model has no field for, by the format that knows them."""

from __future__ import annotations

from unibody.formats import FORMATS
from unibody.model.left_out import LeftOut
from unibody.model.robot import Robot


def left_out(robot: Robot) -> list[LeftOut]:
    """What could touch, hold or weigh something and is in the vendor data only.

    >>> left_out(Robot(name="stone"))
    []
    """
    used = {extra.format for extra in robot.extras}
    found: list[LeftOut] = []
    for format in FORMATS:
        if format.left_out is not None and format.name in used:
            found += format.left_out()(robot)
    return found
