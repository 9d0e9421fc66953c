"""The reader of SDF."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document
from unibody.formats.arguments import arguments_of
from unibody.formats.format import Context, Reader
from unibody.formats.sdf import document as d
from unibody.formats.sdf.document_model import SIDECAR
from unibody.formats.sdf.expand import expand
from unibody.formats.sdf.read import to_robot
from unibody.formats.sidecar import apply, lines_of, take
from unibody.formats.xacro import expand as xacro
from unibody.model.robot import Robot
from unibody.model.scene import Scene
from unibody.text.node import Node, Value
from unibody.text.source import Source, Span
from unibody.text.xml import parser as xml

#: An attribute of the side-car in a world of several robots: the model that it is about.
ABOUT = "model"


def _parse(source: Source, context: Context) -> Value:
    return xml.parse(source, context.findings)


def _expand(value: Value, context: Context) -> Node:
    assert isinstance(value, Node)
    source = value.source or Source(context.path, "")
    node = xacro.expand(
        value, source, context.files, context.findings, arguments_of(context), context.declared
    )[0]
    return expand(node, context)


def _bind(node: Node, context: Context) -> Document:
    return bind(d.Sdf, node, Binding(context.findings, repeat_last=False, watch=context.watch, xml=True))


def _to_robot(doc: Document, context: Context) -> Robot | Scene | None:
    sdf = cast(d.Sdf, doc)
    each = _take_each(sdf)
    lines: list[str] = []
    at: Span | None = None
    for holder in (*sdf.worlds[:1], *sdf.models[:1]):
        found, place = take(holder, SIDECAR)
        lines, at = (found, place) if found else (lines, at)
    robot = to_robot(sdf, context)
    if isinstance(robot, Scene):
        made = (apply(x, *each.get(x.name, ([], None)), context) for x in robot.robots)
        return replace(robot, robots=tuple(x for x in made if x is not None))
    return apply(robot, lines, at, context)


def _take_each(sdf: d.Sdf) -> dict[str, tuple[list[str], Span | None]]:
    """Remove the side-cars of the models of a world; returns their lines and places by model."""
    out: dict[str, tuple[list[str], Span | None]] = {}
    for world in sdf.worlds[:1]:
        mine = [
            (name, item)
            for item in world.rest
            if item[0] == SIDECAR and isinstance(item[1], Node) and (name := item[1].word(ABOUT))
        ]
        for name, (_, value, start) in mine:
            at = world.node.place(value, start) if world.node is not None else None
            out[name] = (lines_of(value), at)
            world.rest = [x for x in world.rest if x[1] is not value]
    return out


def _print(value: Value, source: Source | None) -> str:
    assert isinstance(value, Node)
    head = '<?xml version="1.0"?>\n' if source is None else ""
    from unibody.text.xml.printer import print_xml  # a file that is read is rarely printed

    return head + print_xml(value)


READER = Reader(parse=_parse, expand=_expand, bind=_bind, to_robot=_to_robot, print=_print)
