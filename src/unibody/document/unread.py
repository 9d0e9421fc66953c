"""What nobody looked at: the part of the reading loss that is measured, not written by hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from unibody.document.declare import Document, plan
from unibody.text.node import Node
from unibody.text.source import Span

_OWN = frozenset(("given", "node", "rest", "seen", "watched"))


@cache
def watched(cls: type[Document]) -> type[Document]:
    """A twin of a Document class whose objects note which fields are read."""
    names = frozenset(plan(cls).fields)

    def look(self: Any, name: str) -> Any:
        if name in names:
            object.__getattribute__(self, "seen").add(name)
        return object.__getattribute__(self, name)

    def new(c: type[Document]) -> Document:
        made = object.__new__(c)
        object.__setattr__(made, "seen", set())
        return made

    body = {"__slots__": ("seen",), "watched": cls, "__getattribute__": look, "__new__": new, "__hash__": None}
    return type(cls.__name__, (cls,), body)


@dataclass(frozen=True, slots=True)
class Unread:
    """One given field, or undeclared item, that did not reach the model."""

    path: str
    key: str
    text: str
    at: Span | None


def unread(doc: Document) -> list[Unread]:
    """Given fields that were never looked at below a watched document, and all undeclared items."""
    out: list[Unread] = []
    todo: list[tuple[Document, str]] = [(doc, "")]
    done: set[int] = set()
    while todo:
        current, path = todo.pop()
        if id(current) in done:
            continue
        done.add(id(current))
        seen: set[str] = object.__getattribute__(current, "seen") if hasattr(current, "seen") else set()
        for name, spec in plan(type(current)).fields.items():
            value = object.__getattribute__(current, name)
            place = _place(current.node, (spec.key, *spec.old))
            if name in current.given and name not in seen and spec.by != "kind":
                out.append(Unread(path, spec.key, _text(value), place))
            elif spec.many:
                todo.extend((m, f"{path}/{_name(m, spec.key)}") for m in value)
            elif isinstance(value, Document):
                todo.append((value, f"{path}/{spec.key}"))
        for key, item, start in current.rest:
            place = current.node.place(item, start) if current.node else None
            out.append(Unread(path, key, _text(item), place))
    return sorted(out, key=lambda u: (u.at.start if u.at else -1, u.path))


def _name(member: Document, key: str) -> str:
    for attribute in ("name", "type"):
        if attribute in plan(type(member)).fields:
            value = object.__getattribute__(member, attribute)
            if value:
                return str(value)
    return key


def _place(node: Node | None, keys: tuple[str, ...]) -> Span | None:
    if node is None:
        return None
    for key, value, start in node.items:
        if key in keys:
            return node.place(value, start)
    return node.span


def _text(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
