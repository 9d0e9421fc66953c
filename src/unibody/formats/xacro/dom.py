"""Converts nodes to the DOM that xacro expands and back; copies keep the spans of their originals."""

from __future__ import annotations

from typing import Any
from xml.dom import minidom

from unibody.text.node import Item, Node, Word
from unibody.text.source import Source, Span
from unibody.text.xml.element import Element

NOTE = "after xacro"
_KEY = "place"


class _Keeper:
    """DOM user-data handler: copies the place of an element to its clones."""

    def handle(self, operation: int, key: str, data: Any, source: Any, copy: Any) -> None:
        if copy is not None:
            copy.setUserData(key, data, self)


_keeper = _Keeper()


def span_of(element: Any) -> Span | None:
    """The place of an element in its file."""
    place: Span | None = element.getUserData(_KEY)
    return place


def to_dom(root: Node, sources: dict[str, Source]) -> minidom.Document:
    """Convert a tree to a DOM document; ``sources`` collects the sources with the xacro note by name."""
    document = minidom.Document()
    todo = [(root, document.appendChild(_element(document, root, sources)))]
    while todo:
        node, element = todo.pop()
        for key, value, _ in node.items:
            if isinstance(value, Node):
                todo.append((value, element.appendChild(_element(document, value, sources))))
            elif isinstance(value, Word) and not key:
                element.appendChild(document.createTextNode(value.text))
    return document


def _element(document: minidom.Document, node: Node, sources: dict[str, Source]) -> Any:
    """An element with its attributes and place, without children."""
    element = document.createElement(node.tag)
    for key, value, _ in node.items:
        if key and isinstance(value, Word):
            # minidom identifies attributes by namespace and local name; keeps "a:x" and "x" apart
            space = f"urn:{key.partition(':')[0]}" if ":" in key else None
            element.setAttributeNS(space, key, value.text)
    if node.source is not None:
        source = node.source
        marked = sources.setdefault(source.name, Source(source.name, source.text, NOTE))
        element.setUserData(_KEY, Span(marked, node.start, node.end), _keeper)
    return element


def from_dom(root: Any) -> Node:
    """Convert an element to a tree; every node has the place of its original element."""
    top = _node(root)
    todo = [(root, top)]
    while todo:
        element, node = todo.pop()
        words = ""
        for child in [*element.childNodes, None]:
            if child is not None and child.nodeType in {child.TEXT_NODE, child.CDATA_SECTION_NODE}:
                words += str(child.data)
                continue
            if words.strip(" \t\r\n"):
                node.items.append(("", Word(words), node.start))
            words = ""
            if child is not None and child.nodeType == child.ELEMENT_NODE:
                made = _node(child)
                node.items.append((made.tag, made, made.start))
                todo.append((child, made))
    return top


def _node(element: Any) -> Node:
    place = span_of(element)
    start, end = (place.start, place.end) if place else (-1, -1)
    items: list[Item] = [
        (key, Word(str(value)), start) for key, value in element.attributes.items() if key != "xmlns:xacro"
    ]
    return Element(str(element.tagName), items, place.source if place else None, start, end)
