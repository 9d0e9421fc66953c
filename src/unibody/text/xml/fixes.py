"""Proposed fixes of XML syntax errors, and the places of attributes."""

from __future__ import annotations

import re

from unibody.text.dataclass import dataclass
from unibody.text.edit import Edit, ProposedFix, replaced, without
from unibody.text.source import Source, Span

_ATTRIBUTE = re.compile(r"""(\s+|(?<=["']))([^\s=/>]+)(\s*=\s*)("[^"]*"|'[^']*')""")
_NAME = re.compile(r"<[^\s/>]+")
_ENCODING = re.compile(r"""encoding\s*=\s*["']([\w.:-]+)["']""")
_COMMENT = re.compile(r"<!\[CDATA\[.*?\]\]>|<!--(.*?)-->", re.DOTALL)
_HYPHENS = re.compile(r"--+|-\Z")
_ASIDE = re.compile(r"<!--.*?-->|<\?.*?\?>", re.DOTALL)
_DOCTYPE = re.compile(r"""<!DOCTYPE(?:[^\["'<>]|"[^"]*"|'[^']*')*>""")
_BARE = re.compile(r"<!\[CDATA\[.*?\]\]>|<!--.*?-->|(&)(?!\w+;|#\w+;)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Attribute:
    """Spans of an attribute: ``whole`` includes the blank before it; ``value`` excludes the quotes."""

    whole: Span
    value: Span


def attribute(element: Span | None, name: str) -> Attribute | None:
    """Find an attribute in the start tag at the beginning of a span; None if there is none."""
    if element is None:
        return None
    source = element.source
    head = _NAME.match(source.text, element.start)
    at = head.end() if head else element.start
    while head and (found := _ATTRIBUTE.match(source.text, at)):
        if found[2] == name:
            value = Span(source, found.start(4) + 1, found.end(4) - 1)
            return Attribute(Span(source, found.start(), found.end()), value)
        at = found.end()
    return None


def blanks_removed(source: Source, before: int) -> ProposedFix:
    """Remove the blanks at the beginning of the text."""
    return ProposedFix("remove the blanks before the XML declaration", (Edit(source, 0, before, ""),))


def declaration(at: Span) -> ProposedFix:
    """Replace the XML declaration by a valid one with the same encoding."""
    encoding = _ENCODING.search(at.text)
    words = f' encoding="{encoding[1]}"' if encoding else ""
    return ProposedFix("rewrite the XML declaration", (replaced(at, f'<?xml version="1.0"{words}?>'),))


def declaration_removed(at: Span) -> ProposedFix:
    """Remove a second XML declaration."""
    return ProposedFix("remove the second XML declaration", (without(at.source, at.start, at.end),))


def hyphens_replaced(source: Source) -> ProposedFix | None:
    """Replace hyphens inside comments by equals signs."""
    edits: list[Edit] = []
    for comment in _COMMENT.finditer(source.text):
        for found in _HYPHENS.finditer(comment[1] or ""):
            at = comment.start(1) + found.start()
            edits.append(Edit(source, at, at + len(found[0]), "=" * len(found[0])))
    return ProposedFix("replace -- in comments by ==", tuple(edits)) if edits else None


def doctype_removed(source: Source, at: int) -> ProposedFix | None:
    """Remove the DOCTYPE, which refers to a file that is not read."""
    start = source.text.rfind("<!DOCTYPE", 0, at + len("<!DOCTYPE"))
    found = _DOCTYPE.match(source.text, start) if start >= 0 else None
    return ProposedFix("remove the DOCTYPE", (without(source, *found.span()),)) if found else None


def escaped(source: Source) -> ProposedFix | None:
    """Escape every bare & as &amp;."""
    found = [m.start(1) for m in _BARE.finditer(source.text) if m[1]]
    edits = tuple(Edit(source, at, at + 1, "&amp;") for at in found)
    return ProposedFix("replace & by &amp;", edits, safe=False) if edits else None


def end_removed(source: Source, end: int) -> ProposedFix | None:
    """Remove the text after the root element, which ends at ``end``; comments stay."""
    text, at = source.text, end
    edits: list[Edit] = []
    for start, behind in [*(m.span() for m in _ASIDE.finditer(text, end)), (len(text), len(text))]:
        words = text[at:start]
        if words.strip():
            first = at + len(words) - len(words.lstrip())
            edits.append(without(source, first, at + len(words.rstrip())))
        at = behind
    return ProposedFix("remove the text after the root element", tuple(edits)) if edits else None


def made_comment(at: Span) -> ProposedFix | None:
    """Turn text between elements into a comment."""
    text = at.text
    words = text.strip()
    if not words or "<" in words or ">" in words:
        return None
    start = at.start + text.index(words)
    inside = _HYPHENS.sub(lambda found: "=" * len(found[0]), words)
    edit = Edit(at.source, start, start + len(words), f"<!-- {inside} -->")
    return ProposedFix("turn the text into a comment", (edit,), leftover=True)
