"""Where things stand in a text, and edits that leave it well-formed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from unibody.fixes.cure import Case
from unibody.text.edit import Edit, line_end
from unibody.text.node import Item, Node, Numbers, Row, Value, Word
from unibody.text.source import Source

_BLANK = " \t"
_BLANKS = re.compile(r"[ \t]*")
_ATTRIBUTE = re.compile(r"""(\s+)([^\s=/>]+)(\s*=\s*)("[^"]*"|'[^']*')""")
_NAME = re.compile(r"<[^\s/>]+")
# A key may stand so far before its value.
_NEAR = 400
_MOST_NODES = 200_000


@dataclass(frozen=True, slots=True)
class Held:
    """An item of the tree as written, and the node that has it."""

    node: Node
    item: Item


@dataclass(frozen=True, slots=True)
class Attribute:
    """An XML attribute in its start tag: offsets of all of it with the blank before, name and value."""

    start: int
    name: tuple[int, int]
    value: tuple[int, int]
    end: int


def nodes(case: Case) -> Iterator[Node]:
    """All nodes that were read from the case's own text, as written, each once."""
    roots: list[Value] = [v for v in (case.reading.node,) if v is not None]
    roots += [doc.node for doc in case.reading.documents if doc.node is not None]
    todo, seen = roots[::-1], set[int]()
    while todo and len(seen) < _MOST_NODES:
        value = todo.pop()
        if isinstance(value, Row):
            todo.extend(reversed(value.values))
        elif isinstance(value, Node) and id(value) not in seen:
            seen.add(id(value))
            if value.source is not None and value.source.name == case.source.name:
                yield value
            todo.extend(v for _, v, _ in reversed(value.items) if isinstance(v, Node | Row))


def node_at(case: Case) -> Node | None:
    """The node that the finding is about."""
    return next((n for n in nodes(case) if (n.start, n.end) == (case.at.start, case.at.end)), None)


def holder(case: Case) -> Held | None:
    """The item whose value, or key, the finding is about."""
    for node in nodes(case):
        if not node.start <= case.at.start <= node.end:
            continue
        for item in node.items:
            value, start = item[1], item[2]
            at = value.start if not isinstance(value, Node) or value.start >= 0 else -1
            if case.at.start in (at, start) and case.at.start >= 0:
                return Held(node, item)
    return None


def extent(item: Item) -> tuple[int, int] | None:
    """Where an item stands, from its key to the end of its value; None for a block of YAML."""
    value, start = item[1], item[2]
    if start < 0 or value.end < start:
        return None
    if isinstance(value, Word | Numbers) or value.flow:
        return start, value.end
    return None


def attributes(source: Source, start: int) -> list[Attribute]:
    """The attributes of the start tag at ``start``."""
    head = _NAME.match(source.text, start)
    out: list[Attribute] = []
    at = head.end() if head else start
    while head and (found := _ATTRIBUTE.match(source.text, at)):
        value = (found.start(4) + 1, found.end(4) - 1)
        out.append(Attribute(found.start(), found.span(2), value, found.end()))
        at = found.end()
    return out


def attribute(source: Source, start: int, name: str) -> Attribute | None:
    """One attribute of the start tag at ``start``."""
    found = (a for a in attributes(source, start) if source.text[slice(*a.name)] == name)
    return next(found, None)


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
