"""Value types of .rob files: the words after a keyword."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from unibody.document.declare import ValueType, Wrong, describe, integer, number
from unibody.text.edit import Cure, replaced, unquoted
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.number import format_float
from unibody.text.source import Span

_HEX = re.compile(r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?")
_IN_ONE_WORD = re.compile(r"[^\s{}#\"]+")
# A configuration has a place for every index up to the highest: more are a slip of the pen.
MOST_PARAMETERS = 10_000


def _only(value: Value, what: str) -> Word:
    if isinstance(value, Word):
        return value
    raise Wrong(f"needs {what} after it", at=None)


def one(value: Value) -> float:
    """A finite number: all that C's atof takes (formats/mpk.md, lexical rules), garbage is wrong."""
    word = _only(value, "a number")
    if _HEX.fullmatch(word.text):
        try:
            return float.fromhex(word.text)
        except OverflowError:
            raise Wrong(
                f"must be a finite number, but '{word.text[:40]}' overflows",
                at=value,
                code="number-not-finite",
            ) from None
    return number(word)


def _list(value: Value) -> list[Word]:
    if isinstance(value, Numbers):
        return [Word(w) for w in value.words()]
    if isinstance(value, Row):
        return [v for v in value.values if isinstance(v, Word)]
    if isinstance(value, Node):
        raise Wrong(f"must be numbers, not {describe(value)}")
    return [value]


def numbers(count: int) -> ValueType:
    """Exactly ``count`` numbers, apart by white space."""

    def parse(value: Value) -> tuple[float, ...]:
        words = _list(value)
        out: list[float] = []
        odd: Wrong | None = None
        for word in words:
            try:
                out.append(one(word))
            except Wrong as wrong:
                if wrong.value is None:
                    raise
                odd = odd or wrong
                out.append(wrong.value)
        if len(out) != count:
            raise Wrong(f"must have {count} numbers, not {len(out)}", code="number-count")
        if odd is not None:
            raise odd.read_as(tuple(out))
        return tuple(out)

    def show(values: Sequence[float]) -> Value:
        return Row([Word(format_float(v)) for v in values])

    samples = (tuple(0.5 * i - count for i in range(1, count + 1)),)
    schema = {"type": "array", "items": {"type": "number"}, "minItems": count, "maxItems": count}
    return ValueType(f"{count} numbers", parse, show, count, schema, samples)


def _to_number(value: float) -> Value:
    return Word(format_float(value))


NUMBER = ValueType("number", one, _to_number, 1, {"type": "number"}, (0.5, -2.0, 1e-7))


def _index(value: Value) -> int:
    """A place in the configuration, as C's atoi reads it."""
    word = _only(value, "the index of a parameter")
    try:
        found, odd = integer(word), None
    except Wrong as wrong:
        if wrong.value is None:
            raise
        found, odd = wrong.value, wrong
    if found < 0:
        raise Wrong(f"index {found} must not be negative", at=value)
    if found >= MOST_PARAMETERS:
        raise Wrong(
            f"index {found} is too large",
            at=value,
            hint=f"use an index from 0 to {MOST_PARAMETERS - 1}",
        )
    if odd is not None:
        raise odd
    return found


def _to_index(value: int) -> Value:
    return Word(str(value))


INDEX = ValueType("param index", _index, _to_index, 1, {"type": "integer", "minimum": 0}, (0, 7, 2))


def _quotes(at: Span) -> Cure | None:
    """Double quotes around names of files, none around those of joints."""
    quote, inner = unquoted(at.text)
    if not _IN_ONE_WORD.fullmatch(inner):
        return None
    if quote:
        return Cure("quotes removed", (replaced(at, inner),))
    return Cure("put in quotes", (replaced(at, f'"{inner}"'),))


def _name(value: Value) -> str:
    """The name of a joint, a bare word."""
    word = _only(value, "a name")
    if word.quote:
        raise Wrong(
            f"{describe(word)} is quoted; MPK reads the quotes as part of the name",
            at=value,
            code="rob-quotes",
            value=word.text,
            hint="remove the quotes",
            cure=_quotes,
        )
    return word.text


def _to_name(value: str) -> Value:
    return Word(value)


NAME = ValueType("name", _name, _to_name, 1, {"type": "string"}, ("a", "b2", "日本"))


def _file(value: Value) -> str:
    """A file name in double quotes; MPK allows no spaces in it, here they are fine."""
    word = _only(value, "a file name in double quotes")
    if not word.quote:
        raise Wrong(
            f"{describe(word)} must be in double quotes; MPK rejects the file",
            at=value,
            code="rob-quotes",
            value=word.text,
            hint=f'write "{word.text[:60]}"',
            cure=_quotes,
        )
    return word.text


def _to_file(value: str) -> Value:
    return Word(value, quote='"')


FILE = ValueType("quoted file name", _file, _to_file, 1, {"type": "string"}, ("a.iv", "b/c d.iv"))


def _truth(value: Value) -> bool:
    """FALSE is false; anything else is true for MPK, and so is nothing (the reference's default)."""
    if isinstance(value, Row) and not value.values:
        return True
    word = _only(value, "TRUE or FALSE")
    if word.text not in ("TRUE", "FALSE"):
        raise Wrong(
            f"must be TRUE or FALSE; MPK reads {describe(word)} as TRUE",
            at=value,
            code="odd-value",
            value=True,
            hint="use FALSE in capital letters" if word.text.upper() == "FALSE" else "",
        )
    return word.text == "TRUE"


def _to_truth(value: bool) -> Value:
    return Word("TRUE" if value else "FALSE")


TRUTH = ValueType("TRUE or FALSE", _truth, _to_truth, 1, {"type": "boolean"}, (True, False))


def _said(value: Value) -> bool:
    """A keyword without words: it is there, so it holds."""
    return not (isinstance(value, Word) and value.text == "FALSE")


def _to_said(value: bool) -> Value:
    # False has no spelling in a file: there the keyword is left out. This word is read back as False.
    return Row([]) if value else Word("FALSE")


SAID = ValueType("nothing", _said, _to_said, 0, {"const": True}, (True,))


def _between(low: float, high: float, what: str) -> Any:
    def parse(value: Value) -> float:
        found = one(value)
        if not low <= found <= high:
            raise Wrong(f"must {what}, not {format_float(found)}", at=value)
        return found

    return parse


UNIT = ValueType(
    "number in [0, 1]",
    _between(0.0, 1.0, "lie in [0, 1]"),
    _to_number,
    1,
    {"type": "number", "minimum": 0, "maximum": 1},
    (0.25, 1.0),
)
WEIGHT = ValueType(
    "number from 0 on",
    _between(0.0, math.inf, "not be negative"),
    _to_number,
    1,
    {"type": "number", "minimum": 0},
    (2.0, 0.5),
)
