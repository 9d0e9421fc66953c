"""glTF data: validated access to the JSON, buffers, and accessors as arrays."""

from __future__ import annotations

import base64
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from unibody.files.access import FileError
from unibody.files.embedded import embedded_data, is_embedded
from unibody.meshes.numbers import FARTHEST
from unibody.meshes.scene import Request
from unibody.model.arrays import Floats
from unibody.text.decode import decode
from unibody.text.finding import Findings, TextError
from unibody.text.json.parser import loads

_KINDS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
# Limit on rows of accessors without data, which are all zeros: a hostile file can ask for gigabytes.
_MOST_ZEROS = 1_000_000


def items(data: Any, key: str) -> list[Any]:
    """The list under a key of a JSON object; [] if there is none."""
    found = data.get(key) if isinstance(data, dict) else None
    return found if isinstance(found, list) else []


def object_at(found: list[Any], index: Any) -> dict[str, Any] | None:
    """The JSON object at an index of a list; None if there is none."""
    if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < len(found):
        return None
    return found[index] if isinstance(found[index], dict) else None


def member(data: Any, key: str) -> dict[str, Any]:
    """The object under a key of a JSON object; {} if there is none."""
    found = data.get(key) if isinstance(data, dict) else None
    return found if isinstance(found, dict) else {}


def numbers(data: Any, key: str, count: int) -> Floats | None:
    """The list of ``count`` finite numbers under a key; None if there is none."""
    found = items(data, key)
    # bool is a subclass of int
    if len(found) != count or not all(v.__class__ in (int, float) and abs(v) < FARTHEST for v in found):
        return None
    return np.array(found, np.float64)


