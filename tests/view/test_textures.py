"""Textures: formats supported by browsers are embedded unchanged, others have findings."""

from __future__ import annotations

import base64
import math
import struct
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.view.test_data import RED, array, box, header, one

from unibody.files.access import MemoryFiles
from unibody.meshes import MeshCache
from unibody.model import shape as s
from unibody.page.data import PageData, page_data
from unibody.page.textures import image_kind, matrix, rgba


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width: int = 1, height: int = 1) -> bytes:
    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(b"\0\xff"))
    return b"\x89PNG\r\n\x1a\n" + head + pixels + chunk(b"IEND", b"")


def jpeg(width: int, height: int) -> bytes:
    """The beginning of a JPEG file, up to the size."""
    comment = b"\xff\xfe" + struct.pack(">H", 5) + b"hi!"
    frame = b"\xff\xc2" + struct.pack(">HBHHB", 11, 8, height, width, 1) + b"\x01\x11\x00"
    return b"\xff\xd8" + comment + b"\xff" + frame


def page(*textures: s.Texture, files: dict[str, bytes] | None = None) -> PageData:
    cache = MeshCache(MemoryFiles(files or {}))
    return page_data(one(*(box(material=replace(RED, texture=t)) for t in textures)), cache=cache)


def test_file_is_embedded_unchanged_and_once() -> None:
    texture = s.Texture(uri="a.png", path="m/a.png")
    made = page(texture, texture, replace(texture, repeat_s=False), files={"m/a.png": png()})
    first, second = header(made)["textures"]
    assert array(made, first["bytes"]).tobytes() == png()
    assert (first["type"], first["repeat"], first["matrix"]) == ("image/png", [True, True], None)
    assert (second["bytes"], second["repeat"]) == (first["bytes"], [False, True])
    assert [m["texture"] for m in header(made)["materials"]] == [0, 1]
    assert made.findings == []


def test_only_textured_surfaces_have_texture_coordinates() -> None:
    made = page(s.Texture(uri="a.png", path="m/a.png"), files={"m/a.png": png()})
    plain = page_data(one(box(), box(material=RED)))
    assert header(made)["meshes"][0]["coords"][2] == 48
    assert [mesh["coords"] for mesh in header(plain)["meshes"]] == [None]


def test_pixels_are_rgba() -> None:
    made = page(s.Texture(image=(1, 2, 2, 10, 20, 30, 40)))
    (texture,) = header(made)["textures"]
    assert (texture["type"], texture["width"], texture["height"]) == ("pixels", 1, 2)
    assert array(made, texture["bytes"]).tolist() == [10, 10, 10, 20, 30, 30, 30, 40]


@pytest.mark.parametrize(
    ("pixels", "expected"),
    [
        ([[7]], [7, 7, 7, 255]),
        ([[7, 8]], [7, 7, 7, 8]),
        ([[1, 2, 3]], [1, 2, 3, 255]),
        ([[1, 2, 3, 4]], [1, 2, 3, 4]),
    ],
)
def test_components_are_gray_or_rgb(pixels: list[list[int]], expected: list[int]) -> None:
    assert rgba(np.array(pixels, np.int64)).tolist() == expected


def test_data_uris() -> None:
    uri = "data:image/png;base64," + base64.b64encode(png()).decode()
    made = page(s.Texture(uri=uri))
    assert array(made, header(made)["textures"][0]["bytes"]).tobytes() == png()
    broken = page(s.Texture(uri="data:image/png;base64,!"))
    assert [f.code for f in broken.findings] == ["texture-not-drawn"]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"P6 1 1 255\n\0\0\0", "only PNG"),
        (b"<svg onload='x'/>", "only PNG"),
        (png(100_000, 100_000), "10000000000 pixels"),
        (jpeg(65535, 65535), "4294836225 pixels"),
        (b"\xff\xd8\xff\xe0\x00", "broken"),
        (b"\xff\xd8\xff", "broken"),
        (b"\x89PNG\r\n\x1a\n", "only PNG"),
    ],
)
def test_unsupported_images_are_reported_once(data: bytes, why: str) -> None:
    texture = s.Texture(uri="a.tga", path="m/a.tga")
    made = page(texture, replace(texture, repeat_t=False), files={"m/a.tga": data})
    (finding,) = made.findings
    code = "image-too-large" if "pixels" in why else "texture-not-drawn"
    assert (finding.code, finding.severity) == (code, "warning")
    assert "'a.tga'" in finding.message
    assert why in finding.message
    assert header(made)["textures"] == []


def test_image_type_is_detected_from_content() -> None:
    assert image_kind(png(3, 4)) == ("image/png", "", 12)
    assert image_kind(jpeg(640, 480)) == ("image/jpeg", "", 640 * 480)
    assert image_kind(b"GIF89a" + struct.pack("<HH", 2, 3)) == ("image/gif", "", 6)
    assert image_kind(b"BM" + bytes(16) + struct.pack("<ii", 2, -3)) == ("image/bmp", "", 6)


def test_unreadable_file_is_reported() -> None:
    made = page(s.Texture(uri="a.png", path="m/a.png"))
    assert [f.code for f in made.findings] == ["file-missing"]
    # A missing file has already been reported by the resolver.
    assert page(s.Texture(uri="a.png")).findings == []


def apply(transform: s.TextureTransform, point: tuple[float, float]) -> Any:
    rows = np.array(matrix(transform)).reshape(2, 3)
    return rows @ (*point, 1.0)


def test_texture_transform() -> None:
    assert matrix(None) is matrix(s.TextureTransform()) is None
    turned = s.TextureTransform(rotation=math.pi / 2)
    assert apply(turned, (1.0, 0.0)) == pytest.approx((0.0, 1.0))
    # -C · S · R · C · T: translated first, then rotated and scaled about the negative center.
    whole = s.TextureTransform(
        center=(0.5, 0.25), scale=(2.0, 3.0), rotation=math.pi / 2, translation=(0.1, 0.2)
    )
    x, y = 1.0 + 0.1 + 0.5, 2.0 + 0.2 + 0.25
    assert apply(whole, (1.0, 2.0)) == pytest.approx((2.0 * -y - 0.5, 3.0 * x - 0.25))
