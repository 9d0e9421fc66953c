"""Triangles of a link's shapes."""

from __future__ import annotations

from typing import Literal

from unibody.meshes.cache import MeshCache, placed_surfaces
from unibody.meshes.surface import Faces, Floats, Surface, joined
from unibody.model.robot import Robot

Which = Literal["visual", "collision"]


def link_surfaces(
    robot: Robot, link_name: str, which: Which, cache: MeshCache | None = None
) -> list[Surface]:
    """The surfaces of a link's visual or collision shapes, in the link's frame (m).

    ``material`` is the shape's, else the surface's own. KeyError for a link that is not there.

    >>> from unibody.model import shape as s
    >>> from unibody.model.robot import Link
    >>> link = Link(name="a", visuals=(s.Shape(geometry=s.Sphere(radius=1.0)),))
    >>> len(link_surfaces(Robot(name="r", links=(link,)), "a", "visual"))
    1
    """
    if which not in ("visual", "collision"):
        raise ValueError(f"'visual' or 'collision', not {which!r}")
    link = robot.link(link_name)
    cache = MeshCache() if cache is None else cache
    shapes = link.visuals if which == "visual" else link.collisions
    return [surface for shape in shapes for surface in placed_surfaces(shape, cache)]


def mesh(
    robot: Robot, link_name: str, which: Which = "visual", cache: MeshCache | None = None
) -> tuple[Floats, Faces]:
    """All triangles of a link: vertices (n, 3) in the link's frame (m), and faces (m, 3).

    Faces go counter-clockwise seen from outside. KeyError for a link that is not there.

    >>> from unibody.model import shape as s
    >>> from unibody.model.robot import Link, Robot
    >>> link = Link(name="a", visuals=(s.Shape(geometry=s.Box(size=(1.0, 2.0, 3.0))),))
    >>> vertices, faces = mesh(Robot(name="r", links=(link,)), "a")
    >>> vertices.max(axis=0), faces.shape
    (array([0.5, 1. , 1.5]), (12, 3))
    """
    return joined(link_surfaces(robot, link_name, which, cache))
