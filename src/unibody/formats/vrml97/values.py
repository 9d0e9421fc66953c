"""Field types of VRML97 (ISO/IEC 14772-1, 5): parsers and printers of values.

Single values (SF…) are converted at once. Lists of numbers (MF…) stay text as :class:`Numbers`;
``lists.py`` converts them to arrays on first use.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from unibody.document.declare import ValueType, Wrong, describe
from unibody.document.values import half_read, integer, noted, number, to_word
from unibody.text.fixes import divided_by_255
from unibody.text.near import did_you_mean
from unibody.text.node import Numbers, Row, Value, Word
from unibody.text.number import format_float, is_plain

_HEX = re.compile(r"[+-]?0[xX][0-9a-fA-F]+\Z")
_INFINITE = re.compile(r"[+-]?inf(?:inity)?", re.IGNORECASE)
_OCTAL = re.compile(r"[+-]?0[0-7]+\Z")


def _unquoted(value: Value) -> Value:
    if isinstance(value, Word) and value.quote:
        raise Wrong(f'must not be quoted: "{value.text[:40]}"', at=value)
    return value


def sf_float(value: Value) -> float:
    """Parse a finite number; hexadecimal integers are accepted, as in C."""
    if isinstance(value, Word) and not value.quote:
        try:
            # the fast path; is_plain() rejects what only float() accepts
            out = float(value.text)
            text = value.text
            good = -math.inf < out < math.inf and "_" not in text and text.isascii()
            if good and (out or is_plain(text)):
                return out
        except ValueError:
            pass
    value = _unquoted(value)
    if isinstance(value, Word) and _HEX.match(value.text):
        return float(int(value.text, 16))
    if isinstance(value, Numbers):
        raise Wrong(f"must be one number, not {len(value)}", at=value, code="number-count")
    return number(value)


def sf_int32(value: Value) -> int:
    """Parse an integer: decimal, 0x…, or octal with a leading 0, as in the loaders (facts B.1)."""
    value = _unquoted(value)
    if isinstance(value, Numbers):
        raise Wrong(f"must be one number, not {len(value)}", at=value, code="number-count")
    if isinstance(value, Word) and len(value.text) < 20:
        if _HEX.match(value.text):
            return int(value.text, 16)
        if _OCTAL.match(value.text):
            read = int(value.text, 8)
            raise Wrong(
                f"'{value.text}' is read as octal {read}, as in Choreonoid and OpenHRP",
                at=value,
                code="reference-differs",
                value=read,
                hint="write the number without the leading 0",
            )
    return integer(value)


def sf_bool(value: Value) -> bool:
    """Parse TRUE or FALSE; other letter cases are read with a warning."""
    if isinstance(value, Word) and not value.quote:
        known = {"TRUE": True, "FALSE": False}.get(value.text.upper())
        if known is not None:
            if value.text.isupper():
                return known
            raise Wrong(f"'{value.text}' must be written {value.text.upper()}", at=value, value=known)
    raise Wrong(f"must be TRUE or FALSE, not {describe(value)}", at=value)


def sf_string(value: Value) -> str:
    """Parse a quoted string; a bare word is read with a warning."""
    if isinstance(value, Word):
        if value.quote or value.start < 0:
            return value.text
        raise Wrong(f"'{value.text[:40]}' must be quoted", at=value, value=value.text)
    raise Wrong(f"must be a string, not {describe(value)}", at=value)


def mf_string(value: Value) -> tuple[str, ...]:
    """Parse strings in brackets, or a single one without."""
    odd: list[Wrong] = []
    values = value.values if isinstance(value, Row) else [value]
    out = tuple([half_read(sf_string, v, odd) for v in values])
    return noted(out, odd) if odd else out


def _quick(value: Value) -> tuple[float, ...] | None:
    """Finite decimal numbers separated by blanks; None for anything else."""
    return finite_numbers(value.body) if value.__class__ is Numbers else None


def finite_numbers(text: str) -> tuple[float, ...] | None:
    """The numbers of a text, if all are finite decimals separated by blanks or commas; else None.

    None for some valid texts, too, whose sum overflows, or which need a look at each word.

    >>> finite_numbers("1 -2.5, 3e2"), finite_numbers("1 inf"), finite_numbers("")
    ((1.0, -2.5, 300.0), None, ())
    """
    try:
        out = tuple(map(float, (text.replace(",", " ") if "," in text else text).split()))
    except ValueError:
        return None
    # the sum is finite only if all numbers are; float() accepts more than VRML
    good = -math.inf < sum(out) < math.inf and is_plain(text)
    return out if good else None


def _few(value: Value, odd: list[Wrong]) -> tuple[float, ...]:
    """Numbers, converted at once; those read with a warning are added to ``odd``."""
    if isinstance(value, Numbers):
        try:
            out = tuple([float(w) for w in value.words()])
            if all(map(math.isfinite, out)) and is_plain(value.body):
                return out
        except ValueError:
            pass
        return tuple([half_read(sf_float, w, odd) for w in value.places()])
    return tuple(
        [half_read(sf_float, v, odd) for v in (value.values if isinstance(value, Row) else [value])]
    )


def _vector(name: str, n: int, sample: tuple[float, ...]) -> ValueType:
    def parse(value: Value) -> tuple[float, ...]:
        if (quick := _quick(value)) is not None and len(quick) == n:
            return quick
        odd: list[Wrong] = []
        out = _few(value, odd)
        if len(out) != n:
            raise Wrong(f"must have {n} numbers, not {len(out)}", at=value, code="number-count")
        return noted(out, odd) if odd else out

    schema = {"type": "array", "items": {"type": "number"}, "minItems": n, "maxItems": n}
    return ValueType(name, parse, to_numbers, n, schema, (sample,))


def sf_rotation(value: Value) -> tuple[float, ...]:
    """Parse an axis and an angle in radians; a zero axis is reported."""
    if (quick := _quick(value)) is not None and len(quick) == 4 and any(quick[:3]):
        return quick
    odd: list[Wrong] = []
    out = _few(value, odd)
    if len(out) != 4:
        raise Wrong(f"must have 4 numbers, not {len(out)}", at=value, code="number-count")
    if out[0] == out[1] == out[2] == 0.0:
        hint = "write 0 0 1 0 for no rotation"
        if out[3] == 0.0:
            message = "zero rotation axis; using no rotation, but Choreonoid rejects it"
            raise Wrong(message, at=value, code="rotation-axis-zero", value=out, hint=hint)
        raise Wrong("zero rotation axis", at=value, code="rotation-axis-zero", hint=hint)
    return noted(out, odd) if odd else out


def sf_color(value: Value) -> tuple[float, ...]:
    """Parse red, green and blue; values outside of 0 to 1 are kept, with a warning."""
    if (quick := _quick(value)) is not None and len(quick) == 3 and min(quick) >= 0.0 and max(quick) <= 1.0:
        return quick
    odd: list[Wrong] = []
    out = _few(value, odd)
    if len(out) != 3:
        raise Wrong(f"must have 3 numbers, not {len(out)}", at=value, code="number-count")
    if min(out) < 0.0 or max(out) > 1.0:
        message = f"color components must be from 0 to 1, not {' '.join(map(format_float, out))}"
        raise Wrong(message, at=value, code="color-range", value=out, fix=divided_by_255)
    return noted(out, odd) if odd else out


def to_numbers(values: Sequence[float]) -> Numbers:
    """The numbers of a single value, without brackets."""
    return Numbers(" ".join(format_float(v) for v in values), form="")


def to_list(values: Sequence[float]) -> Numbers:
    """The numbers of a list, in brackets."""
    return Numbers(", ".join(format_float(v) for v in values), form="[")


def _lazy(value: Value) -> Value:
    """Parse a list of numbers without converting it."""
    if isinstance(value, Numbers):
        return value
    if isinstance(value, Row) and not value.values:
        return Numbers("", value.start, value.end, form="[")
    if isinstance(value, Word) and not value.quote:
        try:
            sf_float(value)
        except Wrong as wrong:
            if wrong.value is not None:  # read with a warning: still a list
                wrong.value = Numbers(format_float(wrong.value), value.start, value.end, form="")
            raise
        return Numbers(value.text, value.start, value.end, form="")
    odd: list[Wrong] = []
    for v in value.values if isinstance(value, Row) else ():
        half_read(sf_float, v, odd)  # raises for the first invalid one
    raise Wrong(f"must be a list of numbers, not {describe(value)}", at=value)


def floats(value: Value) -> tuple[float, ...]:
    """Parse a short list of numbers, converted at once."""
    if (quick := _quick(value)) is not None:
        return quick
    odd: list[Wrong] = []
    out = _few(value, odd)
    return noted(out, odd) if odd else out


def endless(strict: ValueType) -> ValueType:
    """The type of numbers that may be infinite, as C's strtod reads and printf writes it."""

    def parse(value: Value) -> tuple[float, ...]:
        words = value.places() if isinstance(value, Numbers) else [value]
        if not any(isinstance(w, Word) and _INFINITE.fullmatch(w.text) for w in words):
            return strict.parse(value)  # type: ignore[no-any-return]
        odd: list[Wrong] = []
        out = tuple(half_read(_endless, w, odd) for w in words)
        if strict.arity is not None and len(out) != strict.arity:
            raise Wrong(f"must have {strict.arity} numbers, not {len(out)}", at=value, code="number-count")
        return noted(out, odd)  # type: ignore[no-any-return]

    return replace(strict, parse=parse)


