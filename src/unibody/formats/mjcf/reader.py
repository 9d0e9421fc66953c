"""The reader of MJCF."""

from __future__ import annotations

from typing import cast

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document
from unibody.formats.format import Context, Reader
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf.expand import expand
from unibody.formats.mjcf.read import to_robot
from unibody.model.robot import Robot
from unibody.text.node import Node, Value
from unibody.text.source import Source
from unibody.text.xml import parser as xml


def _parse(source: Source, context: Context) -> Value:
    return xml.parse(source, context.findings)


def _expand(value: Value, context: Context) -> Node:
    assert isinstance(value, Node)
    return expand(value, context)


def _bind(node: Node, context: Context) -> Document:
    binding = Binding(context.findings, repeat_last=False, watch=context.watch, xml=True, strict=True)
    return bind(d.Mujoco, node, binding)


def _to_robot(doc: Document, context: Context) -> Robot | None:
    return to_robot(cast(d.Mujoco, doc), context)


def _print(value: Value, source: Source | None) -> str:
    assert isinstance(value, Node)
    from unibody.text.xml.printer import print_xml  # a file that is read is rarely printed

    return print_xml(value)


READER = Reader(parse=_parse, expand=_expand, bind=_bind, to_robot=_to_robot, print=_print)
