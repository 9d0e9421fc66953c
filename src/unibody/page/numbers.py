"""Converts numbers of the model for JSON: finite numbers, or null."""

from __future__ import annotations

import math
from collections.abc import Iterable

from unibody.model.pose import Pose


def finite(value: float) -> float:
    """The number, or 0 if it is not finite."""
    return float(value) if math.isfinite(value) else 0.0


def finites(values: Iterable[float]) -> list[float]:
    """The numbers, with 0 for those that are not finite."""
    return [finite(v) for v in values]


def bound(value: float) -> float | None:
    """A limit; None if it is infinite.

    >>> bound(1.5), bound(math.inf)
    (1.5, None)
    """
    return float(value) if math.isfinite(value) else None


def pose_numbers(pose: Pose) -> list[float]:
    """Position x, y, z and quaternion w, x, y, z."""
    return finites((*pose.xyz, *pose.quat))
