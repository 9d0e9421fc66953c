"""USD, the format of Isaac Sim, Newton and Omniverse: robots as UsdPhysics describes them."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.formats.format import Declarations, Format, Reader, WriteOption, Writer

# Folders in which tools put the layers of which a stage is composed.
_PARTS = ("payload", "payloads", "configuration")
# The folders of written stages.
_FILES = (".usda_files", ".usd_files")


def _declarations() -> Declarations:
    from unibody.formats.usd.document import OWN, TYPES, Stage

    return Declarations(root=Stage, nodes=TYPES, own=OWN, title="USD: all schemas, attributes and metadata")


def _reader() -> Reader:
    from unibody.formats.usd.reader import READER

    return READER


def _writer() -> Writer:
    from unibody.formats.usd.write import WRITER

    return WRITER


def _samples() -> Mapping[str, str]:
    from unibody.formats.usd.samples import SAMPLES

    return SAMPLES


def _is_part(path: str, text: str) -> bool:
    """Whether a layer is made to be composed with others, by its folder."""
    folders = path.replace("\\", "/").lower().split("/")[:-1]
    return any(folder in _PARTS or folder.endswith(_FILES) for folder in folders[-1:])


FORMAT = Format(
    name="usd",
    title="USD",
    suffixes=(".usda", ".usd", ".usdc", ".usdz"),
    magic=("#usda",),
    binary=(b"PXR-USDC", b"PK\x03\x04"),
    is_part=_is_part,
    syntax="usda",
    declarations=_declarations,
    reader=_reader,
    writer=_writer,
    options=(
        WriteOption(
            name="drives",
            choices=("hold",),
            help="joints of a USD output have drives that hold their initial positions",
        ),
    ),
    docs="formats/usd.md",
    rules="USD",
    samples=_samples,
)
