"""Tessellates primitives: axis along Z, 20 sides unless the file sets another number.

Texture coordinates follow ISO/IEC 14772-1, 6 (its Y axis is Z here): images are upright seen from
outside and wrap around from the back (+Y).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from unibody.meshes.surface import Surface, compact, unit_rows
from unibody.model import shape as s
from unibody.model.arrays import Faces, Floats, Integers

SIDES = 20
_MOST_SIDES = 1000
# Half the side of the square drawn for an unbounded plane, in m.
_PLANE_HALF_SIZE = 10.0
# The top of a shape of height 1, centered at the origin.
_TOP = np.array([0.0, 0.0, 0.5])

Pieces = tuple[Floats, Floats, Floats, Faces]


def primitive(geometry: s.Geometry, divisions: int | None = None) -> Surface | None:
    """The surface of a box, sphere, cylinder, cone, capsule, ellipsoid or plane; None for other shapes.

    ``divisions`` is the number of sides of round shapes.
    """
    n = min(divisions, _MOST_SIDES) if divisions is not None and divisions >= 4 else SIDES
    match geometry:
        case s.Box():
            return _scale(_box(), geometry.size)
        case s.Sphere():
            return _scale(_sphere(n), (geometry.radius,) * 3)
        case s.Ellipsoid():
            return _scale(_sphere(n), geometry.radii, tilted=True)
        case s.Cylinder():
            unit = _cylinder(n, geometry.top, geometry.bottom, geometry.side)
            return _scale(unit, (geometry.radius, geometry.radius, geometry.height))
        case s.Cone():
            unit = _cone(n, geometry.bottom, geometry.side)
            return _scale(unit, (geometry.radius, geometry.radius, geometry.height), tilted=True)
        case s.Capsule():
            return _stretch(_capsule(n), geometry)
        case s.Plane():
            x, y = geometry.half_size or (_PLANE_HALF_SIZE, _PLANE_HALF_SIZE)
            return _scale(_plane(), (2.0 * x, 2.0 * y, 1.0))
    return None


def _scale(unit: Pieces, scale: tuple[float, float, float], tilted: bool = False) -> Surface | None:
    """Scale a unit shape; None if fewer than two of its extents are positive, or one is not finite.

    ``tilted``: normals change under a nonuniform scale.
    """
    points, normals, coords, faces = unit
    a, b, c = scale
    if not len(faces) or not (0.0 <= min(scale) <= max(scale) < math.inf) or scale.count(0.0) > 1:
        return None
    if tilted and not a == b == c:
        normals = unit_rows(normals * (b * c, a * c, a * b))
    return Surface(points * scale, faces, normals, coords)


def _stretch(unit: Pieces, capsule: s.Capsule) -> Surface | None:
    """Stretch a unit sphere with a duplicate equator to a capsule; None without radius."""
    points, normals, coords, faces = unit
    radius, height = capsule.radius, capsule.height
    if not (0.0 < radius < math.inf and 0.0 <= height < math.inf):
        return None
    vertices = points * radius
    half = len(points) // 2
    vertices[:half, 2] -= height / 2.0
    vertices[half:, 2] += height / 2.0
    return Surface(vertices, faces, normals, coords)


def _read_only(points: Floats, normals: Floats, coords: Floats, faces: Integers | Faces) -> Pieces:
    out = (points, normals, coords, faces.astype(np.int32))
    for array in out:
        array.flags.writeable = False
    return out


def _concatenate(pieces: list[tuple[Floats, Floats, Floats, Integers]]) -> Pieces:
    """Concatenate patches."""
    if not pieces:
        return _read_only(np.empty((0, 3)), np.empty((0, 3)), np.empty((0, 2)), np.empty((0, 3), np.int64))
    starts = np.cumsum([0, *(len(p[0]) for p in pieces)])
    points, normals, coords = (np.concatenate([p[i] for p in pieces]) for i in range(3))
    faces = np.concatenate([p[3] + k for p, k in zip(pieces, starts[:-1], strict=True)])
    return _read_only(points, normals, coords, faces)


@lru_cache(maxsize=1)
def _box() -> Pieces:
    """A unit cube; each face has its own corners and the whole image, upright."""
    # right and up of each face seen from outside: sides, then top and bottom
    frames = [
        ((1, 0, 0), (0, 0, 1)),
        ((0, 1, 0), (0, 0, 1)),
        ((-1, 0, 0), (0, 0, 1)),
        ((0, -1, 0), (0, 0, 1)),
        ((1, 0, 0), (0, 1, 0)),
        ((1, 0, 0), (0, -1, 0)),
    ]
    coords = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    faces = np.array([(0, 1, 2), (0, 2, 3)], np.int64)
    pieces = []
    for right, up in frames:
        normal = np.cross(right, up).astype(np.float64)
        flat = (coords - 0.5) @ np.array([right, up], np.float64)
        pieces.append((flat + normal / 2.0, np.tile(normal, (4, 1)), coords, faces))
    return _concatenate(pieces)


@lru_cache(maxsize=1)
def _plane() -> Pieces:
    points = np.array([(-0.5, -0.5, 0.0), (0.5, -0.5, 0.0), (0.5, 0.5, 0.0), (-0.5, 0.5, 0.0)])
    normals = np.tile([0.0, 0.0, 1.0], (4, 1))
    return _read_only(points, normals, points[:, :2] + 0.5, np.array([(0, 1, 2), (0, 2, 3)], np.int64))


def _circle(n: int, half: bool = False) -> tuple[Floats, Floats]:
    """Cosines and sines (n + 1,) of a full or half turn, both ends included; exact at right angles."""
    angles = np.linspace(0.0, math.pi if half else 2.0 * math.pi, n + 1)
    c, s = np.cos(angles), np.sin(angles)
    c[np.abs(c) < 1e-15], s[np.abs(s) < 1e-15] = 0.0, 0.0
    return c, s


def _ring(n: int) -> Floats:
    """Directions (n + 1, 3) of a full turn from the back (+Y), counter-clockwise seen from above."""
    c, s = _circle(n)
    return np.stack([-s, c, np.zeros(n + 1)], axis=1)


def _strip(rows: int, columns: int) -> Integers:
    """Triangles between rows of points, from bottom to top; each row is a full turn."""
    low = (np.arange(rows - 1)[:, None] * columns + np.arange(columns - 1)).reshape(-1)
    high = low + columns
    return np.stack([low, low + 1, high + 1, low, high + 1, high], axis=1).reshape(-1, 3)


def _cap(n: int, z: float) -> tuple[Floats, Floats, Floats, Integers]:
    """A disk of n triangles at height z, facing away from the origin."""
    up = math.copysign(1.0, z)
    ring = _ring(n)[:-1]
    middle = np.array([0.0, 0.0, z])
    points = np.concatenate([middle[None], ring + middle])
    coords = points[:, :2] * (0.5, 0.5 * up) + 0.5
    k = np.arange(n)
    rim = [1 + k, 1 + (k + 1) % n]
    faces = np.stack([np.zeros(n, np.int64), *(rim if up > 0.0 else rim[::-1])], axis=1)
    return points, np.tile([0.0, 0.0, up], (n + 1, 1)), coords, faces


@lru_cache(maxsize=64)
def _cylinder(n: int, top: bool, bottom: bool, side: bool) -> Pieces:
    """A cylinder of radius 1 and height 1."""
    pieces = []
    if side:
        ring = _ring(n)
        points = np.concatenate([ring - _TOP, ring + _TOP])
        around = np.linspace(0.0, 1.0, n + 1)
        coords = np.concatenate([np.stack([around, np.full(n + 1, t)], axis=1) for t in (0.0, 1.0)])
        pieces.append((points, np.concatenate([ring, ring]), coords, _strip(2, n + 1)))
    return _concatenate(pieces + [_cap(n, z) for z, there in ((0.5, top), (-0.5, bottom)) if there])


@lru_cache(maxsize=64)
def _cone(n: int, bottom: bool, side: bool) -> Pieces:
    """A cone of radius 1 and height 1, with one apex vertex per side."""
    pieces = []
    if side:
        ring = _ring(n)
        middle = ring[:-1] + ring[1:]
        points = np.concatenate([ring - _TOP, np.tile(_TOP, (n, 1))])
        normals = unit_rows(np.concatenate([ring, unit_rows(middle)]) + 2.0 * _TOP)
        around = np.linspace(0.0, 1.0, n + 1)
        low = np.stack([around, np.zeros(n + 1)], axis=1)
        high = np.stack([around[:-1] + 0.5 / n, np.ones(n)], axis=1)
        k = np.arange(n)
        faces = np.stack([k, k + 1, n + 1 + k], axis=1)
        pieces.append((points, normals, np.concatenate([low, high]), faces))
    return _concatenate(pieces + [_cap(n, -0.5)] * bottom)


def _ball(n: int, heights: list[tuple[float, float]]) -> Pieces:
    """Rings at (radius, z) from the lower to the upper pole, with one pole vertex per side."""
    ring = _ring(n)
    rows = [ring * (r, r, 0.0) + (0.0, 0.0, z) for r, z in heights]
    points = np.concatenate(rows)
    around = np.linspace(0.0, 1.0, n + 1)
    up = [0.5 + math.asin(max(-1.0, min(1.0, z))) / math.pi for _, z in heights]
    coords = np.concatenate([np.stack([around, np.full(n + 1, t)], axis=1) for t in up])
    faces = _strip(len(rows), n + 1).reshape(len(rows) - 1, n, 2, 3)
    # at the poles one of the two triangles of each quad is degenerate
    inner = [faces[0, :, 1], faces[1:-1].reshape(-1, 3), faces[-1, :, 0]]
    coords[: n + 1, 0] += 0.5 / n
    coords[-n - 1 :, 0] -= 0.5 / n
    used, kept = compact(np.concatenate(inner), len(points))
    return _read_only(points[kept], points[kept], coords[kept], used)


@lru_cache(maxsize=64)
def _sphere(n: int) -> Pieces:
    """A sphere of radius 1 with n meridians and half as many bands."""
    c, s = _circle(max(n // 2, 2), half=True)
    return _ball(n, list(zip(s.tolist(), (-c).tolist(), strict=True)))


@lru_cache(maxsize=64)
def _capsule(n: int) -> Pieces:
    """A sphere of radius 1 with a duplicate equator, to be stretched."""
    bands = max(n // 4, 1)
    c, s = _circle(2 * bands, half=True)
    rows = list(zip(s.tolist(), (-c).tolist(), strict=True))
    return _ball(n, rows[: bands + 1] + rows[bands:])
