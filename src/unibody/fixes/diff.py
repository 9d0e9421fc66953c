"""Unified diff of edits of a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unibody.text.edit import Edit, edited
from unibody.text.source import Source

_CONTEXT = 3
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


@dataclass(slots=True)
class _Block:
    """Lines ``first`` to ``last`` (exclusive, from 0) of the old text, and their replacement."""

    first: int
    last: int
    old: list[str]
    new: list[str]
    notes: list[str]


def unified(source: Source, edits: Sequence[tuple[Edit, Sequence[str]]]) -> list[str]:
    """Format edits of one text as the lines of a unified diff, without line ends; notes head the hunks.

    >>> source = Source("a.txt", "one\\ntwo\\n")
    >>> unified(source, [(Edit(source, 4, 7, "2"), ["a digit"])])
    ['--- a.txt', '+++ a.txt', '@@ -1,2 +1,2 @@ a digit', ' one', '-two', '+2']
    """
    if not edits:
        return []
    lines = _LINE.findall(source.text)
    out = [f"--- {source.name}", f"+++ {source.name}"]
    shift = 0
    for hunk in _hunks(_blocks(source, edits, len(lines))):
        first = max(0, hunk[0].first - _CONTEXT)
        last = min(len(lines), hunk[-1].last + _CONTEXT)
        more = sum(len(b.new) - len(b.old) for b in hunk)
        notes = "; ".join(dict.fromkeys(note for b in hunk for note in b.notes if note))
        where = f"@@ -{_range(first, last)} +{_range(first + shift, last + shift + more)} @@"
        out.append(f"{where} {notes}".rstrip())
        at = first
        for block in hunk:
            for mark, some in ((" ", lines[at : block.first]), ("-", block.old), ("+", block.new)):
                out += _marked(mark, some)
            at = block.last
        out += _marked(" ", lines[at:last])
        shift += more
    return out


def _range(first: int, last: int) -> str:
    count = last - first
    start = first + 1 if count else first
    return f"{start}" if count == 1 else f"{start},{count}"


def _marked(mark: str, lines: Iterable[str]) -> list[str]:
    out: list[str] = []
    for line in lines:
        bare = line.rstrip("\r\n")
        out.append(mark + bare)
        if bare == line:
            out.append("\\ No newline at end of file")
    return out


def _blocks(source: Source, edits: Sequence[tuple[Edit, Sequence[str]]], count: int) -> list[_Block]:
    """Group edits into blocks of changed lines, in order; edits of adjacent lines share a block."""
    ordered = sorted(edits, key=lambda e: (e[0].start, e[0].end))
    groups: list[tuple[int, int, list[tuple[Edit, Sequence[str]]]]] = []
    for edit, notes in ordered:
        first, last = _rows(source, edit, count)
        if groups and first <= groups[-1][1]:
            before = groups.pop()
            groups.append((before[0], max(last, before[1]), [*before[2], (edit, notes)]))
        else:
            groups.append((first, last, [(edit, notes)]))
    blocks = (_block(source, *group) for group in groups)
    return [block for block in blocks if block.old or block.new]


def _rows(source: Source, edit: Edit, count: int) -> tuple[int, int]:
    """The range of whole lines that an edit changes: (first, last), exclusive, from 0."""
    starts = source.line_starts()
    first = source.line_column(edit.start)[0] - 1
    last = source.line_column(max(edit.start, edit.end - 1))[0] if edit.end > edit.start else first
    # An edit that removes a line end joins the next line to this one.
    whole = edit.end in (starts[last : last + 1] or [len(source.text)]) and _ends_line(source, edit)
    if not whole or edit.end == edit.start:
        last = source.line_column(edit.end)[0]
    if edit.start == edit.end == starts[first] and _ends_line(source, edit):
        last = first
    return min(first, count), min(last, count)


def _ends_line(source: Source, edit: Edit) -> bool:
    """Whether the text after the edit still begins a line."""
    if edit.text:
        return edit.text.endswith(("\r", "\n"))
    return edit.start == 0 or source.text[edit.start - 1] in "\r\n"


def _block(source: Source, first: int, last: int, edits: list[tuple[Edit, Sequence[str]]]) -> _Block:
    starts = [*source.line_starts(), len(source.text)]
    a, b = starts[first], starts[last] if last < len(starts) else len(source.text)
    region = Source(source.name, source.text[a:b])
    moved = [Edit(region, e.start - a, e.end - a, e.text) for e, _ in edits]
    old, new = _LINE.findall(region.text), _LINE.findall(edited(region.text, moved))
    while old and new and old[0] == new[0]:
        del old[0], new[0]
        first += 1
    while old and new and old[-1] == new[-1]:
        del old[-1], new[-1]
        last -= 1
    return _Block(first, last, old, new, [note for _, notes in edits for note in notes])


def _hunks(blocks: list[_Block]) -> list[list[_Block]]:
    """Group blocks into hunks; blocks with adjoining context share a hunk."""
    out: list[list[_Block]] = []
    for block in blocks:
        if out and block.first - out[-1][-1].last <= 2 * _CONTEXT:
            out[-1].append(block)
        else:
            out.append([block])
    return out
