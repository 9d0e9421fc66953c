"""Numbers as text: shortest round-trip floats, fast arrays, honest refusals."""

from __future__ import annotations

import math
import re

import numpy as np
from numpy.typing import NDArray

# What C's strtod takes, less hexadecimal: Python's float() would also take "1_000",
# full-width digits and "infinity", which no robot file means as a number.
_FLOAT = re.compile(r"\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*\Z")
_PREFIX = re.compile(r"\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_INT = re.compile(r"\s*[+-]?[0-9]+\s*\Z")
_SEPARATORS = str.maketrans(",\t\r\n", "    ")
_SHORT = 512


def parse_float(text: str) -> float | None:
    """A number, or None when the text is not one (``inf`` and ``nan`` are not)."""
    return float(text) if _FLOAT.match(text) else None


def parse_int(text: str) -> int | None:
    """A decimal whole number, or None when the text is not one."""
    return int(text) if _INT.match(text) and len(text) < 40 else None


def number_prefix(text: str) -> float | None:
    """The number that the text begins with ("1.5kg" → 1.5), as C's strtod; None without one."""
    found = _PREFIX.match(text)
    return float(found[0]) if found else None


def parse_floats(body: str) -> NDArray[np.float64]:
    """Numbers apart by white space or commas, all at once; ValueError when one is not a number.

    Long text goes through one numpy conversion, short text through float().
    """
    if "_" in body or not body.isascii():
        raise ValueError("not a number")
    if len(body) < _SHORT:
        return np.array(body.translate(_SEPARATORS).split(), dtype=np.float64)
    return np.array(body.replace(",", " ").split(), dtype=np.float64)


def format_float(value: float) -> str:
    """The shortest text that reads back to the same double; whole numbers without ".0"."""
    if value != value:
        return "nan"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    text = repr(float(value))
    return text[:-2] if text.endswith(".0") else text


def shortest_near(value: float, ulps: int = 2) -> str:
    """The shortest decimal within ``ulps`` of a double: 29.999999999999996 is written 30."""
    if not math.isfinite(value) or value == 0.0:
        return format_float(value)
    tolerance = ulps * math.ulp(value)
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        if abs(float(text) - value) <= tolerance:
            return format_float(float(text))
    return format_float(value)
