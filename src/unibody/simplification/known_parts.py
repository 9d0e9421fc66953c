"""Convex parts that were found before, by the content of meshes: in memory and in the user's cache."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from unibody.files.atomic import write_atomic
from unibody.files.user_cache import cache_folder
from unibody.model.arrays import Floats
from unibody.simplification.decomposition import Part, packed, unpacked, version

# The form of a file, its suffix, and the most bytes that one has.
_FORM, _SUFFIX, _MOST_BYTES = b"unibody parts 1\n", ".parts", 1 << 26
_DIGEST = hashlib.sha256().digest_size
# Meshes whose parts are kept in memory.
_REMEMBERED = 256


class KnownParts:
    """The parts of meshes by their keys; a file that is damaged counts as none."""

    def __init__(self) -> None:
        self._remembered: dict[str, list[Part]] = {}

    def get(self, key: str) -> list[Part] | None:
        """The parts of a key of ``key_of``; None if they are not known."""
        if key not in self._remembered:
            parts = _read(key)
            if parts is None:
                return None
            self._remember(key, parts)
        return self._remembered[key]

    def put(self, key: str, parts: list[Part]) -> None:
        """Keep parts, for later processes, too, unless the cache is off or cannot be written."""
        self._remember(key, parts)
        path = _path(key)
        if path is not None:
            content = packed(parts)
            with suppress(OSError):
                os.makedirs(os.path.dirname(path), exist_ok=True)
                write_atomic(path, _FORM + hashlib.sha256(content).digest() + content)

    def _remember(self, key: str, parts: list[Part]) -> None:
        if len(self._remembered) >= _REMEMBERED:
            self._remembered.clear()
        self._remembered[key] = parts


def key_of(corners: Floats, settings: Sequence[Mapping[str, Any]]) -> str:
    """The key of triangles (n, 3, 3) and all that decides on their parts."""
    found = hashlib.sha256(json.dumps([version(), list(map(dict, settings))], sort_keys=True).encode())
    found.update(np.ascontiguousarray(corners, "<f8").tobytes())
    return found.hexdigest()


def _path(key: str) -> str | None:
    folder = cache_folder("parts")
    return None if folder is None else os.path.join(folder, key + _SUFFIX)


def _read(key: str) -> list[Part] | None:
    """The parts of a file; None if there is none, or it is damaged."""
    path = _path(key)
    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            data = file.read(_MOST_BYTES)
    except OSError:
        return None
    begin = len(_FORM) + _DIGEST
    content = data[begin:]
    if data[:begin] != _FORM + hashlib.sha256(content).digest():
        return None
    return unpacked(content) or None