def _endless(value: Value) -> float:
    if not isinstance(value, Word) or value.quote or not _INFINITE.fullmatch(value.text):
        return sf_float(value)
    sign = -1.0 if value.text.startswith("-") else 1.0
    raise Wrong(f"'{value.text}' is read as unlimited", at=value, value=sign * math.inf)


def _same(value: Any) -> Any:
    return value


def _list(name: str, sample: str) -> ValueType:
    schema = {"type": "array", "items": {"type": "number"}}
    return ValueType(name, _lazy, _same, None, schema, (Numbers(sample, form="["),))


def _flag_word(value: bool) -> Word:
    return Word("TRUE" if value else "FALSE")


def _quoted(value: str) -> Word:
    return Word(value, quote='"')


def _quoted_list(values: Sequence[str]) -> Row:
    return Row([_quoted(v) for v in values], flow=True)


def one_of(*words: str, other: Callable[[str], str] | None = None, assumed: str = "") -> ValueType:
    """The type of a string with few choices; ``other`` converts or rejects any other string.

    ``assumed`` is what the loaders read any other string as; without it, such a string is an error.
    """

    def parse(value: Value) -> str:
        odd: list[Wrong] = []
        text = half_read(sf_string, value, odd)
        if text in words:
            return str(noted(text, odd))
        if other is not None:
            return other(text)
        alike = next((w for w in words if w.lower() == text.lower()), "")
        using = f"; using {assumed}" if assumed else ""
        raise Wrong(
            f'must be one of {", ".join(words)}, not "{text[:40]}"{using}',
            at=value,
            code="not-a-choice",
            value=assumed or None,
            hint=did_you_mean(alike),
            suggestion=alike,
        )

    return ValueType("one of " + ", ".join(words), parse, _quoted, 1, {"enum": list(words)}, words)


