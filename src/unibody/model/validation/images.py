"""Checks that images in the model have as many pixels as their size gives."""

from __future__ import annotations

from unibody.model.robot import Robot
from unibody.model.shape import Texture
from unibody.model.traverse import path_of
from unibody.text.deferred import is_deferred
from unibody.text.finding import Findings

_MAX_COMPONENTS = 4


def fits(texture: Texture) -> bool:
    """Whether a texture has no pixels, or width × height pixels of 1 to 4 components."""
    if not len(texture.image):
        return True
    if len(texture.image) < 3:
        return False
    width, height, components = (int(v) for v in texture.image[:3])
    if not width * height:
        return True
    good = min(width, height) > 0 and 1 <= components <= _MAX_COMPONENTS
    return good and len(texture.image) == 3 + width * height * components


def check_images(robot: Robot, findings: Findings) -> None:
    """Report each texture whose number of pixels does not match its size."""
    for link in robot.solids:
        for shape in (*link.visuals, *link.collisions):
            # Deferred shapes have no images.
            material = None if is_deferred(shape) else shape.material
            texture = material.texture if material is not None else None
            if texture is not None and not fits(texture):
                what = f"link '{link.name}': texture does not have width x height x components values"
                findings.error("image-size", what, shape.at, subject=path_of("links", link.name))
