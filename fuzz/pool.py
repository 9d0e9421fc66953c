"""Worker processes: each runs batches of cases, and is replaced if a case crashes or blocks it."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from fuzz.seeds import ROOT

# Seconds without progress after which a worker is considered blocked.
_STUCK = 60.0

Batch = tuple[str, int, int, str]


@dataclass
class Tally:
    """Statistics of the cases of one kind."""

    cases: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    mutators: Counter[str] = field(default_factory=Counter)
    outcomes: Counter[str] = field(default_factory=Counter)

    def add(self, done: dict[str, Any]) -> None:
        """Add a finished batch."""
        self.cases += sum(done["outcomes"].values())
        self.seconds += done["seconds"]
        self.slowest = max(self.slowest, done["slowest"])
        self.mutators.update(done["mutators"])
        self.outcomes.update(done["outcomes"])


@dataclass(frozen=True)
class Problem:
    """A failed case: its kind, number and seed, the mark of its cause, and the details."""

    kind: str
    number: int
    seed: str
    mark: str
    text: str


@dataclass(frozen=True)
class Answer:
    """The result of a batch: statistics (None if the worker crashed) and problems."""

    batch: Batch
    done: dict[str, Any] | None
    problems: tuple[Problem, ...]


class _Worker:
    def __init__(self, folder: str, number: int) -> None:
        self.path = f"{folder}/{number}"
        self.batch: Batch | None = None
        self.started = time.monotonic()
        self.number, self.seen = -1, time.monotonic()
        with open(self.path, "wb") as file:
            file.write(b"-1")
        # output of a crashing C library is not needed: the case reproduces it
        self.process = subprocess.Popen(
            [sys.executable, "-m", "fuzz.worker", self.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=ROOT,
            env={**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0"},
            text=True,
        )

    def give(self, batch: Batch) -> None:
        assert self.process.stdin is not None
        self.batch, self.seen = batch, time.monotonic()
        self.process.stdin.write(json.dumps(batch) + "\n")
        self.process.stdin.flush()

    def at(self) -> int:
        """The number of the current case."""
        with open(self.path) as file:
            number = int(file.read().strip() or -1)
        if number != self.number:
            self.number, self.seen = number, time.monotonic()
        return number

    def is_stuck(self) -> bool:
        self.at()
        return time.monotonic() - self.seen > _STUCK

    def where(self) -> str:
        """The stack of a blocked worker, innermost first."""
        self.process.send_signal(signal.SIGUSR1)
        time.sleep(0.5)
        with open(f"{self.path}.where") as file:
            return file.read()

    def end(self) -> int:
        self.process.kill()
        return self.process.wait()


def work(batches: Iterable[Batch], jobs: int) -> Iterator[Answer]:
    """Run batches on ``jobs`` processes; yields answers in order of completion."""
    waiting = iter(batches)
    with tempfile.TemporaryDirectory() as folder, selectors.DefaultSelector() as selector:
        workers: list[_Worker] = []
        count = 0

        def start(first: Batch) -> None:
            nonlocal count
            count += 1
            worker = _Worker(folder, count)
            workers.append(worker)
            assert worker.process.stdout is not None
            selector.register(worker.process.stdout, selectors.EVENT_READ, worker)
            worker.give(first)

        def stop(worker: _Worker) -> int:
            assert worker.process.stdout is not None
            selector.unregister(worker.process.stdout)
            workers.remove(worker)
            return worker.end()

        try:
            for _, first in zip(range(jobs), waiting, strict=False):
                start(first)
            while workers:
                for key, _events in selector.select(timeout=1.0):
                    worker: _Worker = key.data
                    assert worker.batch is not None
                    batch: Batch = worker.batch
                    assert worker.process.stdout is not None
                    line = worker.process.stdout.readline()
                    if line:
                        yield _answer(batch, json.loads(line))
                        following = next(waiting, None)
                        if following is None:
                            stop(worker)
                        else:
                            worker.give(following)
                        continue
                    yield from _lost(worker, batch, f"ended with {stop(worker)}", start, "")
                for worker in [w for w in workers if w.is_stuck()]:
                    assert worker.batch is not None
                    where = worker.where()
                    stop(worker)
                    said = f"stood still for {_STUCK:.0f} s"
                    yield from _lost(worker, worker.batch, said, start, where)
        finally:
            for worker in list(workers):
                stop(worker)


def _lost(worker: _Worker, batch: Batch, what: str, start: Any, where: str) -> Iterator[Answer]:
    """The problem of the case that stopped a worker, and the rest of the batch."""
    kind, first, end, seed = batch
    number = max(worker.at(), first)
    yield Answer(batch, None, (Problem(kind, number, seed, f"{what} ({kind})", f"{what}\n{where}"),))
    if number + 1 < end:
        start((kind, number + 1, end, seed))


def _answer(batch: Batch, done: dict[str, Any]) -> Answer:
    kind, _, _, seed = batch
    problems = (Problem(kind, p["number"], seed, p["mark"], p["problem"]) for p in done["problems"])
    return Answer(batch, done, tuple(problems))
