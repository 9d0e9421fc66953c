"""Assets of a written model: the files in its asset folder, named and held in memory."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from unibody.files.access import Files
from unibody.model.equality import file_digest

_UNSAFE = re.compile(r"[^\w.\-]+")
_MAX_STEM_BYTES = 100
# Device names of Windows, with any suffix.
_DEVICES = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9¹²³]", re.IGNORECASE)
_HASH_DIGITS = 8


def asset_folder(path: str) -> str:
    """The asset folder of a model file; each file has its own.

    >>> asset_folder("out/arm.urdf")
    'out/arm.urdf_files'
    """
    return f"{path}_files"


def file_stem(name: str) -> str:
    """A file name without suffix that every file system accepts.

    >>> file_stem("left arm/hand"), file_stem("con")
    ('left_arm_hand', '_con')
    """
    # File systems accept 255 bytes.
    short = _UNSAFE.sub("_", name).encode("utf-8", "replace")[:_MAX_STEM_BYTES].decode("utf-8", "ignore")
    stem = short.strip("._") or "mesh"
    return f"_{stem}" if _DEVICES.fullmatch(stem.split(".")[0]) else stem


def short_hash(digest: str) -> str:
    """The digits of a SHA-256 that distinguish file names."""
    return digest[:_HASH_DIGITS]


@dataclass(slots=True)
class Assets:
    """Files of the asset folder ``folder``, by absolute path: new contents, and copies of other files.

    If other content has the name, among the assets or on the disk, a short hash of the content is
    appended. So no asset replaces a file, and equal input gives equal names in an empty folder.
    With ``flat``, no two files have the same name in different folders.
    """

    folder: str
    flat: bool = False
    contents: dict[str, bytes] = field(default_factory=dict)
    copies: dict[str, str] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    _by_digest: dict[tuple[str, str], str] = field(default_factory=dict)

    @property
    def paths(self) -> list[str]:
        """The paths of all assets, sorted."""
        return sorted({*self.contents, *self.copies})

    def bytes_of(self, path: str) -> bytes:
        """The content of an asset."""
        return self.contents[path] if path in self.contents else Files().read(self.copies[path])

    def digest(self, path: str) -> str | None:
        """SHA-256 of an asset or of a file on the disk; None if there is neither."""
        absolute = os.path.abspath(path)
        if absolute in self.contents:
            return hashlib.sha256(self.contents[absolute]).hexdigest()
        return file_digest(self.copies.get(absolute, path))

    def add(self, data: bytes, name: str, suffix: str) -> str:
        """Add a file and return its path; equal content is one file."""
        digest = hashlib.sha256(data).hexdigest()
        if (digest, suffix) not in self._by_digest:
            path = self._free_path(file_stem(name), suffix, digest)
            self._by_digest[digest, suffix] = path
            self._put(path, data)
        return self._by_digest[digest, suffix]

    def add_pair(self, stem: str, contents: Mapping[str, bytes]) -> str | None:
        """Add files with one stem, by suffix; the first path, or None if one of the paths is taken."""
        paths = {os.path.join(self.folder, stem + suffix): data for suffix, data in contents.items()}
        if any(self._is_taken(path, hashlib.sha256(data).hexdigest()) for path, data in paths.items()):
            return None
        for path, data in paths.items():
            self._put(path, data)
        return next(iter(paths))

    def copy(self, source: str) -> str:
        """Add a copy of a file and return its path."""
        real = os.path.realpath(source)
        found = next((target for target, original in self.copies.items() if original == real), None)
        if found is None:
            stem, suffix = os.path.splitext(os.path.basename(real))
            found = self._free_path(file_stem(stem), suffix, file_digest(real) or "")
            self._put(found, real)
        return found

    def copy_tree(self, sources: Sequence[str]) -> dict[str, str]:
        """Add copies with the same relative paths, so that references among them hold.

        If other content has one of the names, all go into a subfolder named by their hash. With ``flat``,
        all are in the asset folder, and files that refer to others do not find them.
        """
        if self.flat:
            return self._copy_flat(sources)
        targets = laid_out(sources, self.folder)
        digests = {source: file_digest(source) or "" for source in sources if self._exists(targets[source])}
        if any(self._is_taken(targets[source], digest) for source, digest in digests.items()):
            whole = hashlib.sha256()
            for source in sources:
                relative = os.path.relpath(targets[source], self.folder)
                whole.update(f"{relative}\0{file_digest(source)}\0".encode("utf-8", "replace"))
            targets = laid_out(sources, os.path.join(self.folder, short_hash(whole.hexdigest())))
        for source, target in targets.items():
            self._put(target, source)
        return targets

    def _copy_flat(self, sources: Sequence[str]) -> dict[str, str]:
        """Add copies in the asset folder; the second file of a name has a hash of its relative path."""
        targets = laid_out(sources, self.folder)
        for source, target in targets.items():
            stem, suffix = os.path.splitext(os.path.basename(target))
            path = os.path.join(self.folder, f"{file_stem(stem)}{suffix}")
            if path.casefold() in self._names:
                digest = hashlib.sha256(os.path.relpath(target, self.folder).encode("utf-8", "replace"))
                path = os.path.join(
                    self.folder, f"{file_stem(stem)}-{short_hash(digest.hexdigest())}{suffix}"
                )
            targets[source] = path
            self._put(path, source)
        return targets

    def _put(self, path: str, content: bytes | str) -> None:
        if isinstance(content, bytes):
            self.contents[path] = content
        else:
            self.copies[path] = content
        self._names[path.casefold()] = path

    def _free_path(self, stem: str, suffix: str, digest: str) -> str:
        path = os.path.join(self.folder, stem + suffix)
        if self._is_taken(path, digest):
            path = os.path.join(self.folder, f"{stem}-{short_hash(digest)}{suffix}")
        if self._is_taken(path, digest):
            path = os.path.join(self.folder, f"{stem}-{digest}{suffix}")
        return path

    def _exists(self, path: str) -> bool:
        return path.casefold() in self._names or os.path.lexists(path)

    def _is_taken(self, path: str, digest: str) -> bool:
        """Whether other content has the path; letter case is ignored, as in some file systems."""
        known = self._names.get(path.casefold())
        if known is not None:
            return known != path or self.digest(path) != digest
        return os.path.lexists(path) and file_digest(path) != digest


def laid_out(paths: Iterable[str], folder: str) -> dict[str, str]:
    """The path of each file below a folder; relative paths are kept.

    >>> laid_out(["/a/x/arm.obj", "/a/y/arm.png"], "/out/arm.urdf_files")["/a/y/arm.png"]
    '/out/arm.urdf_files/y/arm.png'
    """
    paths = list(paths)
    if not paths:
        return {}
    root = os.path.commonpath([os.path.dirname(p) for p in paths])
    return {p: os.path.join(folder, os.path.relpath(p, root)) for p in paths}
