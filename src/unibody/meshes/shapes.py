"""Triangles of a link's shapes."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Literal

from unibody.formats.loader import robot_of
from unibody.meshes.cache import MeshCache, placed_surfaces
from unibody.meshes.surface import Surface, joined
from unibody.model.arrays import Faces, Floats
from unibody.model.robot import Robot
from unibody.model.scene import Scene
from unibody.text.renamed import renamed_keywords

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.format import Format, ModelObject
    from unibody.formats.read_options import ReadKeywords

Which = Literal["visual", "collision"]


def link_surfaces(
    robot: Robot, link_name: str, shapes: Which, cache: MeshCache | None = None
) -> list[Surface]:
    """The surfaces of a link's visual or collision shapes, in the link's frame (m).

    The material of a shape applies to the surfaces of its mesh file that have none. ``cache`` is shared
    between calls to read each mesh file once; it collects the findings. KeyError if the link is unknown,
    ValueError if ``shapes`` is neither "visual" nor "collision".

    >>> from unibody.model import shape as s
    >>> from unibody.model.robot import Link
    >>> link = Link(name="a", visuals=(s.Shape(geometry=s.Sphere(radius=1.0)),))
    >>> len(link_surfaces(Robot(name="r", links=(link,)), "a", "visual"))
    1
    """
    if shapes not in ("visual", "collision"):
        raise ValueError(f"shapes must be 'visual' or 'collision', got {shapes!r}")
    link = robot.link(link_name)
    cache = MeshCache() if cache is None else cache
    chosen = link.visuals if shapes == "visual" else link.collisions
    return [surface for shape in chosen for surface in placed_surfaces(shape, cache)]


@renamed_keywords(link_name="link", which="shapes")
def mesh(
    robot: Robot | Scene | str | os.PathLike[str] | ModelObject,
    link: str,
    shapes: Which = "visual",
    cache: MeshCache | None = None,
    *,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> tuple[Floats, Faces]:
    """The triangles of a link's visual or collision shapes.

    ``robot`` may be a scene, or the path of a model file, which is read with the keywords of
    :func:`unibody.read`.
    Returns vertices (n, 3), float64, in the link's frame (m), and faces (m, 3), int32, the vertex
    indices of the triangles, counter-clockwise seen from outside. Both are empty for a link without
    shapes. A shape whose mesh file cannot be read is left out; ``cache.findings`` says why.

    KeyError if the link is unknown, ValueError if ``shapes`` is neither "visual" nor "collision".

    >>> from unibody.model import shape as s
    >>> from unibody.model.robot import Link, Robot
    >>> link = Link(name="a", visuals=(s.Shape(geometry=s.Box(size=(1.0, 2.0, 3.0))),))
    >>> vertices, faces = mesh(Robot(name="r", links=(link,)), "a")
    >>> vertices.max(axis=0), faces.shape
    (array([0.5, 1. , 1.5]), (12, 3))
    """
    return joined(link_surfaces(robot_of(robot, format, **reading), link, shapes, cache))
