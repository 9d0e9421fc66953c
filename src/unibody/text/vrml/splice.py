"""Edits of the fields and nodes of a VRML97 or Inventor text."""

from __future__ import annotations

import re

from unibody.text.edit import Edit
from unibody.text.node import Item, Numbers, Row, Value
from unibody.text.splice import Holder, Place, Splicer, shifted

_USE = re.compile(r"(?:[A-Za-z_][^\s{}\[\]\"#,]*[\s,]+)?USE\s+([^\s{}\[\]\"#,]+)")
_DEF = re.compile(r"DEF\s+([^\s{}\[\]\"#,]+)")


class VrmlSplicer(Splicer):
    """Fields stand in their node one after the other; commas count as blanks."""

    def extent(self, place: Place) -> tuple[int, int]:
        """The offsets of an item with its key."""
        start, end = self.value_extent(place)
        _, (key, _, at) = place
        return (at if key and at >= 0 else start), end

    def value_extent(self, place: Place) -> tuple[int, int]:
        """The offsets of an item's value."""
        value, at = place[1][1], place[1][2]
        found = self._use(place)
        if found is not None:
            begin = self.text.find("USE", at) if not self.text.startswith("USE", at) else at
            return begin, found
        return value.start, value.end

    def _use(self, place: Place) -> int | None:
        """Where a reference ends; None for a value that stands in its place."""
        at = place[1][2]
        found = _USE.match(self.text, at) if at >= 0 else None
        return found.end() if found else None

    def is_reference(self, place: Place) -> bool:
        """Whether an item only refers to a value that stands elsewhere."""
        return self._use(place) is not None

    def value_text(self, place: Place, new: Value) -> str:
        """The text of a value that takes the place of another one."""
        return shifted(self._printed(new, place[1][1]), self.indent(place))

    def _printed(self, value: Value, like: Value | None = None) -> str:
        if isinstance(value, Numbers | Row) and isinstance(like, Numbers):
            words = value.words() if isinstance(value, Numbers) else None
            if words is not None:
                value = Numbers(" ".join(words), form="[" if like.form == "[" else "")
        return self.print_value(value).strip("\n")

    def item_text(self, holder: Holder, item: Item, indent: str) -> str:
        """The text of a new item."""
        key, value, _ = item
        text = self._printed(value)
        return shifted(f"{key} {text}" if key else text, indent)

    def renamed(self, place: Place, name: str) -> Edit:
        """Give an element another name of its own."""
        value, at = place[1][1], place[1][2]
        found = _USE.match(self.text, at) if at >= 0 else None
        found = found or _DEF.match(self.text, value.start)
        if found is None:
            return super().renamed(place, name)
        return self.edit(found.start(1), found.end(1), name)

    def into_empty(self, holder: Holder, item: Item) -> Edit | None:
        """Insert an item into an element without any."""
        close = holder.end - 1
        if holder.end <= 0 or self.text[close : close + 1] not in ("}", "]"):
            return None
        before = self.text[self.line_start(holder.start) : holder.start]
        outer = before[: len(before) - len(before.lstrip(" \t"))]
        indent = outer + self.step
        text = f"\n{indent}{self.item_text(holder, item, indent)}"
        blank = len(self.text[:close].rstrip())
        if "#" in self.text[self.line_start(blank) : blank]:
            return None
        return self.edit(blank, close, f"{text}\n{outer}")
