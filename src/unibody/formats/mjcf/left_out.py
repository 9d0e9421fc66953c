"""What MJCF files say of contacts and forces that a model has no field for."""

from __future__ import annotations

from collections.abc import Iterator

from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.kept_elements import bound
from unibody.formats.mjcf.write_geoms import is_shapeless
from unibody.model.left_out import LeftOut
from unibody.model.robot import Robot
from unibody.model.traverse import unpart
from unibody.text.node import Node, elements
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
    for node in elements(top):
        name = node.word("name") or ""
        if node.tag in _SOFT:
            yield LeftOut(owner=owner, what=f"<{node.tag}> '{name}'", why="soft bodies are not considered")
        elif node.tag == "geom" and owner and is_shapeless(node):
            doc = bound(b.Geom, node)
            if doc.contype or doc.conaffinity:
                why = f"its {doc.type} '{doc.mesh or doc.hfield or ''}' was not read"
                yield LeftOut(owner=owner, what=f"geom '{name}'", why=why)
        elif top.tag == "tendon" and node.tag in ("spatial", "fixed"):
            effects = " and ".join(_effects(node))
            if effects:
                why = f"not considered: {effects}"
                yield LeftOut(owner="", what=f"tendon '{name}'", why=why, touches=False)


def _effects(tendon: Node) -> Iterator[str]:
    """What a tendon does by itself, in words."""
    if tendon.word("range") is not None and tendon.word("limited") != "false":
        yield "its limits"
    if any(parse_float(word) for word in (tendon.word("stiffness") or "").split()):
        yield "its spring"
