"""Pictures of robots kept from one run to the next, by the content of the robots' pages."""

from __future__ import annotations

import hashlib
import os
import sys
import zlib
from contextlib import suppress
from pathlib import Path

from unibody.files.atomic import write_atomic
from unibody.page.page import empty_page
from unibody.page.thumbnails import MANNER


def cache_folder() -> str:
    """The folder of the user's caches for unibody: below XDG_CACHE_HOME, or where the system keeps them."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "unibody")


class PictureStore:
    """Pictures by the key of a page's data, and the data of pages that are still to be drawn.

    A folder that cannot be written keeps nothing.
    """

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)

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
        with suppress(OSError):
            (self._folder / f"{key}.page").unlink()

    def wait(self, key: str, data: bytes) -> None:
        """Store the data of a page until it is drawn, unless it has been."""
        if not any((self._folder / f"{key}{suffix}").exists() for suffix in (".webp", ".page")):
            self._write(f"{key}.page", zlib.compress(data, 1))

    def waiting(self, key: str) -> bytes | None:
        """The data of a page that is to be drawn, None if there is none."""
        data = self._read(f"{key}.page")
        try:
            return data and zlib.decompress(data)
        except zlib.error:
            return None

    def _read(self, name: str) -> bytes | None:
        try:
            return (self._folder / name).read_bytes()
        except OSError:
            return None

    def _write(self, name: str, data: bytes) -> None:
        with suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomic(str(self._folder / name), data, True)
