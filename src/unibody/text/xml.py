"""XML: parse to Nodes with expat, print Nodes back with comments, declarations and order kept.

Attributes are items whose Word has no place of its own (``attribute_span`` finds it when a finding
needs it), child elements are items that hold a Node, text is an item with the empty key.
Prefixes are part of the name: an undeclared one is no error, as in the parsers of the field.
"""

from __future__ import annotations

import re
from xml.parsers.expat import ExpatError, ParserCreate, XMLParserType

import numpy as np

from unibody.text.finding import Finding, Findings, TextError
from unibody.text.node import Item, Node, Numbers, Row, Value, Word
from unibody.text.source import Source, Span
from unibody.text.xml_error import mend, syntax_error
from unibody.text.xml_lex import START_TAG, attribute_span, comments, inside, loose, unescape

__all__ = ["MAX_DEPTH", "attribute_span", "comments", "parse", "print_xml"]

MAX_DEPTH = 1000

_BLANK = " \t\r\n"
_TAG_BYTES = re.compile(START_TAG.encode())
# In the inner subset of a DOCTYPE, brackets and quotes inside comments and strings do not count.
_DOCTYPE = (
    r"""<!DOCTYPE(?:[^\["'>]|"[^"]*"|'[^']*')*"""
    r"""(?:\[(?:[^\]"'<]|"[^"]*"|'[^']*'|<!--.*?-->|<\?.*?\?>|<(?!!--|\?))*\]\s*)?>"""
)
_MISC = re.compile(rf"\s*(<!--.*?-->|<\?.*?\?>|{_DOCTYPE})", re.DOTALL)
_DECLARATION = re.compile(r"<\?xml\s.*?\?>", re.DOTALL)
_STANDARD = '<?xml version="1.0" encoding="UTF-8"?>'
_ENCODING = re.compile(r"""(\sencoding\s*=\s*)("[^"]*"|'[^']*')""")
_FOREIGN_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);|#)([^;\s]*)")
_TEXT = re.compile(rb">[ \t\r\n]*(?:[^ \t\r\n<]|<!\[CDATA)")
_CONTINUATION = bytes(range(0x80, 0xC0))
_FIRST = r":A-Z_a-z\xc0-\ufffd\U00010000-\U000effff"
_NAME = re.compile(rf"[{_FIRST}][-.0-9\xb7{_FIRST}]*")
_NO_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_IN_ATTRIBUTE = _IN_TEXT | str.maketrans({'"': "&quot;", "\n": "&#10;", "\t": "&#9;"})


def parse(source: Source, findings: Findings) -> Node:
    """The root element of an XML text; entities and external DTDs are never read.

    Raises TextError: ``xml-syntax``, ``xml-entity``, ``nesting-too-deep``.

    >>> parse(Source("a.xml", '<robot name="r"><link name="a"/></robot>'), Findings())
    Node('robot', [('name', Word('r')), ('link', Node('link', [('name', Word('a'))]))])
    """
    text = source.text
    while True:
        data = text.encode("utf-8", "surrogatepass")
        top = Node("", [], source, 0, len(data))
        parser = ParserCreate("utf-8")
        noted = Findings()
        stack = _grow(parser, top, data, noted)
        try:
            parser.Parse(data, True)
            break
        except ExpatError as broken:
            at = _offset(data, max(parser.ErrorByteIndex, 0))
            if len(stack) == 1 and top.items:
                place = Span(source, at, len(text))
                noted.warning(
                    "text-after-root", "text after the root element is ignored", place, "remove it"
                )
                break
            mended = mend(source, text, broken.code, at, findings)
            if mended == text:
                inner = stack[-1]
                inner.start = _offset(data, inner.start)
                raise syntax_error(source, broken.code, at, inner) from None
            text = mended
    findings += noted
    root = top.items[0][1]
    assert isinstance(root, Node)
    if len(data) != len(text):
        _count_characters(root, data)
    if "<!DOCTYPE" in text[: root.start] and "&" in text:
        _refuse_entities(root, source)
    return root


