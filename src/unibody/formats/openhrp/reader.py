"""The reader of OpenHRP model files."""

from __future__ import annotations

from typing import cast

from unibody.document.declare import Document
from unibody.formats.format import Context, Reader
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.fixes import propose_fix
from unibody.formats.openhrp.info import take_lines
from unibody.formats.openhrp.read import bind_file, expand_file, to_robot
from unibody.formats.sidecar import apply
from unibody.model.robot import Robot
from unibody.text.node import Value
from unibody.text.source import Source
from unibody.text.vrml import parser as vrml


def _parse(source: Source, context: Context) -> Value:
    return vrml.parse(source, context.findings)


def _to_robot(doc: Document, context: Context) -> Robot | None:
    file = cast(d.File, doc)
    carried, at = take_lines(file)
    return apply(to_robot(file, context), carried, at, context)


READER = Reader(
    parse=_parse,
    expand=expand_file,
    bind=bind_file,
    to_robot=_to_robot,
    print=vrml.print,
    propose_fix=propose_fix,
)
