"""File systems: the real one, and an in-memory one for tests; used through :mod:`unibody.files.access`."""

from __future__ import annotations

import errno
import io
import itertools
import os
import stat
from collections.abc import Callable, Iterable, Mapping
from typing import Literal, NamedTuple, Protocol

_NO_FILE = "not a regular file"
_HERE = os.path.join(os.sep, "memory", "here")

Kind = Literal["file", "directory", "other", ""]


class TooLargeError(OSError):
    """A file larger than the limit; ``size`` is its size in bytes, as far as known."""

    def __init__(self, size: int) -> None:
        super().__init__(errno.EFBIG, "too large")
        self.size = size


class Buffer:
    """Memory reused for one file after another, to allocate it once."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def of(self, size: int) -> memoryview:
        """The first ``size`` bytes; the next call overwrites them."""
        if len(self._bytes) < size:
            self._bytes = bytearray(size)
        return memoryview(self._bytes)[:size]


class Listing(NamedTuple):
    """The names of the folders and of the regular files in a directory, sorted."""

    folders: list[str]
    files: list[str]


class FileSystem(Protocol):
    """The file system operations of :class:`Files`; every method may raise OSError or ValueError."""

    def absolute(self, path: str) -> str:
        """The absolute path; symbolic links are kept."""

    def real(self, path: str) -> str:
        """The absolute path with symbolic links resolved."""

    def kind(self, path: str) -> Kind:
        """The kind of entry at a path; "" if there is none."""

    def names(self, path: str) -> list[str]:
        """Names of the entries of a directory."""

    def listing(self, path: str, most: int) -> Listing:
        """The folders and regular files in a directory, without links, of its first ``most`` entries."""

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a regular file; TooLargeError when there are more than ``limit``."""

    def read_into(self, buffer: Buffer, path: str, limit: int) -> memoryview:
        """Like :meth:`read`, into a buffer that the next call overwrites."""


