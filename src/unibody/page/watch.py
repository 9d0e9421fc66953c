"""Waiting for a model to change on disk: the file, and all that reading it asked for."""

from __future__ import annotations

import os
import stat
import threading
from dataclasses import dataclass, field
from typing import Literal

from unibody.files.access import Buffer, Files
from unibody.text.source import Span

# How often the disk is asked, in s; a file that is still being written changes in between.
_EVERY = 0.25

Stamp = tuple[int, int, int] | None
Kind = Literal["file", "directory", "other", ""]


@dataclass(frozen=True)
class NotingFiles(Files):
    """The door to the disk; ``seen`` has the stamps of all that was asked for, from before it was read."""

    seen: dict[str, Stamp] = field(default_factory=dict)

    def kind(self, path: str) -> Kind:
        """What is there, "" for nothing; never raises."""
        self._note(path)
        return super().kind(path)

    def read(self, path: str, at: Span | None = None) -> bytes:
        """The bytes of a file; FileError with a finding at ``at`` when that cannot be."""
        self._note(path)
        return super().read(path, at)

    def read_into(self, buffer: Buffer, path: str, at: Span | None = None) -> memoryview:
        """As :meth:`read`, into memory that the next such call writes over."""
        self._note(path)
        return super().read_into(buffer, path, at)

    def _note(self, path: str) -> None:
        # Before it is read: what changes meanwhile is seen as a change.
        if path not in self.seen:
            self.seen[path] = stamp(path)


def stamp(path: str) -> Stamp:
    """What tells a version of a file from the next; None for what is not there, or is a directory."""
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return None
    # A directory changes with everything that is written beside the model.
    return None if stat.S_ISDIR(found.st_mode) else (found.st_mtime_ns, found.st_size, found.st_ino)


def wait_for_change(before: dict[str, Stamp], stop: threading.Event, every: float = _EVERY) -> bool:
    """Wait until one of the files is another than in ``before``, and has been left alone for a while.

    False when ``stop`` came first.
    """
    seen = before
    while not stop.wait(every):
        now = {path: stamp(path) for path in before}
        if now != before and now == seen:
            return True
        seen = now
    return False
