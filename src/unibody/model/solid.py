"""Volume, center and second moments of solid bodies of uniform density."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from unibody.model.arrays import Floats
from unibody.model.pose import Pose
from unibody.model.shape import Box, Capsule, Cone, Cylinder, Ellipsoid, Geometry, Shape, Sphere
from unibody.text.dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Solid:
    """A body of uniform density: ``volume`` in m³, ``center`` (3,) in m, ``second`` (3, 3) in m⁵.

    ``second`` is ∫ x xᵀ dV about the center, in the axes of the frame in which the body is.
    """

    volume: float
    center: Floats
    second: Floats

    def inertia(self, mass: float) -> Floats:
        """The inertia (3, 3) about the center for a mass in kg."""
        return inertia_of(self.second) * (mass / self.volume)


def inertia_of(second: Floats) -> Floats:
    """The inertia (..., 3, 3) that belongs to second moments of mass: tr(S)·1 − S.

    >>> inertia_of(np.diag([1.0, 2.0, 3.0])).diagonal()
    array([5., 4., 3.])
    """
    trace = np.trace(second, axis1=-2, axis2=-1)
    return np.asarray(trace[..., None, None] * np.eye(3) - second)


def shifted(offset: Floats) -> Floats:
    """The inertia (..., 3, 3) of 1 kg at ``offset`` (..., 3) about the origin: |d|²·1 − d dᵀ."""
    return inertia_of(offset[..., :, None] * offset[..., None, :])


def primitive_solid(geometry: Geometry) -> Solid | None:
    """The solid of a box, sphere, cylinder, cone, capsule or ellipsoid in its own frame.

    None for other geometry, and without volume.

    >>> primitive_solid(Box(size=(1.0, 2.0, 3.0))).volume
    6.0
    """
    height = 0.0
    match geometry:
        case Box(size=(x, y, z)):
            volume, mean = x * y * z, (x * x / 12.0, y * y / 12.0, z * z / 12.0)
        case Sphere(radius=r):
            volume, mean = 4.0 / 3.0 * math.pi * r * r * r, (r * r / 5.0,) * 3
        case Ellipsoid(radii=(a, b, c)):
            volume, mean = 4.0 / 3.0 * math.pi * a * b * c, (a * a / 5.0, b * b / 5.0, c * c / 5.0)
        case Cylinder(radius=r, height=h):
            volume, mean = math.pi * r * r * h, (r * r / 4.0, r * r / 4.0, h * h / 12.0)
        case Cone(radius=r, height=h):
            volume, mean = math.pi * r * r * h / 3.0, (0.15 * r * r, 0.15 * r * r, 0.0375 * h * h)
            height = -h / 4.0
        case Capsule(radius=r, height=h):
            tube, ball = math.pi * r * r * h, 4.0 / 3.0 * math.pi * r * r * r
            volume = tube + ball
            across = tube * r * r / 4.0 + ball * r * r / 5.0
            along = tube * h * h / 12.0 + ball * (r * r / 5.0 + 0.375 * h * r + h * h / 4.0)
            mean = (across / volume, across / volume, along / volume) if volume else (0.0, 0.0, 0.0)
        case _:
            return None
    if not (_TINY < volume < _HUGE and min(mean) > _TINY and max(mean) < _HUGE):
        return None
    return Solid(volume, np.array([0.0, 0.0, height]), volume * np.diag(mean))


def placed(solid: Solid, pose: Pose, linear: object = None) -> Solid | None:
    """The solid moved to ``pose``, after the 3×3 matrix ``linear`` if given; None if it is flattened."""
    matrix = np.array(pose.rotation())
    if linear is not None:
        matrix = matrix @ np.array(linear)
    scale = abs(float(np.linalg.det(matrix))) if linear is not None else 1.0
    if not _TINY < scale < _HUGE:
        return None
    center = matrix @ solid.center + np.array(pose.xyz)
    return Solid(scale * solid.volume, center, scale * (matrix @ solid.second @ matrix.T))


def shape_solid(shape: Shape) -> Solid | None:
    """The solid of a primitive shape in the link frame; None for meshes and for shapes without volume."""
    solid = primitive_solid(shape.geometry)
    return placed(solid, shape.pose, shape.linear) if solid is not None else None


def box_solid(low: Floats, high: Floats) -> Solid | None:
    """The solid box between two corners (3,); None without volume."""
    size = high - low
    volume = float(np.prod(size))
    if not _TINY < volume < _HUGE:
        return None
    return Solid(volume, (low + high) / 2.0, volume * np.diag(size**2) / 12.0)


def united(solids: Iterable[Solid]) -> Solid:
    """The sum of solids as if they did not overlap; there must be at least one."""
    parts = list(solids)
    volumes = np.array([s.volume for s in parts])
    centers = np.array([s.center for s in parts])
    volume = float(volumes.sum())
    center = volumes @ centers / volume
    arms = centers - center
    second = np.sum([s.second for s in parts], axis=0) + np.einsum("k,ki,kj->ij", volumes, arms, arms)
    return Solid(volume, center, second)


def mesh_solid(
    vertices: Floats, faces: NDArray[np.integer], bounds: tuple[Floats, Floats] | None = None
) -> Solid | None:
    """The solid that triangles enclose: vertices (n, 3) in m, faces (m, 3).

    ``bounds`` are the corners of their bounding box, if known. None if the triangles do not close, or face
    inward.
    """
    low, high = (vertices.min(0), vertices.max(0)) if bounds is None else bounds
    origin = (low + high) / 2.0
    # Rows of one coordinate each: products of long rows are fast.
    columns = np.ascontiguousarray((vertices - origin).T)
    a, b, c = (np.take(columns, faces[:, k], axis=1) for k in range(3))
    u, v = b - a, c - a
    normals = np.array((u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]))
    area = float(np.sqrt(np.einsum("ij,ij->j", normals, normals)).sum())
    if not np.abs(normals.sum(1)).max() <= _CLOSED * area:
        return None
    six = np.einsum("ij,ij->j", a, normals)
    volume = float(six.sum()) / 6.0
    box = float(np.prod(high - low))
    if not _THINNEST * box < volume <= box * (1.0 + 1e-9):
        return None
    corners = a + b + c
    center = corners @ six / (24.0 * volume)
    second = np.sum([(p * six) @ p.T for p in (corners, a, b, c)], axis=0) / 120.0
    second = second - volume * np.outer(center, center)
    if not float(np.linalg.eigvalsh(second)[0]) > 0.0:
        return None
    return Solid(volume, center + origin, (second + second.T) / 2.0)


# Volumes in m³ and squares of lengths in m² outside are no bodies: their products overflow.
_TINY, _HUGE = 1e-30, 1e30
# The normals of a closed surface cancel: their sum in shares of its area.
_CLOSED = 1e-3
# Smallest volume of a mesh in shares of its bounding box.
_THINNEST = 1e-4
