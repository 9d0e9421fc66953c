"""Volumes and moments of inertia of primitives that are solid."""

from __future__ import annotations

import math

from unibody.model import shape as s
from unibody.model.pose import Vector3

#: The mass of density 1, and the moments of inertia about the center of mass.
Body = tuple[float, Vector3]


def body_of(geometry: s.Geometry) -> Body | None:
    """Volume and moments of inertia about the center of mass, for density 1; None if not computed.

    >>> body_of(s.Box(size=(1.0, 1.0, 6.0)))
    (6.0, (18.5, 18.5, 1.0))
    """
    match geometry:
        case s.Box(size=(x, y, z)):
            m = x * y * z
            return m, (m * (y * y + z * z) / 12.0, m * (x * x + z * z) / 12.0, m * (x * x + y * y) / 12.0)
        case s.Sphere(radius=r):
            m = 4.0 / 3.0 * math.pi * r**3
            return m, (0.4 * m * r * r,) * 3
        case s.Ellipsoid(radii=(a, b, c)):
            m = 4.0 / 3.0 * math.pi * a * b * c
            return m, (m * (b * b + c * c) / 5.0, m * (a * a + c * c) / 5.0, m * (a * a + b * b) / 5.0)
        case s.Cylinder(radius=r, height=h):
            m = math.pi * r * r * h
            side = m * (3.0 * r * r + h * h) / 12.0
            return m, (side, side, m * r * r / 2.0)
        case s.Cone(radius=r, height=h):
            m = math.pi * r * r * h / 3.0
            side = m * (12.0 * r * r + 3.0 * h * h) / 80.0
            return m, (side, side, 0.3 * m * r * r)
        case s.Capsule(radius=r, height=h):
            tube, ball = math.pi * r * r * h, 4.0 / 3.0 * math.pi * r**3
            # each half sphere has its center of mass 3/8 r beyond the tube
            out = ball * (0.4 * r * r + h * h / 4.0 + 3.0 / 8.0 * h * r)
            side = tube * (3.0 * r * r + h * h) / 12.0 + out
            return tube + ball, (side, side, tube * r * r / 2.0 + ball * 0.4 * r * r)
    return None
