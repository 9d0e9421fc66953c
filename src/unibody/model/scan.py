"""The directions that a range sensor samples, as angles."""

from __future__ import annotations

import math

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.device import RangeSensor

# A sample is not lost to the rounding of range / step (facts, simulation 8).
_ROUNDING = 1e-7


def sample_count(low: float, high: float, step: float) -> int:
    """The number of samples in one direction.

    >>> sample_count(-0.5, 0.5, 0.25)
    5
    """
    ratio = (high - low) / step if step > 0.0 else 0.0
    return max(1, math.floor(ratio + _ROUNDING) + 1) if math.isfinite(ratio) else 1


def sample_angles(low: float, high: float, step: float) -> Floats:
    """The angles of the samples in one direction, ascending.

    >>> sample_angles(-0.5, 0.5, 0.25)
    array([-0.5 , -0.25,  0.  ,  0.25,  0.5 ])
    """
    return np.asarray(low + step * np.arange(sample_count(low, high, step)), np.float64)


def ray_count(sensor: RangeSensor) -> int:
    """The number of rays of a sensor.

    >>> ray_count(RangeSensor(min_yaw=-0.5, max_yaw=0.5, yaw_step=0.25))
    5
    """
    yaws = sample_count(sensor.min_yaw, sensor.max_yaw, sensor.yaw_step)
    return yaws * sample_count(sensor.min_pitch, sensor.max_pitch, sensor.pitch_step)


def ray_angles(sensor: RangeSensor) -> tuple[Floats, Floats]:
    """Yaw (n,) and pitch (n,) of the rays of a sensor: pitch outer, yaw inner, both ascending.

    >>> ray_angles(RangeSensor(min_yaw=-0.5, max_yaw=0.5, yaw_step=0.5))
    (array([-0.5,  0. ,  0.5]), array([0., 0., 0.]))
    """
    yaw = sample_angles(sensor.min_yaw, sensor.max_yaw, sensor.yaw_step)
    pitch = sample_angles(sensor.min_pitch, sensor.max_pitch, sensor.pitch_step)
    tilt, turn = np.meshgrid(pitch, yaw, indexing="ij")
    return turn.ravel(), tilt.ravel()
