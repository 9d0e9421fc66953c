"""Reads MPK scenes (Open Inventor with MPK's nodes) as a Scene, or as one robot."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace
from pathlib import PurePath
from typing import cast

from unibody.document.bind import Binding, bind
from unibody.document.declare import Tagged
from unibody.files.access import FileError, Search
from unibody.formats.arguments import ARGUMENTS
from unibody.formats.extras import Extras
from unibody.formats.format import Context
from unibody.formats.inventor import document as inventor
from unibody.formats.inventor.expand import FILES, expand
from unibody.formats.inventor.read import bind_model
from unibody.formats.inventor.read import to_robot as inventor_to_robot
from unibody.formats.inventor.walk import Drawn, Placed, Way, traverse
from unibody.formats.inventor.walk import Scene as Traversed
from unibody.formats.mpk import document as d
from unibody.formats.mpk.built_in import FREE_FLYING, OBJECT
from unibody.formats.mpk.read import to_robot as robot_of
from unibody.formats.mpk.scene_document import NODES, TRIANGULATE, MpkIncludeFile, MpkObstacle, MpkRobot
from unibody.formats.placement import Placement
from unibody.model.pose import Pose, from_axis_angle
from unibody.model.robot import Link, Robot
from unibody.model.scene import Scene
from unibody.model.shape import Shape
from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.limits import LimitError
from unibody.text.node import Node, Value
from unibody.text.number import format_float
from unibody.text.rob import parser as rob
from unibody.text.source import Source, Span

# Search order of formats/mpk.md.
ROBOTS = Search(("", "robots", "$MPK_ROBOTS"))
INCLUDES = Search(("$IVMODELS", "", "ivmodels", "ivmodels.private", "scenes", "scenes.private"))


def expand_scene(value: Value, context: Context) -> Node:
    """Expand USE, File and mpkIncludeFile."""
    return expand(cast(Node, value), context, {**FILES, MpkIncludeFile.TAG: INCLUDES})


def bind_scene(node: Node, context: Context) -> inventor.Model:
    """Bind the document of a scene."""
    return bind_model(node, context, NODES)


def to_robot(doc: inventor.Model, context: Context) -> Robot | Scene | None:
    """Convert a document to a scene, or to a robot if it has neither robots nor obstacles."""
    found = traverse(cast("list[Tagged]", doc.nodes), context)
    nodes = [placed for placed in found.kept if isinstance(placed.node, tuple(NODES.values()))]
    if not any(isinstance(placed.node, MpkRobot | MpkObstacle) for placed in nodes):
        return inventor_to_robot(doc, context)
    names = _Names(nodes, context.findings)
    shapes = _by_obstacle(found)
    robots: list[Robot] = []
    for placed in nodes:
        robot = None
        if isinstance(placed.node, MpkRobot):
            robot = _robot(placed, placed.node, names, context)
        elif isinstance(placed.node, MpkObstacle):
            robot = _obstacle(placed, names.take(placed, "obstacle"), shapes[id(placed.way)], context)
        if robot is not None:
            robots.append(robot)
    loose = tuple(item.shape for item in shapes[id(None)])
    name = PurePath(context.path).stem
    if loose:
        scenery = names.free("scenery")
        robots.append(Robot(name=scenery, links=(Link(name=scenery, visuals=loose),), base="fixed"))
    if not robots:
        return None
    extras = Extras("inventor")
    kept = {
        id(p.node.node): p.node.node for p in found.kept if not isinstance(p.node, tuple(NODES.values()))
    }
    extras.add([("", node, node.start) for node in kept.values() if node is not None])
    scene = Scene(name=name, robots=tuple(robots), extras=extras.made())
    _spend(scene, context)
    return scene


def _spend(scene: Scene, context: Context) -> None:
    """Charge the budget for the pairs of links of robots and obstacles, which are all tested."""
    moving = sum(len(r.links) for r in scene.robots if len(r.links) > 1)
    context.budget.spend(4 * moving * sum(len(r.links) for r in scene.robots))


class _Names:
    """Assigns unique names to robots and obstacles: the DEF name, or a default from the file or kind."""

    def __init__(self, nodes: list[Placed], findings: Findings) -> None:
        self.findings = findings
        self.def_names = {_full_name(placed.way) for placed in nodes}
        self.taken: set[str] = set()
        self.last: dict[str, int] = {}

    def take(self, placed: Placed, default: str) -> str:
        """The name of a node; a duplicate is replaced and reported."""
        name = _full_name(placed.way)
        if not name:
            return self.free(default)
        if name in self.taken:
            duplicate, name = name, self.free(name)
            message = f"duplicate name '{duplicate}' in the scene; using '{name}'"
            self.findings.warning("name-duplicate", message, placed.node.at())
        self.taken.add(name)
        return name

    def free(self, stem: str) -> str:
        """An unused name that begins with ``stem``."""
        name, number = stem, self.last.get(stem, 1)
        while name in self.taken or name in self.def_names:
            number += 1
            name = f"{stem}_{number}"
        self.last[stem] = number
        self.taken.add(name)
        return name


def _full_name(way: Way) -> str:
    """The DEF name of a node, prefixed by those of its includes; "" for a node without a DEF name."""
    if not way.node.def_name:
        return ""
    outer = way.outer
    name = way.node.def_name
    while outer is not None:
        if isinstance(outer.node, MpkIncludeFile) and outer.node.def_name:
            name = f"{outer.node.def_name}:{name}"
        outer = outer.outer
    return name


def _inside(way: Way | None, kind: type[Tagged]) -> Way | None:
    """The innermost enclosing node of a class; None without one."""
    while way is not None and not isinstance(way.node, kind):
        way = way.outer
    return way


# --- obstacles --------------------------------------------------------------------------


def _by_obstacle(found: Traversed) -> dict[int, list[Drawn]]:
    """The drawn shapes by the ``id`` of their enclosing obstacle; ``id(None)`` for the others."""
    out: defaultdict[int, list[Drawn]] = defaultdict(list)
    for item in found.drawn:
        out[id(_inside(item.way, MpkObstacle))].append(item)
    return out


def _obstacle(placed: Placed, name: str, drawn: list[Drawn], context: Context) -> Robot:
    """An obstacle as a robot of one fixed link; shapes below __triangulate__ nodes are its collisions."""
    solid = [item.shape for item in drawn if _is_triangulated(item)]
    if not solid:
        context.findings.error(
            "obstacle-empty",
            f"obstacle '{name}' has no shape below a node named {TRIANGULATE}",
            placed.node.at(),
            f"name the collision node: DEF {TRIANGULATE}",
        )
    link = Link(
        name=name,
        visuals=tuple(item.shape for item in drawn),
        collisions=tuple(_without_marker(shape) for shape in solid),
        at=placed.node.at(),
    )
    return Robot(name=name, links=(link,), base="fixed")


def _is_triangulated(item: Drawn) -> bool:
    way: Way | None = item.way
    while way is not None and not isinstance(way.node, MpkObstacle):
        if way.node.def_name == TRIANGULATE:
            return True
        way = way.outer
    return False


def _without_marker(shape: Shape) -> Shape:
    """The shape without the marker as its name."""
    return replace(shape, name="") if shape.name == TRIANGULATE else shape


# --- robots -----------------------------------------------------------------------------


def _robot(placed: Placed, doc: MpkRobot, names: _Names, context: Context) -> Robot | None:
    """Read a robot and place it at Transl · Rot; transforms of the scene do not apply to robots."""
    at = doc.at()
    if placed.way.place != Placement():
        context.findings.warning(
            "robot-moved",
            f"robot '{_full_name(placed.way)}' is below a transformation, which is ignored; MPK applies it "
            "to the display only",
            at,
            "set translation and rotation of the robot itself",
        )
    scale = doc.scale_factor
    if not 0.0 < scale < math.inf:
        context.findings.error(
            "scale-wrong",
            f"scaleFactor must be a positive number, not {scale:g}",
            doc.at("scale_factor"),
        )
        scale = 1.0
    robot = _read(doc, scale, context)
    if robot is None:
        return None
    x, y, z, angle = doc.rotation
    rotation = from_axis_angle((x, y, z), angle)
    a, b, c = doc.translation
    base = Pose((a, b, c)) if rotation is None else Pose((a, b, c), rotation)
    return replace(robot, name=names.take(placed, robot.name), pose=base @ robot.pose)


def _read(doc: MpkRobot, scale: float, context: Context) -> Robot | None:
    match doc.robot_type:
        case "FREEFLYINGOBJECT":
            second = f' model1 "{doc.file_name2}"' if doc.file_name2 else ""
            models = f'model0 "{doc.file_name or OBJECT}"{second}'
            at = doc.at("file_name")
            text = FREE_FLYING.replace("{models}", models)
            return _rob(Source(context.path, text, "built-in robot"), scale, context, at)
        case "DEMOROBOT":
            context.findings.error(
                "robot-demo",
                "DEMOROBOT is ignored: it moves by a formula in MPK's code that no joint represents",
                doc.at("robot_type"),
                "use a .rob file",
            )
            return None
    if not doc.file_name:
        context.findings.error("robot-file", "mpkRobot has no fileName", doc.at(), 'add fileName "x.rob"')
        return None
    at = doc.at("file_name")
    path = context.files.search(doc.file_name, context.path, at, context.findings, ROBOTS)
    if path is None:
        return None
    try:
        data = context.files.read(path, at)
        context.budget.spend(1000 + len(data) // 4, at)
        source = decode(data, path, context.findings, context.files.meter)
        return _rob(source, scale, replace(context, path=path), None)
    except LimitError:
        raise
    except (TextError, FileError) as e:
        context.findings.append(e.finding)
        return None


def _rob(source: Source, scale: float, context: Context, at: Span | None) -> Robot | None:
    """Read a robot from a .rob text; findings of a built-in robot are placed at its node (``at``)."""
    first_new = len(context.findings)
    inner = replace(context, options={ARGUMENTS.name: {"scale": format_float(scale)}}, declared={})
    node = rob.parse(source, d.ARITY, inner.findings)
    document = bind(d.Robot, node, Binding(inner.findings, watch=inner.watch))
    robot = robot_of(document, inner)
    if at is None:
        context.documents.append(document)
        return robot
    context.findings[first_new:] = [
        replace(f, at=at)
        for f in context.findings[first_new:]
        if f.code in ("file-missing", "outside-model")
    ]
    return robot
