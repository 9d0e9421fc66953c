"""Makes the static models of a world what stands beside its robot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from unibody.formats.extras import Extras, written
from unibody.formats.names import Names
from unibody.formats.sdf.assemble import Body
from unibody.formats.sdf.document_model import Model
from unibody.formats.sdf.document_parts import Link as LinkElement
from unibody.formats.sdf.frames import Vertex
from unibody.formats.sdf.kept import kept, wrapped
from unibody.model.base import WORLD
from unibody.model.collision import PairRules
from unibody.model.device import Device
from unibody.model.inertia import Inertial
from unibody.model.pose import IDENTITY, Pose
from unibody.model.robot import Frame, Link, Robot
from unibody.model.shape import Shape
from unibody.model.traverse import part
from unibody.text.node import Item, Node, Word

#: The static model, and its link, whose items have no names of a model before their own.
AROUND, ON = "surroundings", "link"


def scoped(model: str, link: str, name: str) -> str:
    """The name of an item of a static model as one of the surroundings.

    >>> scoped("table", "top", "visual"), scoped("surroundings", "link", "floor")
    ('table::top::visual', 'floor')
    """
    return name if (model, link) == (AROUND, ON) else f"{model}::{link}::{name}"


def surrounded(
    robot: Robot, obstacles: Sequence[tuple[Body | None, Robot]], frames: Iterable[Vertex]
) -> tuple[Robot, list[Item]]:
    """The robot with static models, and frames of the world, beside it; what is kept of the models.

    They are on the root link where that is the world, else in the surroundings. An obstacle that was not
    read from a file has no body.
    """
    visuals: list[Shape] = []
    collisions: list[Shape] = []
    devices: list[Device] = []
    inertial: Inertial | None = None
    extras = Extras("sdf")
    items: list[Item] = []
    taken = Names([device.name for device in robot.devices])
    named = Names([frame.name for frame in robot.frames])
    placed: list[Frame] = []
    for body, still in obstacles:
        places = places_in(still)
        for link in still.links:
            if link.name not in places:
                continue
            place = places[link.name]
            if (still.name, link.name) == (AROUND, ON) and place == IDENTITY and _weighs(body, link.name):
                inertial = link.inertial
            visuals += [_moved(shape, place, still.name, link.name) for shape in link.visuals]
            if link.collides:
                collisions += [_moved(shape, place, still.name, link.name) for shape in link.collisions]
        for device in still.devices:
            name = taken.take(scoped(still.name, device.link, device.name))
            pose = places.get(device.link, IDENTITY) @ device.pose
            devices.append(replace(device, name=name, link=WORLD, pose=pose))
            extras.add(_kept_of(still, f"devices/{part(device.name)}"), "devices", name)
        for frame in still.frames:
            pose = places.get(frame.link, IDENTITY) @ frame.pose
            name = named.take(f"{still.name}::{frame.name}")
            placed.append(replace(frame, name=name, link=WORLD, pose=pose))
        if body is not None:
            items += wrapped("model", _of_model(body, still, bare=not _is_shown(still)), still.name)
    for vertex in frames:
        assert vertex.pose is not None
        placed.append(Frame(name=named.take(vertex.name), link=WORLD, pose=vertex.pose, at=vertex.at()))
    if not (obstacles or placed):
        return robot, []
    is_root = robot.base == "fixed" and robot.root == WORLD
    held = robot.link(WORLD) if is_root else Link(name=WORLD)
    held = replace(held, inertial=inertial or held.inertial)
    around = replace(held, visuals=(*held.visuals, *visuals), collisions=(*held.collisions, *collisions))
    out = replace(
        robot,
        links=tuple(around if is_root and x.name == WORLD else x for x in robot.links),
        surroundings=None if is_root else around,
        devices=(*robot.devices, *devices),
        frames=(*robot.frames, *placed),
        extras=(*robot.extras, *extras.made()),
    )
    return _meeting(out), items


def _meeting(robot: Robot) -> Robot:
    """The robot whose links meet what is on the world, but those that are fixed to it."""
    rules = PairRules(robot)
    missing = [
        (link.name, WORLD)
        for link in robot.links
        if link.name != WORLD
        and link.collisions
        and link.collides
        and not (rules.are_fixed(link.name, WORLD) or rules.are_tested(link.name, WORLD))
    ]
    said = robot.self_collision
    return replace(robot, self_collision=replace(said, enabled=(*said.enabled, *missing)))


def places_in(robot: Robot) -> dict[str, Pose]:
    """The poses in the world of the links of a robot that does not move."""
    out = {robot.root: robot.pose}
    below: dict[str, list[tuple[str, Pose]]] = {}
    for joint in robot.joints:
        below.setdefault(joint.parent, []).append((joint.child, joint.origin))
    todo = [robot.root]
    while todo:
        name = todo.pop()
        for child, origin in below.get(name, []):
            out[child] = out[name] @ origin
            todo.append(child)
    return out


def _is_shown(robot: Robot) -> bool:
    """Whether surroundings have anything of a static model; one without is written of what is kept."""
    links = any(x.visuals or (x.collisions and x.collides) for x in robot.links)
    return links or bool(robot.devices) or _is_own(robot)


def _is_own(robot: Robot) -> bool:
    """Whether a static model is that of surroundings without names of models."""
    return (robot.name, [link.name for link in robot.links]) == (AROUND, [ON])


def _weighs(body: Body | None, name: str) -> bool:
    """Whether the file states a mass of a link of a model."""
    if body is None:
        return True
    docs = [vertex.doc for scope in body.scopes for vertex in scope.links if vertex.name == name]
    return any(isinstance(doc, LinkElement) and doc.inertial is not None for doc in docs)


def _moved(shape: Shape, place: Pose, model: str, link: str) -> Shape:
    return replace(shape, pose=place @ shape.pose, name=scoped(model, link, shape.name))


def _kept_of(robot: Robot, owner: str) -> list[Item]:
    found = (extra for extra in robot.extras if (extra.format, extra.owner) == ("sdf", owner))
    return [item for extra in found for item in extra.node.items]


def _of_model(body: Body, robot: Robot, *, bare: bool) -> list[Item]:
    """What is kept of a static model: its masses, its joints, and what its robot keeps.

    All links of a ``bare`` one, and that it is static: nothing else writes it.
    """
    out: list[Item] = wrapped("static", [("", Word("true"), -1)]) if bare else []
    for scope in body.scopes:
        for inner in scope.scopes:
            assert isinstance(inner.doc, Model)
            more: list[Item] = []
            for vertex in inner.links:
                assert isinstance(vertex.doc, LinkElement)
                own = [*written(vertex.doc, "inertial"), *_kept_of(robot, f"links/{part(vertex.path)}")]
                if own or bare:
                    more.append(("link", Node("link", [("name", Word(vertex.name), -1), *own]), -1))
            more += kept(inner.doc, "joints")
            if inner is scope:
                out += more
            elif inner.home is not None:
                out += wrapped("model", more, inner.home.name)
    return [*out, *_without_places(_kept_of(robot, ""))]


def _without_places(items: list[Item]) -> list[Item]:
    """What is kept of a model, without where the models in it are: their links are in the world's frame."""
    out: list[Item] = []
    for key, value, start in items:
        if key != "model" or not isinstance(value, Node):
            out.append((key, value, start))
            continue
        inner = _without_places([item for item in value.items if item[0] not in ("name", "pose")])
        out += wrapped(key, inner, value.word("name"))
    return out
