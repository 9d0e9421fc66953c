"""The files that go with a written model: copies and conversions, planned before any is written."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from unibody.files.access import FileError, Files
from unibody.files.filesystem import Buffer, Kind, LocalFileSystem
from unibody.model.equality import file_digest
from unibody.text.finding import Findings

_COMPANIONS = {
    ".obj": re.compile(rb"^[ \t]*mtllib[ \t]+(.+?)[ \t\r]*$", re.MULTILINE),
    ".mtl": re.compile(
        rb"^[ \t]*(?:map_\w+|bump|disp|decal|refl)[ \t]+(?:.*[ \t])?(\S+)[ \t\r]*$", re.MULTILINE
    ),
    ".dae": re.compile(rb"<init_from>\s*([^<]+?)\s*</init_from>"),
    ".gltf": re.compile(rb'"uri"\s*:\s*"([^"]+)"'),
    ".glb": re.compile(rb'"uri"\s*:\s*"([^"]+)"'),
    ".wrl": re.compile(rb'\burl\s*\[?\s*"([^"]+)"'),
    ".iv": re.compile(rb'\b(?:file)?name\s+"([^"]+)"'),
    ".scen": re.compile(rb"\b(?:uri|url)\s*:\s*[\"']?([^\s\"',}#]+)"),
}
_COMPANIONS |= {".yaml": _COMPANIONS[".scen"], ".yml": _COMPANIONS[".scen"]}
_MOST_COMPANIONS = 2000
_ODD = re.compile(r"[^\w.\-]+")
_MOST_BYTES = 100
# Names that mean no file on Windows, whatever the suffix.
_DEVICES = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9¹²³]", re.IGNORECASE)


@dataclass(slots=True)
class Assets:
    """Files to be written beside a model, by absolute path: new contents, and copies of other files.

    ``reserved`` are files that are there and stay: no planned file may have one of their names.
    """

    contents: dict[str, bytes] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)
    reserved: set[str] = field(default_factory=set)

    def bytes_of(self, path: str) -> bytes:
        """What a planned file will hold."""
        return self.contents[path] if path in self.contents else Files().read(self.copies[path])

    def digest(self, path: str) -> str | None:
        """SHA-256 of a file that is planned, or is there; None without one."""
        absolute = os.path.abspath(path)
        if absolute in self.contents:
            return hashlib.sha256(self.contents[absolute]).hexdigest()
        return file_digest(self.copies.get(absolute, path))

    def free_name(self, folder: str, stem: str, suffix: str) -> str:
        """A path in a folder that no planned file has, whatever a disk thinks of letter case."""
        taken = {p.casefold() for p in (*self.contents, *self.copies, *self.reserved)}
        clean = _short(_ODD.sub("_", stem)).strip("._") or "mesh"
        clean = f"_{clean}" if _DEVICES.fullmatch(clean.split(".")[0]) else clean
        path, number = os.path.join(folder, clean + suffix), 2
        while path.casefold() in taken:
            path, number = os.path.join(folder, f"{clean}_{number}{suffix}"), number + 1
        return path


def _short(name: str) -> str:
    """The beginning of a name, of at most 100 bytes: file systems take 255 for all of it."""
    return name.encode("utf-8", "replace")[:_MOST_BYTES].decode("utf-8", "ignore")


class PlannedDisk(LocalFileSystem):
    """The real disk as it will be when all planned files are written."""

    def __init__(self, assets: Assets) -> None:
        self.assets = assets

    def _planned(self, path: str) -> str | None:
        absolute = os.path.abspath(path)
        known = absolute in self.assets.contents or absolute in self.assets.copies
        return absolute if known else None

    def _inside(self, path: str) -> list[str]:
        """Planned files below a directory, as paths seen from it."""
        prefix = os.path.join(os.path.abspath(path), "")
        every = (*self.assets.contents, *self.assets.copies)
        return [p[len(prefix) :] for p in every if p.startswith(prefix)]

    def real(self, path: str) -> str:
        """The absolute path without symbolic links."""
        return os.path.realpath(path)

    def kind(self, path: str) -> Kind:
        """What will be there."""
        if self._planned(path):
            return "file"
        if self._inside(path):
            return "directory"
        return super().kind(path)

    def names(self, path: str) -> list[str]:
        """Names in a directory, those of planned files too."""
        planned = {rest.split(os.sep)[0] for rest in self._inside(path)}
        try:
            return sorted({*super().names(path), *planned})
        except OSError:
            if not planned:
                raise
            return sorted(planned)

    def read(self, path: str, limit: int) -> bytes:
        """The bytes of a file."""
        planned = self._planned(path)
        if planned is None:
            return super().read(path, limit)
        if planned in self.assets.contents:
            return self.assets.contents[planned]
        return super().read(self.assets.copies[planned], limit)

    def read_into(self, buffer: Buffer, path: str, limit: int) -> memoryview:
        """As :meth:`read`, into memory that the next such call writes over."""
        if (planned := self._planned(path)) is None:
            return super().read_into(buffer, path, limit)
        if planned not in self.assets.contents:
            return super().read_into(buffer, self.assets.copies[planned], limit)
        data = self.assets.contents[planned]
        view = buffer.of(len(data))
        view[:] = data
        return view


def with_companions(paths: Iterable[str], files: Files) -> list[str]:
    """Mesh files and all that they name in turn (materials, images, parts), each once, by real path."""
    out: dict[str, None] = {}
    todo = [os.path.realpath(p) for p in paths]
    todo.reverse()
    while todo and len(out) < _MOST_COMPANIONS + len(todo):
        path = todo.pop()
        if path in out:
            continue
        out[path] = None
        pattern = _COMPANIONS.get(os.path.splitext(path)[1].lower())
        if pattern is None:
            continue
        try:
            data = files.read(path)
        except FileError:
            continue
        for name in dict.fromkeys(pattern.findall(data)):
            text = name.decode("utf-8", "replace").strip()
            found = None if text.startswith("data:") else files.resolve(text, path, None, Findings())
            if found is not None and files.exists(found):
                todo.append(os.path.realpath(found))
    return list(out)


def laid_out(paths: list[str], folder: str) -> dict[str, str]:
    """Where each file goes below a folder: they stay to each other as they were.

    >>> laid_out(["/a/x/arm.obj", "/a/y/arm.png"], "/out/arm_files")["/a/y/arm.png"]
    '/out/arm_files/y/arm.png'
    """
    if not paths:
        return {}
    root = os.path.commonpath([os.path.dirname(p) for p in paths])
    return {p: os.path.join(folder, os.path.relpath(p, root)) for p in paths}
