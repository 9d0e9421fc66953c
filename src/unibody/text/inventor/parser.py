"""Open Inventor ASCII (1.0, 2.0, 2.1) and VRML 1.0: text to Nodes and back.

The tree is that of :mod:`unibody.text.vrml.parser`, with more: children of a group are items without a key;
a bitmask ``(A | B)`` is a Row of Words; ``fields [SFFloat x]`` are "interface" items without value.
A field that is ignored (``x 1 ~``) has the value ``Node("~", [("", value)])``, and one that is fed by
an engine (``x 1 = USE E . out``) ``Node("=", [("value", …), ("from", Node), ("field", Word)])``.
"""

from __future__ import annotations

import re

from unibody.text.finding import Finding, Findings, TextError
from unibody.text.fixes import first_line, made_first
from unibody.text.node import Node, Row, Value, Word
from unibody.text.source import Source, Span
from unibody.text.vrml.dialect import Dialect
from unibody.text.vrml.grammar import STATEMENTS, Reader
from unibody.text.vrml.lexer import GAP, Patterns
from unibody.text.vrml.printer import Style, comments, print_tree

__all__ = ["comments", "parse", "print"]

# Inventor escapes quotes only; a quote at the end of a line ends the string even after a backslash, as
# in Windows paths.
_STRING = r'"[^"\\]*(?:\\(?:"(?![\r\n]|\Z))?[^"\\]*)*"'
_HEADER = re.compile(
    r"#(?:Inventor[ \t]+V[12]\.[0-9][ \t]+ascii|VRML[ \t]+V1\.0[ \t]+ascii)(?![^\x00-\x20])"
)
_LATER = re.compile(
    r"(?:[\x00-\x20,]*#(?!Inventor|VRML)[^\r\n]*[\r\n])*[\x00-\x20,]*(#(?:Inventor|VRML)[^\r\n]*)"
)
_FLAG = re.compile(rf"{GAP}(?:\|{GAP})*([^\x00-\x20,|()\"#\[\]{{}}~=]+|\))")
_NO_STRING = re.compile(r'"[\r\n]')
#: Keywords of a node's own declarations: in the text, and in the tree.
_DECLARED = {"fields": "field", "inputs": "input", "outputs": "output"}
_REST = re.compile(r'[^\[\]{}"#]*\]')
_DOT = re.compile(rf"{GAP}\.")


def parse(source: Source, findings: Findings, part: bool = False) -> Node:
    """Parse an ASCII Inventor or VRML 1.0 file; with ``part`` it may lack a header.

    TextError: ``inventor-syntax``, ``inventor-header``, ``nesting-too-deep``.

    >>> parse(Source("a.iv", "#Inventor V2.1 ascii\\nSeparator { Cube { width 2 } }"), Findings())
    Node('', [('', Node('Separator', [('', Node('Cube', [('width', Word('2'))]))]))])
    """
    reader = Reader(source, findings, INVENTOR)
    _header(reader, part)
    return reader.read(0)


def print(value: Value, source: Source | None = None) -> str:
    """Print a tree; with its ``source``, only white space and commas change.

    ValueError for a name or string that Inventor cannot represent.
    """
    return print_tree(value, source, _STYLE)


def _header(reader: Reader, part: bool) -> None:
    """Check the header; TextError if the file is not ASCII Inventor."""
    source, text = reader.source, reader.text
    if _HEADER.match(text) or (part and not text.startswith(("#Inventor", "#VRML"))):
        return
    first = Span(source, 0, len(source.line(1)))
    if not text.strip():
        raise TextError(Finding("empty", "error", "the file is empty", first))
    hint = "make #Inventor V2.1 ascii the first line"
    later = _LATER.match(text)
    if not later:
        message = "#Inventor V2.1 ascii header missing"
        fix = first_line(source, "#Inventor V2.1 ascii", safe=False)
        raise TextError(Finding("inventor-header", "error", message, first, hint, fix=fix))
    line, place = later[1].strip(), Span(source, *later.span(1))
    if later.start(1) and _HEADER.match(later[1]):
        message = f"{line} header not on the first line"
        fix = made_first(place, line)
        reader.findings.warning("inventor-header", message, place, hint, fix=fix)
        return
    message = f"header is {line[:60]!r}, not #Inventor V2.1 ascii"
    raise TextError(Finding("inventor-header", "error", message, place, hint))


