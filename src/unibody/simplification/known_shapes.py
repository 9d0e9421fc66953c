"""Simpler shapes that were found before, by the content of meshes: in the user's cache."""

from __future__ import annotations

import hashlib
import json
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np

from unibody.batch.program import code_digest
from unibody.files.user_cache import KeptResults
from unibody.model.arrays import Faces, Floats
from unibody.simplification.decomposition import Part, packed, unpacked, version

#: The errors and the size, and the number of balls.
_HEAD = struct.Struct("<dddQ")
#: The numbers of a ball, and its bytes.
_NUMBERS, _BALL = 4, 32

_kept = KeptResults("shapes", 1)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """Shapes of a mesh: convex ``solids`` or ``balls`` (n, 4), center and radius in m.

    ``sticks_out`` and ``uncovered`` are their errors, and ``size`` is that of the mesh (m).
    """

    solids: list[Part]
    balls: Floats
    sticks_out: float
    uncovered: float
    size: float


def key_of_mesh(vertices: Floats, faces: Faces, options: dict[str, Any]) -> str:
    """The key of a mesh, of the options, and of the program with its libraries."""
    stated = json.dumps([code_digest(), version(), np.__version__, options], sort_keys=True)
    found = hashlib.sha256(f"{stated} {vertices.shape} {faces.shape}\n".encode())
    found.update(np.ascontiguousarray(vertices, "<f8").tobytes())
    found.update(np.ascontiguousarray(faces, "<i4").tobytes())
    return found.hexdigest()


def known(key: str) -> Found | None:
    """The shapes of a key; None if they are not known, or their file is damaged."""
    content = _kept.get(key)
    if content is None or len(content) < _HEAD.size:
        return None
    out, left, size, count = _HEAD.unpack_from(content)
    end = _HEAD.size + count * _BALL
    if end > len(content):
        return None
    balls = np.frombuffer(content[_HEAD.size : end], "<f8").reshape(-1, _NUMBERS).astype(np.float64)
    solids = unpacked(content[end:])
    # an error that was not searched for is NaN
    if solids is None or not (left >= 0.0 and 0.0 <= size < np.inf) or out < 0.0:
        return None
    if not np.isfinite(balls).all() or (balls[:, 3:] <= 0.0).any() or bool(solids) == bool(count):
        return None
    return Found(solids, balls, out, left, size)


def keep(key: str, found: Found) -> None:
    """Keep shapes for later processes, unless the cache is off or cannot be written."""
    head = _HEAD.pack(found.sticks_out, found.uncovered, found.size, len(found.balls))
    _kept.put(key, head + np.ascontiguousarray(found.balls, "<f8").tobytes() + packed(found.solids))
