"""Edits of the attributes and elements of an XML text."""

from __future__ import annotations

import re
from collections.abc import Callable

from unibody.text.edit import Edit
from unibody.text.node import Item, Node, Numbers, Row, Value, Word
from unibody.text.splice import Holder, Place, Splicer, Spot, shifted
from unibody.text.xml.lexer import IN_ATTRIBUTE, IN_TEXT, inside, quoted
from unibody.text.xml.printer import print_xml

_NAME = re.compile(r"<[^\s/>]+")
_WORD = re.compile(r"\S+")
_COMMENT = re.compile(r"<!--(?:(?!-->).)*-->")


class XmlSplicer(Splicer):
    """Attributes have no offsets of their own: an element finds them in its start tag."""

    between = ""

    def extent(self, place: Place) -> tuple[int, int]:
        """The offsets of an item with its key."""
        start, end = self.value_extent(place)
        if not _is_attribute(place[1]):
            return start, end
        holder = place[0]
        assert isinstance(holder, Node)
        return self._attribute_start(holder.start, start), end + 1

    def _attribute_start(self, least: int, value: int) -> int:
        """Where the blanks before an attribute begin whose value is at an offset."""
        # backwards, since a search from the start of the tag takes the square of the blanks in it
        at = self._before(value - 1, least, str.isspace)
        if self.text[at - 1] != "=":
            return value
        name = self._before(at - 1, least, str.isspace)
        blank = self._before(name, least, lambda c: not c.isspace() and c != "=")
        first = self._before(blank, least, str.isspace)
        return first if first < blank < name else value

    def _before(self, at: int, least: int, is_one: Callable[[str], bool]) -> int:
        """Where the characters of a kind that end at an offset begin."""
        while at > least and is_one(self.text[at - 1]):
            at -= 1
        return at

    def value_extent(self, place: Place) -> tuple[int, int]:
        """The offsets of an item's value."""
        holder, item = place
        value = item[1]
        if isinstance(value, Node) or not isinstance(holder, Node):
            return value.start, value.end
        span = holder.item_span(item)
        assert span is not None
        return span.start, span.end

    def value_text(self, place: Place, new: Value) -> str:
        """The text of a value that takes the place of another one."""
        if isinstance(new, Node):
            return self.item_text(place[0], (new.tag, new, -1), self.indent(place))
        if not _is_attribute(place[1]):
            return _text(new).translate(IN_TEXT)
        out = _text(new).translate(IN_ATTRIBUTE)
        return out.replace("'", "&apos;") if self.text[self.value_extent(place)[0] - 1] == "'" else out

    def item_text(self, holder: Holder, item: Item, indent: str) -> str:
        """The text of a new item."""
        key, value, _ = item
        if isinstance(value, Node):
            return shifted(print_xml(value).strip("\n"), indent)
        if key:
            return f" {key}={quoted(_text(value))}"
        return _text(value).translate(IN_TEXT)

    def inserted(
        self, holder: Holder, item: Item, after: Place | None, before: Place | None
    ) -> Edit | None:
        """Insert an item behind or before another one."""
        if not _is_attribute(item):
            return super().inserted(holder, item, after, before)
        assert isinstance(holder, Node)
        written = [(holder, i) for i in holder.items if _is_attribute(i)]
        if written:
            at = max(self.extent(place)[1] for place in written)
        else:
            name = _NAME.match(self.text, holder.start)
            at = name.end() if name else holder.start
        return self.edit(at, at, self.item_text(holder, item, ""))

    def removed(self, place: Place) -> Edit:
        """Remove an item; an attribute with the blanks before it."""
        if not _is_attribute(place[1]):
            return super().removed(place)
        return Edit(self.source, *self.extent(place), "")

    def last(self, items: list[Item]) -> Item | None:
        """The last element."""
        return next((item for item in reversed(items) if isinstance(item[1], Node)), None)

    def into_empty(self, holder: Holder, item: Item) -> Edit | None:
        """Insert an item into an element without any."""
        assert isinstance(holder, Node)
        end = inside(holder)
        before = self.text[self.line_start(holder.start) : holder.start]
        outer = before[: len(before) - len(before.lstrip(" \t"))]
        indent = outer + self.step
        text = f"\n{indent}{self.item_text(holder, item, indent)}"
        if self.text.startswith("/>", end - 2):
            return self.edit(end - 2, end, f">{text}\n{outer}</{holder.tag}>")
        close = self.text.rfind("</", end, holder.end)
        if close < 0 or any(not k for k, _, _ in holder.items):
            return None
        blank = close - len(self.text[end:close]) + len(self.text[end:close].rstrip())
        return self.edit(blank, close, f"{text}\n{outer}")

    def words(self, place: Place) -> list[Spot] | None:
        """The words of a value where they stand."""
        if isinstance(place[1][1], Node):
            return None
        start, end = self.value_extent(place)
        if "&" in self.text[start:end] or "<" in self.text[start:end]:
            return None
        return [(m[0], m.start(), m.end()) for m in _WORD.finditer(self.text, start, end)]

    def comment_end(self, at: int) -> int:
        """Where a comment that begins at an offset ends; the offset if there is none."""
        found = _COMMENT.match(self.text, at)
        return found.end() if found else at


def _is_attribute(item: Item) -> bool:
    return bool(item[0]) and not isinstance(item[1], Node)


def _text(value: Value) -> str:
    if isinstance(value, Word):
        return value.text
    if isinstance(value, Numbers):
        return " ".join(value.words())
    assert isinstance(value, Row)
    return " ".join(v.text for v in value.values if isinstance(v, Word))
