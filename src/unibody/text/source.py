"""Source texts and spans: a Span holds character offsets; line and column are computed on demand."""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import field
from typing import TYPE_CHECKING, Any
from unicodedata import combining, east_asian_width

from unibody.text.dataclass import dataclass

if TYPE_CHECKING:
    from unibody.text.limits import Meter

_LINE_END = re.compile(r"\r\n?|\n")
_LF, _CR = 10, 13
# The last character that is one unit of UTF-16; those beyond are two.
_LAST_OF_ONE_UNIT = "\uffff"
# Places up to this offset, such as that of a missing header, are found without all lines of the text.
_NEAR = 4096


@dataclass(slots=True, eq=False)
class Source:
    """The decoded text of a file and its name in findings.

    ``note`` describes the origin of a text that differs from the file ("after xacro"); ``derived`` states
    that places in the text are not places in the file. ``meter`` is the load's, with its limits.
    ``data`` are the bytes of a file that is no text, whose text is empty.
    """

    name: str
    text: str = field(repr=False)
    note: str = ""
    derived: bool = False
    meter: Meter | None = field(default=None, repr=False)
    data: bytes = field(default=b"", repr=False)
    _lines: list[int] = field(default_factory=list, repr=False)

    def line_starts(self) -> list[int]:
        """Offsets of the lines; CR, LF and CRLF end a line."""
        if not self._lines:
            self._lines += _line_starts(self.text)
        return self._lines

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset, counted from 1."""
        near = not self._lines and offset < _NEAR
        starts = _line_starts(self.text[: offset + 1]) if near else self.line_starts()
        row = bisect_right(starts, offset) - 1
        return row + 1, offset - starts[row] + 1

    def line(self, number: int) -> str:
        """The text of line ``number`` (from 1) without its line end."""
        if number == 1:
            found = _LINE_END.search(self.text)
            return self.text[: found.start()] if found else self.text
        starts = self.line_starts()
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")


def _line_starts(text: str) -> list[int]:
    """Offsets of the lines of a text."""
    import numpy as np  # a finding of the command line needs no numpy

    if text.isascii():
        codes = np.frombuffer(text.encode("ascii"), np.uint8)
    else:
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    ends = codes == _LF
    if "\r" in text:
        returns = codes == _CR
        returns[:-1] &= ~ends[1:]
        ends |= returns
    return [0, *(np.flatnonzero(ends) + 1).tolist()]


@dataclass(frozen=True, slots=True)
class Span:
    """The characters from ``start`` to ``end`` (exclusive) of a source."""

    source: Source
    start: int
    end: int

    @property
    def line(self) -> int:
        """Line of the first character, from 1."""
        return self.source.line_column(self.start)[0]

    @property
    def column(self) -> int:
        """Column of the first character, from 1."""
        return self.source.line_column(self.start)[1]

    @property
    def text(self) -> str:
        """The text of the span."""
        return self.source.text[self.start : self.end]

    def __str__(self) -> str:
        line, column = self.source.line_column(self.start)
        return f"{self.source.name}:{line}:{column}"

    def json(self) -> dict[str, Any]:
        """Return the place as plain JSON data: file, and lines and columns from 1, the end exclusive.

        Columns count characters; ``column_utf16`` and ``end_column_utf16`` count UTF-16 units, and are left
        out if they are the same. ``derived`` is as for :class:`Source`, and left out if it is false.

        >>> Span(Source("a.txt", "one\\ntwo"), 4, 7).json()
        {'file': 'a.txt', 'line': 2, 'column': 1, 'end_line': 2, 'end_column': 4}
        """
        out: dict[str, Any] = {"file": self.source.name}
        wide: dict[str, int] = {}
        for prefix, offset in (("", self.start), ("end_", self.end)):
            line, column = self.source.line_column(offset)
            out |= {f"{prefix}line": line, f"{prefix}column": column}
            before = self.source.text[offset - column + 1 : offset]
            pairs = 0 if before.isascii() else sum(character > _LAST_OF_ONE_UNIT for character in before)
            if pairs:
                wide[f"{prefix}column_utf16"] = column + pairs
        out |= wide
        if self.source.derived:
            out["derived"] = True
        return out

    def excerpt(self, width: int = 100) -> str:
        """The line with carets under the span, cut to ``width`` characters around it."""
        line, column = self.source.line_column(self.start)
        text = self.source.line(line).replace("\t", " ")
        left = max(0, column - 1 - width // 2)
        shown = text[left : left + width]
        at = column - 1 - left
        length = max(1, min(self.end - self.start, len(shown) - at))
        before, under = _width(shown[:at]), max(1, _width(shown[at : at + length]))
        return f"  {shown}\n  {' ' * before}{'^' * under}"


def _width(text: str) -> int:
    """Width of a text on a terminal: two columns for wide (CJK) characters, none for combining marks."""
    if text.isascii():
        return len(text)
    return sum(0 if combining(c) else 2 if east_asian_width(c) in ("W", "F") else 1 for c in text)
