"""Meshes without volume, for loaders that compute the convex hull of a mesh or its inertia."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.shape import Mesh

#: How far in m the point is at least from a flat mesh that gives its hull a volume.
THICKNESS = 1e-6
# Loaders keep vertices in single precision. Points are in a plane if they are nearer to it than some steps
# of the largest coordinate; the point beside it is some more away.
_STEP = float(np.finfo(np.float32).eps)
_FLAT, _BESIDE = 2.0 * _STEP, 8.0 * _STEP


def is_flat(points: Floats) -> bool:
    """Whether points (n, 3) are in one plane.

    >>> is_flat(np.array([(0.0, 0.0, 1.0), (1.0, 0.0, 1.0), (0.0, 1.0, 1.0), (1.0, 1.0, 1.0)]))
    True
    """
    return len(points) < 4 or _normal(points) is not None


def with_thickness(mesh: Mesh) -> Mesh:
    """A flat mesh with one more point beside it, which no face uses.

    The hull is 1 µm thick, or as much as single precision can tell at the largest coordinate.
    """
    points = np.asarray(mesh.vertices, np.float64).reshape(-1, 3)
    if not len(points) or not is_flat(points):
        return mesh
    normal = _normal(points)
    thickness = max(THICKNESS, _BESIDE * float(np.abs(points).max()))
    beside = points.mean(axis=0) + thickness * (np.array([0.0, 0.0, 1.0]) if normal is None else normal)
    return _with_point(mesh, points, beside)


def with_four_points(mesh: Mesh) -> Mesh:
    """A mesh of one triangle with a fourth point, one of its own, which no face uses."""
    points = np.asarray(mesh.vertices, np.float64).reshape(-1, 3)
    return mesh if len(points) != 3 else _with_point(mesh, points, points[0])


def _with_point(mesh: Mesh, points: Floats, point: Floats) -> Mesh:
    return replace(mesh, vertices=(*points.reshape(-1).tolist(), *point.tolist()))


def _normal(points: Floats) -> Floats | None:
    """The unit normal of the plane that all points are in; None if there is none."""
    centered = points - points.mean(axis=0)
    size, most = float(np.abs(centered).max()), float(np.abs(points).max())
    if not np.isfinite(size) or size == 0.0:
        return np.array([0.0, 0.0, 1.0])
    _, axes = np.linalg.eigh(centered.T @ centered / (size * size))
    # eigenvalues are squares, which lose half of the digits: measure along the axis instead
    normal = np.asarray(axes[:, 0])
    return normal if float(np.abs(centered @ normal).max()) <= _FLAT * most else None
