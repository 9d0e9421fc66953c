"""Reads the axes of joints."""

from __future__ import annotations

import math

from unibody.formats.format import Context
from unibody.formats.urdf import document as d
from unibody.model.pose import Vector3, unit
from unibody.model.traverse import path_of
from unibody.text.fixes import renumbered

X: Vector3 = (1.0, 0.0, 0.0)
Y: Vector3 = (0.0, 1.0, 0.0)
Z: Vector3 = (0.0, 0.0, 1.0)


def axis_of(doc: d.Joint | d.DrakeJoint, otherwise: str, context: Context) -> Vector3 | None:
    """The axis in the joint frame, X if it is not stated, None if it is zero.

    ``otherwise`` is how the joint is read then. Choreonoid's reference says the parent frame (facts F.1,
    37).
    """
    if doc.axis is None or doc.axis.xyz is None:
        return X
    x, y, z = doc.axis.xyz
    direction = unit((x, y, z))
    if direction is None:
        context.findings.warning(
            "axis-zero",
            f"joint '{doc.name}' has a zero axis; {otherwise}",
            doc.axis.at("xyz"),
            "set the direction of the axis",
            subject=path_of("joints", doc.name or ""),
        )
        return None
    length = math.hypot(x, y, z)
    if abs(length - 1.0) > 1e-3:
        context.findings.warning(
            "axis-not-unit",
            f"joint '{doc.name}': axis of length {length:.6g} is normalized",
            doc.axis.at("xyz"),
            subject=path_of("joints", doc.name or "", "axis"),
            fix=renumbered(
                doc.axis.at("xyz"),
                "normalize the axis",
                lambda old: direction if len(old) == 3 else None,
                safe=True,
            ),
        )
    return direction
