"""Where the items of a tree stand in their text, and how items are replaced, removed and added there.

``Splicer`` has what all syntaxes share; ``text/<syntax>/splice.py`` says how each of them writes items.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import TypeAlias

from unibody.text.edit import Edit, line_end, without
from unibody.text.node import Item, Node, Numbers, Row, Value, Word
from unibody.text.source import Source

Holder: TypeAlias = "Node | Row"
#: An item and the element or list that has it.
Place: TypeAlias = "tuple[Holder, Item]"
#: Prints a value, without the text that it was read from.
Print: TypeAlias = Callable[[Value], str]
#: The text of a word and its offsets.
Spot: TypeAlias = tuple[str, int, int]

_BLANK = " \t"
_LINE_END = re.compile(r"[\r\n]")


class Splicer(ABC):
    """Edits of one parsed text; ``print_value`` prints a value, ``keys`` has the new names of old keys."""

    #: What stands between two items on one line.
    between = " "
    #: How much deeper an element's items stand than it.
    step = "  "
    #: Whether the side-car is in comments: only the tree of the document has it then, not that of the text.
    comments_carry = False

    def __init__(
        self, source: Source, print_value: Print, keys: dict[tuple[int, int], str] | None = None
    ) -> None:
        self.source, self.text, self.print_value = source, source.text, print_value
        self.keys = keys or {}
        self._line_end = line_end(source)

    @abstractmethod
    def extent(self, place: Place) -> tuple[int, int]:
        """The offsets of an item with its key."""

    @abstractmethod
    def value_extent(self, place: Place) -> tuple[int, int]:
        """The offsets of an item's value."""

    @abstractmethod
    def value_text(self, place: Place, new: Value) -> str:
        """The text of a value that takes the place of another one; lines are ended by line feeds."""

    @abstractmethod
    def item_text(self, holder: Holder, item: Item, indent: str) -> str:
        """The text of a new item; lines after the first begin with ``indent``."""

    @abstractmethod
    def into_empty(self, holder: Holder, item: Item) -> Edit | None:
        """Insert an item where an element has none behind or before which it could stand."""

    def renamed(self, place: Place, name: str) -> Edit:
        """Give an element another name of its own."""
        raise NotImplementedError

    def key(self, holder: Holder, item: Item) -> str:
        """The key of an item as it is written today."""
        if self.keys and isinstance(holder, Node):
            return self.keys.get((id(holder), item[2]), item[0])
        return item[0]

    def is_reference(self, place: Place) -> bool:
        """Whether an item only refers to a value that stands elsewhere."""
        return False

    def words(self, place: Place) -> list[Spot] | None:
        """The words of a value where they stand; None if they cannot be told apart."""
        if self.is_reference(place):
            return None
        value = place[1][1]
        found = value.places() if isinstance(value, Numbers) else []
        if isinstance(value, Word) and value.start >= 0:
            found = [value]
        if isinstance(value, Row) and all(isinstance(v, Word) and v.start >= 0 for v in value.values):
            found = [v for v in value.values if isinstance(v, Word)]
        return [(w.text, w.start, w.end) for w in found] or None

    def word_edit(self, place: Place, start: int, end: int, word: str) -> Edit:
        """Replace one of the words of a value, in its quotes."""
        if self.text[start:end][:1] in ("'", '"') and end - start > 1:
            start, end = start + 1, end - 1
        return Edit(self.source, start, end, word)

    def replaced(self, place: Place, new: Value) -> Edit:
        """Replace a value."""
        start, end = self.value_extent(place)
        return self.edit(start, end, self.value_text(place, new))

    def removed(self, place: Place) -> Edit:
        """Remove an item, and its lines if nothing else is on them."""
        return without(self.source, *self.extent(place))

    def inserted(
        self, holder: Holder, item: Item, after: Place | None, before: Place | None
    ) -> Edit | None:
        """Insert an item behind or before another one, on a line of its own if that has one."""
        beside = after or before
        if beside is None:
            return self.into_empty(holder, item)
        return self.placed(self.item_text(beside[0], item, self.indent(beside)), after, before)

    def moved(self, place: Place, after: Place | None, before: Place | None) -> Edit | None:
        """Insert an item behind or before another one of its holder as it stands elsewhere in the text."""
        start, end = self.extent(place)
        return self.placed(self.text[start:end].replace("\r\n", "\n"), after, before)

    def placed(self, text: str, after: Place | None, before: Place | None) -> Edit | None:
        """Insert the text of an item behind or before another one; None beside nothing."""
        if after is not None:
            start, end = self.extent(after)
            stop = self._rest_of_line(end)
            if stop is None or not self.begins_line(after, start):
                return self.edit(end, end, self.between + text)
            return self.edit(stop, stop, f"\n{self.indent(after)}{text}")
        if before is not None:
            start, _ = self.extent(before)
            indent = self.indent(before)
            first = start - len(indent)
            if self.begins_line(before, start) and self.text[first:start] == indent:
                return self.edit(first, first, f"{indent}{text}\n")
            return self.edit(start, start, text + self.between)
        return None

    def last(self, items: list[Item]) -> Item | None:
        """The item behind which a new one stands if no other is like it; None for an empty element."""
        return items[-1] if items else None

    def edit(self, start: int, end: int, text: str) -> Edit:
        """An edit whose new lines end like those of the text."""
        return Edit(self.source, start, end, text.replace("\n", self._line_end))

    def begins_line(self, place: Place, start: int) -> bool:
        """Whether only blanks precede an item in its line."""
        return not self.text[self.line_start(start) : start].strip(_BLANK)

    def indent(self, place: Place) -> str:
        """What precedes an item in its line, as blanks."""
        start, _ = self.extent(place)
        before = self.text[self.line_start(start) : start]
        return before[: len(before) - len(before.lstrip(_BLANK))]

    def line_start(self, at: int) -> int:
        """Where the line of an offset begins."""
        first = self.text.rfind("\n", 0, at) + 1
        return max(first, self.text.rfind("\r", first, at) + 1)

    def _rest_of_line(self, end: int) -> int | None:
        """Where the line ends, if only blanks and comments follow; None otherwise."""
        stop = self._behind_blanks(self.comment_end(self._behind_blanks(end)))
        return stop if self.text[stop : stop + 1] in ("", "\r", "\n") else None

    def _behind_blanks(self, at: int) -> int:
        while self.text.startswith((" ", "\t"), at):
            at += 1
        return at

    def comment_end(self, at: int) -> int:
        """Where a comment that begins at an offset ends; the offset if there is none."""
        if not self.text.startswith("#", at):
            return at
        found = _LINE_END.search(self.text, at)
        return found.start() if found else len(self.text)


def shifted(text: str, indent: str) -> str:
    """A text whose lines after the first begin with ``indent``; empty ones stay empty.

    >>> shifted("a\\n  b\\n\\nc", "  ")
    'a\\n    b\\n\\n  c'
    """
    first, *rest = text.split("\n")
    return "\n".join([first, *(indent + line if line else "" for line in rest)])
