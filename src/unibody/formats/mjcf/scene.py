"""The scene beside a model: a file that includes it, with a floor, a light and a sky."""

from __future__ import annotations

from pathlib import PurePath

from unibody.model.robot import Robot
from unibody.text.node import Node, Word
from unibody.text.xml.printer import print_xml


def scene(name: str, robot: Robot) -> dict[str, str]:
    """The text of the scene of a model file, by its name: ``arm_scene.xml`` for ``arm.xml``.

    >>> from unibody.model.robot import Link
    >>> list(scene("arm.xml", Robot(name="arm", links=(Link(name="base"),))))
    ['arm_scene.xml']
    """
    stem = PurePath(name).stem
    root = Node("mujoco")
    root.items = [
        ("model", Word(f"{robot.name} scene"), -1),
        _element("include", file=name),
        _element(
            "visual",
            _element("headlight", diffuse="0.6 0.6 0.6", ambient="0.3 0.3 0.3", specular="0 0 0"),
            _element("rgba", haze="0.15 0.25 0.35 1"),
        ),
        _element(
            "asset",
            _element(
                "texture",
                name="scene_sky",
                type="skybox",
                builtin="gradient",
                rgb1="0.3 0.5 0.7",
                rgb2="0 0 0",
                width="512",
                height="3072",
            ),
            _element(
                "texture",
                name="scene_floor",
                type="2d",
                builtin="checker",
                mark="edge",
                rgb1="0.2 0.3 0.4",
                rgb2="0.1 0.2 0.3",
                markrgb="0.8 0.8 0.8",
                width="300",
                height="300",
            ),
            _element(
                "material",
                name="scene_floor",
                texture="scene_floor",
                texuniform="true",
                texrepeat="5 5",
                reflectance="0.2",
            ),
        ),
        _element(
            "worldbody",
            _element("light", name="scene_light", pos="0 0 3.5", dir="0 0 -1", type="directional"),
            _element("geom", name="scene_floor", type="plane", size="0 0 0.05", material="scene_floor"),
        ),
    ]
    return {f"{stem}_scene.xml": print_xml(root)}


def _element(tag: str, *inner: tuple[str, Node, int], **attributes: str) -> tuple[str, Node, int]:
    items = [(key, Word(value), -1) for key, value in attributes.items()]
    return (tag, Node(tag, [*items, *inner]), -1)
