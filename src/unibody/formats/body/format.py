"""Choreonoid Body files as a Format."""

from __future__ import annotations

from typing import Any, cast

from unibody.document.declare import Document
from unibody.formats.body import document as d
from unibody.formats.body.expand import expand
from unibody.formats.body.read import bind_body, to_robot
from unibody.formats.format import Context, Format
from unibody.model.robot import Robot
from unibody.text import yaml
from unibody.text.finding import Finding, TextError
from unibody.text.node import Node, Value
from unibody.text.source import Source, Span


def _parse(source: Source, context: Context) -> Value:
    return yaml.parse(source, context.findings)


def _expand(value: Value, context: Context) -> Node:
    if not isinstance(value, Node):
        raise TextError(
            Finding(
                "not-a-mapping",
                "error",
                "a body file must be one mapping (format: ChoreonoidBody, links: …)",
                None,
            )
        )
    return expand(value, context.findings)


def _bind(node: Node, context: Context) -> Document:
    from unibody.document.bind import Binding, bind

    return bind(d.Body, node, Binding(context.findings, watch=context.watch))


def _to_robot(doc: Document, context: Context) -> Robot | None:
    node = doc.node
    anchors = yaml.anchors(node) if node is not None else {}
    return to_robot(cast(d.Body, doc), anchors, context)


FORMAT = Format(
    name="body",
    title="Choreonoid Body",
    suffixes=(".body",),
    parse=_parse,
    expand=_expand,
    bind=_bind,
    to_robot=_to_robot,
    print=yaml.print_yaml,
)

__all__: list[Any] = ["FORMAT", "Span", "bind_body"]
