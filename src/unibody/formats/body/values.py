"""Value types of Choreonoid Body files; values are stored as written."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from unibody.document.declare import FLAG as STRICT_FLAG
from unibody.document.declare import (
    INTEGER,
    NUMBER,
    NUMBERS,
    TEXT,
    ValueType,
    Wrong,
    describe,
    flag,
    flat,
    half_read,
    noted,
    number,
    setting,
    to_numbers,
    to_word,
    vector,
    word,
)
from unibody.text.node import Numbers, Row, Value, Word

UNLIMITED = "unlimited"
# What C and YAML write for infinity.
_INFINITE = re.compile(r"[+-]?(?:\.?inf|infinity)", re.IGNORECASE)


def _nested(size: int) -> Callable[[Value], Any]:
    """``size`` numbers, or a list of such lists (facts page A.2)."""

    def parse(value: Value) -> tuple[Any, ...]:
        if isinstance(value, Row) and any(not isinstance(v, Word) for v in value.values):
            return _each(value, size)
        odd: list[Wrong] = []
        out = flat(value, odd)
        if not out and isinstance(value, Row | Numbers):
            # Choreonoid takes the list and sets nothing (facts A.2)
            message = f"must have {size} numbers, not 0; it has no effect"
            raise Wrong(message, at=value, code="number-count", value=(), hint="remove it")
        if len(out) != size:
            raise Wrong(f"must have {size} numbers, not {len(out)}", code="number-count")
        return noted(tuple(out), odd) if odd else tuple(out)

    return parse


def _each(value: Row, size: int) -> tuple[Any, ...]:
    out: list[tuple[float, ...]] = []
    odd: list[Wrong] = []
    # lists may nest deeper; only the leaves are used, in order
    todo: list[Value] = list(reversed(value.values))
    while todo:
        v = todo.pop()
        if isinstance(v, Row) and any(not isinstance(x, Word) for x in v.values):
            todo.extend(reversed(v.values))
            continue
        leaf = flat(v, odd)
        if len(leaf) != size:
            raise Wrong(f"must have {size} numbers, not {len(leaf)}", at=v, code="number-count")
        out.append(tuple(leaf))
    return noted(tuple(out), odd)  # type: ignore[no-any-return]


def _show_nested(value: tuple[Any, ...]) -> Value:
    if value and isinstance(value[0], tuple):
        return Row([to_numbers(v) for v in value], flow=True)
    return to_numbers(value)


def nested(value: tuple[Any, ...]) -> tuple[tuple[float, ...], ...]:
    """A nested or single value as a tuple of single values."""
    return value if value and isinstance(value[0], tuple) else (value,)


_LETTERS = {
    "X": (1.0, 0.0, 0.0),
    "Y": (0.0, 1.0, 0.0),
    "Z": (0.0, 0.0, 1.0),
    "-X": (-1.0, 0.0, 0.0),
    "-Y": (0.0, -1.0, 0.0),
    "-Z": (0.0, 0.0, -1.0),
}


def _axis(value: Value) -> Any:
    if isinstance(value, Word):
        if value.text.upper() not in _LETTERS:
            raise Wrong(
                f"must be X, Y, Z, -X, -Y, -Z or three numbers, not {describe(value)}",
                at=value,
                code="not-a-choice",
            )
        return value.text
    odd: list[Wrong] = []
    out = flat(value, odd)
    if len(out) != 3:
        raise Wrong(f"must have 3 numbers, not {len(out)}", code="number-count")
    return noted(tuple(out), odd)


def axis_vector(value: Any) -> tuple[float, float, float]:
    """The vector of an axis letter or vector."""
    return _LETTERS[value.upper()] if isinstance(value, str) else value


def _limit(value: Value) -> Any:
    if isinstance(value, Word):
        if value.text == UNLIMITED:
            return UNLIMITED
        if _INFINITE.fullmatch(value.text.strip()):
            raise Wrong(
                f"'{value.text.strip()}' is read as unlimited",
                at=value,
                value=UNLIMITED,
                hint=f"write {UNLIMITED}",
                suggestion=UNLIMITED,
            )
    return number(value)


def _range(value: Value) -> Any:
    if isinstance(value, Word):
        return _limit(value)
    items: list[Word] | list[Value] = value.places() if isinstance(value, Numbers) else _row(value)
    if len(items) != 2:
        raise Wrong(
            f"must be one number, unlimited, or two of these, not {len(items)}", code="number-count"
        )
    odd: list[Wrong] = []
    return noted((half_read(_limit, items[0], odd), half_read(_limit, items[1], odd)), odd)


def _row(value: Value) -> list[Value]:
    if isinstance(value, Row):
        return value.values
    raise Wrong(f"must be one number, unlimited, or two of these, not {describe(value)}")


def _show_range(value: Any) -> Value:
    if isinstance(value, tuple):
        return Row([to_word(v) for v in value], flow=True)
    return to_word(value)


def _texts(value: Value) -> tuple[str, ...]:
    """Parse a word or a list of words."""
    if isinstance(value, Word):
        return (value.text,)
    if isinstance(value, Numbers):
        return tuple(value.words())
    if isinstance(value, Row):
        return tuple(word(v) for v in value.values)
    raise Wrong(f"must be a word or a list of words, not {describe(value)}")


def _show_texts(value: tuple[str, ...]) -> Value:
    return Row([Word(v) for v in value], flow=True)


def _repeat(value: Value) -> Any:
    if isinstance(value, Row):
        if len(value.values) != 2:
            raise Wrong(f"must be true, false or two of these, not {len(value.values)}")
        return tuple(flag(v) for v in value.values)
    return flag(value)


def _metadata(value: Value) -> Any:
    """Parse the metadata of a Resource: a mapping, or its old text form."""
    from unibody.text.node import Node

    if isinstance(value, Word):
        return value.text
    if isinstance(value, Node):
        return tuple((k, word(v)) for k, v, _ in value.items)
    raise Wrong(f"must be a mapping or words, not {describe(value)}")


def _show_metadata(value: Any) -> Value:
    from unibody.text.node import Node

    if isinstance(value, str):
        return Word(value)
    return Node("", [(k, Word(v), -1) for k, v in value])


def _turn(value: Value) -> float:
    """Parse the rotation of a texture; a list is read as 0, as in Choreonoid."""
    if isinstance(value, Row | Numbers):
        raise Wrong("must be one angle, not a list; using 0, as in Choreonoid", at=value, value=0.0)
    return number(value)


def _flag(value: Value) -> bool:
    """Parse a boolean; other words, including 1 and 0, are ignored, as in Choreonoid."""
    try:
        return flag(value)
    except Wrong as e:
        raise Wrong(
            f"{e.message}; ignored, as in Choreonoid", at=value, code="odd-value", ignored=True
        ) from None


def optional_vector(n: int, *more: int) -> ValueType:
    """The type of ``n`` numbers (or one of ``more``) where no list is ignored, as in Choreonoid."""
    strict = vector(n, *more)
    expected = " or ".join(map(str, (n, *more)))

    def parse(value: Value) -> Any:
        if not isinstance(value, Row | Numbers):
            raise Wrong(
                f"must be {expected} numbers, not {describe(value)}; ignored, as in Choreonoid",
                at=value,
                code="odd-value",
                ignored=True,
                hint=f"write a list of {expected} numbers",
            )
        return strict.parse(value)

    return replace(strict, parse=parse)


def optional(strict: ValueType, unreadable: Any = None) -> ValueType:
    """The type of a key that Choreonoid reads only if it can (facts A.1).

    A value that is no number is read as ``unreadable``, or ignored without one.
    """

    def parse(value: Value) -> Any:
        try:
            return strict.parse(value)
        except Wrong as e:
            if e.value is not None or e.code == "number-not-finite":
                raise
            scalar = unreadable is not None and isinstance(value, Word)
            raise Wrong(
                f"{e.message}; {f'using {unreadable:g}' if scalar else 'ignored'}, as in Choreonoid",
                at=e.at,
                code="odd-value",
                value=unreadable if scalar else None,
                ignored=not scalar,
                hint=e.hint,
                suggestion=e.suggestion,
            ) from None

    return replace(strict, parse=parse)


def _largest(value: Value) -> tuple[float, ...]:
    """Parse the largest readings of a sensor along its axes, which may be infinite."""
    items: list[Word] | list[Value] = value.places() if isinstance(value, Numbers) else []
    if isinstance(value, Row):
        items = value.values
    if not any(isinstance(v, Word) and _INFINITE.fullmatch(v.text.strip()) for v in items):
        return V3.parse(value)  # type: ignore[no-any-return]
    odd: list[Wrong] = []
    found = [half_read(_limit, v, odd) for v in items]
    if len(found) != 3:
        raise Wrong(f"must have 3 numbers, not {len(found)}", code="number-count")
    return noted(tuple(math.inf if v == UNLIMITED else v for v in found), odd)  # type: ignore[no-any-return]


FLAG = replace(STRICT_FLAG, parse=_flag)
_NUMBER = {"type": "number"}
_LIMIT = {"anyOf": [_NUMBER, {"enum": [UNLIMITED]}]}
_LETTER = [{"enum": list(_LETTERS)}, {"enum": [name.lower() for name in _LETTERS]}]


def _pair(item: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "array", "items": item, "minItems": 2, "maxItems": 2}


def _nested_schema(size: int) -> Mapping[str, Any]:
    one = vector(size).schema
    # deeper nesting is checked by the reader only
    inner = {"anyOf": [one, {"type": "array", "items": {"type": "array"}, "minItems": 1}]}
    return {"anyOf": [one, {"type": "array", "items": inner, "minItems": 1}]}


#: Numbers of shapes: a word is read as 0, as in Choreonoid; NaN and infinity are errors.
MEASURE = optional(NUMBER, 0.0)
COUNT = optional(INTEGER, 0)
#: Angles and whole numbers: a word is ignored, as in Choreonoid.
OPTIONAL = optional(NUMBER)
WHOLE = optional(INTEGER)
#: Numbers of devices and materials: NaN and infinity are ignored, too.
SETTING = setting(MEASURE)
OPTIONAL_SETTING = setting(OPTIONAL)
NAME = optional(TEXT)
LIST = optional(NUMBERS)
V2, V3 = optional_vector(2), optional_vector(3)
V3_SETTING = setting(V3)
LARGEST = setting(replace(V3, parse=_largest))
TENSOR = optional_vector(9, 6)
TURN = ValueType("number", _turn, to_word, 1, {"type": "number"}, (0.5, -2.0))
TRANSLATION = ValueType(
    "3 numbers, or a list of such",
    _nested(3),
    _show_nested,
    3,
    _nested_schema(3),
    ((1.0, 2.5, -3.0), ((1.0, 0.0, 0.0), (0.0, 2.0, 0.0))),
)
ROTATION = ValueType(
    "axis and angle (4 numbers), or a list of such",
    _nested(4),
    _show_nested,
    4,
    _nested_schema(4),
    ((0.0, 1.0, 0.0, 30.0), ((1.0, 0.0, 0.0, 90.0), (0.0, 0.0, 1.0, -45.0))),
)
AXIS = ValueType(
    "X, Y, Z, -X, -Y, -Z or 3 numbers",
    _axis,
    lambda v: Word(v) if isinstance(v, str) else to_numbers(v),
    3,
    {"anyOf": [vector(3).schema, *_LETTER]},
    ("-Y", (0.0, 0.6, 0.8)),
)
LIMIT = ValueType("number or unlimited", _limit, to_word, 1, _LIMIT, (UNLIMITED, 2.5))
RANGE = ValueType(
    "number, unlimited, or two of these",
    _range,
    _show_range,
    2,
    {"anyOf": [*_LIMIT["anyOf"], _pair(_LIMIT)]},
    (UNLIMITED, 30.0, (-1.5, UNLIMITED), (-2.0, 3.0)),
)
_TEXT = {"type": "string"}
TEXTS = ValueType(
    "word or list of words",
    _texts,
    _show_texts,
    None,
    {"anyOf": [_TEXT, {"type": "array", "items": _TEXT}]},
    (("a",), ("a", "b")),
)
REPEAT = ValueType(
    "true, false, or two of these",
    _repeat,
    _show_range,
    None,
    {"anyOf": [STRICT_FLAG.schema, _pair(STRICT_FLAG.schema)]},
    (True, (False, True)),
)
METADATA = ValueType(
    "mapping or words",
    _metadata,
    _show_metadata,
    None,
    {"anyOf": [{"type": "object", "additionalProperties": _TEXT}, _TEXT]},
    ("millimeter", (("length_unit", "inch"),)),
)
