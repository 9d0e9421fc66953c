"""Range sensors: distances along batched rays, which see the shapes that are drawn."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.device import RangeSensor
from unibody.model.scan import ray_angles

#: The engine's groups of geoms that are drawn; those above hold collision shapes.
DRAWN = np.array([1, 1, 1, 0, 0, 0], np.uint8)


@lru_cache(maxsize=64)
def ray_directions(sensor: RangeSensor) -> Floats:
    """Unit vectors (n, 3) of a sensor's rays in its own frame: pitch outer, yaw inner, both ascending.

    The sensor faces -Z with Y up; a positive yaw turns left, a positive pitch up.
    """
    turn, tilt = ray_angles(sensor)
    out = np.stack([-np.sin(turn) * np.cos(tilt), np.sin(tilt), -np.cos(turn) * np.cos(tilt)], axis=1)
    out.setflags(write=False)
    return out


def distances(model: Any, data: Any, pose: Floats, sensor: RangeSensor) -> Floats:
    """Distances (n,) in m along the rays of a sensor at a pose (4, 4); inf where nothing is hit.

    Surfaces nearer than ``min_distance`` are looked through, those beyond ``max_distance`` not seen.
    """
    rays = ray_directions(sensor) @ pose[:3, :3].T
    most = sensor.max_distance if sensor.max_distance > 0.0 else math.inf
    return cast(model, data, pose[:3, 3], rays, sensor.min_distance, most)


def cast(model: Any, data: Any, origin: Floats, rays: Floats, least: float, most: float) -> Floats:
    """Distances (n,) in m along unit vectors (n, 3) in the world; inf where nothing is hit.

    Surfaces nearer than ``least`` are looked through, those beyond ``most`` not seen.
    """
    import mujoco

    rays, start = np.ascontiguousarray(rays), np.ascontiguousarray(origin)
    count, cutoff = len(rays), min(most, mujoco.mjMAXVAL)
    geoms, out = np.zeros(count, np.int32), np.zeros(count)
    mujoco.mj_multiRay(model, data, start, rays.ravel(), DRAWN, True, -1, geoms, out, None, count, cutoff)
    geom = np.zeros(1, np.int32)
    for ray in np.flatnonzero((out >= 0.0) & (out < least)).tolist():
        beyond = mujoco.mj_ray(model, data, start + least * rays[ray], rays[ray], DRAWN, True, -1, geom)
        out[ray] = beyond + least if beyond >= 0.0 else -1.0
    out[(out < 0.0) | (out > most)] = math.inf
    return out
