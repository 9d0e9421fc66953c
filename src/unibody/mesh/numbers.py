"""Lists of numbers in the text of mesh files, converted all at once."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray


def floats(text: str | bytes) -> NDArray[np.float64]:
    """Numbers apart by white space; ValueError when one is none ("nan" and "inf" are some)."""
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


def finite_rows(rows: NDArray[np.float64]) -> NDArray[np.bool_] | None:
    """Which rows hold no NaN and no infinity; None when all are so."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(rows.sum()):  # a sum is quicker than a test of each, and NaN survives it
            return None
    good = np.asarray(np.isfinite(rows).all(axis=1))
    return None if good.all() else good
