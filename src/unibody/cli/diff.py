"""Show the differences between two models, of any formats.

Links, joints and devices are matched by name, and renamed ones are detected. Numbers are compared to about
1e-12, rotations by their angle, mesh files by their content. The verdict about kinematics and masses is
computed at random configurations. The differences follow, grouped by aspect. If a file has a side-car,
which only unibody reads, the last line compares the files as other programs read them.

Two folders are compared by the relative paths of their models. A model without a counterpart is compared
with the only one of the same name and another suffix. Models in one folder only are differences.

"-" reads a model from standard input. Relative files of standard input, a pipe or a <(command) are
searched in the current folder.
"""

from __future__ import annotations

import argparse
import math
import os
import time
from collections import Counter
from typing import TYPE_CHECKING, Any

from unibody.cli import collection
from unibody.cli.declaration import Option, add
from unibody.cli.options import (
    JSON,
    SHARED,
    join_arguments,
    read_input,
    read_options,
    reading_options,
    sides,
)
from unibody.cli.output import UsageError, emit, emit_data, emit_errors, emit_failure, report
from unibody.model.metadata import ASPECTS
from unibody.text.near import suggestion

if TYPE_CHECKING:
    from unibody.batch.collection import Collection
    from unibody.batch.record import FileRecord
    from unibody.conversion.comparison import Comparison
    from unibody.formats.loader import Reading
    from unibody.model.facts import Difference
    from unibody.model.robot import Robot

EXAMPLE = "unibody diff robot.body robot.urdf"
CODES = (
    """\
exit codes: 0 the models are equal (in the selected aspects), 1 they differ, 2 wrong usage, or a model
could not be read; of two folders, 1 also if a model is in one of them only
"""
    + collection.CODES
)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    add(
        parser,
        Option("A", "a model file, - for standard input, or a folder", keyword="first"),
        Option("B", "another model file, or -, or another folder", keyword="second"),
        Option(
            "--format {text,lines,markdown,json,jsonl,csv}",
            "output format: text in groups (default), lines with one difference each, markdown, "
            "json (the same as --json) or csv; jsonl is one line for each file of folders",
            default="text",
        ),
        Option(
            "--only ASPECTS",
            "compare only these aspects, separated by commas: " + ", ".join(ASPECTS),
            _aspects,
        ),
        Option(
            "--ignore ASPECTS",
            "ignore these aspects, such as looks,cosmetics",
            _aspects,
            default=(),
        ),
        Option("--all", "list all elements of each difference in the text"),
        Option("--plain", "read no side-cars, as other programs read the files"),
        Option(
            "--tolerance T",
            "ignore differences of numbers up to T·(1 + |number|) and of rotations up to T rad",
            _size,
            default=0.0,
        ),
        *reading_options(models=2),
        JSON,
    )
    collection.add_collection(parser)


def _aspects(text: str) -> tuple[str, ...]:
    names = tuple(word.strip() for word in text.split(",") if word.strip())
    for name in names:
        if name not in ASPECTS:
            hint = suggestion(name, ASPECTS, f"the aspects are {', '.join(ASPECTS)}")
            raise argparse.ArgumentTypeError(f"unknown aspect '{name}'{hint}")
    if not names:
        raise argparse.ArgumentTypeError("expected aspects separated by commas")
    return names


def _size(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0.0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"expected a number of at least 0, got '{text}'")
    return value


def run(options: argparse.Namespace) -> int:
    """Print the differences; return the exit code."""
    folders = [os.path.isdir(path) for path in (options.first, options.second)]
    if all(folders):
        return _run_many(options)
    if any(folders):
        one = options.first if folders[0] else options.second
        raise UsageError(f"{one} is a folder, the other one is not; compare two files, or two folders")
    if options.format == "jsonl" or options.log or options.resume or options.cluster:
        raise UsageError("--format jsonl, --log, --resume and --cluster are for two folders")
    return _run_one(options)


