"""Open Inventor 2 and VRML 1.0: nodes that change a traversal state and draw with it."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.formats.format import Declarations, Format, Reader


def _declarations() -> Declarations:
    from unibody.formats.inventor.document import Model
    from unibody.formats.inventor.nodes import TABLE

    return Declarations(root=Model, nodes=TABLE, title="Open Inventor and VRML 1.0: all nodes and fields")


def _reader() -> Reader:
    from unibody.formats.inventor.reader import READER

    return READER


def _is_vrml97(text: str) -> bool:
    from unibody.text.vrml.version import has_nodes_of_97

    return has_nodes_of_97(text)


def _samples() -> Mapping[str, str]:
    from unibody.formats.inventor.samples import SAMPLES

    return SAMPLES


def _is_part(path: str, text: str) -> bool:
    """Every file without marks of MPK is a mesh."""
    return True


FORMAT = Format(
    name="inventor",
    title="Open Inventor, VRML 1.0",
    suffixes=(".iv",),
    magic=("#Inventor", "#VRML V1.0"),
    is_other=_is_vrml97,
    syntax="inventor",
    is_part=_is_part,
    brackets="{}[]",
    up="y",  # the default camera of Inventor, and the worlds of VRML (ISO 14772-1, 4.4.5)
    declarations=_declarations,
    reader=_reader,
    docs="formats/inventor.md",
    rules="Open Inventor and VRML 1.0",
    samples=_samples,
)
