"""Proposed fixes shared by several readers: misspelled words, malformed numbers, missing lines."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from unibody.text.edit import (
    Edit,
    ProposedFix,
    inserted,
    key_before,
    line_end,
    replaced,
    unquoted,
    without,
    without_item,
)
from unibody.text.node import Item, Node, Numbers, Word
from unibody.text.number import format_float, parse_int, with_point
from unibody.text.source import Source, Span

#: A name that is valid in VRML and needs no quotes in YAML.
PLAIN = re.compile(r"[A-Za-z_][\w.-]*")
_NAMED_ELEMENT = r"""<[^\s/>]+(?:\s+[^\s=/>]+\s*=\s*(?:"[^"]*"|'[^']*'))*?\s+name\s*=\s*["']"""
_NAME_KEY = r"""(?<![\w.-])name["']?:[ \t]+["']?"""
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WITH_COMMAS = re.compile(r"\s*[^\s,]+(?:\s*,\s*[^\s,]+)+\s*,?\s*")
# Redundant text after a number: a C suffix, stray punctuation, an SI unit that every format implies.
_REDUNDANT = re.compile(r"(?:[fF]|[.,;]+|\.0+|\s*(?:m|kg|N|Nm|N\*m|N·m|m/s|s))")
# Brightest component of a 0 to 255 color must reach this; 2 0 0 is probably something else.
_MIN_BYTE = 16


def respelled(at: Span | None, word: str, meant: str, *, safe: bool = False) -> ProposedFix | None:
    """Replace a misspelled word at a place: the text itself, its key, its tag or its node type."""
    if at is None or not word or not meant:
        return None
    edits = _at_place(at, word, meant) or _key(at, word, meant) or _tag(at, word, meant)
    return ProposedFix(f"replace {word} by {meant}", edits, safe) if edits else None


def _at_place(at: Span, word: str, meant: str) -> tuple[Edit, ...]:
    """Edit the word if the place is the word itself, a USE of it, or an XML element that holds it."""
    text = at.text
    quote, inner = unquoted(text)
    if inner == word:
        start = at.start + len(quote)
        return (Edit(at.source, start, start + len(word), meant),)
    used = re.fullmatch(rf"USE\s+({re.escape(word)})", text)
    if used:
        return (Edit(at.source, at.start + used.start(1), at.start + used.end(1), meant),)
    content = re.fullmatch(rf"<[^<>]*>\s*({re.escape(word)})\s*</[^<>]*>", text)
    if content:
        return (Edit(at.source, at.start + content.start(1), at.start + content.end(1), meant),)
    if len(text) > len(word) + 8:
        return ()
    words = list(re.finditer(rf"(?<![\w.-]){re.escape(word)}(?![\w.-])", text))
    if len(words) == 1:
        start = at.start + words[0].start()
        return (Edit(at.source, start, start + len(word), meant),)
    return ()


def _key(at: Span, word: str, meant: str) -> tuple[Edit, ...]:
    """Edit the word if it is the XML attribute or key whose value is at the place."""
    source, text = at.source, at.source.text
    named = re.compile(rf"(?<=\s)({re.escape(word)})\s*=\s*[\"']\Z")
    found = named.search(text, max(0, at.start - 300), at.start)
    start = found.start(1) if found else None
    if start is None and not text.startswith("<", at.start):
        start = key_before(source, word, at.start)
    return () if start is None else (Edit(source, start, start + len(word), meant),)


def _tag(at: Span, word: str, meant: str) -> tuple[Edit, ...]:
    """Edit the word if the place is an element of that name (both tags), or a VRML node."""
    text, begin = at.text, at.start
    opened = re.match(rf"<({re.escape(word)})(?=[\s/>])", text)
    if opened:
        edits = [Edit(at.source, begin + 1, begin + 1 + len(word), meant)]
        closed = re.search(rf"</({re.escape(word)})\s*>\Z", text)
        if closed:
            edits.append(Edit(at.source, begin + closed.start(1), begin + closed.end(1), meant))
        return tuple(edits)
    node = re.match(rf"(?:DEF\s+\S+\s+)?({re.escape(word)})\s*\{{", text)
    return (Edit(at.source, begin + node.start(1), begin + node.end(1), meant),) if node else ()


def renumbered(
    at: Span | None,
    title: str,
    change: Callable[[list[float]], Sequence[float] | None],
    *,
    safe: bool = False,
) -> ProposedFix | None:
    """Replace the numbers at a place by the result of ``change``; equal numbers are not edited."""
    text = at.text if at is not None else ""
    found = list(NUMBER.finditer(text))
    if at is None or not found or NUMBER.sub("", text).strip(" \t\r\n,[]"):
        return None
    old = [float(m[0]) for m in found]
    new = change(old)
    if new is None or not all(map(math.isfinite, new)):
        return None
    edits = tuple(
        Edit(at.source, at.start + m.start(), at.start + m.end(), format_float(b))
        for m, a, b in zip(found, old, new, strict=True)
        if a != b
    )
    return ProposedFix(title, edits, safe) if edits else None


def attributes_renumbered(
    at: Span | None, title: str, values: Mapping[str, float], *, safe: bool = False
) -> ProposedFix | None:
    """Replace the numbers of attributes in the start tag at a place; None if one is not there.

    >>> tag = Span(Source("a.urdf", '<mass value="2000"/>'), 0, 20)
    >>> attributes_renumbered(tag, "change mass to 2", {"value": 2.0}).edits[0].text
    '2'
    """
    if at is None or not at.text.startswith("<") or not values:
        return None
    edits = []
    for name, value in values.items():
        found = re.search(rf"""\s{re.escape(name)}\s*=\s*(["'])\s*({NUMBER.pattern})\s*\1""", at.text)
        if found is None or not math.isfinite(value):
            return None
        start = at.start + found.start(2)
        edits.append(Edit(at.source, start, start + len(found[2]), format_float(value)))
    return ProposedFix(title, tuple(edits), safe)


def exchanged(low: Span, high: Span) -> ProposedFix:
    """Swap the texts of two places."""
    return ProposedFix("swap the limits", (replaced(low, high.text), replaced(high, low.text)), safe=False)


def bare_number(at: Span, unit: str = "") -> ProposedFix | None:
    """Remove redundant text after a number, or replace its decimal comma by a point.

    ``unit`` is a pattern of the units that the format implies at this place.
    """
    text = at.text
    found = NUMBER.match(text)
    if not found or text != text.strip():
        return None
    number, rest = found[0], text[found.end() :]
    pointed = with_point(text)
    if pointed is not None:
        # 1,000 may be a thousand; 0,005 is not.
        if len(rest) == 4 and number.lstrip("+-") != "0":
            return None
        edit = Edit(at.source, at.start + len(number), at.end, pointed[len(number) :])
        return ProposedFix(f"replace {text} by {pointed}", (edit,), safe=False)
    if not _REDUNDANT.fullmatch(rest) and not (unit and re.fullmatch(unit, rest)):
        return None
    return ProposedFix(
        f"replace {text} by {number}", (Edit(at.source, at.start + len(number), at.end, ""),)
    )


def without_commas(at: Span) -> ProposedFix | None:
    """Replace commas between numbers by blanks, or decimal commas by points."""
    text = at.text
    words = text.split()
    if len(words) > 2 and all(with_point(w) or parse_int(w) is not None for w in words):
        edit = replaced(at, text.replace(",", "."))
        return ProposedFix("replace decimal commas by points", (edit,), safe=False)
    if not _WITH_COMMAS.fullmatch(text):
        return None
    new = " ".join(w for w in re.split(r"[\s,]+", text) if w)
    return ProposedFix("replace commas by blanks", (replaced(at, new),), safe=False)


def without_value(node: Node, item: Item) -> Edit | None:
    """Return the edit that removes an item of a node, with its key or tags; None if impossible."""
    source, value, start = node.source, item[1], item[2]
    if source is None:
        return None
    if isinstance(value, Node) and source.text.startswith("<", value.start):
        return without(source, value.start, value.end)
    # XML attribute values have no place, and YAML blocks no end of their own.
    if start < 0 or value.end < start or not (isinstance(value, Word | Numbers) or value.flow):
        return None
    return None if _behind_dash(source, start) else without_item(source, start, value.end)


def without_empty(at: Span | None, key: str) -> ProposedFix | None:
    """Remove a YAML key without a value."""
    if at is None or at.text.strip():
        return None
    start = key_before(at.source, key, at.start)
    if start is None or _behind_dash(at.source, start):
        return None
    end = start + len(key)
    colon = re.compile(r"[\"']?[ \t]*:").match(at.source.text, end)
    if not colon:
        return None
    return ProposedFix(f"remove {key}", (without_item(at.source, start, colon.end()),), leftover=True)


def _behind_dash(source: Source, at: int) -> bool:
    """Whether a key begins a YAML list item, so that its line cannot be removed."""
    before = source.text[max(0, at - 200) : at].rstrip(" \t")
    return before.endswith("-")


def made_first(at: Span, words: str) -> ProposedFix:
    """Move a line to the top of the file, or remove the blanks before it if there is nothing else."""
    source = at.source
    if not source.text[: at.start].strip():
        return ProposedFix("remove the blanks before the header", (Edit(source, 0, at.start, ""),))
    first = inserted(source, 0, words + line_end(source))
    return ProposedFix("move the header to the first line", (first, without(source, at.start, at.end)))


def first_line(source: Source, words: str, *, safe: bool = True) -> ProposedFix:
    """Insert a first line."""
    return ProposedFix(f"add the header {words}", (inserted(source, 0, words + line_end(source)),), safe)


def closed_face(at: Span | None) -> ProposedFix | None:
    """Append -1 to a list of faces."""
    if at is None:
        return None
    text = at.text
    inside = text.rstrip("] \t\r\n")
    if not text.endswith("]") or "#" in text.rsplit("\n", 1)[-1] or not inside[-1:].isdigit():
        inside = inside.rstrip(",")
        if not inside[-1:].isdigit() or "#" in text:
            return None
    return ProposedFix("add -1", (inserted(at.source, at.start + len(inside), ", -1"),))


def divided_by_255(at: Span | None) -> ProposedFix | None:
    """Convert a color with components from 0 to 255 to components from 0 to 1."""
    return renumbered(at, "divide the color by 255", _from_bytes)


def _from_bytes(old: list[float]) -> list[float] | None:
    """Scale RGB or RGBA from 0..255 to 0..1; None if the numbers are not such a color."""
    if len(old) not in (3, 4) or not all(v.is_integer() and 0 <= v <= 255 for v in old):
        return None
    if max(old[:3]) < _MIN_BYTE:
        return None
    rgb = [round(v / 255.0, 6) for v in old[:3]]
    return rgb + [round(v / 255.0, 6) if v > 1.0 else v for v in old[3:]]


def renamed(at: Span | None, old: str, new: str, what: str) -> ProposedFix | None:
    """Rename a duplicate: a DEF, a name attribute, the name key of YAML, or the place itself.

    ``what`` is it, as "second joint".
    """
    if at is None or not PLAIN.fullmatch(new):
        return None
    text, word = at.text, re.escape(old)
    if text == old:
        place = (0, len(old))
    else:
        patterns = (rf"DEF\s+({word})(?=\s)", rf"{_NAMED_ELEMENT}({word})[\"']")
        found = next((m for p in patterns if (m := re.match(p, text))), None)
        key = rf"{_NAME_KEY}({word})[\"']?(?=\s*(?:[,}}\r\n#]|\Z))"
        found = found or _only(re.finditer(key, text))
        if found is None:
            return None
        place = found.span(1)
    edit = Edit(at.source, at.start + place[0], at.start + place[1], new)
    return ProposedFix(f"rename the {what} '{old}' to '{new}'", (edit,))


def _only(found: Iterator[re.Match[str]]) -> re.Match[str] | None:
    every = list(found)
    return every[0] if len(every) == 1 else None


def defined(at: Span | None, name: str) -> ProposedFix | None:
    """Add a DEF name to a VRML node."""
    if at is None or not PLAIN.fullmatch(name) or at.text.startswith("DEF"):
        return None
    return ProposedFix(f"name the Joint '{name}'", (inserted(at.source, at.start, f"DEF {name} "),))
