"""Writes what is around a model: the world that it was in, a scene beside it, and its manifest."""

from __future__ import annotations

from unibody.formats.sdf.document_model import Model
from unibody.formats.sdf.document_world import World
from unibody.formats.sdf.write_kept import put_back
from unibody.formats.sdf.write_model import kept_items
from unibody.formats.sdf.write_names import legal
from unibody.model.robot import Robot
from unibody.text.node import Node, Word
from unibody.text.xml.printer import print_xml

#: The file that makes a folder a model of Gazebo, and the name that its model has by custom.
MANIFEST, MODEL_FILE = "model.config", "model.sdf"


def with_world(robot: Robot, made: Model) -> World | None:
    """The world around a model, if the robot was read from one; None if not."""
    found = next(
        (v for k, v, _ in kept_items(robot).get("", []) if k == "world" and isinstance(v, Node)), None
    )
    if found is None:
        return None
    out = World(name=legal(found.word("name") or "", "world"), models=[made])
    if out.name == "world_world":
        out.name = "world"
    put_back(out, [item for item in found.items if item[0] != "name"])
    return out


def beside(name: str, robot: Robot) -> dict[str, str]:
    """The manifest of the folder of a model called ``model.sdf``, which makes it a model of Gazebo."""
    return model_config(name, robot) if name.lower() == MODEL_FILE else {}


def model_config(name: str, robot: Robot, version: str = "1.11") -> dict[str, str]:
    """The manifest of the folder of a model file, by its name.

    >>> from unibody.model.robot import Link
    >>> list(model_config("model.sdf", Robot(name="arm", links=(Link(name="foot"),))))
    ['model.config']
    """
    title = legal(robot.name, "model")
    sdf = Node("sdf", [("version", Word(version), -1), ("", Word(name), -1)])
    root = Node("model")
    root.items = [
        ("name", Node("name", [("", Word(title), -1)]), -1),
        ("version", Node("version", [("", Word("1.0"), -1)]), -1),
        ("sdf", sdf, -1),
        ("description", Node("description", [("", Word(f"{title}, written by unibody"), -1)]), -1),
    ]
    return {MANIFEST: '<?xml version="1.0"?>\n' + print_xml(root)}
