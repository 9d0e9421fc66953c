"""OpenHRP model files: robots in VRML97."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from unibody.formats.format import Declarations, Format, Reader, Up, Writer

if TYPE_CHECKING:
    from unibody.document.declare import Document


def _declarations() -> Declarations:
    from unibody.formats.openhrp.document import NODES, OWN, OWNERS, File

    title = "OpenHRP: all nodes and fields"
    return Declarations(root=File, nodes=NODES, own=OWN, title=title, owners=OWNERS)


def _reader() -> Reader:
    from unibody.formats.openhrp.reader import READER

    return READER


def _writer() -> Writer:
    from unibody.formats.openhrp.write import WRITER

    return WRITER


def _up_in() -> Callable[[Document], Up]:
    from unibody.formats.openhrp.read import up_axis

    return up_axis


def _samples() -> Mapping[str, str]:
    from unibody.formats.openhrp.samples import SAMPLES

    return SAMPLES


# A robot, not its PROTO.
_HUMANOID = re.compile(r"\bHumanoid\s*\{")


def _is_part(path: str, text: str) -> bool:
    """A scene without a robot: a mesh of one."""
    return _HUMANOID.search(text) is None


FORMAT = Format(
    name="openhrp",
    title="OpenHRP VRML97",
    suffixes=(".wrl",),
    magic=("#VRML V2.0",),
    syntax="vrml",
    is_part=_is_part,
    brackets="{}[]",
    up_in=_up_in,
    declarations=_declarations,
    reader=_reader,
    writer=_writer,
    docs="formats/openhrp.md",
    rules="OpenHRP model files",
    samples=_samples,
)
