"""Poses written in a Body file, and affine placements below a link.

A placement is a pose as long as nothing is scaled; from the first scale on it carries a
3×3 stretch, applied before the pose: point → pose · (stretch · point).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.document.declare import Document
from unibody.formats.body.values import nested
from unibody.model.inertia import matrix3
from unibody.model.pose import (
    IDENTITY,
    UNIT_MATRIX,
    UNIT_QUATERNION,
    ZERO,
    Matrix3,
    Pose,
    Quaternion,
    Vector3,
    from_axis_angle,
    matrix_quaternion,
    multiply,
)
from unibody.text.finding import Findings
from unibody.text.source import Span

DEGREE = math.pi / 180.0
# Choreonoid refuses an axis shorter than this, even with angle 0 (facts A.2).
_SHORT = 1e-6


@dataclass(frozen=True, slots=True)
class Placement:
    """Where something is below its link; ``stretch`` is None while nothing is scaled."""

    pose: Pose = IDENTITY
    stretch: Matrix3 | None = None

    def linear(self) -> NDArray[np.float64]:
        """The whole linear part, 3×3."""
        r = np.array(self.pose.rotation())
        return r if self.stretch is None else r @ np.array(self.stretch)


def radians(value: float, unit: str) -> float:
    """An angle in the file's unit, in radians."""
    return math.radians(value) if unit == "degree" else value


def place_of(doc: Document, *keys: str) -> Span | None:
    """Where a key of a document stands."""
    node = doc.node
    if node is None:
        return None
    for k, value, start in node.items:
        if k in keys:
            return node.place(value, start)
    return node.span


def rotation(value: Any, unit: str, doc: Document, findings: Findings) -> Quaternion:
    """One axis-angle, or a list of them, each in the frame of the one before."""
    if value is None:
        return UNIT_QUATERNION
    out = UNIT_QUATERNION
    for x, y, z, angle in nested(value) if value else ():
        q = from_axis_angle((x, y, z), radians(angle, unit)) if math.hypot(x, y, z) >= _SHORT else None
        if q is None:
            findings.error(
                "rotation-axis-zero",
                "rotation: its axis has no direction",
                place_of(doc, "rotation"),
                "write [0, 0, 1, 0] for no rotation",
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
    """Translation and rotation of a document as a pose."""
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
    if outer.stretch is None and scale is None:
        return Placement(outer.pose @ own if own is not IDENTITY else outer.pose)
    if outer.stretch is None:
        sx, sy, sz = scale
        return Placement(outer.pose @ own, ((sx, 0.0, 0.0), (0.0, sy, 0.0), (0.0, 0.0, sz)))
    linear = outer.linear() @ np.array(own.rotation())
    position = np.array(outer.pose.xyz) + outer.linear() @ np.array(own.xyz)
    if scale is not None:
        linear = linear @ np.diag(scale)
    return split(linear, position)


def split(linear: NDArray[np.float64], position: NDArray[np.float64]) -> Placement:
    """An affine map as a pose and a symmetric stretch (polar decomposition)."""
    if not np.isfinite(linear).all():
        x, y, z = position.tolist()
        return Placement(Pose((x, y, z)), matrix3(linear))  # check_basic says that it overflows
    u, s, vt = np.linalg.svd(linear)
    turn = u @ vt
    stretch = vt.T @ np.diag(s) @ vt
    if np.linalg.det(turn) < 0.0:
        turn, stretch = -turn, -stretch
    x, y, z = position.tolist()
    quaternion = matrix_quaternion(matrix3(turn))
    return Placement(Pose((x, y, z), quaternion), matrix3(stretch))


def rigid(placement: Placement) -> bool:
    """Whether nothing is stretched."""
    return placement.stretch is None or placement.stretch == UNIT_MATRIX
