"""Tables of motions: CSV with a header, and JSON as lists by name or a list of objects."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import numpy as np

from unibody.mechanism import Mechanism
from unibody.mechanism.tree import BASE_SIZE, BASE_VELOCITY_SIZE
from unibody.model.arrays import Floats
from unibody.model.joint_kind import KINDS
from unibody.motions.columns import (
    Column,
    ColumnError,
    Quantity,
    actuator_names,
    column_names,
    doubled,
    find_column,
    root_link,
    sizes,
    split_unit,
)
from unibody.motions.motion import Motion, MotionError
from unibody.motions.notation import LARGEST, NUMBER, SORT, MotionFile, Written, count_numbers, is_number
from unibody.text.counted import counted, listed
from unibody.text.finding import Findings
from unibody.text.json import parser as json_parser
from unibody.text.number import format_float, parse_float, parse_floats, vanishes
from unibody.text.source import Source, Span

#: The words before the names of columns that are not positions.
PREFIXES: dict[str, Quantity] = {
    "velocity": "velocity",
    "acceleration": "acceleration",
    "effort": "effort",
}
# Columns with this word before their names hold readings of sensors.
_SENSOR = "sensor"
_TIMES = ("time", "t", "time_from_start")
_LINE = re.compile(r"[^\r\n]*")
_WORD = re.compile(r"\S+")
# Cells with several words, and blanks beside separators.
_WORDS = re.compile(r"[^\s,][ \t]+[^\s,]")
_BLANKS = re.compile(r"[ \t]+")
_HEADER = "begin with a line such as: time,shoulder,elbow"
_JSON_EXAMPLE = 'write such as {"time": [0, 1], "elbow": [0, 0.5]}'
_JSON = "expected lists of numbers by name, or a list of objects with a number for each name"
# How far (rad) values are beyond a limit that are looked at as degrees, and how far these may be beyond it.
_FAR, _ROUGHLY = 1.0, 0.1
# Columns that are named.
_MOST_NAMED = 6
# Findings of one file: the first mistakes are enough.
_MOST_FINDINGS = 20

Place = Callable[[int | None], Span | None]


@dataclass(frozen=True, slots=True)
class Row:
    """A line that has numbers: its words and their places."""

    words: list[str]
    places: list[tuple[int, int]]
    start: int
    end: int

    def span(self, source: Source, index: int | None) -> Span:
        """The place of a word, or of the line."""
        return Span(source, *((self.start, self.end) if index is None else self.places[index]))


@dataclass(frozen=True, slots=True)
class _Found:
    """A column of a table: its index, what it is, and the factor of its unit."""

    index: int
    column: Column
    factor: float


def read_csv(file: MotionFile) -> Motion | None:
    """Read a table: a header of ``time`` and joints, then numbers; rows without times are a path.

    ``knee[deg]`` is in degrees, ``wrist.0`` the first number of several; seven columns of the root link
    are the base. ``velocity:``, ``acceleration:`` and ``effort:`` stand before names of rates. Names of
    actuators of an MJCF file that are of no joint have controls.
    """
    source, findings = file.source, file.findings
    rows = _csv_rows(source)
    header = next(rows, None)
    if header is None:
        findings.error("control-columns", f"{source.name} has no rows", Span(source, 0, 0), _HEADER)
        return None
    names = [name.strip() for name in header.words]
    if all(parse_float(name) is not None for name in names):
        message = "the first line must name the columns, got numbers"
        findings.error("control-columns", message, header.span(source, None), _HEADER)
        return None
    columns = _Columns(file, names, lambda index: header.span(source, index))
    table = _fast(source, header, columns)
    if table is None:
        table = numbers(source, rows, len(names), columns.time, findings, columns.ignored)
    return None if table is None else columns.motion(table)


def is_json(file: MotionFile) -> bool:
    """Whether the text begins as JSON does."""
    return file.begin in ("{", "[")


def read_json(file: MotionFile) -> Motion | None:
    """Read lists of numbers by the names of columns, or a list of objects with a number for each name."""
    source, findings = file.source, file.findings
    good, data = json_parser.loads(source, findings)
    if not good:
        return None
    start = Span(source, 0, 1)
    if isinstance(data, list) and data and all(isinstance(row, dict) for row in data):
        names = list(dict.fromkeys(name for row in data for name in row))
        lists = [[row.get(name) for row in data] for name in names]
    elif isinstance(data, dict) and data and all(isinstance(each, list) for each in data.values()):
        names, lists = list(data), list(data.values())
    else:
        findings.error("control-format", _JSON, start, _JSON_EXAMPLE)
        return None
    longest = max(map(len, lists), default=0)
    if not longest:
        findings.error("control-columns", f"{source.name} has no rows", start, _JSON_EXAMPLE)
        return None
    short = next((name for name, each in zip(names, lists, strict=True) if len(each) != longest), None)
    if short is not None:
        count = counted(len(lists[names.index(short)]), "number")
        message = f"the list of {short!r} has {count}; expected {longest}"
        findings.error("control-columns", message, start, "write as many for each name")
        return None
    count_numbers(source, longest * len(names))
    columns = _Columns(file, names, lambda index: start)
    table = np.zeros((longest, len(names)))
    for index, (name, each) in enumerate(zip(names, lists, strict=True)):
        if index in columns.ignored:
            continue
        found = each if set(map(type, each)) <= {float, int} else [json_number(value) for value in each]
        wrong = next((i for i, value in enumerate(found) if not is_number(value)), None)
        if wrong is not None:
            message = f"{name!r} in row {wrong + 1} must be a finite number, got {str(each[wrong])[:40]!r}"
            findings.error("control-number", message, start, NUMBER)
            return None
        table[:, index] = found
    return columns.motion(table)


def json_number(value: Any) -> float | None:
    """A number, also one as text; None for anything else, and for one that underflows to zero."""
    if isinstance(value, str):
        return None if vanishes(value) else parse_float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


class _Columns:
    """What the columns of a table are: ``time`` is the index of the times, ``ignored`` are not read."""

    def __init__(self, file: MotionFile, names: Sequence[str], place: Place) -> None:
        self._file, self.names, self._place = file, names, place
        self.time = next((i for i, name in enumerate(names) if name.lower() in _TIMES), None)
        self._before = len(file.findings)
        self._found: dict[Quantity, list[_Found]] = {}
        self._controls: dict[str, int] = {}
        self.ignored = set(range(len(names))) - {self.time}
        self._find()

    @property
    def ok(self) -> bool:
        """Whether the header has no errors."""
        return len(self._file.findings) == self._before

    def _find(self) -> None:
        mechanism, findings = self._file.mechanism, self._file.findings
        root = root_link(mechanism)
        positions, rates = sizes(mechanism, "position"), sizes(mechanism, "velocity")
        has_own_name = root not in rates
        joints = [*rates, *([root] if mechanism.base == "free" and has_own_name else [])]
        actuators = actuator_names(mechanism.robot)
        positions.setdefault(root, BASE_SIZE)
        rates.setdefault(root, BASE_VELOCITY_SIZE)
        words = [name.partition(":")[0] if name not in positions else "" for name in self.names]
        labelled = any(word in PREFIXES or word == _SENSOR for word in words)
        unlabelled: Quantity = "position" if labelled else self._file.quantity or "position"
        for index, (name, word) in enumerate(zip(self.names, words, strict=True)):
            if index == self.time or (labelled and word == _SENSOR):
                continue
            quantity = PREFIXES.get(word, unlabelled) if labelled else unlabelled
            text = name.partition(":")[2] if labelled and word in PREFIXES else name
            if not labelled and text.partition(".")[0] == root and has_own_name:
                quantity = "position"  # where the base begins
            sized = positions if quantity == "position" else rates
            if name not in sized and name in actuators and name not in self._controls:
                self._controls[name] = index
                self.ignored.discard(index)
                continue
            try:
                column, factor = find_column(text, sized)
            except ColumnError as error:
                hint = f"the joints are: {listed(joints, 12)}"
                findings.error("control-columns", str(error), self._place(index), hint)
                continue
            if quantity == "effort" and split_unit(text)[1]:
                message = f"column {name!r} has a unit; efforts are in N·m or N"
                findings.error("control-columns", message, self._place(index), "remove the unit")
                continue
            self._found.setdefault(quantity, []).append(_Found(index, column, factor))
            self.ignored.discard(index)
        for found in self._found.values():
            twice = doubled(tuple(each.column for each in found))
            if twice is not None:
                message = f"joint {twice[0]!r} has two columns"
                findings.error("control-columns", message, self._place(None), "remove one of them")
        if not (self._found or self._controls) and self.ok:
            message = "the file has no joints" if self.time is None else "the file has times, but no joints"
            findings.error("control-columns", message, self._place(None), _HEADER)

    def motion(self, table: Floats) -> Motion | None:
        """The motion of the rows of the table; None if the header has errors."""
        if not self.ok:
            return None
        if self.time is not None and not _ascends(table[:, self.time]):
            times = table[:, self.time]
            row = int(np.flatnonzero(times[1:] < times[:-1])[0]) + 1
            first, then = table[row, self.time], table[row - 1, self.time]
            message = f"time {format_float(first)} s comes after {format_float(then)} s"
            self._file.findings.error("control-time", message, self._place(None), SORT)
            return None
        arrays = {what: self._values(found, table) for what, found in self._found.items()}
        positions = self._found.get("position", [])
        if positions:
            self._check_degrees(positions, table)
        rated = [what for what in self._found if what != "position"]
        rates = [each.column for each in self._found[rated[0]]] if rated else []
        values: dict[Quantity, Floats] = {}
        for what in rated:
            own = [each.column for each in self._found[what]]
            if set(own) == set(rates):
                values[what] = arrays[what][:, [own.index(each) for each in rates]]
                continue
            message = f"the columns of {what} are ignored: they are not of the joints of {rated[0]}"
            self._file.findings.info("control-ignored", message, self._place(None))
        return Motion(
            name=self._file.name,
            columns=tuple(each.column for each in positions),
            q=arrays.get("position", np.zeros((len(table), 0))),
            times=None if self.time is None else table[:, self.time],
            rates=tuple(rates),
            velocities=values.get("velocity"),
            accelerations=values.get("acceleration"),
            efforts=values.get("effort"),
            controls={name: table[:, index] for name, index in self._controls.items()},
        )

    def _values(self, found: Sequence[_Found], table: Floats) -> Floats:
        out: Floats = table[:, [each.index for each in found]] * [each.factor for each in found]
        return out

    def _check_degrees(self, found: Sequence[_Found], table: Floats) -> None:
        """Report rotations without a unit that lie far outside the limits, but not as degrees."""
        joints = self._file.mechanism.robot.joints
        turning = {j.name: j.limits.position for j in joints if KINDS[j.kind].angular}
        wrong = []
        for each in found:
            column = table[:, each.index]
            low, high = turning.get(each.column[0], (-np.inf, np.inf))
            if split_unit(self.names[each.index])[1] or not low <= high:
                continue
            beyond = max(low - column.min(), column.max() - high)
            as_degrees = np.radians(column)
            fits = low - _ROUGHLY <= as_degrees.min() and as_degrees.max() <= high + _ROUGHLY
            if beyond > _FAR and fits:
                wrong.append((each.index, column))
        if wrong:
            index, column = wrong[0]
            worst = format_float(float(column[np.abs(column).argmax()]))
            named = listed((repr(self.names[index]) for index, _ in wrong), _MOST_NAMED)
            self._file.findings.warning(
                "control-degrees",
                f"{named}: the values (up to {worst}) are far outside the limits in rad, but not in "
                "degrees; using rad",
                self._place(index),
                f"name the column {self.names[index]}[deg] if they are in degrees",
            )


def _ascends(times: Floats) -> bool:
    return bool((times[1:] >= times[:-1]).all())


# --- rows of text -----------------------------------------------------------------------


def _fast(source: Source, header: Row, columns: _Columns) -> Floats | None:
    """The rows of a table (k, n) in one conversion; None if it has a fault or an unusual form."""
    text, width = source.text[header.end :], len(columns.names)
    mark = _mark(source.text[header.start : header.end])
    if '"' in text or "#" in text or (mark != "," and "," in text):
        return None
    lines = [line for line in text.replace("\r", "\n").split("\n") if line.strip()]
    body = "\n".join(lines).replace(mark, ",")
    if " " in body or "\t" in body:  # rare, and searching a long text takes as long as converting it
        if _WORDS.search(body):
            return None
        body = _BLANKS.sub("", body)
    if not lines or any(line.count(mark) != width - 1 for line in lines):
        return None
    if body[0] == "," or body[-1] == "," or ",," in body or ",\n" in body or "\n," in body:
        return None  # an empty cell
    count_numbers(source, len(lines) * width)
    try:
        table = parse_floats(body).reshape(len(lines), width)
    except ValueError:
        return None
    taken = [i for i in range(width) if i not in columns.ignored]
    if not (np.abs(table[:, taken]) <= LARGEST).all():
        return None
    return table if columns.time is None or _ascends(table[:, columns.time]) else None


def _mark(line: str) -> str:
    """The separator of a table, by its header."""
    return max(",;\t", key=line.count)


def _lines(source: Source) -> Iterator[tuple[str, int]]:
    """The lines that are not empty and not comments, with their offsets."""
    for found in _LINE.finditer(source.text):
        line = found[0]
        if line.strip() and not line.lstrip().startswith("#"):
            yield line, found.start()


def _csv_rows(source: Source) -> Iterator[Row]:
    mark = ""
    for line, start in _lines(source):
        mark = mark or _mark(line)
        places, at = [], start
        words = line.split(mark)
        for word in words:
            places.append((at, at + len(word)))
            at += len(word) + 1
        if '"' in line:
            with suppress(csv.Error):  # a cell beyond the limit of the reader is not a name or a number
                words = next(csv.reader([line], delimiter=mark), words)
            # A quoted name may hold the mark: then the places are those of the line.
            if len(words) != len(places):
                places = [(start, start + len(line))] * len(words)
        yield Row(words, places, start, start + len(line))


def spaced_rows(source: Source) -> Iterator[Row]:
    """The rows of a text whose numbers are separated by white space."""
    for line, start in _lines(source):
        found = list(_WORD.finditer(line))
        places = [(start + word.start(), start + word.end()) for word in found]
        yield Row([word[0] for word in found], places, start, start + len(line))


def numbers(
    source: Source,
    rows: Iterator[Row],
    width: int,
    time: int | None,
    findings: Findings,
    ignored: Collection[int] = (),
    layout: str = "write one value for each column",
) -> Floats | None:
    """The numbers (k, width) of rows, 0 in ``ignored`` columns; None with findings if one is wrong.

    The numbers of the column ``time`` must not decrease. ``layout`` is the hint on what a row has.
    """
    before = len(findings)
    out: list[list[float]] = []
    for row in rows:
        if len(findings) - before >= _MOST_FINDINGS:
            break
        if len(row.words) != width:
            message = f"the line has {counted(len(row.words), 'value')}; expected {width}"
            findings.error("control-columns", message, row.span(source, None), layout)
            continue
        values = [0.0 if i in ignored else _number(word) for i, word in enumerate(row.words)]
        bad = next((i for i, value in enumerate(values) if not is_number(value)), None)
        if bad is not None:
            message = f"expected a finite number, got {row.words[bad].strip()[:40]!r}"
            findings.error("control-number", message, row.span(source, bad), NUMBER)
            continue
        numbers = [float(value) for value in values if value is not None]
        if time is not None and out and numbers[time] < out[-1][time]:
            message = f"time {format_float(numbers[time])} s comes after {format_float(out[-1][time])} s"
            findings.error("control-time", message, row.span(source, time), SORT)
            continue
        out.append(numbers)
    if len(findings) > before:
        return None
    if not out:
        message = f"{source.name} has no rows with numbers"
        findings.error("control-columns", message, Span(source, 0, 0), "write a line for each row")
        return None
    count_numbers(source, len(out) * width)
    return np.array(out, np.float64)


def _number(word: str) -> float | None:
    text = word.strip()
    return None if vanishes(text) else parse_float(text)


# --- writing ----------------------------------------------------------------------------


def table(motion: Motion, mechanism: Mechanism) -> tuple[list[str], Floats]:
    """The names of the columns of a motion as a table, and its numbers (n, columns)."""
    rates = {
        "velocity": motion.velocities, "acceleration": motion.accelerations, "effort": motion.efforts
    }  # fmt: skip
    return tabulated(mechanism, motion.times, (motion.columns, motion.q), motion.rates, rates)


def tabulated(
    mechanism: Mechanism,
    times: Floats | None,
    positions: tuple[tuple[Column, ...], Floats],
    columns: tuple[Column, ...],
    rates: Mapping[str, Floats | None],
) -> tuple[list[str], Floats]:
    """The names of columns and their numbers (n, columns): times, positions, and rates after their word."""
    names = [] if times is None else ["time"]
    parts = [] if times is None else [times[:, None]]
    names += column_names(positions[0], mechanism, "position")
    parts.append(positions[1])
    for word, values in rates.items():
        if values is not None:
            names += [f"{word}:{name}" for name in column_names(columns, mechanism, "velocity")]
            parts.append(values)
    return names, np.concatenate(parts, axis=1)


def format_csv(names: Sequence[str], values: Floats) -> str:
    """A table (n, columns) as CSV, with all digits."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows([list(map(repr, row)) for row in values.tolist()])
    return out.getvalue()


def write_csv(motion: Motion, mechanism: Mechanism, suffix: str) -> Written:
    """A motion as a table."""
    return {suffix: format_csv(*table(motion, mechanism)).encode()}


def write_json(motion: Motion, mechanism: Mechanism, suffix: str) -> Written:
    """A motion as lists of numbers by name."""
    names, values = table(motion, mechanism)
    data: Mapping[str, Any] = dict(zip(names, values.T.tolist(), strict=True))
    if len(data) != len(names):
        raise MotionError("two columns have the same name")
    return {suffix: (json.dumps(data) + "\n").encode()}
