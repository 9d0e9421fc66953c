"""The reader of MPK scenes: Open Inventor with robots and obstacles."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.formats.inventor import document as inventor
from unibody.formats.inventor.reader import READER as INVENTOR
from unibody.formats.mpk.scene import bind_scene, expand_scene, to_robot
from unibody.model.robot import Robot
from unibody.model.scene import Scene


def _to_robot(doc: Document, context: Context) -> Robot | Scene | None:
    return to_robot(cast(inventor.Model, doc), context)


READER = replace(
    INVENTOR,
    expand=expand_scene,
    bind=bind_scene,
    to_robot=_to_robot,
)
