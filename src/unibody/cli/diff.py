"""Show the differences between two models, of any formats.

Links, joints and devices are matched by name, or found to be renamed. Numbers are compared to about
1e-12, rotations by their angle, mesh files by their content. Equal models print nothing.
"""

from __future__ import annotations

import argparse
import math
from typing import TYPE_CHECKING, Any

from unibody.cli.options import add_json, add_reading, formats_in, join_arguments, reach
from unibody.cli.output import emit, emit_data, report

if TYPE_CHECKING:
    from unibody.formats.loader import Reading
    from unibody.model.facts import Difference

EXAMPLE = "unibody diff robot.body robot.urdf"
CODES = """\
exit codes: 0 the models are equal, 1 they differ, 2 wrong usage, or a model could not be read
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("first", metavar="A", help="a model file")
    parser.add_argument("second", metavar="B", help="another model file")
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="output format (json is --json)"
    )
    parser.add_argument(
        "--tolerance",
        type=_size,
        default=0.0,
        metavar="T",
        help="ignore differences of numbers up to T·(1 + |number|) and of rotations up to T rad",
    )
    add_reading(parser, models=2)
    add_json(parser)


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
    from unibody.formats.loader import read
    from unibody.model.facts import diff

    readings: list[Reading] = [
        read(path, format, arguments=dict(options.arg), **reach(options))
        for path, format in zip((options.first, options.second), formats_in(options), strict=True)
    ]
    join_arguments(readings)
    report([f for f in readings[0].findings if f.code == "argument-unknown"], False)
    a, b = (r.robot for r in readings)
    if a is None or b is None or not all(r.ok for r in readings):
        for r in readings:
            report([f for f in r.findings if f.severity == "error"], False)
        return 2
    found = [d for d in diff(a, b) if not _within(d, options.tolerance)]
    if options.json or options.format == "json":
        emit_data({"same": not found, "differences": [d.json() for d in found]})
    else:
        emit(map(str, found))
    return int(bool(found))


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
