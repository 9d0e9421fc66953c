"""The side-car of an MJCF file: a text of its custom data, which MuJoCo keeps and does not read."""

from __future__ import annotations

from unibody.document.declare import Document
from unibody.formats.mjcf import document as d
from unibody.text.node import with_items
from unibody.text.source import Span

SIDECAR = "unibody"


def carry(doc: Document, lines: list[str]) -> None:
    """Add the lines of the side-car as a text of the custom data."""
    assert isinstance(doc, d.Mujoco)
    doc.items.append(d.Custom(items=[d.Text(name=SIDECAR, data="\n".join(lines))]))


def take(doc: d.Mujoco) -> tuple[list[str], Span | None]:
    """Remove the side-car from a document; returns its lines and its place."""
    for section in doc.items:
        if not isinstance(section, d.Custom):
            continue
        for item in section.items:
            if isinstance(item, d.Text) and item.name == SIDECAR:
                section.items = [x for x in section.items if x is not item]
                if section.node is not None and item.node is not None:
                    # a copy: the tree of the text keeps the side-car
                    items = (x for x in section.node.items if x[1] is not item.node)
                    section.node = with_items(section.node, items)
                text = item.data or ""
                return [line for line in map(str.strip, text.splitlines()) if line], item.at("data")
    return [], None
