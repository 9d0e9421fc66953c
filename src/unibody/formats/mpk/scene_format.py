"""MPK scenes as a Format: Open Inventor with robots and obstacles."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.formats.inventor import document as inventor
from unibody.formats.inventor.format import FORMAT as INVENTOR
from unibody.formats.mpk.scene import bind_scene, expand_scene, to_robot
from unibody.model.robot import Robot


def _to_robot(doc: Document, context: Context) -> Robot | None:
    return to_robot(cast(inventor.Model, doc), context)


FORMAT = replace(
    INVENTOR,
    name="mpk-scene",
    title="MPK scene",
    expand=expand_scene,
    bind=bind_scene,
    to_robot=_to_robot,
)
