"""Result rows of the benchmarks, and interleaved timing."""

from __future__ import annotations

import itertools
import math
import statistics
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
SR1 = ROOT.parent / "shared/corpus/dev/choreonoid+choreonoid/share/model/SR1"
BIPED = ROOT / "src/unibody/models"


#: CPU seconds of use before the first time is taken, in which methods get their best code, and the fewest
#: configurations in a time.
_WARM, _FEWEST = 0.6, 300


class Row(NamedTuple):
    """One measurement: our median and those of the peers, all in ``unit``.

    ``target`` is empty or a bound: on our own number (``< 12 ms``) or on the ratio to the
    peers (``<= 0.8 x``: to each peer, ``<= 0.8 x NAME``: to one of them).
    """

    name: str
    ours: float
    peers: dict[str, float]
    target: str
    unit: str


def model(name: str) -> Path:
    """The path of a file of the robot SR1, or of the bundled biped without ../shared."""
    path = SR1 / name
    return path if path.is_file() else BIPED / f"biped{path.suffix}"


def least(
    tasks: Mapping[str, tuple[Callable[[], object], int]], rounds: int, compiled: str
) -> dict[str, float]:
    """Least CPU seconds of each task, by the number that it goes through, with others on the machine.

    The tasks take turns. The one that is compiled is used before for as long as that takes.
    """
    calls: dict[str, int] = {}
    for name, (task, count) in tasks.items():
        calls[name] = max(1, _FEWEST // count)
        end = time.process_time() + (_WARM if name == compiled else 0.0)
        for number in itertools.count():
            task()
            if number >= calls[name] and time.process_time() > end:
                break
    best = dict.fromkeys(tasks, math.inf)
    for _ in range(rounds):
        for name, (task, count) in tasks.items():
            start = time.process_time_ns()
            for _ in range(calls[name]):
                task()
            taken = (time.process_time_ns() - start) / 1e9
            best[name] = min(best[name], taken / (calls[name] * count))
    return best


def medians(tasks: Mapping[str, Callable[[], object]], rounds: int, warm_up: int = 3) -> dict[str, float]:
    """Median CPU seconds of each task.

    The tasks are interleaved, so that a slow phase of the machine affects all of them. Each task runs once
    untimed before each measurement, to load its data into the processor's caches.
    """
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for round_ in range(-warm_up, rounds):
        for name, task in tasks.items():
            task()
            start = time.process_time_ns()
            task()
            if round_ >= 0:
                times[name].append((time.process_time_ns() - start) / 1e9)
    return {name: statistics.median(values) for name, values in times.items()}
