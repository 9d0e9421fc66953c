"""XML elements: nodes that locate their attributes in the source."""

from __future__ import annotations

import re

from unibody.text.node import Item, Node, Word
from unibody.text.source import Span

_NAME_END = re.compile(r"<[^\s/>]+")
# a blank may be missing after the attribute before (see ``repairs``)
_ATTRIBUTE = re.compile(r"""(?:\s+|(?<=["']))([^\s=]+)\s*=\s*("[^"]*"|'[^']*')""")


class Element(Node):
    """An XML element. Its attributes have no offsets; its start tag is scanned when one is needed."""

    __slots__ = ("_attributes",)
    _attributes: dict[str, tuple[int, int]]

    def item_span(self, item: Item) -> Span | None:
        """The span of an item's value; for an attribute, the text between its quotes."""
        key, value, start = item
        if not isinstance(value, Word) or value.start >= 0:
            return self.place(value, start)
        if self.source is None or self.start < 0:
            return None
        try:
            attributes = self._attributes
        except AttributeError:  # computed on first use: a file has many elements
            attributes = self._attributes = {}
            head = _NAME_END.match(self.source.text, self.start)
            at = head.end() if head else self.start
            while found := _ATTRIBUTE.match(self.source.text, at):
                attributes.setdefault(found[1], (found.start(2) + 1, found.end(2) - 1))
                at = found.end()
        return Span(self.source, *attributes.get(key, (self.start, self.end)))
