"""Reads materials: colors, highlights and the texture of the colors."""

from __future__ import annotations

from dataclasses import replace

from unibody.formats.format import Context
from unibody.formats.mjcf import document_assets as d
from unibody.formats.mjcf.asset_elements import asset_file, color_layer
from unibody.formats.mjcf.patterns import laid, pattern
from unibody.formats.mjcf.tree import Scope
from unibody.model import shape as s
from unibody.text.source import Span

#: The color of a geom without one; a geom of this color takes that of its material.
GRAY = (0.5, 0.5, 0.5, 1.0)
#: The largest exponent of a highlight in OpenGL.
SHININESS = 128.0


class Materials:
    """The materials of a model."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._made: dict[int, s.Material] = {}
        self._patterns: dict[int, s.Texture | None] = {}

    def of(
        self,
        name: str | None,
        rgba: tuple[float, ...],
        scope: Scope,
        at: Span | None,
        extent: tuple[float, float] | None = None,
    ) -> s.Material | None:
        """The material of a geom or site; None for the default color without a material.

        ``extent`` is the size (m) of the geom along X and Y, over which a pattern is laid.
        """
        found = scope.asset(d.Material, name) if name else None
        if name and found is None:
            self.context.findings.error(
                "reference-unknown", f"unknown material '{name}'", at, "define it in <asset>"
            )
        if found is None:
            return None if rgba == GRAY else _colored("", rgba, at)
        made = self._made.get(id(found[0]))
        if made is None:
            made = self._made[id(found[0])] = self._material(*found)
        image = self._pattern(*found) if made.texture is None else None
        if image is not None:
            made = replace(made, pattern=laid(image, found[0], extent))
        if rgba == GRAY:
            return made
        red, green, blue, alpha = rgba
        return s.Material(
            name=made.name,
            diffuse=(red, green, blue),
            transparency=1.0 - alpha,
            emissive=made.emissive,
            specular=made.specular,
            specular_exponent=made.specular_exponent,
            texture=made.texture,
            pattern=made.pattern,
            at=made.at,
        )

    def _material(self, doc: d.Material, scope: Scope) -> s.Material:
        red, green, blue, alpha = doc.rgba
        emission = doc.emission or 0.0
        specular = doc.specular
        return s.Material(
            name=doc.name or "",
            diffuse=(red, green, blue),
            transparency=1.0 - alpha,
            emissive=(red * emission, green * emission, blue * emission),
            specular=(specular, specular, specular),
            specular_exponent=doc.shininess * SHININESS,
            texture=self._texture(doc, scope),
            at=doc.at(),
        )

    def _pattern(self, doc: d.Material, scope: Scope) -> s.Texture | None:
        """The image of the pattern of a material; None if its texture is no pattern."""
        name = doc.texture or color_layer(doc)
        found = scope.asset(d.Texture, name) if name else None
        if found is None:
            return None
        texture = found[0]
        if id(texture) not in self._patterns:
            self._patterns[id(texture)] = pattern(texture)
        return self._patterns[id(texture)]

    def _texture(self, doc: d.Material, scope: Scope) -> s.Texture | None:
        """The image of a material, if it is one file."""
        name = doc.texture or color_layer(doc)
        found = scope.asset(d.Texture, name) if name else None
        if name and found is None:
            self.context.findings.error(
                "reference-unknown", f"unknown texture '{name}'", doc.at("texture"), "define it in <asset>"
            )
        if found is None or not found[0].file:
            return None
        texture, home = found
        folder, at = home.settings.texturedir, texture.at("file")
        uri, path = asset_file(texture.file, folder, home, self.context, at, self.context.findings)
        return s.Texture(uri=uri, path=path)


def _colored(name: str, rgba: tuple[float, ...], at: Span | None) -> s.Material:
    red, green, blue, alpha = rgba
    return s.Material(name=name, diffuse=(red, green, blue), transparency=1.0 - alpha, at=at)
