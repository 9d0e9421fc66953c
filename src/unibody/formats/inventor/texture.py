"""Converts Texture2 and Texture2Transform to textures of the model."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.formats.format import Context
from unibody.formats.inventor import document as d
from unibody.formats.inventor.arrays import Arrays
from unibody.model import shape as s
from unibody.model.arrays import Matrix
from unibody.text.finding import Findings


def matrix_of(transforms: tuple[d.Texture2Transform, ...]) -> Matrix | None:
    """The 3×3 transform of texture coordinates, the last transform applied first; None for identity.

    Each scales about its center, then rotates about it, then translates (SoTexture2Transform).
    """
    out: Matrix | None = None
    for doc in transforms:
        own = _matrix(doc)
        out = own if out is None else out @ own
    return None if out is None or np.array_equal(out, np.eye(3)) else out


def _matrix(doc: d.Texture2Transform) -> Matrix:
    c, w = math.cos(doc.rotation), math.sin(doc.rotation)
    linear = np.array([[c, -w], [w, c]]) @ np.diag(doc.scale_factor)
    out = np.eye(3)
    center = np.array(doc.center)
    out[:2, :2], out[:2, 2] = linear, center - linear @ center + np.array(doc.translation)
    return out


class Textures:
    """The textures of one load; each image file is resolved once."""

    def __init__(self, context: Context, arrays: Arrays) -> None:
        self.context, self.arrays = context, arrays
        self.made: dict[int, tuple[Any, s.Texture | None]] = {}

    def of(self, doc: d.Texture2 | None) -> s.Texture | None:
        """The texture of a node; None if it has no image."""
        if doc is None:
            return None
        if id(doc) not in self.made:
            self.made[id(doc)] = (doc, self._make(doc))
        return self.made[id(doc)][1]

    def _make(self, doc: d.Texture2) -> s.Texture | None:
        made = s.Texture(repeat_s=doc.wrap_s == "REPEAT", repeat_t=doc.wrap_t == "REPEAT")
        if doc.filename.strip():
            path = self._path(doc, doc.at("filename"))
            return replace(made, uri=doc.filename, path=path or "")
        image = self._image(doc)
        return None if image is None else replace(made, image=s.ints(image))

    def _path(self, doc: d.Texture2, at: Any) -> str | None:
        source = doc.node.source if doc.node is not None else None
        base = source.name if source is not None else self.context.path
        return self.context.files.resolve(doc.filename, base, at, self.context.findings)

    def _image(self, doc: d.Texture2) -> NDArray[np.int64] | None:
        """Width, height, components and all pixels as bytes; None for an empty image."""
        words = self.arrays.whole(doc, "image")
        if words.size < 3 or not words[:3].all():
            return None
        limits = self.context.files.limits
        if words.size - 3 > limits.pixels:
            what = f"Texture2 with {words.size - 3} pixels"
            self.context.findings.append(limits.finding("pixels", what, doc.at("image")))
            return None
        width, height, components = (int(w) for w in words[:3])
        pixels = words[3:]
        if width < 0 or height < 0 or not 1 <= components <= 4 or pixels.size != width * height:
            self.context.findings.error(
                "image-size",
                f"Texture2: image of {width} × {height} pixels of {components} bytes has {pixels.size} "
                "pixels",
                doc.at("image"),
                "begin the image with width, height and bytes per pixel (1 to 4)",
            )
            return None
        shifts = np.arange(components - 1, -1, -1) * 8
        return np.concatenate([words[:3], (pixels[:, None] >> shifts & 0xFF).reshape(-1)])


def transform_of(
    transforms: tuple[d.Texture2Transform, ...], findings: Findings
) -> s.TextureTransform | None:
    """The texture transform of the model: translation, rotation, scale (ISO/IEC 14772-1, 6.49).

    None for identity, and, with a finding, for a rotation after a non-uniform scale, which the model
    cannot represent.
    """
    matrix = matrix_of(transforms)
    if matrix is None:
        return None
    (a, b), (c, e) = matrix[:2, :2].tolist()
    # a rotation after a scale has orthogonal rows
    x, y = math.hypot(a, b), math.hypot(c, e)
    if x == 0.0 or y == 0.0 or abs(a * c + b * e) > 1e-9 * x * y:
        findings.info(
            "texture-askew",
            "Texture2Transform: unsupported rotation after a non-uniform scale; ignored",
            transforms[-1].at(),
        )
        return None
    angle = math.atan2(-b, a)
    if a * e - b * c < 0.0:
        y = -y
    move = np.linalg.solve(matrix[:2, :2], matrix[:2, 2])
    return s.TextureTransform(scale=(x, y), rotation=angle, translation=(float(move[0]), float(move[1])))
