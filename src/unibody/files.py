"""The only door to the disk: reading with a limit, and finding what a model's uris name.

Nothing outside the model's own tree is opened unless the caller allows it, and nothing is ever
fetched from a network.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol
from urllib.parse import unquote

from unibody.text.finding import Finding, Findings
from unibody.text.source import Span

Kind = Literal["file", "directory", "other", ""]

LIMIT = 512 * 1024 * 1024
_LONGEST_URI = 4096
_MANIFEST_BYTES = 65536
_MOST_PACKAGES = 5000
_SHOWN_PLACES = 8

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]+):")
_PACKAGE = re.compile(r"(?:package|model)(:+/*)")
_DRIVE = re.compile(r"[A-Za-z]:[\\/]")
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_PACKAGE_NAME = re.compile(rb"<name>\s*([^<]*?)\s*</name>")
_CONTROLS = re.compile(r"[\x00-\x1f]")


class FileError(Exception):
    """A file that cannot be read; carries the finding that says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding


class Disk(Protocol):
    """What :class:`Files` needs of a file system; every method may raise OSError or ValueError."""

    def real(self, path: str) -> str:
        """The absolute path without symbolic links."""

    def kind(self, path: str) -> Kind:
        """What is there; "" for nothing."""

    def names(self, path: str) -> list[str]:
        """Names in a directory."""

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a regular file; OSError EFBIG when there are more than ``limit``."""


class LocalDisk:
    """The real file system."""

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
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with open(os.open(path, flags), "rb") as file:
            found = os.fstat(file.fileno())
            if not stat.S_ISREG(found.st_mode):
                raise OSError(errno.EINVAL, "not a regular file")
            if found.st_size > limit:
                raise OSError(errno.EFBIG, "too large")
            data = file.read(limit + 1)
        if len(data) > limit:
            raise OSError(errno.EFBIG, "too large")
        return data


class MemoryDisk:
    """A file system of a dict, path → bytes; relative paths start at the root."""

    def __init__(self, contents: Mapping[str, bytes]) -> None:
        self.contents = {self.real(path): data for path, data in contents.items()}
        self.directories: dict[str, set[str]] = {}
        for path in self.contents:
            while (parent := os.path.dirname(path)) != path:
                self.directories.setdefault(parent, set()).add(os.path.basename(path))
                path = parent

    def real(self, path: str) -> str:
        """The absolute path without "..", as there are no links."""
        return os.path.normpath(os.path.join(os.sep, path))

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
            raise OSError(errno.EFBIG, "too large")
        return data


@dataclass(frozen=True)
class _Place:
    """A path to try. ``root`` is a package that it may not leave; links out of a trusted one are fine."""

    path: str
    root: str = ""
    trusted: bool = False


@dataclass(frozen=True)
class Files:
    """Reads files and finds what uris name; see :meth:`resolve` for where it looks.

    ``packages`` maps package names to directories, ``allow`` lists further directories that a model
    may refer to, ``variables`` gives the values of ``${NAME}`` in paths.

    >>> files = MemoryFiles({"m/r.urdf": b"<robot/>", "m/meshes/a.stl": b""})
    >>> files.resolve("meshes/a.stl", "m/r.urdf", None, Findings())
    'm/meshes/a.stl'
    """

    packages: Mapping[str, str] = field(default_factory=dict)
    allow: Sequence[str] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    limit: int = LIMIT
    disk: Disk = field(default_factory=LocalDisk)
    _indexes: dict[tuple[str, int], dict[str, str]] = field(default_factory=dict, repr=False, compare=False)

    def read(self, path: str, at: Span | None = None) -> bytes:
        """The bytes of a file; FileError with a finding at ``at`` when that cannot be."""
        try:
            return self.disk.read(path, self.limit)
        except FileNotFoundError:
            code, why = "file-missing", "there is no such file"
        except (OSError, ValueError) as broken:
            number = broken.errno if isinstance(broken, OSError) else 0
            code = "file-too-large" if number == errno.EFBIG else "file-unreadable"
            why = f"{self.limit} bytes are the limit" if number == errno.EFBIG else _reason(broken)
            if self.kind(path) == "directory":
                why = "it is a directory"
        raise FileError(Finding(code, "error", f"cannot read {_shown(path)}: {why}", at))

    def exists(self, path: str) -> bool:
        """Is there a regular file?"""
        return self.kind(path) == "file"

    def kind(self, path: str) -> Kind:
        """What is there, "" for nothing; never raises."""
        try:
            return self.disk.kind(path)
        except (OSError, ValueError):
            return ""

    def names(self, path: str) -> list[str]:
        """Sorted names in a directory; none when it cannot be listed."""
        try:
            return self.disk.names(path)
        except (OSError, ValueError):
            return []

    def canonical(self, path: str) -> str:
        """One spelling per file, to see cycles with; never raises."""
        return os.path.normcase(self._real(path))

    def resolve(self, uri: str, base: str, at: Span | None, findings: Findings) -> str | None:
        """The path that a uri in the file ``base`` names, or None with a warning that says why.

        Relative paths start at the directory of ``base``. ``package://`` and ``model://`` are looked
        for in ``packages``, then in the directories above ``base``, then in ROS_PACKAGE_PATH,
        AMENT_PREFIX_PATH and COLCON_PREFIX_PATH. What is found must lie in the directory of
        ``base`` or the one above, in its package or that package's parent, in a package found so,
        or in ``allow``.
        """
        if not uri.strip() or len(uri) > _LONGEST_URI or _CONTROLS.search(uri):
            message = f"{_shown(uri)} is no file name" if uri.strip() else "the file name is empty"
            findings.warning("file-missing", message, at)
            return None
        unknown = [name for name in _VARIABLE.findall(uri) if name not in self.variables]
        if unknown:
            message = f"variable ${{{unknown[0]}}} in {_shown(uri)} has no value"
            findings.warning("uri-variable", message, at, f"give variables={{'{unknown[0]}': directory}}")
            return None
        path = _VARIABLE.sub(lambda found: self.variables[found[1]], uri.strip())
        scheme = "" if _DRIVE.match(path) else (_SCHEME.match(path) or [""])[0][:-1].lower()
        if scheme in {"package", "model"}:
            return self._choose(uri, self._in_packages(path, base, at, findings), base, at, findings)
        if scheme == "file":
            path = _file_path(path)
        elif scheme and not self.kind(self._beside(path, base)):
            hint = "copy the file next to the model and name it by a relative path"
            findings.warning("uri-not-opened", f"{_shown(uri)} is not opened: {scheme}: is no file", at, hint)
            return None
        return self._choose(uri, [_Place(self._beside(path, base))], base, at, findings)

    def package(self, name: str, base: str) -> str | None:
        """The directory of a package as seen from the file ``base``, or None."""
        for place in self._package_places(name, base):
            if self.kind(place.path) == "directory":
                return place.path
        return None

    def _choose(
        self, uri: str, places: Iterable[_Place], base: str, at: Span | None, findings: Findings
    ) -> str | None:
        """The first place that exists within reach; else the first that does but for letter case."""
        roots = self._roots(base)
        tried: list[_Place] = []
        outside = False
        for place in places:
            # What is out of reach is not even looked at: no message tells whether it is there.
            if not self._within(place, roots):
                outside = True
            elif self.kind(place.path):
                return place.path
            else:
                tried.append(place)
        for place in tried:
            found = self._other_spelling(place, roots)
            if found:
                code = "uri-backslash" if "\\" in uri and os.sep == "/" else "file-case"
                why = "has backslashes" if code == "uri-backslash" else "differs in letter case"
                message = f"{_shown(uri)} {why}: the file is {_shown(os.path.basename(found))}"
                findings.warning(code, message, at, "other systems will not find it; write it as the file is")
                return found
        if tried or not outside:
            places_tried = list(dict.fromkeys(place.path for place in tried))
            more = len(places_tried) - _SHOWN_PLACES
            hint = "tried " + ", ".join(places_tried[:_SHOWN_PLACES]) + (f" and {more} more" if more > 0 else "")
            findings.warning("file-missing", f"{_shown(uri)} is missing", at, hint if tried else _NO_PACKAGE)
        else:
            hint = "if it is to be trusted, name its directory in `allow` or its package in `packages`"
            findings.warning("outside-model", f"{_shown(uri)} lies outside the model and is not opened", at, hint)
        return None

    def _within(self, place: _Place, roots: list[str]) -> bool:
        if place.trusted:
            return _under(os.path.normpath(place.path), os.path.normpath(place.root))
        real = self._real(place.path)
        return any(_under(real, root) for root in [*roots, *([self._real(place.root)] if place.root else [])])

    def _other_spelling(self, place: _Place, roots: list[str]) -> str | None:
        """The path that exists when letter case, or backslashes for slashes, are forgiven."""
        head, tail = place.path.replace("\\", os.sep), list[str]()
        while not self.kind(head):
            head, name = os.path.split(head.rstrip(os.sep))
            if not name:
                return None
            tail.insert(0, name)
        for name in tail:
            names = self.names(head)
            alike = [n for n in names if n == name] or [n for n in names if n.casefold() == name.casefold()]
            if not alike:
                return None
            head = os.path.join(head, alike[0])
        found = _Place(head, place.root, place.trusted)
        return head if self._within(found, roots) else None

    def _beside(self, path: str, base: str) -> str:
        """A path relative to the directory of ``base``."""
        if _DRIVE.match(path):
            return path
        return os.path.normpath(os.path.join(os.path.dirname(base), path))

    def _real(self, path: str) -> str:
        try:
            return self.disk.real(path)
        except (OSError, ValueError):
            return os.path.normpath(path)

    def _roots(self, base: str) -> list[str]:
        """Real directories that files named in ``base`` may lie in."""
        own: list[str] = []
        for directory in self._above(base)[:1] + [os.path.dirname(self._real(base))]:
            package = next((d for d in _ancestors(directory) if self._is_package(d)), directory)
            own += [directory, os.path.dirname(directory), package, os.path.dirname(package)]
        given = [*self.allow, *self.packages.values(), *self.variables.values()]
        # The parent of a directory at the top is the whole disk: that is nobody's model.
        near = [root for root in map(self._real, own) if os.path.dirname(root) != root]
        return list(dict.fromkeys([*near, *map(self._real, given)]))
