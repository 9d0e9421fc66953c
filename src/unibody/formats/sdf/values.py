"""Value types of SDF: numbers, flags and poses as libsdformat reads them, and elements that hold a text."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from unibody.document import values as v
from unibody.document.declare import key
from unibody.document.values import ValueType, Wrong, as_element, choice, describe, word
from unibody.text.node import Node, Value, Word
from unibody.text.number import format_float

INF = math.inf
_INFINITE = {"inf": INF, "+inf": INF, "-inf": -INF, "infinity": INF, "+infinity": INF, "-infinity": -INF}
_FLAGS = {"true": True, "1": True, "false": False, "0": False}


def limit(value: Value) -> float:
    """A number, or an infinite one, which means none."""
    try:
        return v.number(value)
    except Wrong:
        found = _INFINITE.get(word(value).strip().lower())
        if found is None:
            raise
    return found


def numbers(value: Value) -> tuple[float, ...]:
    """Any number of finite numbers, separated by white space."""
    text = word(value)
    try:
        return tuple([v.number(Word(part)) for part in text.split()])
    except Wrong as wrong:
        what = "finite numbers" if wrong.code == "number-not-finite" else "numbers"
        message = f"must be {what} separated by spaces, not {describe(value)}"
        raise Wrong(message, at=value, code=wrong.code) from None


def flag(value: Value) -> bool:
    """True, false, 1 or 0, in any letter case."""
    found = _FLAGS.get(word(value).strip().lower())
    if found is None:
        raise Wrong(f"must be true or false, not {describe(value)}", at=value)
    return found


def whole(value: Value) -> int:
    """A whole number."""
    return v.integer(value)


def _vector(count: int, *more: int) -> ValueType:
    strict = v.words_vector(count, *more)

    def parse(value: Value) -> tuple[float, ...]:
        found = numbers(value)
        if len(found) not in (count, *more):
            return strict.parse(value)  # type: ignore[no-any-return]  # raises the finding
        return found

    return replace(strict, parse=parse)


def _shown(values: tuple[float, ...]) -> Word:
    return Word(" ".join(format_float(value) for value in values))


def _trimmed(value: Value) -> str:
    return word(value).strip()


def _either(value: Value) -> str:
    return str(_ELEMENT.parse(value)) if isinstance(value, Node) else word(value)


TEXT = replace(v.TEXT, parse=_trimmed)
_ELEMENT = as_element(TEXT)
NUMBER = v.NUMBER
#: A number that may be infinite.
LIMIT = replace(v.NUMBER, parse=limit)
FLAG = replace(v.FLAG, parse=flag)
PAIR = _vector(2)
VECTOR = _vector(3)
COLOR = _vector(4, 3)
#: Numbers whose count depends on other attributes.
LIST = ValueType(
    "numbers", numbers, _shown, None, {"type": "string"}, ((0.5, 0.0, -1.0, 0.25, 0.0, 0.5), (1.0,) * 6)
)
#: An attribute that old versions write as an element.
ATTRIBUTE = replace(v.TEXT, parse=_either)
FORMAT = choice("euler_rpy", "quat_xyzw")


def text(type: ValueType, default: Any = None, **declared: Any) -> Any:
    """A plain value that is written as an element with text."""
    return key(as_element(TEXT if type is v.TEXT else type), default, **declared)
