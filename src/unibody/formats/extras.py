"""Leftovers: what only one format can say, as Extras for that format's writer."""

from __future__ import annotations

from collections.abc import Callable

from unibody.document.declare import Document, plan
from unibody.formats.copied import copied
from unibody.model.robot import Extra, Robot
from unibody.model.traverse import part
from unibody.text.finding import TextError
from unibody.text.node import Item, Node


def written(doc: Document, *names: str) -> list[Item]:
    """The items of these declared fields as they stand in the text; asking counts as looking."""
    if doc.node is None:
        return []
    fields = plan(type(doc)).fields
    keys = {k for n in names for k in (fields[n].key, *fields[n].old) if getattr(doc, n) is not None}
    return [item for item in doc.node.items if item[0] in keys]


def leftovers(robot: Robot, format: str, back: Callable[[Item], object]) -> dict[str, list[Item]]:
    """Copies of what a robot has from files of a format, by owner, as far as :func:`held`."""
    out: dict[str, list[Item]] = {}
    for extra in robot.extras:
        if extra.format == format:
            node = copied(extra.node)
            out.setdefault(extra.owner, []).extend(held(node, back) if isinstance(node, Node) else [])
    return out


def held(node: Node, back: Callable[[Item], object]) -> list[Item]:
    """The items that a format's text can hold: those of a file all are, those made by hand may be odd.

    ``back`` writes an item alone, and reads it where writing is too willing; ValueError or TextError when
    that cannot be.
    """
    return [item for item in node.items if _is_held(item, back)]


def _is_held(item: Item, back: Callable[[Item], object]) -> bool:
    try:
        back(item)
    except (ValueError, TextError):
        return False
    return True


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
