"""Placements of the children of Transforms (ISO/IEC 14772-1, 6.52)."""

from __future__ import annotations

from typing import Any

from unibody.document.declare import Document
from unibody.formats.placement import Placement, split
from unibody.formats.vrml97 import document as d
from unibody.model.decomposition import product, symmetric, times
from unibody.model.pose import UNIT_QUATERNION, ZERO, Pose, Quaternion, Vector3, from_axis_angle, rotate
from unibody.text.finding import Findings

_ONES = (1.0, 1.0, 1.0)


def base_of(doc: Document, path: str) -> str:
    """The path of the file that contains a node, from which its references are resolved."""
    node = doc.node
    return path if node is None or node.source is None else node.source.name


def quaternion(turn: tuple[float, ...]) -> Quaternion:
    """The quaternion of an SFRotation; identity for a zero axis, which the binder reports."""
    x, y, z, angle = turn
    if angle == 0.0:
        return UNIT_QUATERNION
    return from_axis_angle((x, y, z), angle) or UNIT_QUATERNION


def placed(outer: Placement, doc: d.Transform) -> Placement:
    """The placement of a Transform's children: translation · center · rotation · scale · center⁻¹."""
    return _placed(outer, doc, doc.center)


def drawn(outer: Placement, doc: d.Transform, findings: Findings) -> Placement:
    """Like :func:`placed`, but like Choreonoid for shapes: ``center`` is ignored if there is a scale.

    The condition in its loader is inverted (facts B.8), and existing files look right there.
    """
    if doc.scale == _ONES or doc.center == ZERO:
        return _placed(outer, doc, doc.center)
    findings.info(
        "reference-differs",
        "Transform: center is ignored for shapes with a scale, as in Choreonoid; VRML97 rotates and scales "
        "about it",
        doc.at("center"),
    )
    return _placed(outer, doc, ZERO)


def _placed(outer: Placement, doc: d.Transform, center: Any) -> Placement:
    turn = quaternion(doc.rotation)
    translation: Any = doc.translation
    scale: Any = doc.scale
    # marks the field as read, also without a scale
    orientation = doc.scale_orientation
    if scale == _ONES:
        if turn is UNIT_QUATERNION and translation == ZERO:
            return outer
        own = Pose(_around(translation, center, rotate(turn, center)), turn)
        if outer.linear is None:
            return Placement(outer.pose @ own)
        linear, at = own.rotation(), own.xyz
    else:
        stretch = symmetric(Pose(ZERO, quaternion(orientation)).rotation(), scale)
        linear = product(Pose(ZERO, turn).rotation(), stretch)
        at = _around(translation, center, times(linear, center))
        if outer.linear is None:
            return Placement(outer.pose @ Pose(at, turn), stretch)
    return split(product(outer.matrix(), linear), outer.point(at))


def _around(translation: Vector3, center: Vector3, moved: Vector3) -> Vector3:
    """translation + center − moved, where ``moved`` is the rotated and scaled center."""
    if center == ZERO:
        return translation
    x, y, z = (t + c - m for t, c, m in zip(translation, center, moved, strict=True))
    return (x, y, z)
