"""Reads materials: preview surfaces with their textures, colors of shapes, subsets of meshes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from unibody.formats.format import Context
from unibody.formats.usd import document_geometry as g
from unibody.formats.usd import document_looks as d
from unibody.formats.usd.places import Place
from unibody.formats.usd.textures import Images
from unibody.formats.usd.values import rows, whole
from unibody.model import shape as s
from unibody.text.node import Numbers

_SURFACE = "UsdPreviewSurface"
_TEXTURE = "UsdUVTexture"
_REPEATS = ("repeat", "mirror", "useMetadata")
Part = tuple[NDArray[np.int64], s.Material | None]


class Looks:
    """The materials of a stage, each read once."""

    def __init__(self, places: Mapping[str, Place], context: Context) -> None:
        self.places, self.images = places, Images(context)
        self._made: dict[str, s.Material | None] = {}

    def of(self, place: Place) -> s.Material | None:
        """The material of a shape: what is bound to it or above it, else its own color; None for none."""
        bound = self.bound(place)
        if bound is not None and (made := self._material(bound)) is not None:
            return made
        prim = place.prim
        if not isinstance(prim, g.Gprim):
            return None
        colors, opacities = rows(prim.colors, 3), rows(prim.opacities, 1)
        if not len(colors) and not len(opacities):
            return None
        varies = bool(len(colors)) and prim.colors_interpolation != "constant"
        if varies and not len(opacities) and isinstance(prim, g.Mesh | g.Points):
            # the mesh has them
            return None
        r, g_, b = np.clip(colors[0], 0.0, 1.0).tolist() if len(colors) else (1.0, 1.0, 1.0)
        if varies:
            r = g_ = b = 1.0
        opacity = float(np.clip(opacities[0, 0], 0.0, 1.0)) if len(opacities) else 1.0
        return s.Material(diffuse=(r, g_, b), transparency=1.0 - opacity, at=prim.at())

    def bound(self, place: Place) -> str | None:
        """The path of the material that is bound to a prim, or to the nearest one above it."""
        inner: Place | None = place
        while inner is not None:
            binding = inner.prim.material
            if binding is not None and binding.binding:
                return binding.binding[0]
            inner = inner.above
        return None

    def touch(self, place: Place) -> Place | None:
        """The material of a collider by touch: its physics material, else the one of its looks."""
        inner: Place | None = place
        found: str | None = None
        while inner is not None and found is None:
            binding = inner.prim.material
            if binding is not None and (binding.physics or binding.binding):
                found = (binding.physics or binding.binding)[0]
            inner = inner.above
        return self.places.get(found) if found is not None else None

    def parts(self, place: Place, mesh: g.Mesh, count: int) -> list[Part]:
        """The faces of a mesh by material: its subsets, and what is left."""
        left = np.ones(count, bool)
        out: list[Part] = []
        for inner in place.below:
            subset = inner.prim
            if not isinstance(subset, g.GeomSubset) or subset.element_type != "face":
                continue
            path = subset.material.binding[0] if subset.material and subset.material.binding else None
            material = self._material(path) if path is not None else None
            faces = whole(subset.indices)
            faces = faces[(faces >= 0) & (faces < count)]
            faces = faces[left[faces]]
            if material is not None and faces.size:
                left[faces] = False
                out.append((np.sort(faces), material))
        if left.any():
            out.append((np.flatnonzero(left), self.of(place)))
        return out

    def _material(self, path: str) -> s.Material | None:
        if path not in self._made:
            self._made[path] = self._read(path)
        return self._made[path]

    def _read(self, path: str) -> s.Material | None:
        place = self.places.get(path)
        if place is None or not isinstance(place.prim, d.Material):
            return None
        material = place.prim
        name = material.display_name or material.def_name
        shader = self._shader(material.surface_from)
        if shader is None or shader.id != _SURFACE:
            return s.Material(name=name, at=material.at()) if self._is_looks(material) else None
        diffuse = _color(shader.diffuse_color)
        texture = None
        if shader.diffuse_color_from:
            texture, color = self._texture(self._shader(shader.diffuse_color_from))
            diffuse = color if color is not None else (1.0, 1.0, 1.0) if texture is not None else diffuse
        return s.Material(
            name=name,
            diffuse=diffuse,
            emissive=_color(shader.emissive_color),
            specular=_color(shader.specular_color) if shader.use_specular_workflow else (0.0, 0.0, 0.0),
            transparency=1.0 - min(max(shader.opacity, 0.0), 1.0),
            texture=texture,
            at=material.at(),
        )

    def _is_looks(self, material: d.Material) -> bool:
        """Whether a material has a surface, if one that is not read."""
        return bool(material.surface_from or material.mdl_surface_from)

    def _shader(self, connections: tuple[str, ...]) -> d.Shader | None:
        """The shader at the end of a connection, through node graphs."""
        seen: set[str] = set()
        todo = list(connections)
        while todo:
            target = todo.pop(0)
            if target in seen:
                continue
            seen.add(target)
            path, _, output = target.partition(".")
            place = self.places.get(path)
            if place is None:
                continue
            if isinstance(place.prim, d.Shader):
                return place.prim
            key = f"connection {output}.connect"
            for name, value, _ in place.prim.rest:
                if name == key:
                    todo += [word.text for word in value.values]  # type: ignore[union-attr]
        return None

    def _texture(self, shader: d.Shader | None) -> tuple[s.Texture | None, s.Color | None]:
        """The image of a texture, and the color that scales it."""
        if shader is None or shader.id != _TEXTURE or not shader.file:
            return None, None
        found = self.images.find(shader.file, shader.at("file"))
        if found is None:
            return None, None
        uri, path = found
        return (
            s.Texture(
                uri=uri,
                path=path,
                repeat_s=shader.wrap_s in _REPEATS,
                repeat_t=shader.wrap_t in _REPEATS,
            ),
            _scale(shader),
        )


def _scale(shader: d.Shader) -> s.Color | None:
    """What the colors of an image are multiplied by; a shader of coordinates scales by two numbers."""
    for name, value, _ in shader.rest:
        if name == "float4 inputs:scale" and isinstance(value, Numbers):
            return _color(tuple(value.array()[:3].tolist()))
    return None


def _color(values: tuple[float, ...]) -> s.Color:
    r, g_, b = (min(max(value, 0.0), 1.0) for value in values)
    return (r, g_, b)
