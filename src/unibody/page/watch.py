"""Waits for a model to change on disk: its file, and every file that reading it accessed."""

from __future__ import annotations

import os
import stat
import threading
from dataclasses import field
from typing import Literal

from unibody.files.access import Buffer, Files
from unibody.text.dataclass import dataclass
from unibody.text.source import Span

# Polling interval in s; a file that is still being written changes in between.
_EVERY = 0.25

Stamp = tuple[int, int, int] | None
Kind = Literal["file", "directory", "other", ""]


@dataclass(frozen=True)
class NotingFiles(Files):
    """File access that records in ``seen`` the stamps of all accessed files, taken before reading."""

    seen: dict[str, Stamp] = field(default_factory=dict)

    def kind(self, path: str) -> Kind:
        """The kind of entry at a path, "" if there is none; never raises."""
        self._note(path)
        return super().kind(path)

    def read(self, path: str, at: Span | None = None) -> bytes:
        """The bytes of a file; FileError with a finding at ``at`` if it cannot be read."""
        self._note(path)
        return super().read(path, at)

    def read_into(self, buffer: Buffer, path: str, at: Span | None = None) -> memoryview:
        """Like :meth:`read`, into a buffer that the next call overwrites."""
        self._note(path)
        return super().read_into(buffer, path, at)

    def _note(self, path: str) -> None:
        # Taken before reading, so that a change meanwhile is noticed.
        if path not in self.seen:
            self.seen[path] = stamp(path)


def stamp(path: str) -> Stamp:
    """The stamp of a version of a file; None for directories and missing files."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    # A directory changes with every file written beside the model.
    return None if stat.S_ISDIR(found.st_mode) else (found.st_mtime_ns, found.st_size, found.st_ino)


def wait_for_change(before: dict[str, Stamp], stop: threading.Event, every: float = _EVERY) -> bool:
    """Wait until one of the files differs from ``before`` and has settled.

    False if ``stop`` is set first.
    """
    seen = before
    while not stop.wait(every):
        now = {path: stamp(path) for path in before}
        if now != before and now == seen:
            return True
        seen = now
    return False
