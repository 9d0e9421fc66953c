"""Prints XML; comments, declarations, order, quotes and the lines of attributes are kept."""

from __future__ import annotations

import re
from typing import TypeAlias

from unibody.text.dataclass import dataclass
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.source import Source
from unibody.text.trailing import current, gap
from unibody.text.xml.lexer import IN_TEXT, inside, loose, quoted, unescape

_BLANK = " \t\r\n"
# In the internal subset of a DOCTYPE, brackets and quotes inside comments and strings are ignored.
_DOCTYPE = (
    r"""<!DOCTYPE(?:[^\["'>]|"[^"]*"|'[^']*')*"""
    r"""(?:\[(?:[^\]"'<]|"[^"]*"|'[^']*'|<!--.*?-->|<\?.*?\?>|<(?!!--|\?))*\]\s*)?>"""
)
_MISC = re.compile(rf"\s*(<!--.*?-->|<\?.*?\?>|{_DOCTYPE})", re.DOTALL)
_DECLARATION = re.compile(r"<\?xml\s.*?\?>", re.DOTALL)
_STANDARD = '<?xml version="1.0" encoding="UTF-8"?>'
_ENCODING = re.compile(r"""\sencoding\s*=\s*(?:"[^"]*"|'[^']*')""")
_ATTRIBUTE = re.compile(r"""\s+([^\s=]+)\s*=\s*("[^"]*"|'[^']*')""")
_TAG_END = re.compile(r"\s+/>\Z")
_OWN_ENTITY = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);|#)[^;\s]*;")
_EMPTY_LINE = re.compile(r"\n[ \t\r]*\n|\r[ \t]*\r")
_BREAK = re.compile(r"[\r\n]")
_LINE_OR_NOTE = re.compile(r"[ \t]*(?:[\r\n]|\Z|<!--)")
_LONGEST_LINE = 100
_LINE_END = re.compile(r"[ \t]*(?:[\r\n]|\Z)")
_FIRST = r":A-Z_a-z\xc0-\ufffd\U00010000-\U000effff"
_NAME = re.compile(rf"[{_FIRST}][-.0-9\xb7{_FIRST}]*")
_NO_CHARACTER = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class _Part:
    """A child, or text in its final form, and its offsets in the source (−1 for none)."""

    what: str | Node
    start: int = -1
    end: int = -1


@dataclass(frozen=True, slots=True)
class _Trailing:
    """A comment at the end of a line."""

    text: str
    at: int
    source: str


_Work: TypeAlias = "str | _Trailing | tuple[Node, str]"


def is_text(words: str) -> bool:
    """Whether XML can represent all characters of a text.

    >>> is_text("left arm"), is_text("\\x00")
    (True, False)
    """
    return _NO_CHARACTER.search(words) is None


def print_xml(node: Node, declaration: bool = False) -> str:
    """Print a node as XML, indented by two blanks; only the white space of parsed nodes changes.

    The root of a parsed file keeps its declaration (save the text in the file's encoding), DOCTYPE,
    comments and processing instructions; ``declaration`` adds one with UTF-8 if there is none. Several
    empty lines become one. Characters that XML cannot represent become U+FFFD; ValueError for an invalid
    name.

    >>> print(print_xml(Node("robot", [("name", Word("a<b"), -1), ("link", Node("link"), -1)])), end="")
    <robot name="a&lt;b">
      <link/>
    </robot>
    """
    before, after = _around(node)
    if declaration and not (before and _is_declaration(before[0])):
        before.insert(0, _Part(_STANDARD))
    text = node.source.text if node.source and node.start >= 0 else ""
    out: list[str] = []
    todo = _lines([*before, _Part(node, node.start, node.end), *after], text, -1, "\n")[::-1]
    while todo:
        piece = todo.pop()
        if isinstance(piece, str):
            out.append(piece)
        elif isinstance(piece, _Trailing):
            out.append(gap(piece.source, piece.at, out) + piece.text)
        else:
            todo += _element(*piece, out)[::-1]
    return "".join([*out, "\n"]).lstrip("\n")


