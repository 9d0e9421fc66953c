"""OpenHRP model files: robots in VRML97."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.formats.format import Declarations, Format, Reader, Writer


def _declarations() -> Declarations:
    from unibody.formats.openhrp.document import NODES, OWN, File

    return Declarations(root=File, nodes=NODES, own=OWN, title="OpenHRP: all nodes and fields")


def _reader() -> Reader:
    from unibody.formats.openhrp.reader import READER

    return READER


def _writer() -> Writer:
    from unibody.formats.openhrp.write import WRITER

    return WRITER


def _samples() -> Mapping[str, str]:
    from unibody.formats.openhrp.samples import SAMPLES

    return SAMPLES


FORMAT = Format(
    name="openhrp",
    title="OpenHRP VRML97",
    suffixes=(".wrl",),
    magic=("#VRML V2.0",),
    syntax="vrml",
    brackets="{}[]",
    declarations=_declarations,
    reader=_reader,
    writer=_writer,
    docs="formats/openhrp.md",
    rules="OpenHRP model files",
    samples=_samples,
)
