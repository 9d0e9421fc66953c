"""The transforms of a joint: T = T_parent · T0 · Tq (formats/mpk.md, kinematics)."""

from __future__ import annotations

import math

from unibody.document.declare import Document
from unibody.formats.mpk import document as d
from unibody.model.joint_kind import JointKind
from unibody.model.pose import IDENTITY, Pose, Vector3, from_axis_angle, unit
from unibody.model.traverse import path_of
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings

_Z: Vector3 = (0.0, 0.0, 1.0)
_MOVING = (d.Transl1, d.Rot1, d.ConstTranslRot1)


@dataclass(frozen=True, slots=True)
class Motion:
    """The pose of a joint frame in its parent at q = 0, and the motion of the joint.

    ``at_zero`` and ``at_one`` are q (rad or m) at t = 0 and t = 1; ``doc`` is the parameterized
    transform, None for a fixed joint.
    """

    origin: Pose
    kind: JointKind = "fixed"
    axis: Vector3 = _Z
    at_zero: float = 0.0
    at_one: float = 0.0
    doc: Document | None = None


def motion(joint: d.Joint, name: str, scale: float, findings: Findings) -> Motion:
    """Combine the transforms of a joint; lengths are multiplied by ``scale``."""
    origin = IDENTITY
    moving: d.Transl1 | d.Rot1 | d.ConstTranslRot1 | None = None
    for doc in joint.transforms:
        if isinstance(doc, _MOVING):
            if moving is not None:
                findings.error(
                    "transforms-several",
                    f"joint '{name}' has two parameterized transforms, {moving.KEY} and {doc.KEY}; "
                    "using the last",
                    doc.at(),
                    "split it into two joints, one the parent of the other",
                    subject=path_of("joints", name),
                )
            moving = doc
        else:
            origin = origin @ _constant(doc, name, scale, findings)
    if moving is None:
        return Motion(origin)
    if isinstance(moving, d.Transl1):
        return _prismatic(moving, origin, name, scale, findings)
    return _revolute(moving, origin, name, scale, findings)


def _constant(doc: d.ConstTransl | d.ConstRot, name: str, scale: float, findings: Findings) -> Pose:
    if isinstance(doc, d.ConstTransl):
        return IDENTITY if doc.translation is None else Pose(_scaled(doc.translation, scale))
    if doc.axis is None or not doc.angle:
        return IDENTITY
    turn = from_axis_angle(_vector(doc.axis), doc.angle)
    if turn is None:
        _report_zero_axis(doc, "axis", name, findings)
        return IDENTITY
    return Pose(quat=turn)


def _revolute(
    doc: d.Rot1 | d.ConstTranslRot1, origin: Pose, name: str, scale: float, findings: Findings
) -> Motion:
    """Tq = Transl · Rot: the axis passes through the translated origin."""
    if isinstance(doc, d.ConstTranslRot1) and doc.translation is not None:
        origin = origin @ Pose(_scaled(doc.translation, scale))
    axis = _Z if doc.axis is None else unit(_vector(doc.axis))
    if axis is None:
        _report_zero_axis(doc, "axis", name, findings)
    return Motion(origin, "revolute", axis or _Z, doc.min or 0.0, doc.max or 0.0, doc)


def _prismatic(doc: d.Transl1, origin: Pose, name: str, scale: float, findings: Findings) -> Motion:
    """The motion of Transl1; the length of its vector scales the travel."""
    direction = (0.0, 0.0, 1.0) if doc.direction is None else _vector(doc.direction)
    axis = unit(direction)
    if axis is None:
        _report_zero_axis(doc, "direction", name, findings)
        return Motion(origin, "prismatic", _Z, 0.0, 0.0, doc)
    # a unit vector with rounding errors does not scale the travel
    length = (1.0 if axis == direction else math.hypot(*direction)) * scale
    ends = ((doc.min or 0.0) * length, (doc.max or 0.0) * length)
    if not all(map(math.isfinite, ends)):
        findings.error(
            "number-overflow",
            f"joint '{name}': travel overflows; the product of vector and bounds is too large",
            doc.at(),
            "use meters",
            subject=path_of("joints", name),
        )
        ends = (0.0, 0.0)
    return Motion(origin, "prismatic", axis, *ends, doc)


def _report_zero_axis(doc: Document, key: str, name: str, findings: Findings) -> None:
    what = "axis" if key == "axis" else "direction"
    findings.error(
        "axis-zero",
        f"joint '{name}' has a zero {what}",
        doc.at(key),
        "set the direction of the axis",
        subject=path_of("joints", name),
    )


def _vector(values: tuple[float, ...]) -> Vector3:
    x, y, z = values
    return (x, y, z)


def _scaled(values: tuple[float, ...], scale: float) -> Vector3:
    x, y, z = values
    return (x * scale, y * scale, z * scale)
