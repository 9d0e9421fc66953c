"""MPK robots as a Format."""

from __future__ import annotations

from typing import cast

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document
from unibody.formats.format import Context, Format
from unibody.formats.mpk import document as d
from unibody.formats.mpk.read import to_robot
from unibody.model.robot import Robot
from unibody.text import rob
from unibody.text.node import Node, Value
from unibody.text.rob_print import print_rob
from unibody.text.source import Source


def _parse(source: Source, context: Context) -> Value:
    return rob.parse(source, d.ARITY, context.findings)


def _expand(value: Value, context: Context) -> Node:
    assert isinstance(value, Node)
    return value


def _bind(node: Node, context: Context) -> Document:
    return bind(d.Robot, node, Binding(context.findings, watch=context.watch))


def _to_robot(doc: Document, context: Context) -> Robot | None:
    return to_robot(cast(d.Robot, doc), context)


def _print(value: Value, source: Source | None) -> str:
    assert isinstance(value, Node)
    return print_rob(value, d.ARITY, source)


FORMAT = Format(
    name="mpk",
    title="MPK robot",
    suffixes=(".rob",),
    parse=_parse,
    expand=_expand,
    bind=_bind,
    to_robot=_to_robot,
    print=_print,
)
