"""Nodes to the DOM that xacro works on and back, with the places of elements kept through copies."""

from __future__ import annotations

from typing import Any
from xml.dom import minidom

from unibody.text.node import Item, Node, Word
from unibody.text.source import Source, Span

NOTE = "after xacro"
_KEY = "place"


class _Keeper:
    """Gives a copied element the place of the original."""

    def handle(self, operation: int, key: str, data: Any, source: Any, copy: Any) -> None:
        if copy is not None:
            copy.setUserData(key, data, self)


_keeper = _Keeper()


def place_of(element: Any) -> Span | None:
    """Where an element stands in its file."""
    place: Span | None = element.getUserData(_KEY)
    return place


def to_dom(root: Node, sources: dict[str, Source]) -> minidom.Document:
    """A document of a tree; ``sources`` collects, by name, the sources marked as expanded."""
    document = minidom.Document()
    todo: list[tuple[Any, Node]] = [(document, root)]
    while todo:
        parent, node = todo.pop()
        element = document.createElement(node.tag)
        parent.appendChild(element)
        if node.source is not None:
            name = node.source.name
            source = sources.setdefault(name, Source(name, node.source.text, NOTE))
            element.setUserData(_KEY, Span(source, node.start, node.end), _keeper)
        children: list[tuple[Any, Node]] = []
        for key, value, _ in node.items:
            if isinstance(value, Node):
                # Elements are made when their turn comes; the placeholder keeps the order with text.
                children.append((element, value))
            elif isinstance(value, Word) and key:
                prefix = key.partition(":")[0] if ":" in key else None
                # Copies tell attributes apart by name space and local name: "a:x" and "x" are two.
                element.setAttributeNS(f"urn:{prefix}" if prefix else None, key, value.text)
            elif isinstance(value, Word):
                element.appendChild(document.createTextNode(value.text))
        todo.extend(reversed(children))
    return document
