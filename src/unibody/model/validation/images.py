"""Images in the model itself: as many numbers as their sizes say."""

from __future__ import annotations

from unibody.model.robot import Robot
from unibody.model.shape import Texture
from unibody.model.traverse import path_of
from unibody.text.deferred import is_deferred
from unibody.text.finding import Findings

_MOST_COMPONENTS = 4


def fits(texture: Texture) -> bool:
    """Whether a texture's pixels are width × height numbers of 1 to 4 components, or there are none."""
    if not len(texture.image):
        return True
    if len(texture.image) < 3:
        return False
    width, height, components = (int(v) for v in texture.image[:3])
    if not width * height:
        return True
    good = min(width, height) > 0 and 1 <= components <= _MOST_COMPONENTS
    return good and len(texture.image) == 3 + width * height * components


def check_images(robot: Robot, findings: Findings) -> None:
    """An error for each texture whose pixels are not what its sizes say."""
    for link in robot.links:
        for shape in (*link.visuals, *link.collisions):
            # A shape is deferred only without an image.
            material = None if is_deferred(shape) else shape.material
            texture = material.texture if material is not None else None
            if texture is not None and not fits(texture):
                what = f"link '{link.name}': the pixels of a texture are not width x height x components"
                findings.error("image-size", what, shape.at, subject=path_of("links", link.name))
