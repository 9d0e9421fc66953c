"""The side-car in the ``info`` field of a Humanoid, one string per line of JSON.

Choreonoid and OpenHRP have no escape for a double quote in a string (facts B.1): double quotes of the JSON
are written as apostrophes.
"""

from __future__ import annotations

from unibody.document.declare import Tagged
from unibody.formats.openhrp import document as d
from unibody.formats.vrml97 import document as v
from unibody.text.node import Node, Row, Value, Word
from unibody.text.source import Span

MARK = "unibody "
# Replacements, in this order for writing and in reverse for reading.
_ESCAPES = (("~", "~0"), ("'", "~1"), ("\\", "~2"), ('"', "'"))


def to_info(line: str) -> str:
    """Encode a line of JSON as a string of ``info``.

    >>> to_info('["name", null, "it\\'s"]')
    "unibody ['name', null, 'it~1s']"
    """
    for character, escape in _ESCAPES:
        line = line.replace(character, escape)
    return MARK + line


def from_info(text: str) -> str:
    """Decode a string of ``info`` that begins with ``MARK``.

    >>> from_info("unibody ['name', null, 'it~1s']")
    '["name", null, "it\\'s"]'
    """
    line = text[len(MARK) :]
    for character, escape in reversed(_ESCAPES):
        line = line.replace(escape, character)
    return line


def take_lines(file: d.File) -> tuple[list[str], Span | None]:
    """Remove the lines of the side-car from a file; returns them and their place.

    Side-cars of inlined files are dropped: they describe another robot.
    """
    lines: list[str] = []
    at: Span | None = None
    todo: list[tuple[Tagged, bool]] = [(doc, True) for doc in file.children]
    while todo:
        doc, own = todo.pop()
        if isinstance(doc, v.Inline):
            todo.extend((inner, False) for inner in doc.content)
        elif isinstance(doc, d.Humanoid) and any(text.startswith(MARK) for text in doc.info):
            if own and not lines:
                lines = [from_info(text) for text in doc.info if text.startswith(MARK)]
                at = doc.at()
            _remove_lines(doc)
    return lines, at


def _remove_lines(doc: d.Humanoid) -> None:
    """Remove the side-car from the ``info`` of a Humanoid and from a copy of its node."""
    doc.info = tuple(text for text in doc.info if not text.startswith(MARK))
    node = doc.node
    if node is None:
        return
    items = [(k, _others(value) if k == "info" else value, start) for k, value, start in node.items]
    tagged: Tagged = doc
    tagged.node = Node(node.tag, items, node.source, node.start, node.end, node.name)


def _others(value: Value) -> Value:
    words = value.values if isinstance(value, Row) else [value]
    kept = [w for w in words if not (isinstance(w, Word) and w.text.startswith(MARK))]
    return Row(kept, value.start, value.end, flow=True)
