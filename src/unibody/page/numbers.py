"""Numbers of a model as JSON can hold them: finite ones, or null where there is none."""

from __future__ import annotations

import math
from collections.abc import Iterable

from unibody.model.pose import Pose


def finite(value: float) -> float:
    """The number itself, or 0 for one that JSON and screens cannot show."""
    return float(value) if math.isfinite(value) else 0.0


def finites(values: Iterable[float]) -> list[float]:
    """Numbers that can be shown."""
    return [finite(v) for v in values]


def bound(value: float) -> float | None:
    """A limit; None where there is none.

    >>> bound(1.5), bound(math.inf)
    (1.5, None)
    """
    return float(value) if math.isfinite(value) else None


def pose_numbers(pose: Pose) -> list[float]:
    """Position x, y, z and quaternion w, x, y, z."""
    return finites((*pose.xyz, *pose.quat))
