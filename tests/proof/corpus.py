"""Proves the model files of ../shared in engines, one process after the other, into a table.

``python -m tests.proof.corpus --format urdf --out FILE.tsv`` goes on where the table ends;
``--again differs`` proves those rows anew, ``--summary`` counts verdicts only. The columns are those of
:class:`Row`.
"""

from __future__ import annotations

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from tests.corpus.outcomes import outcomes
from tests.shared import SHARED

from unibody.formats import detect
from unibody.proof.comparison import QUANTITIES, Deviation
from unibody.proof.engines import engines_of
from unibody.proof.proving import given_from, prove_given
from unibody.proof.result import EngineResult
from unibody.text.counted import listed

FOLDERS = ("corpus/dev/", "corpus/more/")
# A format's files, by the outcome of tests/corpus/outcomes.tsv: parts are read where others refer to them.
MODELS = ("robot", "scene")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """What one engine has of one file: verdict, causes or reason, deviation furthest beyond tolerance."""

    file: str
    engine: str
    verdict: str
    words: str = ""
    unexplained: str = ""
    largest: str = ""
    notes: str = ""
    states: str = ""
    seconds: str = ""
    title: str = ""

    @classmethod
    def of(cls, file: str, result: EngineResult, seconds: float) -> Row:
        """The row of a result."""
        words = "; ".join([result.reason] * bool(result.reason) + [*map(str, result.causes)])
        return cls(
            file=file,
            engine=result.engine,
            verdict=result.verdict,
            words=_plain(words),
            unexplained=", ".join(result.unexplained),
            largest=_largest((result.deviations or {}).values()),
            notes=_plain("; ".join(result.notes)),
            states=str(result.states),
            seconds=f"{seconds:.1f}",
            title=result.title,
        )


NAMES = tuple(field.name for field in fields(Row))


def _plain(text: str) -> str:
    return " ".join(text.split())


def _largest(found: Iterable[Deviation]) -> str:
    """The deviation that is furthest beyond its tolerance."""
    known = [each for each in found if each.largest]
    if not known:
        return ""
    worst = max(known, key=lambda each: each.largest / max(each.tolerance, 1e-300))
    unit = QUANTITIES[worst.quantity].unit
    return f"{worst.quantity} {worst.largest:.3g} {unit}".rstrip() + f" at {worst.owner}"


def models(format: str) -> list[str]:
    """The files of a format that are read without an error, below ../shared."""
    names = [x for x, outcome in outcomes().items() if outcome in MODELS and x.startswith(FOLDERS)]
    return sorted(name for name in names if _has_format(SHARED / name, format))


def _has_format(path: Path, format: str) -> bool:
    if not path.is_file():
        return False
    text = path.read_bytes().decode("latin-1")
    found = detect(path.name, text[:4096], text)
    return found is not None and found.name == format


def read_table(path: Path) -> list[Row]:
    """The rows of a table; none if there is no file."""
    lines = path.read_text("utf-8").splitlines()[1:] if path.exists() else []
    return [Row(**dict(zip(NAMES, line.split("\t"), strict=True))) for line in lines]


def write_table(path: Path, rows: Iterable[Row]) -> None:
    """Write a table with these rows."""
    path.write_text("".join(["\t".join(NAMES) + "\n", *map(_line, rows)]), "utf-8")


def _line(row: Row) -> str:
    return "\t".join(getattr(row, name) for name in NAMES) + "\n"


def rows_of(name: str, engines: Sequence[str], *, states: int, seconds: float) -> Iterator[Row]:
    """What each engine has of a file, read once."""
    given = given_from(SHARED / name, None, {}, plain=True)
    for engine in engines:
        start = time.monotonic()
        proof = prove_given(given, given, engines=[engine], states=states, seconds=seconds)
        yield Row.of(name, proof[engine], time.monotonic() - start)


def summary(rows: Iterable[Row]) -> str:
    """How many files have which verdict, by engine; "unexplained" are those that differ without a cause."""
    by_engine: dict[str, Counter[str]] = {}
    for row in rows:
        by_engine.setdefault(row.engine, Counter())[row.verdict] += 1
    return "\n".join(
        f"{engine}: " + listed([f"{count} {verdict}" for verdict, count in sorted(found.items())], 9)
        for engine, found in by_engine.items()
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Prove the files that the table does not have yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--format", default="urdf")
    parser.add_argument("--engine", default=None, help="names, separated by commas; all by default")
    parser.add_argument("--states", type=int, default=30)
    parser.add_argument("--seconds", type=float, default=120.0, help="the most that an engine may take")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="", help="a part of the path of the files")
    parser.add_argument("--again", default="", help="verdicts whose rows are made anew, or all")
    parser.add_argument("--summary", action="store_true")
    options = parser.parse_args(arguments)
    engines = [engine.name for engine in engines_of(options.engine)]
    again = options.again.split(",")

    def is_stale(row: Row) -> bool:
        mine = row.engine in engines and options.only in row.file
        return mine and ("all" in again or row.verdict in again)

    kept = [row for row in read_table(options.out) if not is_stale(row)]
    if options.summary:
        print(summary(kept))
        return
    write_table(options.out, kept)
    done = {(row.file, row.engine) for row in kept}
    for name in models(options.format):
        left = [engine for engine in engines if (name, engine) not in done]
        if options.only not in name or not left:
            continue
        for row in rows_of(name, left, states=options.states, seconds=options.seconds):
            with options.out.open("a", encoding="utf-8") as out:
                out.write(_line(row))
            print(row.engine, row.verdict, row.seconds, row.file, row.words[:80], flush=True)
    print(summary(read_table(options.out)))


if __name__ == "__main__":
    main()
