"""The reader of SRDF, by itself and beside a URDF."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document
from unibody.files.access import FileError
from unibody.formats.arguments import ARGUMENTS, arguments_of
from unibody.formats.format import Context, Reader
from unibody.formats.srdf import document as d
from unibody.formats.srdf.places import urdf_of
from unibody.formats.srdf.read import combined
from unibody.formats.xacro.expand import expand
from unibody.model.robot import Robot
from unibody.text.dataclass import dataclass
from unibody.text.decode import decode
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.hint import Hint, Setting
from unibody.text.node import Node, Value
from unibody.text.source import Source
from unibody.text.xml import parser as xml


def _parse(source: Source, context: Context) -> Value:
    return xml.parse(source, context.findings)


def _expand(value: Value, context: Context) -> Node:
    assert isinstance(value, Node)
    source = value.source or Source(context.path, "")
    arguments = arguments_of(context)
    node = expand(value, source, context.files, context.findings, arguments, context.declared)[0]
    if node.tag != "robot":
        message = f"the root element is <{node.tag}>, not <robot>"
        raise TextError(
            Finding("not-a-robot", "error", message, node.span, "an SRDF file begins with <robot name=…>")
        )
    return node


def _bind(node: Node, context: Context) -> Document:
    binding = Binding(context.findings, repeat_last=False, watch=context.watch, xml=True, lenient=True)
    return bind(d.Robot, node, binding)


def _to_robot(document: Document, context: Context) -> Robot | None:
    doc = cast(d.Robot, document)
    if context.completed is not None:
        return combined(doc, context.completed, context)
    place = urdf_of(doc.name, context)
    if place is None:
        context.findings.error(
            "urdf-missing",
            f"the URDF that {context.path} belongs to was not found",
            doc.at(),
            Hint("read the URDF with ", Setting("srdf", value=context.path)),
        )
        return None

    def complete(robot: Robot) -> Robot:
        return combined(doc, robot, context)

    context.beside[place.path] = "urdf"
    given = {**place.arguments, **arguments_of(context)}
    inner = replace(
        context,
        path=place.path,
        open=(*context.open, context.path),
        complete=complete,
        options={**context.options, ARGUMENTS.name: given},
    )
    robot = context.load_robot(place.path, inner)
    # their values are the defaults of this model
    context.declared.update((k, v) for k, v in place.arguments.items() if k in context.declared)
    return robot


@dataclass(slots=True)
class Beside:
    """An SRDF file beside a URDF: its document, None if it cannot be read, and the findings."""

    path: str
    document: d.Robot | None
    findings: Findings
    context: Context


def read_beside(path: str, context: Context) -> Beside:
    """Read the SRDF at ``path``, without the robot of its URDF."""
    found = Findings()
    inner = replace(context, path=path, findings=found, documents=context.documents)
    try:
        source = decode(context.files.read(path), path, found, context.files.meter)
        document = cast(d.Robot, _bind(_expand(_parse(source, inner), inner), inner))
    except (TextError, FileError) as e:
        found.append(e.finding)
        document = None
    return Beside(path, document, found, inner)


def add_srdf(robot: Robot, srdf: Beside, context: Context) -> Robot:
    """The robot with what an SRDF says of it; a file that cannot be read leaves it as it is."""
    context.findings.extend(srdf.findings)
    document = srdf.document
    if document is None:
        return robot
    context.findings.info("srdf-found", f"the SRDF {srdf.path} is read, too", document.at())
    context.beside[srdf.path] = "srdf"
    context.documents.append(document)
    return combined(document, robot, replace(srdf.context, findings=context.findings))


def _print(value: Value, source: Source | None) -> str:
    assert isinstance(value, Node)
    from unibody.text.xml.printer import print_xml  # a file that is read is rarely printed

    head = '<?xml version="1.0"?>\n' if source is None else ""
    return head + print_xml(value)


READER = Reader(parse=_parse, expand=_expand, bind=_bind, to_robot=_to_robot, print=_print)
