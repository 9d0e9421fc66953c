"""Hypothesis: random documents of every format, from the declarations that the readers are made of.

They are written as text, damaged by one mutator or none, and read. Hypothesis makes what fails small.
"""

from __future__ import annotations

import subprocess
import sys
import time
import zlib
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from fuzz.cases import Case, damaged
from fuzz.mutate_tree import SYNTAXES
from fuzz.pool import Problem
from fuzz.seeds import ROOT

# The files that documents of a format are written as.
_NAMES = {"urdf": "m.urdf", "body": "m.body", "openhrp": "m.wrl", "inventor": "m.iv", "mpk": "m.rob"}
_EXAMPLES = 100_000


def run(seconds: float, seed: str, out: Path) -> tuple[float, str, list[Problem]]:
    """Random documents for a time, in a process of its own: seconds, what was done, problems."""
    started = time.monotonic()
    command = [sys.executable, "-m", "fuzz.properties", str(seconds), seed, str(out)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    lines = done.stdout.splitlines() or ["nothing"]
    problems: list[Problem] = []
    if done.returncode:
        mark = lines[-1] if lines[-1].startswith("FAILED") else f"hypothesis ended with {done.returncode}"
        problems.append(Problem("hypothesis", -1, seed, mark, done.stderr[-6000:]))
    return time.monotonic() - started, lines[0], problems


def _documents() -> dict[str, Any]:
    """The strategies that the tests of the formats have."""
    from hypothesis import strategies as st
    from tests.document.strategies import Syntax, documents
    from tests.formats import test_roundtrip as plain
    from tests.formats.inventor.test_document import WRITABLE
    from tests.formats.mpk.test_roundtrip import VALUES
    from tests.formats.openhrp.test_roundtrip import FILES

    from unibody.formats.body.document import Body
    from unibody.formats.inventor.document import Model
    from unibody.formats.mpk.document import Robot as MpkRobot
    from unibody.formats.openhrp.document import File
    from unibody.formats.urdf.document import Robot

    return {
        "urdf": documents(Robot, plain.XML),
        "body": documents(Body, plain.YAML),
        "openhrp": FILES.map(lambda children: File(children=children)),
        "inventor": documents(Model, Syntax(nodes=WRITABLE)),
        "mpk": documents(MpkRobot, Syntax(st.builds(list), VALUES)),
    }


class _Over(BaseException):
    """The time is over."""


def main(seconds: str, seed: str, out: str) -> None:
    """Random documents until the time is over; the last example is kept when it fails."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    from fuzz.worker import attempt, limit
    from unibody.document.unbind import unbind

    limit()
    made = _documents()
    until = time.monotonic() + float(seconds)
    count: Counter[str] = Counter()
    failed: list[str] = []

    @seeded(zlib.crc32(seed.encode()))
    @settings(
        max_examples=_EXAMPLES,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate, Phase.shrink],
        report_multiple_bugs=False,
    )
    @given(st.sampled_from(sorted(made)).flatmap(lambda kind: st.tuples(st.just(kind), made[kind])),
           st.integers(0, 2**32))  # fmt: skip
    def one(drawn: tuple[str, Any], number: int) -> None:
        if time.monotonic() > until:
            raise _Over
        kind, document = drawn
        try:
            root = unbind(document, "robot" if kind in ("urdf", "mpk") else "")
            data = SYNTAXES[kind].show(root).encode("utf-8", "replace")
        except ValueError:
            return
        rng = Random(number)
        if number % 2:
            data = damaged(rng, kind, _NAMES[kind], data)[1]
        count[kind] += 1
        outcome = attempt(Case(kind, "hypothesis", _NAMES[kind], data), rng)
        if outcome.problem:
            (Path(out) / f"hypothesis-{kind}{Path(_NAMES[kind]).suffix}").write_bytes(data)
            failed[:] = [outcome.mark]
            raise AssertionError(outcome.problem)

    try:
        one()
    except _Over:
        pass
    finally:
        print(f"{sum(count.values())} documents: {dict(count)}")
        if failed:
            print(f"FAILED {failed[0]}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
