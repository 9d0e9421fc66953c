"""A toy format, as a package outside unibody would add it: links that are boxes, and their joints."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.formats.format import (
    Declarations,
    EditorSchema,
    Format,
    Reader,
    ReadOption,
    WriteOption,
    Writer,
)

SAMPLE = """\
<!-- a door -->
<toy name="door">
  <link name="frame" size="0.1 0.1 2"/>
  <link name="leaf" mass="20" size="0.04 0.9 1.9"/>
  <hinge name="hinge" parent="frame" child="leaf" xyz="0 0.05 0" axis="0 0 1" low="0" high="1.75"/>
</toy>
"""


def _declarations() -> Declarations:
    from tests.formats.toy.document import Toy

    return Declarations(root=Toy, title="Toys: all elements and attributes")


def _reader() -> Reader:
    from tests.formats.toy.read import READER

    return READER


def _writer() -> Writer:
    from tests.formats.toy.write import WRITER

    return WRITER


def _samples() -> Mapping[str, str]:
    return {"door.toy": SAMPLE}


FORMAT = Format(
    name="toy",
    title="Toy",
    suffixes=(".toy",),
    magic=("<toy",),
    syntax="xml",
    up="y",
    declarations=_declarations,
    reader=_reader,
    writer=_writer,
    schema=EditorSchema(file="toy.xsd", tag="toy"),
    read_options=(
        ReadOption(name="unit", form="word", choices=("m", "mm"), help="unit of lengths in a toy"),
    ),
    options=(WriteOption(name="masses", choices=("all", "none"), help="which masses a toy output has"),),
    docs="formats/toy.md",
    samples=_samples,
)
