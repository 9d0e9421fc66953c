"""Fixes for URDF: reversed limits, and limits in degrees."""

from __future__ import annotations

import math
from collections.abc import Iterable

from unibody.text.edit import Edit, ProposedFix, replaced
from unibody.text.finding import Finding
from unibody.text.fixes import NUMBER, exchanged
from unibody.text.node import Value
from unibody.text.number import format_float
from unibody.text.source import Span
from unibody.text.xml.fixes import attribute


def propose_fix(finding: Finding, trees: Iterable[Value]) -> ProposedFix | None:
    """Swap reversed position limits; convert limits of many turns from degrees to radians."""
    if finding.code == "limits-reversed" and finding.subject.endswith("/position"):
        low, high = (attribute(finding.at, name) for name in ("lower", "upper"))
        return exchanged(low.value, high.value) if low is not None and high is not None else None
    if finding.code == "limits-unit" and finding.suggestion == "degrees":
        return _in_radians(finding.at)
    return None


def _in_radians(at: Span | None) -> ProposedFix | None:
    edits: list[Edit] = []
    for name in ("lower", "upper"):
        found = attribute(at, name)
        if found is not None:
            if not NUMBER.fullmatch(found.value.text):
                return None
            value = math.radians(float(found.value.text))
            if value:
                edits.append(replaced(found.value, format_float(value)))
    return ProposedFix("convert degrees to radians", tuple(edits), safe=False) if edits else None
