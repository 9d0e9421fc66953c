"""Tessellates the geometry that a model holds; equal geometry is tessellated once."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields
from hashlib import blake2b
from typing import Any, cast

import numpy as np

from unibody.files.access import Files
from unibody.meshes.inline import inline
from unibody.meshes.primitive import primitive
from unibody.meshes.scene import Request, placement_matrix
from unibody.meshes.surface import Surface, transformed
from unibody.model.pose import IDENTITY
from unibody.model.shape import (
    ElevationGrid,
    Extrusion,
    LineSet,
    Mesh,
    PointSet,
    Shape,
    conversion_findings,
)
from unibody.text.finding import Findings

# Surfaces are kept for further shapes up to this many bytes in all.
_MOST_KEPT = 16_000_000
_FIELDS = {cls: tuple(f.name for f in fields(cls)) for cls in (Mesh, ElevationGrid, Extrusion)}


class Tessellations:
    """The surfaces of boxes, meshes, extrusions and so on, shared by shapes of equal geometry.

    Most models repeat their parts: of the 900 shapes of a road with bumps, 18 differ. Each shape reports
    the findings about its lists; geometry with further findings is not shared.
    """

    def __init__(self, files: Files, findings: Findings) -> None:
        self._files, self._findings = files, findings
        self._known: dict[Hashable, Surface | None] = {}
        self._room = _MOST_KEPT

    def of(self, shape: Shape) -> Surface | None:
        """The surface of a shape in its geometry's frame (m); None without a triangle.

        The geometry is not a MeshFile. Lines and points have no surface.
        """
        return self._of(shape, _key(shape))

    def placed(self, shape: Shape) -> Surface | None:
        """Like :meth:`of`, in the link's frame."""
        key = _key(shape)
        if shape.pose == IDENTITY and shape.linear is None:
            return self._of(shape, key)
        there = None if key is None else (key, shape.pose, shape.linear)
        if there in self._known:
            return self._again(shape, there)
        own = self._of(shape, key)
        if own is None:
            return None
        out = transformed(own, placement_matrix(shape.pose, shape.linear))
        if key in self._known:
            self._keep(there, out)
        return out

    def _of(self, shape: Shape, key: Hashable) -> Surface | None:
        """The surface of a shape in its geometry's frame; ``key`` is None if it is not shared."""
        if key is None:
            return self._made(shape)
        if key in self._known:
            return self._again(shape, key)
        before = len(self._findings)
        made = self._made(shape)
        if len(self._findings) - before == len(conversion_findings(shape.geometry)):
            self._keep(key, made)
        return made

    def _again(self, shape: Shape, key: Hashable) -> Surface | None:
        """A known surface, after the findings about the lists of this shape."""
        self._findings.extend(conversion_findings(shape.geometry))
        return self._known[key]

    def _made(self, shape: Shape) -> Surface | None:
        match shape.geometry:
            case Mesh() | ElevationGrid() | Extrusion():
                name = f"shape '{shape.name}'" if shape.name else "unnamed shape"
                with np.errstate(all="ignore"):
                    return inline(shape, Request(name, self._files, self._findings, shape.at))
            case LineSet() | PointSet() as drawn:
                self._findings.extend(conversion_findings(drawn))
                return None
            case geometry:
                return primitive(geometry, shape.divisions)

    def _keep(self, key: Hashable, surface: Surface | None) -> None:
        """Keep a surface if there is room for it."""
        if surface is not None:
            arrays = (surface.vertices, surface.faces, surface.normals, surface.tex_coords, surface.colors)
            self._room -= sum(array.nbytes for array in arrays if array is not None)
        if self._room >= 0:
            self._known[key] = surface


def _key(shape: Shape) -> Hashable:
    """What the surface of a shape depends on; None for geometry that is not shared."""
    geometry = shape.geometry
    match geometry:
        case LineSet() | PointSet():
            return None
        case Mesh() | ElevationGrid() | Extrusion():
            textured = shape.material is not None and shape.material.texture is not None
            names = _FIELDS[type(geometry)]
            return (type(geometry), textured, *(_value(getattr(geometry, name)) for name in names))
        case _:
            return geometry, shape.divisions


def _value(value: Any) -> Hashable:
    """A value, or the digest of a long list."""
    if isinstance(value, np.ndarray | list):
        array = np.asarray(value)
        return array.dtype.str, blake2b(array.tobytes(), digest_size=16).digest()
    return cast(Hashable, value)
