"""Writes PNG images (ISO/IEC 15948): textures whose pixels are in the model, and pictures of cameras."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np

from unibody.model.arrays import Pixels

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
    return _file(width, height, _TYPES[components], raw, 9)


def write_picture(pixels: Pixels) -> bytes:
    """The PNG file of an RGB picture (height, width, 3), top row first.

    >>> write_picture(np.zeros((2, 3, 3), np.uint8))[:4]
    b'\\x89PNG'
    """
    height, width = pixels.shape[:2]
    # each byte as the difference from the pixel on its left (filter 1)
    steps = pixels.copy()
    steps[:, 1:] -= pixels[:, :-1]
    raw = np.concatenate([np.ones((height, 1), np.uint8), steps.reshape(height, width * 3)], axis=1)
    return _file(width, height, _TYPES[3], raw.tobytes(), 6)


def _file(width: int, height: int, color_type: int, raw: bytes, level: int) -> bytes:
    head = struct.pack(">IIBBBBB", width, height, 8, color_type, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(raw, level)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
