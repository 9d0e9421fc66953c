"""Collects and restores extras: items that only one format can represent, for its writer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from unibody.document.declare import Document, plan
from unibody.formats.copied import copied
from unibody.model.robot import Extra, Robot
from unibody.model.traverse import part
from unibody.text.finding import TextError
from unibody.text.node import Item, Node, Word, elements


def written(doc: Document, *names: str) -> list[Item]:
    """The items of these fields as written; marks the fields as read."""
    if doc.node is None:
        return []
    fields = plan(type(doc)).fields
    keys = {k for n in names for k in (fields[n].key, *fields[n].old) if getattr(doc, n) is not None}
    return [item for item in doc.node.items if item[0] in keys]


def leftovers(robot: Robot, format: str, back: Callable[[Item], object]) -> dict[str, list[Item]]:
    """Copies of the extras of a robot for a format, by owner, as far as :func:`held`."""
    out: dict[str, list[Item]] = {}
    for extra in robot.extras:
        if extra.format == format:
            node = copied(extra.node)
            if isinstance(node, Node):
                replace_words(node, {file.name: file.uri for file in extra.files})
                out.setdefault(extra.owner, []).extend(held(node, back))
    return out


def replace_words(top: Node, new: Mapping[str, str]) -> None:
    """Replace the words of a tree that are keys of ``new``, in place."""
    for node in elements(top) if new else ():
        for i, (key, value, start) in enumerate(node.items):
            if isinstance(value, Word) and value.text in new:
                node.items[i] = (key, Word(new[value.text]), start)


def held(node: Node, back: Callable[[Item], object]) -> list[Item]:
    """The items that the text of a format can represent; extras set in Python may have others.

    ``back`` writes a single item, and reads it again if writing alone proves nothing; it raises ValueError
    or TextError for an item that cannot be written.
    """
    return [item for item in node.items if _is_held(item, back)]


def _is_held(item: Item, back: Callable[[Item], object]) -> bool:
    try:
        back(item)
    except (ValueError, TextError):
        return False
    return True


def keep(doc: Document, items: list[Item]) -> None:
    """Append extras to the undeclared items of a document, except those that it writes itself."""
    mine = {spec.key for name, spec in plan(type(doc)).fields.items() if _is_written(doc, name)}
    doc.rest.extend(item for item in items if item[0] not in mine)


def _is_written(doc: Document, name: str) -> bool:
    p = plan(type(doc))
    value = getattr(doc, name)
    if value is None or p.fields[name].many:
        return False
    return name in doc.given or bool(p.fields[name].required) or bool(value != p.defaults[name])


class Extras:
    """Extra items by owner, in the order in which owners are first added."""

    def __init__(self, format: str) -> None:
        self.format = format
        self.items: dict[str, list[Item]] = {}

    def add(self, items: list[Item], kind: str = "", name: str = "") -> None:
        """Add items of the robot, or of the element ``name`` of its list ``kind`` ("links")."""
        if items:
            owner = f"{kind}/{part(name)}" if kind else ""
            self.items.setdefault(owner, []).extend(items)

    def made(self) -> tuple[Extra, ...]:
        """One Extra per owner."""
        return tuple(
            Extra(format=self.format, owner=owner, node=Node("", items))
            for owner, items in self.items.items()
        )
