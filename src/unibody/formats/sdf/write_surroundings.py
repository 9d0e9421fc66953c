"""Writes what stands beside a robot as static models of its world, and as frames of the world."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from unibody.formats.names import Names
from unibody.formats.sdf.document_model import Model
from unibody.formats.sdf.document_shapes import Frame as FrameElement
from unibody.formats.sdf.surroundings import AROUND, ON
from unibody.formats.sdf.write_model import model
from unibody.formats.sdf.write_names import legal
from unibody.formats.sdf.write_poses import pose
from unibody.formats.sdf.write_versions import Version
from unibody.model.robot import Link, Robot, SelfCollision

_SETS = ("visuals", "collisions", "devices")


def static_models(robot: Robot, version: Version, taken: Names) -> list[Model]:
    """The static models of the surroundings of a lowered robot; ``taken`` are names in the world.

    An item with the name of a model and of a link before its own is in that link.
    """
    around = robot.surroundings
    if around is None:
        return []
    groups: dict[str, dict[str, dict[str, list[Any]]]] = {}
    devices = [device for device in robot.devices if device.link == around.name]
    lists: tuple[Sequence[Any], ...] = (around.visuals, around.collisions, devices)
    for kind, items in zip(_SETS, lists, strict=True):
        for item in items:
            of, on, own = _parted(item.name)
            named = replace(item, name=own)
            groups.setdefault(of, {}).setdefault(on, {}).setdefault(kind, []).append(named)
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
    names = Names(link.name or "" for link in out.links)
    for other in made[1:]:
        for one in other.links:
            one.name = names.take(one.name or "")
            out.links = [*out.links, one]
    out.name = taken.take(legal(name, "model"))
    return out
