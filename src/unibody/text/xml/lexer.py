"""Tokens of XML: locates comments and text in the source of a parsed node."""

from __future__ import annotations

import re
from collections.abc import Iterator

from unibody.text.node import Node
from unibody.text.source import Span

# the blank between two attributes may be missing (see ``repairs``)
START_TAG = r"""<[^\s/>!?]+(?:(?:\s+|(?<=["']))[^\s=]+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*/?>"""

_TAG = re.compile(START_TAG)
_TOKEN = re.compile(rf"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[.*?\]\]>|</[^>]*>|{START_TAG}", re.DOTALL)
_MARKUP = re.compile(
    r"<!--.*?-->|<\?.*?\?>|<!\[CDATA\[(.*?)\]\]>|&#x([0-9a-fA-F]+);|&#([0-9]+);|&(\w+);|\r\n?", re.DOTALL
)
#: Characters that are written as references, in text and in attributes.
IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
IN_ATTRIBUTE = IN_TEXT | str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})
_IN_SINGLE = IN_TEXT | str.maketrans({"'": "&apos;", "\n": "&#10;", "\t": "&#9;"})
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}


def quoted(text: str) -> str:
    r"""A text as the value of an attribute, in the quotes that need fewer references.

    >>> quoted("6 < 7"), quoted('["a"]')
    ('"6 &lt; 7"', '\'["a"]\'')
    """
    if text.count('"') > text.count("'"):
        return f"'{text.translate(_IN_SINGLE)}'"
    return f'"{text.translate(IN_ATTRIBUTE)}"'


def comments(node: Node) -> list[Span]:
    """The comments directly inside an element, in order, without those of its children."""
    if node.source is None or node.start < 0:
        return []
    text, at, found = node.source.text, inside(node), []
    for _, value, _ in [*node.items, ("", Node("", [], node.source, node.end, node.end), -1)]:
        if isinstance(value, Node) and value.source is node.source and at <= value.start <= node.end:
            found += [Span(node.source, a, b) for a, b in loose(text, at, value.start)]
            at = value.end
    return [span for span in found if text.startswith("<!--", span.start)]


def inside(node: Node) -> int:
    """The offset after the start tag of a parsed node."""
    opened = _TAG.match(node.source.text, node.start) if node.source else None
    return opened.end() if opened else node.end


def loose(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Comments and processing instructions between two offsets, outside of elements.

    The text may contain children that were removed from the tree; their comments are skipped.
    """
    at = text.find("<", start, end)
    depth = 0
    while 0 <= at < end:
        token = _TOKEN.match(text, at, end)
        if not token:
            return
        word = token[0]
        if word.startswith(("<!--", "<?")):
            if depth == 0:
                yield token.span()
        elif word.startswith("</"):
            depth -= 1
            if depth < 0:
                return
        elif not word.startswith("<![") and not word.endswith("/>"):
            depth += 1
        at = text.find("<", token.end(), end)


def unescape(raw: str) -> str:
    """The text that the parser reads from ``raw``."""

    def plain(found: re.Match[str]) -> str:
        cdata, hexadecimal, decimal, name = found.groups()
        if cdata is not None:
            return cdata.replace("\r\n", "\n").replace("\r", "\n")
        if hexadecimal or decimal:
            # the parser ignores what is no character of XML
            code = int(hexadecimal or decimal, 16 if hexadecimal else 10) if len(found[0]) < 12 else 0
            return chr(code) if code in (9, 10, 13) or 0x20 <= code <= 0x10FFFF else ""
        return _ENTITIES.get(name, found[0]) if name else "\n" if found[0][0] == "\r" else ""

    return _MARKUP.sub(plain, raw)
