"""Model files and their parts packed by gzip are read as if they were not."""

from __future__ import annotations

import gzip

import pytest
from tests.formats.openhrp.cases import PROTOS, SHAPE, rooted

from unibody.files.access import MemoryFiles
from unibody.formats.loader import Reading, read
from unibody.text.limits import DEFAULT, ReadLimits

HEADER = "#VRML V2.0 utf8\n"


def reading(files: dict[str, bytes], path: str = "m/a.wrl", limits: ReadLimits = DEFAULT) -> Reading:
    return read(path, files=MemoryFiles(files, limits=limits))


def model(url: str) -> bytes:
    text = rooted(f'DEF S Segment {{ mass 1 children Inline {{ url "{url}" }} }}')
    return (PROTOS + text).encode()


@pytest.mark.parametrize("path", ["m/a.wrl", "m/a.wrl.gz", "m/a.wrz"])
def test_a_packed_model(path: str) -> None:
    found = reading({path: gzip.compress(model("part.wrl")), "m/part.wrl": (HEADER + SHAPE).encode()}, path)
    assert found.ok
    assert found.robot is not None
    assert [len(link.visuals) for link in found.robot.links] == [1]
    assert found.source is not None
    assert found.source.name == path


@pytest.mark.parametrize("url", ["part.wrl", "part.WRZ", "part.wrl.gz"])
def test_a_packed_part(url: str) -> None:
    found = reading({"m/a.wrl": model(url), f"m/{url}": gzip.compress((HEADER + SHAPE).encode())})
    assert found.ok
    assert found.robot is not None
    assert [len(link.visuals) for link in found.robot.links] == [1]


def test_a_packed_part_that_is_cut_off() -> None:
    part = gzip.compress((HEADER + SHAPE).encode())[:-9]
    found = reading({"m/a.wrl": model("part.wrl"), "m/part.wrl": part})
    (broken,) = [f for f in found.findings if f.severity == "error"]
    assert broken.code == "gzip-broken"
    assert "m/part.wrl" in broken.message
    # where the part is named
    assert broken.at is not None
    assert broken.at.text == '"part.wrl"'
    assert found.robot is not None


def test_what_unpacks_to_too_much() -> None:
    text = HEADER.encode() + b" " * 100_000
    found = reading({"m/a.wrl": gzip.compress(text)}, limits=ReadLimits(file_bytes=50_000))
    assert [f.code for f in found.findings] == ["file-too-large"]
    assert found.robot is None


def test_nothing_in_it() -> None:
    found = reading({"m/a.wrl": gzip.compress(b"")})
    assert [f.code for f in found.findings] == ["empty"]
