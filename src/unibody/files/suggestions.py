"""What was probably meant by the name of a file that is missing: one bounded search around the model."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence

from unibody.files.filesystem import FileSystem
from unibody.files.spaces import walk
from unibody.files.uris import folded, shown, under
from unibody.text.counted import listed
from unibody.text.dataclass import dataclass
from unibody.text.hint import Hint, Setting
from unibody.text.near import near

# How far below a folder files are searched, and in how many entries of folders.
_LEVELS, _MOST_ENTRIES = 6, 5000
# Most paths that are looked up in packages, and most names that are compared letter by letter.
_MOST_LOOKED_UP, _MOST_COMPARED = 10_000, 50
_SHOWN = 4


@dataclass(frozen=True, slots=True)
class Missing:
    """A file that is missing: its path in its package or beside the file that names it, with slashes.

    ``package`` is its package and ``folder`` that package's folder, both "" if it names none, the folder
    also if there is no such package. ``tried`` are the paths at which it was looked for, ``alike`` folders
    whose names begin like that of the package. ``by`` is the file that names it, which was never meant.
    """

    inner: str
    package: str = ""
    folder: str = ""
    tried: Sequence[str] = ()
    alike: Sequence[str] = ()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """What to do about a missing file, to be put before the rest of a hint.

    ``instead`` is the path that was meant, relative to the package ``package`` unless that is ""; "" if no
    single one is sure. ``word`` is the name that was probably meant.
    """

    hint: Hint
    instead: str = ""
    package: str = ""
    word: str = ""


class Around:
    """The files around a model: those in its package, or in its folder and the one above."""

    def __init__(
        self,
        disk: FileSystem,
        roots: Iterable[str],
        is_package: bool,
        opens: Callable[[str], bool],
    ) -> None:
        self._roots, self._is_package, self._opens = list(roots), is_package, opens
        self._by_name: dict[str, list[str]] = {}
        self._compared, self._left = 0, _MOST_LOOKED_UP
        seen = set[str]()
        for root in self._roots:
            for folder, inside in walk(disk, root, _LEVELS, _MOST_ENTRIES):
                real = _real(disk, folder)
                if inside is None or real in seen:
                    continue
                seen.add(real)
                for name in inside.files:
                    if name[0] != ".":
                        path = os.path.normpath(os.path.join(folder, name))
                        self._by_name.setdefault(folded(name), []).append(path)

    def suggestion(self, missing: Missing, packages: Mapping[str, str], names: Names) -> Suggestion | None:
        """What was probably meant; None if nothing comes near.

        ``packages`` are the folders of the packages around by name, ``names`` gives the names of the files
        in a folder that may be opened.
        """
        if missing.package and not missing.folder:
            return self._of_package(missing, packages) or self._alike(missing)
        return self._alike(missing) or self._near(missing, names) or self._elsewhere(missing, packages)

    def _ending(self, inner: str) -> list[str]:
        """The files whose paths end like this one, whole names compared without case."""
        end = folded(f"/{inner}")
        found = self._by_name.get(folded(inner.rpartition("/")[2]), ())
        return [p for p in found if folded("/" + p.replace(os.sep, "/")).endswith(end) and self._opens(p)]

    def _of_package(self, missing: Missing, packages: Mapping[str, str]) -> Suggestion | None:
        """A package or folder that has the file of a package that is not there."""
        name, inner = missing.package, missing.inner
        holding = self._holding(packages, inner)
        if len(holding) == 1:
            (other,) = holding
            hint = Hint(
                f"write package://{other}/{inner}, or use ", Setting("package", name, packages[other])
            )
            return Suggestion(hint, inner, other, other)
        if holding:
            said = listed([shown(other) for other in holding], _SHOWN)
            return Suggestion(
                Hint(f"the packages {said} have the file; choose one with ", Setting("package", name))
            )
        parts = inner.split("/")
        ends = dict.fromkeys(
            p[: -len(inner)].rstrip("/" + os.sep) or os.curdir for p in self._ending(inner)
        )
        ends |= dict.fromkeys(d for d in missing.alike if self._opens(os.path.join(d, *parts)))
        if len(ends) == 1:
            (folder,) = ends
            hint = Hint("use ", Setting("package", name, folder), ", which has the file")
            return Suggestion(hint, os.path.join(folder, *inner.split("/")))
        if ends:
            said = listed([shown(folder) for folder in ends], _SHOWN)
            return Suggestion(
                Hint(f"the folders {said} have the file; choose one with ", Setting("package", name))
            )
        if alike := near(name, packages):
            return Suggestion(Hint(f"did you mean the package {shown(alike)}?"), word=alike)
        return None

    def _alike(self, missing: Missing) -> Suggestion | None:
        """The file of the same name, or with the longest equal ending, elsewhere around the model."""
        parts = missing.inner.split("/")
        for count in range(len(parts), 0, -1):
            ending = "/".join(parts[-count:])
            found = [p for p in self._ending(ending) if p not in (*missing.tried, missing.by)]
            if not found:
                continue
            if len(found) > 1:
                said = listed([shown(path) for path in found], _SHOWN)
                return Suggestion(Hint(f"files of that name are {said}"))
            (path,) = found
            homes = [self._roots[0], *map(os.path.dirname, missing.tried)]
            homes += [missing.folder] * bool(missing.folder)
            is_sure = self._is_package or count > 1 or any(_is_below(path, home) for home in homes)
            if missing.package and not missing.folder and 1 < count < len(parts):
                # Only a part of the package is there: one prefix for all references to its files.
                before = "/".join((f"package://{missing.package}", *parts[:-count]))
                folder = path[: -len(ending)].rstrip("/" + os.sep) or os.curdir
                return Suggestion(
                    Hint("use ", Setting("remap", before, folder), ", which has the file"), path
                )
            return Suggestion(Hint(f"a file of that name is {shown(path)}"), path if is_sure else "")
        return None

    def _near(self, missing: Missing, names: Names) -> Suggestion | None:
        """A file in the same folder whose name is almost that one."""
        wanted = missing.inner.rpartition("/")[2]
        self._compared += 1
        if self._compared > _MOST_COMPARED:
            return None
        stem = folded(wanted.rpartition(".")[0])
        for folder in dict.fromkeys(os.path.dirname(path) for path in missing.tried):
            there = [name for name in names(folder) if os.path.join(folder, name) != missing.by]
            same = [name for name in there if stem and folded(name.rpartition(".")[0]) == stem]
            if same:
                return Suggestion(Hint(f"did you mean {shown(same[0])}?"), word=same[0])
            if alike := near(wanted, there, 0.7):
                return Suggestion(Hint(f"did you mean {shown(alike)}?"), word=alike)
        return None

    def _holding(self, packages: Mapping[str, str], inner: str) -> list[str]:
        """The packages that have a path."""
        self._left -= len(packages)
        if self._left < 0:
            return []
        return [
            name
            for name, folder in packages.items()
            if self._opens(os.path.join(folder, *inner.split("/")))
        ]

    def _elsewhere(self, missing: Missing, packages: Mapping[str, str]) -> Suggestion | None:
        """Another package that has the path."""
        others = {name: folder for name, folder in packages.items() if name != missing.package}
        holding = self._holding(others, missing.inner) if missing.package else []
        if not holding:
            return None
        said = listed([f"package://{name}/{missing.inner}" for name in holding], _SHOWN)
        sure = holding[0] if len(holding) == 1 else ""
        return Suggestion(Hint(f"write {said}"), missing.inner if sure else "", sure, sure)


def _real(disk: FileSystem, folder: str) -> str:
    try:
        return disk.real(folder)
    except (OSError, ValueError):
        return folder


def _is_below(path: str, folder: str) -> bool:
    return under(os.path.abspath(path), os.path.abspath(folder))


#: The names of the files in a folder.
Names = Callable[[str], Sequence[str]]
