"""Numbers in text: the quick way gives what float() gives, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from unibody.meshes.numbers import floats, integers, usable, usable_rows

PLAIN = st.one_of(
    st.floats(-1e6, 1e6).map(lambda x: f"{x:.6f}"),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(-1e300, 1e300).map(lambda x: f"{x:.3e}"),
    st.integers(-(10**20), 10**20).map(str),
    st.sampled_from(
        ["-.5", "+.25", "5.", "-0", "00.10", "1E5", "1e-300", "7.25e-17", "1e22", "1e23", "3e-40"]
    ),
)
BLANKS = st.sampled_from([" ", "\n", "  ", "\t", " \r\n "])


@given(st.lists(PLAIN, min_size=1, max_size=30), BLANKS)
def test_as_float_gives_them(words: list[str], blank: str) -> None:
    # long enough for the quick way, and in another order each time
    text = blank.join(words * (6000 // len(words) + 1))
    wanted = [float(word) for word in words * (6000 // len(words) + 1)]
    for given_text in (text, text.encode()):
        numbers = floats(given_text)
        assert numbers.tolist() == wanted
        # -0.0 is equal to 0.0
        assert np.signbit(numbers).tolist() == [np.signbit(x) for x in wanted]


@pytest.mark.parametrize(
    "bad", ["1.2.3", "2x", "1e", ".", "-", "1,5", "--3", "+", "e5", "1e5e", "1_0", "0x1p3", "é"]
)
@pytest.mark.parametrize("many", [1, 3000])
def test_what_is_no_number(bad: str, many: int) -> None:
    for words in (["1.5"] * many + [bad] + ["2.5"] * many, ["1.5"] * many + [bad]):
        with pytest.raises(ValueError, match="not a number"):
            floats(" ".join(words))


def test_the_c_library_s_words_are_numbers() -> None:
    assert np.isnan(floats("1 nan")[1])
    assert floats("inf " * 2000).max() == np.inf


@pytest.mark.parametrize("text", ["", " ", "\n\t ", " " * 5000, b""])
def test_nothing_is_no_numbers(text: str | bytes) -> None:
    assert floats(text).size == 0
    assert integers(text).size == 0


def test_whole_numbers() -> None:
    assert integers("1 -2 +3\n04").tolist() == [1, -2, 3, 4]
    assert integers("1 99999999999999999999 2").tolist() == [1, 2**63 - 1, 2]
    for bad in ("1.5", "1 x", "1e3", "1 -", "- 1", "1,2"):
        with pytest.raises(ValueError, match="not a number"):
            integers(bad)


def test_usable() -> None:
    rows = np.array([[0.0, 1.0], [np.nan, 0.0], [1e60, 0.0], [0.0, -np.inf]])
    assert usable(rows[:1])
    found = usable_rows(rows)
    assert found is not None
    assert found.tolist() == [True, False, False, False]
    assert usable_rows(rows[:1]) is None
    assert usable_rows(np.empty((0, 3))) is None
