"""Records which fields of a document are read, to measure the reading loss."""

from __future__ import annotations

from typing import Any

from unibody.document.declare import READ, Document, describe, plan, written_item
from unibody.text.dataclass import dataclass
from unibody.text.node import Node, Numbers, Row, Word
from unibody.text.source import Span

_TWINS: dict[type[Any], type[Document]] = {}


def watched(cls: type[Any]) -> type[Document]:
    """A subclass of a Document class whose objects record which fields are read."""
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

    def new(c: type[Document], **_: Any) -> Document:
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
    """A given field, or an undeclared item, that was not read into the model."""

    path: str
    key: str
    text: str
    at: Span | None


def unread(doc: Document) -> list[Unread]:
    """The given fields below a watched document that were never read, and items that are not READ."""
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
            if name in current.given and name not in seen and spec.by != "kind":
                item = current.node and written_item(current.node, spec)
                key = item[0] if item else spec.keys[0]
                out.append(Unread(path, key, in_words(value), current.at(name)))
            elif spec.many:
                todo.extend((m, f"{path}/{_name(m, spec.key)}") for m in value)
            elif isinstance(value, Document):
                todo.append((value, f"{path}/{spec.key}"))
        for item in (x for x in current.rest if x[2] != READ):
            place = current.node.item_span(item) if current.node else None
            out.append(Unread(path, item[0], in_words(item[1]), place))
    return sorted(out, key=lambda u: (u.at.start if u.at else -1, u.path))


def _name(member: Document, key: str) -> str:
    key = getattr(member, "KEY", key)
    for attribute in ("name", "type"):
        if attribute in plan(type(member)).fields:
            value = object.__getattribute__(member, attribute)
            if value:
                return str(value)
    return key


def mark_read(doc: Document, like: Document) -> None:
    """Mark the fields of a watched document as read that were read of ``like``, of the same node."""
    if hasattr(doc, "seen"):
        object.__getattribute__(doc, "seen").update(object.__getattribute__(like, "seen"))


def in_words(value: Any) -> str:
    """A short description of a value, of at most 60 characters."""
    if isinstance(value, Node):
        text = f"with {', '.join(key or 'text' for key, _, _ in value.items)}" if value.items else "(empty)"
    elif isinstance(value, Word | Numbers | Row):
        text = value.body if isinstance(value, Numbers) else describe(value)
    elif isinstance(value, list):
        text = f"{len(value)} elements"
    else:
        text = type(value).__name__ if isinstance(value, Document) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
