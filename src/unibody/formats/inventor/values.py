"""Field types of Open Inventor that differ from those of VRML97.

The first word of a type's name is its name in files, which the binary reader uses.
"""

from __future__ import annotations

from typing import Any

from unibody.document.declare import ValueType, Wrong, describe
from unibody.document.values import half_read, noted, to_word
from unibody.formats.vrml97 import values as v
from unibody.text.near import did_you_mean, near
from unibody.text.node import Node, Numbers, Row, Value, Word


def sf_bool(value: Value) -> bool:
    """Parse TRUE, FALSE, 1 or 0."""
    if isinstance(value, Word) and not value.quote and value.text in ("0", "1"):
        return value.text == "1"
    return v.sf_bool(value)


def sf_name(value: Value) -> str:
    """Parse a string, with or without quotes."""
    if isinstance(value, Word):
        return value.text
    raise Wrong(f"must be a string, not {describe(value)}", at=value)


def sf_rotation(value: Value) -> tuple[float, ...]:
    """Parse an axis and an angle in radians; a zero axis is no rotation, as in Inventor."""
    try:
        return v.sf_rotation(value)
    except Wrong as wrong:
        if wrong.code != "rotation-axis-zero":
            raise
        if wrong.value is not None:
            return (0.0, 0.0, 1.0, 0.0)
        raise Wrong(
            "zero rotation axis; using no rotation",
            at=value,
            code="rotation-axis-zero",
            value=(0.0, 0.0, 1.0, 0.0),
            hint="write 0 0 1 0 for no rotation",
        ) from None


def enum(*words: str) -> ValueType:
    """The type of an enumeration; another letter case is read with a warning."""

    def parse(value: Value) -> str:
        text = sf_name(value)
        if text in words:
            return text
        same = next((w for w in words if w.lower() == text.lower()), "")
        if same:
            raise Wrong(f"'{text}' must be written {same}", at=value, value=same)
        alike = near(text, words)
        raise Wrong(
            f"must be one of {', '.join(words)}, not {describe(value)}",
            at=value,
            code="not-a-choice",
            hint=did_you_mean(alike),
            suggestion=alike,
        )

    name = f"SFEnum {', '.join(words)}"
    return ValueType(name, parse, to_word, 1, {"enum": list(words)}, words)


def bits(*words: str) -> ValueType:
    """The type of a bit mask: one word, or several as ``(A | B)``."""

    def parse(value: Value) -> tuple[str, ...]:
        if isinstance(value, Row):
            return tuple(one(w) for w in value.values)
        return (one(value),)

    def one(value: Value) -> str:
        text = sf_name(value)
        if text in words:
            return text
        alike = near(text, words)
        raise Wrong(
            f"must be some of {', '.join(words)}, not {describe(value)}",
            at=value,
            code="not-a-choice",
            hint=did_you_mean(alike),
            suggestion=alike,
        )

    def show(values: tuple[str, ...]) -> Value:
        return Word(values[0]) if len(values) == 1 else Row([Word(w) for w in values], flow=True)

    schema = {"type": "array", "items": {"enum": list(words)}}
    samples = ((words[0],), tuple(words[:2]))
    return ValueType(f"SFBitMask {', '.join(words)}", parse, show, None, schema, samples)


def _vector(name: str, n: int) -> ValueType:
    def parse(value: Value) -> tuple[float, ...]:
        odd: list[Wrong] = []
        out = half_read(v.floats, value, odd)
        if len(out) != n:
            raise Wrong(f"must have {n} numbers, not {len(out)}", at=value, code="number-count")
        return noted(out, odd) if odd else out  # type: ignore[no-any-return]

    sample = tuple(0.5 * i - 1.0 for i in range(n))
    schema = {"type": "array", "items": {"type": "number"}, "minItems": n, "maxItems": n}
    return ValueType(name, parse, v.to_numbers, n, schema, (sample,))


def _words(value: Value) -> tuple[str, ...]:
    values = value.values if isinstance(value, Row) else [value]
    return tuple(sf_name(w) for w in values)


def _no_path(value: Value) -> None:
    if not (isinstance(value, Word) and value.text == "NULL") and not isinstance(value, Node):
        raise Wrong(f"must be a path, not {describe(value)}", at=value)


def _renamed(type: ValueType, name: str) -> ValueType:
    return ValueType(name, type.parse, type.print, type.arity, type.schema, type.samples)


SF_FLOAT, SF_TIME, SF_INT32 = v.SF_FLOAT, v.SF_TIME, v.SF_INT32
SF_VEC2F, SF_VEC3F, SF_COLOR = v.SF_VEC2F, v.SF_VEC3F, v.SF_COLOR
MF_FLOAT, MF_INT32, MF_STRING = v.MF_FLOAT, v.MF_INT32, v.MF_STRING
MF_VEC2F, MF_VEC3F, MF_COLOR = v.MF_VEC2F, v.MF_VEC3F, v.MF_COLOR
SF_STRING, SF_IMAGE = v.SF_STRING, v.SF_IMAGE
SF_BOOL = ValueType("SFBool", sf_bool, v.SF_BOOL.print, 1, {"type": "boolean"}, (True, False))
SF_NAME = ValueType("SFName", sf_name, v.SF_STRING.print, 1, {"type": "string"}, ("a", "b c"))
SF_ROTATION = ValueType(
    "SFRotation", sf_rotation, v.to_numbers, 4, v.SF_ROTATION.schema, v.SF_ROTATION.samples
)
SF_SHORT, SF_USHORT = _renamed(v.SF_INT32, "SFShort"), _renamed(v.SF_INT32, "SFUShort")
SF_VEC4F, SF_PLANE, SF_MATRIX = _vector("SFVec4f", 4), _vector("SFPlane", 4), _vector("SFMatrix", 16)
SF_VEC2S = _vector("SFVec2s", 2)
SF_IMAGE3 = _renamed(v.SF_IMAGE, "SFImage3")
MF_UINT32 = _renamed(v.MF_INT32, "MFUInt32")
MF_VEC4F = _renamed(v.MF_ROTATION, "MFVec4f")
MF_MATRIX = ValueType(
    "MFMatrix",
    v.MF_FLOAT.parse,
    v.MF_FLOAT.print,
    None,
    v.MF_FLOAT.schema,
    (Numbers("1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1"),),
)
MF_ROTATION = v.MF_ROTATION
MF_BOOL = ValueType(
    "MFBool",
    lambda value: tuple(sf_bool(w) for w in (value.values if isinstance(value, Row) else [value])),
    lambda flags: Row([v.SF_BOOL.print(f) for f in flags], flow=True),
    None,
    {"type": "array", "items": {"type": "boolean"}},
    ((), (True, False)),
)
SF_TRIGGER = ValueType("SFTrigger", sf_name, to_word, 1, {"type": "string"}, ("",))
MF_ENUM = ValueType(
    "MFEnum",
    _words,
    lambda words: Row([Word(w) for w in words], flow=True),
    None,
    {"type": "array", "items": {"type": "string"}},
    ((), ("A", "B")),
)
SF_PATH = ValueType("SFPath", _no_path, lambda path: Word("NULL"), 1, {"type": "null"}, (None,))


class _Fixed(Numbers):
    """Immutable numbers, hashable as the default of a field."""

    __slots__ = ()

    def __hash__(self) -> int:  # type: ignore[override]
        return hash(self.body)


def numbers(text: str) -> Any:
    """A list of numbers for the default of a field."""
    return _Fixed(text, form="[")