def _run_one(options: argparse.Namespace) -> int:
    if options.first == options.second == "-":
        raise UsageError("only one of the models can be read from standard input")
    paths = (options.first, options.second)
    inputs = list(zip(paths, sides(options), strict=True))
    readings = [_read(path, side, options.plain) for path, side in inputs]
    join_arguments(readings)
    report([f for f in readings[0].findings if f.code in SHARED], False)
    a, b = (r.robot for r in readings)
    if a is None or b is None or not all(r.ok for r in readings):
        for r in readings:
            report([f for f in r.findings if f.severity == "error"], False)
        if options.json or options.format == "json":
            emit_failure(f for r in readings for f in r.findings)
        return 2 if options.fail_on is None else int(options.fail_on != "never")
    as_json = options.json or options.format == "json"
    names = [r.source.name if r.source else "" for r in readings]
    if not as_json and options.format != "csv":
        names = [" with ".join((name, *r.beside)) for name, r in zip(names, readings, strict=True)]
    comparison = _compared(a, b, (names[0], names[1]), options)
    others = None
    if not options.plain and any(map(_may_have_sidecar, readings)):
        plain = [_read(path, side, True).robot if os.path.isfile(path) else None for path, side in inputs]
        if plain[0] is not None and plain[1] is not None and plain != [a, b]:
            others = _compared(plain[0], plain[1], (names[0], names[1]), options)
    if as_json:
        beside = {key: dict(r.beside) for key, r in zip("ab", readings, strict=True)}
        plainly = None if others is None else {"same": not others.facts, "verdict": others.verdict}
        emit_data({**comparison.json(), "other_programs": plainly, "beside": beside})
    elif comparison.facts or options.format == "csv":
        emit(_lines(comparison, options))
        if others is not None and options.format == "text":
            emit([f"for other programs, which do not read side-cars: {_seen(others, options)}"])
    elif options.format == "text":
        seen = _seen(comparison, options)
        if others is not None and others.facts:
            seen = f"{seen}, through the side-car; for other programs: {_seen(others, options)}"
        emit([seen])
    return int(options.fail_on != "never" and bool(comparison.facts))


def _read(path: str, side: argparse.Namespace, plain: bool) -> Reading:
    """Read one of the two models with its options."""
    return read_input(path, side.source_format, side, shared=True, plain=plain)


def _may_have_sidecar(reading: Reading) -> bool:
    """Whether the text of a model has the word that begins a side-car."""
    return reading.source is not None and "unibody" in reading.source.text


def _seen(comparison: Comparison, options: argparse.Namespace) -> str:
    """The verdict of a comparison, "equal" if the selected aspects are."""
    if comparison.facts:
        return comparison.verdict
    return "equal in the selected aspects" if options.only or options.ignore else "equal"


def _compared(a: Robot, b: Robot, names: tuple[str, str], options: argparse.Namespace) -> Comparison:
    """The differences in the selected aspects."""
    from unibody.conversion.comparison import compare
    from unibody.model.facts import diff

    found = [d for d in diff(a, b) if not _within(d, options.tolerance)]
    wanted = [x for x in options.only or ASPECTS if x not in options.ignore]
    return compare(a, b, found, names, options.tolerance).of(wanted)


def _run_many(options: argparse.Namespace) -> int:
    """Compare the models of two folders; print a line for each that differs."""
    from unibody.cli.summary import error_lines
    from unibody.text.counted import counted

    if options.format not in ("text", "json", "jsonl"):
        raise UsageError(f"--format {options.format} is for two files; use text, json or jsonl for folders")
    for side in sides(options):
        read_options(side)
    options.json = options.json or options.format == "json"
    files = _pairs(options.first, options.second)

    def differs(record: FileRecord) -> bool:
        return not (record.ok and record.value["equal"])

    def fails(record: FileRecord) -> bool:
        return options.fail_on != "never" and differs(record)

    with collection.done("diff", files, diff_file, options, fails) as outcome:
        if not collection.emit_records(outcome.records(), options):
            differ = 0
            for record in outcome.records():
                if differs(record):
                    differ += 1
                    emit([_row(record, options)])
            emit(
                [f"{differ} of {counted(len(files), 'model')} differ" if differ else "all models are equal"]
            )
            emit_errors(error_lines(outcome.records()))
    return outcome.code


def _pairs(first: str, second: str) -> Collection:
    """The models to compare, by their path in the folders: those of the first, then what it lacks."""
    from unibody.batch.collection import Collection, InnerPaths

    out = Collection()
    for folder, other in ((first, ""), (second, first)):
        found = collection.found_files([folder])
        inner_path = InnerPaths([folder])
        for path in found:
            inner = inner_path(path)
            if not other or _counterpart(other, inner) is None:
                out.add(inner)
        out.skipped += found.skipped
        out.problems += found.problems
    return out


