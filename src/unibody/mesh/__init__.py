"""Meshes: what the shapes of a robot look like as triangles.

Mesh files are opened only when asked for, and once for each :class:`MeshCache`. The package itself
can be called: ``unibody.mesh(robot, "ARM", "collision")`` is :func:`mesh`.
"""

from __future__ import annotations

from unibody.called import callable_as
from unibody.mesh.cache import SUFFIXES, MeshCache
from unibody.mesh.shapes import link_surfaces, mesh, shape_surfaces
from unibody.mesh.surface import Surface, area, bounds, signed_volume

__all__ = [
    "SUFFIXES",
    "MeshCache",
    "Surface",
    "area",
    "bounds",
    "link_surfaces",
    "mesh",
    "shape_surfaces",
    "signed_volume",
]

callable_as(__name__, lambda: mesh)
