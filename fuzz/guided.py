"""Atheris: coverage-guided fuzzing of unibody.

``python -m fuzz.guided KIND SECONDS SEED OUT`` fuzzes one kind; requires atheris.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

from fuzz.pool import Problem
from fuzz.seeds import ROOT

# Minimum seconds per kind, because starting is slow; kinds take turns from a random one on.
_LEAST = 12.0
# Cases between two saves of the results: libFuzzer exits the process when its time has elapsed.
_EVERY = 20


def run(kinds: list[str], seconds: float, seed: str, out: Path) -> tuple[float, str, list[Problem]]:
    """Fuzz each kind for its share of the time: seconds, summary, problems."""
    if find_spec("atheris") is None:
        return 0.0, "not installed; only hypothesis and the mutators run", []
    count = max(1, min(len(kinds), int(seconds / _LEAST)))
    first = Random(seed).randrange(len(kinds))
    chosen = [kinds[(first + k) % len(kinds)] for k in range(count)]
    started, cases, problems = time.monotonic(), 0, []
    for kind in chosen:
        done = _one(kind, seconds / count, seed, out)
        cases += done["cases"]
        problems += [Problem(kind, -1, seed, p["mark"], p["problem"]) for p in done["problems"]]
    said = f"{cases} cases of {', '.join(chosen)}; {len(problems)} problems"
    return time.monotonic() - started, said, problems


def _one(kind: str, seconds: float, seed: str, out: Path) -> dict[str, Any]:
    command = [sys.executable, "-m", "fuzz.guided", kind, f"{seconds:.0f}", seed, str(out)]
    path = out / f"atheris-{kind}.json"
    path.unlink(missing_ok=True)
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    told: dict[str, Any] = (
        json.loads(path.read_text("utf-8")) if path.is_file() else {"cases": 0, "problems": []}
    )
    if done.returncode or not told["cases"]:
        mark = f"atheris ended with {done.returncode} ({kind})"
        told["problems"].append({"mark": mark, "problem": done.stderr[-3000:]})
    return told


def main(kind: str, seconds: str, seed: str, out: str) -> None:
    """Fuzz one kind with atheris; the results are written to a file."""
    import atheris

    with atheris.instrument_imports(include=["unibody"]):
        import unibody

        for module in pkgutil.walk_packages(unibody.__path__, "unibody."):
            if not module.name.endswith(("__main__", "pinocchio")):
                importlib.import_module(module.name)
    from fuzz.worker import limit

    limit()
    told: dict[str, Any] = {"cases": 0, "problems": []}
    one, mutate = _functions(kind, Path(out), told, atheris)
    with tempfile.TemporaryDirectory() as folder:
        corpus = _corpus(kind, folder)
        settings = [f"-max_total_time={seconds}", f"-seed={zlib.crc32(seed.encode())}", "-timeout=60"]
        settings += ["-rss_limit_mb=4096", "-max_len=100000", f"-artifact_prefix={out}/atheris-{kind}-"]
        atheris.Setup([sys.argv[0], *settings, "-verbosity=0", corpus], one, custom_mutator=mutate)
        atheris.Fuzz()


def _corpus(kind: str, folder: str) -> str:
    from fuzz.seeds import seeds

    for number, seed in enumerate(seeds(kind)[:200]):
        (Path(folder) / f"{number}").write_bytes(seed.data)
    return folder


_One = Callable[[bytes], None]
_Mutate = Callable[[bytes, int, int], bytes]


def _functions(kind: str, out: Path, told: dict[str, Any], atheris: Any) -> tuple[_One, _Mutate]:
    """The callbacks of libFuzzer: run a case, and mutate a case."""
    from fuzz.cases import Case, damaged
    from fuzz.seeds import seeds
    from fuzz.worker import attempt

    seed = seeds(kind)[0]
    beside = {name: data for s in seeds(kind) for name, data in s.beside.items()}
    known: set[str] = set()

    def one(data: bytes) -> None:
        told["cases"] += 1
        near = {name: d for name, d in beside.items() if name.encode() in data}
        case = Case(kind, "atheris", seed.name, data, near)
        outcome = attempt(case, Random(zlib.crc32(data)))
        if outcome.problem and outcome.mark not in known:
            known.add(outcome.mark)
            told["problems"].append({"mark": outcome.mark, "problem": outcome.problem})
            (out / f"atheris-{kind}-{zlib.crc32(data):08x}").write_bytes(data)
        if told["cases"] % _EVERY == 1 or outcome.problem:
            (out / f"atheris-{kind}.json").write_text(json.dumps(told), "utf-8")

    def mutate(data: bytes, largest: int, number: int) -> bytes:
        rng = Random(number)
        if rng.random() < 0.4:
            return bytes(atheris.Mutate(data, largest))
        return damaged(rng, kind, seed.name, data)[1][:largest]

    return one, mutate


if __name__ == "__main__":
    main(*sys.argv[1:5])
