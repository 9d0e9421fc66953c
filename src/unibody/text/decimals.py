"""Long lists of numbers in text, converted all at once and exactly."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

# What is worked on at a time: small enough for the processor's cache.
_PIECE = 1 << 16
# Below so many bytes numpy's own conversion is quicker than the preparations for another.
_LONG = 16_000
_BLANK, _DOT, _E, _MINUS, _SLASH = b" .e-/"
_EXPONENTS_APART = bytes.maketrans(b"eE", b"  ")
# A whole number below 2^53 over a power of ten up to 10^22: both exact, so one division rounds rightly.
_EXACT = 2**53
_LONGEST = 17
_MOST_TENS = 22
_TENS = np.array([float(f"1e{k}") for k in range(_MOST_TENS + 1)])
_LARGEST = 2**63 - 1
# How numbers begin to be written that are too close to zero for a double.
_TINY = re.compile(rb"[eE]-0*(?:[3-9][0-9]{2}|[1-9][0-9]{3})|0{300}")
# numpy before 2.3 stops at what is no number with a mere warning.
_RAISES = tuple(int(part) for part in np.__version__.split(".")[:2]) >= (2, 3)


def floats(data: bytes) -> NDArray[np.float64]:
    """Numbers apart by white space or commas, as float() gives them; ValueError when one is none.

    So it is when one that is not zero would become zero (1e-400).

    >>> floats(b"1, -2.5 3e2")
    array([  1. ,  -2.5, 300. ])
    """
    out: list[NDArray[np.float64]] = []
    tries = 2
    for piece in _pieces(data):
        found = _decimals(piece) if tries and len(piece) > _LONG else None
        if found is None:
            tries = max(tries - 1, 0)
            found = _parse(piece, np.float64)
            if not found.all() and _TINY.search(piece):
                _refuse_vanishing(piece)
        out.append(found)
    return np.concatenate(out) if len(out) > 1 else out[0]


def integers(data: bytes) -> NDArray[np.int64]:
    """Whole decimal numbers apart as in :func:`floats`; ValueError when one is none, or beyond 64 bits.

    >>> integers(b"1, -2 +3")
    array([ 1, -2,  3])
    """
    out = [_whole(piece) for piece in _pieces(data)]
    return np.concatenate(out) if len(out) > 1 else out[0]


def _pieces(data: bytes) -> Iterator[bytes]:
    """The text cut between numbers, without commas, and with a blank at each end."""
    start = 0
    while len(data) - start > _PIECE:
        end = max(data.rfind(mark, start, start + _PIECE) for mark in (b" ", b",", b"\n", b"\t"))
        if end <= start:
            break
        yield data[start:end].replace(b",", b" ") + b" "
        start = end
    yield data[start:].replace(b",", b" ") + b" "


def _parse(piece: bytes, kind: Any) -> NDArray[Any]:
    if piece.isspace():
        return np.empty(0, kind)
    try:
        if _RAISES:
            return np.fromstring(piece, kind, sep=" ")
        with warnings.catch_warnings():
            warnings.simplefilter("error", DeprecationWarning)
            return np.fromstring(piece, kind, sep=" ")
    except (DeprecationWarning, ValueError):
        raise ValueError("not a number") from None


def _refuse_vanishing(piece: bytes) -> None:
    """ValueError when a number is written as another than zero, and read as zero."""
    for word in piece.split():
        if not float(word) and re.match(rb"[^eE]*[1-9]", word):
            raise ValueError("not a number that can be held: too close to zero")


def _whole(piece: bytes) -> NDArray[np.int64]:
    """Integers of a piece; numpy alone takes "+" for 0, "- 2" for -2, and cuts what is too large."""
    letters = np.frombuffer(piece, np.uint8)
    # both signs, and no letter of a number but them, become "/"
    if (((letters[:-1] | 6) == _SLASH) & (letters[1:] <= _BLANK)).any():
        raise ValueError("not a number")
    out = np.asarray(_parse(piece, np.int64))
    if out.size and int(out.max()) == _LARGEST:
        return np.array([_within(int(word)) for word in piece.split()], np.int64)
    return out


def _within(number: int) -> int:
    if not -_LARGEST <= number <= _LARGEST:
        raise ValueError("not a number of 64 bits")
    return number


def _decimals(piece: bytes) -> NDArray[np.float64] | None:
    """Plain decimals in half the time: digits as whole numbers, then dots and exponents.

    None when a number has too many digits, or is no plain one.
    """
    if max(map(len, piece[:300].split()), default=0) > _LONGEST:
        return None
    letters = np.frombuffer(piece, np.uint8)
    blank = letters <= _BLANK
    marks = np.flatnonzero((letters | 32) == _E) if b"e" in piece or b"E" in piece else letters[:0]
    if marks.size:
        if marks[0] == 0 or (blank[marks - 1] | blank[marks + 1]).any():
            return None
        blank[marks] = True
    lasts = np.flatnonzero(blank[1:] & ~blank[:-1])  # the last letter of each number or exponent
    try:
        digits = _whole(piece.translate(_EXPONENTS_APART, b"."))
    except ValueError:
        return None
    if digits.size != lasts.size or not digits.size:
        return None
    places = _places(np.flatnonzero(letters == _DOT), lasts)
    if places is None:
        return None
    minus = _minus_zeros(letters, blank, digits)
    if marks.size:
        after = np.searchsorted(lasts, marks)  # the exponents among the numbers
        if (np.diff(after) < 2).any() or places[after].any():
            return None
        places[after - 1] -= digits[after]
        kept = np.ones(digits.size, bool)
        kept[after] = False
        digits, places = digits[kept], places[kept]
        minus = minus[kept] if minus is not None else None
    out = _scaled(digits, places)
    if minus is not None and out is not None:
        out[minus] = -0.0
    return out


def _minus_zeros(
    letters: NDArray[np.uint8], blank: NDArray[np.bool_], digits: NDArray[np.int64]
) -> NDArray[np.bool_] | None:
    """Which numbers are written as -0, -0.00 and so on; None when no number is zero."""
    zero = digits == 0
    if not zero.any():
        return None
    starts = np.flatnonzero(~blank[1:] & blank[:-1]) + 1
    if not blank[0]:
        starts = np.concatenate([[0], starts])
    return np.asarray(zero & (letters[starts] == _MINUS))


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
    # tiny numbers, which programs write for zero: few, and each by itself
    far = np.flatnonzero(within != places)
    if far.size * 16 > digits.size:
        return None
    out = digits / _TENS[np.maximum(within, 0)] * _TENS[np.maximum(-within, 0)]
    for k in far.tolist():
        out[k] = float(f"{digits[k]}e{-places[k]}")
        if digits[k] and not out[k]:
            raise ValueError("not a number that can be held: too close to zero")
    return np.asarray(out)
