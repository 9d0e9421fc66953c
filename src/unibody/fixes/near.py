"""Words that are nearly one that is known: the finding's hint says which."""

from __future__ import annotations

import re
from typing import Any

from unibody.fixes.cure import Case, Made
from unibody.text.edit import Edit, key_before, unquoted

_HINT = re.compile(r"did you mean (?:'([^']+)'|\"([^\"]+)\"|\*?([^\s'\"?]+))\?")
_QUOTED = re.compile(r"'([^']+)'")
_USE = re.compile(r"USE (\S+?):")
# Names of links are given in these attributes of URDF.
_LINK = r"""<{0}\b[^<>]*?\blink\s*=\s*(["'])({1})\1"""


def _words(case: Case) -> tuple[list[str], str]:
    """The words that the message shows, the last one first, and the word that was meant; ""."""
    found = _HINT.search(case.finding.hint)
    shown = _QUOTED.findall(case.finding.message) + _USE.findall(case.finding.message)
    return shown[::-1], next((g for g in found.groups() if g), "") if found else ""


def respelled(case: Case) -> Any:
    """The word that the finding shows becomes the one that its hint gives."""
    shown, meant = _words(case)
    for word in shown if meant else ():
        edits = _at_place(case, word, meant) or _key(case, word, meant) or _tag(case, word, meant)
        if edits:
            return Made(f"{word} becomes {meant}", edits, safe=False)
    return None


def remuted(case: Case) -> Any:
    """The code in a comment that mutes it; the robot does not depend on comments."""
    made = respelled(case)
    return Made(made.title, made.edits) if made else None


def relinked(case: Case) -> Any:
    """The name of a link that a joint of any format gives; in URDF the finding shows the whole joint."""
    made = respelled(case)
    if made is not None or case.format != "urdf":
        return made
    shown, meant = _words(case)
    element = case.finding.code.removesuffix("-unknown")
    for word in shown if meant else ():
        found = re.search(_LINK.format(element, re.escape(word)), case.text)
        if found:
            edit = Edit(case.source, case.at.start + found.start(2), case.at.start + found.end(2), meant)
            return Made(f"{word} becomes {meant}", (edit,), safe=False)
    return None


def retyped(case: Case) -> Any:
    """A type that nothing is read for; one whose data is kept may be another program's."""
    return respelled(case) if case.finding.severity == "error" else None


def _at_place(case: Case, word: str, meant: str) -> tuple[Edit, ...]:
    """The place is the word itself, or a USE of it."""
    quote, inner = unquoted(case.text)
    if inner == word:
        start = case.at.start + len(quote)
        return (Edit(case.source, start, start + len(word), meant),)
    used = re.fullmatch(rf"USE\s+({re.escape(word)})", case.text)
    if used:
        return (Edit(case.source, case.at.start + used.start(1), case.at.start + used.end(1), meant),)
    words = list(re.finditer(rf"(?<![\w.-]){re.escape(word)}(?![\w.-])", case.text))
    if len(words) == 1 and len(case.text) <= len(word) + 8:
        start = case.at.start + words[0].start()
        return (Edit(case.source, start, start + len(word), meant),)
    return ()


def _key(case: Case, word: str, meant: str) -> tuple[Edit, ...]:
    """The place is the value behind the word: of an XML attribute, or of a key."""
    text, at = case.source.text, case.at.start
    named = re.compile(rf"(?<=\s)({re.escape(word)})\s*=\s*[\"']\Z").search(text, max(0, at - 300), at)
    start = named.start(1) if named else None
    if start is None and not text.startswith("<", at):
        start = key_before(case.source, word, at)
    return () if start is None else (Edit(case.source, start, start + len(word), meant),)


def _tag(case: Case, word: str, meant: str) -> tuple[Edit, ...]:
    """The place is an element of that name; both of its tags are changed."""
    start, end = case.at.start, case.at.end
    opened = re.match(rf"<({re.escape(word)})(?=[\s/>])", case.text)
    if opened:
        edits = [Edit(case.source, start + 1, start + 1 + len(word), meant)]
        closed = re.search(rf"</({re.escape(word)})\s*>\Z", case.text)
        if closed:
            edits.append(Edit(case.source, start + closed.start(1), start + closed.end(1), meant))
        return tuple(edits)
    node = re.match(rf"(?:DEF\s+\S+\s+)?({re.escape(word)})\s*\{{", case.source.text[start:end])
    return (Edit(case.source, start + node.start(1), start + node.end(1), meant),) if node else ()
