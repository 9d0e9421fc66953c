"""Hypothesis: random documents of each format, generated from the declarations of the readers.

They are written as text, damaged by one mutator or none, and read. Hypothesis makes what fails small.
"""

from __future__ import annotations

import subprocess
import sys
import time
import zlib
from collections import Counter
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from fuzz.cases import Case, damaged
from fuzz.kinds import FORMATS
from fuzz.pool import Problem
from fuzz.seeds import ROOT

_EXAMPLES = 100_000


def run(seconds: float, seed: str, out: Path) -> tuple[float, str, list[Problem]]:
    """Run hypothesis in a new process for some time: seconds, summary, problems."""
    started = time.monotonic()
    command = [sys.executable, "-m", "fuzz.properties", str(seconds), seed, str(out)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    lines = done.stdout.splitlines() or ["nothing"]
    problems: list[Problem] = []
    if done.returncode:
        mark = lines[-1] if lines[-1].startswith("FAILED") else f"hypothesis ended with {done.returncode}"
        problems.append(Problem("hypothesis", -1, seed, mark, done.stderr[-6000:]))
    return time.monotonic() - started, lines[0], problems


def _with_children(root: type[Any], children: list[Any]) -> Any:
    return root(children=children)


def _documents() -> dict[str, Any]:
    """The document strategies of the formats, taken from the tests."""
    from hypothesis import strategies as st
    from tests.document.strategies import Syntax, documents
    from tests.formats import test_roundtrip as plain
    from tests.formats.inventor.test_document import WRITABLE
    from tests.formats.mpk.test_roundtrip import VALUES
    from tests.formats.openhrp.test_roundtrip import FILES

    out: dict[str, Any] = {}
    for name, format in FORMATS.items():
        root = format.declarations().root
        match format.syntax:
            case "xml":
                out[name] = documents(root, plain.XML)
            case "yaml":
                out[name] = documents(root, plain.YAML)
            case "rob":
                out[name] = documents(root, Syntax(st.builds(list), VALUES))
            case "inventor" if not format.marks:
                out[name] = documents(root, Syntax(nodes=WRITABLE))
            case "vrml":
                out[name] = FILES.map(partial(_with_children, root))
    return out


class _TimeoutError(BaseException):
    """Ends hypothesis when the time has elapsed."""


def main(seconds: str, seed: str, out: str) -> None:
    """Run random documents until the time has elapsed; a failing example is saved."""
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
            raise _TimeoutError
        kind, document = drawn
        format = FORMATS[kind]
        name = f"m{format.suffixes[0]}"
        try:
            tag = format.magic[0].lstrip("<") if format.syntax == "xml" else ""
            root = unbind(document, format.writer().tag if format.writer is not None else tag)
            data = format.reader().print(root, None).encode("utf-8", "replace")
        except ValueError:
            return
        rng = Random(number)
        if number % 2:
            data = damaged(rng, kind, name, data)[1]
        count[kind] += 1
        outcome = attempt(Case(kind, "hypothesis", name, data), rng)
        if outcome.problem:
            (Path(out) / f"hypothesis-{kind}{format.suffixes[0]}").write_bytes(data)
            failed[:] = [outcome.mark]
            raise AssertionError(outcome.problem)

    try:
        one()
    except _TimeoutError:
        pass
    finally:
        print(f"{sum(count.values())} documents: {dict(count)}")
        if failed:
            print(f"FAILED {failed[0]}")


if __name__ == "__main__":
    main(*sys.argv[1:4])
