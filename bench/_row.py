"""What a benchmark hands to the driver, and how it takes its times."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SR1 = ROOT.parent / "shared/corpus/dev/choreonoid+choreonoid/share/model/SR1"
BIPED = ROOT / "src/unibody/models"


class Row(NamedTuple):
    """One measurement: our median and those of the peers, all in ``unit``.

    ``target`` is empty or a bound: on our own number (``< 12 ms``) or on the ratio to the
    peers (``<= 0.8 x``: to every one of them, ``<= 0.8 x NAME``: to that one).
    """

    name: str
    ours: float
    peers: dict[str, float]
    target: str
    unit: str


def model(name: str) -> Path:
    """A file of the robot SR1, or of the bundled biped where ../shared is absent."""
    path = SR1 / name
    return path if path.is_file() else BIPED / f"biped{path.suffix}"


def medians(tasks: Mapping[str, Callable[[], object]], rounds: int, warm_up: int = 3) -> dict[str, float]:
    """Median seconds of each task.

    They take turns, so that a slow spell hits all of them alike; each runs once untimed before it is
    timed, so that none pays for what the one before it left in the processor's caches.
    """
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for round_ in range(-warm_up, rounds):
        for name, task in tasks.items():
            task()
            start = time.perf_counter()
            task()
            if round_ >= 0:
                times[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in times.items()}
