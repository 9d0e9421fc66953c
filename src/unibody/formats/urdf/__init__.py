"""URDF, the robot description format of ROS, with xacro."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.formats.format import Declarations, EditorSchema, Format, Reader, Writer


def _declarations() -> Declarations:
    from unibody.formats.urdf.document import Robot

    return Declarations(root=Robot, title="URDF: all elements and attributes")


def _reader() -> Reader:
    from unibody.formats.urdf.reader import READER

    return READER


def _writer() -> Writer:
    from unibody.formats.urdf.write import WRITER

    return WRITER


def _samples() -> Mapping[str, str]:
    from unibody.formats.urdf.samples import SAMPLES

    return SAMPLES


FORMAT = Format(
    name="urdf",
    title="URDF",
    suffixes=(".urdf", ".xacro"),
    magic=("<robot",),
    syntax="xml",
    declarations=_declarations,
    reader=_reader,
    writer=_writer,
    schema=EditorSchema(file="urdf.xsd", closed="urdf-closed.xsd"),
    docs="formats/urdf.md",
    rules="URDF and xacro",
    samples=_samples,
)
