"""Writes materials as preview surfaces, and physics materials of colliders."""

from __future__ import annotations

import math
from dataclasses import field

from unibody.formats.usd.write_stage import Stage, attribute, relate, state
from unibody.model.shape import Contact, Material, Texture, TextureTransform
from unibody.text.dataclass import dataclass
from unibody.text.usda.layer import Attribute, Prim

#: How rough surfaces without highlights are.
_DULL = 0.5


def roughness(exponent: float) -> float:
    """The roughness of a surface whose highlights have a Blinn-Phong exponent.

    >>> round(roughness(25.0), 6)
    0.272166
    """
    return min(1.0, math.sqrt(2.0 / (max(exponent, 0.0) + 2.0)))


@dataclass(slots=True)
class Materials:
    """The materials of a stage; equal ones are one prim. Files of images are values of type ``Texture``."""

    stage: Stage
    looks: list[tuple[Material, str]] = field(default_factory=list)
    surfaces: dict[Contact, str] = field(default_factory=dict)

    def bind(self, path: str, material: Material) -> None:
        """Bind a material to the prim of a shape."""
        prim = self.stage.materials.at(path)
        prim.apply("MaterialBindingAPI")
        relate(prim, "material:binding", [self._look(material)])

    def touch(self, path: str, contact: Contact) -> None:
        """Say how a collider touches others."""
        prim = self.stage.physics.at(path)
        values: list[tuple[str, object]] = []
        if contact.condim is not None:
            values.append(("mjc:condim", contact.condim))
        if contact.margin is not None:
            values.append(("mjc:margin", contact.margin))
        if contact.solimp is not None:
            values.append(("mjc:solimp", contact.solimp))
        if contact.solref is not None:
            values.append(("mjc:solref", contact.solref))
        state(prim, *values)
        friction = Contact(sliding=contact.sliding, torsional=contact.torsional, rolling=contact.rolling)
        if friction == Contact():
            return
        prim.apply("MaterialBindingAPI")
        relate(prim, "material:binding:physics", [self._surface(friction)])

    def _surface(self, friction: Contact) -> str:
        if friction in self.surfaces:
            return self.surfaces[friction]
        stage = self.stage
        path = stage.add(stage.physics, f"{stage.root}/Physics", "", "Material", "surface")
        prim = stage.physics.at(path)
        prim.apply("PhysicsMaterialAPI", "NewtonMaterialAPI", "MjcMaterialAPI")
        if friction.sliding is not None:
            state(prim, ("physics:dynamicFriction", friction.sliding))
            state(prim, ("physics:staticFriction", friction.sliding))
        for word, value in (("torsional", friction.torsional), ("rolling", friction.rolling)):
            if value is not None:
                state(prim, (f"newton:{word}Friction", value))
                state(prim, (f"mjc:{word}friction", value))
        self.surfaces[friction] = path
        return path

    def _look(self, material: Material) -> str:
        found = next((path for known, path in self.looks if known == material), None)
        if found is not None:
            return found
        stage = self.stage
        scope = f"{stage.root}/Materials"
        path = stage.add(stage.materials, scope, material.name, "Material", "material")
        prim = stage.materials.at(path)
        surface = Prim("PreviewSurface", "Shader")
        state(surface, ("info:id", "UsdPreviewSurface"))
        prim.properties.append(
            attribute("outputs:surface", connect=f"{path}/PreviewSurface.outputs:surface")
        )
        prim.children.append(surface)
        texture = material.texture
        if texture is not None:
            prim.children += _texture(path, texture, material)
            color = attribute("inputs:diffuseColor", connect=f"{path}/Image.outputs:rgb")
            surface.properties.append(color)
        else:
            state(surface, ("inputs:diffuseColor", material.diffuse))
        if material.emissive != (0.0, 0.0, 0.0):
            state(surface, ("inputs:emissiveColor", material.emissive))
        shines = material.specular != (0.0, 0.0, 0.0)
        state(surface, ("inputs:metallic", 0.0))
        state(surface, ("inputs:opacity", 1.0 - material.transparency))
        state(
            surface,
            ("inputs:roughness", roughness(material.specular_exponent) if shines else _DULL),
        )
        if shines:
            state(surface, ("inputs:specularColor", material.specular))
            state(surface, ("inputs:useSpecularWorkflow", 1))
        state(surface, ("outputs:surface", None))
        self.looks.append((material, path))
        return path


def _texture(path: str, texture: Texture, material: Material) -> list[Prim]:
    """The shaders that color a surface by an image at the coordinates ``st``."""
    reader = Prim("Coordinates", "Shader")
    state(reader, ("info:id", "UsdPrimvarReader_float2"))
    state(reader, ("inputs:varname", "st"), ("outputs:result", None))
    image = Prim("Image", "Shader")
    state(image, ("info:id", "UsdUVTexture"))
    state(image, ("inputs:file", texture))
    if material.diffuse != (1.0, 1.0, 1.0):
        state(image, ("inputs:scale", (*material.diffuse, 1.0)))
    state(image, ("inputs:sourceColorSpace", "auto"))
    out = [image, reader]
    source = f"{path}/Coordinates.outputs:result"
    if texture.transform is not None:
        out.append(turn := Prim("Transform", "Shader"))
        state(turn, ("info:id", "UsdTransform2d"))
        turn.properties.append(attribute("inputs:in", connect=source))
        turn.properties += _transform(texture.transform)
        state(turn, ("outputs:result", None))
        source = f"{path}/Transform.outputs:result"
    image.properties.append(attribute("inputs:st", connect=source))
    state(
        image,
        ("inputs:wrapS", "repeat" if texture.repeat_s else "clamp"),
        ("inputs:wrapT", "repeat" if texture.repeat_t else "clamp"),
        ("outputs:rgb", None),
    )
    return out


def _transform(given: TextureTransform) -> list[Attribute]:
    """The inputs of a shader that scales coordinates, then turns and moves them.

    The model moves first, and scales last: the same if it does not turn, or scales both alike.
    """
    (u, v), (a, b) = given.center, given.scale
    c, s = math.cos(given.rotation), math.sin(given.rotation)
    x, y = given.translation[0] + u, given.translation[1] + v
    moved = (a * (c * x - s * y) - u, b * (s * x + c * y) - v)
    return [
        attribute("inputs:rotation", math.degrees(given.rotation)),
        Attribute("float2", "inputs:scale", given.scale),
        attribute("inputs:translation", moved),
    ]
