"""What the model of a robot does not hold: kept as it is written, for the writer and for edits."""

from __future__ import annotations

from typing import Any

from unibody.document.declare import READ, Document, plan
from unibody.formats.extras import written
from unibody.text.node import Item, Node, Word


def kept(doc: Document | None, *fields: str) -> list[Item]:
    """The given fields of an element and its undeclared items, as written; all of them count as read."""
    if doc is None or doc.node is None:
        return []
    items = written(doc, *fields)
    for name in fields:
        _mark(getattr(doc, name))
    items += [x for x in doc.rest if x[0] and x[2] != READ and not x[0].startswith("xmlns")]
    if doc.rest:
        doc.rest = [(key, value, READ if key else at) for key, value, at in doc.rest]
    return items


def wrapped(tag: str, items: list[Item], name: str | None = None) -> list[Item]:
    """An element that holds kept items, with the name of the element that has them; none without items."""
    if not items:
        return []
    head: list[Item] = [] if name is None else [("name", Word(name), -1)]
    return [(tag, Node(tag, [*head, *items]), -1)]


def _mark(value: Any) -> None:
    """Mark all below a kept value as read."""
    todo: list[Any] = [value]
    while todo:
        current = todo.pop()
        if isinstance(current, list):
            todo += current
        elif isinstance(current, Document):
            if current.rest:
                current.rest = [(key, inner, READ) for key, inner, _ in current.rest]
            todo += [getattr(current, name) for name in plan(type(current)).fields]
