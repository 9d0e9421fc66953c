"""Height fields: every kind of file against the heights that MuJoCo compiles."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import mujoco
import numpy as np
import pytest

import unibody as ub
from unibody.files.access import MemoryFiles

TEXT = (
    '<mujoco><asset><hfield name="h" {0} size="1 2 3 .1"/></asset>'
    '<worldbody><body name="a"><geom type="hfield" hfield="h"/></body></worldbody></mujoco>'
)
ROWS = np.array([[10, 200, 35, 90, 7], [250, 0, 128, 64, 33], [5, 77, 140, 230, 255], [60, 61, 62, 64, 12]])


def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def png(lines: list[bytes], width: int, depth: int, color: int) -> bytes:
    """An image of filtered lines."""
    head = struct.pack(">IIBBBBB", width, len(lines), depth, color, 0, 0, 0)
    body = chunk(b"IDAT", zlib.compress(b"".join(lines)))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + body + chunk(b"IEND", b"")


def filtered(rows: Any, kind: int, step: int) -> list[bytes]:
    """The lines of an image by one of PNG's filters, from its definition."""
    out, above = [], np.zeros(rows.shape[1], int)
    for row in rows:
        line = []
        for k, value in enumerate(row.tolist()):
            a, b, c = (row[k - step], above[k], above[k - step]) if k >= step else (0, above[k], 0)
            p = a + b - c
            paeth = min((a, b, c), key=lambda v: abs(p - v))
            guess = (0, a, b, (a + b) // 2, paeth)[kind]
            line.append((value - int(guess)) % 256)
        out.append(bytes([kind, *line]))
        above = row
    return out


def heights(text: str, files: dict[str, bytes]) -> Any:
    """The heights of the grid that is read, from 0 to 1, from the row at -Y on."""
    reading = ub.read("m.xml", files=MemoryFiles({"m.xml": text.encode(), **files}))
    assert reading.ok, [str(f) for f in reading.findings]
    assert reading.robot is not None
    grid = reading.robot.links[0].collisions[0].geometry
    assert isinstance(grid, ub.ElevationGrid)
    assert (grid.x_spacing, grid.z_spacing) == (2.0 / (grid.x_dimension - 1), 4.0 / (grid.z_dimension - 1))
    return np.array(grid.heights).reshape(grid.z_dimension, grid.x_dimension)[::-1] / 3.0


def compiled(text: str, files: dict[str, bytes]) -> Any:
    model = mujoco.MjModel.from_xml_string(text, files)
    return np.array(model.hfield_data).reshape(int(model.hfield_nrow[0]), int(model.hfield_ncol[0]))


COLORS = np.stack([ROWS, 255 - ROWS, ROWS // 2], axis=-1).reshape(len(ROWS), -1)
BITS = np.array([[0b10110000], [0b01001000], [0b11111000]])
IMAGES = {
    **{f"gray, filter {k}": png(filtered(ROWS, k, 1), 5, 8, 0) for k in range(5)},
    **{f"color, filter {k}": png(filtered(COLORS, k, 3), 5, 8, 2) for k in range(5)},
    "one bit": png(filtered(BITS, 0, 1), 5, 1, 0),
}


@pytest.mark.parametrize("name", IMAGES)
def test_images(name: str) -> None:
    text, files = TEXT.format('file="h.png"'), {"h.png": IMAGES[name]}
    assert np.allclose(heights(text, files), compiled(text, files), atol=1e-6)


def test_binary_files() -> None:
    data = struct.pack("<ii", 3, 2) + np.array([1, 5, 2, 9, 3, 4], "<f4").tobytes()
    text, files = TEXT.format('file="h.bin"'), {"h.bin": data}
    assert np.allclose(heights(text, files), compiled(text, files), atol=1e-6)


def test_numbers() -> None:
    text = TEXT.format('nrow="2" ncol="3" elevation="1 5 2 9 3 4"')
    assert np.allclose(heights(text, {}), compiled(text, {}), atol=1e-6)
    flat = TEXT.format('nrow="2" ncol="3"')
    assert np.array_equal(heights(flat, {}), np.zeros((2, 3)))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("h.png", b"GIF89a"),
        ("h.png", IMAGES["one bit"][:44]),
        ("h.png", png([b"\0\1"], 1, 8, 0)),
        ("h.bin", b"\1\0"),
        ("h.bin", struct.pack("<ii", 1, 2) + bytes(8)),
        ("h.bin", struct.pack("<ii", 2, 2) + bytes(12)),
    ],
)
def test_broken_files(name: str, data: bytes) -> None:
    text = TEXT.format(f'file="{name}"')
    reading = ub.read("m.xml", files=MemoryFiles({"m.xml": text.encode(), name: data}))
    assert "asset-rejected" in {f.code for f in reading.findings if f.severity == "error"}
