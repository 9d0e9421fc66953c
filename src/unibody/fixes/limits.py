"""Fixes of limits: what finds them knows no format, so their edits are found here by the place."""

from __future__ import annotations

import math

from unibody.fixes.case import Case, nodes
from unibody.text.edit import Edit, ProposedFix, replaced
from unibody.text.fixes import NUMBER, renumbered
from unibody.text.node import Item, Node
from unibody.text.number import format_float
from unibody.text.source import Span
from unibody.text.xml.fixes import attribute


def radians(case: Case) -> ProposedFix | None:
    """Both limits of a turning joint of URDF, when they are too many turns to be radians."""
    if case.format != "urdf" or case.finding.suggestion != "degrees":
        return None
    edits: list[Edit] = []
    for name in ("lower", "upper"):
        found = attribute(case.at, name)
        if found is not None:
            if not NUMBER.fullmatch(found.value.text):
                return None
            value = math.radians(float(found.value.text))
            if value:
                edits.append(replaced(found.value, format_float(value)))
    return ProposedFix("degrees become radians", tuple(edits), safe=False) if edits else None


def swapped(case: Case) -> ProposedFix | None:
    """The lower and the upper limit change places."""
    velocity = case.finding.subject.endswith("/velocity")
    if case.format == "openhrp":
        return _exchanged(*_fields(case, ("lvlimit", "uvlimit") if velocity else ("llimit", "ulimit")))
    if velocity:
        return None
    if case.format == "urdf":
        low, high = (attribute(case.at, name) for name in ("lower", "upper"))
        return _exchanged(low.value, high.value) if low is not None and high is not None else None
    if case.format == "body":
        return renumbered(case.at, "swapped", lambda old: old[::-1] if len(old) == 2 else None)
    return None


def _exchanged(low: Span | None = None, high: Span | None = None) -> ProposedFix | None:
    if low is None or high is None:
        return None
    return ProposedFix("swapped", (replaced(low, high.text), replaced(high, low.text)), safe=False)


def _fields(case: Case, names: tuple[str, str]) -> tuple[Span, ...]:
    """Where the two fields of the joint stand that the finding is about."""
    around = [n for n in nodes(case) if n.start <= case.at.start < n.end]
    for node in sorted(around, key=lambda n: (n.start, n.end) != (case.at.start, case.at.end)):
        low, high = (_field(node, name) for name in names)
        if low is None or high is None or case.at.start not in (node.start, low[1].start, high[1].start):
            continue
        return tuple(Span(case.source, item[1].start, item[1].end) for item in (low, high))
    return ()


def _field(node: Node, name: str) -> Item | None:
    found = [item for item in node.items if item[0] == name]
    return found[0] if len(found) == 1 and found[0][1].start >= 0 else None
