"""Rounds numbers to the shortest decimals within a tolerance."""

from __future__ import annotations

import math

from unibody.model.pose import UNIT_QUATERNION, Pose, Quaternion, Vector3
from unibody.text.number import shortest_near

# Angles of a quaternion have an error of a few 1e-15; comparisons allow a thousand times that.
_SLACK = 1e-15
# The error of a few operations on lengths in meters, or on parts of directions.
_NOISE = 2e-16


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


def steady(value: float) -> float:
    """A length, or a part of a direction, without the noise of rounding: whole picometers, if near.

    All other values keep their digits, unlike those of :func:`tidy`.

    >>> steady(0.30000000000000004), steady(-1e-17), steady(0.7853981633974483)
    (0.3, 0.0, 0.7853981633974483)
    """
    near = round(value, 12) + 0.0
    return near if abs(near - value) <= _NOISE * (1.0 + abs(value)) else value


def steady_vector(vector: Vector3) -> Vector3:
    """A vector without the noise of rounding."""
    x, y, z = vector
    return (steady(x), steady(y), steady(z))


def steady_quaternion(quat: Quaternion) -> Quaternion:
    """A quaternion of length 1 without the noise of rounding.

    >>> steady_quaternion((0.5000000000000001, 0.5000000000000001, -0.5000000000000001, 0.5000000000000001))
    (0.5, 0.5, -0.5, 0.5)
    """
    length = math.hypot(*quat)
    w, x, y, z = (steady(part / length) for part in quat) if length > 0.0 else quat
    return UNIT_QUATERNION if (w, x, y, z) == (-1.0, 0.0, 0.0, 0.0) else (w, x, y, z)


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
