"""Elements beside links and joints that cannot be read: they are kept as written, and cost no robot."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from unibody.formats.urdf import document as d
from unibody.text.finding import Findings
from unibody.text.node import Node
from unibody.text.source import Span

#: What no other loader reads, or what moves no link: an error in it is a warning.
Aside: TypeAlias = (
    "d.Sensor | d.Constraint | d.LoopConstraint | d.LoopJoint | d.CouplingConstraint | d.BallConstraint"
)
_ASIDE = (
    d.Sensor,
    d.Constraint,
    d.LoopConstraint,
    d.LoopJoint,
    d.CouplingConstraint,
    d.BallConstraint,
)


def set_aside(doc: d.Robot, findings: Findings) -> None:
    """Move sensors and constraints with errors to the undeclared items, and turn the errors to warnings."""
    if not findings.errors:
        return
    for item in [x for x in doc.items if isinstance(x, _ASIDE)]:
        inner = [
            i
            for i, finding in enumerate(findings)
            if finding.severity == "error" and item.node is not None and _is_in(finding.at, item.node)
        ]
        for i in inner:
            message = f"{findings[i].message}; the {item.KEY} is kept as vendor data"
            findings[i] = replace(findings[i], severity="warning", message=message)
        if inner:
            keep(doc, item)


def keep(doc: d.Robot, item: Aside) -> None:
    """Move an element to the undeclared items of the robot."""
    assert item.node is not None
    doc.items = [x for x in doc.items if x is not item]
    doc.rest = [*doc.rest, (item.KEY, item.node, item.node.start)]


def _is_in(at: Span | None, node: Node) -> bool:
    return at is not None and at.source is node.source and node.start <= at.start < node.end
