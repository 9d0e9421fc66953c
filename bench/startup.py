"""Startup time of a new process: the import, and a complete command."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from bench._row import Row, medians, model

ROUNDS = 15
ENVIRONMENT = {**os.environ, "OMP_NUM_THREADS": "1"}


def process(*command: str) -> Callable[[], object]:
    """A task that runs a command; exit code 1 (findings) is not a failure."""

    def task() -> None:
        done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1) or "Traceback" in done.stderr:
            raise RuntimeError(f"{' '.join(command)} failed: {done.stderr}")

    return task


def python(code: str) -> Callable[[], object]:
    """A task that runs a line of Python in a new interpreter."""
    return process(sys.executable, "-c", code)


def run() -> list[Row]:
    path = model("SR1.body")
    seconds = medians(
        {
            "unibody": python("import unibody"),
            "load": python("import unibody; unibody.load"),
            "numpy": python("import numpy"),
            "nothing": python("pass"),
            "info": process(str(Path(sys.executable).with_name("unibody")), "info", str(path)),
        },
        ROUNDS,
    )
    peers = {"numpy": 1e3 * seconds["numpy"], "nothing": 1e3 * seconds["nothing"]}
    return [
        Row("import unibody", 1e3 * seconds["unibody"], peers, "<= 1.5 x numpy", "ms"),
        Row("import unibody; unibody.load", 1e3 * seconds["load"], peers, "", "ms"),
        Row(f"unibody info {path.name}", seconds["info"], {}, "< 0.4 s", "s"),
    ]
