"""Edits of the blocks and fields of a .rob text."""

from __future__ import annotations

from unibody.text.edit import Edit
from unibody.text.node import Item, Node, Value
from unibody.text.splice import Holder, Place, Splicer, Spot, shifted


class RobSplicer(Splicer):
    """Fields are a keyword and its words, blocks have braces."""

    comments_carry = True

    def extent(self, place: Place) -> tuple[int, int]:
        """The offsets of an item with its key."""
        start, end = self.value_extent(place)
        at = place[1][2]
        return (at if 0 <= at < start else start), end

    def value_extent(self, place: Place) -> tuple[int, int]:
        """The offsets of an item's value."""
        value = place[1][1]
        return value.start, value.end

    def replaced(self, place: Place, new: Value) -> Edit:
        """Replace a value."""
        start, end = self.extent(place)
        key = place[1][0]
        if isinstance(new, Node) or self.text[start] == "#":
            return self.edit(start, end, self.item_text(place[0], (key, new, -1), self.indent(place)))
        return super().replaced(place, new)

    def value_text(self, place: Place, new: Value) -> str:
        """The text of a value that takes the place of another one."""
        text = self._line("param", new)
        return text.removeprefix("param").strip()

    def item_text(self, holder: Holder, item: Item, indent: str) -> str:
        """The text of a new item."""
        key, value, _ = item
        if isinstance(holder, Node) and holder.tag == "robot":
            text = self.print_value(Node("robot", [item])).partition("\n")[2].strip("\n")
            return shifted(text, indent)
        if isinstance(holder, Node) and holder.tag != "joint":
            outer = Node(holder.tag, [item])
            text = self.print_value(Node("robot", [(holder.tag, outer, -1)])).partition("\n")[2]
            lines = text.strip("\n").split("\n")[1:-1]
            return shifted("\n".join(line[2:] for line in lines), indent)
        return shifted(self._line(key, value), indent)

    def _line(self, key: str, value: Value) -> str:
        joint = Node("joint", [(key, value, -1)])
        text = self.print_value(Node("robot", [("joint", joint, -1)])).partition("\n")[2]
        return "\n".join(line[2:] for line in text.strip("\n").split("\n")[1:-1])

    def words(self, place: Place) -> list[Spot] | None:
        """The words of a value where they stand."""
        # the side-car is in comments
        return None if self.text[self.extent(place)[0]] == "#" else super().words(place)

    def renamed(self, place: Place, name: str) -> Edit:
        """Give an element another name of its own."""
        # the name is a word of its own, and an item of the block
        start, _ = self.extent(place)
        return Edit(self.source, start, start, "")

    def into_empty(self, holder: Holder, item: Item) -> Edit | None:
        """Insert an item into an element without any."""
        close = holder.end - 1
        if self.text[close : close + 1] != "}":
            return None
        before = self.text[self.line_start(holder.start) : holder.start]
        outer = before[: len(before) - len(before.lstrip(" \t"))]
        indent = outer + self.step
        blank = len(self.text[:close].rstrip())
        if "#" in self.text[self.line_start(blank) : blank]:
            return None
        return self.edit(blank, close, f"\n{indent}{self.item_text(holder, item, indent)}\n{outer}")
