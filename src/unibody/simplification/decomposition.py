"""The call of CoACD, which finds convex parts of a mesh, and the parts as bytes."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from importlib.util import find_spec
from typing import Any

import numpy as np

from unibody.model.arrays import Faces, Floats
from unibody.text.installation import install_command
from unibody.text.missing import MissingExtra, missing

#: The vertices (n, 3) of a convex part, in m, and its triangles (m, 3).
Part = tuple[Floats, Faces]

# The count of parts, the numbers of vertices and triangles of a part, and the bytes of one of each.
_COUNT, _COUNTS = struct.Struct("<Q"), struct.Struct("<QQ")
_VERTEX, _TRIANGLE = 24, 12


def is_installed() -> bool:
    """Whether there is CoACD."""
    return find_spec("coacd") is not None


def _missing() -> MissingExtra:
    return missing("convex parts", "CoACD", install_command("parts"))


def check_installed() -> None:
    """MissingExtra if there is no CoACD."""
    if not is_installed():
        raise _missing()


def version() -> str:
    """The version of CoACD, "" if it does not say."""
    try:
        return version_of("coacd")
    except PackageNotFoundError:
        return ""


def decompose(corners: Floats, settings: Mapping[str, Any]) -> list[Part]:
    """The convex parts of triangles (n, 3, 3); ``settings`` are those of CoACD.

    The result is the same on any number of threads. An odd mesh may end the process. MissingExtra if
    CoACD is not installed.
    """
    try:
        import coacd
    except ImportError:
        raise _missing() from None

    vertices, number = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    mesh = coacd.Mesh(vertices, number.reshape(-1, 3).astype(np.int32))
    coacd.set_log_level("error")
    found = coacd.run_coacd(mesh, seed=0, **settings)
    return [
        (np.asarray(points, np.float64), np.asarray(faces, np.int32))
        for points, faces in found
        if len(points) and len(faces)
    ]


def packed(parts: Sequence[Part]) -> bytes:
    """The parts as bytes; ``unpacked`` reads them."""
    out = [_COUNT.pack(len(parts))]
    for vertices, faces in parts:
        out.append(_COUNTS.pack(len(vertices), len(faces)))
        out += [
            np.ascontiguousarray(vertices, "<f8").tobytes(),
            np.ascontiguousarray(faces, "<i4").tobytes(),
        ]
    return b"".join(out)


def unpacked(data: bytes) -> list[Part] | None:
    """The parts of bytes; None if these are not triangles of finite vertices.

    >>> parts = [(np.eye(3), np.array([[0, 1, 2]]))]
    >>> [faces.tolist() for _, faces in unpacked(packed(parts))]
    [[[0, 1, 2]]]
    >>> unpacked(packed(parts)[:-1]) is None
    True
    """
    try:
        (count,) = _COUNT.unpack_from(data)
        at, out = _COUNT.size, []
        for _ in range(min(count, len(data))):
            points, triangles = _COUNTS.unpack_from(data, at)
            at += _COUNTS.size
            middle = at + points * _VERTEX
            end = middle + triangles * _TRIANGLE
            if end > len(data):
                return None
            vertices = np.frombuffer(data[at:middle], "<f8").reshape(-1, 3).astype(np.float64)
            faces = np.frombuffer(data[middle:end], "<i4").reshape(-1, 3).astype(np.int32)
            if not (points and triangles and np.isfinite(vertices).all()):
                return None
            if faces.min() < 0 or faces.max() >= points:
                return None
            out.append((vertices, faces))
            at = end
    except struct.error:
        return None
    return out if at == len(data) and len(out) == count else None