class LocalFileSystem:
    """The real file system."""

    def absolute(self, path: str) -> str:
        """The absolute path; symbolic links are kept."""
        return os.path.abspath(path)

    def real(self, path: str) -> str:
        """The absolute path with symbolic links resolved."""
        return os.path.realpath(path)

    def kind(self, path: str) -> Kind:
        """The kind of entry at a path; "" if there is none."""
        mode = os.stat(path).st_mode
        return "file" if stat.S_ISREG(mode) else "directory" if stat.S_ISDIR(mode) else "other"

    def names(self, path: str) -> list[str]:
        """Names of the entries of a directory, sorted."""
        return sorted(os.listdir(path))

    def listing(self, path: str, most: int) -> Listing:
        """The folders and regular files in a directory, without links, of its first ``most`` entries."""
        with os.scandir(path) as entries:
            first = list(itertools.islice(entries, most))
        folders = sorted(e.name for e in first if e.is_dir(follow_symlinks=False))
        return Listing(folders, sorted(e.name for e in first if e.is_file(follow_symlinks=False)))

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a regular file; pipes and devices are rejected without waiting."""
        with _opened(path) as file:
            size = _size(file, limit)
            # read by size: reading up to the limit would allocate all of it for every file
            data = file.read(size + 1)
            if len(data) > size:  # the file grew meanwhile
                data += file.read(limit + 1 - len(data))
        if len(data) > limit:
            raise TooLargeError(len(data))
        return data

    def read_into(self, buffer: Buffer, path: str, limit: int) -> memoryview:
        """Like :meth:`read`, into a buffer that the next call overwrites."""
        with _opened(path) as file:
            view = buffer.of(_size(file, limit))
            held = 0
            while held < len(view) and (got := file.readinto(view[held:])):
                held += got
        return view[:held]


def _opened(path: str) -> io.BufferedReader:
    # Opening a device can have side effects; O_NONBLOCK in case a pipe replaces the file meanwhile.
    mode = os.stat(path).st_mode
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, "is a directory")
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, _NO_FILE)
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    return open(os.open(path, flags), "rb")


def _size(file: io.BufferedReader, limit: int) -> int:
    found = os.fstat(file.fileno())
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, _NO_FILE)
    if found.st_size > limit:
        raise TooLargeError(found.st_size)
    return found.st_size


def _sorted_out(path: str, names: Iterable[str], kind: Callable[[str], Kind]) -> Listing:
    kinds = {name: kind(os.path.join(path, name)) for name in names}
    return Listing(*([n for n, found in kinds.items() if found == word] for word in ("directory", "file")))


class MemoryFileSystem:
    """A file system in a dict of path → bytes; relative paths start at an artificial directory."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self.contents = {self.real(path): data for path, data in contents.items()}
        self.directories: dict[str, set[str]] = {}
        for path in self.contents:
            below = path
            while (parent := os.path.dirname(below)) != below:
                self.directories.setdefault(parent, set()).add(os.path.basename(below))
                below = parent

    def absolute(self, path: str) -> str:
        """The same as :meth:`real`: there are no symbolic links."""
        return self.real(path)

    def real(self, path: str) -> str:
        """The absolute, normalized path."""
        return os.path.normpath(os.path.join(_HERE, path))

    def kind(self, path: str) -> Kind:
        """The kind of entry at a path; "" if there is none."""
        path = self.real(path)
        return "file" if path in self.contents else "directory" if path in self.directories else ""

    def names(self, path: str) -> list[str]:
        """Names of the entries of a directory, sorted."""
        return sorted(self.directories.get(self.real(path), ()))

    def listing(self, path: str, most: int) -> Listing:
        """The folders and the files in a directory, of its first ``most`` entries."""
        return _sorted_out(path, self.names(path)[:most], self.kind)

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a file."""
        if self.kind(path) == "directory":
            raise IsADirectoryError(errno.EISDIR, "is a directory")
        data = self.contents.get(self.real(path))
        if data is None:
            raise FileNotFoundError(errno.ENOENT, "no such file")
        if len(data) > limit:
            raise TooLargeError(len(data))
        return data

    def read_into(self, buffer: Buffer, path: str, limit: int) -> memoryview:
        """Like :meth:`read`, into a buffer that the next call overwrites."""
        data = self.read(path, limit)
        view = buffer.of(len(data))
        view[:] = data
        return view


class OverlayFileSystem:
    """A file system with new contents and copies by absolute path on top, by default of the real one."""

    def __init__(
        self,
        contents: Mapping[str, bytes],
        copies: Mapping[str, str] | None = None,
        below: FileSystem | None = None,
    ) -> None:
        self.contents, self.below = contents, below or LocalFileSystem()
        self.copies = {} if copies is None else copies

    def absolute(self, path: str) -> str:
        """The absolute path; symbolic links are kept."""
        return self.below.absolute(path)

    def real(self, path: str) -> str:
        """The absolute path with symbolic links resolved."""
        return self.below.real(path)

    def _overlaid(self, path: str) -> str | None:
        absolute = self.below.absolute(path)
        return absolute if absolute in self.contents or absolute in self.copies else None

    def _inside(self, path: str) -> list[str]:
        """New files below a directory, relative to it."""
        prefix = os.path.join(self.below.absolute(path), "")
        every = (*self.contents, *self.copies)
        return [p[len(prefix) :] for p in every if p.startswith(prefix)]

    def kind(self, path: str) -> Kind:
        """What is there; "" for nothing."""
        if self._overlaid(path):
            return "file"
        if self._inside(path):
            return "directory"
        return self.below.kind(path)

    def names(self, path: str) -> list[str]:
        """Names in a directory, sorted."""
        new = {rest.split(os.sep)[0] for rest in self._inside(path)}
        try:
            return sorted({*self.below.names(path), *new})
        except OSError:
            if not new:
                raise
            return sorted(new)

    def listing(self, path: str, most: int) -> Listing:
        """The folders and regular files in a directory, without links, of its first ``most`` entries."""
        new = _sorted_out(path, sorted({rest.split(os.sep)[0] for rest in self._inside(path)}), self.kind)
        try:
            old = self.below.listing(path, most)
        except OSError:
            return new
        return Listing(*(sorted({*a, *b})[:most] for a, b in zip(old, new, strict=True)))

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a file."""
        overlaid = self._overlaid(path)
        if overlaid is None:
            return self.below.read(path, limit)
        if overlaid in self.contents:
            return self.contents[overlaid]
        return self.below.read(self.copies[overlaid], limit)

    def read_into(self, buffer: Buffer, path: str, limit: int) -> memoryview:
        """As :meth:`read`, into memory that the next such call overwrites."""
        overlaid = self._overlaid(path)
        if overlaid is None:
            return self.below.read_into(buffer, path, limit)
        if overlaid not in self.contents:
            return self.below.read_into(buffer, self.copies[overlaid], limit)
        data = self.contents[overlaid]
        view = buffer.of(len(data))
        view[:] = data
        return view
