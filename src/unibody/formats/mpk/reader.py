"""The reader of MPK robots."""

from __future__ import annotations

from typing import cast

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document
from unibody.formats.format import Context, Reader
from unibody.formats.mpk import carried
from unibody.formats.mpk import document as d
from unibody.formats.mpk.read import to_robot
from unibody.formats.sidecar import apply, take
from unibody.model.robot import Robot
from unibody.text.node import Node, Value
from unibody.text.rob import parser as rob
from unibody.text.rob.printer import print_rob
from unibody.text.source import Source


def _parse(source: Source, context: Context) -> Value:
    return rob.parse(source, d.ARITY, context.findings)


def _expand(value: Value, context: Context) -> Node:
    assert isinstance(value, Node)
    lines = carried.found(value.source) if value.source is not None else []
    if not lines:
        return value
    return Node(value.tag, [*value.items, *lines], value.source, value.start, value.end, value.name)


def _bind(node: Node, context: Context) -> Document:
    return bind(d.Robot, node, Binding(context.findings, watch=context.watch))


def _to_robot(doc: Document, context: Context) -> Robot | None:
    lines, at = take(doc, carried.KEY)
    return apply(to_robot(cast(d.Robot, doc), context), lines, at, context)


def _print(value: Value, source: Source | None) -> str:
    assert isinstance(value, Node)
    text = print_rob(carried.without(value), d.ARITY, source)
    # printing with the source keeps its comments, the side-car among them
    return text if source is not None else text + carried.text(value)


READER = Reader(
    parse=_parse,
    expand=_expand,
    bind=_bind,
    to_robot=_to_robot,
    print=_print,
)
