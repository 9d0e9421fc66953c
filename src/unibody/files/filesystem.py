"""File systems: the real one, and one in memory for tests. Only files.py uses them."""

from __future__ import annotations

import errno
import io
import os
import stat
from collections.abc import Mapping
from typing import Literal, Protocol

_NO_FILE = "not a regular file"
_HERE = os.path.join(os.sep, "memory", "here")

Kind = Literal["file", "directory", "other", ""]


class TooLargeError(OSError):
    """A file of more bytes than are to be read; ``size`` is how many it has, as far as is known."""

    def __init__(self, size: int) -> None:
        super().__init__(errno.EFBIG, "too large")
        self.size = size


class Room:
    """Memory that one file after another is read into: it is asked of the system once."""

    def __init__(self) -> None:
        self._bytes = bytearray()

    def of(self, size: int) -> memoryview:
        """The first ``size`` bytes, which hold what was read last."""
        if len(self._bytes) < size:
            self._bytes = bytearray(size)
        return memoryview(self._bytes)[:size]


class Disk(Protocol):
    """What :class:`Files` needs of a file system; every method may raise OSError or ValueError."""

    def absolute(self, path: str) -> str:
        """The absolute path, as written otherwise."""

    def real(self, path: str) -> str:
        """The absolute path without symbolic links."""

    def kind(self, path: str) -> Kind:
        """What is there; "" for nothing."""

    def names(self, path: str) -> list[str]:
        """Names in a directory."""

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a regular file; TooLargeError when there are more than ``limit``."""

    def read_into(self, room: Room, path: str, limit: int) -> memoryview:
        """As :meth:`read`, into memory that the next such call writes over."""


class LocalDisk:
    """The real file system."""

    def absolute(self, path: str) -> str:
        """The absolute path, as written otherwise."""
        return os.path.abspath(path)

    def real(self, path: str) -> str:
        """The absolute path without symbolic links."""
        return os.path.realpath(path)

    def kind(self, path: str) -> Kind:
        """What is there; "" for nothing."""
        mode = os.stat(path).st_mode
        return "file" if stat.S_ISREG(mode) else "directory" if stat.S_ISDIR(mode) else "other"

    def names(self, path: str) -> list[str]:
        """Names in a directory, sorted."""
        return sorted(os.listdir(path))

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a regular file; a pipe or a device is refused, not waited for."""
        with _opened(path) as file:
            size = _size(file, limit)
            # by its size: asking for the limit would reserve all of it for every file
            data = file.read(size + 1)
            if len(data) > size:  # it grew meanwhile
                data += file.read(limit + 1 - len(data))
        if len(data) > limit:
            raise TooLargeError(len(data))
        return data

    def read_into(self, room: Room, path: str, limit: int) -> memoryview:
        """As :meth:`read`, into memory that the next such call writes over."""
        with _opened(path) as file:
            view = room.of(_size(file, limit))
            held = 0
            while held < len(view) and (got := file.readinto(view[held:])):
                held += got
        return view[:held]


def _opened(path: str) -> io.BufferedReader:
    # Opening alone moves some devices; what takes the file's place meanwhile does not block.
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


class MemoryDisk:
    """A file system of a dict, path → bytes; relative paths start at a directory of their own."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self.contents = {self.real(path): data for path, data in contents.items()}
        self.directories: dict[str, set[str]] = {}
        for path in self.contents:
            below = path
            while (parent := os.path.dirname(below)) != below:
                self.directories.setdefault(parent, set()).add(os.path.basename(below))
                below = parent

    def absolute(self, path: str) -> str:
        """The same as :meth:`real`: there are no links."""
        return self.real(path)

    def real(self, path: str) -> str:
        """The absolute path without ".."."""
        return os.path.normpath(os.path.join(_HERE, path))

    def kind(self, path: str) -> Kind:
        """What is there; "" for nothing."""
        path = self.real(path)
        return "file" if path in self.contents else "directory" if path in self.directories else ""

    def names(self, path: str) -> list[str]:
        """Names in a directory, sorted."""
        return sorted(self.directories.get(self.real(path), ()))

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

    def read_into(self, room: Room, path: str, limit: int) -> memoryview:
        """As :meth:`read`, into memory that the next such call writes over."""
        data = self.read(path, limit)
        view = room.of(len(data))
        view[:] = data
        return view
