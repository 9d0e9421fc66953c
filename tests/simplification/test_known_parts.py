"""Processes that look for convex parts, and the parts that were found before."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from unibody.files.user_cache import cache_folder
from unibody.model.arrays import Floats
from unibody.simplification.decomposers import decompose_all
from unibody.simplification.decomposition import Part, decompose, packed
from unibody.simplification.known_parts import KnownParts, key_of

TRIANGLE: Part = (np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]], np.int32))
SETTINGS = {"threshold": 0.2, "preprocess_resolution": 10, "mcts_iterations": 5}


def boxes() -> np.ndarray:
    """Two boxes that form an L, (24, 3, 3)."""
    corners = np.array([[x, y, z] for x in (0.0, 1) for y in (0.0, 1) for z in (0.0, 1)])
    quads = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
    faces = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return np.concatenate([(corners * size)[faces] for size in ((1.0, 0.2, 0.2), (0.2, 0.2, 1.0))])


@pytest.mark.slow
def test_processes_find_what_a_call_finds() -> None:
    begun: list[int] = []
    found = decompose_all([(size * boxes(), [SETTINGS]) for size in (1.0, 2.0, 1.0)], begun.append)
    assert begun == [0, 1, 2]
    for parts, size in zip(found, (1.0, 2.0, 1.0), strict=True):
        assert parts is not None
        expected = decompose(size * boxes(), SETTINGS)
        assert len(parts) == len(expected) == 2
        for (points, faces), (other, others) in zip(parts, expected, strict=True):
            assert np.array_equal(points, other)
            assert np.array_equal(faces, others)
    assert decompose_all([]) == []


def odd_search(corners: Floats, settings: Mapping[str, Any]) -> bytes:
    """A search that ends its process, as CoACD does at some meshes."""
    if settings["fail"]:
        os.abort()
    print("a library may print")
    return packed([(corners[0], np.array([[0, 1, 2]]))])


def test_a_process_that_ends_is_started_again() -> None:
    """The next settings are tried, the next mesh has a new process."""
    bad, good = {"fail": True}, {"fail": False}
    tried = [[bad, good], [good], [bad], [bad, good]]
    meshes = [(np.full((1, 3, 3), float(number)), each) for number, each in enumerate(tried)]
    found = decompose_all(meshes, search=odd_search)
    assert [parts and parts[0][0][0, 0] for parts in found] == [0.0, 1.0, None, 3.0]


def test_parts_are_kept_by_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIBODY_CACHE", str(tmp_path))
    key = key_of(boxes(), [SETTINGS])
    assert key != key_of(boxes() + 1e-9, [SETTINGS])
    assert key != key_of(boxes(), [{**SETTINGS, "threshold": 0.3}])
    assert KnownParts().get(key) is None
    KnownParts().put(key, [TRIANGLE])
    (file,) = (tmp_path / "parts").iterdir()
    assert file.name == f"{key}.parts"
    found = KnownParts().get(key)
    assert found is not None
    assert np.array_equal(found[0][0], TRIANGLE[0])
    whole = file.read_bytes()
    for damaged in (b"", whole[:-1], whole + b"\0", whole[:-9] + b"x" + whole[-8:], b"x" + whole[1:]):
        file.write_bytes(damaged)
        assert KnownParts().get(key) is None
    KnownParts().put(key, [TRIANGLE])
    assert file.read_bytes() == whole


def test_a_cache_that_cannot_be_written_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    for place in (str(tmp_path / "file"), "off"):
        monkeypatch.setenv("UNIBODY_CACHE", place)
        known = KnownParts()
        known.put("ab", [TRIANGLE])
        assert known.get("ab") is not None  # in memory
        assert KnownParts().get("ab") is None


def test_the_folder_of_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = str(tmp_path)
    assert cache_folder("parts", {"XDG_CACHE_HOME": home}) == str(tmp_path / "unibody" / "parts")
    assert cache_folder("parts", {"XDG_CACHE_HOME": home, "UNIBODY_CACHE": "OFF"}) is None
    assert cache_folder("parts", {"UNIBODY_CACHE": home}) == str(tmp_path / "parts")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", home)
    # a relative XDG_CACHE_HOME is ignored, as its specification says
    assert cache_folder("parts", {"XDG_CACHE_HOME": "x"}) == str(tmp_path / ".cache" / "unibody" / "parts")
