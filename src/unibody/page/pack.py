"""One block of bytes for the page: a header as JSON, and arrays behind it that it refers to."""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"ubvw"
# Arrays begin where numbers of every size may begin.
_ALIGNMENT = 4

#: Element type ("f4", "i2", "u1", "u2", "u4"), place in bytes behind the header, number of elements.
Place = tuple[str, int, int]


@dataclass(slots=True)
class Pack:
    """Arrays one behind the other; equal ones are kept once.

    >>> pack = Pack()
    >>> pack.add(np.zeros((2, 3), np.float32)), pack.add(np.zeros(6, np.float32))
    (('f4', 0, 6), ('f4', 0, 6))
    """

    _parts: list[bytes] = field(default_factory=list)
    _places: dict[tuple[str, bytes], Place] = field(default_factory=dict)
    _size: int = 0

    def add(self, array: NDArray[Any]) -> Place:
        """Keep an array of 32-bit floats, or of 8 to 32-bit whole numbers; where it is."""
        kind = f"{array.dtype.kind}{array.dtype.itemsize}"
        data = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False)).tobytes()
        key = kind, hashlib.sha256(data).digest()
        if key not in self._places:
            self._places[key] = kind, self._size, array.size
            self._append(data)
        return self._places[key]

    def finish(self, header: dict[str, Any]) -> bytes:
        """All of it: magic, length of the header, header, arrays."""
        text = json.dumps(header, ensure_ascii=True, allow_nan=False, separators=(",", ":")).encode()
        text += b" " * (-len(text) % _ALIGNMENT)
        return b"".join([MAGIC, struct.pack("<I", len(text)), text, *self._parts])

    def _append(self, data: bytes) -> None:
        self._parts.append(data + b"\0" * (-len(data) % _ALIGNMENT))
        self._size += len(self._parts[-1])


def unpack(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The header, and the bytes of the arrays, of what :meth:`Pack.finish` gave.

    >>> unpack(Pack().finish({"name": "r"}))
    ({'name': 'r'}, b'')
    """
    (length,) = struct.unpack_from("<I", data, len(MAGIC))
    start = len(MAGIC) + 4
    return json.loads(data[start : start + length]), data[start + length :]
