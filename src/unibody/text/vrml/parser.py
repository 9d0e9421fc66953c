"""Parses and prints VRML97 (ISO/IEC 14772-1, annex A, and common deviations of real files).

The file is a Node without tag whose items are its statements. A field is an item; a number is a Word,
several or bracketed numbers are Numbers; strings, nodes and words in brackets are a Row. ``USE x`` and
``IS x`` are Nodes with that tag and name; PROTO and EXTERNPROTO have "interface" items.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

from unibody.text.edit import ProposedFix, replaced
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.fixes import first_line, made_first
from unibody.text.limits import LimitError
from unibody.text.node import Item, Node, Row, Value, Word
from unibody.text.source import Source, Span
from unibody.text.vrml.dialect import Dialect
from unibody.text.vrml.grammar import NUMERIC, STATEMENTS, Reader
from unibody.text.vrml.lexer import GAP, Patterns
from unibody.text.vrml.printer import Style, comments, print_tree
from unibody.text.vrml.skip import ENDS, WORDS
from unibody.text.vrml.version import has_nodes_of_97

__all__ = ["comments", "parse", "print"]

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_ESCAPE = re.compile(r'\\([\\"])')
_HEADER = re.compile(r"#VRML[ \t]+V2\.0[ \t]+utf8(?![^\x00-\x20])")
_MISSPELLED = re.compile(r"#VRML\s*V?2(?:\.0)?(?:\s+utf-?8)?\s*", re.IGNORECASE)
_LATER = re.compile(r"(?:[\x00-\x20,]*#(?!VRML)[^\r\n]*[\r\n])*[\x00-\x20,]*(#VRML[^\r\n]*)")
_OTHER = re.compile(r"[\x00-\x20]*#(VRML V1\.0|Inventor|X3D)[^\r\n]*")
_NAMES = {"VRML V1.0": "VRML 1.0", "Inventor": "Open Inventor", "X3D": "X3D"}
# A statement, or a word at the end of a truncated file.
_BEGINS = re.compile(
    rf'{GAP}(?:(?:DEF|USE|PROTO|EXTERNPROTO|ROUTE)\b|[^\x00-\x20,"#\[\]{{}}]+{GAP}\{{|(?:[^\W\d]\w*)?{GAP}\Z)'
)


def parse(source: Source, findings: Findings, part: bool = False, whole: bool = False) -> Node:
    """Parse a VRML97 file; with ``part``, for a file included by another, it may lack a header.

    Shapes of common forms are parsed on first access, or at once if ``whole``: for a reader of all of
    them, that takes less time.

    TextError (``vrml-syntax``, ``vrml-version``, ``nesting-too-deep``) where parsing cannot continue;
    other mistakes are reported as errors and skipped.

    >>> parse(Source("a.wrl", "#VRML V2.0 utf8\\nDEF A Box { size 1 2 3 }"), Findings())
    Node('', [('', Node('Box', [('size', Numbers('1 2 3'))]))])
    """
    reader = Reader(source, findings, _AT_ONCE if whole else VRML97)
    _header(reader, part)
    noted = len(findings)
    try:
        tree = reader.read(0)
        if reader.tree.protos & WORDS and not whole:
            # The file declares a prototype with the name of a skipped node.
            del findings[noted:]
            tree = Reader(source, findings, _AT_ONCE).read(0)
    except LimitError:
        raise
    except TextError:
        plain = _as_loaders(source)
        if plain is None:
            raise
    else:
        broken = any(f.severity == "error" for f in findings[noted:])
        plain = _as_loaders(source) if broken else None
        if plain is None:
            return tree
    del findings[noted:]
    findings.extend(plain[1])
    return plain[0]


def _as_loaders(source: Source) -> tuple[Node, Findings] | None:
    """Parse a file like the loaders: without escapes, or unread nodes up to a brace; None if it fails."""
    found = Findings()
    at = source.text.find('\\"')
    if at >= 0:
        found.warning(
            "vrml-syntax",
            r"\" is read as a backslash and the end of the string, as in Choreonoid and OpenHRP",
            Span(source, at, at + 2),
            r"write \\ for a backslash at the end of a string",
        )
        if (tree := _retried(source, found, _plain())) is not None:
            return tree, found
    if any(tag in source.text for tag in _AT_ONCE.unread):
        found = Findings()
        if (tree := _retried(source, found, _first_brace())) is not None:
            return tree, found
    return None


def _retried(source: Source, found: Findings, dialect: Dialect) -> Node | None:
    """The tree of a file in another dialect; None after an error."""
    try:
        tree = Reader(source, found, dialect).read(0)
    except LimitError:
        raise
    except TextError:
        return None
    return None if found.errors else tree


def print(value: Value, source: Source | None = None) -> str:
    """Print a tree; with its ``source``, only white space and commas change.

    ValueError for a name or word that VRML cannot represent.
    """
    return print_tree(value, source, _STYLE)


def _header(reader: Reader, part: bool) -> None:
    """Check the header (ISO/IEC 14772-1, 4.2.2)."""
    source, text = reader.source, reader.text
    if _HEADER.match(text):
        return
    other = _OTHER.match(text)
    first = Span(source, 0, len(source.line(1)))
    if other and has_nodes_of_97(text):
        line = Span(source, other.start(1) - 1, other.end())
        message = (
            f"header declares {_NAMES[other[1]]}, but the nodes are those of VRML97; reading VRML97, as "
            "Choreonoid and OpenHRP do"
        )
        header = "#VRML V2.0 utf8"
        rewritten = ProposedFix("rewrite the header", (replaced(Span(source, 0, line.end), header),))
        hint = f"make {header} the first line"
        reader.findings.warning("vrml-version", message, line, hint, fix=rewritten)
        return
    if other:
        message = f"not VRML97 (VRML 2.0): the header declares {_NAMES[other[1]]}"
        raise TextError(Finding("vrml-version", "error", message, first, "save it as VRML97"))
    if not text.strip():
        raise TextError(Finding("empty", "error", "the file is empty", first))
    later = _LATER.match(text)
    if later:
        place = Span(source, *later.span(1))
        message = (
            "#VRML V2.0 header not on the first line"
            if later.start(1)
            else (f"header is {later[1][:60].strip()!r}, not #VRML V2.0 utf8")
        )
        fix = made_first(place, later[1].strip()) if later.start(1) else _header_rewritten(place)
        hint = "make #VRML V2.0 utf8 the first line"
        reader.findings.warning("vrml-header", message, place, hint, fix=fix)
        return
    if not _BEGINS.match(text):
        raise reader.failure("not VRML: the file begins with neither a header nor a node", reader.skip(0))
    severity = reader.findings.info if part else reader.findings.warning
    fix = first_line(source, "#VRML V2.0 utf8")
    severity("vrml-header", "#VRML V2.0 header missing", first, "make it the first line", fix=fix)


def _header_rewritten(at: Span) -> ProposedFix | None:
    """A misspelled header becomes the right one; a comment behind it stays."""
    text = at.text
    found = _MISSPELLED.match(text)
    if not found or (found.end() < len(text) and not text[found.end() - 1].isspace()):
        return None
    rest = text[found.end() :].strip()
    return ProposedFix("rewrite the header", (replaced(at, f"#VRML V2.0 utf8 {rest}".rstrip()),))


def _proto(reader: Reader, start: int, at: int) -> int:
    tag = reader.text[start:at]
    name = reader.patterns.name.match(reader.text, at)
    bracket = reader.patterns.square.match(reader.text, name.end()) if name else None
    if not name or not bracket:
        here = reader.skip(name.end() if name else at)
        if here >= len(reader.text):
            raise reader.cut_off(here)
        reader.mistake(f"{tag} without a name and [ … ]", start, f"write {tag} Name [ … ]")
        return here
    node = Node(tag, [], reader.source, start, -1, name[1])
    reader.tree.protos.add(node.name)
    reader.node.items.append(("", node, start))
    reader.open(node, bracket.end() - 1)
    return _declarations(reader, node, _interface_start(reader, node, bracket.end()))


def _interface_start(reader: Reader, proto: Node, at: int) -> int:
    """Skip an interface with brackets, which loaders of an EXTERNPROTO skip up to its first ]."""
    first = next(reader.marks(at, reader.string), None)
    if proto.tag == "PROTO" or first is None or first[0] == "]":
        return at
    end = reader.first_closing("]", at)
    if end < 0:
        return at
    message = f"brackets in the interface of EXTERNPROTO {proto.name}, which is skipped up to its first ]"
    reader.findings.warning(
        "vrml-syntax", message, reader.span(first[1] - 1), "declare events and fields only"
    )
    return end - 1


def _declarations(reader: Reader, proto: Node, at: int) -> int:
    """Read fields whose values have no brackets; the reader handles all others."""
    if proto.tag != "PROTO":
        return at
    match, text, source = reader.patterns.line.match, reader.text, reader.source
    while reader.stack[-1] is proto and (found := match(text, at)):
        _named(reader, found)
        start, kind = found.start(1), Word(found[2], *found.span(2))
        node = Node(found[1], [("type", kind, kind.start)], source, start, found.end(3), found[3])
        proto.items.append(("interface", node, start))
        at = reader.declared_value(node, found)
    return at


def _named(reader: Reader, found: re.Match[str]) -> None:
    """Report a declared field whose name is a number, which no instance can set."""
    if found[3][0] in NUMERIC:
        reader.mistake(f"expected a field name, not {found[3][:40]}", found.start(3))


def _route(reader: Reader, start: int, at: int) -> int:
    """Read ``ROUTE a.b TO c.d`` as two words."""
    found = reader.patterns.route.match(reader.text, at)
    if not found:
        if reader.skip(at) >= len(reader.text):
            raise reader.cut_off(reader.skip(at))
        reader.mistake("ROUTE is not followed by names", start, "write ROUTE A.x TO B.y")
        return at
    ends: list[Item] = [
        (key, Word(found[i], *found.span(i)), found.start(i)) for i, key in ((1, "from"), (2, "to"))
    ]
    reader.tree.starts["ROUTE"].append(start)
    reader.node.items.append(("", Node("ROUTE", ends, reader.source, start, found.end()), start))
    return found.end()


def _interface(reader: Reader, start: int, at: int) -> int:
    """Read ``field SFBool name value`` or an event, in a PROTO's interface or in a Script."""
    holder, tag = reader.node, reader.text[start:at]
    has_value = tag in ("field", "exposedField") and holder.tag != "EXTERNPROTO"
    found = (reader.patterns.declared if has_value else reader.patterns.event).match(reader.text, start)
    if not found:
        if reader.skip(at) >= len(reader.text):
            raise reader.cut_off(reader.skip(at))
        if holder.tag not in ("PROTO", "EXTERNPROTO", "Script"):
            return reader.field(start, at)
        reader.mistake(f"{tag} is not followed by a field type and a name", start, f"write {tag} SFFloat x")
        return at
    _named(reader, found)
    kind = Word(found[2], *found.span(2))
    node = Node(tag, [("type", kind, kind.start)], reader.source, start, found.end(3), found[3])
    holder.items.append(("interface", node, start))
    if has_value:
        return reader.declared_value(node, found)
    if found[4]:
        behind = reader.skip(found.end(3))
        reader.tree.starts["IS"].append(behind)
        node.items.append(("value", Node("IS", [], reader.source, behind, found.end(), found[4]), behind))
    return found.end()


