"""File access with some files replaced in memory."""

from __future__ import annotations

from collections.abc import Mapping

from unibody.files.access import Files
from unibody.files.filesystem import Buffer, FileSystem, Kind, Listing


def with_contents(files: Files, contents: Mapping[str, bytes]) -> Files:
    """Return the same file access with other contents for some real paths."""
    return files.changed(disk=_Patched(files.disk, contents))


class _Patched:
    """A file system in which some files have other contents."""

    def __init__(self, disk: FileSystem, contents: Mapping[str, bytes]) -> None:
        self.disk, self.contents = disk, contents

    def absolute(self, path: str) -> str:
        """The absolute path; symbolic links are not resolved."""
        return self.disk.absolute(path)

    def real(self, path: str) -> str:
        """The absolute path without symbolic links."""
        return self.disk.real(path)

    def kind(self, path: str) -> Kind:
        """Kind of the path; "" if nothing exists there."""
        return self.disk.kind(path)

    def names(self, path: str) -> list[str]:
        """List the names in a directory."""
        return self.disk.names(path)

    def listing(self, path: str, most: int) -> Listing:
        """The folders and regular files in a directory, without links, of its first ``most`` entries."""
        return self.disk.listing(path, most)

    def read(self, path: str, limit: int) -> bytes:
        """Read a file."""
        data = self.contents.get(self.disk.real(path))
        return self.disk.read(path, limit) if data is None else data

    def read_into(self, buffer: Buffer, path: str, limit: int) -> memoryview:
        """As :meth:`read`, into ``buffer``, which the next call overwrites."""
        data = self.contents.get(self.disk.real(path))
        if data is None:
            return self.disk.read_into(buffer, path, limit)
        view = buffer.of(len(data))
        view[:] = data
        return view
