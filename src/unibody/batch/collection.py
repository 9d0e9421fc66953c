"""Finds the model files that files, folders and patterns name, in an order that is always the same."""

from __future__ import annotations

import errno
import glob
import json
import os
import stat
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
    ``has_named``: a file was named itself.
    """

    def __init__(self) -> None:
        self._list = tempfile.SpooledTemporaryFile(max_size=_IN_MEMORY)  # noqa: SIM115
        weakref.finalize(self, self._list.close)
        self._count = 0
        self.skipped = 0
        self.has_named = False
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
    left_out: str | None = None,
) -> Collection:
    """The files that operands name: files as they are, and models in folders, below them, and of patterns.

    A file comes once, in the order of the operands, those of a folder sorted by name. Folders whose name
    begins with a dot, and links to folders, are not entered. ``recognized`` tells whether a file of a
    folder or of a pattern is a model, unless it is named itself; ``found`` is told how many there are so
    far. ``left_out`` is a folder that is not entered, since the outputs are written into it.
    """
    out = Collection()
    operands = list(operands)
    search = _Search(out, recognized, found, left_out)
    search.name(operands)
    for operand in operands:
        search.add(operand)
    return out


class InnerPaths:
    """The paths of files below the folders that were given, or the fixed parts of patterns.

    >>> InnerPaths(["robots"])("robots/a/arm.urdf"), InnerPaths(["robots/*/*.urdf"])("robots/a/arm.urdf")
    ('a/arm.urdf', 'a/arm.urdf')
    >>> InnerPaths(["robots/a/arm.urdf"])("robots/a/arm.urdf")
    'arm.urdf'
    """

    def __init__(self, operands: Iterable[str]) -> None:
        self._given = frozenset(operands)
        self._folders = frozenset(map(_folder_of, self._given))

    def is_given(self, path: str) -> bool:
        """Whether a file was named itself."""
        return path in self._given

    def __call__(self, path: str) -> str:
        """The path of a file below its folder; its name if the file was named itself."""
        if path in self._given:
            return os.path.basename(path)
        ends = [number + 1 for number, letter in enumerate(path) if letter in (os.sep, os.altsep)]
        for end in ends:
            if path[:end] in self._folders:
                return os.path.relpath(path, path[:end])
        is_below_here = "" in self._folders and not os.path.isabs(path)
        return os.path.relpath(path) if is_below_here else os.path.basename(path)


def _is_pattern(operand: str) -> bool:
    return any(mark in operand for mark in _MARKS) and not os.path.lexists(operand)


def _folder_of(operand: str) -> str:
    """An operand as a folder; of a pattern the folder that all its matches are in."""
    while _is_pattern(operand):
        operand = os.path.dirname(operand)
    return os.path.join(operand, "") if operand else ""


class _Search:
    def __init__(
        self,
        out: Collection,
        recognized: Callable[[str], bool],
        found: Callable[[int], None] | None,
        left_out: str | None,
    ) -> None:
        self._out, self._recognized, self._found = out, recognized, found
        self._left_out = left_out and os.path.abspath(left_out)
        # The files that are named themselves, and whether they have been added.
        self._named: dict[str, bool] = {}
        # The files that patterns gave, and the folders that were searched.
        self._matched: set[str] = set()
        self._folders: set[str] = set()
        self._noted: set[str] = set()

    def name(self, operands: Iterable[str]) -> None:
        """Note the files that are named themselves, which are read whatever they are."""
        self._named.update((os.path.abspath(one), False) for one in operands if not os.path.isdir(one))
        self._out.has_named = any(map(os.path.isfile, self._named))

    def add(self, operand: str) -> None:
        if os.path.isdir(operand):
            self._folder(operand)
        elif _is_pattern(operand):
            self._pattern(operand)
        elif os.path.islink(operand) and not os.path.exists(operand):
            self._unseen(operand)
        elif not self._named[whole := os.path.abspath(operand)]:
            self._named[whole] = True
            self._put(operand)

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
                continue
            whole = os.path.abspath(match)
            if whole not in self._matched and not self._was_searched(os.path.dirname(whole)):
                self._matched.add(whole)
                self._found_file(match, whole)

    def _folder(self, folder: str) -> None:
        whole = os.path.abspath(folder)
        if not self._was_searched(whole):
            for path in self._walk(folder):
                if (found := os.path.abspath(path)) not in self._matched:
                    self._found_file(path, found)
            self._folders.add(whole)

    def _found_file(self, path: str, whole: str) -> None:
        """Add a file that was found if it is a model, or named itself."""
        try:
            mode = os.stat(path).st_mode
        except OSError:
            self._unseen(path)
            return
        if whole in self._named:
            if not self._named[whole]:
                self._named[whole] = True
                self._put(path)
        elif stat.S_ISREG(mode) and self._recognized(path):
            self._put(path)
        else:
            self._out.skipped += 1

    def _was_searched(self, whole: str) -> bool:
        """Whether a folder is one that was searched, or below one in a folder that was entered."""
        while self._folders and whole not in self._folders:
            above, name = os.path.split(whole)
            if not name or name.startswith(".") or os.path.islink(whole) or whole == self._left_out:
                return False
            whole = above
        return bool(self._folders)

    def _walk(self, folder: str) -> Iterator[str]:
        """The files in a folder and below, sorted, without those of folders that were searched."""
        todo = [iter(self._listed(folder))]
        while todo:
            entry = next(todo[-1], None)
            if entry is None:
                todo.pop()
            elif not _is_folder(entry):
                yield entry.path
            elif not entry.name.startswith(".") and not entry.is_symlink() and self._enters(entry.path):
                todo.append(iter(self._listed(entry.path)))

    def _enters(self, folder: str) -> bool:
        whole = os.path.abspath(folder)
        return whole not in self._folders and whole != self._left_out

    def _listed(self, folder: str) -> list[os.DirEntry[str]]:
        """The entries of a folder, sorted by name."""
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self._out.problems.append(Problem(folder, _unreadable(error)))
            return []

    def _unseen(self, path: str) -> None:
        """Note a file that cannot be looked at."""
        if (whole := os.path.abspath(path)) in self._noted:
            return
        self._noted.add(whole)
        try:
            os.stat(path)
        except OSError as error:
            why = f"the file cannot be looked at: {error.strerror or error}"
            if error.errno == errno.ENOENT and os.path.islink(path):
                why = f"the link leads to {os.readlink(path)}, which is not there"
            elif error.errno == errno.ELOOP:
                why = "the link leads to itself"
            self._out.problems.append(Problem(path, why))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder, or a link to one."""
    try:
        return entry.is_dir()
    except OSError:  # a link that leads to itself
        return False


def _unreadable(error: OSError) -> str:
    if error.errno == errno.EACCES:
        return "the folder cannot be read: its permissions do not allow it"
    return f"the folder cannot be read: {error.strerror or error}"
