"""Pictures of robots kept from one run to the next, by the content of the robots' pages."""

from __future__ import annotations

import hashlib
import zlib
from contextlib import suppress
from pathlib import Path

from unibody.files.atomic import write_atomic
from unibody.page.page import empty_page
from unibody.page.thumbnails import MANNER


class PictureStore:
    """Pictures by the key of a page's data, and the data of pages that are still to be drawn.

    Nothing is kept without a folder, as where the user's cache is off, or in one that cannot be written.
    """

    def __init__(self, folder: str | None) -> None:
        self._folder = None if folder is None else Path(folder)

    @staticmethod
    def key(data: bytes) -> str:
        """The key of a page's data (``page_data``): of its content, and of how it is drawn."""
        manner = hashlib.sha256(MANNER.encode() + empty_page()).digest()
        return hashlib.sha256(manner + data).hexdigest()[:40]

    def picture(self, key: str) -> bytes | None:
        """The picture of a page, None if there is none."""
        return self._read(f"{key}.webp")

    def keep(self, key: str, picture: bytes) -> None:
        """Store the picture of a page, and drop the data of the page."""
        self._write(f"{key}.webp", picture)
        if self._folder is not None:
            with suppress(OSError):
                (self._folder / f"{key}.page").unlink()

    def wait(self, key: str, data: bytes) -> None:
        """Store the data of a page until it is drawn, unless it has been."""
        folder = self._folder
        if folder and not any((folder / f"{key}{suffix}").exists() for suffix in (".webp", ".page")):
            self._write(f"{key}.page", zlib.compress(data, 1))

    def waiting(self, key: str) -> bytes | None:
        """The data of a page that is to be drawn, None if there is none."""
        data = self._read(f"{key}.page")
        try:
            return data and zlib.decompress(data)
        except zlib.error:
            return None

    def _read(self, name: str) -> bytes | None:
        if self._folder is None:
            return None
        try:
            return (self._folder / name).read_bytes()
        except OSError:
            return None

    def _write(self, name: str, data: bytes) -> None:
        if self._folder is None:
            return
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomic(str(self._folder / name), data, True)