def _fields(reader: Reader, start: int, at: int) -> int:
    """Read ``fields [ SFFloat x, MFVec3f y ]``, the declaration in an unknown node."""
    bracket = reader.patterns.square.match(reader.text, at)
    if not bracket:
        return reader.field(start, at)
    tag = _DECLARED[reader.text[start:at]]
    end = bracket.end()
    while found := reader.patterns.two.match(reader.text, end):
        begin, end = found.start(1), found.end()
        kind = Word(found[1], begin, found.end(1))
        node = Node(tag, [("type", kind, begin)], reader.source, begin, end, found[2])
        reader.node.items.append(("interface", node, begin))
    end = reader.skip(end)
    if end >= len(reader.text):
        raise reader.cut_off(end)
    if reader.text[end] != "]":
        reader.mistake("expected a type and a name, or ]", end, "write fields [ SFFloat x ]")
        rest = _REST.match(reader.text, end)
        return rest.end() if rest else end
    return end + 1


def _refuse(reader: Reader, start: int, at: int) -> int:
    """Reject a statement of VRML97 that the header's version lacks."""
    header = "VRML 1.0" if reader.text.lstrip().startswith("#VRML") else "Open Inventor"
    message = f"{reader.text[start:at]} is VRML97 (VRML 2.0), but the header declares version {header}"
    hint = "make #VRML V2.0 utf8 the first line if the file is VRML97"
    raise TextError(Finding("vrml-version", "error", message, Span(reader.source, start, at), hint))


def _odd_item(reader: Reader, at: int) -> int:
    """Read ``~`` after a field, ``=`` with the connected node, and ``.`` with the name of its output."""
    char, items = reader.text[at], reader.node.items
    if char not in "~=." or not items or items[-1][0] in ("", "interface"):
        return -1
    key, value, start = items[-1]
    if char == "~":
        items[-1] = (key, Node("~", [("", value, start)], reader.source, start, at + 1), start)
        return at + 1
    if char == "=":
        fed = Node("=", [("value", value, start)], reader.source, start, at + 1)
        items[-1] = (key, fed, start)
        return _feed(reader, fed, at + 1)
    word = reader.patterns.word.match(reader.text, at + 1)
    if not word or not isinstance(value, Node) or value.tag != "=" or value.get("field"):
        return -1
    value.items.append(("field", Word(word[1], *word.span(1)), word.start(1)))
    value.end = word.end()
    return word.end()


def _feed(reader: Reader, fed: Node, at: int) -> int:
    """Read the connection of a field: a node, or USE name.output, which may be one word."""
    value, end = reader.value(at, "=")
    if not isinstance(value, Node):
        reader.mistake(
            "expected an engine's output after =", reader.skip(at), "write = USE Engine . output"
        )
        return end
    fed.items.append(("from", value, value.start))
    name, dot, output = value.name.rpartition(".")
    if value.tag == "USE" and dot and not _DOT.match(reader.text, end):
        value.name, value.end = name, end - len(output) - 1
        if output:
            fed.items.append(("field", Word(output, end - len(output), end), end - len(output)))
            fed.end = end
        else:
            return end - 1
    return end


def _odd_value(reader: Reader, at: int) -> tuple[Value, int] | None:
    """Read ``~`` or ``=`` in place of a value, and flags in parentheses."""
    char = reader.text[at : at + 1]
    if char == "~":
        return Node("~", [], reader.source, at, at + 1), at + 1
    if char == "=":
        fed = Node("=", [], reader.source, at, at + 1)
        return fed, _feed(reader, fed, at + 1)
    if char != "(":
        return None
    row = Row([], at, -1, "", True)
    end = at + 1
    while found := _FLAG.match(reader.text, end):
        end = found.end()
        if found[1] == ")":
            row.end = end
            return row, end
        row.values.append(Word(found[1], found.start(1), end))
    end = reader.skip(end)
    if end >= len(reader.text):
        raise reader.cut_off(end)
    reader.mistake("unclosed (", at, "write (A | B)")
    row.end = end
    return row, end


def _quote(text: str) -> str:
    if _NO_STRING.search(text):
        raise ValueError("Inventor strings cannot hold a quote at the end of a line")
    return text.replace('"', '\\"')


def _unquote(raw: str) -> str:
    return raw.replace('\\"', '"')


_STYLE = Style(header="#Inventor V2.1 ascii", quote=_quote, unquote=_unquote, is_inventor=True)
_FOREIGN = dict.fromkeys(("PROTO", "EXTERNPROTO", "ROUTE"), _refuse)
INVENTOR = Dialect(
    code="inventor-syntax",
    patterns=Patterns(_STRING, "~=()|"),
    undo=_unquote,
    keywords={**STATEMENTS, **dict.fromkeys(_DECLARED, _fields), **_FOREIGN},
    bare_children=True,
    odd_item=_odd_item,
    odd_value=_odd_value,
)
