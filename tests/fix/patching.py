"""A patch program for one file, to test diffs with: the lines of a unified diff onto a text."""

from __future__ import annotations

import re

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")


def patch(text: str, diff: list[str]) -> str:
    """The text with the hunks of one file applied; every line of context has to be there."""
    lines: list[str] = _LINE.findall(text)
    end = "\r\n" if "\r\n" in text else "\n"
    out: list[str] = []
    at, number = 0, 2
    while number < len(diff):
        found = _HUNK.match(diff[number])
        assert found, diff[number]
        first, count = int(found[1]), int(found[2] or 1)
        old, new = _body(diff, number + 1, end)
        start = first - 1 if count else first
        assert len(old) == count
        assert len(new) == int(found[4] or 1)
        assert lines[start : start + count] == old
        out += [*lines[at:start], *new]
        assert len(out) - len(new) == int(found[3]) - bool(new)
        at = start + count
        number += 1
        while number < len(diff) and not diff[number].startswith("@@"):
            number += 1
    return "".join([*out, *lines[at:]])


def _body(diff: list[str], number: int, end: str) -> tuple[list[str], list[str]]:
    old: list[str] = []
    new: list[str] = []
    while number < len(diff) and not diff[number].startswith("@@"):
        mark, words = diff[number][0], diff[number][1:]
        bare = number + 1 < len(diff) and diff[number + 1].startswith("\\")
        line = words if bare else words + end
        old += [line] if mark in " -" else []
        new += [line] if mark in " +" else []
        number += 2 if bare else 1
    return old, new
