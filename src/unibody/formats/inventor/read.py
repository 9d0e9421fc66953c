"""Reads Inventor and VRML 1.0 files as robots of one fixed link."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from types import MappingProxyType
from typing import cast

from unibody.document.bind import Binding, bind
from unibody.document.declare import Tagged
from unibody.formats.extras import Extras
from unibody.formats.format import Context
from unibody.formats.inventor import document as d
from unibody.formats.inventor.nodes import TABLE
from unibody.formats.inventor.walk import Scene, traverse
from unibody.model.robot import Link, Robot
from unibody.text.node import Item, Node, Row

ROOT = "Root"
NONE: Mapping[str, type[Tagged]] = MappingProxyType({})


def bind_model(node: Node, context: Context, more: Mapping[str, type[Tagged]] = NONE) -> d.Model:
    """The document of an expanded tree; ``more`` are nodes of another program, by tag."""
    described = {tag: at for tag, at in _described(node).items() if tag not in more}
    for tag, at in described.items():
        message = f"self-described node type '{tag}' of another program is kept"
        context.findings.info("node-described", message, at.span)
    table: dict[str, type[Tagged]] = {**dict.fromkeys(described, d.Other), **TABLE, **more}
    return bind(
        d.Model,
        node,
        Binding(context.findings, watch=context.watch, nodes=table, unknown=d.Other, null="NULL"),
    )


def _described(root: Node) -> dict[str, Node]:
    """The first node of each self-described type that Inventor does not have, by tag."""
    out: dict[str, Node] = {}
    seen: set[int] = set()
    todo: list[Node | Row] = [root]
    while todo:
        holder = todo.pop()
        values = holder.values if isinstance(holder, Row) else [value for _, value, _ in holder.items]
        if isinstance(holder, Node) and any(key == "interface" for key, _, _ in holder.items):
            out[holder.tag] = holder
        for value in values:
            if isinstance(value, Node | Row) and id(value) not in seen:
                seen.add(id(value))
                todo.append(value)
    return {tag: node for tag, node in out.items() if tag not in TABLE}


def to_robot(doc: d.Model, context: Context) -> Robot | None:
    """A robot of one fixed link with all shapes of the file, as visuals and collisions."""
    scene = traverse(cast("list[Tagged]", doc.nodes), context)
    at = doc.at()
    if not scene.drawn and not context.findings.errors:
        context.findings.warning("shapes-missing", f"no shapes in {context.path}", at)
    name = PurePath(context.path).stem
    message = f"the file has only shapes; they are read as fixed link '{ROOT}'"
    context.findings.info("shapes-only", message, at)
    shapes = tuple(scene.shapes)
    extras = Extras("inventor")
    extras.add(_kept(scene))
    link = Link(name=ROOT, visuals=shapes, collisions=shapes, at=at)
    return Robot(name=name, links=(link,), base="fixed", extras=extras.made())


def _kept(scene: Scene) -> list[Item]:
    """The nodes that the model cannot represent, as written, each once."""
    found = {id(placed.node.node): placed.node.node for placed in scene.kept}
    return [("", node, node.start) for node in found.values() if node is not None]
