"""Value types of SRDF: names are trimmed, as srdfdom does."""

from __future__ import annotations

from dataclasses import replace

from unibody.document import values as v
from unibody.document.values import ValueType, Wrong, describe, word, words_vector
from unibody.text.node import Value, Word

TEXT = v.TEXT
NUMBER = v.NUMBER
POINT = words_vector(3)


def _name(value: Value) -> str:
    return word(value).strip()


def _values(value: Value) -> tuple[float, ...]:
    """Finite numbers in one text; srdfdom reads a word as 0 without a message."""
    try:
        return tuple(v.number(Word(part)) for part in word(value).split())
    except Wrong:
        wrong = Wrong(
            f"must be numbers separated by spaces, not {describe(value)}; MoveIt reads 0 for a word",
            at=value,
        )
        wrong.fatal = True
        raise wrong from None


NAME = replace(v.TEXT, parse=_name)
VALUES = ValueType(
    "numbers",
    _values,
    POINT.print,
    1,
    {"type": "string"},
    ((0.5,), (1.0, -2.0, 0.25)),
)
