"""``make fuzz``: runs cases, minimizes and saves the files of problems, prints a table."""

from __future__ import annotations

import argparse
import contextlib
import os
import secrets
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

from fuzz import guided, properties
from fuzz.cases import make
from fuzz.kinds import KINDS
from fuzz.minimize import mark_of, minimized
from fuzz.pool import Batch, Problem, Tally, work
from fuzz.seeds import ROOT
from fuzz.worker import attempt, limit

OUT = ROOT / "fuzz/out"
_BATCH = 50
_TOLD = 20_000
# Shares of the time for atheris and hypothesis.
_GUIDED, _PROPERTIES = 0.25, 0.15


def main(arguments: list[str]) -> int:
    """Run the fuzzer; exit code 1 if there are problems."""
    options = _options(arguments)
    kinds = options.kinds or list(KINDS)
    OUT.mkdir(parents=True, exist_ok=True)
    if options.show:
        return _show(options.show, options.seed)
    print(f"seed {options.seed}: `python -m fuzz --seed {options.seed} --show KIND/NUMBER` runs one case")
    found: dict[str, Problem] = {}
    rest = float(options.seconds)
    if not options.cases:
        rest -= _report("atheris", guided.run(kinds, options.seconds * _GUIDED, options.seed, OUT), found)
        rest -= _report(
            "hypothesis", properties.run(options.seconds * _PROPERTIES, options.seed, OUT), found
        )
    tallies = _mutated(kinds, options, max(rest, 1.0), found)
    _table(tallies)
    return 1 if found else 0


def _options(arguments: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0, help="duration, unless --cases is given")
    parser.add_argument("--cases", type=int, default=0, help="number of cases, from the mutators only")
    parser.add_argument("--seed", default=secrets.token_hex(4), help="random seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes")
    parser.add_argument("--show", metavar="KIND/NUMBER", help="run one case here and write its file")
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"one of {', '.join(KINDS)}")
    options = parser.parse_args(arguments)
    if unknown := [k for k in options.kinds if k not in KINDS]:
        parser.error(f"unknown kind: {', '.join(unknown)}")
    return options


def _show(wanted: str, seed: str) -> int:
    kind, number = wanted.rsplit("/", 1)
    case = make(kind, int(number), seed)
    path = OUT / f"{kind}-{number}{_suffix(case.name)}"
    path.write_bytes(case.data)
    limit()
    outcome = attempt(case, Random(f"use {seed}/{kind}/{number}"))
    print(f"{path}: {case.mutator} of {case.name}, {len(case.data)} bytes: {outcome.said}")
    print(outcome.problem, end="")
    return 1 if outcome.problem else 0


def _suffix(name: str) -> str:
    return "".join(Path(name).suffixes[-1:])


def _report(name: str, done: tuple[float, str, list[Problem]], found: dict[str, Problem]) -> float:
    """Print the summary and new problems of a driver; returns its seconds."""
    seconds, said, problems = done
    print(f"{name}: {said} ({seconds:.0f} s)", flush=True)
    for problem in problems:
        if problem.mark not in found:
            found[problem.mark] = problem
            print(f"*** {problem.mark}\n{problem.text}", flush=True)
    return seconds


def _batches(kinds: list[str], options: argparse.Namespace, until: float) -> Iterator[Batch]:
    """Batches of all kinds in turn, until the time has elapsed or the number is reached."""
    first = 0
    each = -(-options.cases // len(kinds)) if options.cases else 0
    while (first < each) if each else (time.monotonic() < until):
        end = min(first + _BATCH, each) if each else first + _BATCH
        for kind in kinds:
            if each or time.monotonic() < until:
                yield kind, first, end, options.seed
        first = end


def _mutated(
    kinds: list[str], options: argparse.Namespace, seconds: float, found: dict[str, Problem]
) -> dict[str, Tally]:
    """Run the mutators; Ctrl-C stops them and keeps the statistics."""
    tallies = {kind: Tally() for kind in kinds}
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    told = 0
    with contextlib.suppress(KeyboardInterrupt):
        for answer in work(_batches(kinds, options, time.monotonic() + seconds), options.jobs):
            if answer.done is not None:
                tallies[answer.batch[0]].add(answer.done)
            for problem in answer.problems:
                if problem.mark not in found:
                    found[problem.mark] = problem
                    _keep(problem)
            done = sum(tally.cases for tally in tallies.values())
            if done // _TOLD > told:
                told = done // _TOLD
                print(f"{done} cases", flush=True)
    return tallies


def _keep(problem: Problem) -> None:
    """Minimize and save the file of a problem."""
    case = make(problem.kind, problem.number, problem.seed)
    use = f"use {problem.seed}/{problem.kind}/{problem.number}"
    print(f"*** {problem.kind}/{problem.number} ({case.mutator} of {case.name}): {problem.mark}")
    print(problem.text[-1500:], flush=True)
    if mark_of(case, use) == problem.mark:
        case = minimized(case, lambda smaller: mark_of(smaller, use) == problem.mark)
    folder = OUT / f"{problem.kind}-{problem.number}-{problem.seed}"
    folder.mkdir(exist_ok=True)
    for name, data in {**case.beside, case.name: case.data}.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (folder / "WHY.txt").write_text(f"seed {problem.seed}\n{problem.mark}\n{problem.text}\n", "utf-8")
    print(f"    saved: {folder / case.name}, {len(case.data)} bytes", flush=True)


def _table(tallies: dict[str, Tally]) -> None:
    print(f"\n{'kind':<18}{'cases':>8}{'CPU s':>8}{'slowest':>9}  outcomes")
    for kind, tally in tallies.items():
        said = ", ".join(f"{n} {what}" for what, n in tally.outcomes.most_common(4))
        print(f"{kind:<18}{tally.cases:>8}{tally.seconds:>8.0f}{tally.slowest:>8.2f}s  {said}")
    cases, seconds = sum(t.cases for t in tallies.values()), sum(t.seconds for t in tallies.values())
    bugs = sum(t.outcomes["bug"] for t in tallies.values())
    print(f"{'all':<18}{cases:>8}{seconds:>8.0f}           {bugs} bugs")
    mutators = sum(
        (t.mutators for t in tallies.values()), start=type(next(iter(tallies.values())).mutators)()
    )
    print("by mutator: " + ", ".join(f"{name} {n}" for name, n in mutators.most_common()))
