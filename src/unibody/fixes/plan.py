"""What is to be written to which files, and how the model is read that it was made for."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from unibody.files.access import FileError, Files
from unibody.files.atomic import Stage
from unibody.fixes.case import FindingFix, Refused
from unibody.fixes.diff import unified
from unibody.formats.loader import Reading
from unibody.text.edit import Edit
from unibody.text.finding import Finding
from unibody.text.source import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """How a model is read: its path, and the settings of ``ub.read``; ``mute`` are codes to leave alone."""

    path: str
    format: str | None = None
    files: Files = field(default_factory=Files)
    arguments: Mapping[str, str] = field(default_factory=dict)
    mute: Collection[str] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What reading and checking a model gave."""

    reading: Reading
    findings: list[Finding]


@dataclass(frozen=True, slots=True)
class Change:
    """One file: its text as read, its bytes before and after, and the edits with their remedies.

    ``after`` is None when the file's encoding cannot say what is to be written; no Fix has such a one.
    """

    source: Source
    before: bytes
    after: bytes | None
    edits: tuple[tuple[Edit, FindingFix], ...]

    @property
    def name(self) -> str:
        """The path as the model's findings show it."""
        return self.source.name

    def diff(self) -> list[str]:
        """The lines of the unified diff; hunks are headed by what they fix."""
        return unified(self.source, [(edit, one.note) for edit, one in self.edits])


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """The remedies of a model's findings, none of them written yet.

    ``remedies`` have been tried in memory: each fixes its finding and brings no new one. ``refused``
    are findings that have a remedy which cannot be used here, and why. ``left`` are warnings about what
    a remedy uncovers: text that was not read before, such as the value of a misspelt key.
    """

    path: str
    fixes: tuple[FindingFix, ...] = ()
    refused: tuple[Refused, ...] = ()
    left: tuple[Finding, ...] = ()
    changes: tuple[Change, ...] = ()

    def diff(self) -> str:
        """The unified diff of all files; "" when there is nothing to do."""
        return "".join(f"{line}\n" for change in self.changes for line in change.diff())

    def write(self) -> list[str]:
        """Write the files, each as a whole, and give their paths; OSError when that cannot be.

        A file that has changed since it was read is not written over (OSError). None is replaced before
        all are on the disk under other names.
        """
        files = Files()
        for change in self.changes:
            try:
                now = files.read(change.name)
            except FileError as e:
                raise OSError(e.finding.message) from None
            if now != change.before:
                raise OSError(f"{change.name} has changed since it was read")
        new = {os.path.realpath(c.name): c.after for c in self.changes if c.after is not None}
        with Stage(next(reversed(new), "")) as stage:
            for path, data in new.items():
                stage.add(path, data)
            for path in new:
                stage.put(path, True)
        return [change.name for change in self.changes]
