"""The reader of Open Inventor and VRML 1.0 files."""

from __future__ import annotations

from typing import cast

from unibody.document.declare import Document
from unibody.formats.format import Context, Reader
from unibody.formats.inventor import document as d
from unibody.formats.inventor.expand import expand
from unibody.formats.inventor.read import bind_model, to_robot
from unibody.model.robot import Robot
from unibody.text.inventor import parser as inventor
from unibody.text.node import Node, Value
from unibody.text.source import Source


def _parse(source: Source, context: Context) -> Value:
    return inventor.parse(source, context.findings)


def _expand(value: Value, context: Context) -> Node:
    return expand(cast(Node, value), context)


def _to_robot(doc: Document, context: Context) -> Robot | None:
    return to_robot(cast(d.Model, doc), context)


READER = Reader(
    parse=_parse,
    expand=_expand,
    bind=bind_model,
    to_robot=_to_robot,
    print=inventor.print,
)
