"""Decodes PNG screenshots of browsers: 8 bits, RGB or RGBA, not interlaced."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

_CHANNELS = {2: 3, 6: 4}


def pixels(data: bytes) -> NDArray[np.uint8]:
    """The RGB values, (height, width, 3)."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed = 8, b""
    width = height = channels = 0
    while at < len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert (depth, interlaced) == (8, 0)
            channels = _CHANNELS[color]
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    rows = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + width * channels)
    out = np.zeros((height, width, channels), np.uint8)
    above = np.zeros((width, channels), np.uint8)
    for number, row in enumerate(rows):
        above = out[number] = _unfiltered(row[0], row[1:].reshape(width, channels), above)
    return out[:, :, :3]


def _unfiltered(kind: int, row: NDArray[np.uint8], above: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Reverse the filter of a row (PNG specification, 9.2)."""
    if kind == 0:
        return row
    if kind == 1:
        return np.cumsum(row, axis=0, dtype=np.uint8)
    if kind == 2:
        return row + above
    out = np.zeros_like(row)
    left = corner = np.zeros(row.shape[1], int)
    for at, (value, up) in enumerate(zip(row.astype(int), above.astype(int), strict=True)):
        if kind == 3:
            guess = (left + up) // 2
        else:
            a, b, c = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
            guess = np.where((a <= b) & (a <= c), left, np.where(b <= c, up, corner))
        left, corner = (value + guess) % 256, up
        out[at] = left
    return out
