"""Textures for the page: the bytes of the image file where browsers support its format."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.files.access import FileError, Files
from unibody.files.embedded import embedded_data, is_embedded
from unibody.model.shape import Texture, TextureTransform
from unibody.model.validation.images import fits
from unibody.page.numbers import finites
from unibody.page.pack import Pack
from unibody.text.finding import Findings

Data = dict[str, Any]

# Larger images exceed the memory of browsers.
_MOST_BYTES = 32_000_000


@dataclass(slots=True)
class Textures:
    """Images and textures, each once; a texture that cannot be drawn gives one finding."""

    files: Files
    pack: Pack
    findings: Findings
    data: list[Data] = field(default_factory=list)
    _images: dict[str, Data | None] = field(default_factory=dict)
    _places: dict[str, int] = field(default_factory=dict)

    def add(self, texture: Texture | None, smooth: bool = False) -> int:
        """The index of a texture; -1 if it cannot be drawn. The pixels of a ``smooth`` one are not seen."""
        if texture is None:
            return -1
        image = self._image(texture)
        if image is None:
            return -1
        made = {
            **image,
            "repeat": [texture.repeat_s, texture.repeat_t],
            "matrix": matrix(texture.transform),
            **({"smooth": True} if smooth else {}),
        }
        key = repr(made)
        if key not in self._places:
            self._places[key] = len(self.data)
            self.data.append(made)
        return self._places[key]

    def _image(self, texture: Texture) -> Data | None:
        if len(texture.image) > 3:
            return self._pixels(texture)
        key = texture.path or texture.uri
        if key not in self._images:
            self._images[key] = self._file(texture)
        return self._images[key]

    def _pixels(self, texture: Texture) -> Data | None:
        if not fits(texture):
            what = "its pixels are not width x height x components"
            self.findings.warning("texture-not-drawn", f"texture is not drawn: {what}")
            return None
        width, height, components = (int(v) for v in texture.image[:3])
        pixels = np.asarray(texture.image[3:], np.int64).reshape(height * width, components)
        return {
            "bytes": self.pack.add(rgba(pixels)),
            "type": "pixels",
            "width": width,
            "height": height,
        }

    def _file(self, texture: Texture) -> Data | None:
        if is_embedded(texture.uri):
            data = embedded_data(texture.uri) or b""
        elif not texture.path:
            # Reading the model or the mesh has reported the missing file.
            return None
        else:
            try:
                data = self.files.read(texture.path)
            except FileError as error:
                self.findings.append(error.finding)
                return None
        kind, why, pixels = image_kind(data)
        if pixels > self.files.limits.pixels:
            what = f"texture {texture.uri[:200]!r} is not drawn: its image has {pixels} pixels"
            finding = replace(self.files.limits.finding("pixels", what), severity="warning")
            self.findings.append(finding)
            return None
        if why:
            self.findings.warning("texture-not-drawn", f"texture {texture.uri[:200]!r} is not drawn: {why}")
            return None
        return {"bytes": self.pack.add(np.frombuffer(data, np.uint8)), "type": kind}


def rgba(pixels: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Pixels of 1 to 4 components (gray, gray and opacity, RGB, RGBA) as RGBA, flat."""
    out = np.full((len(pixels), 4), 255, np.uint8)
    count = pixels.shape[1]
    out[:, :3] = pixels[:, :1] if count < 3 else pixels[:, :3]
    if count in (2, 4):
        out[:, 3] = pixels[:, -1]
    return out.reshape(-1)


def matrix(transform: TextureTransform | None) -> list[float] | None:
    """Rows of the 2×3 matrix of the texture transform; None for the identity.

    -C · S · R · C · T, from right to left (ISO/IEC 14772-1, 6.48).

    >>> matrix(TextureTransform(scale=(2.0, 1.0), translation=(0.5, 0.0)))
    [2.0, 0.0, 1.0, 0.0, 1.0, 0.0]
    """
    if transform is None or transform == TextureTransform():
        return None
    (cx, cy), (sx, sy), (tx, ty) = transform.center, transform.scale, transform.translation
    c, s = math.cos(transform.rotation), math.sin(transform.rotation)
    x, y = cx + tx, cy + ty
    rows = (sx * c, -sx * s, sx * (c * x - s * y) - cx, sy * s, sy * c, sy * (s * x + c * y) - cy)
    # Normalize negative zeros.
    return [v + 0.0 for v in finites(rows)]


def image_kind(data: bytes) -> tuple[str, str, int]:
    """The media type of an image file, the reason why it cannot be drawn ("" if it can), and its pixels."""
    kind, size = "", None
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        kind, size = "image/png", struct.unpack_from(">II", data, 16)
    elif data.startswith(b"\xff\xd8\xff"):
        kind, size = "image/jpeg", _jpeg_size(data)
    elif data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        kind, size = "image/gif", struct.unpack_from("<HH", data, 6)
    elif data.startswith(b"BM") and len(data) >= 26:
        width, height = struct.unpack_from("<ii", data, 18)
        kind, size = "image/bmp", (abs(width), abs(height))
    if not kind:
        return "", "only PNG, JPEG, GIF and BMP images are", 0
    if size is None:
        return kind, "the image is broken", 0
    why = f"the image is too large: more than {_MOST_BYTES} bytes" if len(data) > _MOST_BYTES else ""
    return kind, why, size[0] * size[1]


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Width and height from the JPEG frame header (ITU-T T.81, B.2.2)."""
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker, (length,) = data[at + 1], struct.unpack_from(">H", data, at + 2)
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            return width, height
        at += 1 if marker == 0xFF else 2 + length
    return None
