"""Writes what is around a model: the world that it was in, a scene beside it, and its manifest."""

from __future__ import annotations

from unibody.formats.names import Names
from unibody.formats.sdf.document import Sdf
from unibody.formats.sdf.document_model import Model
from unibody.formats.sdf.document_parts import Joint, Link
from unibody.formats.sdf.document_sensors import Light
from unibody.formats.sdf.document_shapes import Collision, Frame, Geometry, Material, Plane, Pose, Visual
from unibody.formats.sdf.document_world import World
from unibody.formats.sdf.frames import DEFAULT_WORLD
from unibody.formats.sdf.write_kept import put_back
from unibody.formats.sdf.write_model import kept_items, model
from unibody.formats.sdf.write_names import legal
from unibody.formats.sdf.write_surroundings import static_models, world_frames
from unibody.formats.sdf.write_versions import Version
from unibody.model.base import WORLD
from unibody.model.gravity import common_gravity, is_earthly
from unibody.model.robot import Robot
from unibody.model.scene import Scene
from unibody.text.node import Node, Word
from unibody.text.xml.printer import print_xml

#: The file that makes a folder a model of Gazebo, and the name that its model has by custom.
MANIFEST, MODEL_FILE = "model.config", "model.sdf"
_SIZE = 100.0
_GRAY = (0.7, 0.7, 0.7, 1.0)


def with_world(robot: Robot, made: Model, version: Version) -> World | None:
    """The world around a model, if the robot was read from one, or if it needs one; None if not.

    It does for what stands beside it, and for another gravity than that of the earth.
    """
    found = next(
        (v for k, v, _ in kept_items(robot).get("", []) if k == "world" and isinstance(v, Node)), None
    )
    gravity = robot.gravity
    taken = Names([made.name or ""])
    still = static_models(robot, version, taken)
    frames = world_frames(robot, version, taken)
    if found is None and (gravity is None or is_earthly(gravity)) and not (still or frames):
        return None
    name = (None if found is None else found.word("name")) or DEFAULT_WORLD
    out = World(name=name if name == WORLD else legal(name, WORLD), models=[made, *still], frames=frames)
    if gravity is not None:
        out.gravity = gravity
        out.given.add("gravity")
    put_back(out, [] if found is None else [item for item in found.items if item[0] != "name"])
    return out


def scene_world(scene: Scene, version: Version) -> World:
    """The world of the lowered robots of a scene: a model for each, then what stands beside them."""
    kept = next(
        (v for e in scene.extras if e.format == "sdf" and isinstance(v := e.node.get("world"), Node)), None
    )
    name = (None if kept is None else kept.word("name")) or scene.name or DEFAULT_WORLD
    out = World(name=name if name == WORLD else legal(name, WORLD))
    taken = Names()
    for robot in scene.robots:
        made = model(robot, version)
        made.name = taken.take(made.name or "")
        out.models = [*out.models, made]
    for robot in scene.robots:
        out.models = [*out.models, *static_models(robot, version, taken)]
        out.frames = [*out.frames, *world_frames(robot, version, taken)]
    gravity = common_gravity(scene.robots)
    if gravity is not None:
        out.gravity = gravity
        out.given.add("gravity")
    if kept is not None:
        put_back(out, [item for item in kept.items if item[0] != "name"])
    return out


def in_scene(doc: Sdf, robot: Robot) -> World:
    """The world of a document, or one around its model, with a floor and a sun."""
    out = (
        doc.worlds[0]
        if doc.worlds
        else World(name=legal(f"{robot.name} scene", "scene"), models=doc.models)
    )
    add_floor(out)
    return out


def add_floor(out: World) -> None:
    """Add a floor and a sun to a world, behind its models."""
    siblings: list[Model | Joint | Frame] = [*out.models, *out.joints, *out.frames]
    taken = Names(x.name or "" for x in siblings)
    sun = Light(
        name=Names(x.name or "" for x in out.lights).take("sun"), type="directional", cast_shadows=True
    )
    sun.pose, sun.direction = Pose(value=(0.0, 0.0, 10.0, 0.0, 0.0, 0.0)), (-0.5, 0.1, -0.9)
    sun.diffuse, sun.specular = (0.8, 0.8, 0.8, 1.0), (0.2, 0.2, 0.2, 1.0)
    floor = Model(name=taken.take("floor"), static=True)
    plane = Plane(size=(_SIZE, _SIZE))
    plane.given.add("normal")
    gray = Material(ambient=_GRAY, diffuse=_GRAY)
    link = Link(name="link")
    link.collisions = [Collision(name="collision", geometry=Geometry(plane=plane))]
    link.visuals = [Visual(name="visual", geometry=Geometry(plane=plane), material=gray)]
    floor.links = [link]
    out.lights = [*out.lights, sun]
    out.models = [*out.models, floor]


def manifest(name: str, robot: Robot, version: str) -> dict[str, str]:
    """The manifest of the folder of a model file, which makes it a model of Gazebo.

    >>> from unibody.model.robot import Link
    >>> list(manifest("model.sdf", Robot(name="arm", links=(Link(name="foot"),)), "1.11"))
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
