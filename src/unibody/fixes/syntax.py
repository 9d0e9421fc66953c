"""Remedies of what stands around the content: headers, declarations, comments, stray text."""

from __future__ import annotations

import re
from typing import Any

from unibody.fixes.cure import Case, Made
from unibody.text.edit import Edit, inserted, line_end, replaced, without
from unibody.text.node import Node

_ENCODING = re.compile(r"""encoding\s*=\s*["']([\w.:-]+)["']""")
_COMMENT = re.compile(r"<!\[CDATA\[.*?\]\]>|<!--(.*?)-->", re.DOTALL)
_HYPHENS = re.compile(r"--+|-\Z")
_ASIDE = re.compile(r"<!--.*?-->|<\?.*?\?>", re.DOTALL)
_DOCTYPE = re.compile(r"""<!DOCTYPE(?:[^\["'<>]|"[^"]*"|'[^']*')*>""")
_BARE = re.compile(r"<!\[CDATA\[.*?\]\]>|<!--.*?-->|(&)(?!\w+;|#\w+;)", re.DOTALL)
_VRML = re.compile(r"#VRML\s*V?2(?:\.0)?(?:\s+utf-?8)?\s*", re.IGNORECASE)
_MPK = re.compile(r"^[ \t]*(#MPK\s+v?[^\s{}#]+\s+robot)[^\r\n]*", re.MULTILINE)
_UNNAMED = re.compile(r"DEF(?=\s+[A-Z]\w*\s*\{)")


def xml_declaration(case: Case) -> Any:
    """The declaration becomes the first words, or one that XML knows."""
    if "at the very start" in case.finding.message:
        if case.source.text[: case.at.start].strip():
            return None
        return Made("blanks before it removed", (Edit(case.source, 0, case.at.start, ""),))
    said = _ENCODING.search(case.text)
    encoding = f' encoding="{said[1]}"' if said else ""
    return Made("rewritten", (replaced(case.at, f'<?xml version="1.0"{encoding}?>'),))


def xml_comment(case: Case) -> Any:
    """Hyphens inside of comments become equals signs."""
    edits: list[Edit] = []
    for comment in _COMMENT.finditer(case.source.text):
        for found in _HYPHENS.finditer(comment[1] or ""):
            at = comment.start(1) + found.start()
            edits.append(Edit(case.source, at, at + len(found[0]), "=" * len(found[0])))
    return Made("-- in comments becomes ==", tuple(edits)) if edits else None


def xml_dtd(case: Case) -> Any:
    """The DOCTYPE goes; it names a file that nobody reads."""
    start = case.source.text.rfind("<!DOCTYPE", 0, case.at.start + len("<!DOCTYPE"))
    found = _DOCTYPE.match(case.source.text, start) if start >= 0 else None
    return Made("removed", (without(case.source, *found.span()),)) if found else None


def xml_syntax(case: Case) -> Any:
    """A bare & is the one slip that can be meant in one way only."""
    if "unescaped '&'" not in case.finding.message:
        return None
    found = [m.start(1) for m in _BARE.finditer(case.source.text) if m[1]]
    edits = tuple(Edit(case.source, at, at + 1, "&amp;") for at in found)
    return Made("& becomes &amp;", edits, safe=False) if edits else None


def text_after_root(case: Case) -> Any:
    """What follows the root element goes; comments stay."""
    root = case.reading.node
    if not isinstance(root, Node) or root.source is None or root.source.name != case.source.name:
        return None
    text, at = case.source.text, root.end
    edits: list[Edit] = []
    for start, end in [*(m.span() for m in _ASIDE.finditer(text, root.end)), (len(text), len(text))]:
        words = text[at:start]
        if words.strip():
            first = at + len(words) - len(words.lstrip())
            edits.append(without(case.source, first, at + len(words.rstrip())))
        at = end
    return Made("removed", tuple(edits)) if edits else None


def stray_text(case: Case) -> Any:
    """Text between elements becomes a comment."""
    words = case.text.strip()
    if not words or "<" in words or ">" in words:
        return None
    start = case.at.start + case.text.index(words)
    inside = _HYPHENS.sub(lambda found: "=" * len(found[0]), words)
    edit = Edit(case.source, start, start + len(words), f"<!-- {inside} -->")
    return Made("made a comment", (edit,))


def vrml_header(case: Case) -> Any:
    """The header of VRML97 becomes the first line."""
    message = case.finding.message
    if "missing" in message:
        return Made("added", (_first_line(case, "#VRML V2.0 utf8"),))
    if "not on the first line" in message:
        return _moved(case, case.at.start, case.at.end, case.text.strip())
    found = _VRML.match(case.text)
    if not found or (found.end() < len(case.text) and not case.text[found.end() - 1].isspace()):
        return None
    rest = case.text[found.end() :].strip()
    return Made("rewritten", (replaced(case.at, f"#VRML V2.0 utf8 {rest}".rstrip()),))


def inventor_header(case: Case) -> Any:
    """The header of Open Inventor becomes the first line."""
    if "is missing" in case.finding.message:
        return Made("added", (_first_line(case, "#Inventor V2.1 ascii"),), safe=False)
    if "is not the first line" in case.finding.message:
        return _moved(case, case.at.start, case.at.end, case.text.strip())
    return None


def mpk_header(case: Case) -> Any:
    """The header of MPK becomes the first line; a robot of another program is left alone."""
    if case.finding.severity == "error":
        return None
    late = _MPK.search(case.source.text)
    if late:
        return _moved(case, *late.span(), " ".join(late[1].split()))
    return Made("added", (_first_line(case, "#MPK v1.0 robot"),))


def closes_nothing(case: Case) -> Any:
    """Brackets too many, and DEF without a name, go."""
    if "closes nothing" in case.finding.message and len(case.text) == 1 and case.text in "}]":
        return Made("removed", (without(case.source, case.at.start, case.at.end),))
    if case.finding.message.startswith("DEF without a name"):
        at = case.source.text.rfind("DEF", 0, case.at.start + 3)
        found = _UNNAMED.match(case.source.text, at) if at >= 0 else None
        if found:
            return Made("DEF removed", (without(case.source, *found.span()),))
    return None


def _first_line(case: Case, words: str) -> Edit:
    return inserted(case.source, 0, words + line_end(case.source))


def _moved(case: Case, start: int, end: int, words: str) -> Any:
    """A line goes to the beginning; when only blanks stand before it, these go instead."""
    if not case.source.text[:start].strip():
        return Made("blanks before it removed", (Edit(case.source, 0, start, ""),))
    return Made("made the first line", (_first_line(case, words), without(case.source, start, end)))
