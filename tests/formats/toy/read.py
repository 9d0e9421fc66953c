"""Toy document → Robot."""

from __future__ import annotations

import math
from typing import cast

from tests.formats.toy.document import Hinge, Link, Toy

from unibody.document.bind import Binding, bind
from unibody.document.declare import Document
from unibody.formats.extras import Extras
from unibody.formats.format import Context, Reader
from unibody.formats.sidecar import apply, take
from unibody.formats.tree import check_tree, unique_names
from unibody.model import robot as m
from unibody.model.inertia import Inertial
from unibody.model.pose import Pose, Vector3, unit
from unibody.model.shape import Box, Shape
from unibody.text.finding import Finding, TextError
from unibody.text.node import Node, Value
from unibody.text.source import Source
from unibody.text.xml import parser as xml
from unibody.text.xml.printer import print_xml


def _parse(source: Source, context: Context) -> Value:
    return xml.parse(source, context.findings)


def _expand(value: Value, context: Context) -> Node:
    assert isinstance(value, Node)
    if value.tag != "toy":
        message = f"the root element is <{value.tag}>, not <toy>"
        raise TextError(Finding("not-a-robot", "error", message, value.span))
    return value


def _bind(node: Node, context: Context) -> Document:
    return bind(Toy, node, Binding(context.findings, repeat_last=False, watch=context.watch, xml=True))


def _to_robot(document: Document, context: Context) -> m.Robot | None:
    doc = cast(Toy, document)
    lines, at = take(doc, "unibody")
    scale = 0.001 if context.options.get("unit") == "mm" else 1.0
    links = unique_names([_link(x, scale) for x in doc.links], "link", context.findings)
    joints = [_joint(x, scale) for x in doc.hinges if x.name and x.parent and x.child]
    check_tree(links, joints, context.findings, complete=len(joints) == len(doc.hinges))
    if context.findings.errors or not links:
        return None
    extras = Extras("toy")
    extras.add(doc.rest)
    for x in doc.links:
        extras.add(x.rest, "links", x.name or "")
    robot = m.Robot(
        name=doc.name, links=tuple(links), joints=tuple(joints), base="fixed", extras=extras.made()
    )
    return apply(robot, lines, at, context)


def _link(doc: Link, scale: float) -> m.Link:
    box = () if doc.size is None else (Shape(geometry=Box(size=_scaled(doc.size, scale))),)
    inertial = None if not doc.mass else Inertial(mass=doc.mass)
    at = doc.node.span if doc.node is not None else None
    return m.Link(name=doc.name or "link", inertial=inertial, visuals=box, collisions=box, at=at)


def _joint(doc: Hinge, scale: float) -> m.Joint:
    bounds = (-math.inf if doc.low is None else doc.low, math.inf if doc.high is None else doc.high)
    return m.Joint(
        name=doc.name or "",
        kind="revolute",
        parent=doc.parent or "",
        child=doc.child or "",
        origin=Pose(_scaled(doc.xyz, scale)),
        axis=unit(cast(Vector3, doc.axis)) or (0.0, 0.0, 1.0),
        limits=m.Limits(position=bounds),
        at=doc.node.span if doc.node is not None else None,
    )


def _scaled(vector: tuple[float, ...], scale: float) -> Vector3:
    return cast(Vector3, tuple(x * scale for x in vector))


def _print(value: Value, source: Source | None) -> str:
    assert isinstance(value, Node)
    return print_xml(value)


READER = Reader(parse=_parse, expand=_expand, bind=_bind, to_robot=_to_robot, print=_print)
