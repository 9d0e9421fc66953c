"""SDF, the description format of Gazebo for models and worlds."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.formats.arguments import ARGUMENTS
from unibody.formats.format import (
    Declarations,
    EditorSchema,
    Format,
    Reader,
    WriteOption,
    Writer,
)
from unibody.formats.scenery import SCENE


def _declarations() -> Declarations:
    from unibody.formats.sdf.document import OWNERS, Sdf

    return Declarations(root=Sdf, title="SDF: all elements and attributes", owners=OWNERS)


def _reader() -> Reader:
    from unibody.formats.sdf.reader import READER

    return READER


def _writer() -> Writer:
    from unibody.formats.sdf.write import WRITER

    return WRITER


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
    writer=_writer,
    schema=EditorSchema(file="sdf.xsd", closed="sdf-closed.xsd", tag="sdf"),
    read_options=(ARGUMENTS,),
    options=(
        WriteOption(
            name="sdf_version",
            choices=("1.7", "1.8", "1.9", "1.10", "1.11", "1.12"),
            help="version of an SDF output (default: 1.11, or 1.12 if "
            "what is kept of an SDF source needs it); what an older one cannot say is written in "
            "other terms",
        ),
        WriteOption(
            name="merge_fixed",
            choices=("frames",),
            help="merge links of an SDF output that fixed joints hold, as Gazebo does when it loads URDF; "
            "their frames stay",
        ),
        SCENE,
    ),
    docs="formats/sdf.md",
    rules="SDF",
    samples=_samples,
)
