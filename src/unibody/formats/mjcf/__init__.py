"""MJCF, the model format of MuJoCo."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.formats.format import Declarations, EditorSchema, Format, Reader, Writer


def _declarations() -> Declarations:
    from unibody.formats.mjcf.document import OWNERS, Mujoco

    return Declarations(root=Mujoco, title="MJCF: all elements and attributes", owners=OWNERS)


def _reader() -> Reader:
    from unibody.formats.mjcf.reader import READER

    return READER


def _writer() -> Writer:
    from unibody.formats.mjcf.write import WRITER

    return WRITER


def _samples() -> Mapping[str, str]:
    from unibody.formats.mjcf.samples import SAMPLES

    return SAMPLES


FORMAT = Format(
    name="mjcf",
    title="MJCF",
    suffixes=(".xml",),
    magic=("<mujoco",),
    syntax="xml",
    declarations=_declarations,
    reader=_reader,
    writer=_writer,
    schema=EditorSchema(file="mjcf.xsd", closed="mjcf.xsd", tag="mujoco", include="include", strict=True),
    docs="formats/mjcf.md",
    rules="MJCF",
    samples=_samples,
)
