"""Reads COLLADA materials: colors, transparency and diffuse texture of the common profile."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from unibody.files.embedded import data_uri, is_embedded
from unibody.meshes.collada_text import Document, child, children, text
from unibody.meshes.look import Look
from unibody.meshes.numbers import usable
from unibody.model.shape import Color, Material, Texture
from unibody.text.node import Node
from unibody.text.number import parse_float

_MODELS = ("phong", "blinn", "lambert", "constant")
# The images of an effect beside the diffuse one, by the parameter that has it.
_IMAGES = {
    "specular": "specular image",
    "emission": "emission image",
    "ambient": "ambient image",
    "transparent": "alpha image",
    "reflective": "reflection image",
}
_CLAMPED = ("CLAMP", "BORDER", "NONE")


class Materials:
    """Reads the materials of a document, each once."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.made: dict[int, Material | None] = {}
        self.textures: dict[int, Texture | None] = {}

    def bound(self, instance: Node) -> dict[str, Material | None]:
        """The materials that a geometry's instance binds to symbols."""
        out: dict[str, Material | None] = {}
        common = child(instance, "bind_material", "technique_common")
        for element in children(common, "instance_material"):
            target = self.document.named(element.word("target"), "material", user=element)
            out[element.word("symbol") or ""] = None if target is None else self.of(target)
        return out

    def unbound(self, symbol: str) -> Material | None:
        """The material of an unbound symbol: the one with this id, as some exporters intend."""
        found = self.document.by_id.get(symbol)
        return self.of(found) if found is not None and found.tag == "material" else None

    def of(self, element: Node) -> Material | None:
        """The material of a <material>; None if its effect has no common profile."""
        if id(element) not in self.made:
            instance = child(element, "instance_effect")
            url = instance.word("url") if instance is not None else None
            effect = self.document.named(url, "effect", user=element)
            name = element.word("name") or element.word("id") or ""
            self.made[id(element)] = None if effect is None else self._effect(effect, name)
        return self.made[id(element)]

    def _effect(self, effect: Node, name: str) -> Material | None:
        profile = child(effect, "profile_COMMON")
        technique = child(profile, "technique")
        model = next(children(technique, *_MODELS), None)
        if profile is None or model is None:
            return None
        texture = child(model, "diffuse", "texture")
        found = self._texture(texture, [profile, effect]) if texture is not None else None
        white = (1.0, 1.0, 1.0)
        diffuse = self._color(child(model, "diffuse")) or white
        ambient = self._color(child(model, "ambient"))
        exponent = parse_float(text(child(model, "shininess", "float")))
        made = Material(
            name=name,
            diffuse=diffuse if texture is None else white,
            # relative to the diffuse color, as in Choreonoid
            ambient=min(sum(ambient) / sum(diffuse), 1.0) if ambient and sum(diffuse) > 0.0 else 1.0,
            emissive=self._color(child(model, "emission")) or (0.0, 0.0, 0.0),
            specular=self._color(child(model, "specular")) or (0.0, 0.0, 0.0),
            specular_exponent=25.0 if exponent is None else exponent,
            transparency=self._transparency(model),
            texture=found,
            at=effect.span,
        )
        self.document.request.looks.note(made, self._looks(model, [technique, profile, effect]))
        return made

    def _looks(self, model: Node, scopes: list[Node | None]) -> Iterator[Look]:
        """The images of an effect beside the diffuse one; exporters state that of bumps in an <extra>."""
        found = [(kind, child(model, tag, "texture")) for tag, kind in _IMAGES.items()]
        extras = (extra for scope in scopes for extra in children(scope, "extra"))
        found += [("bump image", child(extra, "technique", "bump", "texture")) for extra in extras]
        for kind, element in found:
            if element is not None:
                image, _ = self._image_of(element, [x for x in scopes[1:] if x is not None])
                uri = "" if image is None else image_uri(image)
                if uri:
                    yield Look(kind, uri, self.document.request.path)

    def _color(self, parameter: Node | None) -> Color | None:
        rgba = self._numbers(parameter)
        if rgba is None:
            return None
        red, green, blue = rgba[:3]
        return (red, green, blue)

    def _numbers(self, parameter: Node | None) -> list[float] | None:
        element = child(parameter, "color")
        if element is None:
            return None
        rgba = self.document.floats(element)
        return rgba.tolist() if rgba.size >= 3 and usable(rgba) else None

    def _transparency(self, model: Node) -> float:
        """1 − opacity (specification 1.4.1, "transparent"); an opacity of 0 is read as opaque.

        Many exporters write 0 for opaque, and Choreonoid reads it so.
        """
        transparent = child(model, "transparent")
        amount = parse_float(text(child(model, "transparency", "float")))
        amount = 1.0 if amount is None else amount
        if transparent is None:
            # without <transparent>, <transparency> is the opacity
            opacity = amount
        else:
            rgba = self._numbers(transparent) or [1.0, 1.0, 1.0, 1.0]
            mode = transparent.word("opaque") or "A_ONE"
            bright = 0.212671 * rgba[0] + 0.715160 * rgba[1] + 0.072169 * rgba[2]
            alpha = rgba[3] if len(rgba) > 3 else 1.0
            opacity = {
                "A_ONE": alpha * amount,
                "A_ZERO": 1.0 - alpha * amount,
                "RGB_ONE": bright * amount,
                "RGB_ZERO": 1.0 - bright * amount,
            }.get(mode, 1.0)
            if opacity <= 0.0 and amount:
                self._report_invisible(transparent)
        return 1.0 - min(opacity, 1.0) if opacity > 0.0 else 0.0

    def _report_invisible(self, transparent: Node) -> None:
        self.document.request.warn(
            "visual-invisible",
            "<transparent> must leave an opacity above 0; drawn as opaque, as by Choreonoid; programs that "
            "follow the specification do not show it",
            transparent.span,
            "remove <transparent> from the effect, or correct its alpha and its attribute 'opaque'",
        )

    def _texture(self, element: Node, scopes: list[Node]) -> Texture | None:
        found, sampler = self._image_of(element, scopes)
        if found is None:
            name = element.word("texture") or ""
            self.document.request.warn(
                "mesh-reference", f"texture '{name}' refers to an unknown image", element.span
            )
            return None
        if id(found) not in self.textures:
            self.textures[id(found)] = self._image(found, sampler)
        return self.textures[id(found)]

    def _image_of(self, element: Node, scopes: list[Node]) -> tuple[Node | None, Node | None]:
        """The image of a texture and its sampler: through a sampler and a surface, or direct."""
        name = element.word("texture") or ""
        sampler = _parameter(name, "sampler2D", scopes)
        image = name
        if sampler is not None:
            instance = child(sampler, "instance_image")
            surface = _parameter(text(child(sampler, "source")).strip(), "surface", scopes)
            image = (
                (instance.word("url") or "") if instance is not None else text(child(surface, "init_from"))
            )
        found = self.document.by_id.get(image.strip().removeprefix("#"))
        return (None if found is None or found.tag != "image" else found), sampler

    def _image(self, image: Node, sampler: Node | None) -> Texture | None:
        uri = image_uri(image)
        if not uri:
            return None
        path = "" if is_embedded(uri) else self.document.request.resolve(uri, image.span)
        return Texture(
            uri=uri,
            path=path or "",
            repeat_s=text(child(sampler, "wrap_s")).strip() not in _CLAMPED,
            repeat_t=text(child(sampler, "wrap_t")).strip() not in _CLAMPED,
        )


def image_uri(image: Node) -> str:
    """The URI of an <image>, "" for none; of the sides of a cube, of layers and sizes the first."""
    return next(image_uris(image), "")


def image_uris(image: Node) -> Iterator[str]:
    """The URIs of an <image>; bytes in the file (1.4: <data>, 1.5: <hex>) become a data URI."""
    made = children(image, "create_2d", "create_3d", "create_cube")
    for start in (
        *children(image, "init_from", "data"),
        *(x for m in made for x in children(m, "init_from")),
    ):
        ref = child(start, "ref")
        if start.tag != "data" and (uri := text(start if ref is None else ref).strip()):
            yield uri if is_embedded(uri) else unquote(uri)
            continue
        try:
            data = bytes.fromhex(text(start if start.tag == "data" else child(start, "hex")))
        except ValueError:
            continue
        if data:
            yield data_uri(data)


def _parameter(name: str, tag: str, scopes: list[Node]) -> Node | None:
    """The sampler or surface of the <newparam> with the sid ``name``."""
    for scope in scopes:
        for parameter in children(scope, "newparam"):
            if parameter.word("sid") == name:
                return child(parameter, tag)
    return None