SF_FLOAT = ValueType("SFFloat", sf_float, to_word, 1, {"type": "number"}, (0.5, -2.0, 1e-7))
SF_TIME = ValueType("SFTime", sf_float, to_word, 1, {"type": "number"}, (0.5, -1.0))
SF_INT32 = ValueType("SFInt32", sf_int32, to_word, 1, {"type": "integer"}, (0, 7, -1))
SF_BOOL = ValueType("SFBool", sf_bool, _flag_word, 1, {"type": "boolean"}, (True, False))
SF_STRING = ValueType("SFString", sf_string, _quoted, 1, {"type": "string"}, ("a", 'b "c', "日本"))
SF_VEC2F = _vector("SFVec2f", 2, (0.5, -1.0))
SF_VEC3F = _vector("SFVec3f", 3, (0.5, -1.0, 2.0))
SF_ROTATION = ValueType(
    "SFRotation",
    sf_rotation,
    to_numbers,
    4,
    {"type": "array", "items": {"type": "number"}, "minItems": 4, "maxItems": 4},
    ((0.0, 1.0, 0.0, 0.5),),
)
SF_COLOR = ValueType(
    "SFColor",
    sf_color,
    to_numbers,
    3,
    {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3},
    ((0.25, 0.5, 1.0),),
)
MF_STRING = ValueType(
    "MFString", mf_string, _quoted_list, None, {"type": "array", "items": {"type": "string"}}, (("a", "b"),)
)
#: MFFloat that is converted at once, for few numbers (limits, moments of inertia).
FEW_FLOATS = ValueType(
    "MFFloat",
    floats,
    to_list,
    None,
    {"type": "array", "items": {"type": "number"}},
    ((), (1.5,), (-1.0, 2.0)),
)
MF_FLOAT = _list("MFFloat", "1, 2.5, -3")
MF_INT32 = _list("MFInt32", "0, 1, 2, -1")
MF_VEC2F = _list("MFVec2f", "0, 1, 2.5, 3")
MF_VEC3F = _list("MFVec3f", "0, 1, 2.5, 3, 4, 5")
MF_COLOR = _list("MFColor", "0, 1, 0.5")
MF_ROTATION = _list("MFRotation", "0, 1, 0, 0.5")
SF_IMAGE = _list("SFImage", "1, 1, 1, 255")
