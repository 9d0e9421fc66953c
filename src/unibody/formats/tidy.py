"""Rounds numbers to the shortest decimals within a tolerance."""

from __future__ import annotations

import math

from unibody.model.pose import UNIT_QUATERNION, Pose, Quaternion
from unibody.text.number import shortest_near

# Angles of a quaternion have an error of a few 1e-15; comparisons allow a thousand times that.
_SLACK = 1e-15


def tidy(value: float, slack: float = _SLACK) -> float:
    """The shortest decimal within ``slack``·(1 + |value|).

    >>> tidy(0.30000000000000004), tidy(-1e-17)
    (0.3, 0.0)
    """
    if not math.isfinite(value) or value.is_integer():
        return value + 0.0
    room = slack * (1.0 + abs(value))
    if abs(value) <= room:
        return 0.0
    for digits in range(1, 17):
        near = float(f"{value:.{digits}g}")
        if abs(near - value) <= room:
            return near
    return value


def degrees(angle: float) -> float:
    """An angle in radians as the shortest decimal of degrees that reads back within 2 ulp.

    >>> degrees(math.pi / 6)
    30.0
    """
    return float(shortest_near(math.degrees(angle)))


def axis_angle(quat: Quaternion) -> tuple[float, float, float, float] | None:
    """A rotation as axis and angle in degrees, None for the identity.

    >>> axis_angle((0.5, 0.5, 0.5, 0.5))
    (0.577350269189626, 0.577350269189626, 0.577350269189626, 120.0)
    """
    if quat in (UNIT_QUATERNION, (-1.0, 0.0, 0.0, 0.0)):
        return None
    x, y, z, angle = Pose(quat=quat).axis_angle()
    turn = tidy(math.degrees(angle), 6e-15)
    return None if turn == 0.0 else (tidy(x), tidy(y), tidy(z), turn)


def rpy(quat: Quaternion) -> tuple[float, float, float]:
    """A rotation as roll, pitch and yaw in radians.

    >>> rpy((math.cos(0.05), 0.0, 0.0, math.sin(0.05)))
    (0.0, 0.0, 0.1)
    """
    roll, pitch, yaw = Pose(quat=quat).rpy()
    return tidy(roll), tidy(pitch), tidy(yaw)
