"""Tells which image files Choreonoid loads, whatever the format of the model."""

from __future__ import annotations

from dataclasses import replace

from unibody.formats.conditions import removed
from unibody.formats.format import Cannot
from unibody.model.changes.shapes import with_shapes
from unibody.model.robot import Robot
from unibody.model.shape import Shape

_SUFFIXES = (".png", ".jpg", ".jpeg")

#: The row of a format that Choreonoid reads.
OTHER_IMAGES = Cannot(
    "textures that are neither PNG nor JPEG",
    "links/*/*s/*/material/texture",
    "written, but Choreonoid loads PNG and JPEG images only",
    removed,
    lambda shape: not is_loaded(shape),
)


def is_loaded(shape: Shape) -> bool:
    """Whether Choreonoid loads the texture of a shape (facts A.12); true without a texture."""
    texture = None if shape.material is None else shape.material.texture
    return texture is None or not texture.uri or texture.uri.lower().endswith(_SUFFIXES)


def without_other_images(robot: Robot) -> Robot:
    """The robot without the textures that Choreonoid does not load."""

    def loaded(shape: Shape) -> tuple[Shape, ...]:
        if shape.material is None or is_loaded(shape):
            return (shape,)
        return (replace(shape, material=replace(shape.material, texture=None)),)

    return with_shapes(robot, loaded)
