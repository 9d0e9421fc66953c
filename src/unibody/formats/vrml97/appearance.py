"""Converts Appearance nodes of VRML97 to materials (ISO/IEC 14772-1, 6.2, 6.29; facts B.8)."""

from __future__ import annotations

from dataclasses import field, replace

import numpy as np

from unibody.formats.format import Context
from unibody.formats.vrml97 import document as d
from unibody.formats.vrml97.lists import listed
from unibody.formats.vrml97.placement import base_of
from unibody.model.shape import Color, Material, Texture, TextureTransform, ints
from unibody.text.dataclass import dataclass
from unibody.text.finding import Findings


@dataclass(slots=True, eq=False)
class Materials:
    """The materials of one load; a shared Appearance or Material node becomes a shared material."""

    context: Context
    made: dict[int, tuple[d.Appearance, Material | None]] = field(default_factory=dict)
    colored: dict[int, tuple[d.Material, Material]] = field(default_factory=dict)

    def of(self, appearance: d.Appearance | None) -> Material | None:
        """The material of an Appearance; None without an Appearance, or for an empty one."""
        if appearance is None:
            return None
        known = self.made.get(id(appearance))
        if known is None:
            known = self.made[id(appearance)] = (appearance, self._make(appearance))
        return known[1]

    def _make(self, appearance: d.Appearance) -> Material | None:
        texture = self._texture(appearance)
        material = appearance.material
        if material is None:
            return None if texture is None else Material(texture=texture)
        known = self.colored.get(id(material))
        if known is None:
            known = self.colored[id(material)] = (material, self._color(material))
        return known[1] if texture is None else replace(known[1], texture=texture)

    def _color(self, material: d.Material) -> Material:
        """The material of a Material node, without texture."""
        return Material(
            name=material.def_name,
            diffuse=_color(material.diffuse_color),
            ambient=_unit(material.ambient_intensity),
            emissive=_color(material.emissive_color),
            specular=_color(material.specular_color),
            # as in Choreonoid (facts B.8)
            specular_exponent=127.0 * _unit(material.shininess) + 1.0,
            transparency=_unit(material.transparency),
            at=material.at(),
        )

    def _texture(self, appearance: d.Appearance) -> Texture | None:
        transform = self._transform(appearance.texture_transform)
        texture = appearance.texture
        if isinstance(texture, d.ImageTexture):
            return self._image(texture, transform)
        if isinstance(texture, d.PixelTexture):
            return self._pixels(texture, transform)
        if isinstance(texture, d.MovieTexture):
            at = texture.at()
            self.context.findings.info("not-drawn", "unsupported node MovieTexture; kept, not drawn", at)
        return None

    def _image(self, doc: d.ImageTexture, transform: TextureTransform | None) -> Texture | None:
        """The first image file that exists (facts B.8), or else the first one."""
        urls = [url for url in doc.url if url.strip()]
        if not urls:
            return None
        base, at = base_of(doc, self.context.path), doc.at("url")
        chosen, path, missing = urls[0], "", Findings()
        for url in urls:
            found = self.context.files.resolve(url, base, at, missing)
            if found is not None:
                chosen, path = url, found
                break
        if not path:
            self.context.findings.extend(missing)
        return Texture(
            uri=chosen, path=path, repeat_s=doc.repeat_s, repeat_t=doc.repeat_t, transform=transform
        )

    def _pixels(self, doc: d.PixelTexture, transform: TextureTransform | None) -> Texture | None:
        """The pixels of a PixelTexture as bytes, row by row from the bottom (5.5)."""
        image = listed(doc, "image")
        if image.empty or image.numbers is None:
            return None
        words = image.numbers.words()
        limits = self.context.files.limits
        if len(words) - 3 > limits.pixels:
            what = f"PixelTexture with {len(words) - 3} pixels"
            self.context.findings.append(limits.finding("pixels", what, doc.at("image")))
            return None
        try:
            numbers = [int(word, 16 if "x" in word.lower() else 10) for word in words]
        except ValueError:
            numbers = []
        good = len(numbers) >= 3 and all(0 <= n < 2**32 for n in numbers)
        width, height, components = numbers[:3] if good else (0, 0, 0)
        if good and width * height == 0:
            return None
        if not good or not 1 <= components <= 4 or width * height != len(numbers) - 3:
            # Choreonoid reads the pixels whatever the components, and then has no texture
            whole = good and width * height == len(numbers) - 3
            report = self.context.findings.warning if whole else self.context.findings.error
            report(
                "image-size",
                "PixelTexture: image must be width, height, 1 to 4 components and one number per pixel, "
                f"not {f'{components} components; ignored' if whole else f'{len(words)} numbers'}",
                doc.at("image"),
            )
            return None
        shifts = np.arange(components - 1, -1, -1) * 8
        pixels = np.array(numbers[3:], dtype=np.int64)[:, None] >> shifts & 255
        return Texture(
            image=ints([width, height, components, *pixels.reshape(-1).tolist()]),
            repeat_s=doc.repeat_s,
            repeat_t=doc.repeat_t,
            transform=transform,
        )

    def _transform(self, doc: d.TextureTransform | None) -> TextureTransform | None:
        if doc is None:
            return None
        made = TextureTransform(rotation=doc.rotation)
        return replace(
            made,
            center=(doc.center[0], doc.center[1]),
            scale=(doc.scale[0], doc.scale[1]),
            translation=(doc.translation[0], doc.translation[1]),
        )


def _unit(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _color(value: tuple[float, ...]) -> Color:
    r, g, b = map(_unit, value)
    return (r, g, b)
