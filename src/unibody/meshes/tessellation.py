"""Tessellates the geometry that a model holds; equal geometry is tessellated once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import fields
from hashlib import blake2b
from typing import Any, cast

import numpy as np

from unibody.files.access import Files
from unibody.meshes.batch import Part, surfaces_of
from unibody.meshes.inline import part_of
from unibody.meshes.primitive import primitive
from unibody.meshes.scene import Request, placement_matrices
from unibody.meshes.surface import Surface, transformed_all
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
        return self._own([shape], [_key(shape)])[0]

    def placed(self, shapes: Sequence[Shape]) -> list[Surface | None]:
        """Like :meth:`of`, in the frame of the link, for many shapes together."""
        distinct = {id(shape): shape for shape in shapes}
        key_of = {number: _key(shape) for number, shape in distinct.items()}
        keys = [key_of[id(shape)] for shape in shapes]
        out = self._own(shapes, keys)
        moved: dict[tuple[Hashable, ...], list[int]] = {}
        for k, (shape, key) in enumerate(zip(shapes, keys, strict=True)):
            if out[k] is None or (shape.pose == IDENTITY and shape.linear is None):
                continue
            there = key, shape.pose, shape.linear
            if there in self._known:
                out[k] = self._known[there]
            else:
                moved.setdefault(there, []).append(k)
        firsts = [same[0] for same in moved.values()]
        matrices = placement_matrices([(shapes[k].pose, shapes[k].linear) for k in firsts])
        surfaces = transformed_all([cast(Surface, out[k]) for k in firsts], matrices)
        for (place, same), surface in zip(moved.items(), surfaces, strict=True):
            for k in same:
                out[k] = surface
            if keys[same[0]] in self._known:
                self._keep(place, surface)
        return out

    def _own(self, shapes: Sequence[Shape], keys: Sequence[Hashable]) -> list[Surface | None]:
        """The surfaces of shapes in the frames of their geometry; a key is None if it is not shared."""
        out: list[Surface | None] = [None] * len(shapes)
        new: dict[Hashable, list[int]] = {}
        for k, key in enumerate(keys):
            if key is not None and key in self._known:
                out[k] = self._again(shapes[k], self._known[key])
            else:
                new.setdefault(k if key is None else key, []).append(k)
        alone: list[int] = []
        made = self._made([shapes[same[0]] for same in new.values()])
        for (key, (first, *others)), (surface, has_findings) in zip(new.items(), made, strict=True):
            out[first] = surface
            if has_findings:
                alone += others
                continue
            for k in others:
                out[k] = self._again(shapes[k], surface)
            if keys[first] is not None:
                self._keep(key, surface)
        for k in alone:
            out[k] = self._made([shapes[k]])[0][0]
        return out

    def _again(self, shape: Shape, known: Surface | None) -> Surface | None:
        """A known surface, after the findings about the lists of this shape."""
        self._findings.extend(conversion_findings(shape.geometry))
        return known

    def _made(self, shapes: Sequence[Shape]) -> list[tuple[Surface | None, bool]]:
        """The surface of each shape, and whether it has findings beyond those about its lists."""
        out: list[tuple[Surface | None, bool]] = [(None, False)] * len(shapes)
        parts: dict[int, Part] = {}
        found: dict[int, Findings] = {}
        for k, shape in enumerate(shapes):
            match shape.geometry:
                case Mesh() | ElevationGrid() | Extrusion():
                    name = f"shape '{shape.name}'" if shape.name else "unnamed shape"
                    found[k] = Findings()
                    with np.errstate(all="ignore"):
                        part = part_of(shape, Request(name, self._files, found[k], shape.at))
                    if part is not None:
                        parts[k] = part
                case LineSet() | PointSet() as drawn:
                    self._findings.extend(conversion_findings(drawn))
                case geometry:
                    out[k] = primitive(geometry, shape.divisions), False
        with np.errstate(all="ignore"):
            surfaces = dict(zip(parts, surfaces_of(list(parts.values())), strict=True))
        for k, findings in found.items():
            self._findings.extend(findings)
            out[k] = surfaces.get(k), len(findings) > len(conversion_findings(shapes[k].geometry))
        return out

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
