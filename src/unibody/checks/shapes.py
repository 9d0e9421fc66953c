"""What the shapes of each link look like as triangles: the sizes that the other rules compare with."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from unibody.meshes import SUFFIXES, MeshCache, Surface, placed_surfaces
from unibody.model.robot import Link, Robot
from unibody.model.shape import LineSet, MeshFile, Plane, PointSet, Shape

Floats = NDArray[np.float64]
#: Numbers beyond this are no sizes, and their third powers no numbers.
LARGEST = 1e50
# Enough points to see which way a shape lies.
_POINTS = 5000


@dataclass(frozen=True, slots=True, eq=False)
class Drawn:
    """A shape with its triangles in the link's frame; ``diagonal`` is that of the box around them (m)."""

    shape: Shape
    which: Literal["visual", "collision"]
    surfaces: tuple[Surface, ...]
    diagonal: float


@dataclass(frozen=True, eq=False)
class LinkShapes:
    """All bounded shapes of a link; ``complete`` unless some of them could not be read or have no end."""

    link: Link
    drawn: tuple[Drawn, ...]
    complete: bool

    @cached_property
    def bounds(self) -> tuple[Floats, Floats] | None:
        """Lowest and highest corner (m) in the link's frame; None without triangles."""
        corners = [(s.vertices.min(0), s.vertices.max(0)) for d in self.drawn for s in d.surfaces]
        if not corners:
            return None
        return np.min([low for low, _ in corners], 0), np.max([high for _, high in corners], 0)

    @cached_property
    def volume(self) -> float:
        """Volume (m³) of the smaller of two boxes around all shapes: along the axes, along the shape."""
        if self.bounds is None or np.array_equal(*self.bounds):
            return 0.0
        low, high = self.bounds
        points = np.concatenate([s.vertices for d in self.drawn for s in d.surfaces])
        some = points[:: 1 + len(points) // _POINTS]
        _, axes = np.linalg.eigh(np.cov(some.T))
        turned = points @ axes
        return float(min(np.prod(high - low), np.prod(turned.max(0) - turned.min(0))))


def link_shapes(robot: Robot, cache: MeshCache) -> list[LinkShapes]:
    """The shapes of every link, in order; mesh files are read through ``cache``.

    A mesh file that was not found, or is of a kind that is not read, is passed over: reading the
    model has said so.
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
            surfaces = () if _is_out_of_reach(shape) else tuple(_surfaces(shape, cache))
            complete = complete and bool(surfaces)
            drawn.append(Drawn(shape, which, surfaces, _diagonal(surfaces)))
    return LinkShapes(link, tuple(drawn), complete)


def _is_out_of_reach(shape: Shape) -> bool:
    match shape.geometry:
        case MeshFile() as mesh:
            return not mesh.path or os.path.splitext(mesh.path)[1].lower() not in SUFFIXES
        case Plane():
            return True
    return False


def _surfaces(shape: Shape, cache: MeshCache) -> list[Surface]:
    found = placed_surfaces(shape, cache)
    return [s for s in found if len(s.vertices) and bool((np.abs(s.vertices) < LARGEST).all())]


def _diagonal(surfaces: tuple[Surface, ...]) -> float:
    if not surfaces:
        return 0.0
    low = np.min([s.vertices.min(0) for s in surfaces], 0)
    high = np.max([s.vertices.max(0) for s in surfaces], 0)
    return math.hypot(*(high - low).tolist())
