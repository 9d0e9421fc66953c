"""Reads the images of textures: files, files in packages, and tiles."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping

from unibody.files.access import FileError
from unibody.files.embedded import data_uri
from unibody.formats.format import Context
from unibody.formats.usd.composition.package import inner_path, unpacked
from unibody.text.finding import Findings, TextError
from unibody.text.source import Span

_TILES = "<UDIM>"
# The numbers of the tiles, ten to a row.
_NUMBERS = range(1001, 1101)


class Images:
    """The images that a stage refers to; each package is unpacked once."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self._packages: dict[str, Mapping[str, bytes]] = {}

    def find(self, asset: str, at: Span | None) -> tuple[str, str] | None:
        """The URI and the path of an image, "" if that is not found; None, with a finding, for no image.

        The URI of an image in a package holds its data.
        """
        package, inner = inner_path(asset)
        if inner:
            return self._in_package(package, inner, asset, at)
        files, path = self.context.files, self.context.path
        if _TILES in asset:
            found = [tile for tile in _tiles(asset) if files.find(tile, path) is not None]
            if not found:
                self._warn(
                    f"the texture {asset} must have tiles, {_NUMBERS[0]} the first; none is there", at
                )
                return None
            self._tell(asset, found, at)
            asset = found[0]
        real = files.resolve(asset, path, at, self.context.findings)
        return posixpath.normpath(asset) if asset.startswith("./") else asset, real or ""

    def _in_package(self, package: str, inner: str, asset: str, at: Span | None) -> tuple[str, str] | None:
        held = self._unpacked(package, at)
        if held is None:
            return None
        if _TILES in inner:
            found = [tile for tile in _tiles(inner) if tile in held]
            self._tell(asset, found, at)
            inner = found[0] if found else inner
        data = held.get(posixpath.normpath(inner))
        if data is None:
            self._warn(f"the texture {asset} must be in the package; not read", at)
            return None
        return data_uri(data), ""

    def _unpacked(self, package: str, at: Span | None) -> Mapping[str, bytes] | None:
        if package not in self._packages:
            files, findings = self.context.files, self.context.findings
            real = files.resolve(package, self.context.path, at, findings)
            if real is None:
                return None
            try:
                # what is odd about a package is said when its layers are read
                self._packages[package] = unpacked(files.read(real, at), real, files.meter, Findings())
            except (FileError, TextError) as error:
                findings.append(error.finding)
                self._packages[package] = {}
        return self._packages[package]

    def _tell(self, asset: str, tiles: list[str], at: Span | None) -> None:
        if len(tiles) > 1:
            self._warn(f"the texture {asset} has {len(tiles)} tiles; only {tiles[0]} is read", at)

    def _warn(self, what: str, at: Span | None) -> None:
        self.context.findings.warning("texture-not-read", what, at, "refer to one image file")


def _tiles(asset: str) -> list[str]:
    """The names of the tiles that a pattern may mean.

    >>> _tiles("a.<UDIM>.png")[10]
    'a.1011.png'
    """
    return [asset.replace(_TILES, str(number)) for number in _NUMBERS]