def _odd_item(reader: Reader, at: int) -> int:
    """Read the ] of a PROTO's interface and what follows: its body, or URLs."""
    proto = reader.stack[-1]
    if reader.text[at] != "]" or len(reader.stack) == 1 or reader.text[reader.opened[-1]] != "[":
        return -1
    assert isinstance(proto, Node)
    for key, _, start in proto.items:
        if key != "interface":
            reader.mistake(f"{key or 'a node'} is not a declaration", start, "write field SFFloat x 1")
    at += 1
    behind = reader.skip(at)
    if behind >= len(reader.text):
        raise reader.cut_off(behind)
    if proto.tag == "EXTERNPROTO":
        reader.pop()
        return _urls(reader, proto, at)
    if reader.text[behind] != "{":
        reader.mistake(f"PROTO {proto.name} has no body", behind, "write { … } after its ]")
        reader.pop()
        proto.end = at
        return behind
    reader.opened[-1] = behind
    return behind + 1


def _urls(reader: Reader, proto: Node, at: int) -> int:
    """Read the URLs of an EXTERNPROTO: a string, or a list of strings."""
    urls, proto.end = reader.value(at, "url")
    if urls is not None:
        proto.items.append(("url", urls, reader.skip(at)))
    if isinstance(urls, Row) and reader.stack[-1] is urls:
        proto.end = reader.elements(urls, proto.end)
    return proto.end


