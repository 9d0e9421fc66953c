"""Conversion of all URDF files of the corpus to OpenHRP with a report: time and memory of the batch.

The command runs as a user runs it: ``unibody convert … --to openhrp --jobs 2 --report r.json``. Its
resident memory is sampled while it runs, summed over the command and its worker processes; pages that
they share count in each. Only Linux reports it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench._row import ROOT, Row

CORPUS = ROOT.parent / "shared/corpus"
JOBS = 2
# Seconds between two samples of the memory.
_EVERY = 0.02
_PROCESSES = Path("/proc")


def run() -> list[Row]:
    files = sorted(p for p in CORPUS.glob("**/*.urdf") if "/bad" not in str(p))
    if not files:
        return []
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        words = ["--to", "openhrp", "--jobs", str(JOBS), "--report", str(report)]
        command = [sys.executable, "-m", "unibody", "convert", *map(str, files), f"{folder}/out/", *words]
        start = time.perf_counter()
        peak = _peak(command)
        seconds = time.perf_counter() - start
        size = report.stat().st_size
        done = sum("losses" in r for r in json.loads(report.read_text("utf-8"))["reports"])
    name = f"{done} of {len(files)} .urdf to .wrl with reports"
    rows = [
        Row(f"{name}: time", seconds, {}, "", "s"),
        Row(f"{name}: size of the report", size / 1e6, {}, "", "MB"),
    ]
    if peak:
        rows.append(Row(f"{name}: memory, {JOBS} processes", peak / 1e9, {}, "< 2 GB", "GB"))
    return rows


def _peak(command: list[str]) -> int:
    """The largest resident memory of a command and its children, in bytes; 0 where it is not reported."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *sys.path])}
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        peak = 0
        while process.poll() is None:
            peak = max(peak, _resident(process.pid))
            time.sleep(_EVERY)
    return peak


def _resident(process: int) -> int:
    """The resident memory of a process and its descendants, in bytes."""
    try:
        pages = int((_PROCESSES / str(process) / "statm").read_text().split()[1])
        threads = list((_PROCESSES / str(process) / "task").iterdir())
        children = [child for thread in threads for child in (thread / "children").read_text().split()]
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") + sum(_resident(int(child)) for child in children)


if __name__ == "__main__":
    for row in run():
        print(f"{row.name}: {row.ours:.4g} {row.unit}")
