"""Where things stand in a text, and edits that leave it well-formed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from unibody.fixes.cure import Case
from unibody.text.node import Item, Node, Numbers, Row, Value, Word
from unibody.text.source import Source

_ATTRIBUTE = re.compile(r"""(\s+)([^\s=/>]+)(\s*=\s*)("[^"]*"|'[^']*')""")
_NAME = re.compile(r"<[^\s/>]+")
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
