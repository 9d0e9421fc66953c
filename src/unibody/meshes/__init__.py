"""Triangle meshes of a robot's shapes.

A :class:`MeshCache` reads each mesh file once, on first use.
"""

from __future__ import annotations

from unibody.meshes.cache import SUFFIXES, MeshCache, placed_surfaces, shape_surfaces
from unibody.meshes.shapes import link_surfaces, mesh
from unibody.meshes.surface import Surface, area, bounds, signed_volume

__all__ = [
    "SUFFIXES",
    "MeshCache",
    "Surface",
    "area",
    "bounds",
    "link_surfaces",
    "mesh",
    "placed_surfaces",
    "shape_surfaces",
    "signed_volume",
]
