"""Runs cases within resource limits and reports its progress: ``python -m fuzz.worker``.

Reads lines of JSON, ``[kind, first, end, seed]``, and answers each with a line of JSON. Before each case
it writes the number to a file, so that the parent process knows which case crashed or blocked it.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import os
import resource
import signal
import sys
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass
from random import Random
from types import FrameType
from typing import Any

from fuzz.cases import Case, make
from fuzz.targets import SECONDS, run

# Memory limit of a case beyond the process's own, in bytes: 100 MB, plus 60 per byte of its files.
ROOM, TIMES = 100_000_000, 60
# Additional memory for using a robot (pages, written files, triangles).
_ROOM_OF_USES = 400_000_000
_MOST_BYTES = 6 << 30
_FEW = 20_000_000


class HangError(BaseException):
    """A case takes too long; not an Exception, so that no handler swallows it."""


@dataclass(frozen=True)
class Outcome:
    """The outcome of a case: a word, and the details and mark of its problem ("" if none)."""

    said: str
    problem: str = ""
    mark: str = ""


def attempt(case: Case, rng: Random) -> Outcome:
    """Run a case; exceptions other than those of unibody are problems."""
    _MEMORY.used()  # exclude the memory for creating the case
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            said = run(case, rng)
    except (Exception, HangError):
        signal.setitimer(signal.ITIMER_PROF, 0)
        _MEMORY.used()
        return Outcome("bug", traceback.format_exc()[-6000:], _mark(sys.exc_info()[1]))
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    used, size = _MEMORY.used(), len(case.data) + sum(map(len, case.beside.values()))
    room = ROOM + TIMES * size + (0 if said in ("read", "refused", "errors") else _ROOM_OF_USES)
    if used > room:
        return Outcome("bug", f"{used} bytes for files of {size}", f"memory in {case.kind}")
    return Outcome(said)


def _mark(error: BaseException | None) -> str:
    """The mark that identifies a cause: the error, and the innermost line of unibody."""
    places = traceback.extract_tb(error.__traceback__ if error else None)
    own = [p for p in places if f"{os.sep}unibody{os.sep}" in p.filename]
    where = f"{own[-1].filename.split(f'{os.sep}unibody{os.sep}')[-1]}:{own[-1].lineno}" if own else ""
    said = f" {str(error)[:40]}" if type(error).__name__ == "BugError" else ""
    return f"{type(error).__name__}{said} {where}"


class _Memory:
    """Measures the peak memory of a case.

    The system's peak is reset only after a significant increase, because resetting is slow.
    """

    def __init__(self) -> None:
        self.floor = 1 << 62

    def used(self) -> int:
        """Bytes since the last reset, or 0 if insignificant; then reset the peak."""
        risen = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 - self.floor
        if 0 <= risen < _FEW:
            return 0
        try:
            with open("/proc/self/clear_refs", "w") as switch:
                switch.write("5")
        except OSError:  # without a reset of the peak nothing can be measured
            return 0
        self.floor = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return max(risen, 0)


_MEMORY = _Memory()


def _hang(_: int, __: FrameType | None) -> None:
    raise HangError


def limit() -> None:
    """Set the limits of this process: address space, and a CPU-time signal."""
    signal.signal(signal.SIGPROF, _hang)
    resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def batch(kind: str, first: int, end: int, seed: str, progress: int) -> dict[str, Any]:
    """Run cases of a kind: counts by mutator and by outcome, times, and problems."""
    mutators: Counter[str] = Counter()
    outcomes: Counter[str] = Counter()
    problems: list[dict[str, Any]] = []
    started = time.process_time()
    slowest = 0.0
    for number in range(first, end):
        os.pwrite(progress, f"{number:<12}".encode(), 0)
        case = make(kind, number, seed)
        begun = time.process_time()
        outcome = attempt(case, Random(f"use {seed}/{kind}/{number}"))
        slowest = max(slowest, time.process_time() - begun)
        mutators[case.mutator] += 1
        outcomes[outcome.said] += 1
        if outcome.problem:
            problems.append({"number": number, "mark": outcome.mark, "problem": outcome.problem})
        if number % 500 == 0:
            gc.collect()
    return {
        "mutators": mutators,
        "outcomes": outcomes,
        "problems": problems,
        "seconds": time.process_time() - started,
        "slowest": slowest,
    }


def main() -> None:
    """Run the batches read from standard input."""
    limit()
    progress = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
    # the parent requests the stack of a blocked worker
    faulthandler.register(signal.SIGUSR1, open(f"{sys.argv[1]}.where", "w"), all_threads=False)  # noqa: SIM115
    for line in sys.stdin:
        kind, first, end, seed = json.loads(line)
        print(json.dumps(batch(kind, first, end, seed, progress)), flush=True)


if __name__ == "__main__":
    main()
