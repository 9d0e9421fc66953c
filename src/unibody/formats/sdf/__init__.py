"""SDF, the description format of Gazebo for models and worlds."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.formats.arguments import ARGUMENTS
from unibody.formats.format import Declarations, EditorSchema, Format, Reader


def _declarations() -> Declarations:
    from unibody.formats.sdf.document import OWNERS, Sdf

    return Declarations(root=Sdf, title="SDF: all elements and attributes", owners=OWNERS)


def _reader() -> Reader:
    from unibody.formats.sdf.reader import READER

    return READER


def _samples() -> Mapping[str, str]:
    from unibody.formats.sdf.samples import SAMPLES

    return SAMPLES


FORMAT = Format(
    name="sdf",
    title="SDF",
    suffixes=(".sdf", ".world", ".sdf.xacro"),
    magic=("<sdf",),
    syntax="xml",
    declarations=_declarations,
    reader=_reader,
    schema=EditorSchema(file="sdf.xsd", closed="sdf-closed.xsd", tag="sdf"),
    read_options=(ARGUMENTS,),
    docs="formats/sdf.md",
    rules="SDF",
    samples=_samples,
)
