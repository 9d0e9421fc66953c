"""Bodies of geoms, with mass, center and inertia: of primitives, of triangles, and several as one."""

from __future__ import annotations

import math

import numpy as np

from unibody.model.arrays import Floats, Integers
from unibody.model.shape import Box, Capsule, Cylinder, Ellipsoid, Geometry, Sphere
from unibody.model.solid import primitive_solid
from unibody.text.dataclass import dataclass

# Thickness of the shell of an ellipsoid, as a share of 1 m, as in MuJoCo.
_SHELL = 1e-6
# The exponent of the approximation of an ellipsoid's area, as in MuJoCo.
_AREA_EXPONENT = 1.6075


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A body of density 1: mass, center of mass (3,) in m, inertia (3, 3) about it.

    Of a thin surface, density is mass by area.
    """

    mass: float
    center: Floats
    inertia: Floats


def primitive_body(geometry: Geometry, shell: bool) -> Body | None:
    """The body of density 1 of a primitive: solid, or its surface; None for others and without extent.

    >>> primitive_body(Box(size=(1.0, 2.0, 3.0)), shell=False).mass
    6.0
    """
    if shell:
        return _shell(geometry)
    solid = primitive_solid(geometry)
    return None if solid is None else Body(solid.volume, solid.center, solid.inertia(solid.volume))


def _shell(geometry: Geometry) -> Body | None:
    match geometry:
        case Sphere(radius=r):
            area = 4.0 * math.pi * r * r
            moments = (2.0 / 3.0 * area * r * r,) * 3
        case Cylinder(radius=r, height=h):
            disk, side = math.pi * r * r, 2.0 * math.pi * r * h
            area = 2.0 * disk + side
            across = 2.0 * disk * (r * r / 4.0 + h * h / 4.0) + side * (6.0 * r * r + h * h) / 12.0
            moments = (across, across, disk * r * r + side * r * r)
        case Capsule(radius=r, height=h):
            ball, side = 4.0 * math.pi * r * r, 2.0 * math.pi * r * h
            area = ball + side
            across = side * (6.0 * r * r + h * h) / 12.0
            across += ball * (2.0 / 3.0 * r * r + h * h / 4.0 + h * r / 2.0)
            moments = (across, across, side * r * r + 2.0 / 3.0 * ball * r * r)
        case Box(size=(x, y, z)):
            a, b, c = 2.0 * y * z, 2.0 * x * z, 2.0 * x * y
            area = a + b + c
            xx = a * x * x / 4.0 + (b + c) * x * x / 12.0
            yy = b * y * y / 4.0 + (a + c) * y * y / 12.0
            zz = c * z * z / 4.0 + (a + b) * z * z / 12.0
            moments = (yy + zz, xx + zz, xx + yy)
        case Ellipsoid(radii=(x, y, z)):
            p = _AREA_EXPONENT
            mean = ((x * y) ** p + (y * z) ** p + (z * x) ** p) / 3.0
            area = 4.0 * math.pi * mean ** (1.0 / p)
            inner, outer = (x, y, z), (x + _SHELL, y + _SHELL, z + _SHELL)
            small, large = (4.0 / 3.0 * math.pi * math.prod(sizes) for sizes in (inner, outer))
            squares = [(large * b * b - small * a * a) / 5.0 for a, b in zip(inner, outer, strict=True)]
            scale = area / (large - small) if large > small else 0.0
            moments = tuple((sum(squares) - s) * scale for s in squares)  # type: ignore[assignment]
        case _:
            return None
    return Body(area, np.zeros(3), np.diag(moments)) if area > 0.0 else None


def moved(body: Body, rotation: Floats, position: Floats, mass: float) -> Body:
    """A body of another mass, in the frame in which its own frame has this pose."""
    inertia = rotation @ body.inertia @ rotation.T * (mass / body.mass if body.mass else 0.0)
    return Body(mass, rotation @ body.center + position, inertia)


def composed(parts: list[Body]) -> Body | None:
    """Several bodies as one; None without mass."""
    mass = sum(part.mass for part in parts)
    if not parts or mass == 0.0:
        return None
    if len(parts) == 1:
        return parts[0]
    masses = np.array([part.mass for part in parts])
    centers = np.array([part.center for part in parts])
    center = masses @ centers / mass
    arms = centers - center
    squares = np.einsum("k,ki,kj->ij", masses, arms, arms)
    inertia = np.sum([part.inertia for part in parts], axis=0) + np.trace(squares) * np.eye(3) - squares
    return Body(mass, center, inertia)


def principal(body: Body) -> tuple[Floats, Floats]:
    """Principal moments (3,), falling, and the rotation (3, 3) whose columns are their axes."""
    if not np.isfinite(body.inertia).all():
        return np.ones(3), np.eye(3)  # check_basic reports the overflow
    moments, axes = np.linalg.eigh(body.inertia / 2.0 + body.inertia.T / 2.0)
    moments, axes = moments[::-1], axes[:, ::-1]
    if np.linalg.det(axes) < 0.0:
        axes = axes * np.array([1.0, 1.0, -1.0])
    return moments, axes


def equivalent_box(body: Body) -> Floats:
    """Half sizes (3,) of the box with the principal moments of a body of density 1."""
    moments, _ = principal(body)
    x, y, z = moments
    squares = np.array([y + z - x, x + z - y, x + y - z]) * (6.0 / body.mass)
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)) / 2.0)


def solid_of(vertices: Floats, faces: Integers, mode: str) -> Body | None:
    """The body of density 1 of triangles: "shell" their surface, "legacy" the sum of unsigned tetrahedra.

    Tetrahedra are summed twice, as in MuJoCo: from the center of the surface for the center of mass, from
    there for volume and inertia.
    """
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    normals = np.cross(b - a, c - a)
    area = np.linalg.norm(normals, axis=1) / 2.0
    centers = (a + b + c) / 3.0
    if not area.sum() > 0.0:
        return None
    middle = area @ centers / area.sum()
    if mode == "shell":
        center, weights = middle, area
        share = 12.0
    else:
        volumes = np.einsum("ij,ij->i", centers - middle, normals) / 6.0
        volumes = np.abs(volumes) if mode == "legacy" else volumes
        if volumes.sum() == 0.0:
            return None
        center = volumes @ (0.75 * centers + 0.25 * middle) / volumes.sum()
        weights = np.einsum("ij,ij->i", centers - center, normals) / 6.0
        weights = np.abs(weights) if mode == "legacy" else weights
        share = 20.0
    a, b, c = a - center, b - center, c - center
    second = np.sum([(p * weights[:, None]).T @ p for p in (a + b + c, a, b, c)], axis=0) / share
    return Body(float(weights.sum()), center, np.trace(second) * np.eye(3) - second)
