"""Meshes: what the shapes of a robot look like as triangles.

A :class:`MeshCache` opens each mesh file once, on first use.
"""

from __future__ import annotations

from unibody.meshes.cache import SUFFIXES, MeshCache
from unibody.meshes.shapes import link_surfaces, mesh, shape_surfaces
from unibody.meshes.surface import Surface, area, bounds, signed_volume

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
