"""The folder in which the user's results are kept between runs."""

from __future__ import annotations

import hashlib
import os
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress

from unibody.files.atomic import write_atomic

#: The environment variable that names another folder, or switches the cache off.
VARIABLE, OFF = "UNIBODY_CACHE", "off"

#: The bytes of all results of one kind, at most.
_MOST_BYTES = 1 << 29
_DIGEST = hashlib.sha256().digest_size
_CAREFUL = sum(getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NONBLOCK", "O_NOFOLLOW"))


def cache_folder(part: str, environment: Mapping[str, str] | None = None) -> str | None:
    """The folder of one kind of results, which may not exist yet; None if the cache is switched off.

    It is below ``UNIBODY_CACHE`` if that is set, else below the folder for caches of the system:
    ``XDG_CACHE_HOME`` or ``~/.cache`` on Linux.

    >>> cache_folder("parts", {"UNIBODY_CACHE": "off"}) is None
    True
    """
    known = os.environ if environment is None else environment
    chosen = known.get(VARIABLE, "")
    if chosen.lower() == OFF:
        return None
    if chosen:
        return os.path.join(os.path.abspath(chosen), part)
    system = _system_folder(known)
    return os.path.join(system, "unibody", part) if os.path.isabs(system) else None


class KeptResults:
    """Results of one kind in the user's cache, as bytes by their keys.

    A file holds the digest of its key and content: one that is damaged, or was made for another key, counts
    as none, and so does what is no plain file. ``part`` is the name of the folder, and the suffix of its
    files; ``form`` is the number of the form of the content. If the files exceed ``most_bytes``, those that
    were used last stay, up to a half. Nothing is kept if the cache is off or cannot be written. With
    ``private``, what others may write counts as none: for content that is run.
    """

    def __init__(
        self, part: str, form: int, most_bytes: int = _MOST_BYTES, *, private: bool = False
    ) -> None:
        self._part, self._most, self._private = part, most_bytes, private
        self._head = f"unibody {part} {form}\n".encode()
        # The bytes in a folder, as far as this process knows.
        self._known: dict[str, int] = {}

    def get(self, key: str) -> bytes | None:
        """The content of a key, a word of letters and digits; None if there is none."""
        path = self._path(key)
        if (
            self._private
            and path is not None
            and not (_is_private(os.path.dirname(path)) and _is_private(path))
        ):
            return None
        data = None if path is None else _plain_file(path, self._most)
        if path is None or data is None:
            return None
        begin = len(self._head) + _DIGEST
        content = data[begin:]
        if data[:begin] != self._headed(key, content):
            return None
        with suppress(OSError):
            os.utime(path)
        return content

    def put(self, key: str, content: bytes) -> None:
        """Keep the content of a key for later processes, too."""
        path = self._path(key)
        if path is None or len(content) > self._most // 2:
            return
        folder = os.path.dirname(path)
        with suppress(OSError):
            os.makedirs(folder, 0o700 if self._private else 0o777, exist_ok=True)
            if os.path.lexists(path) and not stat.S_ISREG(os.lstat(path).st_mode):
                return  # not of this program
            write_atomic(path, self._headed(key, content) + content)
            if self._private:
                os.chmod(path, 0o600)
            if folder in self._known:
                self._known[folder] += len(content)
            if self._known.get(folder, self._most + 1) > self._most:
                self._known[folder] = self._shrink(folder)

    def _headed(self, key: str, content: bytes) -> bytes:
        return self._head + hashlib.sha256(key.encode() + b"\n" + content).digest()

    def _path(self, key: str) -> str | None:
        folder = cache_folder(self._part)
        return None if folder is None else os.path.join(folder, f"{key}.{self._part}")

    def _shrink(self, folder: str) -> int:
        """Remove what was not used for longest if there are too many bytes; the bytes that stay."""
        files = []
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(f".{self._part}") and entry.is_file(follow_symlinks=False):
                    with suppress(OSError):  # another process removed it
                        found = entry.stat(follow_symlinks=False)
                        files.append((found.st_mtime_ns, found.st_size, entry.path))
        total = sum(size for _, size, _ in files)
        if total <= self._most:
            return total
        for _, size, path in sorted(files):
            if total <= self._most // 2:
                break
            with suppress(OSError):
                os.unlink(path)
            total -= size
        return total


def _is_private(path: str) -> bool:
    """Whether only its owner, this user, may write there; Windows has the rights of the user's folder."""
    if not hasattr(os, "getuid"):
        return True
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return found.st_uid == os.getuid() and not found.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _plain_file(path: str, most: int) -> bytes | None:
    """The content of a plain file, None if there is none, or it has more than ``most`` bytes."""
    try:
        # a pipe would wait for another program
        handle = os.open(path, os.O_RDONLY | _CAREFUL)
        with open(handle, "rb") as file:
            found = os.fstat(handle)
            if not stat.S_ISREG(found.st_mode) or found.st_size > most:
                return None
            return file.read(most)
    except OSError:
        return None


def _system_folder(known: Mapping[str, str]) -> str:
    """The folder for caches of the system; not absolute if there is no home."""
    if os.path.isabs(known.get("XDG_CACHE_HOME", "")):
        return known["XDG_CACHE_HOME"]
    if sys.platform == "win32":
        return known.get("LOCALAPPDATA", "")
    below = ("Library", "Caches") if sys.platform == "darwin" else (".cache",)
    return os.path.join(os.path.expanduser("~"), *below)
