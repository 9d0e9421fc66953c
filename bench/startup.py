"""Startup time of a new process: the import, the first load, and a complete command.

Processes are measured by their CPU time, interleaved with one that imports numpy. Their bytecode is kept,
as where unibody is installed, even if the environment of the benchmark says otherwise.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

from bench._row import BIPED, Row, model

ROUNDS = 15
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}
ENVIRONMENT.pop("PYTHONDONTWRITEBYTECODE", None)


def cpu_seconds(*command: str) -> float:
    """CPU time of a command; exit code 1 (findings) is not a failure."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1) or "Traceback" in done.stderr:
        raise RuntimeError(f"{' '.join(command)} failed: {done.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def run() -> list[Row]:
    urdf, sr1 = BIPED / "biped.urdf", model("SR1.body")
    unibody = str(Path(sys.executable).with_name("unibody"))
    python = (sys.executable, "-c")
    commands = {
        "nothing": (*python, "pass"),
        "numpy": (*python, "import numpy"),
        "import unibody": (*python, "import unibody"),
        "unibody.load": (*python, "import unibody; unibody.load"),
        f"first load of {urdf.name}": (*python, f"import unibody; unibody.load({str(urdf)!r})"),
        f"unibody info {urdf.name}": (unibody, "info", str(urdf)),
        f"unibody info {sr1.name}": (unibody, "info", str(sr1)),
        f"unibody check {urdf.name}": (unibody, "check", str(urdf)),
        f"unibody check {urdf.name} biped.body": (unibody, "check", str(urdf), str(BIPED / "biped.body")),
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for round_ in range(-1, ROUNDS):  # the first one writes the bytecode
        for name, command in commands.items():
            seconds = cpu_seconds(*command)
            if round_ >= 0:
                times[name].append(seconds)
    median = {name: 1e3 * statistics.median(values) for name, values in times.items()}
    peers = {name: median[name] for name in ("numpy", "nothing")}
    targets = {
        "import unibody": "<= 1.5 x numpy",
        f"first load of {urdf.name}": "<= 1.5 x numpy",
        f"unibody info {urdf.name}": "<= 1.67 x numpy",
        f"unibody info {sr1.name}": "< 400 ms",
    }
    return [
        Row(name, median[name], peers, targets.get(name, ""), "ms")
        for name in commands
        if name not in peers
    ]
