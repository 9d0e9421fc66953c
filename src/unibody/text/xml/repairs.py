"""Reads XML as TinyXML does: a bare ``&`` or ``<``, odd spaces, control characters."""

from __future__ import annotations

import re
from collections.abc import Generator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from unibody.text.finding import Findings
from unibody.text.source import Source, Span
from unibody.text.xml.fixes import escaped

_MOST_FINDINGS = 20
_BLANK = " \t\r\n"
# Markup that is kept as it is.
_ASIDE = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<!DOCTYPE[^\[>]*(?:\[[^\]]*\])?[^>]*>", re.DOTALL
)
_NAME = re.compile(r"<([ \t\r\n]*)[^\s/>!?=\"'<]+")
_CLOSING = re.compile(r"</[^\s/>\"'<]+(\s+[^\s/>\"'<][^<>]*)>")
_ATTRIBUTE = re.compile(r"""(\s*)([^\s=/>"'<]+)\s*=\s*("[^"]*"|'[^']*')""")
_CONTROLS = r"[\x00-\x08\x0b\x0c\x0e-\x1f]"
# Control characters that are white space in C, and references to them.
_WHITE = re.compile(r"[\x0b\x0c]|&#(?:1[12]|x0*[bBcC]);")
_ODD = re.compile(rf"&(?:#([0-9]+|x[0-9a-fA-F]+);|(?:amp|lt|gt|quot|apos);)?|{_CONTROLS}|<")


@dataclass(frozen=True, slots=True)
class Repaired:
    """A text with insertions; ``origins`` maps its offsets to those of the original text."""

    text: str
    origins: NDArray[np.int64] = field(repr=False)


@dataclass(frozen=True, slots=True)
class _Change:
    start: int
    end: int
    new: str
    message: str
    hint: str


def lenient(source: Source, text: str, findings: Findings) -> Repaired | None:
    """``text`` as well-formed XML where TinyXML reads it, with a warning for each change.

    None if there is nothing to change. Takes linear time. With a DOCTYPE, which may declare entities, their
    uses are left alone. ``text`` is that of ``source``, in which other mistakes may be blanked out.

    >>> text = '<a b="1 & 2"c="3"/>'
    >>> lenient(Source("a.xml", text), text, Findings()).text
    '<a b="1 &amp; 2" c="3"/>'
    """
    changes = list(_changes(text, "<!DOCTYPE" in text))
    if not changes:
        return None
    for change in changes[:_MOST_FINDINGS]:
        place = Span(source, change.start, max(change.end, change.start + 1))
        fix = escaped(source) if change.new == "&amp;" else None
        message = f"{change.message}; other XML parsers reject the file"
        findings.warning("xml-syntax", message, place, change.hint, fix=fix)
    words: list[str] = []
    origins: list[NDArray[np.int64]] = []
    at = 0
    for change in changes:
        words += [text[at : change.start], change.new]
        origins += [np.arange(at, change.start), np.full(len(change.new), change.start)]
        at = change.end
    return Repaired("".join([*words, text[at:]]), np.concatenate([*origins, np.arange(at, len(text) + 1)]))


_Changes = Generator[_Change, None, None]


def _changes(text: str, declares: bool) -> _Changes:
    """The changes, in order."""
    at = max(text.find("<"), 0)
    if text[:at].strip(_BLANK):
        start = len(text[:at]) - len(text[:at].lstrip(_BLANK))
        yield _Change(start, at, "", "text before the root element is ignored", "remove it")
    begun = False
    while at < len(text):
        if aside := _ASIDE.match(text, at):
            if not begun and aside[0].startswith("<![CDATA["):
                yield _Change(*aside.span(), "", "text before the root element is ignored", "remove it")
            at = aside.end()
        elif closing := _CLOSING.match(text, at):
            yield _Change(*closing.span(1), "", "attributes of a closing tag are ignored", "remove them")
            at = closing.end()
        elif name := _NAME.match(text, at):
            if name[1]:
                yield _Change(*name.span(1), "", "space before an element name is ignored", "remove it")
            at = name.end()
            first = begun = True
            while found := _ATTRIBUTE.match(text, at):
                if not (found[1] or first):
                    place = found.start(2)
                    yield _Change(place, place, " ", "no space between two attributes", "insert a space")
                yield from _characters(text, found.start(3) + 1, found.end(3) - 1, declares)
                first, at = False, found.end()
        elif text.startswith("<!", at):
            return  # a comment without an end
        else:
            at += 1
        end = text.find("<", at)
        end = len(text) if end < 0 else end
        yield from _characters(text, at, end, declares)
        at = end


def _characters(text: str, start: int, end: int, declares: bool) -> _Changes:
    """The changes in a value or between two tags."""
    for found in _ODD.finditer(text, start, end):
        odd = found[0]
        if odd == "&":
            if not declares:
                yield _Change(*found.span(), "&amp;", "unescaped '&' is read as it is", "write &amp;")
        elif odd == "<":
            yield _Change(*found.span(), "&lt;", "'<' in an attribute is read as it is", "write &lt;")
        elif _WHITE.fullmatch(odd):
            yield _Change(
                *found.span(), " ", f"control character {odd!r} is read as a space", "write a space"
            )
        elif not odd.startswith("&"):
            yield _Change(*found.span(), "", f"control character {odd!r} is ignored", "remove it")
        elif found[1] and not _is_character(found[1]):
            yield _Change(*found.span(), "", f"{odd} is no character of XML; ignored", "remove it")


def _is_character(number: str) -> bool:
    """Whether a character reference is allowed in XML."""
    code = int(number[1:], 16) if number.startswith("x") else int(number) if len(number) < 9 else -1
    return code in (9, 10, 13) or 0x20 <= code <= 0xD7FF or 0xE000 <= code <= 0x10FFFF
