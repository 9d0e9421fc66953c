"""Parses XML with expat, and prints it with comments, declarations and order kept.

Attributes are items whose Word has no offsets (:class:`Element` locates it for findings), child elements
are items with a Node, text is an item with the empty key. Prefixes are part of the name; an undeclared
one is allowed, as in other URDF parsers.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from xml.parsers.expat import ExpatError, ParserCreate, XMLParserType

import numpy as np
from numpy.typing import NDArray

from unibody.text.finding import Finding, Findings, TextError
from unibody.text.limits import Guard, meter_of
from unibody.text.node import Item, Node, Word, elements
from unibody.text.shared import NO_ITEMS
from unibody.text.source import Source, Span
from unibody.text.xml.element import Element
from unibody.text.xml.entities import Entities
from unibody.text.xml.errors import repair, syntax_error
from unibody.text.xml.fixes import doctype_removed, end_removed
from unibody.text.xml.lexer import START_TAG, comments, inside

__all__ = ["comments", "parse"]

# Minimum length of a value: "<a/>"; an attribute takes one more.
_LEAST = 4
_TAG_BYTES = re.compile(START_TAG.encode())
_FOREIGN_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);|#)([^;\s]*)")
_TEXT = re.compile(rb">[ \t\r\n]*(?:[^ \t\r\n<]|<!\[CDATA)")
_CONTINUATION = bytes(range(0x80, 0xC0))


def parse(source: Source, findings: Findings) -> Node:
    """Parse an XML text; returns the root element. External entities and DTDs are never read.

    TextError: ``xml-syntax``, ``xml-entity``, ``nesting-too-deep``.

    >>> parse(Source("a.xml", '<robot name="r"><link name="a"/></robot>'), Findings())
    Node('robot', [('name', Word('r')), ('link', Node('link', [('name', Word('a'))]))])
    """
    text = source.text
    guard = meter_of(source).guard(source, _LEAST)
    origins: NDArray[np.int64] | None = None
    skipped = Findings()  # reported only if the rest can be parsed
    while True:
        data = text.encode("utf-8", "surrogatepass")
        top = Node("", [], source, 0, len(data))
        parser = ParserCreate("utf-8")
        noted = Findings()
        stack = _grow(parser, top, data, guard)
        entities = Entities(guard.meter.limits.entities)
        _guard(parser, top, entities, noted)
        try:
            parser.Parse(data, True)
            break
        except ExpatError as broken:
            at = _origin(_offset(data, max(parser.ErrorByteIndex, 0)), origins)
            if len(stack) == 1 and top.items:
                place = Span(source, at, len(text))
                end = top.items[0][1].end
                noted.warning(
                    "text-after-root",
                    "text after the root element is ignored",
                    place,
                    "remove it",
                    fix=end_removed(source, _origin(_offset(data, end), origins)),
                )
                break
            repaired = repair(source, text, broken.code, at, findings) if origins is None else text
            if repaired == text and origins is None:
                from unibody.text.xml.repairs import lenient

                if (odd := lenient(source, text, skipped)) is not None:
                    repaired, origins = odd.text, odd.origins
            if repaired == text:
                inner = stack[-1]
                inner.start = _origin(_offset(data, inner.start), origins)
                raise syntax_error(source, broken.code, at, inner) from None
            text = repaired
    findings += skipped
    findings += noted
    root = top.items[0][1]
    assert isinstance(root, Node)
    if len(data) != len(text) or origins is not None:
        _count_characters(root, data, origins)
    if "<!DOCTYPE" in text[: root.start] and "&" in text:
        _refuse_entities(root, source, entities)
    return guard.done(root)


def _grow(parser: XMLParserType, top: Node, data: bytes, guard: Guard) -> list[Node]:
    """Set handlers that build the tree under ``top``; returns the stack of open elements.

    The handlers run for every tag, so that they do as little as possible. Offsets are in bytes.
    """
    source = top.source
    deepest = guard.meter.limits.depth + 1
    stack = [top]
    push, pop = stack.append, stack.pop
    latest = top

    def start(tag: str, attributes: list[str]) -> None:
        nonlocal latest
        at = parser.CurrentByteIndex
        items: list[Item] = []
        for k in range(0, len(attributes), 2):
            items.append((attributes[k], Word(attributes[k + 1]), at))
        latest = Element(tag, items, source, at)
        stack[-1].items.append((tag, latest, at))
        push(latest)
        if len(stack) > deepest:
            raise guard.meter.limits.met("depth", "nesting too deep", _span(top, data, at))

    def end(tag: str) -> None:
        node = pop()
        if not node.items:
            node.items = NO_ITEMS
        at = parser.CurrentByteIndex
        # expat's offset is after "<a/>", but before "</a>".
        if node is latest and data[at - 2] == 0x2F and data[at - 1] == 0x3E:
            node.end = at
        else:
            node.end = data.find(b">", at) + 1

    def text(words: str) -> None:
        nonlocal latest
        # XML allows no other ASCII white space than blanks, tabs and line ends
        if not (words.isspace() and words.isascii()):
            # The whole text between two tags, comments included, comes in one call (see buffer_size).
            node = stack[-1]
            before = node.items[-1][1] if node.items else None
            opened = _TAG_BYTES.match(data, node.start)
            latest = top
            at = before.end if isinstance(before, Node) else opened.end() if opened else node.start
            node.items.append(("", Word(words, at, parser.CurrentByteIndex), at))

    parser.ordered_attributes = True
    parser.buffer_text = True
    parser.buffer_size = max(len(data), 1)
    parser.StartElementHandler, parser.EndElementHandler = start, end
    if guard.tight:
        guard.count = 0
        parser.StartElementHandler = _counting(start, parser, data, guard)
    if _TEXT.search(data):  # most robot files have no text: this saves an eighth of the time
        parser.CharacterDataHandler = text
    return stack


def _counting(
    start: Callable[[str, list[str]], None], parser: XMLParserType, data: bytes, guard: Guard
) -> Callable[[str, list[str]], None]:
    """A handler of start tags that also counts the element and its attributes."""

    def at() -> int:
        return _offset(data, max(parser.CurrentByteIndex, 0))

    def counting(tag: str, attributes: list[str]) -> None:
        guard.step(at, 2 + len(attributes) // 2)
        start(tag, attributes)

    return counting


def _entity_hint() -> str:
    from unibody.text.hint import Hint, Setting

    setting = Setting("limit", "entities", blank="…")
    return Hint("write the text itself, or allow for plain text with ", setting)


def _guard(parser: XMLParserType, top: Node, entities: Entities, findings: Findings) -> None:
    """Set handlers that reject entities and report an external DTD."""
    assert top.source is not None
    source, limits = top.source, meter_of(top.source).limits

    def place() -> Span | None:
        return _span(top, source.text.encode("utf-8", "surrogatepass"), parser.CurrentByteIndex)

    def refused(message: str) -> TextError:
        return TextError(Finding("xml-entity", "error", message, place(), _entity_hint()))

    def entity(name: str, is_parameter: bool, value: str | None, *_: object) -> None:
        if why := entities.refused(name, is_parameter, value):
            raise refused(f"entity {name!r} is declared: {why}")

    def skipped(name: str, is_parameter: bool) -> None:
        raise refused(f"entity &{name}; is used: entities are not expanded")

    def doctype(name: str, system: str | None, public: str | None, has_subset: bool) -> None:
        if system or public:
            at = place()
            fix = doctype_removed(source, at.start) if at is not None else None
            findings.info("xml-dtd", f"external DTD of <{name}> is ignored", at, fix=fix)

    def used() -> None:
        if (count := entities.characters(source.text)) > entities.most:
            raise limits.met("entities", f"entities stand for {count} characters", place())

    parser.EntityDeclHandler = entity
    parser.UnparsedEntityDeclHandler = lambda name, *_: entity(name, False, None)
    parser.SkippedEntityHandler = skipped
    parser.StartDoctypeDeclHandler, parser.EndDoctypeDeclHandler = doctype, used


def _span(top: Node, data: bytes, at: int) -> Span | None:
    start = _offset(data, max(at, 0))
    return Span(top.source, start, start + 1) if top.source else None


def _offset(data: bytes, at: int) -> int:
    """The number of characters in the first ``at`` bytes."""
    return len(data[:at].translate(None, _CONTINUATION))


def _origin(at: int, origins: NDArray[np.int64] | None) -> int:
    """The offset in the original text of a character of the repaired one."""
    return at if origins is None else int(origins[min(at, len(origins) - 1)])


def _count_characters(root: Node, data: bytes, origins: NDArray[np.int64] | None) -> None:
    """Convert the byte offsets of a tree to character offsets of the original text, in place."""
    first_bytes = (np.frombuffer(data, np.uint8) & 0xC0) != 0x80
    places = np.concatenate([[0], np.cumsum(first_bytes)])
    counts = (places if origins is None else origins[places]).data
    todo = [root]
    while todo:
        node = todo.pop()
        node.start, node.end = counts[node.start], counts[node.end]
        for i, (key, value, at) in enumerate(node.items):
            if isinstance(value, Node):
                todo.append(value)
            elif isinstance(value, Word) and value.start >= 0:
                value.start, value.end = counts[value.start], counts[value.end]
            node.items[i] = (key, value, counts[at])


def _refuse_entities(root: Node, source: Source, entities: Entities) -> None:
    """Reject unknown entities in attributes, which expat drops silently if there is an external DTD."""
    for node in elements(root):
        every = _FOREIGN_ENTITY.finditer(source.text, node.start, inside(node))
        found = next((use for use in every if use[1] not in entities.sizes), None)
        if found:
            message = f"entity &{found[1]}; is used: entities are not expanded"
            raise TextError(Finding("xml-entity", "error", message, Span(source, *found.span())))
