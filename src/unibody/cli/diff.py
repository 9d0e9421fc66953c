"""Show the differences between two models, of any formats.

Links, joints and devices are matched by name, or found to be renamed. Numbers are compared to about
1e-12, rotations by their angle, mesh files by their content. The verdict about kinematics and masses
is computed at random configurations; then come the differences, grouped by what they matter for.
Equal models print nothing.

"-" reads a model from standard input. Relative files of standard input, a pipe or a <(command) are looked
for in the current folder.
"""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from unibody.cli.options import (
    SHARED,
    add_json,
    add_meshes,
    add_reading,
    formats_in,
    join_arguments,
    read_input,
)
from unibody.cli.output import UsageError, emit, emit_data, emit_failure, report
from unibody.model.metadata import ASPECTS
from unibody.text.near import near

if TYPE_CHECKING:
    from unibody.conversion.comparison import Comparison
    from unibody.formats.loader import Reading
    from unibody.model.facts import Difference

EXAMPLE = "unibody diff robot.body robot.urdf"
CODES = """\
exit codes: 0 the models are equal (in the selected aspects), 1 they differ, 2 wrong usage, or a model
could not be read
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("first", metavar="A", help="a model file, or - for standard input")
    parser.add_argument("second", metavar="B", help="another model file, or -")
    parser.add_argument(
        "--format",
        choices=("text", "lines", "markdown", "json", "csv"),
        default="text",
        help="output format: text in groups (default), lines with one difference each, markdown, "
        "json (the same as --json) or csv",
    )
    parser.add_argument(
        "--only",
        metavar="ASPECTS",
        type=_aspects,
        help="compare only these aspects, separated by commas: " + ", ".join(ASPECTS),
    )
    parser.add_argument(
        "--ignore",
        metavar="ASPECTS",
        type=_aspects,
        default=(),
        help="ignore these aspects, such as looks,cosmetics",
    )
    parser.add_argument(
        "--all", action="store_true", help="list all elements of each difference in the text"
    )
    parser.add_argument(
        "--tolerance",
        type=_size,
        default=0.0,
        metavar="T",
        help="ignore differences of numbers up to T·(1 + |number|) and of rotations up to T rad",
    )
    add_reading(parser, models=2)
    add_meshes(parser)
    add_json(parser)


def _aspects(text: str) -> tuple[str, ...]:
    names = tuple(word.strip() for word in text.split(",") if word.strip())
    for name in names:
        if name not in ASPECTS:
            alike = near(name, ASPECTS)
            hint = f"; did you mean '{alike}'?" if alike else f"; the aspects are {', '.join(ASPECTS)}"
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
    from unibody.conversion.comparison import compare
    from unibody.model.facts import diff

    if options.first == options.second == "-":
        raise UsageError("only one of the models can be read from standard input")
    readings: list[Reading] = [
        read_input(path, format, options)
        for path, format in zip((options.first, options.second), formats_in(options), strict=True)
    ]
    join_arguments(readings)
    report([f for f in readings[0].findings if f.code in SHARED], False)
    a, b = (r.robot for r in readings)
    if a is None or b is None or not all(r.ok for r in readings):
        for r in readings:
            report([f for f in r.findings if f.severity == "error"], False)
        if options.json or options.format == "json":
            emit_failure(f for r in readings for f in r.findings)
        return 2
    found = [d for d in diff(a, b) if not _within(d, options.tolerance)]
    as_json = options.json or options.format == "json"
    names = [r.source.name if r.source else "" for r in readings]
    if not as_json and options.format != "csv":
        names = [" with ".join((name, *r.beside)) for name, r in zip(names, readings, strict=True)]
    comparison = compare(a, b, found, (names[0], names[1]), options.tolerance)
    wanted = [x for x in options.only or ASPECTS if x not in options.ignore]
    comparison = comparison.of(wanted)
    if as_json:
        beside = {key: dict(r.beside) for key, r in zip("ab", readings, strict=True)}
        emit_data({**comparison.json(), "beside": beside})
    elif comparison.facts or options.format == "csv":
        emit(_lines(comparison, options))
    return int(bool(comparison.facts))


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
