"""Differences of robots in words: which element, which field, what happened; equal ones together."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from unibody.conversion.places import item_place
from unibody.formats import by_name
from unibody.model.device import Device
from unibody.model.facts import Difference
from unibody.model.robot import Extra
from unibody.model.traverse import is_record, named_lists, of_link, unpart
from unibody.model.wording import change_text, noun, value_text
from unibody.text.counted import and_more
from unibody.text.node import Node
from unibody.text.source import Source, Span

# Most elements, and most different changes, shown of one kind.
_ELEMENTS, _CHANGES = 6, 5
# Significant digits of numbers, and most characters of a value shown beside each element.
_DIGITS, _LONG = 6, 45
# Lists of a link whose items have an index instead of a name.
_SHAPES = {"visuals": "visual", "collisions": "collision", "collisions_alt": "alternative collision"}
# Lists of the robot whose items have no name of their own.
_NUMBERED = {"coordinates": "coordinate", "extras": "vendor data"}
# Lists of the robot whose items are elements of a report.
_ITEMS = (*named_lists(), "couplings", *_NUMBERED)


class Described(NamedTuple):
    """What happened to an element: "limits/velocity" "changed" "3 → 2" of "KNEE" in "line 12".

    ``list`` is the list of the robot that has the element, "" for the robot itself; ``field`` is empty
    where the whole element was added, removed or renamed.
    """

    list: str
    element: str
    place: str = ""
    field: str = ""
    verb: str = "changed"
    value: str = ""

    @property
    def change(self) -> str:
        """The verb and the value; "→" says that a value changed."""
        return self.value if self.verb == "changed" else f"{self.verb} {self.value}".strip()

    def label(self, value: str = "") -> str:
        """The element with its place, and a value: "KNEE 3 → 2 (line 12)"."""
        words = " ".join(filter(None, (self.element, value)))
        return f"{words} ({self.place})" if words and self.place else words or self.place


def describe(difference: Difference, at: Span | None = None, source: str = "") -> Iterator[Described]:
    """A difference in words; one of vendor data is one for each of its parts."""
    kind, name, inner = element(difference.path)
    place = place_text(at, source)
    value = difference.after if difference.kind == "added" else difference.before
    if difference.kind in ("added", "removed") and isinstance(value, Extra):
        owner = unpart(value.owner.partition("/")[2])
        for part, inside in vendor_parts(value, at.source if at else None):
            where = place_text(inside, source) or place
            verb = "changed" if difference.kind == "removed" else "added"
            if part.startswith("xmlns"):
                yield Described(kind, part, where, "namespaces", verb)
            else:
                yield Described(kind, owner, where, part, verb)
    elif difference.kind == "renamed":
        yield Described(kind, f"{name} → {difference.after}", place, verb="renamed")
    elif difference.kind == "moved":
        yield Described(kind, name, place, f"order of {len(difference.before)} {inner or difference.path}")
    elif difference.kind in ("added", "removed"):
        if is_record(value) or value is True:
            # A pair of links has no value of its own.
            what = noun(value) if is_record(value) and not inner else ""
            name = f"{what} {name}" if isinstance(value, Device) else name
            yield Described(kind, name, place, inner, difference.kind, what)
        else:
            text = value_text(value, difference.unit, _DIGITS)
            yield Described(kind, name, place, inner, difference.kind, text)
    elif is_record(difference.before) and is_record(difference.after):
        text = f"{noun(difference.before)} → {noun(difference.after)}"
        yield Described(kind, name, place, inner, "changed", text)
    else:
        text = change_text(difference.before, difference.after, difference.unit, _DIGITS)
        yield Described(kind, name, place, inner, "changed", " ".join(text.split()))


def element(path: str) -> tuple[str, str, str]:
    """The list and the name of the element that a path of facts names, and the rest of the path.

    >>> element("links/WAIST/visuals/0/material/name")
    ('links', 'WAIST visual 0', 'material/name')
    """
    first, *rest = of_link(path).split("/")
    if first == "self_collision" and len(rest) == 3:
        return first, f"{unpart(rest[1])} and {unpart(rest[2])}", f"{first}/{rest[0]}"
    if first not in _ITEMS or not rest:
        return "", "", path
    name = f"{_NUMBERED[first]} {rest[0]}" if first in _NUMBERED else unpart(rest[0])
    if first == "links" and len(rest) > 2 and rest[1] in _SHAPES:
        return first, f"{name} {_SHAPES[rest[1]]} {rest[2]}", "/".join(rest[3:])
    return first, name, "/".join(rest[1:])


def place_text(at: Span | None, source: str) -> str:
    """The line of a place, with the name of its file unless that is ``source``; "" for no place."""
    if at is None:
        return ""
    return (
        f"line {at.line}" if at.source.name == source else f"{os.path.basename(at.source.name)}:{at.line}"
    )


def vendor_parts(extra: Extra, source: Source | None = None) -> list[tuple[str, Span | None]]:
    """Name and place of each item of vendor data: "<gazebo>" for an element, "verbose" for an attribute.

    ``source`` is the text of the element that has the data, for items that do not know theirs.
    """
    format = by_name(extra.format)
    is_xml = format is not None and format.syntax == "xml"
    out = []
    for item in extra.node.items:
        key, value, _ = item
        name = key or (value.tag if isinstance(value, Node) else "") or "text"
        shown = f"<{name}>" if is_xml and isinstance(value, Node) else name
        out.append((shown, item_place(item, source)))
    return out


def change_lines(found: Sequence[Described], whole: bool = False) -> list[str]:
    """One line for each change that happened to several elements, with these elements.

    Where more than a few values differ, each stands beside its element; where more than a few fields
    differ, elements with the same fields share a line. With ``whole``, all lines and elements are shown.
    """
    lines = change_groups(found)
    if not whole and len(lines) > _CHANGES + 1:
        lines.sort(key=lambda line: -len(line[1]))
    shown = lines if whole or len(lines) <= _CHANGES + 1 else lines[:_CHANGES]
    out = [
        f"{text}: {listed(elements, whole)}" if text and elements else text or listed(elements, whole)
        for text, elements in shown
    ]
    rest = sum(max(len(elements), 1) for _, elements in lines[len(shown) :])
    return [*out, f"… {and_more(rest)}"] if rest else out


def change_groups(found: Iterable[Described]) -> list[tuple[str, list[str]]]:
    """The changes with the elements to which each happened."""
    found = list(found)
    by_change = _grouped((f"{d.field} {d.change}".strip(), d.label()) for d in found if not _is_whole(d))
    wholes = _grouped((d.change if d.verb == "added" else "", d.label()) for d in found if _is_whole(d))
    if len(by_change) <= _CHANGES + 1:
        return [*wholes, *by_change]
    by_field = _grouped(
        (f"{d.field}{'' if d.verb == 'changed' else f' {d.verb}'}", d.label(_short(d.value)))
        if d.element
        else (f"{d.field} {d.change}", d.label())
        for d in found
        if not _is_whole(d)
    )
    if len(by_field) <= _CHANGES + 1:
        return [*wholes, *by_field]
    fields: dict[str, list[str]] = {}
    for d in found:
        if not _is_whole(d):
            text = d.field if d.verb == "changed" else f"{d.field} {d.verb}"
            fields.setdefault(d.label(), []).append(text)
    by_fields = _grouped((", ".join(dict.fromkeys(texts)), label) for label, texts in fields.items())
    return [*wholes, *by_fields]


def _is_whole(described: Described) -> bool:
    """Whether a whole element was added, removed or renamed."""
    return not described.field


def _short(value: str) -> str:
    return value if len(value) <= _LONG else ""


def _grouped(pairs: Iterable[tuple[str, str]]) -> list[tuple[str, list[str]]]:
    out: dict[str, list[str]] = {}
    for text, label in pairs:
        elements = out.setdefault(text, [])
        if label:
            elements.append(label)
    return list(out.items())


def listed(elements: Sequence[str], whole: bool = False) -> str:
    """The elements in one line, the first few unless ``whole``.

    >>> listed(["line 3", "line 8"]), listed([f"J{k}" for k in range(9)])
    ('lines 3, 8', 'J0, J1, J2, J3, J4, J5, … and 3 more')
    """
    shown = elements if whole or len(elements) <= _ELEMENTS + 1 else elements[:_ELEMENTS]
    more = len(elements) - len(shown)
    are_lines = len(elements) > 1 and all(e.startswith("line ") for e in elements)
    words = [e.removeprefix("line ") for e in shown] if are_lines else list(shown)
    text = ", ".join([*words, f"… {and_more(more)}"] if more else words)
    return f"lines {text}" if are_lines else text
