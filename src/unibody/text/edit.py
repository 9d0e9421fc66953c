"""Edits of a text: replacements of single spans that leave all other characters unchanged."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from unibody.text.dataclass import dataclass
from unibody.text.source import Source, Span

_LINE_END = re.compile(r"\r\n?|\n")
_BLANK = " \t"
_BLANKS = re.compile(r"[ \t]*")
# Largest distance from a key to its value, in characters.
_MAX_KEY_DISTANCE = 400


@dataclass(frozen=True, slots=True)
class Edit:
    """Replaces the characters from ``start`` to ``end`` (exclusive) of a source by ``text``."""

    source: Source
    start: int
    end: int
    text: str

    @property
    def at(self) -> Span:
        """The replaced span."""
        return Span(self.source, self.start, self.end)

    def json(self) -> dict[str, Any]:
        """Return the edit as plain JSON data."""
        return {**self.at.json(), "before": self.at.text, "after": self.text}

    def same(self, other: Edit) -> bool:
        """Whether both are the same edit of the same file."""
        mine = (self.source.name, self.start, self.end, self.text)
        return mine == (other.source.name, other.start, other.end, other.text)

    def conflicts(self, other: Edit) -> bool:
        """Whether the edits conflict: their spans overlap, or both insert at one offset."""
        if self.source.name != other.source.name:
            return False
        if self.start == self.end and other.start == other.end:
            return self.start == other.start
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True)
class ProposedFix:
    """Edits that fix a finding, with a short title.

    ``safe``: the robot read from the edited text is the same; otherwise it changes as the finding
    describes. ``leftover``: the edited text has no meaning but is kept in the robot's extras, which
    therefore may change.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True
    leftover: bool = False


def replaced(span: Span, text: str) -> Edit:
    """Return the edit that replaces a span by ``text``."""
    return Edit(span.source, span.start, span.end, text)


def inserted(source: Source, offset: int, text: str) -> Edit:
    """Return the edit that inserts ``text`` at an offset."""
    return Edit(source, offset, offset, text)


def edited(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits to a text; no two of them may conflict.

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
    """Sort edits of one text by position."""
    return sorted(edits, key=lambda e: (e.start, e.end))


def line_end(source: Source) -> str:
    """The line ending of a text; a line feed for a single line.

    >>> line_end(Source("a.txt", "one\\r\\ntwo"))
    '\\r\\n'
    """
    found = _LINE_END.search(source.text)
    return found[0] if found else "\n"


def without(source: Source, start: int, end: int) -> Edit:
    """Return the edit that deletes a range, and its line if nothing else is on it."""
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
    """As :func:`without`, including the separating comma of an item in a YAML flow mapping."""
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
    """Offset of ``key`` before its value at ``at``, in YAML and VRML; None if it is not there."""
    between = r"\s*(?::\s*)?(?:[&!]\S+\s+)*(?:-\s+)*[\[{,\s]*"
    pattern = re.compile(rf"(?<![\w.-])({re.escape(key)})[\"']?{between}\Z")
    found = pattern.search(source.text, max(0, at - _MAX_KEY_DISTANCE - len(key)), at)
    return found.start(1) if found else None


def is_line_start(source: Source, at: int) -> bool:
    """Whether only blanks precede an offset in its line."""
    return not source.text[_line_start(source, at) : at].strip(_BLANK)


def indent(source: Source, at: int) -> str:
    """The indentation of the line at an offset."""
    found = _BLANKS.match(source.text, _line_start(source, at))
    return found[0] if found else ""


def _line_start(source: Source, at: int) -> int:
    starts = source.line_starts()
    return starts[source.line_column(at)[0] - 1]


def new_line(source: Source, at: int, words: str) -> Edit:
    """Return the edit that inserts a line before the line at an offset, with its indentation."""
    start = _line_start(source, at)
    return Edit(source, start, start, f"{indent(source, at)}{words}{line_end(source)}")


def unquoted(text: str) -> tuple[str, str]:
    """Split a scalar into its quote character ("" if unquoted) and its content."""
    if len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
        return text[0], text[1:-1]
    return "", text
