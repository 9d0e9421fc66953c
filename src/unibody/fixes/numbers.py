"""Remedies of numbers: what stands behind them, commas, axes, angles, limits, colours."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from typing import Any

from unibody.fixes.cure import Case, Made
from unibody.fixes.places import attribute, node_at, nodes
from unibody.model.pose import unit
from unibody.text.edit import Edit, replaced
from unibody.text.node import Item, Node
from unibody.text.number import format_float, parse_int, with_point

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_WITH_COMMAS = re.compile(r"\s*[^\s,]+(?:\s*,\s*[^\s,]+)+\s*,?\s*")
# What may stand behind a number and says nothing that is not known: C's suffix, stray signs, and the
# unit that all formats have there.
_IDLE = re.compile(r"(?:[fF]|[.,;]+|\s*(?:m|kg|N|Nm|N\*m|N·m|m/s|s))")
_IDLE_URDF = re.compile(r"\s*(?:rad|rad/s|radians)")
# Colours from 0 to 255 have one that is at least so bright; 2 0 0 is something else.
_BYTES = 16


def _numbers(case: Case, change: Callable[[list[float]], Sequence[float] | None]) -> list[Edit]:
    """The edits that write other numbers over those of the place; those that stay are not touched."""
    found = list(_NUMBER.finditer(case.text))
    if not found or _NUMBER.sub("", case.text).strip(" \t\r\n,[]"):
        return []
    old = [float(m[0]) for m in found]
    new = change(old)
    if new is None or not all(map(math.isfinite, new)):
        return []
    return [
        Edit(case.source, case.at.start + m.start(), case.at.start + m.end(), format_float(b))
        for m, a, b in zip(found, old, new, strict=True)
        if a != b
    ]


def bare_number(case: Case) -> Any:
    """The number without what stands behind it and adds nothing; a decimal comma becomes a point."""
    text = case.text.strip()
    found = _NUMBER.match(text)
    if not found or text != case.text:
        return None
    number, rest = found[0], text[found.end() :]
    if (pointed := with_point(text)) is not None:
        # 1,000 may be a thousand; 0,005 may not
        if len(rest) == 4 and number.lstrip("+-") != "0":
            return None
        new = _tail(case, number, pointed[len(number) :])
        return Made(f"{text} becomes {pointed}", (new,), safe=False)
    whole = re.fullmatch(r"\.0+", rest) is not None
    known = _IDLE.fullmatch(rest) or (case.format == "urdf" and _IDLE_URDF.fullmatch(rest))
    if not (known or whole):
        return None
    return Made(f"{text} becomes {number}", (_tail(case, number, ""),))


def _tail(case: Case, number: str, new: str) -> Edit:
    return Edit(case.source, case.at.start + len(number), case.at.end, new)


def without_commas(case: Case) -> Any:
    """Numbers of an XML attribute that stand apart by commas, or have decimal commas."""
    if "numbers apart by spaces" not in case.finding.message:
        return None
    words = case.text.split()
    if len(words) > 2 and all(with_point(w) or parse_int(w) is not None for w in words):
        return Made(
            "decimal commas become points", (replaced(case.at, case.text.replace(",", ".")),), False
        )
    if not _WITH_COMMAS.fullmatch(case.text):
        return None
    new = " ".join(w for w in re.split(r"[\s,]+", case.text) if w)
    return Made("commas become blanks", (replaced(case.at, new),), safe=False)


def unit_axis(case: Case) -> Any:
    """The same direction with length 1."""

    def change(old: list[float]) -> Sequence[float] | None:
        return unit((old[0], old[1], old[2])) if len(old) == 3 else None

    edits = _numbers(case, change)
    return Made("same direction, length 1", tuple(edits)) if edits else None


def radians(case: Case) -> Any:
    """Degrees written as radians."""
    edits = _numbers(case, lambda old: [math.radians(v) for v in old] if len(old) == 3 else None)
    return Made("degrees become radians", tuple(edits), safe=False) if edits else None


def limits_radians(case: Case) -> Any:
    """Both limits of a turning joint of URDF, when they are too many turns to be radians."""
    if case.format != "urdf" or case.finding.suggestion != "degrees":
        return None
    edits: list[Edit] = []
    for name in ("lower", "upper"):
        found = attribute(case.source, case.at.start, name)
        if found is not None:
            written = case.source.text[slice(*found.value)]
            if not _NUMBER.fullmatch(written):
                return None
            value = math.radians(float(written))
            if value:
                edits.append(Edit(case.source, *found.value, format_float(value)))
    return Made("degrees become radians", tuple(edits), safe=False) if edits else None


def without_sign(case: Case) -> Any:
    """A largest speed or force without its minus."""
    if not case.text.startswith("-") or not _NUMBER.fullmatch(case.text):
        return None
    edit = Edit(case.source, case.at.start, case.at.start + 1, "")
    return Made(f"{case.text} becomes {case.text[1:]}", (edit,), safe=False)


def swapped_limits(case: Case) -> Any:
    """The lower and the upper limit change places."""
    velocity = case.finding.subject.endswith("/velocity")
    if case.format == "urdf":
        edits = [] if velocity else _swapped_attributes(case)
    elif case.format == "openhrp":
        edits = _swapped_fields(case, ("lvlimit", "uvlimit") if velocity else ("llimit", "ulimit"))
    else:
        edits = [] if velocity or case.format != "body" else _numbers(case, _swapped)
    return Made("swapped", tuple(edits), safe=False) if edits else None


def _swapped(old: list[float]) -> Sequence[float] | None:
    return old[::-1] if len(old) == 2 else None


def _swapped_attributes(case: Case) -> list[Edit]:
    low, high = (attribute(case.source, case.at.start, name) for name in ("lower", "upper"))
    if low is None or high is None:
        return []
    text = case.source.text
    return [
        Edit(case.source, *low.value, text[slice(*high.value)]),
        Edit(case.source, *high.value, text[slice(*low.value)]),
    ]


def _swapped_fields(case: Case, names: tuple[str, str]) -> list[Edit]:
    for node in [node_at(case), *nodes(case)]:
        if node is None or not node.start <= case.at.start < node.end:
            continue
        low, high = (_field(node, name) for name in names)
        if low is None or high is None or case.at.start not in (node.start, low[1].start, high[1].start):
            continue
        places = [(item[1].start, item[1].end) for item in (low, high)]
        words = [case.source.text[slice(*place)] for place in places]
        return [Edit(case.source, *a, b) for a, b in zip(places, words[::-1], strict=True)]
    return []


def _field(node: Node, name: str) -> Item | None:
    found = [item for item in node.items if item[0] == name]
    return found[0] if len(found) == 1 and found[0][1].start >= 0 else None


def colour(case: Case) -> Any:
    """Red, green and blue of 0 to 255, as parts of 1."""

    def change(old: list[float]) -> Sequence[float] | None:
        if len(old) not in (3, 4) or not all(v.is_integer() and 0 <= v <= 255 for v in old):
            return None
        if max(old[:3]) < _BYTES:
            return None
        rgb = [round(v / 255.0, 6) for v in old[:3]]
        return rgb + [round(v / 255.0, 6) if v > 1.0 else v for v in old[3:]]

    found = attribute(case.source, case.at.start, "rgba") if case.text.startswith("<") else None
    place = case.at if found is None else type(case.at)(case.source, *found.value)
    edits = _numbers(Case(case.finding, place, case.reading, case.files), change)
    return Made("divided by 255", tuple(edits), safe=False) if edits else None


def symmetric(case: Case) -> Any:
    """The lower half of an inertia as its upper one, where they differ by rounding only."""

    def change(old: list[float]) -> Sequence[float] | None:
        if len(old) != 9:
            return None
        new = list(old)
        for upper, lower in ((1, 3), (2, 6), (5, 7)):
            if abs(old[upper] - old[lower]) > 0.01 * max(abs(old[upper]), abs(old[lower])):
                return None
            new[lower] = old[upper]
        return new

    edits = _numbers(case, change)
    return Made("lower half as the upper one", tuple(edits), safe=False) if edits else None


def closed_face(case: Case) -> Any:
    """-1 behind the last face."""
    inside = case.text.rstrip("] \t\r\n")
    if not case.text.endswith("]") or "#" in case.text.rsplit("\n", 1)[-1] or not inside[-1:].isdigit():
        inside = inside.rstrip(",")
        if not inside[-1:].isdigit() or "#" in case.text:
            return None
    at = case.at.start + len(inside)
    return Made("-1 added", (Edit(case.source, at, at, ", -1"),))