def _element(node: Node, line: str, out: list[str]) -> list[_Work]:
    """Print an element; its children start with ``line`` and two blanks, or go on one line if it is ""."""
    out.append(f"<{_name(node.tag)}")
    _attributes(node, line, out)
    content = _content(node)
    if not content:
        return ["/>"]
    out.append(">")
    text = node.source.text if node.source and node.start >= 0 else ""
    at = inside(node) if text else -1
    # A line break next to text would become part of the text.
    if any(key == "" for key, _, _ in node.items):
        return [*_in_one_line(content, "", at, -1), f"</{node.tag}>"]
    if not line or _has_a_line(node, line):
        return [*_in_one_line(content, text, at, node.end), f"</{node.tag}>"]
    return [*_lines(content, text, at, line + "  "), line, f"</{node.tag}>"]


def _has_a_line(node: Node, line: str) -> bool:
    """Whether an element below the root is alone on one line, apart from a comment."""
    text = node.source.text if node.source and node.start >= 0 else ""
    if not text or line == "\n" or not 0 < node.end - node.start <= _LONGEST_LINE:
        return False
    before = text[text.rfind("\n", 0, node.start) + 1 : node.start]
    is_alone = not before.strip() and _LINE_OR_NOTE.match(text, node.end)
    return bool(is_alone and not _BREAK.search(text, node.start, node.end))


def _in_one_line(parts: list[_Part], text: str, at: int, end: int) -> list[_Work]:
    """Parts without a line break; with a text, blanks between them stay, one of several."""
    out: list[_Work] = []
    for part in parts:
        out.append(" " if text and 0 <= at < part.start and text[at].isspace() else "")
        out.append(part.what if isinstance(part.what, str) else (part.what, ""))
        at = part.end
    out.append(" " if text and 0 <= at < end and text[at].isspace() else "")
    return out


def _lines(parts: list[_Part], text: str, at: int, line: str) -> list[_Work]:
    """Each part in a line of its own, or behind the one before if it is a comment that was there."""
    out: list[_Work] = []
    for part in parts:
        known = 0 <= at <= part.start
        is_alone = not known or _BREAK.search(text, at, part.start)
        what = part.what
        if isinstance(what, str) and not is_alone and _ends_line(what, text, part.end):
            out.append(_Trailing(what, part.start, text))
        else:
            is_apart = known and _EMPTY_LINE.search(text, at, part.start)
            out += ["\n" + line if is_apart else line, what if isinstance(what, str) else (what, line)]
        at = part.end
    return out


def _ends_line(comment: str, text: str, end: int) -> bool:
    """Whether a comment of one line is the last in it."""
    is_one = comment.startswith("<!--") and not _BREAK.search(comment)
    return is_one and _LINE_END.match(text, end) is not None


def _around(node: Node) -> tuple[list[_Part], list[_Part]]:
    """What stands before and after the root element of a file; nothing for any other node."""
    source = node.source
    if source is None or node.start < 0:
        return [], []
    before, at = _between(source, 0, node.start)
    if source.text[at : node.start].strip(_BLANK):
        return [], []
    before.sort(key=lambda part: not _is_declaration(part))
    if before and _is_declaration(before[0]) and "version" not in str(before[0].what):
        encoding = _ENCODING.search(str(before[0].what))
        before[0] = _Part(f'<?xml version="1.0"{encoding[0] if encoding else ""}?>')
    return before, _between(source, node.end, len(source.text))[0]


def _between(source: Source, at: int, end: int) -> tuple[list[_Part], int]:
    found: list[_Part] = []
    while piece := _MISC.match(source.text, at, end):
        found.append(_Part(piece[1], *piece.span(1)))
        at = piece.end()
    return found, at


def _is_declaration(part: _Part) -> bool:
    return isinstance(part.what, str) and _DECLARATION.match(part.what) is not None


