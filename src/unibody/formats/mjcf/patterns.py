"""Images of built-in textures: checkers, gradients and plain colors, as viewers draw them."""

from __future__ import annotations

import numpy as np

from unibody.formats.mjcf import document_assets as d
from unibody.model import shape as s
from unibody.model.arrays import Floats

# Largest width and height of an image in pixels; a pattern is the same at any.
_MOST = 128
_USUAL = 32


def pattern(doc: d.Texture) -> s.Texture | None:
    """The image of a built-in texture, bottom row first; None for files, skies, and without a pattern.

    Of a cube there is one image for all sides, from the lower to the upper one for a gradient. Marks at
    random places are left out.
    """
    if doc.file or doc.type == "skybox" or doc.builtin in (None, "none"):
        return None
    size = max(4, min(doc.width or _USUAL, _MOST))
    first, second = np.array(doc.rgb1), np.array(doc.rgb2)
    shares = _shares(doc.builtin or "", doc.type, size)[:, :, None]
    image = first * (1.0 - shares) + second * shares
    if doc.mark in ("edge", "cross"):
        image[_marked(doc.mark or "", size)] = doc.markrgb or (0.0, 0.0, 0.0)
    pixels = np.rint(np.clip(image, 0.0, 1.0) * 255.0).astype(np.int64)
    return s.Texture(image=s.ints(np.concatenate([[size, size, 3], pixels.reshape(-1)])))


def laid(image: s.Texture, material: d.Material, extent: tuple[float, float] | None) -> s.Texture:
    """An image repeated over a geom as the material says: so often in all, or in a meter."""
    x, y = material.texrepeat
    if extent is not None and material.texuniform:
        x, y = x * extent[0], y * extent[1]
    if (x, y) == (1.0, 1.0):
        return image
    return s.Texture(image=image.image, transform=s.TextureTransform(scale=(x, y)))


def _shares(kind: str, of: str, size: int) -> Floats:
    """The share of the second color in each pixel."""
    steps = (np.arange(size) + 0.5) / size
    if kind == "checker":
        upper = steps > 0.5
        return np.asarray(upper[:, None] != upper[None, :], np.float64)
    if kind == "gradient":
        if of == "cube":
            return np.repeat(1.0 - steps[:, None], size, axis=1)
        around = np.hypot(2.0 * steps[:, None] - 1.0, 2.0 * steps[None, :] - 1.0)
        return np.minimum(around, 1.0)
    return np.zeros((size, size))


def _marked(mark: str, size: int) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """The pixels of a mark: those at the edges, or a cross in the middle."""
    at = np.arange(size)
    line = (at == 0) | (at == size - 1) if mark == "edge" else at == size // 2
    here: np.ndarray[tuple[int, ...], np.dtype[np.bool_]] = line[:, None] | line[None, :]
    return here
