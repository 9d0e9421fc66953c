"""ROS packages: directories with a ``package.xml``, and their names."""

from __future__ import annotations

import os
import re

from unibody.files.filesystem import FileSystem

_MANIFEST_BYTES = 65536
_MOST_PACKAGES = 5000
_NAME = re.compile(rb"<name>\s*([^<]*?)\s*</name>")


class Manifests:
    """The ``package.xml`` files of a file system, each read once; no method raises."""

    def __init__(self, disk: FileSystem) -> None:
        self.disk = disk
        self._names: dict[str, str | None] = {}
        self._below: dict[tuple[str, int], dict[str, str]] = {}

    def has(self, directory: str) -> bool:
        """Whether a directory is a package."""
        return self._look(directory) is not None

    def name(self, directory: str) -> str:
        """The name in the ``package.xml`` of a directory; "" without one."""
        return self._look(directory) or ""

    def is_credible(self, directory: str) -> bool:
        """Whether a directory named like a package may be one: a link needs a ``package.xml``."""
        home, name = os.path.split(directory)
        try:
            is_link = self.disk.real(directory) != os.path.join(self.disk.real(home), name)
        except (OSError, ValueError):
            return False
        return not is_link or self.has(directory)

    def below(self, directory: str, depth: int, name: str) -> list[str]:
        """The package of that name up to ``depth`` levels below a directory: a list of at most one path."""
        found = self.names_below(directory, depth)
        return [found[name]] if name in found else []

    def names_below(self, directory: str, depth: int) -> dict[str, str]:
        """The packages up to ``depth`` levels below a directory, by name."""
        key = (directory, depth)
        if key not in self._below:
            self._below[key] = self._index(directory, depth)
        return self._below[key]

    def _index(self, directory: str, depth: int) -> dict[str, str]:
        names: dict[str, str] = {}
        level = [directory]
        for _ in range(depth):
            level = [os.path.join(d, n) for d in level for n in self._inside(d) if n[0] != "."]
            level = level[:_MOST_PACKAGES]
            for path in level:
                if self.has(path):
                    names.setdefault(self.name(path), path)
        return names

    def _inside(self, directory: str) -> list[str]:
        try:
            return self.disk.names(directory)
        except (OSError, ValueError):
            return []

    def _look(self, directory: str) -> str | None:
        if directory not in self._names:
            self._names[directory] = self._read(os.path.join(directory, "package.xml"))
        return self._names[directory]

    def _read(self, path: str) -> str | None:
        try:
            if self.disk.kind(path) != "file":
                return None
        except (OSError, ValueError):
            return None
        try:
            found = _NAME.search(self.disk.read(path, _MANIFEST_BYTES))
        except (OSError, ValueError):
            return ""
        return found[1].decode("utf-8", "replace") if found else ""
