"""What MJCF files say of contacts and forces that a model has no field for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.kept_elements import bound
from unibody.formats.mjcf.meshes import is_builtin
from unibody.formats.mjcf.write_geoms import is_shapeless, paired_geoms
from unibody.model.left_out import LeftOut
from unibody.model.robot import Robot
from unibody.model.traverse import unpart
from unibody.text.installation import install_command
from unibody.text.node import Node
from unibody.text.number import parse_float

_SOFT = frozenset(("composite", "flexcomp", "flex"))
_SECTIONS = frozenset(("tendon", "deformable", "worldbody"))


def left_out(robot: Robot) -> list[LeftOut]:
    """Soft bodies and geoms without a shape, which could touch, and tendons, which could hold."""
    tops = [
        (extra.owner, top)
        for extra in robot.extras
        if extra.format == "mjcf"
        for top in _elements(extra.node)
    ]
    sections = _Sections([top for owner, top in tops if not owner])
    out: list[LeftOut] = []
    for place, top in tops:
        kind, _, name = place.partition("/")
        owner = unpart(name) if kind == "links" else ""
        if owner or top.tag in _SECTIONS:
            out += _of(top, owner, sections)
    return out


class _Sections:
    """What the sections of a file say of its geoms: those in pairs, and the meshes that MuJoCo makes."""

    def __init__(self, tops: Sequence[Node]) -> None:
        self._tops = tops

    @cached_property
    def paired(self) -> set[str]:
        return paired_geoms(self._of("contact"))

    @cached_property
    def builtin(self) -> set[str]:
        meshes = (bound(assets.Mesh, node) for node in self._of("asset") if node.tag == "mesh")
        return {mesh.name or "" for mesh in meshes if is_builtin(mesh)}

    def _of(self, tag: str) -> Iterator[Node]:
        return (node for top in self._tops if top.tag == tag for node in _elements(top))


def _elements(node: Node) -> Iterator[Node]:
    return (value for _, value, _ in node.items if isinstance(value, Node))


def _of(top: Node, owner: str, sections: _Sections) -> Iterator[LeftOut]:
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
        elif node.tag == "geom" and (why := _unread(node, owner, sections)):
            yield LeftOut(owner=owner, what=f"geom '{name}'", why=why)
        todo += reversed(list(_elements(node)))


def _unread(node: Node, owner: str, sections: _Sections) -> str:
    """Why the model has no shape for a kept geom that could touch; empty if it has, or none is needed."""
    is_needed = is_shapeless(node) or not owner
    geom = bound(b.Geom, node)
    if not is_needed or not (geom.contype or geom.conaffinity or geom.name in sections.paired):
        return ""
    if not owner:
        return "it is in the vendor data only, as models saved by older versions have the world"
    if geom.mesh in sections.builtin:
        command = install_command("simulate")
        return f"MuJoCo makes its {geom.type} '{geom.mesh}', and could not be loaded: {command}"
    return f"its {geom.type} '{geom.mesh or geom.hfield or ''}' was not read"


def _effects(tendon: Node) -> Iterator[str]:
    """What a tendon does by itself, in words."""
    if tendon.word("range") is not None and tendon.word("limited") != "false":
        yield "its limits"
    if any(parse_float(word) for word in (tendon.word("stiffness") or "").split()):
        yield "its spring"
