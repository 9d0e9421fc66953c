"""Reads the heights of terrains from images in PNG."""

from __future__ import annotations

import zlib

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.pose import UNIT_QUATERNION, Pose, from_axis_angle

#: Grids and sections are in the XZ plane: a quarter turn about X puts them into the XY plane.
UPRIGHT = Pose(quat=from_axis_angle((1.0, 0.0, 0.0), np.pi / 2.0) or UNIT_QUATERNION)

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
#: Samples of a pixel by the kind of color; 3 is an index into a palette.
_SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}


def read_gray(data: bytes, most: int) -> Floats | None:
    """The first sample of each pixel (rows, columns), from 0 to 255; None if the file is not read.

    Interlaced images are not read. ``most`` is the largest number of pixels.
    """
    try:
        return _read(data, most)
    except (zlib.error, ValueError, IndexError, KeyError):
        return None


def _read(data: bytes, most: int) -> Floats | None:
    if not data.startswith(_SIGNATURE):
        return None
    chunks = _chunks(data)
    head = chunks[b"IHDR"]
    width, height = int.from_bytes(head[:4], "big"), int.from_bytes(head[4:8], "big")
    depth, color, interlaced = head[8], head[9], head[12]
    if interlaced or not 0 < width * height <= most:
        return None
    bits = depth * _SAMPLES[color]
    length = (width * bits + 7) // 8
    step = max(1, bits // 8)
    body = zlib.decompressobj().decompress(chunks[b"IDAT"], (length + 1) * height)
    lines = np.frombuffer(body, np.uint8, (length + 1) * height).reshape(height, length + 1)
    rows = _unfiltered(lines, step)
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
    out: dict[bytes, bytes] = {}
    at = len(_SIGNATURE)
    while at + 12 <= len(data):
        size = int.from_bytes(data[at : at + 4], "big")
        name = data[at + 4 : at + 8]
        out[name] = out.get(name, b"") + data[at + 8 : at + 8 + size]
        at += 12 + size
    return out


def _unfiltered(
    lines: np.ndarray[tuple[int, ...], np.dtype[np.uint8]], step: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """The bytes of the rows; the first byte of a line names its filter."""
    rows = np.zeros((len(lines), lines.shape[1] - 1), np.uint8)
    above = np.zeros(lines.shape[1] - 1, np.int64)
    for i, line in enumerate(lines):
        kind, raw = int(line[0]), line[1:].astype(np.int64)
        if kind in (0, 2):
            row = raw + (above if kind else 0)
        elif kind == 1:
            row = np.concatenate([raw[k::step].cumsum() for k in range(step)])
            order = np.concatenate([np.arange(k, len(raw), step) for k in range(step)])
            row = row[np.argsort(order)]
        else:
            row = _dependent(kind, raw, above, step)
        above = row & 255
        rows[i] = above
    return rows


def _dependent(
    kind: int,
    raw: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    above: np.ndarray[tuple[int, ...], np.dtype[np.int64]],
    step: int,
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """A row whose bytes depend on those before and above: the filters Average and Paeth."""
    up, out = above.tolist(), raw.tolist()
    for k, value in enumerate(out):
        a = out[k - step] if k >= step else 0
        b = up[k]
        if kind == 3:
            guess = (a + b) // 2
        else:
            c = up[k - step] if k >= step else 0
            guess = min((a, b, c), key=lambda v: abs(a + b - c - v))
        out[k] = (value + guess) & 255
    return np.array(out)
