"""Reads an SDF document as a robot, or a world of several models as a scene."""

from __future__ import annotations

from dataclasses import replace

from unibody.formats.extras import written
from unibody.formats.format import Context
from unibody.formats.sdf import document as d
from unibody.formats.sdf.assemble import Body, robot_of, stands_still
from unibody.formats.sdf.document_model import Model
from unibody.formats.sdf.document_world import World
from unibody.formats.sdf.frames import DEFAULT_WORLD, Frames, Scope, Vertex, scope_of
from unibody.formats.sdf.kept import kept, wrapped
from unibody.formats.sdf.poses import PoseReader
from unibody.formats.sdf.states import configurations, own_state
from unibody.formats.sdf.surroundings import surrounded
from unibody.model.pose import Vector3
from unibody.model.robot import Extra, Robot
from unibody.model.scene import Scene
from unibody.text.node import Item, Node

_WORLD_KEPT = (
    "audio",
    "gui",
    "physics",
    "scene",
    "lights",
    "actors",
    "plugins",
    "roads",
    "spherical_coordinates",
    "populations",
    "wind",
    "magnetic_field",
    "atmosphere",
)


def to_robot(doc: d.Sdf, context: Context) -> Robot | Scene | None:
    """Convert an SDF document to a robot or a scene; None, with a finding, without models."""
    written(doc, "version")  # by which the tree was converted
    found = _found(doc, context)
    around, items = written(doc, "lights", "actors"), kept(doc, "lights", "actors")
    if found is None or not items:
        return found
    found = _in_world(found, around)
    items = items[len(around) :]
    return replace(found, extras=(*found.extras, *_extras(items))) if items else found


def _in_world(found: Robot | Scene, items: list[Item]) -> Robot | Scene:
    """A robot or a scene with what is kept of its world: no program reads it beside a model."""
    if not items:
        return found
    extras: list[Extra] = list(found.extras)
    for i, extra in enumerate(extras):
        world = extra.node.get("world")
        if isinstance(world, Node):
            extras[i] = replace(extra, node=Node("", wrapped("world", [*world.items, *items])))
            return replace(found, extras=tuple(extras))
    return replace(found, extras=(*extras, *_extras(wrapped("world", items, DEFAULT_WORLD))))


def _extras(items: list[Item]) -> tuple[Extra, ...]:
    return (Extra(format="sdf", node=Node("", items)),) if items else ()


def _found(doc: d.Sdf, context: Context) -> Robot | Scene | None:
    findings = context.findings
    if doc.worlds:
        if len(doc.worlds) > 1:
            findings.warning(
                "worlds-several",
                f"{len(doc.worlds)} worlds; only the first is read",
                doc.worlds[1].at(),
                "write each world into a file of its own",
            )
        return _world(doc.worlds[0], context)
    models = doc.models
    if len(models) > 1:
        findings.error(
            "models-several",
            "two models at the root: only the first is read"
            if len(models) == 2
            else f"{len(models)} models at the root: only the first is read",
            models[1].at(),
            "put them into a <world>, which may hold several",
        )
    if not models:
        what = "a light" if doc.lights else "an actor" if doc.actors else "no model"
        findings.error("model-missing", f"the file has {what}, but no robot", doc.at(), "add a <model>")
        return None
    return _model(models[0], context)


def _model(doc: Model, context: Context) -> Robot | None:
    """The robot of a model that is in no world."""
    top = scope_of(doc, context.files.meter)
    poses = PoseReader(context.findings)
    frames = Frames(top, poses, context.findings)
    outer = poses.read(doc.pose, top.label)
    if doc.placement_frame:
        where = f"{top.label}: placement_frame"
        placed = frames.look_up(top, doc.placement_frame, where, doc.at("placement_frame"))
        outer = outer @ frames.in_top(placed, top).inverse()
    body = Body(doc.name or "", [top])
    robot = robot_of(body, frames, context, outer)
    return None if robot is None else replace(robot, configurations=own_state(body, robot))


