"""Files written whole: at every moment, and after a crash, there is the old file or the new one.

New content is written under a name of its own beside its place, ``.unibody-….part``, is brought
safely to the disk, and is then moved there. Of a process that was killed such a part may stay; no
program reads it, and it can be removed.
"""

from __future__ import annotations

import errno
import os
import secrets
import stat
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from types import TracebackType

#: How the names of unfinished files begin and end.
PART = (".unibody-", ".part")
# Another process that writes into the same folder is waited for so long, in s.
_PATIENCE = 60.0
_PLAIN = getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)


def write_whole(path: str, data: bytes, overwrite: bool = True) -> None:
    """Write a file of the real disk as a whole, or leave what is there as it is.

    FileExistsError when there is one and ``overwrite`` is not given; else OSError as for any file. What
    is no regular file (a pipe, /dev/stdout) has no old content to keep, and is written to directly.
    """
    if _is_stream(path):
        with open(path, "wb") as stream:
            stream.write(data)
        return
    with Stage(path) as stage:
        stage.add(path, data)
        stage.put(path, overwrite)


class Stage:
    """Files that belong together: all are written beside their places, then each is put there.

    ``last`` is the file that makes the others count: when the block is left before it is put, whatever
    the reason, none of the new ones stays; but what has taken another's place is not removed. ``folders``
    are those that were made. OSErrors name the file itself, not its part.
    """

    def __init__(self, last: str) -> None:
        self._last = last
        self._parts: dict[str, str] = {}
        self._made: dict[str, os.stat_result] = {}
        self._replacing: set[str] = set()
        self.folders: list[str] = []

    def __enter__(self) -> Stage:
        return self

    def add(self, target: str, data: bytes) -> None:
        """Write the new content of a file beside its place."""
        folder = os.path.dirname(target)
        # The name is known before the file is there: an interrupt finds it.
        part = self._parts[target] = os.path.join(folder, secrets.token_hex(8).join(PART))
        with _about(target):
            if target != self._last:
                self._make(folder)
            handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _PLAIN, 0o666)
            with open(handle, "wb") as file:
                self._made[target] = os.fstat(handle)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            _as_before(part, target)

    def put(self, target: str, overwrite: bool) -> None:
        """Move a file to its place; FileExistsError when there is one and ``overwrite`` is not given."""
        part = self._parts[target]
        with _about(target):
            if overwrite and os.path.lexists(target):
                self._replacing.add(target)
                os.replace(part, target)
            elif _linked(part, target) or self._is_put(target):
                remove(part)
            elif os.path.lexists(target) and not overwrite:
                raise FileExistsError(errno.EEXIST, "it is there already", target)
            else:
                os.replace(part, target)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        done = None
        try:
            done = error is None or self._is_done()
            self._clean(done)
        except KeyboardInterrupt:
            # Whoever is in a hurry waits for this much.
            self._clean(self._is_done() if done is None else done)
            raise

    def _is_done(self) -> bool:
        # The disk knows; a note of what was done might have been interrupted.
        return self._is_put(self._last)

    def _clean(self, done: bool) -> None:
        for target, part in self._parts.items():
            if not done and target not in self._replacing and self._is_put(target):
                remove(target)
            remove(part)
        if not done:
            remove_folders(self.folders)

    def _make(self, folder: str) -> None:
        for each in _missing(folder):
            self.folders.append(each)
            with suppress(FileExistsError):
                os.mkdir(each)

    def _is_put(self, target: str) -> bool:
        """Whether what is at a place is the file that was written beside it."""
        try:
            return target in self._made and os.path.samestat(self._made[target], os.lstat(target))
        except OSError:
            return False


@contextmanager
def alone_in(folder: str) -> Iterator[None]:
    """While it lasts, no other process that asks for the same writes into this folder.

    The folder is made, and removed again if nothing came into it. OSError when it cannot be had. Where
    the system has no locks for folders (Windows, some network disks) there is no waiting.
    """
    with _about(folder):
        made = list(_missing(folder))
        try:
            os.makedirs(folder, exist_ok=True)
        except FileExistsError:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR)) from None
    try:
        handle = _locked(folder)
        try:
            yield
        finally:
            if handle is not None:
                os.close(handle)
    finally:
        remove_folders(made)


def _missing(folder: str) -> Iterator[str]:
    """The folders that are to be made for one to be there, the outermost first."""
    missing = []
    while folder and not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return reversed(missing)


def remove_folders(folders: Iterable[str]) -> None:
    """Remove those of some folders, each after the one that it is in, that are empty."""
    for folder in reversed(list(folders)):
        with suppress(OSError):
            os.rmdir(folder)


def _locked(folder: str) -> int | None:
    """An open folder that this process alone has locked; None where that cannot be."""
    try:
        import fcntl

        handle = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | _PLAIN)
    except (ImportError, OSError):
        return None
    end = time.monotonic() + _PATIENCE
    try:
        while True:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() > end:
                    raise OSError(errno.EAGAIN, "another process is writing here", folder) from None
                time.sleep(0.02)
            else:
                return handle
    except OSError as error:
        os.close(handle)
        if error.errno == errno.EAGAIN:
            raise
        return None
    except BaseException:
        os.close(handle)
        raise


def remove(path: str) -> None:
    """Remove a file if that can be."""
    with suppress(OSError):
        os.remove(path)


def _is_stream(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _as_before(part: str, target: str) -> None:
    """Give a new file the rights that the old one has, and its owner where that is allowed."""
    with suppress(OSError):
        old = os.lstat(target)
        if stat.S_ISREG(old.st_mode):
            new = os.stat(part)
            if (new.st_uid, new.st_gid) != (old.st_uid, old.st_gid) and hasattr(os, "chown"):
                with suppress(OSError):
                    os.chown(part, old.st_uid, old.st_gid)
            os.chmod(part, stat.S_IMODE(old.st_mode) & 0o777)


def _linked(part: str, target: str) -> bool:
    """Put a file at a place where nothing is; False when the disk knows no hard links."""
    try:
        os.link(part, target)
    except FileExistsError:
        raise
    except (OSError, NotImplementedError, AttributeError):
        return False
    return True


@contextmanager
def _about(path: str) -> Iterator[None]:
    """OSErrors say this name; what is no name at all is one, too."""
    try:
        yield
    except OSError as error:
        raise type(error)(error.errno or errno.EIO, error.strerror or str(error), path) from None
    except ValueError:
        raise OSError(errno.EINVAL, "it is no file name", path) from None
