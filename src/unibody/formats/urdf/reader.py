"""The reader of URDF."""

from __future__ import annotations

from typing import cast

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document
from unibody.formats.arguments import arguments_of
from unibody.formats.format import Context, Reader
from unibody.formats.sidecar import apply, take
from unibody.formats.urdf import document as d
from unibody.formats.urdf.fixes import propose_fix
from unibody.formats.urdf.leftovers import set_aside
from unibody.formats.urdf.read import to_robot
from unibody.formats.xacro.expand import expand
from unibody.model.robot import Robot
from unibody.text.finding import Finding, TextError
from unibody.text.node import Node, Value
from unibody.text.source import Source
from unibody.text.xml import parser as xml


def _parse(source: Source, context: Context) -> Value:
    return xml.parse(source, context.findings)


def _expand(value: Value, context: Context) -> Node:
    assert isinstance(value, Node)
    node = expand(
        value,
        value.source or Source(context.path, ""),
        context.files,
        context.findings,
        arguments_of(context),
        context.declared,
    )[0]
    if node.tag != "robot" and node.tag.lower() == "robot":
        context.findings.warning(
            "not-a-robot",
            f"the root element <{node.tag}> is read as <robot>, as in MuJoCo; ROS rejects the file",
            node.span,
            "write <robot> in small letters",
        )
    elif node.tag != "robot":
        message = f"the root element is <{node.tag}>, not <robot>"
        raise TextError(
            Finding("not-a-robot", "error", message, node.span, "a URDF file begins with <robot name=…>")
        )
    return node


def _bind(node: Node, context: Context) -> Document:
    doc = bind(
        d.Robot,
        node,
        Binding(
            context.findings,
            repeat_last=False,
            watch=context.watch,
            xml=True,
            unit=r"\s*(?:rad|rad/s|radians)",
            lenient=True,
        ),
    )
    set_aside(doc, context.findings)
    return doc


def _to_robot(doc: Document, context: Context) -> Robot | None:
    carried, at = take(doc, "unibody")
    robot = to_robot(cast(d.Robot, doc), context)
    if robot is not None and context.complete is not None:
        robot = context.complete(robot)
    return apply(robot, carried, at, context)


def _print(value: Value, source: Source | None) -> str:
    assert isinstance(value, Node)
    # a new file gets an XML declaration; without encoding, which parsers of decoded text reject
    head = '<?xml version="1.0"?>\n' if source is None else ""
    from unibody.text.xml.printer import print_xml  # a file that is read is rarely printed

    return head + print_xml(value)


READER = Reader(
    parse=_parse,
    expand=_expand,
    bind=_bind,
    to_robot=_to_robot,
    print=_print,
    propose_fix=propose_fix,
)
