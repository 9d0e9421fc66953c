"""MPK plans (.pln): paths of normalized configurations, one per line after an asterisk."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unibody.files.access import FileError, Files, write_atomic
from unibody.text.dataclass import dataclass
from unibody.text.decode import decode
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.number import format_float, number_prefix, parse_float, parse_floats, vanishes
from unibody.text.source import Source, Span

# A line: its text and its comment.
_LINE = re.compile(r"([^\r\n#]*)(#[^\r\n]*)?(?:\r\n?|\n|\Z)")
_WORD = re.compile(r"\S+")
_PLAIN = re.compile(r"[ \t]*\*([ \t][-+.0-9eE \t]*)\Z")
_MOST_FINDINGS = 100


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan:
    """A path of normalized configurations: ``points`` (k, n), joined by straight segments.

    ``comments`` are (number of configurations before the comment, text). A plan converts to an array
    (k, n).
    """

    points: NDArray[np.float64]
    comments: tuple[tuple[int, str], ...] = ()
    findings: tuple[Finding, ...] = field(default=(), repr=False)

    @property
    def ok(self) -> bool:
        """Whether the plan has configurations and no errors."""
        return len(self.points) > 0 and all(f.severity != "error" for f in self.findings)

    def __array__(self, dtype: object = None, copy: bool | None = None) -> NDArray[np.float64]:
        return np.array(self.points, dtype=np.float64)

    def __len__(self) -> int:
        return len(self.points)


def read_plan(path: str | os.PathLike[str], files: Files | None = None) -> Plan:
    """Read a plan; invalid lines are reported as findings and skipped, never raised.

    >>> read_plan("nowhere.pln").findings[0].code
    'file-missing'
    """
    findings = Findings()
    name = os.fspath(path)
    try:
        source = decode((files or Files()).read(name), name, findings)
    except (FileError, TextError) as e:
        findings.append(e.finding)
        return Plan(points=np.empty((0, 0)), findings=tuple(findings))
    return parse_plan(source, findings)


def parse_plan(source: Source, findings: Findings | None = None) -> Plan:
    """Parse a plan; findings are stored in the plan and appended to ``findings``.

    >>> parse_plan(Source("a.pln", "* 0 0.5\\n* 1 0.25 # there\\n")).points
    array([[0.  , 0.5 ],
           [1.  , 0.25]])
    """
    noted = Findings() if findings is None else findings
    lines: list[_Line] = []
    comments: list[tuple[int, str]] = []
    for found in _LINE.finditer(source.text):
        if found[1].strip():
            lines.append(_Line(source, found[1], found.start(1)))
        if found[2]:
            comments.append((len(lines), found[2].rstrip()))
        if found.end() == len(source.text):
            break
    points = _parse_all(lines)
    if points is None:
        points = _parse_each(lines, noted)
    if not len(points) and not any(f.severity == "error" for f in noted):
        noted.error("empty", f"{source.name} has no configurations", Span(source, 0, 1))
    _check_range(points, lines, noted)
    return Plan(points=points, comments=tuple(comments), findings=tuple(noted))


@dataclass(frozen=True, slots=True)
class _Line:
    source: Source
    text: str
    start: int

    def span(self, start: int, end: int) -> Span:
        return Span(self.source, self.start + start, self.start + end)

    def words(self) -> Iterator[tuple[str, Span]]:
        """The words of the line without the asterisk, with their places."""
        for found in _WORD.finditer(self.text.replace("*", " ", 1) if self.starred else self.text):
            yield found[0], self.span(found.start(), found.end())

    @property
    def starred(self) -> bool:
        return self.text.lstrip().startswith("*")


def _parse_all(lines: list[_Line]) -> NDArray[np.float64] | None:
    """Parse all lines at once; None unless all have an asterisk and the same number of values."""
    bodies = []
    for line in lines:
        found = _PLAIN.match(line.text)
        if not found:
            return None
        bodies.append(found[1])
    counts = {len(body.split()) for body in bodies}
    if len(counts) != 1 or not bodies:
        return None
    try:
        values = parse_floats(" ".join(bodies))
    except ValueError:
        return None
    return values.reshape(len(bodies), -1) if np.isfinite(values).all() else None


def _parse_each(lines: list[_Line], findings: Findings) -> NDArray[np.float64]:
    """Parse line by line; invalid lines are reported and skipped."""
    rows: list[list[float]] = []
    wrong = 0
    for line in lines:
        row = _row(line, len(rows[0]) if rows else None, findings)
        if row is not None:
            rows.append(row)
            continue
        wrong += 1
        if wrong >= _MOST_FINDINGS:
            message = f"{wrong} invalid lines; the rest is not read"
            findings.error("plan-line", message, line.span(0, len(line.text)))
            break
    return np.array(rows, dtype=np.float64).reshape(len(rows), -1 if rows else 0)


def _row(line: _Line, count: int | None, findings: Findings) -> list[float] | None:
    if not line.starred:
        hint = "write a configuration as * and its numbers, a comment as # and text"
        findings.error("plan-line", "line does not start with '*'", _first(line), hint)
        return None
    out: list[float] = []
    for text, place in line.words():
        value = parse_float(text)
        if value is None or not np.isfinite(value) or vanishes(text):
            read = format_float(number_prefix(text) or 0.0)
            findings.error("plan-number", f"'{text[:60]}' is not a number; MPK reads it as {read}", place)
            return None
        out.append(value)
    if not out or (count is not None and len(out) != count):
        wanted = "at least one" if count is None else f"{count}, as in the first line"
        message = f"configuration has {len(out)} numbers instead of {wanted}"
        findings.error("plan-length", message, _first(line))
        return None
    return out


def _first(line: _Line) -> Span:
    found = _WORD.search(line.text)
    return line.span(found.start(), found.end()) if found else line.span(0, 1)


def _check_range(points: NDArray[np.float64], lines: list[_Line], findings: Findings) -> None:
    """Report values outside [0, 1] once, at the first one."""
    outside = np.argwhere((points < 0.0) | (points > 1.0))
    if len(outside):
        first = points[tuple(outside[0])]
        for line in lines:
            for text, place in line.words() if line.starred else ():
                if parse_float(text) == first:
                    more = f", and {len(outside) - 1} more" if len(outside) > 1 else ""
                    findings.warning(
                        "plan-range",
                        f"{format_float(float(first))} is outside [0, 1]{more}; kept unchanged",
                        place,
                        "normalize the coordinates of a plan",
                    )
                    return


def format_plan(plan: Plan | ArrayLike) -> str:
    """Format a plan with exact numbers and its comments; ValueError unless finite and of shape (k, n).

    >>> format_plan([[0.0, 0.5], [1.0, 0.25]])
    '*\\t0 0.5\\n*\\t1 0.25\\n'
    """
    points = np.asarray(plan.points if isinstance(plan, Plan) else plan, dtype=np.float64)
    if points.ndim != 2 or not np.isfinite(points).all():
        raise ValueError(f"a plan must be an array (k, n) of finite numbers, not of shape {points.shape}")
    notes = list(plan.comments) if isinstance(plan, Plan) else []
    out: list[str] = []
    for number, row in enumerate([*points.tolist(), None]):
        while notes and (notes[0][0] <= number or row is None):
            out.append(notes.pop(0)[1])
        if row is not None:
            out.append("*\t" + " ".join(format_float(v) for v in row))
    return "".join(f"{line}\n" for line in out)


def write_plan(plan: Plan | ArrayLike, path: str | os.PathLike[str], overwrite: bool = False) -> None:
    """Write a plan (k, n); FileExistsError if the file exists and ``overwrite`` is not set.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_plan([[0.0, 0.5], [1.0, 0.25]], f"{folder}/a.pln")
    ...     len(read_plan(f"{folder}/a.pln"))
    2
    """
    data = format_plan(plan).encode()
    try:
        write_atomic(os.fspath(path), data, overwrite)
    except FileExistsError:
        raise FileExistsError(f"{os.fspath(path)} exists; pass overwrite=True to replace it") from None
