"""Edits of a text: some spans get other words, and all the rest stays as it is."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from unibody.text.source import Source, Span

_LINE_END = re.compile(r"\r\n?|\n")
_BLANK = " \t"
_BLANKS = re.compile(r"[ \t]*")
# A key may stand so far before its value.
_NEAR = 400


@dataclass(frozen=True, slots=True)
class Edit:
    """The characters from ``start`` to ``end`` (exclusive) of a source become ``text``."""

    source: Source
    start: int
    end: int
    text: str

    @property
    def at(self) -> Span:
        """The place that is written over."""
        return Span(self.source, self.start, self.end)

    def json(self) -> dict[str, Any]:
        """The same as plain JSON data."""
        at = self.at
        where = {"file": self.source.name, "line": at.line, "column": at.column}
        return {**where, "before": at.text, "after": self.text}

    def same(self, other: Edit) -> bool:
        """Whether both say the same of one file."""
        mine = (self.source.name, self.start, self.end, self.text)
        return mine == (other.source.name, other.start, other.end, other.text)

    def meets(self, other: Edit) -> bool:
        """Whether both cannot be made: they write over one another, or stand at one place."""
        if self.source.name != other.source.name:
            return False
        if self.start == self.end and other.start == other.end:
            return self.start == other.start
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class ProposedFix:
    """Edits that fix a finding, and what they do in a few words.

    ``safe`` says that the robot read afterwards is the same; else it changes as the finding says.
    ``leftover`` says that what the finding is about means nothing and is kept as an extra all the same,
    which then changes with it.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True
    leftover: bool = False


def replaced(span: Span, text: str) -> Edit:
    """The edit that writes ``text`` over a span."""
    return Edit(span.source, span.start, span.end, text)


def inserted(source: Source, offset: int, text: str) -> Edit:
    """The edit that writes ``text`` before a character."""
    return Edit(source, offset, offset, text)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """The text with all edits made; none of them may meet another.

    >>> source = Source("a.txt", "one two three")
    >>> edited(source.text, [Edit(source, 8, 13, "3"), Edit(source, 0, 3, "1")])
    '1 two 3'
    """
    parts: list[str] = []
    at = 0
    for edit in in_order(edits):
        parts += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join([*parts, text[at:]])


def in_order(edits: Iterable[Edit]) -> list[Edit]:
    """Edits of one text as they stand in it."""
    return sorted(edits, key=lambda e: (e.start, e.end))


def line_end(source: Source) -> str:
    """How the lines of a text end; a line feed when it has one line.

    >>> line_end(Source("a.txt", "one\\r\\ntwo"))
    '\\r\\n'
    """
    found = _LINE_END.search(source.text)
    return found[0] if found else "\n"


def without(source: Source, start: int, end: int) -> Edit:
    """The edit that takes some text out, with its line when nothing else stands in it."""
    text = source.text
    first, last = start, end
    while first > 0 and text[first - 1] in _BLANK:
        first -= 1
    while last < len(text) and text[last] in _BLANK:
        last += 1
    begins = first == 0 or text[first - 1] in "\r\n"
    if begins and last < len(text) and text[last] in "\r\n":
        return Edit(source, first, last + (2 if text.startswith("\r\n", last) else 1), "")
    if begins and last == len(text):
        return Edit(source, first, last, "")
    if last == len(text) or text[last] in "\r\n":
        return Edit(source, first, end, "")
    return Edit(source, start, last, "") if last > end else Edit(source, first, end, "")


def without_item(source: Source, start: int, end: int) -> Edit:
    """As :func:`without`, with the comma that goes with an item of a YAML flow mapping."""
    text = source.text
    last = end
    while last < len(text) and text[last] in _BLANK:
        last += 1
    if text.startswith(",", last):
        return without(source, start, last + 1)
    first = start
    while first > 0 and text[first - 1].isspace():
        first -= 1
    if first > 0 and text[first - 1] == ",":
        return Edit(source, first - 1, end, "")
    return without(source, start, end)


def key_before(source: Source, key: str, at: int) -> int | None:
    """Where a key stands whose value begins at ``at``, in YAML and VRML; None when it does not."""
    between = r"\s*(?::\s*)?(?:[&!]\S+\s+)*(?:-\s+)*[\[{,\s]*"
    pattern = re.compile(rf"(?<![\w.-])({re.escape(key)})[\"']?{between}\Z")
    found = pattern.search(source.text, max(0, at - _NEAR - len(key)), at)
    return found.start(1) if found else None


def is_line_start(source: Source, at: int) -> bool:
    """Whether only blanks stand before an offset in its line."""
    return not source.text[_line_start(source, at) : at].strip(_BLANK)


def indent(source: Source, at: int) -> str:
    """The blanks that the line of an offset begins with."""
    found = _BLANKS.match(source.text, _line_start(source, at))
    return found[0] if found else ""


def _line_start(source: Source, at: int) -> int:
    starts = source.line_starts()
    return starts[source.line_column(at)[0] - 1]


def new_line(source: Source, at: int, words: str) -> Edit:
    """The edit that puts a line of its own before the line of an offset, indented as that is."""
    start = _line_start(source, at)
    return Edit(source, start, start, f"{indent(source, at)}{words}{line_end(source)}")


def unquoted(text: str) -> tuple[str, str]:
    """A written scalar as its quote sign, or "", and what is inside."""
    if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
        return text[0], text[1:-1]
    return "", text
