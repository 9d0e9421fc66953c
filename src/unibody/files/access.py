"""Reads files within limits, and resolves the URIs in a model to paths.

Files outside the model's own tree are opened only if the caller allows it; nothing is fetched from a
network. All other modules read files through :class:`Files`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from typing import Any, TypeVar
from urllib.parse import unquote

from unibody.files.atomic import write_atomic
from unibody.files.filesystem import (
    Buffer,
    FileSystem,
    Kind,
    LocalFileSystem,
    MemoryFileSystem,
    TooLargeError,
)
from unibody.files.fixes import found_package, package_slip, relocated_path, respelled_path
from unibody.files.packages import Manifests
from unibody.files.relocation import HOME, endings, is_absolute, is_on_drive, is_share, relative, remapped
from unibody.files.spaces import Workspace, Workspaces, folder_names
from unibody.files.stand_in import stand_in
from unibody.files.suggestions import Around, Missing, Suggestion
from unibody.files.uris import (
    CONTROLS,
    DRIVE,
    FIND,
    LONGEST_URI,
    PACKAGE,
    PLAIN,
    SCHEME,
    VARIABLE,
    Candidate,
    Request,
    ancestors,
    beside,
    file_path,
    folded,
    hidden,
    misspelled,
    other_readings,
    package_parts,
    package_subject,
    shown,
    under,
)
from unibody.text.counted import listed
from unibody.text.dataclass import dataclass
from unibody.text.finding import Finding, Findings
from unibody.text.hint import Hint, Setting
from unibody.text.limits import DEFAULT, LimitError, Meter, ReadLimits
from unibody.text.source import Span

__all__ = ["Buffer", "FileError", "Files", "MemoryFiles", "write_atomic"]


_SHOWN_PLACES = 8
# Bytes of the largest file that is looked at for what stands in for another one.
_LARGEST_STAND_IN = 1 << 19
# Most folders above a model in which the ending of a path is searched.
_MOST_FOLDERS = 8

# Layout of installed packages below the prefixes of an environment; None stands for the package name.
_PREFIXES = (
    ("AMENT_PREFIX_PATH", ("share", None)),
    ("COLCON_PREFIX_PATH", ("share", None)),
    ("COLCON_PREFIX_PATH", (None, "share", None)),
)
_COPY = "copy the file next to the model and refer to it by a relative path"


B = TypeVar("B", bytes, memoryview)


def _no_package(name: str) -> Hint:
    """The hint on how to give the folder of a package."""
    way = Setting("package", name)
    return Hint("give the folder of the package with ", way, " or ROS_PACKAGE_PATH")


def _inner(uri: str) -> str:
    """The end of a URI behind its package, or behind the last folder above, with slashes.

    >>> _inner("package://arm/m/a%20b.stl"), _inner("..\\\\m\\\\a.stl"), _inner("file://../m/a.stl")
    ('m/a b.stl', 'm/a.stl', 'm/a.stl')
    """
    path = package_parts(uri)[1] if PACKAGE.match(uri) else uri
    path = file_path(path) if path.lower().startswith("file:") else unquote(path)
    parts = [part for part in re.split(r"[/\\]+", path) if part not in ("", ".")]
    last = max((k for k, part in enumerate(parts) if part == ".."), default=-1)
    return "/".join(parts[last + 1 :])


class FileError(Exception):
    """A file that cannot be read; ``finding`` tells why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(str(finding))
        self.finding = finding


def _read_metered(read: Callable[[int], B], path: str, meter: Meter, at: Span | None) -> B:
    """The result of ``read(most_bytes)``, counted by the meter; FileError if reading fails."""
    limits = meter.limits
    try:
        data = read(max(min(limits.file_bytes, limits.total_bytes - meter.bytes), 0))
        meter.opened.add(path)
        meter.take_bytes(len(data), shown(path), at)
        if (finding := stand_in(data, path, shown(path), at)) is None:
            return data
    except LimitError as met:
        finding = met.finding
    except TooLargeError as large:
        name, more = "file_bytes", ""
        if large.size <= limits.file_bytes:
            name, more = "total_bytes", f", after {meter.bytes} bytes of other files"
        finding = limits.finding(name, f"cannot read {shown(path)}: it has {large.size} bytes{more}", at)
    except FileNotFoundError:
        what = f"cannot read {shown(path)}: no such file"
        finding = Finding("file-missing", "error", what, at, subject=path)
    except (OSError, ValueError) as broken:
        what = f"cannot read {shown(path)}: {_reason(broken)}"
        finding = Finding("file-unreadable", "error", what, at, subject=path)
    raise FileError(finding)


