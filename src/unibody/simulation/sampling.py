"""Rates, delays, noise and saturation of sensors, for those that are asked to have them."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.device import RangeSensor, Spec, quantities

#: Time constants below this part of a step are rounding.
_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How a sensor is read: ``rate`` in Hz (0: whenever it is read), ``delay`` in s, Gaussian ``noise``.

    ``noise`` is the standard deviation in the sensor's unit; ``detection`` the chance of a range sensor's
    ray to return; ``largest`` clips the readings.
    """

    rate: float = 0.0
    delay: float = 0.0
    noise: float = 0.0
    detection: float = 1.0
    largest: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        for name in ("rate", "delay", "noise"):
            if not 0.0 <= getattr(self, name) < math.inf:
                raise ValueError(f"{name} is a finite number from 0 on, not {getattr(self, name)!r}")
        if not 0.0 <= self.detection <= 1.0:
            raise ValueError(f"detection is a chance from 0 to 1, not {self.detection!r}")

    @property
    def is_ideal(self) -> bool:
        """Whether readings are exact and immediate."""
        return self == Sampling()


def declared_sampling(spec: Spec) -> Sampling:
    """The rate, latency, noise and saturation that a device declares.

    Scans arrive one period late, as in Choreonoid.

    >>> declared_sampling(RangeSensor(scan_rate=20.0)).delay
    0.05
    """
    if isinstance(spec, RangeSensor):
        rate = spec.scan_rate if 0.0 < spec.scan_rate < math.inf else 0.0
        return Sampling(
            rate=rate,
            delay=_period(rate),
            noise=spec.error_deviation if 0.0 < spec.error_deviation < math.inf else 0.0,
            detection=min(max(spec.detection_rate, 0.0), 1.0),
        )
    largest: list[float] = []
    for each in quantities(spec):
        largest += getattr(spec, each.largest) if each.largest else (math.inf,) * each.size
    return Sampling(largest=_finite(tuple(largest)))


def _period(rate: float) -> float:
    return min(1.0 / rate, 1.0) if rate > 0.0 else 0.0


def _finite(values: tuple[float, ...]) -> tuple[float, ...]:
    return values if any(math.isfinite(value) for value in values) else ()


@dataclass(slots=True, kw_only=True, eq=False)
class _Channel:
    """A sensor that is not ideal: what was sampled but not delivered yet, and the last delivery."""

    how: Sampling
    random: np.random.Generator
    taken: int = 0
    begin: float = 0.0
    waiting: deque[tuple[float, Any]] = field(default_factory=deque)
    last: Any = None

    @property
    def due(self) -> float:
        """The time of the next sample."""
        return self.begin + self.taken / self.how.rate if self.how.rate > 0.0 else math.inf


class Samplers:
    """The sensors that are not ideal, and the readings of all.

    ``names`` number the sensors; ``measure`` gives the ideal reading of one at present.
    """

    def __init__(self, names: Sequence[str], measure: Callable[[str], Any], seed: int = 0) -> None:
        self._names, self._measure, self._seed = names, measure, seed
        self._channels: dict[str, _Channel] = {}

    def __bool__(self) -> bool:
        return any(channel.how.rate > 0.0 for channel in self._channels.values())

    def set(self, name: str, how: Sampling, time: float) -> None:
        """Read a sensor in this way from now on."""
        number = self._names.index(name)
        self._channels.pop(name, None)
        if not how.is_ideal:
            random = np.random.default_rng([self._seed, number])
            self._channels[name] = _Channel(how=how, random=random, begin=time)

    def restart(self, time: float) -> None:
        """Forget all samples and begin again, with the same noise."""
        for name, channel in list(self._channels.items()):
            self.set(name, channel.how, time)

    def next_due(self) -> float:
        """The time of the next sample of any sensor."""
        return min((channel.due for channel in self._channels.values()), default=math.inf)

    def sample(self, time: float, step: float) -> None:
        """Take the samples that are due, and deliver those whose delay is over."""
        for name, channel in self._channels.items():
            while channel.due <= time + _ROUNDING * step:
                value = _disturbed(self._measure(name), channel)
                channel.waiting.append((channel.due + channel.how.delay, value))
                channel.taken += 1
            self._deliver(channel, time, step)

    @staticmethod
    def _deliver(channel: _Channel, time: float, step: float) -> None:
        while channel.waiting and channel.waiting[0][0] <= time + _ROUNDING * step:
            channel.last = channel.waiting.popleft()[1]

    def reading(self, name: str, time: float, step: float) -> Any:
        """What a sensor says at a time; NaN before its first sample arrives."""
        channel = self._channels.get(name)
        if channel is None:
            return self._measure(name)
        if channel.how.rate <= 0.0:
            return _disturbed(self._measure(name), channel)
        self._deliver(channel, time, step)
        if channel.last is None:
            return np.full_like(self._measure(name), np.nan)
        return channel.last

    def saved(self) -> dict[str, Any]:
        """The state of all channels, for ``restore``."""
        return {
            name: (channel.how, channel.random.bit_generator.state, channel.taken, channel.begin,
                   tuple(channel.waiting), channel.last)
            for name, channel in self._channels.items()
        }  # fmt: skip

    def restore(self, saved: dict[str, Any]) -> None:
        """Continue from a saved state."""
        self._channels.clear()
        for name, (how, random, taken, begin, waiting, last) in saved.items():
            generator = np.random.default_rng()
            generator.bit_generator.state = random
            self._channels[name] = _Channel(
                how=how, random=generator, taken=taken, begin=begin, waiting=deque(waiting), last=last
            )


def _disturbed(value: Any, channel: _Channel) -> Any:
    """A reading with noise, misses and saturation."""
    out: Floats = value
    how = channel.how
    if how.noise > 0.0:
        out = out + how.noise * channel.random.standard_normal(out.shape)
    if how.detection < 1.0:
        out = np.where(channel.random.random(out.shape) < how.detection, out, math.inf)
    if how.largest:
        out = np.clip(out, -np.array(how.largest), np.array(how.largest))
    return out
