"""Lists of numbers in the text of mesh files, converted all at once."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Numbers beyond this are no places, in whatever unit.
FARTHEST = 1e50
# Below so many bytes the conversion itself is quick enough.
_LONG = 4096
_BLANK, _DOT, _E = b" .e"
# A whole number below 2^53 over a power of ten up to 10^22: both exact, so one division rounds rightly.
_EXACT = 2**53
_MOST_TENS = 22
_TENS = np.array([float(f"1e{k}") for k in range(_MOST_TENS + 1)])
_EXPONENTS_APART = bytes.maketrans(b"eE", b"  ")


def floats(text: str | bytes) -> NDArray[np.float64]:
    """Numbers apart by white space; ValueError when one is none ("nan" and "inf" are some).

    >>> floats("1 -2.5 3e2")
    array([  1. ,  -2.5, 300. ])
    """
    if len(text) > _LONG:
        # what is not ASCII is no number
        data = (text.encode("ascii", "replace") if isinstance(text, str) else text) + b" "
        out = _decimals(data)
        return np.asarray(_parse(data, np.float64)) if out is None else out
    return np.asarray(_parse(text, np.float64))


def integers(text: str | bytes) -> NDArray[np.int64]:
    """Whole numbers apart by white space; ValueError when one is none."""
    return np.asarray(_parse(text, np.int64))


def _parse(text: str | bytes, kind: Any) -> NDArray[Any]:
    if not text or text.isspace():
        return np.empty(0, kind)
    # numpy before 2.3 stops at what is no number with a mere warning
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)
        try:
            return np.fromstring(text, kind, sep=" ")
        except (DeprecationWarning, ValueError):
            raise ValueError("not a number") from None


def _decimals(data: bytes) -> NDArray[np.float64] | None:
    """The same for plain decimals, in half the time: digits as whole numbers, then dots and exponents.

    ``data`` ends with a blank. None when a number has too many digits, or is no plain one.
    """
    letters = np.frombuffer(data, np.uint8)
    marks = np.flatnonzero((letters | 32) == _E)
    blank = letters <= _BLANK
    if marks.size and (marks[0] == 0 or (blank[marks - 1] | blank[marks + 1]).any()):
        return None
    blank[marks] = True
    lasts = np.flatnonzero(blank[1:] & ~blank[:-1])  # the last letter of each number or exponent
    try:
        digits = integers(data.translate(_EXPONENTS_APART, b"."))
    except ValueError:
        return None
    if digits.size != lasts.size or not digits.size:
        return None
    places = _places(np.flatnonzero(letters == _DOT), lasts)
    if places is None:
        return None
    if marks.size:
        after = np.searchsorted(lasts, marks)  # the exponents among the numbers
        if (np.diff(after) < 2).any() or places[after].any():
            return None
        places[after - 1] -= digits[after]
        kept = np.ones(digits.size, bool)
        kept[after] = False
        digits, places = digits[kept], places[kept]
    return _scaled(digits, places)


def _places(dots: NDArray[np.int64], lasts: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """How many digits each number has behind its dot; None when one has two dots."""
    if dots.size == lasts.size:
        places = lasts - dots
        good = places.min() >= 0 and (dots[1:] > lasts[:-1]).all()
        return places if good else None
    owners = np.searchsorted(lasts, dots)
    if (np.diff(owners) == 0).any():
        return None
    places = np.zeros(lasts.size, np.int64)
    places[owners] = lasts[owners] - dots
    return places


def _scaled(digits: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.float64] | None:
    """Digits with the dot so many places from the right; None when that cannot be told exactly."""
    if int(digits.max()) >= _EXACT or int(digits.min()) <= -_EXACT:
        return None
    least, most = int(places.min()), int(places.max())
    if least >= 0 and most <= _MOST_TENS:
        return np.asarray(digits / _TENS[places])
    if least < -1000 or most > 1000:
        return None
    within = np.clip(places, -_MOST_TENS, _MOST_TENS)
    out = digits / _TENS[np.maximum(within, 0)] * _TENS[np.maximum(-within, 0)]
    # tiny numbers, which programs write for zero: few, and each by itself
    for k in np.flatnonzero(within != places).tolist():
        out[k] = float(f"{digits[k]}e{-places[k]}")
    return np.asarray(out)


def usable(numbers: NDArray[np.float64]) -> bool:
    """Whether all numbers are places: no NaN, no infinity, nothing that overflows when it is scaled."""
    return not numbers.size or bool(numbers.min() > -FARTHEST and numbers.max() < FARTHEST)


def usable_rows(rows: NDArray[np.float64]) -> NDArray[np.bool_] | None:
    """Which rows are usable; None when all are."""
    return None if usable(rows) else np.asarray((np.abs(rows) < FARTHEST).all(axis=1))
