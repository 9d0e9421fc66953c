"""600 models in one command: the rate of two processes against one, and the memory of the command.

The corpus is repeated under other names until there are as many, or as the caller of ``run`` says. Each
run is a command as a user runs it; the memory of the command itself, without its workers, is sampled while
it runs (Linux only).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from bench._row import ROOT, Row

from unibody.batch.collection import collect

CORPUS = ROOT.parent / "shared/corpus"
FILES = 600
# Files of the runs that are only measured for their rate.
_FEW = 150
_EVERY = 0.05


def run(files: int = FILES) -> list[Row]:
    if not CORPUS.is_dir():
        return []
    with tempfile.TemporaryDirectory() as folder:
        count = _repeated(Path(folder) / "robots", files)
        one, _, worked = _measured(folder, "check", "robots", "--jobs", "1")
        two, peak, both = _measured(folder, "check", "robots", "--jobs", "2", "--log", "run.jsonl")
        again, _, _ = _measured(folder, "check", "robots", "--jobs", "2", "--resume", "run.jsonl")
        record = (Path(folder) / "run.jsonl").stat().st_size
        few = _repeated(Path(folder) / "few", _FEW)
        kinds = {
            "info": ["info", "few"],
            "convert to body": ["convert", "few", "--to", "body", "--dry-run", "-o", "out"],
        }
        # Of processor time, which others on the machine do not change.
        rates = {name: few / _measured(folder, *words, "--jobs", "1")[2] for name, words in kinds.items()}
        rates["check"] = count / worked
    rows = [
        Row(f"check of {count} models: rate, 1 process", count / one, {}, "", "files/s"),
        Row(f"check of {count} models: rate, 2 processes", count / two, {}, "", "files/s"),
        Row("2 processes against one", one / two, {}, "> 1.8", "x"),
        Row("processor time of 1 process and its command", worked, {}, "", "s"),
        Row("processor time of 2 processes and their command", both, {}, "", "s"),
        # What the wall time says too on a machine that nobody else uses.
        Row("cores that 2 processes had", both / two, {}, "", "cores"),
        Row(f"--resume of {count} models that are done", again, {}, "", "s"),
        Row("size of the record, each file", record / count, {}, "", "bytes"),
        *(
            Row(f"{name}: models in a second of one core", rate, {}, "", "files/s")
            for name, rate in rates.items()
        ),
    ]
    if peak:
        rows.append(Row("memory of the command without its workers", peak / 1e6, {}, "< 200 MB", "MB"))
    return rows


def _repeated(folder: Path, wanted: int) -> int:
    """Fill a folder with copies of the corpus and its meshes; of the last copy, models spread over all."""
    models = len(collect([str(CORPUS)]))
    count = 0
    for k in range(-(-wanted // models)):
        shutil.copytree(CORPUS, folder / f"{k:02d}", symlinks=True)
        kept = min(models, wanted - count)
        for number, path in enumerate(collect([str(folder / f"{k:02d}")])):
            if (number + 1) * kept // models > number * kept // models:
                count += 1
            else:
                os.remove(path)
    return count


def _measured(folder: str, *words: str) -> tuple[float, int, float]:
    """Wall time of a command in s, largest memory of its own process in bytes, processor time in s."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), *sys.path])}
    start, spent = time.perf_counter(), _spent()
    with subprocess.Popen(
        [sys.executable, "-m", "unibody", *words],
        cwd=folder,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        peak = 0
        while process.poll() is None:
            peak = max(peak, _resident(process.pid))
            time.sleep(_EVERY)
    return time.perf_counter() - start, peak, _spent() - spent


def _spent() -> float:
    """Processor time of all children that ended, and of theirs, in s."""
    times = os.times()
    return times.children_user + times.children_system


def _resident(process: int) -> int:
    """The resident memory of a process in bytes; 0 where it is not reported."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


if __name__ == "__main__":
    for row in run(int(sys.argv[1]) if len(sys.argv) > 1 else FILES):
        print(f"{row.name}: {row.ours:.4g} {row.unit} {row.target}")
