"""Converts long lists of numbers in text, all at once and exactly."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

# Bytes converted at a time; they fit into the processor's cache.
_PIECE = 1 << 16
# Below this number of bytes numpy's own conversion is faster.
_LONG = 16_000
_BLANK, _DOT, _E, _MINUS, _SLASH = b" .e-/"
_EXPONENTS_APART = bytes.maketrans(b"eE", b"  ")
# Integers below 2^53 and powers of ten up to 10^22 are exact doubles, so that their quotient is correctly
# rounded.
_EXACT = 2**53
_LONGEST = 17
_MOST_TENS = 22
_TENS = np.array([float(f"1e{k}") for k in range(_MOST_TENS + 1)])
_LARGEST = 2**63 - 1
# Notation of numbers that may underflow.
_TINY = tuple(re.compile(e + rb"-0*(?:[3-9][0-9]{2}|[1-9][0-9]{3})") for e in (b"e", b"E"))
_ZEROS = b"0" * 300
# numpy before 2.3 only warns about invalid numbers.
_RAISES = tuple(int(part) for part in np.__version__.split(".")[:2]) >= (2, 3)


def floats(data: bytes) -> NDArray[np.float64]:
    """Parse numbers separated by white space or commas, to the same doubles as float().

    ValueError if a word is not a number, or if a number underflows to zero (1e-400).

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
            if not found.all() and may_vanish(piece):
                _refuse_vanishing(piece)
        out.append(found)
    return np.concatenate(out) if len(out) > 1 else out[0]


def integers(data: bytes) -> NDArray[np.int64]:
    """Parse decimal integers separated as in :func:`floats`; ValueError for other words and beyond 64 bits.

    >>> integers(b"1, -2 +3")
    array([ 1, -2,  3])
    """
    out = [_whole(piece) for piece in _pieces(data)]
    return np.concatenate(out) if len(out) > 1 else out[0]


def _pieces(data: bytes) -> Iterator[bytes]:
    """Split the text between numbers; commas become blanks, and each piece ends with one."""
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


def may_vanish(piece: bytes) -> bool:
    """Whether a piece may contain a number that underflows."""
    # a pattern that starts with a letter takes a tenth of the time of one with a choice
    return _ZEROS in piece or any(tiny.search(piece) for tiny in _TINY)


def _refuse_vanishing(piece: bytes) -> None:
    """ValueError if a number other than zero is read as zero."""
    for word in piece.split():
        if not float(word) and re.match(rb"[^eE]*[1-9]", word):
            raise ValueError("number underflows to 0")


def _whole(piece: bytes) -> NDArray[np.int64]:
    """The integers of a piece; rejects what numpy accepts: "+" as 0, "- 2" as -2, and overflow."""
    letters = np.frombuffer(piece, np.uint8)
    # "| 6" maps both signs, and no other character of a number, to "/"
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
    """Plain decimals in half the time: digits as integers, scaled by dots and exponents.

    None if a number has too many digits, or is not a plain decimal.
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
    lasts = np.flatnonzero(blank[1:] & ~blank[:-1])  # the last character of each number or exponent
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
    """Mask of the numbers written as -0, -0.00 and so on; None if no number is zero."""
    zero = digits == 0
    if not zero.any():
        return None
    starts = np.flatnonzero(~blank[1:] & blank[:-1]) + 1
    if not blank[0]:
        starts = np.concatenate([[0], starts])
    return np.asarray(zero & (letters[starts] == _MINUS))


def _places(dots: NDArray[np.int64], lasts: NDArray[np.int64]) -> NDArray[np.int64] | None:
    """The number of digits after the dot of each number; None if one has two dots."""
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
    """``digits / 10**places``; None if the result may not be exact."""
    if int(digits.max()) >= _EXACT or int(digits.min()) <= -_EXACT:
        return None
    least, most = int(places.min()), int(places.max())
    if least >= 0 and most <= _MOST_TENS:
        return np.asarray(digits / _TENS[places])
    if least < -1000 or most > 1000:
        return None
    within = np.clip(places, -_MOST_TENS, _MOST_TENS)
    # tiny numbers, which programs write instead of zero: few, converted one by one
    far = np.flatnonzero(within != places)
    if far.size * 16 > digits.size:
        return None
    out = digits / _TENS[np.maximum(within, 0)] * _TENS[np.maximum(-within, 0)]
    for k in far.tolist():
        out[k] = float(f"{digits[k]}e{-places[k]}")
        if digits[k] and not out[k]:
            raise ValueError("number underflows to 0")
    return np.asarray(out)
