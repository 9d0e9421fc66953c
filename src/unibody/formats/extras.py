"""Leftovers: what only one format can say, as Extras for that format's writer."""

from __future__ import annotations

from unibody.document.declare import Document, plan
from unibody.model.parts import part
from unibody.model.robot import Extra
from unibody.text.node import Item, Node


def written(doc: Document, *names: str) -> list[Item]:
    """The items of these declared fields as they stand in the text; asking counts as looking."""
    if doc.node is None:
        return []
    fields = plan(type(doc)).fields
    keys = {k for n in names for k in (fields[n].key, *fields[n].old) if getattr(doc, n) is not None}
    return [item for item in doc.node.items if item[0] in keys]


class Extras:
    """Leftover items by owner, in the order of first mention."""

    def __init__(self, format: str) -> None:
        self.format = format
        self.items: dict[str, list[Item]] = {}

    def add(self, items: list[Item], kind: str = "", name: str = "") -> None:
        """Keep items for the robot, or for one thing: ``kind`` is its list ("links")."""
        if items:
            owner = f"{kind}/{part(name)}" if kind else ""
            self.items.setdefault(owner, []).extend(items)

    def made(self) -> tuple[Extra, ...]:
        """One Extra per owner."""
        return tuple(
            Extra(format=self.format, owner=owner, node=Node("", items))
            for owner, items in self.items.items()
        )
