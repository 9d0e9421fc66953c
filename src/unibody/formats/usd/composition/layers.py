"""The layers of a stage: their bytes, and the paths between them."""

from __future__ import annotations

import posixpath
from dataclasses import field, replace

from unibody.files.access import FileError
from unibody.formats.format import Context
from unibody.formats.usd.composition.package import MAGIC, inner_path, unpacked
from unibody.text.dataclass import dataclass
from unibody.text.decode import decode
from unibody.text.finding import Finding, Findings, TextError
from unibody.text.source import Source, Span
from unibody.text.usda.places import Places, places

#: The first bytes of a layer in text, and of one in binary form.
TEXT, BINARY = b"#usda", b"PXR-USDC"
# A layer that is looked for outside the reach of the model changes what is read, as a missing one does not.
_REFUSED = frozenset({"outside-model", "uri-not-opened"})


@dataclass(slots=True, eq=False)
class Layer:
    """A layer: its file, the file of a package in which it is, its bytes, and its text if it has one."""

    name: str
    path: str
    inner: str
    data: bytes = field(repr=False)
    source: Source
    _places: Places | None = field(default=None, repr=False)

    @property
    def is_text(self) -> bool:
        """Whether the layer is text, so that places in it have lines."""
        return bool(self.source.text)

    def places(self) -> Places:
        """Where its prims and properties are written."""
        if self._places is None:
            self._places = places(self.source.text)
        return self._places

    def place_of(self, path: str) -> Span | None:
        """Where an asset path is written first; None in a binary layer."""
        at = self.source.text.find(f"@{path}@")
        return Span(self.source, at, at + len(path) + 2) if at >= 0 else None


class Layers:
    """The layers of one stage, read as its composition asks for them."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.by_name: dict[str, Layer] = {}
        self._known: dict[tuple[str, str], Layer | None] = {}
        self._packages: dict[str, dict[str, bytes]] = {}

    def root(self, source: Source, data: bytes) -> Layer:
        """The layer of the file that is read; TextError if it is none."""
        path = self.context.path
        if data.startswith(MAGIC):
            files = self._unpacked(path, data)
            inner = next(iter(files), "")
            layer = self._add(path, inner, files.get(inner, b""))
        else:
            layer = self._add(path, "", data, source)
        if layer is None:
            message = f"{path} must begin as a USD layer, with #usda or PXR-USDC"
            raise TextError(Finding("usd-unreadable", "error", message, hint="save it again with usdcat"))
        return layer

    def found(self, asset: str, layer: Layer, prim: str) -> Layer | None:
        """The layer that an asset path in a layer means; None, with a finding, if it is not read."""
        at = layer.place_of(asset)
        if "`" in asset:
            self._missing(f"the path '{asset}' is an expression, which is not evaluated", layer, prim, at)
            return None
        path, inner = inner_path(asset)
        if layer.inner:
            within = posixpath.normpath(posixpath.join(posixpath.dirname(layer.inner), path))
            return self._in_package(layer.path, within, asset, layer, prim, at)
        findings = Findings()
        real = self.context.files.resolve(path, layer.path, at, findings)
        where = f"prim <{prim}>: " if prim != "/" else ""
        for each in findings:
            severity = "error" if each.code in _REFUSED else each.severity
            self.context.findings.append(
                replace(each, message=f"{where}{each.message}", severity=severity, subject=each.subject)
            )
        if real is None:
            return None
        if self._known.get((real, inner)) is not None:
            return self._known[real, inner]
        try:
            data = self.context.files.read(real, at)
            if data.startswith(MAGIC):
                files = self._unpacked(real, data)
                inner = inner or next(iter(files), "")
                return self._in_package(real, inner, asset, layer, prim, at)
            added = self._add(real, "", data)
        except (FileError, TextError) as error:
            self.context.findings.append(replace(error.finding, at=error.finding.at or at))
            return None
        if added is None:
            self._missing(f"'{asset}' must begin as a USD layer, with #usda or PXR-USDC", layer, prim, at)
        return added

    def _in_package(
        self, path: str, inner: str, asset: str, layer: Layer, prim: str, at: Span | None
    ) -> Layer | None:
        """A layer in a package that was unpacked."""
        data = self._packages.get(path, {}).get(inner)
        found = None if data is None else self._add(path, inner, data)
        if found is None:
            self._missing(f"'{asset}' must be a USD layer in {path}", layer, prim, at)
        return found

    def _missing(self, what: str, layer: Layer, prim: str, at: Span | None) -> None:
        self.context.findings.warning(
            "file-missing",
            f"prim <{prim}> of {layer.source.name}: {what}",
            at,
            "add the layer, or remove the reference",
        )

    def _unpacked(self, path: str, data: bytes) -> dict[str, bytes]:
        if path not in self._packages:
            meter = self.context.files.meter
            self._packages[path] = unpacked(data, path, meter, self.context.findings)
        return self._packages[path]

    def _add(self, path: str, inner: str, data: bytes, source: Source | None = None) -> Layer | None:
        """A layer with its bytes; None if they are none of USD's."""
        key = (path, inner)
        if key in self._known:
            return self._known[key]
        layer = None
        suffix = ".usda" if data.startswith(TEXT) else ".usdc" if data.startswith(BINARY) else ""
        if suffix:
            shown = f"{path}[{inner}]" if inner else path
            if source is None:
                source = self._source(shown, data, suffix)
            layer = Layer(f"{len(self.by_name)}{suffix}", path, inner, data, source)
            self.by_name[layer.name] = layer
        self._known[key] = layer
        return layer

    def _source(self, name: str, data: bytes, suffix: str) -> Source:
        meter = self.context.files.meter
        if suffix == ".usdc":
            return Source(name, "", meter=meter)
        return decode(data, name, self.context.findings, meter)
