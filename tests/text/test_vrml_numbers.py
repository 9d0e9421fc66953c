"""Long lists of numbers in text: every one is what float() makes of it, to the last bit."""

from __future__ import annotations

import math
import random
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sampling import few

from unibody.text.node import Numbers, Word
from unibody.text.number import number_words, parse_floats, parse_ints

PLAIN = st.one_of(
    st.floats(-1e6, 1e6).map(lambda x: f"{x:.6f}"),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-1e300, 1e300).map(lambda x: f"{x:.3e}"),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(
        "-.5 +.25 5. -0 -0.0 -.0 -0e5 +0 00.10 1E5 1e-300 7.25e-17 1e22 1e23 3e-40 1e400 -0e-400".split()
    ),
)
GAPS = st.sampled_from([" ", ",", "\n", ", ", "\t", " \r\n ", ",\n", " # 5 ]\n", "#\n"])


def bits(numbers: list[float]) -> list[bytes]:
    return [struct.pack("d", x) for x in numbers]


@given(st.lists(PLAIN, min_size=1, max_size=30), GAPS, st.sampled_from([1, 2000, 40_000]))
def test_as_float_gives_them(words: list[str], gap: str, length: int) -> None:
    many = words * (length // len(gap.join(words)) + 1)
    numbers = parse_floats(gap.join(many) + gap)
    assert bits(numbers.tolist()) == bits([float(word) for word in many])


@pytest.mark.slow
def test_a_million_random_doubles() -> None:
    rng = random.Random(5)
    texts = [
        repr(struct.unpack("d", struct.pack("Q", rng.getrandbits(63) % (2047 << 52)))[0])
        for _ in range(50_000)
    ]
    small = [f"{rng.getrandbits(rng.randint(1, 70))}e{rng.randint(-340, 300)}" for _ in range(50_000)]
    # what would vanish is refused: see below
    texts += [text for text in small if float(text)]
    texts += [f"{rng.uniform(-10, 10) ** rng.randint(1, 9):.{rng.randint(0, 20)}f}" for _ in range(100_000)]
    for words in (texts, sorted(texts, key=len)):
        numbers = parse_floats(" ".join(words))
        assert bits(numbers.tolist()) == bits([float(word) for word in words])


BAD = (
    "1.2.3 2x 1e . - + -. +. --3 e5 1e5e 1e5e3 1e.5 1.5e5.5 1_0 0x1p3 é １ 1-2 1.#IND -1.#QNAN0 nan(0) "
    "1e-400 -5e-340 1.0E-0999"
).split()


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("many", [0, 1, 3000, 100_000])
@pytest.mark.parametrize("after", few([0, 1, 3000], 2))
def test_what_is_no_number(bad: str, many: int, after: int) -> None:
    text = " ".join(["1.5"] * many + [bad] + ["2.5"] * after)
    with pytest.raises(ValueError, match=r"not a number|could not convert|number underflows to 0"):
        parse_floats(text)
    with pytest.raises(ValueError, match=r"not a number|invalid literal"):
        parse_ints(text.replace(".5", ""))


def test_comments_are_white_space() -> None:
    body = "1 2#three 3\n,4 # ] 5\r6 #\n#\n 1.#\n7 # end"
    assert parse_floats(body).tolist() == [1, 2, 4, 6, 1, 7]
    long = "1.5 # one\n" * 1000
    assert parse_floats(long).tolist() == [1.5] * 1000
    assert parse_ints("1 # one\n2" * 1000).tolist() == [1, *[21] * 999, 2]


def test_the_c_library_s_words_are_numbers() -> None:
    for many in (1, 3000):
        numbers = parse_floats("1 nan -inf NaN " * many)
        assert np.isnan(numbers[1::4]).all()
        assert np.isnan(numbers[3::4]).all()
        assert (numbers[2::4] == -math.inf).all()


@pytest.mark.parametrize("text", ["", " ", "\n,\t ,", " " * 5000, "# nothing", "# nothing\n" * 1000])
def test_nothing_is_no_numbers(text: str) -> None:
    assert parse_floats(text).shape == (0,)
    assert parse_floats(text).dtype == np.float64
    assert parse_ints(text).shape == (0,)
    assert parse_ints(text).dtype == np.int64


@given(
    st.lists(st.integers(-(2**63) + 1, 2**63 - 1), min_size=1), GAPS, st.sampled_from([1, 2000, 200_000])
)
def test_whole_numbers(numbers: list[int], gap: str, length: int) -> None:
    text = gap.join(map(str, numbers))
    many = length // len(text) + 1
    assert parse_ints(gap.join([text] * many)).tolist() == numbers * many


@pytest.mark.parametrize("many", [0, 3000])
def test_what_is_no_whole_number(many: int) -> None:
    assert parse_ints("+3 -0 007 0x1F -0Xff " + "1 " * many)[:5].tolist() == [3, 0, 7, 31, -255]
    for bad in (
        "1.5",
        "1.",
        "1e3",
        "x",
        str(2**63),
        str(-(2**63) - 1),
        "9" * 30,
        "0x",
        "0x1G",
        "nan",
        "1_0",
    ):
        with pytest.raises(ValueError, match=r"number|literal"):
            parse_ints(f"{'1 ' * many}{bad} 2")


def test_words_and_places() -> None:
    body = " 1, 2.#\n# 3 4\n,5#6\r7 1.#IND "
    assert number_words(body) == [("1", 1), ("2.", 4), ("5", 15), ("7", 19), ("1.#IND", 21)]
    numbers = Numbers(body, 100, 100 + len(body) + 2, form="[")
    assert numbers.words() == ["1", "2.", "5", "7", "1.#IND"]
    assert [(w.text, w.start, w.end) for w in numbers.places()][:2] == [("1", 102, 103), ("2.", 105, 107)]
    bare = Numbers("1 2", 10, 13, form="")
    assert [(w.start, w.end) for w in bare.places()] == [(10, 11), (12, 13)]
    assert Numbers("1 2", form="").places() == [Word("1"), Word("2")]


def test_in_yaml_commas_alone_separate() -> None:
    numbers = Numbers("1, 2 3,\n 4", 0, 12)
    assert numbers.words() == ["1", "2 3", "4"]
    assert [(w.text, w.start) for w in numbers.places()] == [("1", 1), ("2 3", 4), ("4", 10)]
