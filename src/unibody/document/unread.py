"""What nobody looked at: the part of the reading loss that is measured, not written by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from unibody.document.declare import Document, plan
from unibody.text.node import Item, Node, Word
from unibody.text.source import Span
from unibody.text.xml_lex import attribute_span

_OWN = frozenset(("given", "node", "rest", "seen", "watched"))


_TWINS: dict[type[Any], type[Document]] = {}


def watched(cls: type[Any]) -> type[Document]:
    """A twin of a Document class whose objects note which fields are read."""
    made = _TWINS.get(cls)
    if made is None:
        made = _TWINS[cls] = _twin(cls)
    return made


def _twin(cls: type[Any]) -> type[Document]:
    names = frozenset(plan(cls).fields)

    def look(self: Any, name: str) -> Any:
        if name in names:
            object.__getattribute__(self, "seen").add(name)
        return object.__getattribute__(self, name)

    def new(c: type[Document]) -> Document:
        made = object.__new__(c)
        object.__setattr__(made, "seen", set())
        return made

    body = {
        "__slots__": ("seen",),
        "watched": cls,
        "__getattribute__": look,
        "__new__": new,
        "__hash__": None,
    }
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
        for item in current.rest:
            place = item_place(current.node, item) if current.node else None
            out.append(Unread(path, item[0], _text(item[1]), place))
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
    for item in node.items:
        if item[0] in keys:
            return item_place(node, item)
    return node.span


def item_place(node: Node, item: Item) -> Span | None:
    """Where an item's value stands; an XML attribute is looked for in its start tag."""
    key, value, start = item
    if isinstance(value, Word) and value.start < 0 and node.tag:
        return attribute_span(node, key) or node.place(value, start)
    return node.place(value, start)


def _text(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
