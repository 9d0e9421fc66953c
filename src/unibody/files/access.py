"""The only door to the disk: reading with a limit, and finding what a model's uris name.

Nothing outside the model's own tree is opened unless the caller allows it, and nothing is ever
fetched from a network.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any
from urllib.parse import unquote

from unibody.files.atomic import write_whole
from unibody.files.filesystem import Disk, Kind, LocalDisk, MemoryDisk, Room
from unibody.files.metered import FileError, metered
from unibody.files.packages import Manifests
from unibody.files.uris import (
    CONTROLS,
    DRIVE,
    LONGEST_URI,
    PACKAGE,
    PLAIN,
    SCHEME,
    SHARES,
    VARIABLE,
    Place,
    Request,
    ancestors,
    beside,
    file_path,
    hidden,
    letters,
    misspelled,
    other_readings,
    package_parts,
    shown,
    under,
)
from unibody.text.finding import Findings
from unibody.text.limits import DEFAULT, Meter, ReadLimits
from unibody.text.source import Span

__all__ = ["FileError", "Files", "MemoryFiles", "Room", "write_whole"]


_SHOWN_PLACES = 8

# Where installed packages lie below the prefixes of an environment; None stands for the package name.
_PREFIXES = (
    ("AMENT_PREFIX_PATH", ("share", None)),
    ("COLCON_PREFIX_PATH", ("share", None)),
    ("COLCON_PREFIX_PATH", (None, "share", None)),
)
_COPY = "copy the file next to the model and name it by a relative path"
_NO_PACKAGE = "say where it is: --package NAME=DIR (in Python packages=), or ROS_PACKAGE_PATH"


@dataclass(frozen=True)
class Search:
    """Where the programs of a format look for a file, after the folder of the file that names it.

    ``folders`` are seen from that folder and from the one above ("" is these themselves); "$NAME" stands
    for the folders that an environment variable lists.
    """

    folders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Files:
    """Reads files and finds what uris name; see :meth:`resolve` for where it looks.

    ``packages`` maps package names to directories, ``allow`` lists further directories that a model
    may refer to, ``variables`` gives the values of ``${NAME}`` in paths, ``limits`` says how much is
    read.

    >>> files = MemoryFiles({"m/r.urdf": b"<robot/>", "m/meshes/a.stl": b""})
    >>> files.resolve("meshes/a.stl", "m/r.urdf", None, Findings())
    'm/meshes/a.stl'
    """

    packages: Mapping[str, str] = field(default_factory=dict)
    allow: Sequence[str] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
    limits: ReadLimits = DEFAULT
    disk: Disk = field(default_factory=LocalDisk)
    _cache: dict[str, dict[str, str]] = field(default_factory=dict, repr=False, compare=False)
    _found: dict[tuple[str, str], str] = field(default_factory=dict, repr=False, compare=False)
    _reals: dict[str, str] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def _manifests(self) -> Manifests:
        return Manifests(self.disk)

    @cached_property
    def meter(self) -> Meter:
        """What was taken so far through this door by the load that goes on, or was the last."""
        return Meter(self.limits)

    def changed(self, **settings: Any) -> Files:
        """The same door but for some settings, with nothing remembered."""
        return replace(self, **settings, _cache={}, _found={}, _reals={})

    def extended(
        self,
        *,
        packages: Mapping[str, str] | None = None,
        allow: Sequence[str] = (),
        limits: ReadLimits | None = None,
    ) -> Files:
        """The same access with further packages (name → folder) and folders, or with other limits."""
        if not packages and not allow and limits is None:
            return self
        return self.changed(
            packages={**self.packages, **(packages or {})},
            allow=(*self.allow, *allow),
            limits=self.limits if limits is None else limits,
        )

    def read(self, path: str, at: Span | None = None) -> bytes:
        """The bytes of a file; FileError with a finding at ``at`` when that cannot be."""
        return metered(lambda most: self.disk.read(path, most), path, self.meter, at)

    def read_into(self, room: Room, path: str, at: Span | None = None) -> memoryview:
        """As :meth:`read`, into memory that the next such call writes over."""
        return metered(lambda most: self.disk.read_into(room, path, most), path, self.meter, at)

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
        in ``allow``, or in a directory of those variables.
        """
        key = (uri, base)
        if key in self._found:
            return self._found[key]
        noted = len(findings)
        path = self._resolve(uri, base, at, findings)
        # What gave a finding is looked for again: the next one has another place.
        if path is not None and len(findings) == noted:
            self._found[key] = path
        return path

    def _resolve(self, uri: str, base: str, at: Span | None, findings: Findings) -> str | None:
        asked = Request(uri.strip(), base, at, findings)
        if not self._is_name(asked):
            return None
        unknown = [name for name in VARIABLE.findall(uri) if name not in self.variables]
        if unknown:
            hint = f"give variables={{'{unknown[0]}': directory}}"
            asked.warn("uri-variable", f"has the unknown variable ${{{unknown[0]}}}", hint)
            return None
        path = VARIABLE.sub(lambda found: self.variables[found[1]], asked.uri)
        scheme = "" if DRIVE.match(path) else (SCHEME.match(path) or [""])[0][:-1].lower()
        if scheme in {"package", "model"}:
            if (PACKAGE.match(path) or [""])[0] != f"{scheme}://":
                asked.warn("uri-slip", f"is read as {scheme}://", "write one colon and two slashes")
            if not PLAIN.fullmatch(package_parts(path)[0]):
                asked.warn("outside-model", "names no package and is not opened")
                return None
            return self._choose(asked, self._in_packages(path, base))
        if scheme == "file":
            path = file_path(path)
            if not self._is_here(replace(asked, uri=path)):
                return None
        elif scheme and not self.kind(beside(path, base)):
            asked.warn("uri-not-opened", f"is not opened: {scheme}: is no file", _COPY)
            return None
        return self._choose(asked, [Place(beside(path, base))])

    def search(
        self, name: str, base: str, at: Span | None, findings: Findings, search: Search
    ) -> str | None:
        """As :meth:`resolve`, for a plain name that is looked for in a list of folders.

        >>> files = MemoryFiles({"robots/a.rob": b"", "ivmodels/arm.iv": b""})
        >>> files.search("arm.iv", "robots/a.rob", None, Findings(), Search(("", "ivmodels")))
        'ivmodels/arm.iv'
        """
        asked = Request(name.strip(), base, at, findings)
        if not self._is_name(asked):
            return None
        return self._choose(asked, self._searched(asked, search))

    def _is_name(self, asked: Request) -> bool:
        """Whether the uri can be the name of a file; a warning when not."""
        good = bool(asked.uri) and len(asked.uri) <= LONGEST_URI and not CONTROLS.search(asked.uri)
        if not good:
            asked.warn("file-missing", "is no file name" if asked.uri else "the file name is empty")
        return good and self._is_here(asked)

    def _is_here(self, asked: Request) -> bool:
        """Whether a path is one of this machine; a warning when not."""
        here = not asked.uri.startswith(SHARES)
        if not here:
            asked.warn("uri-not-opened", "is not opened: it is a folder of another machine", _COPY)
        return here

    def _searched(self, asked: Request, search: Search) -> Iterator[Place]:
        home = os.path.dirname(asked.base)
        above = os.path.normpath(os.path.join(home, os.pardir))
        yield Place(beside(asked.uri, asked.base))
        for folder in search.folders:
            for root in self._listed(folder[1:]) if folder.startswith("$") else ():
                yield Place(os.path.normpath(os.path.join(root, asked.uri)), root, True)
            for root in () if folder.startswith("$") else (home, above):
                yield Place(os.path.normpath(os.path.join(root, folder, asked.uri)))

    def package(self, name: str, base: str) -> str | None:
        """The directory of a package as seen from the file ``base``, or None."""
        for place in self._package_places(name, base):
            if self.kind(place.path) == "directory":
                return place.path
        return None

    def _choose(self, asked: Request, places: Iterable[Place]) -> str | None:
        """The first place that exists within reach; else the first that does but for letter case."""
        roots = self._roots(asked.base)
        tried: list[Place] = []
        outside = False
        for place in places:
            # What is out of reach is not even looked at: no message tells whether it is there.
            if not self._within(place, roots):
                outside = True
            elif kind := self.kind(place.path):
                if kind == "other":
                    asked.warn("file-special", "is a pipe, a socket or a device, and is not opened")
                    return None
                return place.path
            else:
                tried.append(place)
        for place in tried:
            found = self._other_spelling(place, roots)
            if found:
                asked.warn(*misspelled(asked.uri, found))
                return found
        for code, why, path in other_readings(asked.uri):
            place = Place(beside(path, asked.base))
            if self._within(place, roots) and self.kind(place.path) == "file":
                asked.warn(code, why, f"write {shown(path)}")
                return place.path
        if outside and not tried:
            hint = "if it is to be trusted: --allow DIR (in Python allow=), or --package NAME=DIR"
            asked.warn("outside-model", "lies outside the model and is not opened", hint)
            return None
        paths = list(dict.fromkeys(place.path for place in tried))
        more = f" and {len(paths) - _SHOWN_PLACES} more" if len(paths) > _SHOWN_PLACES else ""
        hint = f"tried {', '.join(paths[:_SHOWN_PLACES])}{more}" if paths else _NO_PACKAGE
        asked.warn("file-missing", "is missing", hint)
        return None

    def _within(self, place: Place, roots: list[str]) -> bool:
        if place.trusted:
            return under(os.path.normpath(place.path), os.path.normpath(place.root))
        real = self._real(place.path)
        own = [self._real(place.root)] if place.root and self._manifests.meant(place.root) else []
        if any(under(real, root) and not hidden(real, root) for root in [*roots, *own]):
            return True
        # What the caller or the environment names may hold links: a workspace installed with links does.
        named = self._absolute(place.path)
        given = [*self.allow, *self.packages.values(), *self._listed("ROS_PACKAGE_PATH")]
        given += [os.path.join(p, "share") for v, _ in _PREFIXES for p in self._listed(v)]
        return any(under(named, self._absolute(root)) for root in given)

    def _other_spelling(self, place: Place, roots: list[str]) -> str | None:
        """The path that exists when letter case, or backslashes for slashes, are forgiven."""
        head, tail = os.path.normpath(place.path.replace("\\", os.sep)), list[str]()
        while not self.kind(head or os.curdir):
            head, name = os.path.split(head)
            if not name:
                return None
            tail.insert(0, name)
        for name in tail:
            names = self.names(head or os.curdir)
            alike = [n for n in names if n == name] or [n for n in names if letters(n) == letters(name)]
            if not alike:
                return None
            head = os.path.join(head, alike[0])
        found = Place(head, place.root, place.trusted)
        return head if self._within(found, roots) and self.kind(head) else None

    def _real(self, path: str) -> str:
        real = self._reals.get(path)
        if real is None:
            try:
                real = self.disk.real(path)
            except (OSError, ValueError):
                real = os.path.normpath(path)
            self._reals[path] = real
        return real

    def _absolute(self, path: str) -> str:
        try:
            return self.disk.absolute(path)
        except (OSError, ValueError):
            return os.path.normpath(path)

    def _roots(self, base: str) -> list[str]:
        """Real directories that files named in ``base`` may lie in."""
        key = f"roots of {base}"
        if key not in self._cache:
            own: list[str] = []
            homes = self._homes(base)
            for directory in homes:
                package = next((d for d in ancestors(directory) if self._manifests.has(d)), directory)
                own += [directory, os.path.dirname(directory), package, os.path.dirname(package)]
            given = [*self.allow, *self.packages.values(), *self.variables.values()]
            # The parent of a directory at the top is the whole disk, and "/home" is other people's.
            # What is above a directory without links has none either.
            real = own if len(homes) == 1 else map(self._real, own)
            near = [root for root in dict.fromkeys(real) if not self._too_high(root)]
            self._cache[key] = dict.fromkeys([*near, *map(self._real, given)], "")
        return list(self._cache[key])

    def _homes(self, base: str) -> list[str]:
        """The directory of a file as named, and the one it lies in when it is a link."""
        return list(dict.fromkeys(os.path.dirname(p) for p in (self._absolute(base), self._real(base))))

    def _in_packages(self, path: str, base: str) -> Iterator[Place]:
        """Where a package uri may point, in the order of trying."""
        name, inner = package_parts(path)
        for package in self._package_places(name, base):
            for rest in dict.fromkeys([inner, unquote(inner)]):
                yield Place(
                    os.path.normpath(os.path.join(package.path, rest)), package.path, package.trusted
                )

    def _package_places(self, name: str, base: str) -> Iterator[Place]:
        """Directories that a package of this name may be, in the order of trying."""
        if not PLAIN.fullmatch(name):
            return
        if name in self.packages:
            yield Place(self.packages[name], self.packages[name], True)
        for directory in self._nearby(name, base):
            yield Place(directory, directory)
        for directory in self._listed("ROS_PACKAGE_PATH"):
            own = name in {os.path.basename(directory), self._manifests.name(directory)}
            for d in [
                *[directory][:own],
                os.path.join(directory, name),
                *self._manifests.below(directory, 2, name),
            ]:
                yield Place(d, d, True)
        for variable, layout in _PREFIXES:
            for prefix in self._listed(variable):
                directory = os.path.join(prefix, *(part or name for part in layout))
                yield Place(directory, directory, True)

    def _nearby(self, name: str, base: str) -> Iterator[str]:
        """The package itself when ``base`` is in it, its neighbours, and directories of that name above."""
        above = list(dict.fromkeys(d for home in self._homes(base) for d in ancestors(home)))
        yield from [d for d in above if self._manifests.name(d) == name or self._could_be(d, name)][:1]
        nearest = next((d for d in above if self._manifests.has(d)), os.sep)
        parent = os.path.dirname(nearest)
        if os.path.dirname(parent) != parent:
            yield os.path.join(parent, name)
            yield from self._manifests.below(parent, 1, name)
        # Hidden folders, and what else lies in a home directory, are no packages.
        for directory in (os.path.join(d, name) for d in above if name[0] != "."):
            private = under(self._home(), os.path.dirname(directory)) and not self._manifests.has(directory)
            if not private and self._could_be(directory, name) and self.kind(directory) == "directory":
                yield directory

    def _listed(self, variable: str) -> list[str]:
        paths = self.environment.get(variable, "").split(os.pathsep)
        return [path.rstrip("/" + os.sep) or os.sep for path in paths if path]

    def _could_be(self, directory: str, name: str) -> bool:
        """May a directory without package.xml be package ``name``? Never "/etc" or a home directory."""
        parent = os.path.dirname(directory)
        at_top = os.path.dirname(parent) == parent
        return os.path.basename(directory) == name and not at_top and not under(self._home(), directory)

    def _too_high(self, root: str) -> bool:
        """The root of the disk, or a directory of home directories."""
        return os.path.dirname(root) == root or (under(self._home(), root) and root != self._home())

    def _home(self) -> str:
        return self._real(self.environment.get("HOME") or self.environment.get("USERPROFILE") or os.sep)


class MemoryFiles(Files):
    """The twin of :class:`Files` without a disk, for tests: path → bytes, and no environment."""

    def __init__(self, contents: Mapping[str, bytes], **settings: Any) -> None:
        super().__init__(disk=MemoryDisk(contents), **{"environment": {}, **settings})
