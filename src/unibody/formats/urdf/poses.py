"""Reads `<origin>` elements as poses."""

from __future__ import annotations

import math

from unibody.formats.format import Context
from unibody.formats.urdf import document as d
from unibody.model.pose import IDENTITY, UNIT_QUATERNION, Pose, Quaternion, from_rpy
from unibody.text.edit import ProposedFix, replaced
from unibody.text.fixes import renumbered
from unibody.text.xml.fixes import attribute

# Larger angles are taken for degrees; some files round 2π up.
_LARGEST_ANGLE = 2.01 * math.pi
# Quaternions are often written with few decimals.
_UNIT = 1e-3
_ROUNDING = 4e-16


def pose(origin: d.Origin | None, context: Context) -> Pose:
    """The pose of an origin element; None is the identity."""
    if origin is None:
        return IDENTITY
    if max(origin.rpy) > _LARGEST_ANGLE or min(origin.rpy) < -_LARGEST_ANGLE:
        written = " ".join(f"{angle:g}" for angle in origin.rpy)
        context.findings.warning(
            "angle-degrees",
            f"rpy '{written}' exceeds a full turn; it looks like degrees",
            origin.at("rpy"),
            f"in radians: {' '.join(f'{math.radians(a):.6g}' for a in origin.rpy)}",
            fix=renumbered(
                origin.at("rpy"),
                "convert degrees to radians",
                lambda old: [math.radians(v) for v in old] if len(old) == 3 else None,
            ),
        )
    x, y, z = origin.xyz
    if origin.quat_xyzw is not None:
        return Pose((x, y, z), _quaternion(origin, context))
    return Pose((x, y, z), from_rpy(*origin.rpy))


def _quaternion(origin: d.Origin, context: Context) -> Quaternion:
    """The orientation of an origin with ``quat_xyzw``, which is ignored beside ``rpy``."""
    x, y, z, w = origin.quat_xyzw or (0.0, 0.0, 0.0, 0.0)
    if "rpy" in origin.given:
        context.findings.warning(
            "orientation-twice",
            "origin has both rpy and quat_xyzw; using rpy, but urdfdom rejects the file from URDF 1.1 on",
            origin.at(),
            "remove one of them",
            fix=_removed(origin),
        )
        return from_rpy(*origin.rpy)
    length = math.hypot(x, y, z, w)
    if length == 0.0 or not math.isfinite(length):
        context.findings.warning(
            "quaternion-not-unit", "quat_xyzw is zero; using no rotation", origin.at("quat_xyzw")
        )
        return UNIT_QUATERNION
    if abs(length - 1.0) > _UNIT:
        context.findings.warning(
            "quaternion-not-unit",
            f"quat_xyzw of length {length:.6g} is normalized",
            origin.at("quat_xyzw"),
            fix=renumbered(
                origin.at("quat_xyzw"),
                "normalize the quaternion",
                lambda old: [v / math.hypot(*old) for v in old] if len(old) == 4 else None,
                safe=True,
            ),
        )
    # one of length 1 up to rounding is kept, so that it is written as it was read
    if abs(length - 1.0) <= _ROUNDING:
        return (w, x, y, z)
    return (w / length, x / length, y / length, z / length)


def _removed(origin: d.Origin) -> ProposedFix | None:
    """Remove quat_xyzw, which is not used."""
    found = attribute(origin.at(), "quat_xyzw")
    return None if found is None else ProposedFix("remove quat_xyzw", (replaced(found.whole, ""),))
