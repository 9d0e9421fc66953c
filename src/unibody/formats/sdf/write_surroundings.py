"""Writes what stands beside a robot as static models of its world, and as frames of the world.

The robots of a scene of which one moves are such a robot with what stands beside it.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from typing import Any, TypeVar

from unibody.document.unbind import unbind
from unibody.formats.names import Names
from unibody.formats.sdf.document_model import Model
from unibody.formats.sdf.document_shapes import Frame as FrameElement
from unibody.formats.sdf.kept import wrapped
from unibody.formats.sdf.surroundings import AROUND, ON, places_in, surrounded
from unibody.formats.sdf.write_joints import joint
from unibody.formats.sdf.write_lowered import is_static
from unibody.formats.sdf.write_model import inertial_element, model
from unibody.formats.sdf.write_names import legal
from unibody.formats.sdf.write_poses import pose
from unibody.formats.sdf.write_versions import DEFAULT, Version
from unibody.model.base import WORLD
from unibody.model.gravity import common_gravity
from unibody.model.inertia import placed
from unibody.model.pose import IDENTITY
from unibody.model.robot import Extra, Link, Robot, SelfCollision
from unibody.model.scene import Scene
from unibody.model.traverse import path_of
from unibody.text.node import Item, Node, Word

_Item = TypeVar("_Item", bound=Hashable)

_SETS = ("visuals", "collisions", "devices")


def alone(scene: Scene) -> Robot | None:
    """The robot of a scene of which one moves, with the others as its surroundings; None for other scenes.

    Masses and joints of what stands beside it are kept for the file, as if they were read from one.
    """
    moving = [robot for robot in scene.robots if not is_static(robot)]
    still = [robot for robot in scene.robots if is_static(robot)]
    if (
        len(moving) != 1
        or not still
        or moving[0].surroundings is not None
        or not all(map(_is_plain, still))
    ):
        return None
    taken = Names([moving[0].name])
    still = [replace(robot, name=taken.take(legal(robot.name, "model"))) for robot in still]
    robot, _ = surrounded(
        replace(moving[0], gravity=common_gravity(scene.robots)), [(None, each) for each in still], []
    )
    known = next((x for x in scene.extras if x.format == "sdf" and x.node.get("world") is not None), None)
    world = None if known is None else known.node.get("world")
    items: list[Item] = list(world.items) if isinstance(world, Node) else []
    if not items and scene.name:
        items = [("name", Word(scene.name), -1)]
    items += [item for each in still for item in _kept(each)]
    extras = [*robot.extras, *(x for x in scene.extras if x is not known)]
    if items:
        extras.append(Extra(format="sdf", node=Node("", wrapped("world", items))))
    on = path_of("links", WORLD)
    extras += [replace(x, owner=x.owner and on) for each in still for x in each.extras]
    return replace(robot, extras=tuple(extras))


def _is_plain(robot: Robot) -> bool:
    """Whether surroundings hold all of what stands still, but for its masses and joints."""
    bare = Robot(
        name=robot.name,
        links=robot.links,
        joints=robot.joints,
        devices=robot.devices,
        frames=robot.frames,
        self_collision=robot.self_collision,
        base=robot.base,
        pose=robot.pose,
        gravity=robot.gravity,
        folder=robot.folder,
        extras=robot.extras,
    )
    return robot == bare and all(map(_is_shown, robot.links))


def _is_shown(link: Link) -> bool:
    """Whether a link has shapes, all of which surroundings have, too."""
    if link.collisions_alt or (link.collisions and not link.collides):
        return False
    return bool(link.visuals or link.collisions)


def _kept(robot: Robot) -> list[Item]:
    """The masses and joints of a static model, whose links are written in the frame of the world."""
    places = places_in(robot)
    found: list[Item] = []
    for link in robot.links:
        if link.inertial is None or (robot.name, link.name, places[link.name]) == (AROUND, ON, IDENTITY):
            continue
        element = inertial_element(placed(link.inertial, places[link.name]), IDENTITY, DEFAULT)
        found += wrapped("link", [("inertial", unbind(element, "inertial"), -1)], link.name)
    for each in robot.joints:
        doc = joint(each, each.name, None, DEFAULT)
        doc.parent_frame, doc.child_frame = each.parent, each.child
        found.append(("joint", unbind(doc, "joint"), -1))
    return wrapped("model", found, robot.name)


def static_models(robot: Robot, version: Version, taken: Names) -> list[Model]:
    """The static models of the surroundings of a lowered robot; ``taken`` are names in the world.

    An item with the name of a model and of a link before its own is in that link.
    """
    around = robot.surroundings
    if around is None:
        return []
    devices = [device for device in robot.devices if device.link == around.name]
    lists: tuple[Sequence[Any], ...] = (around.visuals, around.collisions, devices)
    homes = [[_parted(item.name)[:2] for item in items] for items in lists]
    groups: dict[str, dict[str, dict[str, list[Any]]]] = {
        of: {} for of in merged_order([home[0] for home in each] for each in homes)
    }
    for of, on in merged_order(homes):
        groups[of].setdefault(on, {})
    for kind, items in zip(_SETS, lists, strict=True):
        for item in items:
            of, on, own = _parted(item.name)
            named = replace(item, name=own)
            groups[of][on].setdefault(kind, []).append(named)
    if around.inertial is not None:
        groups.setdefault(AROUND, {}).setdefault(ON, {})
    return [_model(name, links, robot, version, taken) for name, links in groups.items()]


def world_frames(robot: Robot, version: Version, taken: Names) -> list[FrameElement]:
    """The frames of the world of a lowered robot."""
    around = robot.surroundings
    mine = [frame for frame in robot.frames if around is not None and frame.link == around.name]
    return [
        FrameElement(name=taken.take(legal(frame.name, "frame")), pose=pose(frame.pose, version))
        for frame in mine
    ]


def merged_order(lists: Iterable[Iterable[_Item]]) -> list[_Item]:
    """The items of some lists, each once, in an order that is that of each list as far as possible.

    >>> merged_order([["b", "c"], ["a", "b", "b"], ["c", "d"]])
    ['a', 'b', 'c', 'd']
    """
    places: dict[_Item, int] = {}
    after: dict[_Item, list[_Item]] = {}
    waits: dict[_Item, int] = {}
    for each in lists:
        last: list[_Item] = []
        for item in dict.fromkeys(each):
            places.setdefault(item, len(places))
            waits.setdefault(item, 0)
            for earlier in last:
                after.setdefault(earlier, []).append(item)
                waits[item] += 1
            last = [item]
    free = [(place, item) for item, place in places.items() if not waits[item]]
    rest = iter(places)
    out: dict[_Item, None] = {}
    while len(out) < len(places):
        item = heappop(free)[1] if free else next(item for item in rest if item not in out)
        if item in out:
            continue
        out[item] = None
        for later in after.get(item, ()):
            waits[later] -= 1
            if not waits[later]:
                heappush(free, (places[later], later))
    return list(out)


def _parted(name: str) -> tuple[str, str, str]:
    """The names of the model, of the link and of the item itself."""
    of, _, rest = name.partition("::")
    on, _, own = rest.rpartition("::")
    return (of, on, own) if of and on else (AROUND, ON, name)


def _model(
    name: str, links: dict[str, dict[str, list[Any]]], robot: Robot, version: Version, taken: Names
) -> Model:
    made: list[Model] = []
    around = robot.surroundings
    assert around is not None
    for link, found in links.items():
        on: Sequence[Any] = [replace(device, link=link) for device in found.get("devices", ())]
        extras = tuple(extra for extra in robot.extras if extra.owner.startswith("devices/"))
        is_own = (name, link) == (AROUND, ON)
        still = Robot(
            name=name,
            links=(
                Link(
                    name=link,
                    inertial=around.inertial if is_own else None,
                    visuals=tuple(found.get("visuals", ())),
                    collisions=tuple(found.get("collisions", ())),
                ),
            ),
            devices=tuple(on),
            self_collision=SelfCollision(default="none"),
            base="fixed",
            extras=extras,
        )
        made.append(model(still, version))
    out = made[0]
    for other in made[1:]:
        _join(out, other)
    out.name = taken.take(legal(name, "model"))
    return out


def _join(out: Model, other: Model) -> None:
    """Add the links of a model to another one, and to the models in that, in place."""
    todo = [(out, other)]
    while todo:
        into, part = todo.pop()
        names = Names(x.name or "" for x in (*into.links, *into.models))
        known = {x.name: x for x in into.models}
        for link in part.links:
            link.name = names.take(link.name or "")
            into.links = [*into.links, link]
        for inner in part.models:
            if inner.name in known:
                todo.append((known[inner.name], inner))
            else:
                inner.name = names.take(inner.name or "")
                into.models = [*into.models, inner]
