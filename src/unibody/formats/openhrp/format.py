"""OpenHRP model files as a Format."""

from __future__ import annotations

from typing import cast

from unibody.document.declare import Document
from unibody.formats.format import Context, Format
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.read import bind_file, expand_file, to_robot
from unibody.model.robot import Robot
from unibody.text import vrml
from unibody.text.node import Value
from unibody.text.source import Source


def _parse(source: Source, context: Context) -> Value:
    return vrml.parse(source, context.findings)


def _to_robot(doc: Document, context: Context) -> Robot | None:
    return to_robot(cast(d.File, doc), context)


FORMAT = Format(
    name="openhrp",
    title="OpenHRP VRML97",
    suffixes=(".wrl",),
    parse=_parse,
    expand=expand_file,
    bind=bind_file,
    to_robot=_to_robot,
    print=vrml.print,
)
