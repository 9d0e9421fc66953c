"""Reindents text with bracketed blocks; keeps its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unibody.text.dataclass import dataclass
from unibody.text.node import Node, Value, Word, values

_STEP = 2
_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"?', re.DOTALL)
# "1.#IND" is NaN as printed by C, not the start of a comment.
_MARK = re.compile(r'["{}\[\]\n]|#(?!(?<=[0-9]\.#)(?:IND|INF|QNAN|SNAN))')
_WORD = re.compile(r"[^\s,#]")


@dataclass(frozen=True, slots=True)
class _Block:
    """An open bracket: the indentation of its line and of its content, and its column.

    ``shift`` is the displacement of text aligned with its first word; None if that starts a line.
    """

    bracket: str
    outer: int
    inner: int
    column: int = 0
    shift: int | None = None


@dataclass(frozen=True, slots=True)
class _Line:
    """A line (with all lines of a string that starts on it), and its brackets."""

    start: int
    end: int
    brackets: tuple[int, ...]


def laid_out(text: str, root: Value, brackets: str = "{}[]") -> str:
    """Reindent a text (lines end with LF) by two blanks per block, without trailing blanks.

    Text aligned with the first word after a bracket stays aligned. Several empty lines become one.

    >>> tree = Node("", [("a", Node("", [("c", Word(""), 14)], end=43), 0)])
    >>> print(laid_out("a {\\n# b\\n      c [ 1,\\n          2 ]  # d\\n\\n\\n}", tree), end="")
    a {
      # b
      c [ 1,
          2 ]  # d
    }
    """
    starts, strings = _places(text, root)
    out: list[str] = []
    open_blocks = [_Block("", 0, 0)]
    is_apart = False
    for line in _lines(text, strings, brackets):
        shown = text[line.start : line.end].rstrip()
        first = line.end - len(text[line.start : line.end].lstrip())
        if not shown:
            is_apart = bool(out)
            continue
        closers = _leading(text, first, line.brackets)
        indent = open_blocks[-1].outer
        del open_blocks[max(len(open_blocks) - closers, 1) :]
        if not closers:
            indent = _indent(text, line, first, open_blocks[-1], first in starts)
        out.append(("\n" if is_apart and not closers else "") + " " * indent + shown.lstrip())
        is_apart = False
        stay: list[int] = []
        for at in line.brackets[closers:]:
            if text[at] in "{[":
                stay.append(at)
            elif stay:
                stay.pop()
            elif len(open_blocks) > 1:
                open_blocks.pop()
        open_blocks += [_opened(text, line, at, indent) for at in stay]
    return "\n".join(out) + "\n"


def _places(text: str, root: Value) -> tuple[set[int], dict[int, int]]:
    """The offsets of the items of blocks, and the starts and ends of strings."""
    starts: set[int] = set()
    strings: dict[int, int] = {}
    for value in values(root):
        if isinstance(value, Word) and value.quote and value.start >= 0:
            strings[value.start] = value.end
        elif isinstance(value, Node) and (value is root or text[value.end - 1 : value.end] == "}"):
            starts.update(start for _, _, start in value.items)
    return starts, strings


def _lines(text: str, strings: dict[int, int], brackets: str) -> Iterator[_Line]:
    start = at = 0
    found: list[int] = []
    while mark := _MARK.search(text, at):
        at = mark.end()
        if mark[0] == "\n":
            yield _Line(start, mark.start(), tuple(found))
            start, found = at, []
        elif mark[0] == "#":
            end = text.find("\n", at)
            at = len(text) if end < 0 else end
        elif mark[0] == '"':
            whole = _STRING.match(text, mark.start())
            at = strings.get(mark.start(), whole.end() if whole else at)
        elif mark[0] in brackets:
            found.append(mark.start())
    yield _Line(start, len(text), tuple(found))


def _leading(text: str, first: int, brackets: tuple[int, ...]) -> int:
    """The number of closing brackets at the start of a line."""
    count, at = 0, first
    for bracket in brackets:
        if text[bracket] not in "}]" or text[at:bracket].strip(" \t,"):
            break
        count, at = count + 1, bracket + 1
    return count


def _indent(text: str, line: _Line, first: int, block: _Block, begins: bool) -> int:
    column = len(text[line.start : first].expandtabs(8))
    if block.shift is not None and column > block.column:
        return column + block.shift
    # Continuation lines of a statement are indented further.
    goes_on = block.bracket in ("", "{") and not begins and text[first] not in "#{["
    return block.inner + (_STEP if goes_on else 0)


def _opened(text: str, line: _Line, at: int, indent: int) -> _Block:
    shift, column = None, 0
    inside = _WORD.search(text, at + 1, line.end)
    if inside and not text[at + 1 : inside.start()].strip(" \t,"):
        before = text[line.start : at]
        column = len(before.expandtabs(8))
        shift = len((" " * indent + before.lstrip()).expandtabs(8)) - column
    return _Block(text[at], indent, indent + _STEP, column, shift)
