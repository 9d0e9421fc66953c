"""Where a comment stands that ends a line of something else."""

from __future__ import annotations

from collections.abc import Sequence

_MOST_SHORTER = 8


def gap(text: str, at: int, out: Sequence[str]) -> str:
    """The blanks before a comment that stood at ``at`` in a text, after what was printed.

    Comments below one another stay so: more blanks than one keep the distance to the line's begin.

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
    # Of a line that became much shorter nothing is below the old column any more.
    return " " * (space if space <= wide + _MOST_SHORTER else wide)


def current(out: Sequence[str]) -> str:
    """The line that is being printed."""
    parts: list[str] = []
    for piece in reversed(out):
        _, found, rest = piece.rpartition("\n")
        parts.append(rest)
        if found:
            break
    return "".join(reversed(parts))


def _blanks(line: str) -> int:
    return len(line) - len(line.lstrip())
