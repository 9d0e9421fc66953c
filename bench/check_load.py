"""What ``convert --check-load`` adds, beside the import of the engine and its load of the written file.

CPU time of processes in turns: the conversion, the same with --check-load, and a process of the engine's
interpreter that imports the engine and loads the file. An engine that is not here has no row.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench._row import BIPED, Row
from bench.startup import cpu_seconds

from unibody.proof.engines import interpreters

ROUNDS = 7
#: How a user loads a file with the engine that its format is meant for.
LOADS = {
    "mjcf": ("MuJoCo", "xml", "import sys, mujoco; mujoco.MjModel.from_xml_path(sys.argv[1])"),
    "urdf": ("Pinocchio", "urdf", "import sys, pinocchio; pinocchio.buildModelFromUrdf(sys.argv[1])"),
}


def interpreter_with(engine: str) -> str:
    """The first interpreter that has an engine, "" without one."""
    for each in interpreters():
        try:
            found = subprocess.run([each, "-c", f"import {engine}"], capture_output=True, check=False)
        except OSError:
            continue
        if not found.returncode:
            return each
    return ""


def run() -> list[Row]:
    rows = []
    unibody = str(Path(sys.executable).with_name("unibody"))
    with TemporaryDirectory() as folder:
        for format, (engine, suffix, code) in LOADS.items():
            interpreter = interpreter_with(engine.lower())
            if not interpreter:
                continue
            target = str(Path(folder) / f"biped.{suffix}")
            convert = (unibody, "convert", str(BIPED / "biped.body"), target, "--overwrite", "--to", format)
            commands = {
                "convert": convert,
                "checked": (*convert, "--check-load"),
                "engine": (interpreter, "-c", code, target),
            }
            times: dict[str, list[float]] = {name: [] for name in commands}
            for round_ in range(-1, ROUNDS):  # the first one writes the bytecode
                for name, command in commands.items():
                    taken = cpu_seconds(*command)
                    if round_ >= 0:
                        times[name].append(taken)
            # of the same round, so that a slow phase of the machine affects both
            added = [b - a for a, b in zip(times["convert"], times["checked"], strict=True)]
            ours, theirs = 1e3 * statistics.median(added), 1e3 * statistics.median(times["engine"])
            name = f"{engine}'s import and load"
            rows.append(Row(f"--check-load of {format}", ours, {name: theirs}, "<= 1.1 x", "ms"))
    return rows
