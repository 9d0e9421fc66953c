"""Run the benchmarks of this folder: ``python -m bench.run [NAME ...]`` from the project root.

A benchmark is a module here with ``run() -> list[Row]``. Each runs in a fresh process, one after another,
for at most ``LONGEST`` seconds; the table goes to the terminal and the numbers to
``bench/out/latest.json``, from which ``python tools/performance.py --accept`` makes docs/performance.md.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import multiprocessing
import os
import platform
import re
import signal
import sys
import time
import traceback
from importlib import metadata
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from bench._row import Row

HERE = Path(__file__).resolve().parent
PACKAGES = ("unibody", "numpy", "llvmlite", "mujoco", "pin", "dynibo", "yourdfpy", "coal", "ompl")
TARGET = re.compile(r"(?P<sign><=?|>=?) (?P<bound>[\d.]+) (?P<unit>\S+)(?: (?P<peer>.+))?")
#: Seconds of a benchmark, after which it is ended and has failed.
LONGEST = 240.0
COLUMNS = "{:<44} {:>12}  {:<28} {:>12} {:>7}  {:<20} {}"


def names() -> list[str]:
    """The names of the benchmarks in this folder: of the modules with a ``run``."""
    return sorted(p.stem for p in HERE.glob("[!_]*.py") if "\ndef run(" in p.read_text("utf-8"))


def measure(name: str) -> list[Row]:
    """Run one benchmark in this process."""
    rows = importlib.import_module(f"bench.{name}").run()
    if not all(isinstance(row, Row) for row in rows):
        raise TypeError(f"bench.{name}.run() must return a list of bench._row.Row")
    return list(rows)


def measure_apart(name: str) -> list[Row]:
    """Run one benchmark in a new process; TimeoutError, and no more of it, after ``LONGEST``."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(name, there))
    process.start()
    there.close()
    try:
        if not here.poll(LONGEST):
            raise TimeoutError(f"bench.{name} takes more than {LONGEST:.0f} s")
        found = here.recv()
    finally:
        _end(process)
    if isinstance(found, str):
        raise RuntimeError(found)
    return list(found)


def _answer(name: str, to: Connection) -> None:
    """Send the rows of a benchmark, or the text of its error."""
    if hasattr(os, "setsid"):
        os.setsid()  # so that what it starts ends with it
    try:
        to.send(measure(name))
    except Exception:
        to.send(traceback.format_exc())


def _end(process: Any) -> None:
    """End a process and what it started."""
    if process.pid is not None and hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.join()


def is_met(row: Row) -> bool | None:
    """Whether the row meets its target; None without a target, or if the target's peer was not measured."""
    bound = TARGET.fullmatch(row.target)
    if not bound:
        if row.target:
            raise ValueError(f"{row.name}: invalid target {row.target!r}")
        return None
    if bound["unit"] == "x":
        values = [
            float(row.ours / peer) for name, peer in row.peers.items() if bound["peer"] in (None, name)
        ]
    elif bound["unit"] == row.unit:
        values = [float(row.ours)]
    else:
        raise ValueError(f"{row.name}: measured in {row.unit}, but the target is {row.target!r}")
    limit, sign = float(bound["bound"]), bound["sign"]
    keeps = {"<": float.__lt__, "<=": float.__le__, ">": float.__gt__, ">=": float.__ge__}[sign]
    return all(keeps(value, limit) for value in values) if values else None


def lines(row: Row) -> list[str]:
    """The lines of a row in the table: the first peer beside our number, the others below."""
    verdict = {True: "met", False: "MISSED", None: "-"}[is_met(row)]
    peers = [
        (name, f"{value:.4g} {row.unit}", f"{row.ours / value:.2f}" if value else "-")
        for name, value in row.peers.items()
    ] or [("", "", "")]
    ours = f"{row.ours:.4g} {row.unit}"
    first = COLUMNS.format(row.name, ours, *peers[0], row.target, verdict)
    return [first.rstrip(), *(COLUMNS.format("", "", *peer, "", "").rstrip() for peer in peers[1:])]


def setting() -> dict[str, object]:
    """The environment of the measurement."""
    return {
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores",
        "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", ""),
        "packages": {p: metadata.version(p) for p in PACKAGES if any(metadata.distributions(name=p))},
    }


def save(rows: dict[str, list[Row]], failed: list[str]) -> None:
    """Write the numbers of each benchmark to bench/out/latest.json."""
    out = HERE / "out" / "latest.json"
    out.parent.mkdir(exist_ok=True)
    tables = {name: [{**row._asdict(), "met": is_met(row)} for row in some] for name, some in rows.items()}
    data = {"setting": setting(), "benchmarks": tables, "failed": failed}
    out.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", "utf-8")


def main(chosen: list[str]) -> int:
    """Run the given benchmarks, or all; exit code 1 if one failed, 2 for an unknown name."""
    unknown = [name for name in chosen if name not in names()]
    if unknown:
        print(f"unknown benchmark {', '.join(unknown)}; available: {', '.join(names())}", file=sys.stderr)
        return 2
    rows: dict[str, list[Row]] = {}
    failed: list[str] = []
    print(COLUMNS.format("benchmark", "ours", "peer", "", "ratio", "target", "").rstrip())
    for name in chosen or names():
        try:
            start = time.monotonic()
            measured = measure_apart(name)
            print("\n".join(line for row in measured for line in lines(row)), flush=True)
            print(f"# {name}: {time.monotonic() - start:.0f} s", flush=True)
            rows[name] = measured
            save(rows, failed)  # those after it may take long
        except Exception:  # a failure must not hide the other results
            traceback.print_exc()
            failed.append(name)
    save(rows, failed)
    return 1 if failed else 0


if __name__ == "__main__":
    # Set before numpy is imported: one thread, so that the comparison is fair.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # Measured processes load bytecode, as an installed program does.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    sys.exit(main(sys.argv[1:]))
