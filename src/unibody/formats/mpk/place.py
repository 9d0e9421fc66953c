"""Places in a .rob document."""

from __future__ import annotations

from unibody.document.declare import Document
from unibody.text.source import Span


def span(doc: Document | None) -> Span | None:
    """Where an element stands: its keyword, or its first word."""
    if doc is None or doc.node is None or doc.node.source is None:
        return None
    node = doc.node
    first = node.items[0][2] if node.items else -1
    end = node.start + len(node.tag) if first != node.start else node.end
    return Span(node.source, node.start, max(end, node.start + 1)) if node.source else None


def word(doc: Document, key: str) -> Span | None:
    """Where the words of a field stand, else the element."""
    value = doc.node.get(key) if doc.node is not None else None
    return span(doc) if doc.node is None or value is None else doc.node.place(value)
