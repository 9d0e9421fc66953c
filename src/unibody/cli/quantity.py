"""Numbers that people type, with or without a unit: lengths and angles."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable
from typing import Literal, NamedTuple

Kind = Literal["length", "angle"]

_UNITS: dict[str, tuple[Kind, float]] = {
    "deg": ("angle", math.pi / 180.0),
    "rad": ("angle", 1.0),
    "mm": ("length", 0.001),
    "cm": ("length", 0.01),
    "m": ("length", 1.0),
}


class Quantity(NamedTuple):
    """A number and its unit, "" without one."""

    number: float
    unit: str

    @property
    def kind(self) -> Kind | None:
        """What the unit measures; None without a unit."""
        return _UNITS[self.unit][0] if self.unit else None

    @property
    def value(self) -> float:
        """The number in m or rad; as it was written without a unit."""
        return self.number * _UNITS[self.unit][1] if self.unit else self.number

    @property
    def degrees(self) -> float:
        """The angle in degrees, which numbers without a unit are in."""
        return math.degrees(self.number) if self.unit == "rad" else self.number


def parse_quantity(text: str) -> Quantity | None:
    """The finite number of a text such as ``30deg``, ``0.5rad``, ``20mm`` or ``0.5``; None for other text.

    >>> parse_quantity("20cm"), parse_quantity("1.5"), parse_quantity("2 apples")
    (Quantity(number=20.0, unit='cm'), Quantity(number=1.5, unit=''), None)
    """
    from unibody.text.number import parse_float, vanishes

    text = text.strip()
    unit = next((unit for unit in _UNITS if text.endswith(unit)), "")
    number = text.removesuffix(unit).rstrip()
    value = parse_float(number)
    if value is None or not math.isfinite(value) or vanishes(number):
        return None
    return Quantity(value, unit)


#: The units that a number may have.
UNITS = tuple(_UNITS)


def length(text: str) -> float:
    """A length in m; ArgumentTypeError for anything else.

    >>> length("5mm"), length("-0.2")
    (0.005, -0.2)
    """
    found = parse_quantity(text)
    if found is None or found.kind == "angle":
        raise argparse.ArgumentTypeError(f"expected a length such as 0.02 or 20mm, got '{text}'")
    return found.value


def positive_length(text: str) -> float:
    """A length above 0 in m; ArgumentTypeError for anything else."""
    value = length(text)
    if value <= 0.0:
        raise argparse.ArgumentTypeError(f"expected a length above 0, got '{text}'")
    return value


def positive(text: str) -> float:
    """A finite number above 0; ArgumentTypeError for anything else.

    >>> positive("0.5")
    0.5
    """
    (value,) = numbers(text, (1,), "a number above 0")
    if value <= 0.0:
        raise argparse.ArgumentTypeError(f"expected a number above 0, got '{text}'")
    return value


def positive_value(text: str) -> float:
    """A number above 0; with a unit in m or rad.

    >>> positive_value("0.5"), positive_value("90deg")
    (0.5, 1.5707963267948966)
    """
    found = parse_quantity(text)
    if found is None or found.value <= 0.0:
        raise argparse.ArgumentTypeError(f"expected a number above 0, got '{text}'")
    return found.value


def numbers(text: str, count: tuple[int, ...], what: str) -> tuple[float, ...]:
    """Finite numbers, separated by commas; ArgumentTypeError for anything else, or another ``count``.

    >>> numbers("0,0,-9.81", (3,), "three numbers")
    (0.0, 0.0, -9.81)
    """
    from unibody.text.number import parse_float

    values = [parse_float(word.strip()) for word in text.split(",")]
    finite = tuple(value for value in values if value is not None and math.isfinite(value))
    if len(finite) != len(values) or len(finite) not in count:
        raise argparse.ArgumentTypeError(f"expected {what}, got '{text}'")
    return finite


def whole(low: int, high: int | None = None, what: str = "a whole number") -> Callable[[str], int]:
    """What parses a whole number from ``low`` to ``high``, by default to 15 digits.

    >>> whole(0, 65535)("8080")
    8080
    """
    range = f"from {low}" if high is None else f"from {low} to {high}"

    def parse(text: str) -> int:
        value = int(text) if text.isdecimal() and len(text) <= 15 else -1
        if value < low or (high is not None and value > high):
            raise argparse.ArgumentTypeError(f"expected {what} {range}, got '{text}'")
        return value

    return parse


def angles(text: str, count: int) -> tuple[float, ...]:
    """Angles in degrees, separated by commas; ArgumentTypeError for anything else.

    >>> angles("0,90,1rad", 3)
    (0.0, 90.0, 57.29577951308232)
    """
    values = _numbers(text.split(","), "angle")
    if len(values) != count or not all(map(math.isfinite, values)):
        raise argparse.ArgumentTypeError(f"expected {count} angles such as 0,90,0 (degrees), got '{text}'")
    return values


def place(text: str) -> tuple[float, ...] | None:
    """The numbers of X,Y,Z or X,Y,Z,ROLL,PITCH,YAW in m and degrees; None for anything else.

    >>> place("1,0,50cm"), place("1,0,0.5,0,0,30deg"), place("1,0")
    ((1.0, 0.0, 0.5), (1.0, 0.0, 0.5, 0.0, 0.0, 30.0), None)
    """
    words = text.split(",")
    numbers = (*_numbers(words[:3], "length"), *_numbers(words[3:], "angle"))
    return numbers if len(words) in (3, 6) and all(map(math.isfinite, numbers)) else None


def _numbers(words: list[str], kind: Kind) -> tuple[float, ...]:
    """The numbers of words in m or degrees; NaN for a word that is not a quantity of this kind."""
    found = [parse_quantity(word) for word in words]
    return tuple(
        math.nan
        if each is None or each.kind not in (kind, None)
        else (each.degrees if kind == "angle" else each.value)
        for each in found
    )
