"""Reads `<origin>` elements as poses."""

from __future__ import annotations

import math

from unibody.formats.format import Context
from unibody.formats.urdf import document as d
from unibody.model.pose import IDENTITY, Pose, from_rpy
from unibody.text.fixes import renumbered

# Larger angles are taken for degrees; some files round 2π up.
_LARGEST_ANGLE = 2.01 * math.pi


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
                "degrees become radians",
                lambda old: [math.radians(v) for v in old] if len(old) == 3 else None,
            ),
        )
    x, y, z = origin.xyz
    return Pose((x, y, z), from_rpy(*origin.rpy))
