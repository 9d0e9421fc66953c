"""Numbers of 32 bits as the shortest decimals that they stand for."""

from __future__ import annotations

import struct
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

# Digits after which a number of 32 bits is its own text, and the powers of ten that are exact.
_DIGITS = (6, 7, 8)
_EXACT = 22


# Up to so many numbers are faster one by one.
_FEW = 16
_SINGLE = struct.Struct("f")


def _shortest(value: float) -> float:
    """The shortest decimal of a number of 32 bits."""
    packed = _SINGLE.pack(value)
    for digits in _DIGITS:
        decimal = float(f"{value:.{digits}e}")
        with suppress(OverflowError):
            if _SINGLE.pack(decimal) == packed:
                return decimal
    return value


def shortest(values: NDArray[np.float32]) -> NDArray[np.float64]:
    """Numbers of 32 bits as the shortest decimals that they stand for.

    >>> shortest(np.array([0.1, 3.0], np.float32)).tolist()
    [0.1, 3.0]
    """
    given = np.asarray(values, np.float32)
    if given.size <= _FEW:
        return np.array([_shortest(value) for value in given.tolist()], np.float64)
    wide = given.astype(np.float64)
    out = wide.copy()
    with np.errstate(all="ignore"):
        size = np.floor(np.log10(np.abs(wide)))
        todo = np.isfinite(size)
        for digits in _DIGITS:
            power = digits - size
            todo &= np.abs(power) <= _EXACT
            up, down = 10.0 ** np.clip(power, 0, _EXACT), 10.0 ** np.clip(-power, 0, _EXACT)
            decimal = np.rint(wide * up / down) / up * down
            fits = todo & (decimal.astype(np.float32) == given)
            out[fits] = decimal[fits]
            todo &= ~fits
    return out
