"""Workspaces: the packages below a folder ``src``, and those installed beside it."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

from unibody.files.filesystem import FileSystem, Listing
from unibody.files.packages import Manifests
from unibody.files.uris import ancestors, hidden, under
from unibody.text.dataclass import dataclass

# How far below "src" a package may be.
_LEVELS = 4
# Most entries of folders that are looked at for the packages of one workspace.
_MOST_ENTRIES = 20_000
# A folder with one of these files has no packages for the build tools.
_IGNORED = frozenset({"COLCON_IGNORE", "AMENT_IGNORE", "CATKIN_IGNORE"})


def walk(
    disk: FileSystem,
    root: str,
    levels: int,
    most: int,
    enters: Callable[[Listing], bool] = lambda inside: True,
) -> Iterator[tuple[str, Listing | None]]:
    """A folder and those up to ``levels`` below it, the nearest first, with what is in each.

    Links and hidden folders are not entered, nor the folders in one that ``enters`` rejects. No more than
    ``most`` entries of folders are looked at: where there are more, the last one is None.
    """
    level = [root]
    for depth in range(levels + 1):
        deeper: list[str] = []
        for folder in level:
            try:
                inside = disk.listing(folder or os.curdir, most)
            except (OSError, ValueError):
                continue
            most -= 1 + len(inside.folders) + len(inside.files)
            if most <= 0:
                yield folder, None
                return
            yield folder, inside
            if depth < levels and enters(inside):
                deeper += [os.path.join(folder, name) for name in inside.folders if name[0] != "."]
        level = deeper


@dataclass(frozen=True, slots=True)
class Workspace:
    """The packages that a file finds because they are in one workspace with it.

    ``packages`` are the folders below ``src`` by the name in their package.xml, ``reals`` the same without
    links; ``install`` is the folder of the installed ones, "" if there is none. ``cut``: there are more
    folders in ``src`` than are searched.
    """

    src: str = ""
    packages: dict[str, str] | None = None
    reals: frozenset[str] = frozenset()
    install: str = ""
    cut: bool = False

    def named(self) -> dict[str, str]:
        """The packages below ``src`` by name."""
        return self.packages or {}


class Workspaces:
    """The workspaces of a file system, each searched once; no method raises."""

    def __init__(self, disk: FileSystem, manifests: Manifests) -> None:
        self._disk, self._manifests = disk, manifests
        self._of: dict[str, Workspace] = {}
        self._sources: dict[str, Workspace] = {}

    def of(self, directory: str, is_closed: Callable[[str], bool]) -> Workspace:
        """The workspace that an absolute directory is in; folders that are closed are not searched."""
        if directory not in self._of:
            self._of[directory] = self._found(directory, is_closed)
        return self._of[directory]

    def installed(self, space: Workspace, name: str) -> list[str]:
        """The folder of an installed package, isolated or merged: a list of at most one path."""
        places = [(name, "share", name), ("share", name)] if space.install else []
        folders = (os.path.join(space.install, *place) for place in places)
        return [d for d in folders if self._manifests.has(d) and self._is_in(d, space)][:1]

    def holds(self, space: Workspace, real: str) -> bool:
        """Whether a path without links is in a package of a workspace, and not hidden there."""
        for folder in ancestors(os.path.dirname(real)):
            if folder in space.reals:
                return not hidden(real, folder)
        install = self._real(space.install) if space.install else ""
        if not install or not under(real, install):
            return False
        inner = real[len(install) :].split(os.sep)[1:]
        depth = (
            2 if inner[:1] == ["share"] else 3 if inner[1:2] == ["share"] and inner[0] == inner[2] else 0
        )
        package = os.path.join(install, *inner[:depth])
        return 0 < depth < len(inner) and self._manifests.has(package) and not hidden(real, package)

    def _is_in(self, folder: str, space: Workspace) -> bool:
        """Whether an installed package is a folder of the workspace, and no link out of it."""
        return under(self._real(folder), self._real(os.path.dirname(space.install)))

    def _real(self, path: str) -> str:
        try:
            return self._disk.real(path)
        except (OSError, ValueError):
            return path

    def _found(self, directory: str, is_closed: Callable[[str], bool]) -> Workspace:
        for above in ancestors(directory):
            home, name = os.path.split(above)
            if is_closed(above):
                break
            if name == "install" and self._is_installed(directory, above):
                source = os.path.join(home, "src")
                space = self._source(source) if not self._is_link(source) else Workspace()
                return Workspace(space.src, space.packages, space.reals, above, space.cut)
            if name == "src" and (space := self._source(above)).packages:
                install = os.path.join(home, "install")
                beside = install if not self._is_link(install) else ""
                return Workspace(space.src, space.packages, space.reals, beside, space.cut)
        return Workspace()

    def _is_installed(self, directory: str, install: str) -> bool:
        """Whether a directory is in a package that is installed there."""
        inner = directory[len(install) :].split(os.sep)[1:]
        return inner[:1] == ["share"] or inner[1:2] == ["share"]

    def _is_link(self, folder: str) -> bool:
        """Whether a folder is a link, or not there."""
        home, name = os.path.split(folder)
        try:
            is_there = self._disk.kind(folder) == "directory"
        except (OSError, ValueError):
            return True
        return not is_there or self._real(folder) != os.path.join(self._real(home), name)

    def _source(self, root: str) -> Workspace:
        """The workspace of a folder ``src``; without packages if there are none."""
        if root not in self._sources:
            packages: dict[str, str] = {}
            cut = False
            for folder, inside in walk(self._disk, root, _LEVELS, _MOST_ENTRIES, _has_packages):
                if inside is None:
                    cut = True
                elif "package.xml" in inside.files and not _IGNORED.intersection(inside.files):
                    packages.setdefault(self._manifests.name(folder), folder)
            reals = frozenset(map(self._real, packages.values()))
            self._sources[root] = Workspace(root, packages, reals, "", cut)
        return self._sources[root]


def _has_packages(inside: Listing) -> bool:
    """Whether packages are looked for below a folder: they are not in one another."""
    return "package.xml" not in inside.files and not _IGNORED.intersection(inside.files)


def folder_names(name: str) -> tuple[str, ...]:
    """The names that the folder of a package has: its own, and those in a ZIP file of its repository.

    >>> folder_names("arm")
    ('arm', 'arm-main', 'arm-master')
    """
    return (name, f"{name}-main", f"{name}-master")
