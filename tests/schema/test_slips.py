"""The pattern of slips of the pen: it finds each single slip and nothing that is further away."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.slips import no_slip

WORDS = st.text("abc_", min_size=5, max_size=10)


def one_slip(a: str, b: str) -> bool:
    """Whether b is a with one letter wrong, missing, too many, or swapped with the next."""
    drops = {a[:i] + a[i + 1 :] for i in range(len(a))}
    wrong = len(a) == len(b) and sum(x != y for x, y in zip(a, b, strict=True)) == 1
    more = a in {b[:i] + b[i + 1 :] for i in range(len(b))}
    swaps = {a[:i] + a[i + 1] + a[i] + a[i + 2 :] for i in range(len(a) - 1)}
    return b != a and (wrong or more or b in drops or b in swaps)


@given(WORDS, st.text("abc_", max_size=11))
def test_slips_and_nothing_else(word: str, other: str) -> None:
    assert bool(re.search(no_slip([word], [word]), other)) != one_slip(word, other)


@given(WORDS, st.integers(0, 9), st.sampled_from("abcz_"))
def test_each_slip_is_found(word: str, at: int, letter: str) -> None:
    at %= len(word)
    pattern = no_slip([word], [word])
    swapped = word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
    made = [word[:at] + letter + word[at:], word[:at] + letter + word[at + 1 :], word[:at] + word[at + 1 :]]
    for other in {*made, swapped} - {word}:
        assert not re.search(pattern, other), other


@pytest.mark.parametrize("known", ["link1_name", "link2_name", "link_name"])
def test_known_words_are_no_slips(known: str) -> None:
    assert re.search(no_slip(["link1_name"], ["link1_name", "link2_name", "link_name"]), known)
