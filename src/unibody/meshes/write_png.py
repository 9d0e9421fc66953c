"""Writes PNG images (ISO/IEC 15948) for textures whose pixels are part of the model."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

# Color types by number of components: gray, gray and alpha, RGB, RGBA.
_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}


def write_png(image: Any) -> bytes | None:
    """The PNG file of a texture: width, height, components, then bytes row by row from the bottom.

    None if the numbers are not an image.

    >>> write_png((1, 1, 1, 128))[:4]
    b'\\x89PNG'
    """
    numbers = np.asarray(image, np.int64).reshape(-1)
    if numbers.size < 4:
        return None
    width, height, components = (int(v) for v in numbers[:3])
    pixels = numbers[3:]
    if min(width, height) < 1 or components not in _TYPES or pixels.size != width * height * components:
        return None
    # PixelTexture starts at the bottom row (ISO/IEC 14772-1, 5.5), a PNG file at the top row.
    rows = np.clip(pixels, 0, 255).astype(np.uint8).reshape(height, width * components)[::-1]
    raw = np.hstack([np.zeros((height, 1), np.uint8), rows]).tobytes()
    head = struct.pack(">IIBBBBB", width, height, 8, _TYPES[components], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        _chunk(kind, data)
        for kind, data in ((b"IHDR", head), (b"IDAT", zlib.compress(raw, 9)), (b"IEND", b""))
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
