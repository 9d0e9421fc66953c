"""Conversion of the dev corpus to URDF: models per second, on one and on two cores.

Time spent waiting for a core is subtracted where the system reports it (Linux), so that other load does
not change the numbers. With two cores, the time of the busier one is used.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from bench._row import ROOT, Row

CORPUS = ROOT.parent / "shared/corpus/dev"
SUFFIXES = (".body", ".urdf", ".wrl", ".rob")
_BATCH = 4
_SCHEDULER = Path("/proc/self/schedstat")


class Done(NamedTuple):
    """One conversion: process id, suffix, success, and time (s)."""

    process: int
    suffix: str
    converted: bool
    seconds: float


def run() -> list[Row]:
    files = [p for s in SUFFIXES for p in sorted(CORPUS.glob(f"**/*{s}"))]
    if not files:
        return []
    one, two = _all(files, 1), _all(files, 2)
    rows = []
    for suffix in SUFFIXES:
        mine = [d for d in one if d.suffix == suffix]
        rows.append(Row(f"convert {_count(mine)} {suffix} to .urdf", _rate(mine), {}, "", "models/s"))
    name = f"convert all {_count(one)} to .urdf"
    rows.append(Row(f"{name}, one core", _rate(one), {}, "", "models/s"))
    rows.append(Row(f"{name}, two cores", _rate(two), {}, "", "models/s"))
    rows.append(Row("two cores against one", _rate(two) / _rate(one), {}, "> 1.5 times", "times"))
    return rows


def _all(files: list[Path], processes: int) -> list[Done]:
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        # warm up: imports are not measured
        list(pool.map(convert, files[: 4 * processes]))
        return list(pool.map(convert, files, chunksize=_BATCH))


def _count(done: list[Done]) -> int:
    """The number of successful conversions."""
    return sum(d.converted for d in done)


def _rate(done: list[Done]) -> float:
    """Models per second, by the time of the busiest process."""
    busy: dict[int, float] = defaultdict(float)
    for d in done:
        busy[d.process] += d.seconds
    return _count(done) / max(busy.values(), default=1.0)


def _waited() -> float:
    """Time this process has waited for a core, in s; 0 if the system does not report it."""
    try:
        return int(_SCHEDULER.read_text().split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def convert(path: Path) -> Done:
    """Convert one file into a temporary folder."""
    import unibody as ub

    folder = Path(tempfile.mkdtemp())
    start, waited = time.perf_counter(), _waited()
    converted = True
    try:
        ub.convert(path, folder / "model.urdf")
    except (ub.LoadError, ub.SaveError):
        converted = False
    seconds = time.perf_counter() - start - (_waited() - waited)
    shutil.rmtree(folder)
    return Done(os.getpid(), path.suffix, converted, seconds)
