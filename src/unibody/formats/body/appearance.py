"""Reads appearances as materials (facts A.12)."""

from __future__ import annotations

from typing import Any

from unibody.formats.body import document as d
from unibody.formats.body.placement import radians
from unibody.formats.format import Context
from unibody.model.shape import Material, Texture, TextureTransform


class Materials:
    """Converts the appearances of one file; aliases of an appearance share one material."""

    def __init__(self, unit: str, context: Context) -> None:
        self.unit, self.context = unit, context
        self.made: dict[int, tuple[Any, Material | None]] = {}

    def of(self, appearance: d.Appearance | None) -> Material | None:
        """The material of an appearance; None for an empty appearance."""
        if appearance is None:
            return None
        known = self.made.get(id(appearance.node))
        if known is None or self.context.watch:
            known = (appearance.node, self._make(appearance))
            self.made[id(appearance.node)] = known
        return known[1]

    def _make(self, appearance: d.Appearance) -> Material | None:
        texture = self._texture(appearance)
        material = appearance.material
        if material is None:
            return None if texture is None else Material(texture=texture)
        return self.plain(material, texture)

    def plain(self, material: d.Material, texture: Texture | None = None) -> Material:
        """Convert a material without caching."""
        exponent = material.specular_exponent
        shininess = material.shininess
        if shininess is not None and "specular_exponent" not in material.given:
            exponent = 127.0 * min(max(shininess, 0.0), 1.0) + 1.0
        if "transparency" in material.given:
            self.context.findings.info(
                "reference-differs",
                "transparency is read as 0 opaque, 1 invisible, as Choreonoid draws it; "
                "the reference says the opposite",
                material.at("transparency"),
            )
        return Material(
            diffuse=material.diffuse,  # type: ignore[arg-type]
            ambient=material.ambient,
            emissive=material.emissive,  # type: ignore[arg-type]
            specular=material.specular,  # type: ignore[arg-type]
            specular_exponent=exponent,
            transparency=material.transparency,
            texture=texture,
            at=material.at(),
        )

    def _texture(self, appearance: d.Appearance) -> Texture | None:
        texture = appearance.texture
        if texture is None:
            return None
        at = texture.at("url")
        path = self.context.files.resolve(texture.url, self.context.path, at, self.context.findings)
        repeat = texture.repeat
        repeat_s, repeat_t = repeat if isinstance(repeat, tuple) else (repeat, repeat)
        return Texture(
            uri=texture.url,
            path=path or "",
            repeat_s=texture.repeat_s if repeat is None else repeat_s,
            repeat_t=texture.repeat_t if repeat is None else repeat_t,
            transform=self._transform(appearance.texture_transform),
        )

    def _transform(self, transform: d.TextureTransform | None) -> TextureTransform | None:
        if transform is None:
            return None
        return TextureTransform(
            center=transform.center,  # type: ignore[arg-type]
            scale=transform.scale,  # type: ignore[arg-type]
            rotation=radians(transform.rotation, self.unit),
            translation=transform.translation,  # type: ignore[arg-type]
        )