def _grow(parser: XMLParserType, top: Node, data: bytes, findings: Findings) -> list[Node]:
    """Set handlers that build the tree under ``top``; gives the list of the elements still open.

    These run for every tag of every file, so they do the least that is possible. Offsets are of bytes.
    """
    source = top.source
    stack = [top]
    push, pop = stack.append, stack.pop
    latest = top

    def start(tag: str, attributes: list[str]) -> None:
        nonlocal latest
        at = parser.CurrentByteIndex
        pairs = iter(attributes)
        items: list[Item] = [(key, Word(word), at) for key, word in zip(pairs, pairs, strict=True)]
        latest = Node(tag, items, source, at)
        stack[-1].items.append((tag, latest, at))
        push(latest)
        if len(stack) > MAX_DEPTH + 1:
            message = f"nesting too deep: more than {MAX_DEPTH} elements inside one another"
            raise _refused("nesting-too-deep", message, top, data, at)

    def end(tag: str) -> None:
        node = pop()
        at = parser.CurrentByteIndex
        # After "<a/>" expat stands behind the tag, at "</a>" before it.
        if node is latest and data[at - 2] == 0x2F and data[at - 1] == 0x3E:
            node.end = at
        else:
            node.end = data.find(b">", at) + 1

    def text(words: str) -> None:
        nonlocal latest
        if words.strip(_BLANK):
            # All of the gap between two tags, comments included, comes in one call (see buffer_size).
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
    if _TEXT.search(data):  # most robot files have none: an eighth of the time saved
        parser.CharacterDataHandler = text
    _guard(parser, top, data, findings)
    return stack


def _guard(parser: XMLParserType, top: Node, data: bytes, findings: Findings) -> None:
    """Refuse entities where they are declared or used; say that a DTD is not read."""

    def entity(name: str, *_: object) -> None:
        message = f"entity {name!r} is declared: entities are not expanded"
        raise _refused("xml-entity", message, top, data, parser.CurrentByteIndex)

    def skipped(name: str, is_parameter: bool) -> None:
        message = f"entity &{name}; is used: entities are not expanded"
        raise _refused("xml-entity", message, top, data, parser.CurrentByteIndex)

    def doctype(name: str, system: str | None, public: str | None, has_subset: bool) -> None:
        if system or public:
            place = _span(top, data, parser.CurrentByteIndex)
            findings.info("xml-dtd", f"the external DTD of <{name}> is not read", place)

    parser.EntityDeclHandler = entity
    parser.UnparsedEntityDeclHandler = entity
    parser.SkippedEntityHandler = skipped
    parser.StartDoctypeDeclHandler = doctype


def _refused(code: str, message: str, top: Node, data: bytes, at: int) -> TextError:
    return TextError(Finding(code, "error", message, _span(top, data, at)))


def _span(top: Node, data: bytes, at: int) -> Span | None:
    start = _offset(data, max(at, 0))
    return Span(top.source, start, start + 1) if top.source else None


def _offset(data: bytes, at: int) -> int:
    """Characters in the first ``at`` bytes."""
    return len(data[:at].translate(None, _CONTINUATION))


def _count_characters(root: Node, data: bytes) -> None:
    """Turn the byte offsets of a tree into character offsets, in place."""
    first_bytes = (np.frombuffer(data, np.uint8) & 0xC0) != 0x80
    counts = np.concatenate([[0], np.cumsum(first_bytes)]).data
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


def _refuse_entities(root: Node, source: Source) -> None:
    """With a DTD that is not read, expat drops unknown entities in attributes without a word."""
    todo: list[Value] = [root]
    while todo:
        node = todo.pop()
        if isinstance(node, Node):
            found = _FOREIGN_ENTITY.search(source.text, node.start, inside(node))
            if found:
                message = f"entity &{found[1]}; is used: entities are not expanded"
                raise TextError(Finding("xml-entity", "error", message, Span(source, *found.span())))
            todo.extend(value for _, value, _ in node.items)


