"""Lists of numbers in the text of mesh files, and the range of valid coordinates."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from unibody.text import decimals
from unibody.text.source import Source, Span

# Coordinates beyond this are invalid, whatever their unit.
FARTHEST = 1e50
_LARGEST = 2**63 - 1
# Texts of up to this number of bytes have few numbers.
_SHORT = 300
_WHOLE = re.compile(rb"[+-]?[0-9]{1,4000}")


def floats(text: str | bytes) -> NDArray[np.float64]:
    """Parse numbers separated by white space, "nan" and "inf" included; ValueError if a word is no number.

    >>> floats("1 -2.5 3e2")
    array([  1. ,  -2.5, 300. ])
    """
    data = _without_commas(text)
    # numpy's functions take longer than the conversion of a few plain numbers
    if len(data) <= _SHORT and b"_" not in data and not decimals.may_vanish(data):
        try:
            return np.array(list(map(float, data.split())), np.float64)
        except ValueError:
            pass  # read with care below
    return decimals.floats(data)


def find_non_number(data: bytes, places: Iterable[tuple[int, int]], name: str) -> Span | None:
    """The span of the first word at ``places`` that is not a number; ``name`` is the file name."""
    for start, end in places:
        try:
            floats(data[start:end])
        except ValueError:
            return Span(Source(name, data.decode("latin-1")), start, end)
    return None


def integers(text: str | bytes) -> NDArray[np.int64]:
    """Parse integers separated by white space; ValueError if a word is not an integer.

    Values beyond 64 bits are clamped, which makes them invalid indices.
    """
    data = _without_commas(text)
    if len(data) <= _SHORT and b"_" not in data:
        try:
            return np.array(list(map(int, data.split())), np.int64)
        except (ValueError, OverflowError):
            pass  # read with care below
    try:
        return decimals.integers(data)
    except ValueError:
        words = data.split()
        if not all(map(_WHOLE.fullmatch, words)):
            raise
        return np.array([max(-_LARGEST, min(int(word), _LARGEST)) for word in words], np.int64)


def _without_commas(text: str | bytes) -> bytes:
    """The bytes of a list; ValueError if it has commas: some programs write 1.5 as 1,5."""
    # "?" in place of other characters is not a number either
    data = text.encode("ascii", "replace") if isinstance(text, str) else text
    if b"," in data:
        raise ValueError("not a number")
    return data


def usable(numbers: NDArray[np.float64]) -> bool:
    """Whether all numbers are valid coordinates: neither NaN nor infinite, and safe to scale."""
    return not numbers.size or bool(numbers.min() > -FARTHEST and numbers.max() < FARTHEST)


def usable_rows(rows: NDArray[np.float64]) -> NDArray[np.bool_] | None:
    """Mask (n,) of the rows that are usable; None if all are."""
    return None if usable(rows) else np.asarray((np.abs(rows) < FARTHEST).all(axis=1))
