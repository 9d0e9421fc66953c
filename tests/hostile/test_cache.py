"""Files of the user's cache that are damaged, exchanged or no plain files: the result is computed anew."""

from __future__ import annotations

import os
import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import unibody as ub
from unibody.files.user_cache import KeptResults
from unibody.simplification import known_shapes

CUBE = [[x, y, z] for x in (0.0, 0.1) for y in (0.0, 0.1) for z in (0.0, 0.1)]
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def cube(size: float) -> ub.Robot:
    """A robot of one link: a cube of triangles."""
    vertices = (size * np.array(CUBE)).ravel().tolist()
    mesh = ub.Mesh(vertices=tuple(vertices), faces=tuple(i for quad in QUADS for i in (*quad, -1)))
    return ub.Robot(name="cube", links=(ub.Link(name="a", collisions=(ub.Shape(geometry=mesh),)),))


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("UNIBODY_CACHE", str(tmp_path))
    return tmp_path / "shapes"


def as_folder(file: Path, _: bytes) -> None:
    file.unlink()
    file.mkdir()


def as_pipe(file: Path, _: bytes) -> None:
    file.unlink()
    os.mkfifo(file)


def as_link(file: Path, data: bytes) -> None:
    file.with_name("elsewhere").write_bytes(data)
    file.unlink()
    file.symlink_to("elsewhere")


DAMAGES: dict[str, Callable[[Path, bytes], object]] = {
    "empty": lambda file, data: file.write_bytes(b""),
    "cut": lambda file, data: file.write_bytes(data[: len(data) // 2]),
    "longer": lambda file, data: file.write_bytes(data + b"\0"),
    "changed": lambda file, data: file.write_bytes(data[:-20] + b"x" + data[-19:]),
    "other form": lambda file, data: file.write_bytes(data.replace(b"shapes 1", b"shapes 0", 1)),
    "text": lambda file, data: file.write_text("hello"),
    "folder": as_folder,
    "pipe": as_pipe,
    "link": as_link,
}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_counts_as_none(damage: str, cache: Path) -> None:
    fresh = ub.simplify(cube(1.0)).links
    (file,) = cache.iterdir()
    DAMAGES[damage](file, file.read_bytes())
    assert ub.simplify(cube(1.0)).links == fresh


def test_the_file_of_another_mesh_counts_as_none(cache: Path) -> None:
    small = ub.simplify(cube(1.0)).links
    (file,) = cache.iterdir()
    ub.simplify(cube(2.0))
    (other,) = set(cache.iterdir()) - {file}
    shutil.copy(other, file)
    assert ub.simplify(cube(1.0)).links == small


def test_odd_content_with_a_right_digest_counts_as_none(cache: Path) -> None:
    """Counts, indices and numbers that no shapes have."""
    fresh = ub.simplify(cube(1.0)).links
    (file,) = cache.iterdir()
    key, kept = file.stem, KeptResults("shapes", 1)
    content = kept.get(key)
    assert content is not None
    head = struct.Struct("<dddQ")
    rest = content[head.size :]
    heads = [
        (np.nan, np.nan, 1.0, 0),
        (-1.0, 0.0, 1.0, 0),
        (0.0, -1.0, 1.0, 0),
        (0.0, 0.0, np.inf, 0),
        (0.0, 0.0, 1.0, 1 << 62),
    ]
    odd = [head.pack(*each) + rest for each in heads]
    odd += [b"", content[:40], content[:-4] + struct.pack("<i", 99), content[:-4] + struct.pack("<i", -1)]
    odd += [head.pack(0.0, 0.0, 1.0, 1) + struct.pack("<dddd", 0, 0, 0, -1) + struct.pack("<Q", 0)]
    for each in odd:
        kept.put(key, each)
        assert known_shapes.known(key) is None
        assert ub.simplify(cube(1.0)).links == fresh


def test_what_was_found_is_not_searched_for_again(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = {method: ub.simplify(cube(1.0), method).links for method in ("hull", "spheres")}
    exact = ub.simplify(cube(1.0), contain=False).links
    assert len(list(cache.iterdir())) == 3
    monkeypatch.setattr("unibody.simplification.simplify._around_hull", None)
    monkeypatch.setattr("unibody.simplification.simplify._covering", None)
    assert {method: ub.simplify(cube(1.0), method).links for method in first} == first  # type: ignore[arg-type]
    assert ub.simplify(cube(1.0), contain=False).links == exact
    monkeypatch.setattr("unibody.simplification.known_shapes.code_digest", lambda: "other code")
    with pytest.raises(TypeError):
        ub.simplify(cube(1.0))


def test_the_cache_has_a_largest_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UNIBODY_CACHE", str(tmp_path))
    kept = KeptResults("things", 1, most_bytes=10_000)
    (tmp_path / "things").mkdir()
    mine = tmp_path / "things" / "notes.txt"
    mine.write_text("not a result")
    for number in range(40):
        kept.put(f"k{number}", bytes(1000))
        os.utime(tmp_path / "things" / f"k{number}.things", ns=(number, number))
        # it is used all the time
        assert kept.get("k0") == bytes(1000)
        assert sum(file.stat().st_size for file in (tmp_path / "things").iterdir()) < 12_000
    assert kept.get("k39") == bytes(1000)
    assert kept.get("k1") is None
    assert mine.exists()
    kept.put("huge", bytes(9_000))
    assert kept.get("huge") is None


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="needs rights of POSIX")
@pytest.mark.parametrize("writable", ["file", "folder"])
def test_machine_code_that_others_may_write_is_not_run(cache: Path, writable: str) -> None:
    kept = KeptResults("code", 1, private=True)
    kept.put("a", b"code")
    assert kept.get("a") == b"code"
    folder = cache.parent / "code"
    (folder if writable == "folder" else folder / "a.code").chmod(0o777)
    assert kept.get("a") is None
    assert KeptResults("code", 1).get("a") == b"code"
