"""Finds the model files that files, folders and patterns name, in an order that is always the same."""

from __future__ import annotations

import errno
import glob
import json
import os
import tempfile
import weakref
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from unibody.formats.recognition import is_model

# Bytes of the list that are kept in memory.
_IN_MEMORY = 1 << 20
_MARKS = "*?["


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that was named, or found in a folder, and cannot be looked at."""

    path: str
    why: str

    def __str__(self) -> str:
        return f"{self.path}: {self.why}"


class Collection:
    """The model files that were found; the list is on disk, so that a million of them takes no memory.

    ``skipped`` counts the files in folders that are no models, ``problems`` are what cannot be looked at.
    """

    def __init__(self) -> None:
        self._list = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
        weakref.finalize(self, self._list.close)
        self._count = 0
        self.skipped = 0
        self.problems: list[Problem] = []

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        place = 0
        while True:
            self._list.seek(place)
            line = self._list.readline()
            if not line:
                return
            place = self._list.tell()
            yield json.loads(line)

    def add(self, path: str) -> None:
        """Add a file at the end."""
        self._list.seek(0, os.SEEK_END)
        self._list.write(json.dumps(path).encode() + b"\n")
        self._count += 1


def collect(
    operands: Iterable[str],
    recognized: Callable[[str], bool] = is_model,
    found: Callable[[int], None] | None = None,
) -> Collection:
    """The files that operands name: files as they are, and models in folders, below them, and of patterns.

    A file comes once, in the order of the operands, those of a folder sorted by name. Folders whose name
    begins with a dot, and links to folders, are not entered. ``recognized`` tells whether a file of a
    folder or of a pattern is a model; ``found`` is told how many there are so far.
    """
    out = Collection()
    search = _Search(out, recognized, found)
    for operand in operands:
        search.add(operand)
    return out


def inner_path(path: str, operands: Iterable[str]) -> str:
    """The path of a file from the folder that was given, or the fixed part of a pattern; else its name.

    >>> inner_path("robots/a/arm.urdf", ["robots"]), inner_path("robots/a/arm.urdf", ["robots/*/*.urdf"])
    ('a/arm.urdf', 'a/arm.urdf')
    >>> inner_path("robots/a/arm.urdf", ["robots/a/arm.urdf"])
    'arm.urdf'
    """
    for operand in operands:
        if path == operand:
            break
        folder = operand
        while any(mark in folder for mark in _MARKS) and not os.path.lexists(folder):
            folder = os.path.dirname(folder)
        folder = os.path.join(folder, "")
        if path.startswith(folder) or (not folder and not os.path.isabs(path)):
            return os.path.relpath(path, folder or os.curdir)
    return os.path.basename(path)


class _Search:
    def __init__(
        self, out: Collection, recognized: Callable[[str], bool], found: Callable[[int], None] | None
    ) -> None:
        self._out, self._recognized, self._found = out, recognized, found
        # The files that were given, and the folders that were searched: files in these have been added.
        self._files: set[str] = set()
        self._folders: list[str] = []

    def add(self, operand: str) -> None:
        if os.path.isdir(operand):
            self._folder(operand)
        elif not os.path.lexists(operand) and any(mark in operand for mark in _MARKS):
            self._pattern(operand)
        elif os.path.islink(operand) and not os.path.exists(operand):
            self._broken(operand)
        else:
            self._file(operand)

    def _file(self, path: str) -> None:
        real = os.path.abspath(path)
        if real in self._files or any(real.startswith(folder) for folder in self._folders):
            return
        self._files.add(real)
        self._put(path)

    def _put(self, path: str) -> None:
        self._out.add(path)
        if self._found is not None:
            self._found(len(self._out))

    def _pattern(self, pattern: str) -> None:
        matches = sorted(glob.glob(pattern, recursive=True))
        if not matches:
            self._out.problems.append(Problem(pattern, "no file matches this pattern"))
        for match in matches:
            if os.path.isdir(match):
                # With ** the folders of a match come by themselves.
                if "**" not in pattern:
                    self._folder(match)
            elif not os.path.exists(match):
                self._broken(match)
            elif self._recognized(match):
                self._file(match)
            else:
                self._out.skipped += 1

    def _folder(self, folder: str) -> None:
        real = os.path.join(os.path.abspath(folder), "")
        if any(real.startswith(other) for other in self._folders):
            return
        for path in self._walk(folder):
            if os.path.abspath(path) not in self._files and not self._was_searched(path):
                if not os.path.exists(path):
                    self._broken(path)
                elif not os.path.isfile(path) or not self._recognized(path):
                    self._out.skipped += 1
                else:
                    self._put(path)
        self._folders.append(real)

    def _was_searched(self, path: str) -> bool:
        real = os.path.abspath(path)
        return any(real.startswith(folder) for folder in self._folders)

    def _walk(self, folder: str) -> Iterator[str]:
        """The files in a folder and below, sorted."""
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self._out.problems.append(Problem(folder, _unreadable(error)))
            return
        for entry in listed:
            if entry.is_dir(follow_symlinks=False):
                if not entry.name.startswith("."):
                    yield from self._walk(entry.path)
            elif not entry.is_dir():
                yield entry.path

    def _broken(self, path: str) -> None:
        self._out.problems.append(Problem(path, f"the link leads to {_goal(path)}, which is not there"))


def _unreadable(error: OSError) -> str:
    if error.errno == errno.EACCES:
        return "the folder cannot be read: its permissions do not allow it"
    return f"the folder cannot be read: {error.strerror or error}"


def _goal(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return "a file"
