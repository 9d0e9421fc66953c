"""The option of a second file beside a model: the model in a scene."""

from __future__ import annotations

from unibody.formats.format import WriteOption

SCENE = WriteOption(
    name="scene",
    choices=("floor",),
    help="write the model on a floor with a light, too, beside it: NAME_scene.xml of an MJCF output, "
    "NAME_world.sdf of an SDF output",
)
