"""Convex parts that were found before, by the content of meshes: in memory and in the user's cache."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from unibody.files.user_cache import KeptResults
from unibody.model.arrays import Floats
from unibody.simplification.decomposition import Part, packed, unpacked, version

_kept = KeptResults("parts", 2)
# Meshes whose parts are kept in memory.
_REMEMBERED = 256


class KnownParts:
    """The parts of meshes by their keys; a file that is damaged counts as none."""

    def __init__(self) -> None:
        self._remembered: dict[str, list[Part]] = {}

    def get(self, key: str) -> list[Part] | None:
        """The parts of a key of ``key_of``; None if they are not known."""
        if key not in self._remembered:
            content = _kept.get(key)
            parts = None if content is None else unpacked(content)
            if not parts:
                return None
            self._remember(key, parts)
        return self._remembered[key]

    def put(self, key: str, parts: list[Part]) -> None:
        """Keep parts, for later processes, too, unless the cache is off or cannot be written."""
        self._remember(key, parts)
        _kept.put(key, packed(parts))

    def _remember(self, key: str, parts: list[Part]) -> None:
        if len(self._remembered) >= _REMEMBERED:
            self._remembered.clear()
        self._remembered[key] = parts


def key_of(corners: Floats, settings: Sequence[Mapping[str, Any]]) -> str:
    """The key of triangles (n, 3, 3) and all that decides on their parts."""
    found = hashlib.sha256(json.dumps([version(), list(map(dict, settings))], sort_keys=True).encode())
    found.update(np.ascontiguousarray(corners, "<f8").tobytes())
    return found.hexdigest()
