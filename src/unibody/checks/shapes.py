"""Triangles, bounding boxes and volumes of the shapes of each link."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from unibody.meshes import SUFFIXES, MeshCache, Surface, placed_surfaces
from unibody.model.arrays import Floats
from unibody.model.robot import Link, Robot
from unibody.model.shape import LineSet, MeshFile, Plane, PointSet, Shape

#: Larger coordinates are ignored: their third power overflows.
LARGEST = 1e50
# Points sampled to find the principal axes of a shape.
_SAMPLES = 5000


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A shape with its triangles in the link frame, and the corners (m) of their bounding box, if any."""

    shape: Shape
    which: Literal["visual", "collision"]
    surfaces: tuple[Surface, ...]
    bounds: tuple[Floats, Floats] | None

    @property
    def diagonal(self) -> float:
        """The diagonal (m) of the bounding box; 0 without triangles."""
        return math.hypot(*(self.bounds[1] - self.bounds[0]).tolist()) if self.bounds is not None else 0.0


@dataclass(frozen=True, eq=False)
class LinkShapes:
    """All shapes of a link; ``complete`` is False if some are unreadable or unbounded."""

    link: Link
    drawn: tuple[Drawn, ...]
    complete: bool

    @cached_property
    def bounds(self) -> tuple[Floats, Floats] | None:
        """Lowest and highest corner (m) in the link frame; None without triangles."""
        corners = [d.bounds for d in self.drawn if d.bounds is not None]
        if not corners:
            return None
        return np.min([low for low, _ in corners], 0), np.max([high for _, high in corners], 0)

    @cached_property
    def volume(self) -> float:
        """Volume (m³) of the smaller bounding box: along the link axes, or along the principal axes."""
        if self.bounds is None or np.array_equal(*self.bounds):
            return 0.0
        low, high = self.bounds
        points = np.concatenate([s.vertices for d in self.drawn for s in d.surfaces])
        some = points[:: 1 + len(points) // _SAMPLES]
        _, axes = np.linalg.eigh(np.cov(some.T))
        turned = points @ axes
        return float(min(np.prod(high - low), np.prod(turned.max(0) - turned.min(0))))


def link_shapes(robot: Robot, cache: MeshCache) -> list[LinkShapes]:
    """Return the shapes of every link, in order; mesh files are read through ``cache``.

    Missing and unsupported mesh files are skipped: reading the model reports them.
    """
    return [_of(link, cache) for link in robot.links]


def _of(link: Link, cache: MeshCache) -> LinkShapes:
    drawn: list[Drawn] = []
    complete = True
    sides: tuple[tuple[Literal["visual", "collision"], tuple[Shape, ...]], ...] = (
        ("visual", link.visuals),
        ("collision", link.collisions),
    )
    for which, shapes in sides:
        for shape in shapes:
            if isinstance(shape.geometry, LineSet | PointSet):
                continue
            surfaces = () if _has_no_triangles(shape) else tuple(_surfaces(shape, cache))
            complete = complete and bool(surfaces)
            drawn.append(Drawn(shape, which, surfaces, _bounds(surfaces)))
    return LinkShapes(link, tuple(drawn), complete)


def _has_no_triangles(shape: Shape) -> bool:
    match shape.geometry:
        case MeshFile() as mesh:
            return not mesh.path or os.path.splitext(mesh.path)[1].lower() not in SUFFIXES
        case Plane():
            return True
    return False


def _surfaces(shape: Shape, cache: MeshCache) -> list[Surface]:
    found = placed_surfaces(shape, cache)
    return [s for s in found if len(s.vertices) and bool((np.abs(s.vertices) < LARGEST).all())]


def _bounds(surfaces: tuple[Surface, ...]) -> tuple[Floats, Floats] | None:
    if not surfaces:
        return None
    # Column by column: numpy is slow along the first axis of many short rows.
    columns = [[s.vertices[:, k] for s in surfaces] for k in range(3)]
    low = np.array([min(float(c.min()) for c in column) for column in columns])
    return low, np.array([max(float(c.max()) for c in column) for column in columns])
