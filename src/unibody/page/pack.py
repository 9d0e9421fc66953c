"""The binary format of the page's data: a JSON header, followed by the arrays that it refers to."""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"ubvw"
# Alignment of arrays in bytes, for numbers of every size.
_ALIGNMENT = 4

#: Element type ("f4", "i2", "u1", "u2", "u4"), offset in bytes after the header, number of elements.
Place = tuple[str, int, int]


@dataclass(slots=True)
class Pack:
    """Concatenated arrays; equal ones are stored once.

    >>> pack = Pack()
    >>> pack.add(np.zeros((2, 3), np.float32)), pack.add(np.zeros(6, np.float32))
    (('f4', 0, 6), ('f4', 0, 6))
    """

    _parts: list[bytes] = field(default_factory=list)
    _places: dict[tuple[str, bytes], Place] = field(default_factory=dict)
    _size: int = 0

    def add(self, array: NDArray[Any]) -> Place:
        """Add an array of 32-bit floats or 8 to 32-bit integers; return its reference."""
        kind = f"{array.dtype.kind}{array.dtype.itemsize}"
        data = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False)).tobytes()
        key = kind, hashlib.sha256(data).digest()
        if key not in self._places:
            self._places[key] = kind, self._size, array.size
            self._append(data)
        return self._places[key]

    def finish(self, header: dict[str, Any]) -> bytes:
        """The whole block: magic, length of the header, header, arrays."""
        text = json.dumps(header, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % _ALIGNMENT)
        return b"".join([MAGIC, struct.pack("<I", len(text)), text, *self._parts])

    def _append(self, data: bytes) -> None:
        self._parts.append(data + b"\0" * (-len(data) % _ALIGNMENT))
        self._size += len(self._parts[-1])


def unpack(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The header and the bytes of the arrays in a block of :meth:`Pack.finish`.

    >>> unpack(Pack().finish({"name": "r"}))
    ({'name': 'r'}, b'')
    """
    (length,) = struct.unpack_from("<I", data, len(MAGIC))
    start = len(MAGIC) + 4
    return json.loads(data[start : start + length]), data[start + length :]
