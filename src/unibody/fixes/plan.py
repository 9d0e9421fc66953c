"""Fixes of a model, the files they change, and the settings for reading the model."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import dataclass, field

from unibody.files.access import FileError, Files
from unibody.files.atomic import Stage
from unibody.fixes.diff import unified
from unibody.formats.format import Format
from unibody.formats.loader import Reading
from unibody.formats.read_options import ReadOptions
from unibody.text.edit import Edit, ProposedFix
from unibody.text.finding import Finding
from unibody.text.source import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """Path and reading settings of a model, as for ``ub.read``; ``mute`` are codes to ignore."""

    path: str
    format: str | Format | None = None
    options: ReadOptions = field(default_factory=ReadOptions)
    mute: Collection[str] = ()

    @property
    def files(self) -> Files:
        """The access to its files."""
        return self.options.files


@dataclass(frozen=True, slots=True)
class Seen:
    """Result of reading and checking a model."""

    reading: Reading
    findings: list[Finding]


@dataclass(frozen=True, slots=True)
class FindingFix:
    """A finding with its fix."""

    finding: Finding
    fix: ProposedFix

    @property
    def note(self) -> str:
        """Code of the finding and title of the fix, in one line."""
        return f"{self.finding.code}: {self.fix.title}"


@dataclass(frozen=True, slots=True)
class Refused:
    """A finding whose fix was rejected, and why; ``causes`` is the code of an error it would cause."""

    finding: Finding
    why: str
    causes: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """Changes of one file: the text as read, the bytes before and after, and the edits with their fixes.

    An edit has several fixes if they change the same place one after another.
    ``after`` is None if the file's encoding cannot represent the new text; never in ``Fix.changes``.
    """

    source: Source
    before: bytes
    after: bytes | None
    edits: tuple[tuple[Edit, tuple[FindingFix, ...]], ...]

    @property
    def name(self) -> str:
        """The path as shown in findings."""
        return self.source.name

    def diff(self) -> list[str]:
        """The lines of the unified diff; each hunk header lists its fixes."""
        notes = [(edit, [owner.note for owner in owners]) for edit, owners in self.edits]
        return unified(self.source, notes)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """The fixes of a model's findings; call :meth:`write` to write them.

    ``fixes`` are verified in memory: each removes its finding and causes no new error. ``refused`` are
    findings whose fix was rejected, with the reason. ``left`` are warnings about text that was ignored
    or misread before the fixes, such as the value of a misspelled key.
    """

    path: str
    fixes: tuple[FindingFix, ...] = ()
    refused: tuple[Refused, ...] = ()
    left: tuple[Finding, ...] = ()
    changes: tuple[Change, ...] = ()

    def __str__(self) -> str:
        """The diff, and which fixes were refused, for people."""
        refused = "".join(f"not fixed: {x.finding}: {x.why}\n" for x in self.refused)
        return (self.diff() + refused).rstrip("\n") or "nothing to fix"

    def diff(self) -> str:
        """The unified diff of all files; "" without changes."""
        return "".join(f"{line}\n" for change in self.changes for line in change.diff())

    def write(self) -> list[str]:
        """Write the changed files and return their paths.

        All new contents are first written to temporary files, then moved into place. OSError if writing
        fails, or if a file has changed since it was read.
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
