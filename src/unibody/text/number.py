"""Parses and formats numbers: shortest round-trip floats, fast arrays, strict syntax."""

from __future__ import annotations

import math
import re

import numpy as np
from numpy.typing import NDArray

from unibody.text.decimals import floats, integers

# The syntax of C's strtod without hexadecimal numbers; Python's float() also accepts "1_000",
# full-width digits and "infinity".
_FLOAT = re.compile(r"\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?\s*\Z")
_PREFIX = re.compile(r"\s*[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
# Notation of numbers that may underflow.
_TINY = tuple(re.compile(e + r"-0*(?:[3-9][0-9]{2}|[1-9][0-9]{3})") for e in "eE")
_ZEROS = "0" * 300
_NOT_ZERO = re.compile(r"[^eE]*[1-9]")
_INT = re.compile(r"\s*[+-]?[0-9]+\s*\Z")
_DECIMAL_COMMA = re.compile(r"\s*([+-]?[0-9]+),([0-9]+)\s*\Z")
_HEXADECIMAL = re.compile(r"[+-]?0[xX][0-9a-fA-F]")
# Longer texts are converted by ``decimals``.
_SHORT = 500
# "1.#IND" is NaN as printed by C, not the start of a comment. The pattern starts with a single
# character, which is found quickly.
_COMMENT = re.compile(r"#(?:(?<![0-9]\.#)|(?!IND|INF|QNAN|SNAN))[^\r\n]*")
_WORD = re.compile(r"[^\s,]+")


def parse_float(text: str) -> float | None:
    """Parse a number; None if the text is not one (``inf`` and ``nan`` are not)."""
    return float(text) if _FLOAT.match(text) else None


def vanishes(text: str) -> bool:
    """Whether a number other than zero underflows to zero.

    >>> vanishes("1e-400"), vanishes("0e-400"), vanishes("4.9e-324")
    (True, False, False)
    """
    return bool(_is_tiny(text) and _NOT_ZERO.match(text)) and parse_float(text) == 0.0


def _is_tiny(text: str) -> bool:
    """Whether the text may contain a number that underflows."""
    # `in` is many times faster than a pattern, and most texts contain neither
    if ("e-" in text or "E-" in text) and any(tiny.search(text) for tiny in _TINY):
        return True
    return len(text) >= 300 and _ZEROS in text


def is_plain(text: str) -> bool:
    """Whether float() reads every finite number of a text correctly.

    float() also accepts "1_000" and full-width digits, and reads 1e-400 as zero. False for some plain
    texts, too, which then require a look at each word.
    """
    return "_" not in text and text.isascii() and not _is_tiny(text)


def parse_int(text: str) -> int | None:
    """Parse a decimal integer; None if the text is not one."""
    return int(text) if _INT.match(text) and len(text) < 40 else None


def with_point(text: str) -> str | None:
    """A number with a decimal point instead of a decimal comma; None for any other text.

    >>> with_point("-1,50"), with_point("1,2,3")
    ('-1.50', None)
    """
    found = _DECIMAL_COMMA.match(text)
    return f"{found[1]}.{found[2]}" if found else None


def number_prefix(text: str) -> float | None:
    """The number at the start of the text ("1.5kg" → 1.5), as by C's strtod; None if there is none."""
    found = _PREFIX.match(text)
    return float(found[0]) if found else None


def parse_floats(body: str) -> NDArray[np.float64]:
    """Parse numbers separated by white space, commas or comments (# to the end of the line).

    Returns an array (n,) with the same doubles as float(); "nan" and "inf" are numbers, as in C.
    ValueError if a word is not a number, or if a number underflows to zero (1e-400).
    """
    text = _numbers_alone(body)
    if len(text) >= _SHORT:
        return floats(text.encode())
    words = text.replace(",", " ").split()
    if _is_tiny(text) and any(map(vanishes, words)):
        raise ValueError("number underflows to 0")
    return np.array(list(map(float, words)), dtype=np.float64)


def parse_ints(body: str) -> NDArray[np.int64]:
    """Parse integers separated as for :func:`parse_floats`, decimal or hexadecimal (0x1F).

    ValueError for any other word ("1.0") and for integers beyond 64 bits.
    """
    text = _numbers_alone(body)
    decimal = "x" not in text and "X" not in text
    if decimal and len(text) >= _SHORT:
        return integers(text.encode())
    try:
        read = int if decimal else _integer
        return np.array(list(map(read, text.replace(",", " ").split())), dtype=np.int64)
    except OverflowError:
        raise ValueError("a whole number beyond 64 bits") from None


def _integer(word: str) -> int:
    found = _HEXADECIMAL.match(word)
    return int(word, 16) if found else int(word)


def _numbers_alone(body: str) -> str:
    """The text without comments; ValueError for forms that float() accepts beyond numbers."""
    text = without_comments(body)
    # Python accepts 1_000 and full-width digits, C's strtod nan(0).
    if "_" in text or "(" in text or not text.isascii():
        raise ValueError("not a number")
    return text


def without_comments(body: str) -> str:
    """The text of a list of numbers with each comment replaced by a blank."""
    return _COMMENT.sub(" ", body) if "#" in body else body


def may_hold_nan(text: str, start: int = 0, end: int | None = None) -> bool:
    """Whether a list of numbers may contain NaN or infinity as printed by C ("-nan(ind)", "1.#INF").

    Every such word contains an n. The search takes a hundredth of the time of a conversion.

    >>> may_hold_nan("0 1 -Inf"), may_hold_nan("0 1e-5 # no numbers")
    (True, False)
    """
    # `find` on the whole text does not copy the list.
    if text.find("n", start, end) < 0 and text.find("N", start, end) < 0:
        return False
    alone = without_comments(text[start:end])
    return "n" in alone or "N" in alone


def number_words(body: str) -> list[tuple[str, int]]:
    """The words of a list of numbers and their offsets; separators are white space, commas, comments."""
    if "#" in body:
        body = _COMMENT.sub(lambda found: " " * len(found[0]), body)
    return [(found[0], found.start()) for found in _WORD.finditer(body)]


def format_float(value: float) -> str:
    """The shortest text that reads back to the same double; integers without ".0"."""
    text = repr(float(value))  # "nan", "inf" and "-inf", too
    return text[:-2] if text.endswith(".0") else text


def shortest_near(value: float, ulps: int = 2) -> str:
    """The shortest decimal within ``ulps`` of a double: "30" for 29.999999999999996."""
    if not math.isfinite(value) or value == 0.0:
        return format_float(value)
    tolerance = ulps * math.ulp(value)
    for digits in range(1, 18):
        text = f"{value:.{digits}g}"
        if abs(float(text) - value) <= tolerance:
            return format_float(float(text))
    return format_float(value)