def _counterpart(folder: str, inner: str) -> str | None:
    """The model in a folder with this relative path, or the only one that differs in its suffix."""
    from unibody.formats.recognition import is_model

    path = os.path.join(folder, inner)
    if os.path.isfile(path):
        return path
    stem = os.path.splitext(os.path.basename(inner))[0]
    try:
        names = os.listdir(os.path.dirname(path))
    except OSError:
        return None
    alike = [
        os.path.join(os.path.dirname(path), name) for name in names if os.path.splitext(name)[0] == stem
    ]
    alike = [one for one in alike if is_model(one)]
    return alike[0] if len(alike) == 1 else None


def diff_file(inner: str, options: argparse.Namespace) -> FileRecord:
    """Compare the models of two folders with a relative path; its value counts differences by aspect."""
    from unibody.batch.record import FileRecord, states

    start = time.time_ns()
    paths = [_counterpart(folder, inner) for folder in (options.first, options.second)]
    value: dict[str, Any] = {"a": paths[0], "b": paths[1], "equal": False}
    there = [path for path in paths if path is not None]
    if len(there) < 2:
        missing = os.path.join(options.second if paths[0] else options.first, inner)
        return FileRecord(path=inner, value=value, reads=states([*there, missing], start))
    readings = [_read(path, side, options.plain) for path, side in zip(there, sides(options), strict=True)]
    join_arguments(readings)
    reads = states(collection.files_of(there[1], *readings) | {there[0]}, start)
    a, b = (reading.robot for reading in readings)
    if a is None or b is None or not all(reading.ok for reading in readings):
        findings = tuple(f.json("command") for r in readings for f in r.findings if f.severity == "error")
        return FileRecord(path=inner, value=value, findings=findings, reads=reads)
    comparison = _compared(a, b, (there[0], there[1]), options)
    aspects = Counter(fact.aspect for fact in comparison.facts)
    value |= {"equal": not comparison.facts, "aspects": dict(aspects), "verdict": comparison.verdict}
    return FileRecord(path=inner, value=value, reads=reads)


def _row(record: FileRecord, options: argparse.Namespace) -> str:
    """What differs, in one line."""
    value = record.value or {}
    if record.failure or "aspects" in value or (value["a"] and value["b"]):
        what = ", ".join(f"{aspect} ×{count}" for aspect, count in value.get("aspects", {}).items())
        verdict = value.get("verdict", "cannot be compared")
        return f"{record.path}: {verdict} ({what})" if what else f"{record.path}: cannot be compared"
    return f"{record.path}: only in {options.first if value['a'] else options.second}"


def _lines(comparison: Comparison, options: argparse.Namespace) -> list[str]:
    if options.format == "lines":
        return comparison.lines()
    if options.format == "text":
        return comparison.text(whole=options.all)
    written = comparison.markdown() if options.format == "markdown" else comparison.csv()
    return written.splitlines()


def _within(difference: Difference, tolerance: float) -> bool:
    """Whether both values are numbers, or lists of numbers, within the tolerance."""
    if not tolerance or difference.kind != "changed":
        return False
    a, b = difference.before, difference.after
    if difference.unit == "quat":
        return _angle(a, b) <= tolerance
    x, y = (_numbers(v) for v in (a, b))
    if x is None or y is None or len(x) != len(y):
        return False
    return all(p == q or abs(p - q) <= tolerance * (1.0 + abs(p)) for p, q in zip(x, y, strict=True))


def _numbers(value: Any) -> list[float] | None:
    """The numbers of a number or of nested lists as a flat list; None for other values."""
    out: list[float] = []
    todo = [value]
    while todo:
        v = todo.pop()
        if isinstance(v, bool) or not (isinstance(v, int | float) or hasattr(v, "__len__")):
            return None
        if isinstance(v, str):
            return None
        if isinstance(v, int | float):
            out.append(float(v))
        else:
            todo.extend(v)
    return out


def _angle(a: Any, b: Any) -> float:
    """The angle between two quaternions, in rad."""
    dot = abs(sum(x * y for x, y in zip(a, b, strict=True)))
    gap = min(
        math.dist(a, b),
        math.dist(a, [-v for v in b]),
    )
    return 4.0 * math.asin(min(1.0, gap / 2.0)) if dot > 0.0 else math.pi
