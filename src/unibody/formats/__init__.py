"""The formats, as a literal table; a format's module is imported when it is first used."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import cast

from unibody.formats.format import Context, Format

__all__ = ["FORMATS", "Context", "Entry", "Format", "by_name", "detect"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A format's name and title, its suffixes, how its files begin, and its module."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    magic: tuple[str, ...]
    module: str

    def load(self) -> Format:
        """The format itself; its module is imported here."""
        return cast(Format, import_module(self.module).FORMAT)


FORMATS = (
    Entry(
        "body",
        "Choreonoid Body",
        (".body", ".yaml", ".yml"),
        ("format: ChoreonoidBody",),
        "unibody.formats.body.format",
    ),
    Entry("urdf", "URDF", (".urdf", ".xacro"), ("<robot",), "unibody.formats.urdf.format"),
)


def by_name(name: str) -> Entry | None:
    """The format of that name."""
    return next((e for e in FORMATS if e.name == name), None)


def detect(path: str, head: str) -> Entry | None:
    """The format of a file, by its suffix (letter case forgiven), else by how its text begins."""
    lower = path.lower()
    for entry in FORMATS:
        if lower.endswith(entry.suffixes):
            return entry
    return next((e for e in FORMATS if any(m in head for m in e.magic)), None)
