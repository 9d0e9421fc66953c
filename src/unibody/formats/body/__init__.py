"""Choreonoid Body, in YAML."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.formats.arguments import ARGUMENTS
from unibody.formats.format import Declarations, EditorSchema, Format, Reader, Writer


def _declarations() -> Declarations:
    from unibody.formats.body.document import OWNERS, Body
    from unibody.formats.body.kept import DEVICES

    title = "Choreonoid Body: all elements and keys"
    return Declarations(root=Body, title=title, owners=OWNERS, devices=DEVICES)


def _reader() -> Reader:
    from unibody.formats.body.reader import READER

    return READER


def _writer() -> Writer:
    from unibody.formats.body.write import WRITER

    return WRITER


def _samples() -> Mapping[str, str]:
    from unibody.formats.body.samples import SAMPLES

    return SAMPLES


def _is_part(path: str, text: str) -> bool:
    """A YAML file of anything else."""
    return not path.lower().endswith(".body") and "ChoreonoidBody" not in text


FORMAT = Format(
    name="body",
    title="Choreonoid Body",
    suffixes=(".body", ".yaml", ".yml"),
    magic=("format: ChoreonoidBody",),
    syntax="yaml",
    is_part=_is_part,
    declarations=_declarations,
    reader=_reader,
    writer=_writer,
    fixed_names={"groups": ("link_group",), "configurations": ("standard_pose",)},
    # the short forms that expand.py resolves
    schema=EditorSchema(
        file="body.schema.json",
        mappings=frozenset(("links", "elements")),
        imports={"links": "import"},
    ),
    read_options=(ARGUMENTS,),  # of the models that it extends
    docs="formats/body.md",
    rules="Choreonoid Body",
    samples=_samples,
    pairs="disabled",
)
