"""Writes files atomically: at every moment, and after a crash, a path holds the old file or the new one.

New content goes to a temporary file ``.unibody-….part`` in the same folder, is flushed to disk and then
moved into place. A killed process may leave a temporary file; it can be deleted.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType

#: Prefix and suffix of the names of temporary files.
PART = (".unibody-", ".part")
# How long to wait for another process that writes into the same folder, in s.
_PATIENCE = 60.0
_PLAIN = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def write_atomic(path: str, data: bytes | Iterable[bytes], overwrite: bool = True) -> None:
    """Write a file atomically, in pieces or as a whole, or leave the existing one unchanged.

    FileExistsError if there is one and ``overwrite`` is false; OSError as for any file. Streams (a pipe,
    /dev/stdout) have no old content to keep and are written directly.
    """
    if is_stream(path):
        with open(path, "wb") as stream:
            stream.writelines(_pieces(data))
        return
    with Stage(path) as stage:
        stage.add(path, data)
        stage.put(path, overwrite)


def _pieces(data: bytes | Iterable[bytes]) -> Iterable[bytes]:
    return (data,) if isinstance(data, bytes) else data


class Stage:
    """Files that belong together: all are written to temporary files, then each is moved into place.

    ``last`` is the file that refers to the others: if the block is left before it is in place, for any
    reason, the new files are removed, and the others are again what they were. ``folders`` lists the
    folders that were created. OSErrors name the target, not its temporary file.
    """

    def __init__(self, last: str) -> None:
        self._last = last
        self._parts: dict[str, str] = {}
        self._made: dict[str, os.stat_result] = {}
        self._replacing: set[str] = set()
        self._old: dict[str, str] = {}
        self.folders: list[str] = []

    def __enter__(self) -> Stage:
        return self

    def add(self, target: str, data: bytes | Iterable[bytes]) -> None:
        """Write the new content of a file to a temporary file."""
        folder = os.path.dirname(target)
        # The name is recorded before the file exists, so that an interrupt can clean up.
        part = self._parts[target] = os.path.join(folder, os.urandom(8).hex().join(PART))
        with _about(target):
            if not is_writable(target):
                raise PermissionError(errno.EACCES, "the file is read-only")
            if target != self._last:
                self._make(folder)
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN, 0o666)
            with open(handle, "wb") as file:
                self._made[target] = os.fstat(handle)
                file.writelines(_pieces(data))
                file.flush()
                os.fsync(file.fileno())
            _as_before(part, target)

    def put(self, target: str, overwrite: bool) -> None:
        """Move a file into place; FileExistsError if there is one and ``overwrite`` is false."""
        part = self._parts[target]
        with _about(target):
            if overwrite and os.path.lexists(target):
                self._replacing.add(target)
                if target != self._last:
                    self._set_aside(target)
                os.replace(part, target)
            elif _linked(part, target) or self._is_put(target):
                remove(part)
            elif os.path.lexists(target) and not overwrite:
                raise FileExistsError(errno.EEXIST, "already exists", target)
            else:
                os.replace(part, target)

    def _set_aside(self, target: str) -> None:
        """Keep a file that is replaced until the last one is in place."""
        aside = os.path.join(os.path.dirname(target), os.urandom(8).hex().join(PART))
        self._old[target] = aside
        with suppress(OSError, NotImplementedError, AttributeError):
            os.link(target, aside, follow_symlinks=False)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        done = None
        try:
            done = error is None or self._is_done()
            self._clean(done)
        except KeyboardInterrupt:
            # A second Ctrl-C waits for the cleanup.
            self._clean(self._is_done() if done is None else done)
            raise

    def _is_done(self) -> bool:
        # Ask the file system: a flag in memory might have been interrupted before it was set.
        return self._is_put(self._last)

    def _clean(self, done: bool) -> None:
        for target, part in self._parts.items():
            if not done and target not in self._replacing and self._is_put(target):
                remove(target)
            remove(part)
        for target, aside in self._old.items():
            if not done and os.path.lexists(aside):
                with suppress(OSError):
                    os.replace(aside, target)
            remove(aside)
        if not done:
            remove_folders(self.folders)

    def _make(self, folder: str) -> None:
        for each in _missing(folder):
            self.folders.append(each)
            with suppress(FileExistsError):
                os.mkdir(each)

    def _is_put(self, target: str) -> bool:
        """Whether the file at a path is the one written here."""
        try:
            return target in self._made and os.path.samestat(self._made[target], os.lstat(target))
        except OSError:
            return False


@contextmanager
def exclusive_lock(folder: str) -> Iterator[None]:
    """Hold an exclusive lock on a folder against other processes that use this function.

    The folder is created, and removed again if it stays empty. OSError if it cannot be locked. Where the
    system has no folder locks (Windows, some network file systems) there is no waiting.
    """
    made: list[str] = []
    handle = None
    try:
        with _about(folder):
            while True:
                made += [each for each in _missing(folder) if each not in made]
                try:
                    os.makedirs(folder, exist_ok=True)
                except FileExistsError:
                    raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
                handle = _locked(folder)
                # Whoever had the lock may have removed the folder.
                if handle is None or is_open(handle, folder):
                    break
                os.close(handle)
        yield
    finally:
        remove_folders(made)
        if handle is not None:
            os.close(handle)


def is_open(handle: int, path: str) -> bool:
    """Whether an open file or folder is the one that has this path now."""
    try:
        return os.path.samestat(os.fstat(handle), os.stat(path))
    except OSError:
        return False


def _missing(folder: str) -> Iterator[str]:
    """The missing folders on the way to a folder, outermost first."""
    missing = []
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return reversed(missing)


def remove_folders(folders: Iterable[str]) -> None:
    """Remove the empty ones of some folders; each is listed after its parent."""
    for folder in reversed(list(folders)):
        with suppress(OSError):
            os.rmdir(folder)


def _locked(folder: str) -> int | None:
    """A file descriptor of the locked folder; None where folders cannot be locked."""
    try:
        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _PLAIN)
    except OSError:
        return None
    end = time.monotonic() + _PATIENCE
    try:
        while not take_lock(handle):
            if time.monotonic() > end:
                raise OSError(errno.EAGAIN, "another process is writing here", folder)
            time.sleep(0.02)
    except BaseException:
        os.close(handle)
        raise
    return handle


def take_lock(handle: int) -> bool:
    """Lock an open file or folder until it is closed; False if another process has the lock.

    True, without a lock, where the system has none (Windows, some network file systems).
    """
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):
        return True
    return True


def remove(path: str) -> None:
    """Remove a file, ignoring errors."""
    with suppress(OSError):
        os.remove(path)


def is_writable(path: str) -> bool:
    """Whether a file may be replaced: its mode allows somebody to write, and the system us.

    The mode counts for the superuser, too, whom the system lets write everything. A missing file may be.
    """
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return True  # it is missing, or writing it says what is wrong with its path
    return bool(mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)) and os.access(path, os.W_OK)


def is_stream(path: str) -> bool:
    """Whether a path is a pipe, a terminal or another file without content of its own."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _as_before(part: str, target: str) -> None:
    """Give a new file the permissions of the old one, and its owner where allowed."""
    with suppress(OSError):
        old = os.lstat(target)
        if stat.S_ISREG(old.st_mode):
            new = os.stat(part)
            if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid) and hasattr(os, "chown"):
                with suppress(OSError):
                    os.chown(part, old.st_uid, old.st_gid)
            os.chmod(part, stat.S_IMODE(old.st_mode) & 0o777)


def _linked(part: str, target: str) -> bool:
    """Hard-link a file to a free path; False if the file system has no hard links."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError, AttributeError):
        return False
    return True


@contextmanager
def _about(path: str) -> Iterator[None]:
    """Re-raise OSErrors with this path; invalid paths raise OSError, too."""
    try:
        yield
    except OSError as error:
        raise type(error)(error.errno or errno.EIO, error.strerror or str(error), path) from None
    except ValueError:
        raise OSError(errno.EINVAL, "not a valid file name", path) from None
