"""Positions comments at the ends of printed lines."""

from __future__ import annotations

from collections.abc import Sequence

_MOST_SHORTER = 8


def gap(text: str, at: int, out: Sequence[str]) -> str:
    """The blanks between the printed text and a trailing comment, which was at ``at`` in the source.

    Aligned comments stay aligned: if there was more than one blank, the comment keeps its column.

    >>> gap("    a:  1   # b", 12, ["\\n  a: 1"])
    '    '
    """
    before = text[text.rfind("\n", 0, at) + 1 : at].expandtabs(8)
    wide = len(before) - len(before.rstrip())
    if wide <= 1:
        return " "
    line = current(out)
    column = len(before) - _blanks(before) + _blanks(line)
    space = max(column - len(line), min(wide, 2))
    # If the line became much shorter, nothing else is aligned with the old column.
    return " " * (space if space <= wide + _MOST_SHORTER else wide)


def current(out: Sequence[str]) -> str:
    """The last, unfinished line of the output."""
    parts: list[str] = []
    for piece in reversed(out):
        _, found, rest = piece.rpartition("\n")
        parts.append(rest)
        if found:
            break
    return "".join(reversed(parts))


def _blanks(line: str) -> int:
    return len(line) - len(line.lstrip())
