"""Value types of USD, named as in its text: numbers that may be infinite, vectors, lists, paths."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.document import values as v
from unibody.document.values import ValueType, Wrong, describe, word
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.number import format_float

_FLAGS = {"true": True, "1": True, "false": False, "0": False}


class Packed(Numbers):
    """A list of numbers held as an array; its text is made when it is asked for."""

    __slots__ = ("values",)
    values: NDArray[Any]

    def __init__(self, values: NDArray[Any]) -> None:
        self.values = values
        self.start = self.end = -1
        self.name = ""
        self.form = ","
        self._words: list[str] | None = None

    @property
    def body(self) -> str:  # type: ignore[override]
        """The numbers as text, between commas."""
        return ", ".join(self.words())

    def words(self) -> list[str]:
        """The numbers as text."""
        if self._words is None:
            self._words = [_shown(value) for value in self.values.reshape(-1).tolist()]
        return self._words

    def array(self) -> NDArray[np.float64]:
        """The numbers (n,) as float64."""
        return self.values.reshape(-1).astype(np.float64)

    def integers(self) -> NDArray[np.int64]:
        """The numbers (n,) as int64."""
        return self.values.reshape(-1).astype(np.int64)

    def __len__(self) -> int:
        return int(self.values.size)


def _shown(value: float | int) -> str:
    if isinstance(value, float):
        return format_float(value) if math.isfinite(value) else str(value)
    return str(value)


def _number(value: Value) -> float:
    text = word(value)
    try:
        found = float(text)
    except ValueError:
        raise Wrong(f"must be a number, not {describe(value)}", at=value) from None
    if math.isnan(found):
        raise Wrong(f"must be a number, not '{text}'", at=value, code="number-not-finite")
    return found


def _print_number(value: float) -> Word:
    return Word(_shown(float(value)))


def _flag(value: Value) -> bool:
    found = _FLAGS.get(word(value).strip().lower())
    if found is None:
        raise Wrong(f"must be true or false, not {describe(value)}", at=value)
    return found


def _numbers(value: Value) -> Numbers:
    if isinstance(value, Numbers):
        return value
    if isinstance(value, Row) and not value.values:
        return Numbers("")
    raise Wrong(f"must be a list of numbers, not {describe(value)}", at=value)


def _texts(value: Value) -> tuple[str, ...]:
    if isinstance(value, Row):
        return tuple(word(each) for each in value.values)
    return (word(value),)


def _print_texts(values: Sequence[str]) -> Row:
    return Row([Word(text) for text in values], flow=True)


def _scalar(name: str) -> ValueType:
    return ValueType(name, _number, _print_number, 1, {"type": "number"}, (0.5, -2.0, 0.125))


def _whole(name: str) -> ValueType:
    return ValueType(name, v.integer, v.to_word, 1, {"type": "integer"}, (0, 7, -1))


def _text(name: str) -> ValueType:
    return ValueType(name, word, v.to_word, 1, {"type": "string"}, ("a", "b", "c"))


def _vector(name: str, count: int) -> ValueType:
    def parse(value: Value) -> tuple[float, ...]:
        if not isinstance(value, Numbers):
            raise Wrong(f"must be {count} numbers, not {describe(value)}", at=value)
        found = tuple(_number(Word(text)) for text in value.words())
        if len(found) != count:
            raise Wrong(f"must be {count} numbers, not {len(found)}", at=value, code="number-count")
        return found

    def show(values: Sequence[float]) -> Numbers:
        return Numbers(", ".join(_shown(float(value)) for value in values))

    samples = (tuple(0.5 * k - 1.0 for k in range(count)), tuple(float(k + 1) for k in range(count)))
    return ValueType(name, parse, show, count, {"type": "array"}, samples)


def _list(name: str) -> ValueType:
    return ValueType(name, _numbers, lambda value: value, None, {"type": "array"}, (Numbers("1, 2.5, -3"),))


def _list_of_texts(name: str) -> ValueType:
    return ValueType(name, _texts, _print_texts, None, {"type": "array"}, (("a", "b"),))


def token(*words: str, uniform: bool = False) -> ValueType:
    """A token with its allowed words; any other one is read as it is."""
    name = "uniform token" if uniform else "token"
    return ValueType(name, word, v.to_word, 1, {"type": "string"}, words or ("a", "b"))


BOOL = ValueType("bool", _flag, v.to_word, 1, {"type": "boolean"}, (True, False))
INT = _whole("int")
FLOAT = _scalar("float")
DOUBLE = _scalar("double")
TOKEN = token()
STRING = _text("string")
ASSET = _text("asset")
#: Paths of prims or properties.
REL = _list_of_texts("rel")
#: The path of a property that gives the value of another one.
CONNECTION = _list_of_texts("connection")
TOKENS = _list_of_texts("token[]")
UNIFORM_TOKENS = _list_of_texts("uniform token[]")
STRINGS = _list_of_texts("string[]")
FLOAT2 = _vector("float2", 2)
FLOAT3 = _vector("float3", 3)
FLOAT4 = _vector("float4", 4)
DOUBLE3 = _vector("double3", 3)
POINT3F = _vector("point3f", 3)
VECTOR3F = _vector("vector3f", 3)
NORMAL3F = _vector("normal3f", 3)
COLOR3F = _vector("color3f", 3)
COLOR4F = _vector("color4f", 4)
QUATF = _vector("quatf", 4)
QUATD = _vector("quatd", 4)
MATRIX4D = _vector("matrix4d", 16)
INTS = _list("int[]")
FLOATS = _list("float[]")
DOUBLES = _list("double[]")
FLOAT2S = _list("float2[]")
FLOAT3S = _list("float3[]")
POINT3FS = _list("point3f[]")
NORMAL3FS = _list("normal3f[]")
VECTOR3FS = _list("vector3f[]")
COLOR3FS = _list("color3f[]")
TEXCOORD2FS = _list("texCoord2f[]")
QUATHS = _list("quath[]")


def rows(value: Numbers | None, width: int) -> NDArray[np.float64]:
    """A long list of vectors as rows (n, width); numbers beyond the last whole row are left out."""
    if value is None:
        return np.zeros((0, width))
    flat = value.array()
    return flat[: flat.size // width * width].reshape(-1, width)


def whole(value: Numbers | None) -> NDArray[np.int64]:
    """A long list of whole numbers (n,)."""
    return np.zeros(0, np.int64) if value is None else value.integers()


def is_typed(item: tuple[str, Value, int]) -> bool:
    """Whether an undeclared item is a property: its key is its type and its name."""
    return " " in item[0] and not isinstance(item[1], Node)