def print_xml(node: Node, declaration: bool = False) -> str:
    """XML text of a node, two blanks a level; what was parsed keeps everything but white space.

    The root of a parsed file brings its declaration (with the encoding set to UTF-8, which the
    text is to be saved in), DOCTYPE, comments and instructions along; ``declaration`` adds one where
    there is none. Characters that XML cannot hold become U+FFFD; ValueError for a name that is none.

    >>> print(print_xml(Node("robot", [("name", Word("a<b"), -1), ("link", Node("link"), -1)])), end="")
    <robot name="a&lt;b">
      <link/>
    </robot>
    """
    before, after = _around(node)
    if declaration and not (before and _DECLARATION.match(before[0])):
        before.insert(0, _STANDARD)
    out = [piece + "\n" for piece in before]
    todo: list[str | tuple[Node, str]] = [(node, "\n")]
    while todo:
        piece = todo.pop()
        if isinstance(piece, str):
            out.append(piece)
            continue
        element, line = piece
        head = f"<{_name(element.tag)}{_attributes(element)}"
        content = _content(element)
        if not content:
            out.append(head + "/>")
            continue
        # A line break next to text would become part of the text.
        inner = "" if not line or any(key == "" for key, _, _ in element.items) else line + "  "
        todo.append(f"{line if inner else ''}</{element.tag}>")
        for part in reversed(content):
            todo += [part if isinstance(part, str) else (part, inner), inner]
        out.append(head + ">")
    return "".join([*out, *("\n" + piece for piece in after), "\n"])


def _around(node: Node) -> tuple[list[str], list[str]]:
    """What stands before and after the root element of a file; nothing for any other node."""
    source = node.source
    if source is None or node.start < 0:
        return [], []
    before, at = [], 0
    while found := _MISC.match(source.text, at, node.start):
        before.append(found[1])
        at = found.end()
    if source.text[at : node.start].strip(_BLANK):
        return [], []
    before.sort(key=lambda piece: not _DECLARATION.match(piece))
    if before and _DECLARATION.match(before[0]):
        before[0] = _ENCODING.sub(r'\1"UTF-8"', before[0]) if "version" in before[0] else _STANDARD
    after, at = [], node.end
    while found := _MISC.match(source.text, at):
        after.append(found[1])
        at = found.end()
    return before, after


def _attributes(node: Node) -> str:
    return "".join(
        f' {_name(key)}="{_escape(_words(value), _IN_ATTRIBUTE)}"'
        for key, value, _ in node.items
        if key and not isinstance(value, Node)
    )


def _words(value: Value) -> str:
    """Text of a scalar or of a list of them; ValueError for a list of anything else."""
    match value:
        case Word():
            return value.text
        case Numbers():
            return " ".join(value.words())
        case Row():
            return " ".join(_words(v) if isinstance(v, Word) else _no_text(v) for v in value.values)
    return _no_text(value)


def _no_text(value: Value) -> str:
    raise ValueError(f"XML has no place for {value!r} in an attribute or text")


def _content(node: Node) -> list[str | Node]:
    """Children, text as XML, and the comments and instructions between them, in order."""
    parts: list[str | Node] = []
    source = node.source if node.start >= 0 else None
    text, at = (source.text, inside(node)) if source else ("", 0)
    for key, value, _ in node.items:
        if isinstance(value, Node):
            if source and value.source is source and at <= value.start < node.end:
                parts += [text[a:b] for a, b in loose(text, at, value.start)]
                at = value.end
            parts.append(value)
        elif not key:
            if at <= value.start:
                parts += [text[a:b] for a, b in loose(text, at, value.start)]
            words = _words(value)
            raw = text[value.start : value.end] if at <= value.start else ""
            if raw and unescape(raw) == words:
                # As written it keeps CDATA, character references and the comments within.
                at = value.end
                parts.append(raw)
            else:
                parts.append(_escape(words, _IN_TEXT))
    parts += [text[a:b] for a, b in loose(text, at, node.end)]
    return parts


def _escape(words: str, specials: dict[int, str]) -> str:
    return _NO_CHARACTER.sub("\ufffd", words).translate(specials)


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot be the name of an XML element or attribute")
    return name
