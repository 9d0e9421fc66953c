"""Equality of values of the model, up to rounding: numbers, rotations, files."""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from typing import Any

import numpy as np

from unibody.model.pose import Quaternion

TOLERANCE = 1e-12
Digest = Callable[[str], "str | None"]


def close(x: float, y: float) -> bool:
    """|x − y| ≤ 1e-12·(1 + |x|); infinities and NaN equal themselves.

    >>> close(0.1 + 0.2, 0.3), close(float("inf"), 1.0)
    (True, False)
    """
    if x == y:
        return True
    if not (math.isfinite(x) and math.isfinite(y)):
        return math.isnan(x) and math.isnan(y)
    return abs(x - y) <= TOLERANCE * (1.0 + abs(x))


def same_numbers(x: Any, y: Any) -> bool:
    """Whether two flat lists are ``close``, element by element."""
    a, b = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if a.shape != b.shape:
        return False
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.isfinite(a) & np.isfinite(b) & (np.abs(a - b) <= TOLERANCE * (1.0 + np.abs(a)))
    return bool(np.all(near | (a == b) | (np.isnan(a) & np.isnan(b))))


def same_rotation(p: Quaternion, q: Quaternion) -> bool:
    """Whether two quaternions are the same rotation within 1e-12·(1 + angle) rad; q and −q are equal.

    The angle between them is computed from the vector part of p⁻¹·q, which is exact for small angles;
    arccos of the dot product would lose half of the digits.
    """
    if p == q:
        return True
    m, n = math.hypot(*p), math.hypot(*q)
    if not (math.isfinite(m) and math.isfinite(n) and m and n):
        return all(map(close, p, q))
    if not close(m, n):
        return False
    a, b, c, d = (v / m for v in p)
    w, x, y, z = (v / n for v in q)
    dot = a * w + b * x + c * y + d * z
    vector = math.hypot(
        a * x - w * b - (c * z - d * y), a * y - w * c - (d * x - b * z), a * z - w * d - (b * y - c * x)
    )
    turn = 2.0 * math.atan2(math.hypot(b, c, d), abs(a))
    return 2.0 * math.atan2(vector, abs(dot)) <= TOLERANCE * (1.0 + turn)


def same(x: Any, y: Any) -> bool:
    """Whether two values are equal up to rounding; lists of items are compared elsewhere (``facts``)."""
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        return (
            isinstance(x, tuple | np.ndarray) and isinstance(y, tuple | np.ndarray) and same_numbers(x, y)
        )
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and all(map(same, x, y))
    if isinstance(x, bool) or isinstance(y, bool) or (isinstance(x, int) and isinstance(y, int)):
        return type(x) is type(y) and bool(x == y)
    if isinstance(x, int | float) and isinstance(y, int | float):
        return close(x, y)
    return bool(x == y)


def file_digest(path: str) -> str | None:
    """SHA-256 of a file's content; None if it does not exist or cannot be read."""
    import hashlib  # loads OpenSSL, which a load without meshes does not need

    found = hashlib.sha256()
    try:
        if not os.path.isfile(path):
            return None
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                found.update(block)
    except (OSError, ValueError):
        return None
    return found.hexdigest()


def last_part(uri: str) -> str:
    r"""The file name at the end of a URI or path.

    >>> last_part("package://arm/meshes/hand.stl"), last_part("meshes\\hand.stl")
    ('hand.stl', 'hand.stl')
    """
    return uri.replace("\\", "/").rstrip("/").rpartition("/")[2]


def same_file(x: Any, y: Any, digest: Digest, found: bool = False) -> bool:
    """Whether two references (``uri``, ``path``) are to the same file.

    Compares the content if both files exist, else the file names; with ``found``, the second must exist
    if the first does.
    """
    left, right = (digest(v.path) if v.path else None for v in (x, y))
    if left is not None and right is not None:
        return left == right
    if found and left is not None:
        return False
    return last_part(x.uri) == last_part(y.uri)
