"""Lines that a file carries in the ``info`` of its Humanoid, between whatever else is said there.

Choreonoid and OpenHRP know no way to write a quote inside of a string (facts B.1), and JSON is full of
them: here they are apostrophes.
"""

from __future__ import annotations

from unibody.document.declare import Tagged
from unibody.formats.openhrp import document as d
from unibody.formats.vrml97 import document as v
from unibody.text.node import Node, Row, Value, Word
from unibody.text.source import Span

MARK = "unibody "
# In this order when written, and the other way round when read.
_SIGNS = (("~", "~0"), ("'", "~1"), ("\\", "~2"), ('"', "'"))


def to_info(line: str) -> str:
    """A line of JSON as one string of ``info``.

    >>> to_info('["name", null, "it\\'s"]')
    "unibody ['name', null, 'it~1s']"
    """
    for sign, written in _SIGNS:
        line = line.replace(sign, written)
    return MARK + line


def from_info(text: str) -> str:
    """The line that such a string stands for.

    >>> from_info("unibody ['name', null, 'it~1s']")
    '["name", null, "it\\'s"]'
    """
    line = text[len(MARK) :]
    for sign, written in reversed(_SIGNS):
        line = line.replace(written, sign)
    return line


def take_lines(file: d.File) -> tuple[list[str], Span | None]:
    """The lines that a file carries, and where they stand; its Humanoid has them no more.

    Those of files that it puts in are dropped: they speak of another robot.
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
            _without_lines(doc)
    return lines, at


def _without_lines(doc: d.Humanoid) -> None:
    """The Humanoid with what else its ``info`` says; its node is one of its own."""
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
