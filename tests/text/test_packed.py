"""Files packed by gzip: unpacked as a whole, up to a limit, and never with an error that is not ours."""

from __future__ import annotations

import gzip
import time
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from unibody.text.finding import TextError
from unibody.text.gzip import unpacked

LIMIT = 512 * 1024 * 1024


def outcome(data: bytes) -> bytes | str:
    """What a file holds, or the code of what is wrong with it."""
    try:
        return unpacked(data, "a.wrl", LIMIT)
    except TextError as e:
        return e.finding.code


def refused(data: bytes, limit: int = LIMIT) -> str:
    with pytest.raises(TextError) as caught:
        unpacked(data, "a.wrl", limit)
    return caught.value.finding.code


@given(st.lists(st.binary(max_size=300), min_size=1, max_size=4), st.integers(0, 3))
def test_what_was_packed_comes_back(parts: list[bytes], padding: int) -> None:
    packed = b"".join(map(gzip.compress, parts)) + bytes(padding)
    assert unpacked(packed, "a.wrl", LIMIT) == b"".join(parts)


def test_long_files_come_back() -> None:
    text = b"".join(b"%d %d\n" % (i, i * i) for i in range(200_000))
    assert unpacked(gzip.compress(text), "a.wrl", LIMIT) == text


@given(st.data())
def test_damage_is_said_or_does_no_harm(data: st.DataObject) -> None:
    text = b"Shape { geometry Box { } }\n" * 20
    packed = bytearray(gzip.compress(text))
    at = data.draw(st.integers(2, len(packed) - 1))
    packed[at] ^= data.draw(st.integers(1, 255))
    # its time, its name, bits without meaning do no harm
    assert outcome(bytes(packed)) in (text, "gzip-broken")


@pytest.mark.parametrize("cut", range(2, 40))
def test_a_file_cut_off(cut: int) -> None:
    assert refused(gzip.compress(b"Shape { geometry Box { } }" * 9)[:cut]) == "gzip-broken"


def test_something_behind_it() -> None:
    assert refused(gzip.compress(b"a") + b"b") == "gzip-broken"


def test_the_limit() -> None:
    packed = gzip.compress(b" " * 1000)
    assert len(unpacked(packed, "a.wrl", 1000)) == 1000
    assert refused(packed, 999) == "file-too-large"
    # all parts count together
    assert refused(packed + packed, 1999) == "file-too-large"


def test_a_bomb_takes_neither_memory_nor_time() -> None:
    packed = gzip.compress(bytes(200 * 1024 * 1024), 9)
    tracemalloc.start()
    began = time.process_time()
    assert refused(packed, 10_000_000) == "file-too-large"
    assert tracemalloc.get_traced_memory()[1] < 50_000_000
    tracemalloc.stop()
    # little that becomes much is refused below the limit, too
    assert refused(packed) == "file-too-large"
    assert refused(gzip.compress(b"") * 100_000) == "gzip-broken"
    assert time.process_time() - began < 30.0


def test_other_files_stay_as_they_are() -> None:
    for data in (b"", b"\x1f", b"#VRML V2.0 utf8\n", b"\x8b\x1f"):
        assert unpacked(data, "a.wrl", LIMIT) is data
