"""Text tables with aligned columns; empty columns are left out."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from unibody.cli.terminal import clean


@dataclass(frozen=True, slots=True)
class Column:
    """Title and alignment of a column, the gap before it, and its rank for being dropped.

    ``point`` aligns numbers at their decimal points. A title spans the untitled columns after it.
    If the window is too narrow, the cells of columns that are ``cut`` lose their start; then the columns
    with the highest ``drop`` are left out first; those with 0 are always shown.
    """

    title: str = ""
    align: Literal["left", "right", "point"] = "left"
    gap: int = 2
    drop: int = 0
    cut: bool = False


Rows = Sequence[Sequence[str]]

# The width to which cells are cut at most.
_SHORTEST = 24


def width(text: str) -> int:
    """The number of terminal columns of a text; wide East Asian characters take two.

    >>> width("腕_L"), width("arm")
    (4, 3)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text
    )


def table(columns: Sequence[Column], rows: Rows, limit: int | None = None, indent: int = 2) -> list[str]:
    """The lines of a table, with a line of titles if any column has one.

    >>> print("\\n".join(table([Column("link"), Column("kg", "point")], [["arm", "1.5"], ["leg", "12"]])))
      link    kg
      arm    1.5
      leg   12
    """
    cells = [[clean(cell) for cell in row] for row in rows]
    filled = [any(row[i] for row in cells) for i in range(len(columns))]
    kept = [i for i in range(len(columns)) if filled[i] or _titles_filled(columns, filled, i)]
    while True:
        lines = _lines([columns[i] for i in kept], [[row[i] for i in kept] for row in cells], indent)
        excess = max(map(width, lines), default=0) - limit if limit is not None else 0
        if excess <= 0:
            return lines
        if any(_cut(cells, i, excess) for i in kept if columns[i].cut):
            continue
        rank = max((columns[i].drop for i in kept), default=0)
        if not rank:
            return lines
        kept = [i for i in kept if columns[i].drop != rank]


def _cut(cells: list[list[str]], column: int, excess: int) -> bool:
    """Cut the cells of a column to be narrower by ``excess``, as far as possible; whether any was."""
    wanted = max(_SHORTEST, max((width(row[column]) for row in cells), default=0) - excess)
    long = [row for row in cells if width(row[column]) > wanted]
    for row in long:
        row[column] = shortened(row[column], wanted)
    return bool(long)


def shortened(text: str, limit: int) -> str:
    """The end of a text that is too long, of a path from the start of a name.

    >>> shortened("robots/legged/biped.urdf:3:5", 20)
    '…/biped.urdf:3:5'
    """
    if width(text) <= limit:
        return text
    end = text
    while end and width(end) >= limit:
        end = end[1:]
    at = end.find("/")
    return f"…{end[at:] if at >= 0 else end}"


def _titles_filled(columns: Sequence[Column], filled: list[bool], start: int) -> bool:
    """Whether the title of an empty column spans a column that is not empty."""
    if not columns[start].title:
        return False
    for i in range(start + 1, len(columns)):
        if columns[i].title:
            return False
        if filled[i]:
            return True
    return False


def fits(columns: Sequence[Column], rows: Rows, limit: int | None) -> bool:
    """Whether the table fits with all its columns."""
    if limit is None:
        return True
    permanent = [replace(column, drop=0) for column in columns]
    return max(map(width, table(permanent, rows)), default=0) <= limit


def _lines(columns: list[Column], rows: list[list[str]], indent: int) -> list[str]:
    if not columns:
        return []
    texts = [_aligned(column, [row[i] for row in rows]) for i, column in enumerate(columns)]
    widths = [width(column[0]) if column else 0 for column in texts]
    spans = _spans(columns, widths)
    out = []
    if any(column.title for column in columns):
        out.append(" " * indent + _titles(columns, spans, widths))
    for number in range(len(rows)):
        line = " " * indent
        for i, column in enumerate(columns):
            line += " " * (column.gap if i else 0) + _pad(texts[i][number], widths[i], column.align)
        out.append(line.rstrip())
    return out


def _aligned(column: Column, cells: list[str]) -> list[str]:
    """Cells of one width, with decimal points aligned."""
    if column.align == "point":
        tail = max((width(cell) - width(cell.partition(".")[0]) for cell in cells), default=0)
        cells = [cell + " " * (tail - width(cell) + width(cell.partition(".")[0])) for cell in cells]
    widest = max(map(width, cells), default=0)
    return [_pad(cell, widest, column.align) for cell in cells]


def _pad(text: str, wanted: int, align: str) -> str:
    space = " " * (wanted - width(text))
    return text + space if align == "left" else space + text


def _spans(columns: list[Column], widths: list[int]) -> list[int]:
    """The width of each title; the column of a longer title is widened in place."""
    spans = [0] * len(columns)
    start = 0
    for i, column in enumerate(columns):
        if column.title or i == 0:
            start = i
            spans[i] = widths[i]
        else:
            spans[start] += column.gap + widths[i]
    for i, column in enumerate(columns):
        lack = width(column.title) - spans[i]
        if column.title and lack > 0:
            widths[i] += lack
            spans[i] += lack
    return spans


def _titles(columns: list[Column], spans: list[int], widths: list[int]) -> str:
    line = ""
    for i, column in enumerate(columns):
        if column.title or i == 0:
            line += " " * (column.gap if i else 0) + _pad(column.title, spans[i], column.align)
    return line.rstrip()


def wrapped(words: Sequence[str], limit: int, indent: int = 2, separator: str = ", ") -> list[str]:
    """Words wrapped into lines of at most ``limit`` columns; words are not split.

    >>> wrapped(["one", "two", "three"], 12)
    ['  one, two,', '  three']
    """
    lines: list[str] = []
    line = ""
    for i, word in enumerate(words):
        text = clean(word) + (separator if i + 1 < len(words) else "")
        if line and indent + width(line) + width(text.rstrip()) > limit:
            lines.append(" " * indent + line.rstrip())
            line = ""
        line += text
    return [*lines, " " * indent + line.rstrip()] if line else lines
