"""Value types of URDF: numbers as its loaders read them, with a warning for each slip (docs/loaders.md)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace

from unibody.document import values as v
from unibody.document.values import ValueType, Wrong, describe, word, words_vector
from unibody.text.fixes import bare_number, without_commas
from unibody.text.node import Value, Word
from unibody.text.number import format_float, number_prefix, with_point

_HEXADECIMAL = re.compile(r"\s*[+-]?0[xX][0-9a-fA-F]+(?:\.[0-9a-fA-F]*)?(?:[pP][+-]?[0-9]+)?\s*\Z")
_SEPARATORS = re.compile(r"[\s,]+")
_INFINITE = re.compile(r"[+-]?(?:inf|infinity|nan|1\.?#\S+)\Z", re.IGNORECASE)


def number(value: Value) -> float:
    """A finite number; hexadecimal ones are read as by C's strtod, with a warning."""
    try:
        return v.number(value)
    except Wrong:
        text = word(value)
        if not _HEXADECIMAL.match(text):
            raise
    result = float.fromhex(text)
    raise Wrong(
        f"hexadecimal '{text.strip()}' is read as {format_float(result)}; ROS reads another number",
        at=value,
        code="number-suffix",
        value=result,
        hint=f"write {format_float(result)}",
    )


def bound(value: Value) -> float:
    """A limit; a number that is not finite is returned as it is, with a warning, and means none."""
    try:
        return number(value)
    except Wrong as wrong:
        if wrong.code != "number-not-finite":
            raise
        text = word(value).strip().lower()
        infinite = -math.inf if text.startswith("-") else math.inf
        raise Wrong(
            f"{wrong.message}; assuming unlimited, but ROS rejects the file",
            at=value,
            code=wrong.code,
            value=math.nan if "nan" in text or "ind" in text else infinite,
            hint="remove the attribute, or write a large number",
        ) from None


def harmless(type: ValueType) -> ValueType:
    """The type for values that no computation uses: numbers that are not finite are ignored as well."""

    def parse(value: Value) -> object:
        try:
            return type.parse(value)
        except Wrong as wrong:
            if wrong.code != "number-not-finite":
                raise
            raise Wrong(wrong.message, at=wrong.at, code=wrong.code, ignored=True) from None

    return replace(type, parse=parse)


def read_as(type: ValueType, value: object, otherwise: str) -> ValueType:
    """The type with a value for all that is invalid; ``otherwise`` names it in the finding."""

    def parse(written: Value) -> object:
        try:
            return type.parse(written)
        except Wrong as wrong:
            slip = wrong.read_as(value)
            slip.message = f"{wrong.message}; {otherwise}"
            raise slip from None

    return replace(type, parse=parse)


def vector(
    count: int,
    *,
    few: Callable[[tuple[float, ...]], tuple[float, ...] | None],
    words: bool = False,
    empty: tuple[float, ...] | None = None,
    fatal: bool = False,
) -> ValueType:
    """``count`` numbers in one text, as the loaders read them.

    Commas separate numbers, too; of more numbers the first ones are used, and ``few`` completes fewer
    ones, or returns None if they are invalid. With ``words`` a word is 0, as for C's strtod. An empty
    text is read as ``empty``. ``fatal``: what is invalid then is an error.
    """
    strict = words_vector(count)

    def parse(value: Value) -> tuple[float, ...]:
        if empty is not None and isinstance(value, Word) and not value.text.strip():
            raise Wrong(
                f"must be {count} numbers separated by spaces, not {describe(value)}; using "
                f"{_shown(empty)}, but ROS rejects the file",
                at=value,
                code="number-count",
                value=empty,
                hint="remove the attribute",
            )
        try:
            numbers: tuple[float, ...] = strict.parse(value)
            if isinstance(value, Word) and not value.text.isascii():
                raise Wrong(
                    f"no-break or other special spaces between numbers; '{value.text.strip()}' is read as "
                    f"{_shown(numbers)}, but ROS rejects the file",
                    at=value,
                    code="number-separator",
                    value=numbers,
                    hint="separate the numbers by spaces",
                    fix=without_commas,
                )
            return numbers
        except Wrong as wrong:
            if wrong.value is not None or wrong.code == "number-not-finite":
                raise
            return _slip(word(value), value, wrong)

    def _slip(text: str, value: Value, wrong: Wrong) -> tuple[float, ...]:
        if "," in text and (found := _separated(text, count)) is not None:
            raise Wrong(
                f"commas between numbers; '{text.strip()}' is read as {_shown(found)}, as in Choreonoid",
                at=value,
                code="number-separator",
                value=found,
                hint="separate the numbers by spaces: ROS rejects commas, and PyBullet reads the whole as "
                "zeros if no spaces follow them",
                fix=without_commas,
            )
        numbers = [_component(part, words) for part in text.split()]
        wrong.fatal = fatal
        if None in numbers or not numbers:
            raise wrong
        read = tuple(n for n in numbers if n is not None)
        if not all(map(math.isfinite, read)):
            raise Wrong(
                f"must be finite numbers, not {describe(value)}", at=value, code="number-not-finite"
            )
        result = read[:count] if len(read) >= count else few(read)
        if result is None:
            raise wrong
        pointed = any(map(with_point, text.split()))
        raise Wrong(
            f"must be {count} numbers separated by spaces, not {describe(value)}; using {_shown(result)}",
            at=value,
            code="number-count" if len(read) != count else "wrong-value",
            value=result,
            hint="write decimal points, not commas" if pointed else "",
            fix=None if len(read) != count else without_commas if "," in text else bare_number,
        )

    return ValueType(strict.name, parse, strict.print, 1, strict.schema, strict.samples)


def _separated(text: str, count: int) -> tuple[float, ...] | None:
    """The numbers of a text with commas between them; None if these are not ``count`` numbers."""
    parts = [part for part in _SEPARATORS.split(text) if part]
    try:
        numbers = tuple(v.number(Word(part)) for part in parts)
    except Wrong:
        return None
    return numbers if len(numbers) == count else None


def _component(part: str, words: bool) -> float | None:
    """A number as C's strtod reads it; None for a word, unless it is read as 0."""
    if _INFINITE.match(part):
        return math.nan
    if _HEXADECIMAL.match(part):
        return float.fromhex(part)
    found = number_prefix(part)
    return found if found is not None else 0.0 if words else None


def _shown(numbers: tuple[float, ...]) -> str:
    return " ".join(map(format_float, numbers))


def _none(_: tuple[float, ...]) -> None:
    return None


def _zeros(_: tuple[float, ...]) -> tuple[float, ...]:
    return (0.0, 0.0, 0.0)


def _repeated(numbers: tuple[float, ...]) -> tuple[float, ...]:
    return (numbers[0],) * 3


def _opaque(numbers: tuple[float, ...]) -> tuple[float, ...] | None:
    return (*numbers, 1.0) if len(numbers) == 3 else None


NUMBER = replace(v.NUMBER, parse=number)
BOUND = replace(v.NUMBER, parse=bound)
#: A position or rotation; too few numbers are read as zeros, as in PyBullet. An empty text is absent.
TRIPLE = replace(
    vector(3, few=_zeros, words=True, empty=(0.0, 0.0, 0.0)), schema={"type": "string", "words": (3, 0)}
)
#: One number, or one for each direction of a planar joint.
DAMPING = v.words_vector(1, 3)
DIRECTION = vector(3, few=_none, words=True, fatal=True)
SIZE = vector(3, few=_none)
#: One number scales all three axes, as in Drake and PyBullet.
SCALE = vector(3, few=_repeated)
COLOR = harmless(vector(4, few=_opaque))