def _world(doc: World, context: Context) -> Robot | Scene | None:
    """The robots of a world: models that joints of the world connect are one."""
    top = scope_of(doc, context.files.meter)
    frames = Frames(top, PoseReader(context.findings), context.findings)
    bodies = _bodies(top)
    if not bodies:
        context.findings.error("models-missing", f"{top.label} has no models", doc.at(), "add a <model>")
        return None
    empty = [body for body in bodies if _is_still(body) and not _has_links(body)]
    bodies = [body for body in bodies if body not in empty] or bodies
    robots = [(body, robot) for body in bodies if (robot := robot_of(body, frames, context)) is not None]
    if not robots:
        return None
    still = [each for each in robots if _is_still(each[0])]
    moving = [each for each in robots if not _is_still(each[0])]
    states = configurations(doc, robots, context)
    gravity = _gravity(doc)
    made = [
        replace(r, configurations=(*own_state(body, r), *states.get(i, ())), gravity=gravity)
        for i, (body, r) in enumerate(robots)
    ]
    items = kept(doc, *_WORLD_KEPT, "states")
    items += [item for body in empty for item in wrapped("model", _raw(body), body.name)]
    if len(moving or still) == 1:
        alone = next(x for x, each in zip(made, robots, strict=True) if each in (moving or still))
        loose = [vertex for vertex in top.frames if vertex.link is None]
        alone, more = surrounded(alone, still if moving else [], loose)
        node = Node("", [("world", Node("world", [*written(doc, "name"), *items, *more]), -1)])
        return replace(alone, extras=(*alone.extras, Extra(format="sdf", node=node)))
    around = wrapped("world", [*written(doc, "name"), *items]) if items else []
    return Scene(name=doc.name or "", robots=tuple(made), extras=_extras(around))


def _gravity(doc: World) -> Vector3 | None:
    """The gravity (m/s²) that a world states."""
    x, y, z = doc.gravity
    return (x, y, z) if "gravity" in doc.given else None


def _is_still(body: Body) -> bool:
    """Whether a body is of static models."""
    return all(map(stands_still, body.scopes))


def _has_links(body: Body) -> bool:
    return any(inner.links for scope in body.scopes for inner in scope.scopes)


def _raw(body: Body) -> list[Item]:
    """All of a model that has no links."""
    node = body.scopes[0].doc.node
    return [] if node is None else [item for item in node.items if item[0] != "name"]


def _bodies(top: Scope) -> list[Body]:
    """What becomes one robot each: models, and models that joints of the world connect."""
    of: dict[int, Body] = {}
    order: list[Body] = []
    for vertex in top.models:
        assert vertex.inner is not None
        of[id(vertex)] = body = Body(vertex.name, [vertex.inner])
        order.append(body)
    for vertex in top.joints:
        ends = _models_of(vertex, top)
        bodies = [of[id(end)] for end in ends]
        if not bodies:
            continue
        first = min(bodies, key=order.index)
        for other in bodies:
            if other is not first and other in order:
                first.scopes += other.scopes
                first.joints += other.joints
                order.remove(other)
                for key, body in of.items():
                    if body is other:
                        of[key] = first
        first.joints.append(vertex)
    for vertex in top.frames:
        link = vertex.link
        model = link and _model_around(link, top)
        if model is not None:
            of[id(model)].frames.append(vertex)
    for body in order:
        if len(body.scopes) == 1:
            _shorten(body.scopes[0])
    return order


def _shorten(scope: Scope) -> None:
    """Name the items of a model as in a file of its own."""
    cut = len(scope.prefix)
    for inner in scope.scopes:
        inner.prefix = inner.prefix[cut:]


def _models_of(joint: Vertex, top: Scope) -> list[Vertex]:
    """The models of a world that a joint of the world connects."""
    doc = joint.doc
    out = []
    for name in (getattr(doc, "parent_frame", None), getattr(doc, "child_frame", None)):
        if not name:
            continue
        first, colons, _ = name.partition("::")
        found = top.names.get(first if colons else name)
        if found is not None and found.inner is None:
            found = None if found.link is None else _model_around(found.link, top)
        if found is not None:
            out.append(found)
    return out


def _model_around(vertex: Vertex, top: Scope) -> Vertex | None:
    """The model of a world that a frame is in."""
    scope = vertex.scope
    while scope.home is not None and scope.home.scope is not top:
        scope = scope.home.scope
    return scope.home
