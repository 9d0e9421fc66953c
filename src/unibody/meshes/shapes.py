"""Shapes of a model as surfaces, in their own frame or in their link's."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from unibody.meshes.cache import MeshCache
from unibody.meshes.inline import inline
from unibody.meshes.primitive import primitive
from unibody.meshes.scene import Request
from unibody.meshes.surface import Faces, Floats, Matrix, Surface, joined, transformed
from unibody.model import shape as s
from unibody.model.pose import IDENTITY
from unibody.model.robot import Robot

Which = Literal["visual", "collision"]


def shape_surfaces(shape: s.Shape, cache: MeshCache) -> list[Surface]:
    """The surfaces of a shape in its geometry's own frame: before ``shape.pose`` and ``shape.linear``.

    A mesh file is opened through ``cache``; lines and points have no surface.

    >>> [s.faces.shape for s in shape_surfaces(s.Shape(geometry=s.Box(size=(1.0, 1.0, 1.0))), MeshCache())]
    [(12, 3)]
    """
    match shape.geometry:
        case s.MeshFile() as mesh:
            return list(cache.surfaces(mesh, shape.at))
        case s.Mesh() | s.ElevationGrid() | s.Extrusion():
            name = f"shape '{shape.name}'" if shape.name else "a shape"
            with np.errstate(all="ignore"):
                found = inline(shape, Request(name, cache.files, cache.findings, shape.at))
        case s.LineSet() | s.PointSet() as drawn:
            cache.findings.extend(s.conversion_findings(drawn))
            return []
        case geometry:
            found = primitive(geometry, shape.divisions)
    return [] if found is None else [found]


def placed_surfaces(shape: s.Shape, cache: MeshCache) -> list[Surface]:
    """The surfaces of a shape in the frame that it hangs in, with its material where it has one."""
    matrix = _placement(shape)
    out = []
    for surface in shape_surfaces(shape, cache):
        moved = transformed(surface, matrix)
        out.append(moved if shape.material is None else replace(moved, material=shape.material))
    return out


def link_surfaces(
    robot: Robot, link_name: str, which: Which, cache: MeshCache | None = None
) -> list[Surface]:
    """The surfaces of a link's visual or collision shapes, in the link's frame (m).

    ``material`` is the shape's, else the surface's own. KeyError for a link that is not there.

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


def _placement(shape: s.Shape) -> Matrix | None:
    """Where a shape is: pose · linear, as a 4×4 matrix; None where its frame is."""
    if shape.pose == IDENTITY and shape.linear is None:
        return None
    out = np.array(shape.pose.matrix())
    if shape.linear is not None:
        out[:3, :3] = out[:3, :3] @ np.array(shape.linear)
    return out
