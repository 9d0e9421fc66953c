"""The paths of the outputs of a collection: one for each file, in the tree of the files."""

from __future__ import annotations

import os
from hashlib import blake2b

from unibody.batch.collection import Collection, InnerPaths


class Outputs:
    """Gives each file of a collection a path in a folder, with another suffix.

    Files that would have the same one get the name of their folder before theirs if they were named
    themselves, else their own suffix behind it, and a number if that is not enough. Only those are kept
    in memory, and a digest of each of the others.
    """

    def __init__(self, files: Collection, inner: InnerPaths, folder: str, suffix: str) -> None:
        self._inner, self._folder, self._suffix = inner, folder, suffix
        self._renamed: dict[str, str] = {}
        seen: set[bytes] = set()
        several: set[bytes] = set()
        for path in files:
            key = _key(self._usual(path))
            (several if key in seen else seen).add(key)
        for path in files if several else ():
            usual = self._usual(path)
            if _key(usual) in several:
                self._renamed[path] = self._unique(path, usual, seen)

    def __call__(self, path: str) -> str:
        """The path of the output of a file."""
        return os.path.join(self._folder, self._renamed.get(path) or self._usual(path))

    def _usual(self, path: str) -> str:
        return os.path.splitext(self._inner(path))[0] + self._suffix

    def _unique(self, path: str, usual: str, taken: set[bytes]) -> str:
        """An output that no other file has, in the folder of the usual one."""
        folder, name = os.path.split(usual)
        stem = os.path.splitext(name)[0]
        parent = os.path.basename(os.path.dirname(os.path.abspath(path)))
        own = os.path.splitext(path)[1].lstrip(".").lower()
        first = f"{parent}_{stem}" if self._inner.is_given(path) and parent else f"{stem}_{own}"
        unique, number = f"{first}{self._suffix}", 2
        while _key(os.path.join(folder, unique)) in taken:
            unique, number = f"{first}_{number}{self._suffix}", number + 1
        made = os.path.join(folder, unique)
        taken.add(_key(made))
        return made


def _key(path: str) -> bytes:
    """A digest of a path, equal for names that some file systems take for one."""
    return blake2b(os.fsencode(os.path.normpath(path).casefold()), digest_size=16).digest()
