"""The formats, as a literal table; a format's module is imported when it is first used."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import cast

from unibody.formats.format import Context, Format

__all__ = ["FORMATS", "Context", "Entry", "Format", "by_name", "detect"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A format's name and title, its suffixes, how its files begin, and its module.

    ``marks`` are words that tell it from another format whose files begin in the same way.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    magic: tuple[str, ...]
    module: str
    marks: tuple[str, ...] = ()

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
    Entry("openhrp", "OpenHRP VRML97", (".wrl",), ("#VRML V2.0",), "unibody.formats.openhrp.format"),
    Entry(
        "inventor",
        "Open Inventor, VRML 1.0",
        (".iv",),
        ("#Inventor", "#VRML V1.0"),
        "unibody.formats.inventor.format",
    ),
    Entry("mpk", "MPK robot", (".rob",), ("#MPK",), "unibody.formats.mpk.format"),
    Entry(
        "mpk-scene",
        "MPK scene",
        (".iv",),
        ("#Inventor",),
        "unibody.formats.mpk.scene_format",
        ("mpkRobot", "mpkObstacle", "mpkIncludeFile"),
    ),
)


def by_name(name: str) -> Entry | None:
    """The format of that name."""
    return next((e for e in FORMATS if e.name == name), None)


def detect(path: str, head: str, text: str = "") -> Entry | None:
    """The format of a file, by its suffix (letter case forgiven), else by how its text begins.

    A first line such as ``#VRML V2.0`` tells whatever the suffix is. Of several formats with that
    suffix, the one whose beginning the text has, else the first. A format with marks is that of a file
    that begins like its files and has one of the marks anywhere in its ``text``.
    """
    line = head.lstrip("\ufeff \t\r\n")
    for entry in FORMATS:
        if line.startswith(entry.magic) and any(mark in text for mark in entry.marks):
            return entry
    known = [entry for entry in FORMATS if not entry.marks]
    for entry in known:
        if line.startswith(tuple(m for m in entry.magic if m.startswith("#"))):
            return entry
    lower = path.lower()
    found = [e for e in known if lower.endswith(e.suffixes)]
    if len(found) == 1:
        return found[0]
    begun = [e for e in found or known if any(m in head for m in e.magic)]
    return next(iter(begun or found), None)
