"""Time laws along one line: how fast its parameter goes from 0 to its end."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rates:
    """Limits of a parameter: speed, acceleration, deceleration and jerk, each above 0; infinite if none."""

    speed: float
    acceleration: float
    deceleration: float
    jerk: float = math.inf


#: A phase: its duration in s, the acceleration at its begin, and the jerk.
Phase = tuple[float, float, float]


def trapezoid(length: float, first: float, last: float, rates: Rates) -> list[Phase]:
    """The fastest motion over a length from one speed to another, without a limit of jerk.

    Both speeds must be within the limit, and near enough to one another for the length.

    >>> trapezoid(1.0, 0.0, 0.0, Rates(speed=1.0, acceleration=2.0, deceleration=2.0))
    [(0.5, 2.0, 0.0), (0.5, 0.0, 0.0), (0.5, -2.0, 0.0)]
    """
    up, down = rates.acceleration, rates.deceleration
    peak = math.sqrt((2.0 * up * down * length + down * first**2 + up * last**2) / (up + down))
    peak = max(min(peak, rates.speed), first, last)
    rise, fall = (peak - first) / up, (peak - last) / down
    rest = length - 0.5 * (first + peak) * rise - 0.5 * (peak + last) * fall
    phases = [(rise, up, 0.0), (max(rest, 0.0) / peak if peak else 0.0, 0.0, 0.0), (fall, -down, 0.0)]
    return [phase for phase in phases if phase[0] > 0.0]


def double_s(length: float, rates: Rates) -> list[Phase]:
    """The fastest motion over a length from rest to rest with limited jerk: up to seven phases.

    >>> sum(phase[0] for phase in double_s(1.0, Rates(1.0, 2.0, 2.0, 4.0)))
    2.0
    """
    peak = rates.speed
    if _ramp(peak, rates.acceleration, rates.jerk) + _ramp(peak, rates.deceleration, rates.jerk) > length:
        low, high = 0.0, peak
        while True:
            peak = 0.5 * (low + high)
            if not low < peak < high:
                peak = low
                break
            needed = _ramp(peak, rates.acceleration, rates.jerk) + _ramp(
                peak, rates.deceleration, rates.jerk
            )
            low, high = (peak, high) if needed <= length else (low, peak)
    way = _ramp(peak, rates.acceleration, rates.jerk) + _ramp(peak, rates.deceleration, rates.jerk)
    up, down = (_rise(peak, most, rates.jerk) for most in (rates.acceleration, rates.deceleration))
    j = rates.jerk
    phases = [
        (up[0], 0.0, j),
        (up[1], j * up[0], 0.0),
        (up[0], j * up[0], -j),
        ((length - way) / peak, 0.0, 0.0),
        (down[0], 0.0, -j),
        (down[1], -j * down[0], 0.0),
        (down[0], -j * down[0], j),
    ]
    return [phase for phase in phases if phase[0] > 0.0]


def _rise(speed: float, most: float, jerk: float) -> tuple[float, float]:
    """How long the acceleration grows, and how long it is constant, from rest to a speed."""
    if speed * jerk >= most**2:
        return most / jerk, speed / most - most / jerk
    return math.sqrt(speed / jerk), 0.0


def _ramp(speed: float, most: float, jerk: float) -> float:
    """The length from rest to a speed: half the speed, by symmetry, for the whole time."""
    grow, hold = _rise(speed, most, jerk)
    return 0.5 * speed * (2.0 * grow + hold)
