"""What programs will do with a model file, as findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from unibody.checks.engines.conditions import Hit, Model, hits, settings
from unibody.checks.engines.rows import Engine, Row
from unibody.files.access import Files
from unibody.formats.loader import Reading
from unibody.text.finding import Finding


def forecast(
    reading: Reading, findings: Sequence[Finding], engines: Iterable[Engine], files: Files
) -> list[Finding]:
    """What each program does otherwise with a model file that was read; ``findings`` are those of it."""
    if reading.robot is None or not reading.robot.links or reading.format is None:
        return []
    model = Model(robot=reading.robot, reading=reading, findings=findings, files=files)
    return [finding for engine in engines for finding in _of_engine(engine, model, reading.format.name)]


def _of_engine(engine: Engine, model: Model, format: str) -> Iterator[Finding]:
    if format not in engine.reads:
        formats = " and ".join(each.upper() for each in engine.reads)
        message = f"{engine.title} does not read this format; it reads {formats}"
        yield Finding("engine-rejects", "error", message, hint=f"unibody convert --to {engine.reads[0]}")
        return
    stated = settings(model.reading)
    for row in engine.rows:
        if format in row.formats and not stated.intersection(row.unless):
            for hit in hits(row.when, model, row.of):
                yield _finding(engine, row, hit)


def _finding(engine: Engine, row: Row, hit: Hit) -> Finding:
    code = "engine-rejects" if row.severity == "error" else "engine-reads-otherwise"
    message = f"{engine.title} {row.does.format(name=hit.name, other=hit.other)}"
    subject = "" if hit.path.startswith("at ") else hit.path
    return Finding(code, row.severity, message, hit.at, row.remedy, subject=subject)
