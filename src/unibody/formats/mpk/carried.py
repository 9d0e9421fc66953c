"""The side-car of a .rob file: comment lines between two marks."""

from __future__ import annotations

from unibody.text.node import Item, Node, Row, Word
from unibody.text.rob.printer import comments
from unibody.text.source import Source

KEY = "unibody"
_OPEN, _CLOSE = "# <unibody>", "# </unibody>"


def found(source: Source) -> list[Item]:
    """The side-car of a file as an item of its root; empty without a side-car."""
    words: list[Word] = []
    start = -1
    for at, note in comments(source) if _OPEN in source.text else ():
        if note == _OPEN:
            start, words = at, []
        elif note == _CLOSE and start >= 0:
            return [(KEY, Row(list(words), start, at + len(note)), start)]
        elif start >= 0:
            words.append(Word(note[1:].strip(), at, at + len(note)))
    return []


def text(root: Node) -> str:
    """The comments with the side-car of a tree."""
    value = root.get(KEY)
    if not isinstance(value, Row):
        return ""
    lines = [f"# {v.text}" for v in value.values if isinstance(v, Word)]
    return "\n".join(["", _OPEN, *lines, _CLOSE, ""])


def without(root: Node) -> Node:
    """A tree without its side-car."""
    items = [item for item in root.items if item[0] != KEY]
    return Node(root.tag, items, root.source, root.start, root.end, root.name)