def _attributes(node: Node, line: str, out: list[str]) -> None:
    """The attributes of an element, in the rows and with the quotes that they were written with."""
    written, tail = _written(node)
    text = node.source.text if written and node.source else ""
    first = min((found.start(1) for found in written.values()), default=0)
    is_aligned = bool(written) and not _BREAK.search(text, node.start, first)
    has_rows = is_aligned and _BREAK.search(text, first, inside(node))
    column = len(current(out)) + 1 if has_rows else 0
    for key, value, _ in node.items:
        if not key or isinstance(value, Node):
            continue
        words, found = _words(value), written.get(key)
        if found and line and _BREAK.search(text, found.start(), found.start(1)):
            below = is_aligned and _column(text, found.start(1)) == _column(text, first)
            out.append("\n" + " " * column if below else f"{line}    ")
        else:
            out.append(" ")
        if found and _says(_normal(found[2][1:-1]), words):
            out.append(f"{_name(key)}={found[2]}")
        else:
            out.append(f"{_name(key)}={quoted(_legal(words))}")
    if tail and not _content(node):
        out.append(" ")


def _written(node: Node) -> tuple[dict[str, re.Match[str]], bool]:
    """The attributes in the source by name, and whether there is a blank before the end of the tag."""
    source = node.source
    if source is None or node.start < 0:
        return {}, False
    end = inside(node)
    at = node.start + 1 + len(node.tag)
    found: dict[str, re.Match[str]] = {}
    while one := _ATTRIBUTE.match(source.text, at, end):
        found[one[1]] = one
        at = one.end()
    return found, _TAG_END.search(source.text[at:end]) is not None


def _column(text: str, at: int) -> int:
    return at - text.rfind("\n", 0, at)


def _normal(raw: str) -> str:
    """Normalize white space in an attribute as the parser does (XML 1.0, section 3.3.3)."""
    return re.sub("\r\n|[\t\r\n]", " ", raw)


def _says(raw: str, words: str) -> bool:
    """Whether ``raw`` reads as ``words``; a declared entity matches any text."""
    pieces = _OWN_ENTITY.split(raw)
    first, *rest = [unescape(piece) for piece in pieces]
    if not rest:
        return first == words
    at = len(first)
    for piece in rest[:-1]:
        at = words.find(piece, at) + len(piece)
        if at < len(piece):
            return False
    return words.startswith(first) and words.endswith(rest[-1]) and at <= len(words) - len(rest[-1])


def _words(value: Value) -> str:
    """The text of a scalar or of a list of scalars; ValueError for other values."""
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


def _content(node: Node) -> list[_Part]:
    """Children, text as XML, and the comments and processing instructions between them, in order."""
    parts: list[_Part] = []
    source = node.source if node.start >= 0 else None
    text, at = (source.text, inside(node)) if source else ("", 0)
    for key, value, _ in node.items:
        if isinstance(value, Node):
            if source and value.source is source and at <= value.start < node.end:
                parts += _loose(text, at, value.start)
                at = value.end
                parts.append(_Part(value, value.start, value.end))
            else:
                parts.append(_Part(value))
        elif not key:
            if at <= value.start:
                parts += _loose(text, at, value.start)
            words = _words(value)
            raw = text[value.start : value.end] if at <= value.start else ""
            if raw and _says(raw, words):
                # The original text keeps CDATA, character references and comments.
                at = value.end
                parts.append(_Part(raw))
            else:
                parts.append(_Part(_legal(words).translate(IN_TEXT)))
    return parts + _loose(text, at, node.end)


def _loose(text: str, start: int, end: int) -> list[_Part]:
    return [_Part(text[a:b], a, b) for a, b in loose(text, start, end)]


def _legal(words: str) -> str:
    return _NO_CHARACTER.sub("\ufffd", words)


def _name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} cannot be the name of an XML element or attribute")
    return name
