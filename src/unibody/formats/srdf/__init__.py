"""SRDF, what MoveIt knows of the robot of a URDF: groups, postures, and pairs that never collide."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from unibody.formats.arguments import ARGUMENTS
from unibody.formats.format import Context, Declarations, EditorSchema, Format, Reader, Writer

if TYPE_CHECKING:
    from unibody.model.robot import Robot


def _declarations() -> Declarations:
    from unibody.formats.srdf import document

    return Declarations(
        root=document.Robot, title="SRDF: all elements and attributes", owners=document.OWNERS
    )


def _reader() -> Reader:
    from unibody.formats.srdf.reader import READER

    return READER


def _writer() -> Writer:
    from unibody.formats.srdf.write import WRITER

    return WRITER


def _complete() -> Callable[[Robot, Context], Robot]:
    from unibody.formats.srdf.beside import with_srdf

    return with_srdf


def _samples() -> Mapping[str, str]:
    from unibody.formats.srdf.samples import SAMPLES

    return SAMPLES


FORMAT = Format(
    name="srdf",
    title="SRDF",
    suffixes=(".srdf", ".srdf.xacro"),
    syntax="xml",
    declarations=_declarations,
    reader=_reader,
    writer=_writer,
    read_options=(ARGUMENTS,),
    completes="urdf",
    complete=_complete,
    schema=EditorSchema(file="srdf.xsd", closed="srdf-closed.xsd", tag="robot"),
    docs="formats/srdf.md",
    rules="SRDF",
    samples=_samples,
    pairs="disabled",
    descriptions=("SRDF_PATH", "SRDF_XACRO_PATH"),
)
