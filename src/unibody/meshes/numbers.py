"""Lists of numbers in the text of mesh files, and which of them can be places."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from unibody.text import decimals
from unibody.text.source import Source, Span

# Numbers beyond this are no places, in whatever unit.
FARTHEST = 1e50
_LARGEST = 2**63 - 1
_WHOLE = re.compile(rb"[+-]?[0-9]{1,4000}")


def floats(text: str | bytes) -> NDArray[np.float64]:
    """Numbers apart by white space; ValueError when one is none ("nan" and "inf" are some).

    >>> floats("1 -2.5 3e2")
    array([  1. ,  -2.5, 300. ])
    """
    return decimals.floats(_blanks_alone(text))


def odd_one(data: bytes, places: Iterable[tuple[int, int]], name: str) -> Span | None:
    """The first of the words at ``places`` that is no number; ``name`` is the file's."""
    for start, end in places:
        try:
            floats(data[start:end])
        except ValueError:
            return Span(Source(name, data.decode("latin-1")), start, end)
    return None


def integers(text: str | bytes) -> NDArray[np.int64]:
    """Whole numbers apart by white space; ValueError when one is none.

    What 64 bits do not hold becomes the largest that they do: an index that names nothing.
    """
    data = _blanks_alone(text)
    try:
        return decimals.integers(data)
    except ValueError:
        words = data.split()
        if not all(map(_WHOLE.fullmatch, words)):
            raise
        return np.array([max(-_LARGEST, min(int(word), _LARGEST)) for word in words], np.int64)


def _blanks_alone(text: str | bytes) -> bytes:
    """The bytes of a list; ValueError where commas stand: some programs write 1.5 as 1,5."""
    # what is not ASCII is no number
    data = text.encode("ascii", "replace") if isinstance(text, str) else text
    if b"," in data:
        raise ValueError("not a number")
    return data


def usable(numbers: NDArray[np.float64]) -> bool:
    """Whether all numbers are places: no NaN, no infinity, nothing that overflows when it is scaled."""
    return not numbers.size or bool(numbers.min() > -FARTHEST and numbers.max() < FARTHEST)


def usable_rows(rows: NDArray[np.float64]) -> NDArray[np.bool_] | None:
    """Which rows are usable; None when all are."""
    return None if usable(rows) else np.asarray((np.abs(rows) < FARTHEST).all(axis=1))
