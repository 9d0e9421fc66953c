"""What a mechanical remedy is: edits of the file's own text that cure one finding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from unibody.files.access import Files
from unibody.formats.loader import Reading
from unibody.text import edit as text_edit
from unibody.text.edit import Edit
from unibody.text.finding import Finding
from unibody.text.source import Source, Span


@dataclass(frozen=True, slots=True)
class Case:
    """A finding with a place, and what was read when it was found."""

    finding: Finding
    at: Span
    reading: Reading
    files: Files

    @property
    def source(self) -> Source:
        """The text that the finding is about."""
        return self.at.source

    @property
    def text(self) -> str:
        """The characters at its place."""
        return self.at.text

    @property
    def format(self) -> str:
        """The name of the format."""
        return self.reading.format.name if self.reading.format is not None else ""


def Made(says: str, edits: tuple[Edit, ...], safe: bool = True) -> text_edit.Cure:  # noqa: N802
    """Old name."""
    return text_edit.Cure(says, edits, safe)


@dataclass(frozen=True, slots=True)
class Cure:
    """How the findings of one code are cured: the function, and what it does in general.

    ``kinds`` says what it makes: "safe", "suggested", or both. ``leftover`` says that what the finding
    is about means nothing and is kept as an extra all the same, which then changes with it.
    """

    make: Callable[[Case], text_edit.Cure | None]
    does: str
    kinds: tuple[str, ...] = ("safe",)
    leftover: bool = False


@dataclass(frozen=True, slots=True)
class Remedy:
    """A finding and the edits that cure it. ``safe`` says that the robot stays the same."""

    finding: Finding
    says: str
    edits: tuple[Edit, ...]
    safe: bool

    @property
    def note(self) -> str:
        """The code and what is done, in a line."""
        return f"{self.finding.code}: {self.says}"


@dataclass(frozen=True, slots=True)
class Refused:
    """A finding that has a remedy which is not used, and why."""

    finding: Finding
    why: str