def _reason(broken: Exception) -> str:
    if isinstance(broken, IsADirectoryError):
        return "is a directory"
    return broken.strerror or "cannot be opened" if isinstance(broken, OSError) else "not a valid file name"


@dataclass(frozen=True)
class Search:
    """Where the programs of a format search for a file, after the folder of the file that names it.

    ``folders`` are relative to that folder and to its parent ("" is these themselves); "$NAME" stands
    for the folders listed in an environment variable.
    """

    folders: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reach:
    """Where files may lie that the file ``base`` refers to: below resolved folders and in its workspace."""

    base: str
    roots: tuple[str, ...]


@dataclass(frozen=True)
class Files:
    """File access of one load: reads files and resolves URIs (see :meth:`resolve` for where).

    ``packages`` maps package names to directories, ``allow`` lists further directories that a model
    may refer to, ``remap`` replaces prefixes of paths and URIs (a relative folder is that of the caller),
    ``variables`` gives the values of ``${NAME}`` in paths, ``limits`` bounds what is read. Without
    ``suggests`` no folders are searched for what the name of a missing file meant.

    >>> files = MemoryFiles({"m/r.urdf": b"<robot/>", "m/meshes/a.stl": b""})
    >>> files.resolve("meshes/a.stl", "m/r.urdf", None, Findings())
    'm/meshes/a.stl'
    """

    packages: Mapping[str, str] = field(default_factory=dict)
    allow: Sequence[str] = ()
    remap: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)
    limits: ReadLimits = DEFAULT
    disk: FileSystem = field(default_factory=LocalFileSystem)
    suggests: bool = True
    _cache: dict[str, dict[str, str]] = field(default_factory=dict, repr=False, compare=False)
    _found: dict[tuple[str, str, Kind], str] = field(default_factory=dict, repr=False, compare=False)
    _reals: dict[str, str] = field(default_factory=dict, repr=False, compare=False)
    _around: dict[str, Around] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def _manifests(self) -> Manifests:
        return Manifests(self.disk)

    @cached_property
    def _workspaces(self) -> Workspaces:
        return Workspaces(self.disk, self._manifests)

    @cached_property
    def meter(self) -> Meter:
        """Resources used by the current or last load through this object."""
        return Meter(self.limits)

    def changed(self, **settings: Any) -> Files:
        """A copy with other settings and empty caches."""
        return replace(self, **settings, _cache={}, _found={}, _reals={}, _around={})

    def extended(
        self,
        *,
        packages: Mapping[str, str] | None = None,
        allow: Sequence[str] = (),
        remap: Mapping[str, str] | None = None,
        limits: ReadLimits | None = None,
    ) -> Files:
        """The same access with further packages, folders and replaced prefixes, or other limits."""
        if not packages and not allow and not remap and limits is None:
            return self
        return self.changed(
            packages={**self.packages, **(packages or {})},
            allow=(*self.allow, *allow),
            remap={**self.remap, **(remap or {})},
            limits=self.limits if limits is None else limits,
        )

    @property
    def unaided(self) -> Files:
        """The access of programs that know none of the packages and folders that the caller names."""
        if not self.packages and not self.allow and not self.remap:
            return self
        return self.changed(packages={}, allow=(), remap={})

    def read(self, path: str, at: Span | None = None) -> bytes:
        """The bytes of a file; FileError with a finding at ``at`` if it cannot be read.

        Pointers of Git LFS and web pages, of which a model has none, cannot be read.
        """
        return _read_metered(lambda most: self.disk.read(path, most), path, self.meter, at)

    def read_into(self, buffer: Buffer, path: str, at: Span | None = None) -> memoryview:
        """Like :meth:`read`, into a buffer that the next call overwrites."""
        return _read_metered(lambda most: self.disk.read_into(buffer, path, most), path, self.meter, at)

    def stand_in(self, path: str, at: Span | None = None) -> Finding | None:
        """The error for a small file that :meth:`read` refuses; None for others, which are not read."""
        try:
            data = self.disk.read(path, _LARGEST_STAND_IN)
        except (OSError, ValueError, TooLargeError):
            return None
        return stand_in(data, path, shown(path), at)

    def exists(self, path: str) -> bool:
        """Whether there is a regular file at a path."""
        return self.kind(path) == "file"

    def kind(self, path: str) -> Kind:
        """The kind of entry at a path, "" if there is none; never raises."""
        try:
            return self.disk.kind(path)
        except (OSError, ValueError):
            return ""

    def names(self, path: str) -> list[str]:
        """Sorted names of the entries of a directory; empty if it cannot be listed."""
        try:
            return self.disk.names(path)
        except (OSError, ValueError):
            return []

    def canonical(self, path: str) -> str:
        """A unique spelling of a path, to detect cycles; never raises."""
        return os.path.normcase(self._real(path))

    def resolve(
        self, uri: str, base: str, at: Span | None, findings: Findings, kind: Kind = "file"
    ) -> str | None:
        """The path that a URI in the file ``base`` refers to, or None with a warning.

        Relative paths start at the directory of ``base``. ``package://`` and ``model://`` are searched
        in ``packages``, then in the directories above ``base``, then in ROS_PACKAGE_PATH,
        AMENT_PREFIX_PATH and COLCON_PREFIX_PATH. The file must lie in the directory of ``base`` or its
        parent, in its package or the parent of that, in a package found this way, in ``allow``, or in a
        directory of those variables. ``kind`` is what it must be.

        Prefixes in ``remap`` are replaced first. For an absolute path that is not found, the longest of
        its endings is taken that exists once, in the directory of ``base`` or those above it within reach.
        """
        return self._looked_up(uri, Request(uri.strip(), base, at, findings, kind))

    def find(
        self,
        uri: str,
        base: str,
        findings: Findings | None = None,
        kind: Kind = "file",
        at: Span | None = None,
    ) -> str | None:
        """As :meth:`resolve`, for a file that may be missing: nothing is searched for what was meant.

        ``findings`` gets the warnings about a file that is found.
        """
        noted = Findings() if findings is None else findings
        return self._looked_up(uri, Request(uri.strip(), base, at, noted, kind, explains=False))

    def _looked_up(self, uri: str, asked: Request) -> str | None:
        key = (uri, asked.base, asked.kind)
        if key in self._found:
            return self._found[key]
        noted = len(asked.findings)
        path = self._resolve(self._remapped(asked))
        # Not cached if there was a finding: the next one has another place.
        if path is not None and len(asked.findings) == noted:
            self._found[key] = path
        return path

    def _resolve(self, asked: Request) -> str | None:
        uri, base = asked.uri, asked.base
        if not self._is_name(asked):
            return None
        if is_share(uri):
            return self._near(asked)
        if found := FIND.match(uri):
            uri = f"package://{found[1]}/{uri[found.end() :]}"
            fix = found_package(asked.at, asked.uri, uri)
            asked.warn(
                "uri-slip", f"is read as {shown(uri)}", f"write {uri}: only xacro knows $(find …)", fix
            )
            asked = replace(asked, uri=uri)
        unknown = [name for name in VARIABLE.findall(uri) if name not in self.variables]
        if unknown:
            hint = Hint("give its folder with ", Setting("remap", f"${{{unknown[0]}}}"))
            asked.warn("uri-variable", f"has the unknown variable ${{{unknown[0]}}}", hint)
            return None
        path = VARIABLE.sub(lambda found: self.variables[found[1]], uri)
        scheme = "" if DRIVE.match(path) else (SCHEME.match(path) or [""])[0][:-1].lower()
        if scheme in {"package", "model"}:
            if (PACKAGE.match(path) or [""])[0] != f"{scheme}://":
                fix = package_slip(asked.at)
                asked.warn("uri-slip", f"is read as {scheme}://", "write one colon and two slashes", fix)
            if not PLAIN.fullmatch(package_parts(path)[0]):
                asked.warn("outside-model", "has no valid package name and is not opened")
                return None
            return self._choose(asked, self._in_packages(path, base))
        if scheme == "file":
            path = file_path(path)
        elif scheme and not self.kind(beside(path, base)):
            asked.warn("uri-not-opened", f"is not opened: unsupported scheme {scheme}:", _COPY)
            return None
        return self._choose(asked, [Candidate(beside(path, base))])

    def search(
        self, name: str, base: str, at: Span | None, findings: Findings, search: Search
    ) -> str | None:
        """Like :meth:`resolve`, for a plain name that is searched in a list of folders.

        >>> files = MemoryFiles({"robots/a.rob": b"", "ivmodels/arm.iv": b""})
        >>> files.search("arm.iv", "robots/a.rob", None, Findings(), Search(("", "ivmodels")))
        'ivmodels/arm.iv'
        """
        asked = self._remapped(Request(name.strip(), base, at, findings))
        if not self._is_name(asked):
            return None
        if is_share(asked.uri):
            return self._near(asked)
        return self._choose(asked, self._searched(asked, search))

    def _is_name(self, asked: Request) -> bool:
        """Whether the URI can be the name of a file; adds a warning if not."""
        good = bool(asked.uri) and len(asked.uri) <= LONGEST_URI and not CONTROLS.search(asked.uri)
        if not good:
            asked.warn(
                "file-missing", "is not a valid file name" if asked.uri else "the file name is empty"
            )
        return good

    def _searched(self, asked: Request, search: Search) -> Iterator[Candidate]:
        home = os.path.dirname(asked.base)
        above = os.path.normpath(os.path.join(home, os.pardir))
        yield Candidate(beside(asked.uri, asked.base))
        for folder in search.folders:
            for root in self._listed(folder[1:]) if folder.startswith("$") else ():
                yield Candidate(os.path.normpath(os.path.join(root, asked.uri)), root, True)
            for root in () if folder.startswith("$") else (home, above):
                yield Candidate(os.path.normpath(os.path.join(root, folder, asked.uri)))

    def package(self, name: str, base: str) -> str | None:
        """The absolute directory of a package for the file ``base``, or None.

        Files in it may be opened in the current load, by whichever path they are named.
        """
        reach = self._reach(base)
        for place in self._package_places(name, base):
            if self._within(place, reach) and self.kind(place.path) == "directory":
                path = self.absolute(place.path)
                self.meter.packages[path] = place.trusted
                return path
        return None

    def _choose(self, asked: Request, places: Iterable[Candidate]) -> str | None:
        """The first candidate that exists within reach; else the first that differs only in letter case."""
        reach = self._reach(asked.base)
        tried: list[Candidate] = []
        outside = other = False
        for place in places:
            # Paths out of reach are not looked up, so that no message reveals whether they exist.
            if not self._within(place, reach):
                outside = True
            elif kind := self.kind(place.path):
                if kind == "other":
                    asked.warn("file-special", "is a pipe, a socket or a device and is not opened")
                    return None
                if kind == asked.kind:
                    return place.path
                other = True
            else:
                tried.append(place)
        for place in tried:
            found = self._other_spelling(place, reach, asked.kind)
            if found:
                code, why, hint = misspelled(asked.uri, found)
                asked.warn(code, why, hint, respelled_path(asked.at, found, self.names))
                return found
        for code, why, path in other_readings(asked.uri):
            place = Candidate(beside(path, asked.base))
            if self._within(place, reach) and self.kind(place.path) == "file":
                asked.warn(code, why, f"write {shown(path)}")
                return place.path
        if is_absolute(asked.uri):
            noted = len(asked.findings)
            near = self._near(asked)
            if near is not None or len(asked.findings) > noted:
                return near
        if other:
            what = "a file, not a directory" if asked.kind == "directory" else "a directory, not a file"
            asked.warn("file-special", f"is {what}; it is not opened", f"write the name of a {asked.kind}")
            return None
        paths = list(dict.fromkeys(place.path for place in tried))
        if not asked.explains:
            self.meter.missed.update(paths)
            return None
        name = package_parts(asked.uri)[0] if PACKAGE.match(asked.uri) else ""
        package = self._package_of(name, asked.base) if name else ""
        missing = Missing(_inner(asked.uri), name, package, paths, by=os.path.normpath(asked.base))
        meant = self._suggested(asked, missing, reach)
        if outside and not tried:
            self._warn_outside(asked, meant)
            return None
        self.meter.missed.update(paths)
        if name and not package:
            why, hint, subject = (
                f"there is no package {shown(name)}",
                _no_package(name),
                package_subject(name),
            )
        else:
            why, hint, subject = "", "", ""
            if HOME.match(asked.uri):
                hint = Hint("only a shell knows ~: give the folder with ", Setting("remap", "~"))
        fix = None
        if meant is not None:
            new = self._instead(asked, meant, package)
            hint = (
                Hint(meant.hint, f": write {shown(new)}") if new and not meant.hint.settings else meant.hint
            )
            fix = relocated_path(asked.at, asked.uri, new)
            fix = None if fix is None else replace(fix, safe=False)
        cut = [space.src for space in self._spaces(asked.base) if space.cut and name and not package]
        # The only place may be that of the message.
        says_more = paths and paths != [os.path.normpath(asked.uri)]
        notes = [f"tried {listed(paths, _SHOWN_PLACES)}"] if says_more else []
        notes += [f"only a part of {shown(src)} was searched" for src in cut]
        rest = "; ".join(notes) or ("" if hint else "add the file, or correct its name")
        more = f" ({rest})" if hint.endswith("?") else f"; {rest}"
        asked.warn(
            "file-missing",
            f"is missing: {why}" if why else "is missing",
            Hint(hint, more if rest else "") if hint else rest,
            fix,
            subject,
            "" if meant is None else meant.word,
        )
        return None

    def _warn_outside(self, asked: Request, meant: Suggestion | None) -> None:
        """Report a file that may not be opened, and was not looked for."""
        if meant is not None:
            new = self._instead(asked, meant, "")
            hint = (
                Hint(meant.hint, f": write {shown(new)}") if new and not meant.hint.settings else meant.hint
            )
        elif is_absolute(asked.uri):
            folder = os.path.dirname(asked.uri)
            way = Setting("remap", folder)
            hint = Hint(
                "if it has moved, use ", way, "; to open it there, use ", Setting("allow", value=folder)
            )
        elif PACKAGE.match(asked.uri):
            name = package_parts(asked.uri)[0]
            hint = Hint(
                "write a path within the package, or use ", Setting("package", name), " for another one"
            )
        else:
            folder = os.path.dirname(beside(asked.uri, asked.base))
            hint = Hint("to open it, use ", Setting("allow", value=folder or os.curdir))
        asked.warn("outside-model", "lies outside the model and is not opened", hint)

    def _package_of(self, name: str, base: str) -> str:
        """The folder of a package as a URI names it, "" if there is none."""
        found = (self.package(each, base) for each in dict.fromkeys([name, unquote(name)]))
        return next((folder for folder in found if folder), "")

    def _suggested(self, asked: Request, missing: Missing, reach: Reach) -> Suggestion | None:
        """What was probably meant by the name of a missing file, found by one search around the model."""
        if not self.suggests or not missing.inner or asked.kind != "file":
            return None

        def opens(path: str) -> bool:
            return self._within(Candidate(path), reach) and self.kind(path) == "file"

        def names(folder: str) -> list[str]:
            there = self.names(folder or os.curdir) if self._within(Candidate(folder), reach) else []
            return [name for name in there if name[0] != "." and self.exists(os.path.join(folder, name))]

        folders = self._folders_above(asked.base, reach)
        package = next((d for d in folders if self._manifests.has(d)), "")
        private = (folder for folder in folders[:2] if self._real(folder or os.curdir) != self._home())
        roots = [package] if package else list(dict.fromkeys([folders[0], *private]))
        if missing.package and not missing.folder:
            start = folded(missing.package)
            places = [
                (d, n) for d in folders for n in self.names(d or os.curdir) if folded(n).startswith(start)
            ]
            missing = replace(missing, alike=[os.path.normpath(os.path.join(*p)) for p in places])
        key = "\0".join(roots)
        if key not in self._around:
            self._around[key] = Around(self.disk, roots, bool(package), opens)
        return self._around[key].suggestion(missing, self._packages_around(asked.base), names)

    def _packages_around(self, base: str) -> dict[str, str]:
        """The packages beside that of a file, and in its workspace, by name."""
        out: dict[str, str] = {}
        for home in self._homes(base):
            nearest = next((d for d in ancestors(home) if self._manifests.has(d)), "")
            if nearest and not self._too_high(parent := os.path.dirname(nearest)):
                out = {**self._manifests.names_below(parent, 1), **out}
        for space in self._spaces(base):
            out = {**space.named(), **out}
        return out

    def _instead(self, asked: Request, meant: Suggestion, package: str) -> str:
        """The reference to write for what was meant, "" if it is not sure."""
        if not meant.instead:
            return ""
        name = package_parts(asked.uri)[0] if package else ""
        if meant.package:
            return f"package://{meant.package}/{meant.instead}"
        if package and under(self.absolute(meant.instead), package):
            inner = os.path.relpath(self.absolute(meant.instead), package).replace(os.sep, "/")
            return f"package://{name}/{inner}"
        return relative(meant.instead, asked.base)

    def _near(self, asked: Request) -> str | None:
        """The file near the model that an absolute path of another machine probably means.

        Adds a warning if there is one, if there are several, and for a path that is never looked up.
        """
        found = next(self._elsewhere(asked), None)
        if found is None:
            if is_share(asked.uri):
                asked.warn("uri-not-opened", "is not opened: folder of another machine", _COPY)
            return None
        ending, before, paths = found
        if len(paths) > 1:
            several = ", ".join(shown(path) for path in paths[:_SHOWN_PLACES])
            hint = Hint("choose one with ", Setting("remap", before))
            asked.warn(
                "uri-ambiguous", f"is not opened: {shown(ending)} is found several times: {several}", hint
            )
            return None
        (path,) = paths
        code = "uri-drive" if is_on_drive(asked.uri) else "uri-elsewhere"
        what = "an absolute path that is not opened"
        if is_on_drive(asked.uri):
            what = "a path on a Windows disk"
        elif HOME.match(asked.uri):
            what = "a path in somebody's home directory, which only a shell knows"
        instead = relative(path, asked.base)
        folder = path[: -len(ending)].rstrip("/" + os.sep) or os.curdir
        way = (", or use ", Setting("remap", before, folder)) if before else ()
        hint = Hint(f"write {shown(instead)}", *way)
        fix = relocated_path(asked.at, asked.uri, instead)
        asked.warn(code, f"is {what}; using {shown(instead)}, which ends alike", hint, fix)
        return path

    def _folders_above(self, base: str, reach: Reach) -> list[str]:
        """The folder of a file and those above it that are within reach."""
        folders = [os.path.dirname(base)]
        for _ in range(_MOST_FOLDERS):
            above = os.path.normpath(os.path.join(folders[-1], os.pardir))
            if not any(under(self._real(above or os.curdir), root) for root in reach.roots):
                break
            folders.append(above)
        return folders

    def _elsewhere(self, asked: Request) -> Iterator[tuple[str, str, list[str]]]:
        """The endings of an absolute path that exist near the model, longest first: the ending, what is
        before it in the path, and the different files."""
        reach = self._reach(asked.base)
        folders = self._folders_above(asked.base, reach)
        for space in self._spaces(asked.base):
            packages = space.named()
            parts = [part for part in re.split(r"[/\\]", asked.uri) if part in packages]
            folders += [os.path.dirname(packages[part]) for part in parts] + [space.src] * bool(space.src)
        folders += [d for d in (*self.packages.values(), *self.allow) if d not in folders]
        for ending, before in endings(asked.uri):
            paths: dict[str, str] = {}
            for folder in folders:
                place = Candidate(os.path.normpath(os.path.join(folder, ending)))
                if not self._within(place, reach):
                    continue
                path = place.path
                if not self.kind(path):
                    path = self._other_spelling(place, reach, asked.kind) or ""
                if path and self.kind(path) == asked.kind:
                    paths.setdefault(self._real(path), path)
            if paths:
                yield ending, before, list(paths.values())

    def _remapped(self, asked: Request) -> Request:
        """The request with the longest matching prefix of ``remap`` replaced."""
        return replace(asked, uri=remapped(asked.uri, self._targets)) if self.remap else asked

    @cached_property
    def _targets(self) -> dict[str, str]:
        """What replaces each prefix: a URI, an absolute folder, or nothing."""
        return {
            old: new if not new or (SCHEME.match(new) and not DRIVE.match(new)) else self.absolute(new)
            for old, new in self.remap.items()
        }

    def _given(self) -> list[str]:
        """The folders that the caller named."""
        targets = [new for new in self._targets.values() if new and not SCHEME.match(new)]
        return [*self.allow, *self.packages.values(), *targets]

    def _within(self, place: Candidate, reach: Reach) -> bool:
        if place.trusted:
            return under(os.path.normpath(place.path), os.path.normpath(place.root))
        real = self._real(place.path)
        own = [self._real(place.root)] if place.root and self._manifests.is_credible(place.root) else []
        if any(under(real, root) and not hidden(real, root) for root in [*reach.roots, *own]):
            return True
        # Folders named by the caller or the environment may contain links: symlink-installed workspaces do.
        named = self.absolute(place.path)
        given = [*self._given(), *self._listed("ROS_PACKAGE_PATH")]
        given += [os.path.join(p, "share") for v, _ in _PREFIXES for p in self._listed(v)]
        given += [package for package, trusted in self.meter.packages.items() if trusted]
        if any(under(named, self.absolute(root)) for root in given):
            return True
        found = [self._real(package) for package, trusted in self.meter.packages.items() if not trusted]
        if any(under(real, package) and not hidden(real, package) for package in found):
            return True
        return any(self._workspaces.holds(space, real) for space in self._spaces(reach.base))

    def _other_spelling(self, place: Candidate, reach: Reach, kind: Kind) -> str | None:
        """The existing path that differs only in letter case, composition or backslashes; else None."""
        head, tail = os.path.normpath(place.path.replace("\\", os.sep)), list[str]()
        while not self.kind(head or os.curdir):
            head, name = os.path.split(head)
            if not name:
                return None
            tail.insert(0, name)
        for name in tail:
            names = self.names(head or os.curdir)
            alike = [n for n in names if n == name] or [n for n in names if folded(n) == folded(name)]
            if not alike:
                return None
            head = os.path.join(head, alike[0])
        found = Candidate(head, place.root, place.trusted)
        return head if self._within(found, reach) and self.kind(head) == kind else None

    def _real(self, path: str) -> str:
        real = self._reals.get(path)
        if real is None:
            try:
                real = self.disk.real(path)
            except (OSError, ValueError):
                real = os.path.normpath(path)
            self._reals[path] = real
        return real

    def absolute(self, path: str) -> str:
        """The absolute path of a path of the caller; symbolic links are kept; never raises."""
        try:
            return self.disk.absolute(path)
        except (OSError, ValueError):
            return os.path.normpath(path)

    def _reach(self, base: str) -> Reach:
        """Where files may lie that are referred to in ``base``."""
        key = f"roots of {base}"
        if key not in self._cache:
            own: list[str] = []
            homes = self._homes(base)
            for directory in homes:
                package = next((d for d in ancestors(directory) if self._manifests.has(d)), directory)
                own += [directory, os.path.dirname(directory), package, os.path.dirname(package)]
            given = [*self._given(), *self.variables.values()]
            # The parent of a top-level directory is the whole disk, and "/home" belongs to other users.
            # The ancestors of a directory without links have none either.
            real = own if len(homes) == 1 else map(self._real, own)
            near = [root for root in dict.fromkeys(real) if not self._too_high(root)]
            self._cache[key] = dict.fromkeys([*near, *map(self._real, given)], "")
        return Reach(base, tuple(self._cache[key]))

    def _homes(self, base: str) -> list[str]:
        """The directory of a file as named, and that of its target if it is a link."""
        return list(dict.fromkeys(os.path.dirname(p) for p in (self.absolute(base), self._real(base))))

    def _in_packages(self, path: str, base: str) -> Iterator[Candidate]:
        """Candidates for a package URI, in the order of trying."""
        named, inner = package_parts(path)
        for name in dict.fromkeys([named, unquote(named)]):
            for package in self._package_places(name, base):
                for rest in dict.fromkeys([inner, unquote(inner)]):
                    yield Candidate(
                        os.path.normpath(os.path.join(package.path, rest)), package.path, package.trusted
                    )

    def _package_places(self, name: str, base: str) -> Iterator[Candidate]:
        """Candidate directories of a package, in the order of trying."""
        if not PLAIN.fullmatch(name):
            return
        if name in self.packages:
            yield Candidate(self.packages[name], self.packages[name], True)
        for directory in self._nearby(name, base):
            yield Candidate(directory, directory)
        for directory in self._listed("ROS_PACKAGE_PATH"):
            own = name in {os.path.basename(directory), self._manifests.name(directory)}
            for d in [
                *[directory][:own],
                os.path.join(directory, name),
                *self._manifests.below(directory, 2, name),
            ]:
                yield Candidate(d, d, True)
        for variable, layout in _PREFIXES:
            for prefix in self._listed(variable):
                directory = os.path.join(prefix, *(part or name for part in layout))
                yield Candidate(directory, directory, True)

    def _nearby(self, name: str, base: str) -> Iterator[str]:
        """The package if ``base`` is in it, those around it and in its workspace, and folders of that name.

        The name in a package.xml comes before that of a folder.
        """
        above = list(dict.fromkeys(d for home in self._homes(base) for d in ancestors(home)))
        nearest = next((d for d in above if self._manifests.has(d)), os.sep)
        parent = os.path.dirname(nearest)
        has_siblings = os.path.dirname(parent) != parent
        yield from [d for d in above if self._manifests.name(d) == name][:1]
        if has_siblings:
            yield from self._manifests.below(parent, 1, name)
        for space in self._spaces(base):
            yield from [space.named()[name]] if name in space.named() else []
            yield from self._workspaces.installed(space, name)
        yield from [d for d in above if self._could_be(d, name)][:1]
        if has_siblings:
            yield os.path.join(parent, name)
        # Hidden folders and plain folders of a home directory are not packages.
        for word in folder_names(name) if name[0] != "." else ():
            for directory in (os.path.join(d, word) for d in above):
                private = under(self._home(), os.path.dirname(directory))
                is_open = not private or self._manifests.has(directory)
                if is_open and self._could_be(directory, name) and self.kind(directory) == "directory":
                    yield directory

    def _spaces(self, base: str) -> list[Workspace]:
        """The workspaces that a file is in: as named, and as the target of a link."""
        return [self._workspaces.of(home, self._too_high) for home in self._homes(base)]

    def _listed(self, variable: str) -> list[str]:
        paths = self.environment.get(variable, "").split(os.pathsep)
        return [path.rstrip("/" + os.sep) or os.sep for path in paths if path]

    def _could_be(self, directory: str, name: str) -> bool:
        """Whether a directory without package.xml may be a package; never "/etc" or a home directory."""
        parent = os.path.dirname(directory)
        at_top = os.path.dirname(parent) == parent
        return (
            os.path.basename(directory) in folder_names(name)
            and not at_top
            and not under(self._home(), directory)
        )

    def _too_high(self, root: str) -> bool:
        """Whether a directory is the file system root or contains home directories."""
        return os.path.dirname(root) == root or (under(self._home(), root) and root != self._home())

    def _home(self) -> str:
        return self._real(self.environment.get("HOME") or self.environment.get("USERPROFILE") or os.sep)


class MemoryFiles(Files):
    """In-memory :class:`Files` for tests: a dict of path → bytes, and no environment."""

    def __init__(self, contents: Mapping[str, bytes] | None = None, **settings: Any) -> None:
        own = {} if contents is None else {"disk": MemoryFileSystem(contents), "environment": {}}
        super().__init__(**{**own, **settings})
