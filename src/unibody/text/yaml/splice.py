"""Edits of the keys and lists of a YAML text."""

from __future__ import annotations

import re

from unibody.text.edit import Edit, without, without_item
from unibody.text.node import Item, Node, Numbers, Row, Value, Word
from unibody.text.splice import Holder, Place, Splicer, shifted
from unibody.text.yaml.printer import print_yaml

_ALIAS = re.compile(r"\*[^\s,\[\]{}#]+")
_AFTER_KEY = re.compile(r"(?:\"(?:[^\"\\]|\\.)*\"|'(?:[^']|'')*'|[^:#\n]*?)\s*:(?=\s|[\[{\"']|\Z)[ \t]*")
_DASH = re.compile(r"-(?:[ \t]*(?:#[^\r\n]*)?[\r\n]+|[ \t]+)(?:[ \t]*(?:#[^\r\n]*)?[\r\n]+)*[ \t]*\Z")
# A dash on a line of its own, before a key that stands two columns further.
_LONE_DASH = re.compile(r"^( *)-\n\1  (?=\S)", re.MULTILINE)
_BLANK = " \t"
_FAR = 400


class YamlSplicer(Splicer):
    """Blocks stand on lines of one column; what is in brackets is separated by commas."""

    def extent(self, place: Place) -> tuple[int, int]:
        """The offsets of an item with its key."""
        holder, (key, _, at) = place
        start, end = self.value_extent(place)
        if isinstance(holder, Row):
            if holder.flow:
                return start, end
            dash = self._dash(start)
            return (start if dash < 0 else dash), end
        if key and self.text[at - 1 : at] in ("'", '"'):
            at -= 1
        return at, max(end, at)

    def value_extent(self, place: Place) -> tuple[int, int]:
        """The offsets of an item's value."""
        holder, (_, value, at) = place
        begin = at if isinstance(holder, Row) else self._value_start(at)
        alias = _ALIAS.match(self.text, begin) if begin >= 0 else None
        if alias is not None:
            return alias.span()
        if isinstance(value, Word) and value.start == value.end:
            return begin, begin
        return value.start, len(self.text[: value.end].rstrip()) if value.end > value.start else value.end

    def _value_start(self, at: int) -> int:
        found = _AFTER_KEY.match(self.text, at)
        return found.end() if found else at

    def _dash(self, start: int) -> int:
        first = max(0, start - _FAR)
        found = _DASH.search(self.text[first:start])
        return first + found.start() if found else -1

    def is_reference(self, place: Place) -> bool:
        """Whether an item only refers to a value that stands elsewhere."""
        holder, (_, _, at) = place
        begin = at if isinstance(holder, Row) else self._value_start(at)
        return begin >= 0 and _ALIAS.match(self.text, begin) is not None

    def value_text(self, place: Place, new: Value) -> str:
        """The text of a value that takes the place of another one."""
        holder, item = place
        old = item[1]
        if isinstance(new, Word) and isinstance(old, Word) and old.quote in ("'", '"'):
            new = Word(new.text, quote=old.quote)
        start, end = self.value_extent(place)
        if isinstance(new, Numbers):
            is_padded = self.text[start : start + 2] != "[" and self.text[start + 1 : start + 2] == " "
            body = ", ".join(new.words())
            new = Numbers(f" {body} " if is_padded or not self.text.startswith("[", start) else body)
        if isinstance(new, Node | Row) and (holder.flow or getattr(old, "flow", False)):
            new = _flowing(new)
        if isinstance(holder, Row):
            printed = self._printed(Row([new], flow=holder.flow))
            if holder.flow:
                return printed[1:].strip().removesuffix("]").rstrip()
            column = start - self.line_start(start)
            return shifted(printed[2:].replace("\n  ", "\n"), " " * column)
        else:
            printed = self._printed(Node("", [("k", new, -1)]))
            text = printed.removeprefix("k:")
            text = text if text.startswith("\n") else text[1:]
        if start == end and text[:1] not in ("", "\n", " ") and self.text[start - 1 : start] not in _BLANK:
            text = f" {text}"
        if text.startswith("\n"):
            # a block in the place of a value on the key's line
            return shifted(text, self.column(place))
        return shifted(text, self.column(place))

    def _printed(self, value: Value) -> str:
        return _LONE_DASH.sub(r"\1- ", print_yaml(value).strip("\n"))

    def item_text(self, holder: Holder, item: Item, indent: str) -> str:
        """The text of a new item."""
        key, value, _ = item
        if holder.flow:
            value = _flowing(value)
            if isinstance(holder, Row):
                return self._printed(Row([value], flow=True))[1:-1].strip()
            return self._printed(Node("", [(key, value, -1)], flow=True))[1:-1].strip()
        made: Value = Row([value]) if isinstance(holder, Row) else Node("", [(key, value, -1)])
        return shifted(self._printed(made), indent)

    def placed(self, text: str, after: Place | None, before: Place | None) -> Edit | None:
        """Insert the text of an item behind or before another one."""
        beside = after or before
        if beside is None or not beside[0].flow:
            return super().placed(text, after, before)
        start, end = self.extent(beside)
        return self.edit(start, start, f"{text}, ") if after is None else self.edit(end, end, f", {text}")

    def removed(self, place: Place) -> Edit:
        """Remove an item, and its lines if nothing else is on them."""
        holder = place[0]
        start, end = self.extent(place)
        if holder.flow:
            return without_item(self.source, start, end)
        if isinstance(holder, Node) and not self._begins_line(start):
            # the first key behind a dash: the next one takes its place
            following = [at for _, _, at in holder.items if at > start]
            if following:
                return Edit(self.source, start, min(following), "")
        return without(self.source, start, end)

    def _begins_line(self, start: int) -> bool:
        return not self.text[self.line_start(start) : start].strip(_BLANK)

    def begins_line(self, place: Place, start: int) -> bool:
        """A key behind dashes begins a line, too: the next one stands below it."""
        return not self.text[self.line_start(start) : start].strip(" \t-")

    def indent(self, place: Place) -> str:
        """Blanks up to the column of an item."""
        return self.column(place)

    def column(self, place: Place) -> str:
        """Blanks up to the column of an item."""
        start, _ = self.extent(place)
        return " " * (start - self.line_start(start))

    def into_empty(self, holder: Holder, item: Item) -> Edit | None:
        """Insert an item into an element without any."""
        return None


def _flowing(value: Value) -> Value:
    if isinstance(value, Node):
        return Node("", [(k, _flowing(v), -1) for k, v, _ in value.items], flow=True)
    if isinstance(value, Row):
        return Row([_flowing(v) for v in value.values], flow=True)
    return value