class GltfData:
    """The JSON of a glTF or GLB file, its buffers (each read once), and its accessors."""

    def __init__(self, data: bytes, request: Request) -> None:
        self.request = request
        self.binary: bytes | None = None
        text = self._chunks(data) if data.startswith(b"glTF") else data
        self.json = self._object(text)
        self.buffers: dict[int, bytes] = {}
        self.left = request.files.limits.file_bytes
        self.rows_left = 3 * request.most_triangles

    def broken(self, why: str) -> Exception:
        """The error for an invalid file."""
        return self.request.broken(why)

    def _chunks(self, data: bytes) -> bytes:
        """The JSON of a binary file; its binary chunk becomes the first buffer."""
        version = int.from_bytes(data[4:8], "little")
        if version != 2:
            raise self.request.broken(f"unsupported glTF version {version} (supported: 2)", "mesh-format")
        text = None
        at = 12
        while at + 8 <= len(data):
            size, kind = int.from_bytes(data[at : at + 4], "little"), data[at + 4 : at + 8]
            if at + 8 + size > len(data):
                raise self.request.broken("chunk extends beyond the end of the file")
            if kind == b"JSON" and text is None:
                text = data[at + 8 : at + 8 + size]
            elif kind == b"BIN\0" and self.binary is None:
                self.binary = data[at + 8 : at + 8 + size]
            at += 8 + size
        if text is None:
            raise self.request.broken("JSON chunk is missing")
        return text

    def _object(self, text: bytes) -> dict[str, Any]:
        noted = Findings()
        try:
            good, found = loads(decode(text, self.request.path, noted, self.request.files.meter), noted)
        except TextError as e:
            raise self.request.broken(e.finding.message) from None
        if wrong := [f for f in noted if not good or f.code == "number-underflow"]:
            raise self.request.broken(wrong[0].message, at=wrong[0].at)
        if not isinstance(found, dict) or not isinstance(found.get("asset"), dict):
            raise self.request.broken("not a glTF file: 'asset' is missing")
        return found

    def _buffer(self, index: Any) -> bytes:
        """The bytes of a buffer: the binary chunk, a data URI, or another file."""
        buffer = object_at(items(self.json, "buffers"), index)
        if buffer is None:
            raise self.broken(f"reference to unknown buffer {index!r}")
        if index not in self.buffers:
            uri = buffer.get("uri")
            found = self.binary if uri is None and index == 0 else self._opened(uri)
            if found is None:
                raise self.broken(f"buffer {index} cannot be read")
            size = buffer.get("byteLength")
            if not isinstance(size, int) or not 0 <= size <= len(found):
                raise self.broken(f"buffer {index} must have {size!r} bytes, but has {len(found)}")
            self.buffers[index] = found
        return self.buffers[index]

    def _opened(self, uri: Any) -> bytes | None:
        if not isinstance(uri, str):
            return None
        if is_embedded(uri):
            return embedded_data(uri)
        request = self.request
        path = request.resolve(unquote(uri))
        if path is None:
            return None
        try:
            found = request.files.read(path, request.at)
        except FileError as e:
            request.findings.append(e.finding)
            return None
        self.left -= len(found)
        if self.left < 0:
            raise self.request.broken("total size of the buffers exceeds the limit", "mesh-too-large")
        return found

    def view(self, index: Any) -> memoryview:
        """The bytes of a buffer view."""
        view = object_at(items(self.json, "bufferViews"), index)
        if view is None:
            raise self.broken(f"reference to unknown bufferView {index!r}")
        data = self._buffer(view.get("buffer"))
        at, size = view.get("byteOffset", 0), view.get("byteLength")
        if (
            not isinstance(at, int)
            or not isinstance(size, int)
            or at < 0
            or size < 0
            or at + size > len(data)
        ):
            raise self.broken(f"bufferView {index} extends beyond its buffer")
        return memoryview(data)[at : at + size]

    def accessor(self, index: Any) -> NDArray[Any]:
        """The rows (count, width) of an accessor; normalized integers are scaled to [−1, 1]."""
        found = object_at(items(self.json, "accessors"), index)
        if found is None:
            raise self.broken(f"reference to unknown accessor {index!r}")
        kind, width, count = _KINDS.get(_key(found, "componentType")), _width(found), found.get("count")
        if (
            kind is None
            or width is None
            or isinstance(count, bool)
            or not isinstance(count, int)
            or count < 0
        ):
            raise self.broken(f"accessor {index} has an invalid componentType, type or count")
        if found.get("bufferView") is None:
            if count > _MOST_ZEROS:
                raise self.broken(f"accessor {index} has {count} rows without data")
            rows: NDArray[Any] = np.zeros((count, width), kind)
        else:
            rows = self._rows(found, index, (count, width), np.dtype(kind))
        self.rows_left -= count
        if self.rows_left < 0:
            raise self.request.broken("accessors are read too often", "mesh-too-large")
        if isinstance(found.get("sparse"), dict):
            rows = self._sparse(found["sparse"], rows, index)
        if found.get("normalized") is True and rows.dtype.kind in "iu":
            return np.maximum(rows / float(np.iinfo(rows.dtype).max), -1.0)
        return rows

    def _rows(
        self, found: dict[str, Any], index: Any, shape: tuple[int, int], kind: np.dtype[Any]
    ) -> NDArray[Any]:
        """The rows of a buffer view, a view with its stride."""
        view = self.view(found.get("bufferView"))
        holder = object_at(items(self.json, "bufferViews"), found.get("bufferView")) or {}
        size = kind.itemsize * shape[1]
        stride, at = holder.get("byteStride", size), found.get("byteOffset", 0)
        if not isinstance(stride, int) or not isinstance(at, int) or stride < size or at < 0:
            raise self.broken(f"accessor {index} has an invalid offset or stride")
        if shape[0] and at + stride * (shape[0] - 1) + size > len(view):
            raise self.broken(f"accessor {index} with {shape[0]} rows extends beyond its bufferView")
        if not shape[0]:
            return np.empty(shape, kind)
        return np.ndarray(shape, kind, view, at, (stride, kind.itemsize))

    def _sparse(self, sparse: dict[str, Any], rows: NDArray[Any], index: Any) -> NDArray[Any]:
        """A copy of the rows with the sparse ones replaced."""
        count, where, what = _key(sparse, "count"), member(sparse, "indices"), member(sparse, "values")
        kind = _KINDS.get(_key(where, "componentType"))
        if (
            isinstance(count, bool)
            or not isinstance(count, int)
            or count < 0
            or kind not in ("u1", "<u2", "<u4")
        ):
            raise self.broken(f"accessor {index} has invalid sparse data")
        places = self._rows(where, index, (count, 1), np.dtype(kind)).reshape(-1)
        values = self._rows(what, index, (count, rows.shape[1]), rows.dtype)
        if count and places.max() >= len(rows):
            raise self.broken(f"sparse data of accessor {index} refer to unknown rows")
        out = rows.copy()
        out[places] = values
        return out

    def image(self, image: dict[str, Any]) -> str:
        """The URI of an image; an image in a buffer becomes a data URI."""
        uri = image.get("uri")
        if isinstance(uri, str):
            return uri
        if image.get("bufferView") is None:
            return ""
        data = base64.b64encode(self.view(image["bufferView"])).decode()
        kind = image.get("mimeType")
        return f"data:{kind if kind in ('image/png', 'image/jpeg') else 'image/png'};base64,{data}"


def _key(data: dict[str, Any], name: str) -> int:
    found = data.get(name)
    return found if isinstance(found, int) else -1


def _width(accessor: dict[str, Any]) -> int | None:
    found = accessor.get("type")
    return _WIDTHS.get(found) if isinstance(found, str) else None
