"""Meshes that are not convex, as convex parts: the engine's contacts then have their hollows."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache

import numpy as np

from unibody.meshes.cache import MeshCache, placed_surfaces
from unibody.meshes.pieces import pieces
from unibody.meshes.surface import joined
from unibody.model import shape as s
from unibody.model.robot import Robot
from unibody.model.shape import Shape
from unibody.simplification.parts import convex_parts
from unibody.simplification.simplify import hull_shape
from unibody.simplification.triangles import Triangles

_CONVEX = (s.Box, s.Sphere, s.Cylinder, s.Capsule, s.Cone, s.Ellipsoid, s.Plane)
# Meshes whose parts are remembered: to find them takes some seconds for each.
_REMEMBERED = 256


def with_parts(robot: Robot, links: Collection[str]) -> Robot:
    """The robot with convex parts instead of the meshes with which these links collide.

    MissingParts without CoACD. Shapes that cannot be read stay as they are.
    """
    cache = MeshCache()
    changed = (
        replace(
            link, collisions=tuple(part for shape in link.collisions for part in _divided(shape, cache))
        )
        if link.name in links
        else link
        for link in robot.links
    )
    return replace(robot, links=tuple(changed))


def _divided(shape: Shape, cache: MeshCache) -> tuple[Shape, ...]:
    if isinstance(shape.geometry, _CONVEX):
        return (shape,)
    vertices, faces = joined(placed_surfaces(shape, cache))
    corners, _, closed = pieces(vertices, faces)
    if not len(corners) or not np.isfinite(corners).all():
        return (shape,)
    count = len(corners)
    parts = _parts(corners.astype(np.float64).tobytes(), np.asarray(closed, bool).tobytes(), count)
    name = shape.name or "part"
    return tuple(replace(part, name=f"{name} {number}") for number, part in enumerate(parts, 1)) or (shape,)


@lru_cache(maxsize=_REMEMBERED)
def _parts(corners: bytes, closed: bytes, count: int) -> tuple[Shape, ...]:
    """The parts of a mesh by its content: corners (n, 3, 3), and which triangles are of closed pieces."""
    points = np.frombuffer(corners).reshape(count, 3, 3)
    mesh = Triangles(points, np.frombuffer(closed, bool))
    return tuple(hull_shape(hull) for hull in convex_parts(mesh, None))
