"""Reads the heights of terrains from images in PNG."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.pose import UNIT_QUATERNION, Pose, from_axis_angle
from unibody.text.limits import Meter
from unibody.text.source import Span

Bytes: TypeAlias = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]

#: Grids and sections are in the XZ plane: a quarter turn about X puts them into the XY plane.
UPRIGHT = Pose(quat=from_axis_angle((1.0, 0.0, 0.0), np.pi / 2.0) or UNIT_QUATERNION)

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Samples of a pixel by the kind of color; 3 is an index into a palette.
_SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def read_gray(data: bytes, meter: Meter, at: Span | None = None) -> Floats | None:
    """The first sample of each pixel (rows, columns), from 0 to 255; None if the file is not read.

    Interlaced images are not read, nor those of more pixels than the limit. Heights count as bytes of the
    load; LimitError at ``at`` if these are too many, or reading takes too long.
    """
    try:
        return _read(data, meter, at)
    except (zlib.error, ValueError, IndexError, KeyError):
        return None


def _read(data: bytes, meter: Meter, at: Span | None) -> Floats | None:
    if not data.startswith(_SIGNATURE):
        return None
    chunks = _chunks(data)
    head = chunks[b"IHDR"]
    width, height = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:8], "big")
    depth, color, interlaced = head[8], head[9], head[12]
    if interlaced or not 0 < width * height <= meter.limits.pixels:
        return None
    meter.take_bytes(8 * width * height, f"an image of {width} × {height} heights", at)
    bits = depth * _SAMPLES[color]
    length = (width * bits + 7) // 8
    step = max(1, bits // 8)
    body = zlib.decompressobj().decompress(chunks[b"IDAT"], (length + 1) * height)
    lines = np.frombuffer(body, np.uint8, (length + 1) * height).reshape(height, length + 1)
    rows = _unfiltered(lines, step, lambda: meter.look(at))
    if depth < 8:
        values = np.unpackbits(rows, axis=1)[:, : width * depth].reshape(height, width, depth)
        first = values @ (1 << np.arange(depth)[::-1]) * (1 if color == 3 else 255 // ((1 << depth) - 1))
    else:
        first = rows.reshape(height, width, step)[:, :, 0]
    if color == 3:
        first = np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)[first, 0]
    return np.asarray(first, dtype=np.float64)


def _chunks(data: bytes) -> dict[bytes, bytes]:
    """The contents of the parts of a file; those of one name are joined."""
    out: dict[bytes, list[bytes]] = {}
    at = len(_SIGNATURE)
    while at + 12 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        out.setdefault(data[at + 4 : at + 8], []).append(data[at + 8 : at + 8 + size])
        at += 12 + size
    return {name: b"".join(parts) for name, parts in out.items()}


def _unfiltered(lines: Bytes, step: int, look: Callable[[], None]) -> Bytes:
    """The bytes of the rows, which are sums modulo 256; the first byte of a line names its filter."""
    rows = np.zeros((len(lines), lines.shape[1] - 1), np.uint8)
    above = np.zeros(lines.shape[1] - 1, np.uint8)
    for i, line in enumerate(lines):
        kind, raw = int(line[0]), line[1:]
        if kind == 0:
            row = raw
        elif kind == 1:
            row = raw.reshape(-1, step).cumsum(axis=0, dtype=np.uint8).ravel()
        elif kind == 2:
            row = raw + above
        else:
            row = _dependent(kind, raw, above, step)
        rows[i] = above = row
        look()
    return rows


def _dependent(kind: int, raw: Bytes, above: Bytes, step: int) -> Bytes:
    """A row whose bytes depend on those before and above: the filters Average and Paeth."""
    up, out = above.tobytes(), bytearray(raw.tobytes())
    for k, value in enumerate(out):
        a = out[k - step] if k >= step else 0
        b = up[k]
        if kind == 3:
            guess = (a + b) // 2
        else:
            c = up[k - step] if k >= step else 0
            guess = min((a, b, c), key=lambda v: abs(a + b - c - v))
        out[k] = (value + guess) & 255
    return np.frombuffer(out, np.uint8)
