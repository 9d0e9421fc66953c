"""The elements of a robot by path of facts, and where they are in its source."""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import Any

from unibody.model.facts import Difference
from unibody.model.robot import Extra, Robot
from unibody.model.traverse import field_lists, items, part
from unibody.text.node import Item, Node
from unibody.text.source import Source, Span


class Elements:
    """The elements of a robot, each list of which is looked through once."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.solids = robot.solids
        # The lists are kept, so that no other one gets their ids.
        self.lists: dict[int, tuple[tuple[Any, ...], dict[str, Any]]] = {}

    def items(self, values: tuple[Any, ...]) -> dict[str, Any]:
        """The items of a list by their parts of a path."""
        found = self.lists.get(id(values))
        if found is None:
            found = self.lists[id(values)] = values, items(values)[1]
        return found[1]


class Places(Elements):
    """The places of the elements of a robot, by path of facts with the new names of renamed ones."""

    def of(self, difference: Difference) -> Span | None:
        """The place of what differs; of an item that this robot lacks, that of the element around it."""
        path = difference.path
        if difference.kind == "renamed":
            path = f"{path.partition('/')[0]}/{part(difference.after)}"
        is_new = difference.kind == "added" and difference.index is not None
        return self.find(path.rpartition("/")[0] if is_new else path)

    def find(self, path: str) -> Span | None:
        """The place of the innermost element on the path that has one."""
        value: Any = self.robot
        found: Span | None = None
        parts = iter(path.split("/"))
        for name in parts:
            if not is_dataclass(value):
                break
            is_list = dict(field_lists(value.__class__)).get(name, False)
            value = getattr(value, name, None)
            if is_list and isinstance(value, tuple):
                value = self.items(value).get(next(parts, ""))
            found = self.place(value) or found
        return found

    def place(self, value: Any) -> Span | None:
        """The place of an element, or of what an extra holds."""
        if isinstance(value, Extra):
            around = self.find(value.owner) if value.owner else None
            if around is None and self.robot.links:
                around = self.robot.links[0].at
            source = around.source if around else None
            places = (item_place(item, source) for item in value.node.items)
            return next((p for p in places if p is not None), around if value.owner else None)
        place = getattr(value, "at", None)
        return place if isinstance(place, Span) else None


def item_place(item: Item, source: Source | None) -> Span | None:
    """The place of an item of vendor data; ``source`` is the text that it is in unless it knows its own."""
    _, value, start = item
    if isinstance(value, Node) and value.source is not None:
        source = value.source
    start = start if start >= 0 else value.start
    if source is None or not 0 <= start < len(source.text):
        return None
    return Span(source, start, max(start, value.end))
