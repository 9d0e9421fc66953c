"""Puts what was kept of a file back into the elements that are written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from unibody.document.declare import Document, plan
from unibody.formats.sdf.document_shapes import Geometry
from unibody.text.node import Item, Node, Word

# What a joint or a loop writes itself, and what a world or model is placed by.
_OWN = frozenset(("parent", "child", "relative_to"))


def put_back(doc: Document, items: Sequence[Item]) -> None:
    """Add kept items to an element: to its own elements of the same name, else behind them."""
    todo: list[tuple[Document, Sequence[Item]]] = [(doc, items)]
    while todo:
        current, left = todo.pop()
        for item in left:
            inner = _same(current, item)
            if inner is not None and isinstance(item[1], Node):
                todo.append((inner, item[1].items))
            elif not _is_written(current, item):
                current.rest = [*current.rest, item]


def _same(doc: Document, item: Item) -> Document | None:
    """The element that an item is a part of; of several, that which has its name."""
    key, value, _ = item
    if not isinstance(value, Node):
        return None
    found: Any = None
    for name, spec in plan(type(doc)).fields.items():
        if spec.key == key:
            found = getattr(doc, name)
    if isinstance(found, Document):
        return found
    if isinstance(found, list):
        called = value.word("name")
        named = [x for x in found if getattr(x, "name", None) in (called, None)]
        return named[0] if len(named) == 1 else None
    return None


def _is_written(doc: Document, item: Item) -> bool:
    """Whether an element has what an item says already, or can have only one of the kind."""
    key, value, _ = item
    if key in _OWN or (isinstance(value, Word) and any(key == other for other, _, _ in doc.rest)):
        return True
    if isinstance(doc, Geometry) and any(_has(doc, name) for name in plan(type(doc)).fields):
        return True  # exactly one shape
    for name, spec in plan(type(doc)).fields.items():
        if spec.key == key:
            return not spec.many and _has(doc, name)
    return key == "name" and isinstance(value, Word)


def _has(doc: Document, name: str) -> bool:
    value = getattr(doc, name)
    p = plan(type(doc))
    if value is None or value == []:
        return False
    return name in doc.given or bool(p.fields[name].required) or value != p.defaults[name]
