"""The names of an open world: any prim may have properties of any name."""

from __future__ import annotations


class _All(frozenset[str]):
    """A set of all words."""

    def __contains__(self, word: object) -> bool:
        return True


#: ``Document.KNOWN`` of elements that may hold anything.
OPEN: frozenset[str] = _All()
