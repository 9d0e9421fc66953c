"""Controls as tables of text: CSV with a header, and the patterns of OpenHRP (.pos, .vel, .torque)."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from unibody.mechanism import Mechanism
from unibody.mechanism.columns import Column, ColumnError, doubled, find_column, split_unit
from unibody.model.joint_kind import KINDS
from unibody.simulation.control import Control, Floats, Mode, numbered, sizes
from unibody.text.counted import counted
from unibody.text.finding import Findings
from unibody.text.number import format_float, parse_float
from unibody.text.source import Source, Span

# The words before the names of a record's columns that are no positions.
_RECORDED = ("velocity", "effort", "sensor")
_TIMES = ("time", "t", "time_from_start")
_LINE = re.compile(r"[^\r\n]*")
_WORD = re.compile(r"\S+")
_HEADER = "begin with a line such as: time,shoulder,elbow"
#: What to do about a word that is no number, and about times that decrease.
NUMBER = "write a number, or leave the line out: values between lines are interpolated"
SORT = "sort the rows by time"
# Numbers beyond this have no place in a computation with rates.
_LARGEST = 1e100
# How far (rad) values are beyond a limit that are looked at as degrees, and how far these may be beyond it.
_FAR, _ROUGHLY = 1.0, 0.1
# Columns that are named.
_MOST_NAMED = 6
# Findings of one file: the first mistakes are enough.
_MOST_FINDINGS = 20

#: The suffixes of OpenHRP's pattern files and what they command.
PATTERNS: dict[str, Mode] = {".pos": "position", ".vel": "velocity", ".torque": "effort"}
#: Other files of a pattern, which command no joint.
REFERENCES = {
    ".acc": "accelerations",
    ".hip": "orientations of the base",
    ".rpy": "orientations of the base",
    ".waist": "poses of the base",
    ".zmp": "zero moment points",
    ".gait": "phases of the gait",
    ".wrenches": "wrenches",
    ".optionaldata": "further data",
}


@dataclass(frozen=True, slots=True)
class _Row:
    """A line that has numbers: its words and their places."""

    words: list[str]
    places: list[tuple[int, int]]
    start: int
    end: int

    def span(self, source: Source, index: int) -> Span:
        """The place of a word."""
        return Span(source, *self.places[index])

    def whole(self, source: Source) -> Span:
        """The place of the line."""
        return Span(source, self.start, self.end)


def read_csv(source: Source, mechanism: Mechanism, mode: Mode, findings: Findings) -> Control | None:
    """Read a control as CSV; None if it has errors, which are findings.

    The header names ``time`` and joints: ``knee``, ``knee[deg]``, and ``wrist.0`` for the first number of
    several. Seven columns of the root link are where a free base begins. Of the table of a record
    (``Record.csv``) the columns of the mode are taken.
    """
    rows = _csv_rows(source)
    header = next(rows, None)
    if header is None:
        findings.error("control-columns", f"{source.name} has no rows", Span(source, 0, 0), _HEADER)
        return None
    names = [name.strip() for name in header.words]
    timed = next((i for i, name in enumerate(names) if name.lower() in _TIMES), None)
    if timed is None:
        hint = _HEADER if parse_float(names[0] or "x") is None else f"{_HEADER}; this line has numbers"
        message = "the header has no column 'time'"
        findings.error("control-columns", message, header.whole(source), hint)
        return None
    columns = _columns(source, header, names, timed, mechanism, mode, findings)
    taken = {timed, *(index for index, *_ in columns or ())}
    ignored = set() if columns is None else set(range(len(names))) - taken
    table = _numbers(source, rows, len(names), timed, findings, ignored)
    if columns is None or table is None:
        return None
    values = table[:, [index for index, *_ in columns]] * [factor for *_, factor in columns]
    if mode == "position":
        _check_degrees(source, header, names, columns, values, mechanism, findings)
    found = [column for _, column, _ in columns]
    root = mechanism.link_names[mechanism.order[0]]
    based = [i for i, (name, _) in enumerate(found) if name == root]
    kept = [i for i in range(len(found)) if i not in based]
    return Control(
        name=os.path.basename(source.name),
        mode=mode,
        times=table[:, timed],
        columns=[found[i] for i in kept],
        values=values[:, kept],
        base=values[:, sorted(based, key=lambda i: found[i][1])] if len(based) == 7 else None,
    )


def _columns(
    source: Source,
    header: _Row,
    names: Sequence[str],
    timed: int,
    mechanism: Mechanism,
    mode: Mode,
    findings: Findings,
) -> list[tuple[int, Column, float]] | None:
    """Places of the columns that are taken, what they are, and factors of units; None if one is wrong."""
    before = len(findings)
    known = sizes(mechanism, mode)
    if mechanism.base == "free":
        known.setdefault(mechanism.link_names[mechanism.order[0]], 7)
    out = []
    for index, name in _taken(names, timed, mode, known):
        try:
            column, factor = find_column(name, known)
        except ColumnError as error:
            listed = ", ".join(list(known)[:12]) + (", …" if len(known) > 12 else "")
            at = header.span(source, index)
            findings.error("control-columns", str(error), at, f"the joints are: {listed}")
            continue
        if mode == "effort" and split_unit(name)[1]:
            message = f"column {name!r} has a unit; efforts are in N·m or N"
            findings.error("control-columns", message, header.span(source, index), "remove the unit")
            continue
        out.append((index, column, factor))
    twice = doubled(tuple(column for _, column, _ in out))
    if twice is not None:
        message = f"joint {twice[0]!r} has two columns"
        findings.error("control-columns", message, header.whole(source), "remove one of them")
    if not out and len(findings) == before:
        message = "the file has times, but no joints"
        findings.error("control-columns", message, header.whole(source), _HEADER)
    return out if len(findings) == before else None


def _check_degrees(
    source: Source,
    header: _Row,
    names: Sequence[str],
    columns: Sequence[tuple[int, Column, float]],
    values: Floats,
    mechanism: Mechanism,
    findings: Findings,
) -> None:
    """Report columns of rotations without a unit that lie far outside the limits, but not as degrees."""
    turning = {j.name: j.limits.position for j in mechanism.robot.joints if KINDS[j.kind].angular}
    found = []
    for (index, (joint, _), _), column in zip(columns, values.T, strict=True):
        low, high = turning.get(joint, (-np.inf, np.inf))
        if split_unit(names[index])[1] or not low <= high:
            continue
        beyond = max(low - column.min(), column.max() - high)
        as_degrees = np.radians(column)
        fits = low - _ROUGHLY <= as_degrees.min() and as_degrees.max() <= high + _ROUGHLY
        if beyond > _FAR and fits:
            found.append((index, column))
    if found:
        index, column = found[0]
        worst = format_float(float(column[np.abs(column).argmax()]))
        listed = ", ".join(repr(names[index]) for index, _ in found[:_MOST_NAMED])
        more = f" and {len(found) - _MOST_NAMED} more" if len(found) > _MOST_NAMED else ""
        findings.warning(
            "control-degrees",
            f"{listed}{more}: the values (up to {worst}) are far outside the limits in rad, but not in "
            "degrees; using rad",
            header.span(source, index),
            f"name the column {names[index]}[deg] if they are in degrees",
        )


def _taken(
    names: Sequence[str], timed: int, mode: Mode, known: Collection[str]
) -> Iterator[tuple[int, str]]:
    """The columns beside the time that belong to the mode, with their names."""
    recorded = [name.partition(":")[0] if name not in known else "" for name in names]
    is_record = any(word in _RECORDED for word in recorded)
    for index, name in enumerate(names):
        word = recorded[index] if recorded[index] in _RECORDED else "position"
        if index != timed and (word == mode or not is_record):
            yield index, name.partition(":")[2] if is_record and word != "position" else name


def read_pattern(source: Source, mechanism: Mechanism, mode: Mode, findings: Findings) -> Control | None:
    """Read a table of OpenHRP: in each line the time and one number for each joint id, without a header."""
    order = numbered(mechanism)
    rows = _pattern_rows(source)
    first = next(rows, None)
    if first is None:
        findings.error(
            "control-columns",
            f"{source.name} has no rows",
            Span(source, 0, 0),
            "write the time and one number for each joint id in each line",
        )
        return None
    count = len(first.words) - 1
    if count != len(order):
        findings.error(
            "control-columns",
            f"the line has {len(first.words)} numbers; expected {len(order) + 1}: the time, and one for "
            f"each of the joint ids 0 to {len(order) - 1} of the robot",
            first.whole(source),
            "use a pattern made for this robot, or a CSV file, whose header names the joints",
        )
        return None
    table = _numbers(source, chain([first], rows), count + 1, 0, findings)
    if table is None:
        return None
    kept = [i for i, name in enumerate(order) if name is not None]
    return Control(
        name=os.path.basename(source.name),
        mode=mode,
        times=table[:, 0],
        columns=[(str(order[i]), 0) for i in kept],
        values=table[:, [i + 1 for i in kept]],
    )


def read_base(source: Source, control: Control, findings: Findings) -> Floats | None:
    """The poses (k, 7) of a pattern's ``.waist`` file at the times of a control; None if it has errors.

    Its lines have the time, x, y, z (m), and roll, pitch, yaw (rad).
    """
    rows = _pattern_rows(source)
    table = _numbers(source, rows, 7, 0, findings)
    if table is None:
        return None
    at = [np.interp(control.times, table[:, 0], table[:, i]) for i in range(1, 7)]
    return np.column_stack([*at[:3], *quaternions(*at[3:])])


def quaternions(roll: Floats, pitch: Floats, yaw: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """w, x, y, z of rotations about X, then Y, then Z (fixed axes)."""
    (a, b, c), (u, v, w) = ([f(0.5 * x) for x in (roll, pitch, yaw)] for f in (np.cos, np.sin))
    return (
        a * b * c + u * v * w,
        u * b * c - a * v * w,
        a * v * c + u * b * w,
        a * b * w - u * v * c,
    )


def _lines(source: Source) -> Iterator[tuple[str, int]]:
    """The lines that are not empty and no comments, with their offsets."""
    for found in _LINE.finditer(source.text):
        line = found[0]
        if line.strip() and not line.lstrip().startswith("#"):
            yield line, found.start()


def _csv_rows(source: Source) -> Iterator[_Row]:
    mark = ""
    for line, start in _lines(source):
        mark = mark or max(",;\t", key=line.count)
        places, at = [], start
        words = line.split(mark)
        for word in words:
            places.append((at, at + len(word)))
            at += len(word) + 1
        if '"' in line:
            words = next(csv.reader([line], delimiter=mark))
            # A quoted name may hold the mark: then the places are those of the line.
            if len(words) != len(places):
                places = [(start, start + len(line))] * len(words)
        yield _Row(words, places, start, start + len(line))


def _pattern_rows(source: Source) -> Iterator[_Row]:
    for line, start in _lines(source):
        found = list(_WORD.finditer(line))
        places = [(start + word.start(), start + word.end()) for word in found]
        yield _Row([word[0] for word in found], places, start, start + len(line))


def is_command(value: float | None) -> bool:
    """Whether a number can be a time or a command: it is there, finite, and not beyond all measure."""
    return value is not None and abs(value) <= _LARGEST


def _numbers(
    source: Source,
    rows: Iterator[_Row],
    width: int,
    timed: int,
    findings: Findings,
    ignored: Collection[int] = (),
) -> Floats | None:
    """The numbers (k, width) of the rows, 0 in ``ignored`` columns; the times must not decrease."""
    before = len(findings)
    out: list[list[float]] = []
    for row in rows:
        if len(findings) - before >= _MOST_FINDINGS:
            break
        if len(row.words) != width:
            message = f"the line has {counted(len(row.words), 'value')}; expected {width}"
            findings.error("control-columns", message, row.whole(source), "write one value for each column")
            continue
        values = [0.0 if i in ignored else parse_float(word.strip()) for i, word in enumerate(row.words)]
        bad = next((i for i, v in enumerate(values) if not is_command(v)), None)
        if bad is not None:
            message = f"{row.words[bad].strip()[:40]!r} is no number that can be commanded"
            findings.error("control-number", message, row.span(source, bad), NUMBER)
            continue
        numbers = [float(v) for v in values if v is not None]
        if out and numbers[timed] < out[-1][timed]:
            message = f"time {format_float(numbers[timed])} s comes after {format_float(out[-1][timed])} s"
            findings.error("control-time", message, row.span(source, timed), SORT)
            continue
        out.append(numbers)
    if len(findings) > before:
        return None
    if not out:
        message = f"{source.name} has no rows with numbers"
        findings.error("control-columns", message, Span(source, 0, 0), "write one line for each time")
        return None
    return np.array(out, np.float64)
