"""What became of one file, as data that travels between processes and into a run record."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import blake2b
from typing import Any

# Bytes that are read at once for a digest.
_PIECE = 1 << 20
# The size of a file that is not there, and of one that cannot be looked at.
_ABSENT, _UNKNOWN = -1, -2


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as it was read: its size in bytes, time of change in ns, and the digest of its content.

    The digest is "" if the file could not be read, or changed while it was; such a state never holds again.
    A size of -1 states that there is no such file.
    """

    path: str
    size: int
    changed: int = 0
    digest: str = ""

    def holds(self) -> bool:
        """Whether the file still has this content; it is only read if its time of change differs."""
        try:
            now = os.stat(self.path)
        except (OSError, ValueError):
            return self.size == _ABSENT and not os.path.lexists(self.path)
        if not self.digest or now.st_size != self.size:
            return False
        return (
            now.st_mtime_ns == self.changed
            or digest(self.path, now.st_size, now.st_mtime_ns) == self.digest
        )

    def json(self) -> list[Any]:
        """The state as plain JSON data."""
        return [self.path, self.size, self.changed, self.digest]


def digest(path: str, size: int, changed: int) -> str:
    """The digest of a file's content, "" if it cannot be read.

    Files that many models read, such as meshes, are read once as long as size and time of change stay.
    """
    return _digest(os.path.abspath(path), size, changed)


@lru_cache(maxsize=4096)
def _digest(path: str, size: int, changed: int) -> str:
    made = blake2b(digest_size=16)
    try:
        with open(path, "rb") as file:
            while piece := file.read(_PIECE):
                made.update(piece)
    except (OSError, ValueError):
        return ""
    return made.hexdigest()


def states(paths: Iterable[str], before: int | None = None) -> tuple[FileState, ...]:
    """The states of files, sorted by path; one that changed at ``before`` (ns) or later has no digest.

    >>> [state.digest for state in states(["no/such/file"])]
    ['']
    """
    return tuple(_state(path, before) for path in sorted(set(paths)))


def _state(path: str, before: int | None) -> FileState:
    try:
        found = os.stat(path)
    except (OSError, ValueError):
        return FileState(path, _UNKNOWN if os.path.lexists(path) else _ABSENT)
    size, changed = found.st_size, found.st_mtime_ns
    is_old = before is None or changed < before
    return FileState(path, size, changed, digest(path, size, changed) if is_old else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileRecord:
    """The outcome of a function for one file.

    ``value`` is what the function returned, None if it failed; ``failure`` then says why, and ``findings``
    are those of what failed, as plain data (``Finding.json``). A function may return a FileRecord itself,
    to state findings beside its value, its output, and the files that it read. ``seconds`` is the time
    that it took.
    """

    path: str
    output: str = ""
    value: Any = None
    findings: tuple[dict[str, Any], ...] = ()
    failure: str = ""
    reads: tuple[FileState, ...] = ()
    seconds: float = field(default=0.0, compare=False)

    @property
    def ok(self) -> bool:
        """Whether the function returned a value."""
        return not self.failure

    def count(self, severity: str) -> int:
        """The number of findings of a severity; a failure is an error."""
        found = [f for f in self.findings if f["severity"] == severity]
        return len(found) + int(severity == "error" and bool(self.failure))

    def json(self) -> dict[str, Any]:
        """The record as plain JSON data, without its seconds."""
        return {
            "path": self.path,
            **({"output": self.output} if self.output else {}),
            "value": self.value,
            "findings": list(self.findings),
            "failure": self.failure,
            "reads": [state.json() for state in self.reads],
        }

    @staticmethod
    def of(data: Mapping[str, Any]) -> FileRecord:
        """The record of plain JSON data; KeyError, TypeError or ValueError if it is none."""
        return FileRecord(
            path=data["path"],
            output=data.get("output", ""),
            value=data["value"],
            findings=tuple(data["findings"]),
            failure=data["failure"],
            reads=tuple(FileState(*state) for state in data["reads"]),
        )


#: A function of a path whose values are recorded.
Work = Callable[[str], Any]
