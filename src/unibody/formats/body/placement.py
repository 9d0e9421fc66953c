"""Reads poses, and composes the placements below a link."""

from __future__ import annotations

import math
from typing import Any

from unibody.document.declare import Document
from unibody.formats.body.values import nested
from unibody.formats.placement import Placement, split
from unibody.model.decomposition import diagonal, product
from unibody.model.pose import (
    IDENTITY,
    UNIT_QUATERNION,
    ZERO,
    Pose,
    Quaternion,
    Vector3,
    from_axis_angle,
    multiply,
)
from unibody.text.finding import Findings

# Choreonoid rejects shorter axes, even with angle 0 (facts A.2).
_SHORT = 1e-6


def radians(value: float, unit: str) -> float:
    """Convert an angle from the unit of the file to radians."""
    return math.radians(value) if unit == "degree" else value


def rotation(value: Any, unit: str, doc: Document, findings: Findings) -> Quaternion:
    """The rotation of an axis-angle, or of a list of them, each in the frame of the previous one."""
    if value is None:
        return UNIT_QUATERNION
    out = UNIT_QUATERNION
    for x, y, z, angle in nested(value) if value else ():
        q = from_axis_angle((x, y, z), radians(angle, unit)) if math.hypot(x, y, z) >= _SHORT else None
        if q is None:
            findings.error(
                "rotation-axis-zero",
                "rotation has a zero axis",
                doc.at("rotation"),
                "use [0, 0, 1, 0] for no rotation",
            )
            continue
        out = multiply(out, q)
    return out


def translation(value: Any) -> Vector3:
    """One vector, or the sum of several."""
    if not value:
        return ZERO
    if not isinstance(value[0], tuple):
        return value  # type: ignore[no-any-return]
    x, y, z = (sum(v[i] for v in value) for i in range(3))
    return (x, y, z)


def pose(doc: Any, unit: str, findings: Findings) -> Pose:
    """The pose of a document with translation and rotation."""
    t, r = doc.translation, doc.rotation
    if t is None and r is None:
        return IDENTITY
    return Pose(translation(t), rotation(r, unit, doc, findings))


def placed(outer: Placement, doc: Any, unit: str, findings: Findings) -> Placement:
    """The placement of a posed node (translate · rotate · scale) below ``outer``."""
    own = pose(doc, unit, findings)
    scale = doc.scale
    if scale == (1.0, 1.0, 1.0):
        scale = None
    if outer.linear is None and scale is None:
        return Placement(outer.pose @ own if own is not IDENTITY else outer.pose)
    if outer.linear is None:
        return Placement(outer.pose @ own, diagonal(scale))
    linear = product(outer.matrix(), own.rotation())
    if scale is not None:
        linear = product(linear, diagonal(scale))
    return split(linear, outer.point(own.xyz))
