"""Small helpers shared by the URDF reader: places and poses."""

from __future__ import annotations

import math

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.formats.urdf import document as d
from unibody.model.pose import IDENTITY, Pose, from_rpy
from unibody.text.source import Span
from unibody.text.xml.parser import attribute_span

_TURN = 2.01 * math.pi


def span(doc: Document | None) -> Span | None:
    """Where an element stands."""
    return doc.node.span if doc is not None and doc.node is not None else None


def attribute(doc: Document, name: str) -> Span | None:
    """Where the value of an attribute stands, else the element."""
    if doc.node is None:
        return None
    return attribute_span(doc.node, name) or doc.node.span


def pose(origin: d.Origin | None, context: Context) -> Pose:
    """The pose that an origin element writes; none is the identity."""
    if origin is None:
        return IDENTITY
    if max(origin.rpy) > _TURN or min(origin.rpy) < -_TURN:
        written = " ".join(f"{angle:g}" for angle in origin.rpy)
        context.findings.warning(
            "angle-degrees",
            f"rpy has an angle of more than a turn: {written} looks like degrees",
            attribute(origin, "rpy"),
            f"in radians it is {' '.join(f'{math.radians(a):.6g}' for a in origin.rpy)}",
        )
    x, y, z = origin.xyz
    return Pose((x, y, z), from_rpy(*origin.rpy))