def _quote(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _unquote(raw: str) -> str:
    """Unescape a string; a backslash escapes only a quote or a backslash: files have Windows paths."""
    return _ESCAPE.sub(r"\1", raw)


@cache
def _plain() -> Dialect:
    """The dialect of strings without escapes."""
    return replace(_AT_ONCE, patterns=Patterns(r'"[^"]*"'), undo=lambda raw: raw)


@cache
def _first_brace() -> Dialect:
    """The dialect in which an unread node ends at its first brace."""
    return replace(_AT_ONCE, first_brace=True)


def _inside(node: Node) -> list[Item]:
    """Parse the items of a skipped node."""
    assert node.source is not None
    return Reader(node.source, Findings(), _AT_ONCE).inside(node)


_STYLE = Style(header="#VRML V2.0 utf8", quote=_quote, unquote=_unquote)
_AT_ONCE = Dialect(
    code="vrml-syntax",
    patterns=Patterns(_STRING),
    undo=_unquote,
    keywords={
        **STATEMENTS,
        "PROTO": _proto,
        "EXTERNPROTO": _proto,
        "ROUTE": _route,
        "field": _interface,
        "exposedField": _interface,
        "eventIn": _interface,
        "eventOut": _interface,
    },
    odd_item=_odd_item,
    unread=frozenset(
        (
            *("Script", "AudioClip", "Sound", "TimeSensor", "TouchSensor", "PlaneSensor", "SphereSensor"),
            *("ProximitySensor", "VisibilitySensor", "ColorInterpolator", "CoordinateInterpolator"),
            *(
                "NormalInterpolator",
                "OrientationInterpolator",
                "PositionInterpolator",
                "ScalarInterpolator",
            ),
        )
    ),
    between=frozenset(("ROUTE", "EXTERNPROTO")),
    ends_at_stray=True,
)
VRML97 = replace(_AT_ONCE, skipped=ENDS, read_skipped=_inside)
