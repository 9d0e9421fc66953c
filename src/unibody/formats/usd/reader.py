"""The reader of USD."""

from __future__ import annotations

from typing import cast

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document
from unibody.formats.format import Context, Reader
from unibody.formats.sidecar import apply, take
from unibody.formats.usd.composition.compose import compose
from unibody.formats.usd.document import TYPES, Stage
from unibody.formats.usd.read import to_robot
from unibody.formats.usd.tree import gathered
from unibody.model.robot import Robot
from unibody.model.scene import Scene
from unibody.text.limits import meter_of
from unibody.text.node import Node, Value
from unibody.text.source import Source, Span

#: The key of the side-car in the custom data of the default prim, which all programs keep.
SIDECAR = "string[] unibody:sidecar"


def _parse(source: Source, context: Context) -> Value:
    data = source.data or source.text.encode("utf-8", "surrogatepass")
    return gathered(compose(source, data, context), source, meter_of(source))


def _expand(value: Value, context: Context) -> Node:
    return cast(Node, value)


def _bind(node: Node, context: Context) -> Document:
    return bind(Stage, node, Binding(context.findings, watch=context.watch, nodes=TYPES))


def _to_robot(doc: Document, context: Context) -> Robot | Scene | None:
    stage = cast(Stage, doc)
    lines: list[str] = []
    at: Span | None = None
    for prim in stage.prims:
        if prim.custom_data is not None and not lines:
            lines, at = take(prim.custom_data, SIDECAR)
    robot = to_robot(stage, context)
    return apply(robot, lines, at, context) if isinstance(robot, Robot) else robot


def _print(value: Value, source: Source | None) -> str:
    if source is not None and source.text:
        return source.text  # the tree is of all layers, the text of one
    from unibody.formats.usd.flattened import flattened  # a stage is rarely printed

    return flattened(cast(Node, value))


READER = Reader(parse=_parse, expand=_expand, bind=_bind, to_robot=_to_robot, print=_print)
