"""The reader of Choreonoid Body files."""

from __future__ import annotations

from typing import cast

from unibody.document.declare import Document
from unibody.formats.body import document as d
from unibody.formats.body.fixes import propose_fix
from unibody.formats.body.read import bind_body, expand_body, to_robot
from unibody.formats.format import Context, Reader
from unibody.formats.sidecar import apply, take, without
from unibody.model.robot import Robot
from unibody.text.node import Node, Value
from unibody.text.source import Source
from unibody.text.yaml import parser as yaml


def _parse(source: Source, context: Context) -> Value:
    return yaml.parse(source, context.findings)


def _to_robot(doc: Document, context: Context) -> Robot | None:
    carried, at = take(doc, "unibody")
    anchors = yaml.Anchors(doc.node or Node())
    robot = without(to_robot(cast(d.Body, doc), anchors, context), "unibody")
    return apply(robot, carried, at, context)


READER = Reader(
    parse=_parse,
    expand=expand_body,
    bind=bind_body,
    to_robot=_to_robot,
    print=yaml.print_yaml,
    propose_fix=propose_fix,
)
