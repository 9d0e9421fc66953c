"""What MJCF files say of contacts and forces that a model has no field for."""

from __future__ import annotations

from collections.abc import Iterator

from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.kept_elements import bound
from unibody.formats.mjcf.write_geoms import is_shapeless
from unibody.model.left_out import LeftOut
from unibody.model.robot import Robot
from unibody.model.traverse import unpart
from unibody.text.node import Node
from unibody.text.number import parse_float

_SOFT = frozenset(("composite", "flexcomp", "flex"))
_SECTIONS = frozenset(("tendon", "deformable", "worldbody"))


def left_out(robot: Robot) -> list[LeftOut]:
    """Soft bodies and geoms without a shape, which could touch, and tendons, which could hold."""
    out: list[LeftOut] = []
    for extra in robot.extras:
        if extra.format != "mjcf":
            continue
        kind, _, name = extra.owner.partition("/")
        owner = unpart(name) if kind == "links" else ""
        tops = [value for _, value, _ in extra.node.items if isinstance(value, Node)]
        for top in tops:
            if owner or top.tag in _SECTIONS:
                out += _of(top, owner)
    return out


def _of(top: Node, owner: str) -> Iterator[LeftOut]:
    todo = [top]
    while todo:
        node = todo.pop()
        name = node.word("name") or ""
        if node.tag in _SOFT:
            yield LeftOut(owner=owner, what=f"<{node.tag}> '{name}'", why="soft bodies are not considered")
            continue
        if top.tag == "tendon":
            effects = " and ".join(_effects(node)) if node.tag in ("spatial", "fixed") else ""
            if effects:
                why = f"not considered: {effects}"
                yield LeftOut(owner="", what=f"tendon '{name}'", why=why, touches=False)
        elif node.tag == "geom" and (why := _unread(bound(b.Geom, node), is_shapeless(node), owner)):
            yield LeftOut(owner=owner, what=f"geom '{name}'", why=why)
        todo += [value for _, value, _ in reversed(node.items) if isinstance(value, Node)]


def _unread(geom: b.Geom, shapeless: bool, owner: str) -> str:
    """Why the model has no shape for a kept geom that could touch; empty if it has, or none is needed."""
    if not (geom.contype or geom.conaffinity):
        return ""
    if not owner:
        return "it is in the vendor data only, as models saved by older versions have the world"
    return f"its {geom.type} '{geom.mesh or geom.hfield or ''}' was not read" if shapeless else ""


def _effects(tendon: Node) -> Iterator[str]:
    """What a tendon does by itself, in words."""
    if tendon.word("range") is not None and tendon.word("limited") != "false":
        yield "its limits"
    if any(parse_float(word) for word in (tendon.word("stiffness") or "").split()):
        yield "its spring"
