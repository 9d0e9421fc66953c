"""Inertias of the convex hulls of shapes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unibody.meshes.cache import MeshCache, placed_surfaces
from unibody.meshes.surface import joined
from unibody.model.arrays import Floats
from unibody.model.inertia import Inertial, matrix3
from unibody.model.shape import Shape
from unibody.simplification.hulls import hull_of


def inertia_of_hull(inertial: Inertial, shapes: Sequence[Shape], cache: MeshCache) -> Inertial:
    """The mass of a link with the center of mass and the inertia of the evenly filled hull of its shapes.

    It is left as it is without a mass or a volume.
    """
    filled = filled_hull(shapes, 1.0, cache)
    if filled is None or inertial.unknown == "mass" or not inertial.mass > 0.0:
        return inertial
    inertia = np.array(filled.inertia) * (inertial.mass / filled.mass)
    return Inertial(mass=inertial.mass, com=filled.com, inertia=matrix3(inertia), at=inertial.at)


def filled_hull(shapes: Sequence[Shape], density: float, cache: MeshCache) -> Inertial | None:
    """The inertia of the convex hull of shapes, filled with a density (kg/m³); None without a volume."""
    vertices, faces = joined([surface for shape in shapes for surface in placed_surfaces(shape, cache)])
    points = np.asarray(vertices[np.unique(faces)], np.float64)
    if not len(points) or not np.isfinite(points).all():
        return None
    try:
        hull = hull_of(points)
    except ValueError:  # all points are one, but for rounding
        return None
    center = hull.vertices.mean(axis=0)
    mass, com, inertia = _filled(hull.vertices[hull.faces] - center, density)
    if not mass > 0.0:
        return None
    x, y, z = (com + center).tolist()
    return Inertial(mass=mass, com=(x, y, z), inertia=tuple(map(tuple, inertia.tolist())))  # type: ignore[arg-type]


def _filled(corners: Floats, density: float) -> tuple[float, Floats, Floats]:
    """Mass, center of mass (3,) and inertia (3, 3) about it of what outward triangles (n, 3, 3) enclose."""
    sizes = np.linalg.det(corners)
    volume = float(sizes.sum()) / 6.0
    if not volume > 0.0:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    sums = corners.sum(axis=1)
    com = (sizes[:, None] * sums).sum(axis=0) / (24.0 * volume)
    second = np.einsum("n,nki,nkj->ij", sizes, corners, corners) + np.einsum(
        "n,ni,nj->ij", sizes, sums, sums
    )
    second = second / 120.0 - volume * np.outer(com, com)
    return density * volume, com, density * (np.trace(second) * np.eye(3) - second)
