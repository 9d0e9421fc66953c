"""MPK, the Motion Planning Kit: robots (.rob), scenes (.iv) and plans (.pln)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from unibody.formats.arguments import ARGUMENTS
from unibody.formats.format import Declarations, Format, Reader, Writer

if TYPE_CHECKING:
    from unibody.formats.mpk.plan import Plan, read_plan, write_plan

__all__ = ["FORMAT", "SCENE", "Plan", "read_plan", "write_plan"]


def __getattr__(name: str) -> Any:
    # imported on first use, as the modules of the formats are
    if name not in ("Plan", "read_plan", "write_plan"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from unibody.formats.mpk import plan

    return getattr(plan, name)


def _declarations() -> Declarations:
    from unibody.formats.mpk.document import OWNERS, Robot

    return Declarations(root=Robot, title="MPK robots: all blocks and keywords", owners=OWNERS)


def _reader() -> Reader:
    from unibody.formats.mpk.reader import READER

    return READER


def _writer() -> Writer:
    from unibody.formats.mpk.write import WRITER

    return WRITER


def _samples() -> Mapping[str, str]:
    from unibody.formats.mpk.samples import SAMPLES

    return SAMPLES


FORMAT = Format(
    name="mpk",
    title="MPK robot",
    suffixes=(".rob",),
    magic=("#MPK",),
    syntax="rob",
    brackets="{}",
    declarations=_declarations,
    reader=_reader,
    writer=_writer,
    read_options=(ARGUMENTS,),
    docs="formats/mpk.md",
    rules="MPK robots and plans",
    samples=_samples,
    pairs="enabled",
)


def _scene_declarations() -> Declarations:
    from unibody.formats.inventor.document import Model
    from unibody.formats.inventor.nodes import TABLE
    from unibody.formats.mpk.scene_document import NODES

    return Declarations(root=Model, nodes={**TABLE, **NODES}, own=NODES)


def _scene_reader() -> Reader:
    from unibody.formats.mpk.scene_reader import READER

    return READER


def _scene_samples() -> Mapping[str, str]:
    from unibody.formats.mpk.samples import SCENES

    return SCENES


SCENE = Format(
    name="mpk-scene",
    title="MPK scene",
    suffixes=(".iv",),
    magic=("#Inventor",),
    marks=("mpkRobot", "mpkObstacle", "mpkIncludeFile"),
    syntax="inventor",
    brackets="{}[]",
    up="y",
    declarations=_scene_declarations,
    reader=_scene_reader,
    docs="formats/mpk.md",
    samples=_scene_samples,
)
