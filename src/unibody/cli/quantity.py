"""Numbers that people type, with or without a unit: lengths and angles."""

from __future__ import annotations

import argparse
import math
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
