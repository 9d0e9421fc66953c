"""Entities declared by a DOCTYPE: rejected, unless a limit allows plain text."""

from __future__ import annotations

import re

_USE = re.compile(r"&([^\s;&<#]+);")


class Entities:
    """The entities of a file, which may expand to ``most`` characters in total; 0 rejects all.

    >>> entities = Entities(100)
    >>> entities.refused("size", False, "0.1"), entities.refused("file", False, None)
    ('', 'entities that read another file are never expanded')
    >>> entities.characters("<link a='&size;' b='&size;'/>")
    6
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.sizes: dict[str, int] = {}

    def refused(self, name: str, is_parameter: bool, value: str | None) -> str:
        """Why an entity is rejected, or ""; its text may refer to entities declared before it."""
        if not self.most:
            return "entities are not expanded"
        if value is None:
            return "entities that read another file are never expanded"
        inner = _USE.findall(value)
        if is_parameter or "<" in value or not all(use in self.sizes for use in inner):
            return "only plain text and entities declared before it are expanded"
        # the first declaration of a name is binding (XML 1.0, 4.2)
        self.sizes.setdefault(name, len(value) + sum(self.sizes[use] for use in inner))
        return ""

    def characters(self, text: str) -> int:
        """The total length of the entities used in a text."""
        return sum(self.sizes.get(name, 0) for name in _USE.findall(text)) if self.sizes else 0
