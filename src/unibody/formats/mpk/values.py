"""Value types of .rob files: the words after a keyword."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any

from unibody.document.declare import ValueType, Wrong, describe, integer, number
from unibody.text.edit import ProposedFix, replaced, unquoted
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.number import format_float
from unibody.text.source import Span

_HEX = re.compile(r"[+-]?0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)(?:[pP][+-]?[0-9]+)?")
_IN_ONE_WORD = re.compile(r"[^\s{}#\"]+")
# Limit of the parameter index: a configuration has a value for every index up to the highest.
MOST_PARAMETERS = 10_000


def _single_word(value: Value, what: str) -> Word:
    if isinstance(value, Word):
        return value
    raise Wrong(f"must be followed by {what}", at=None)


def parse_number(value: Value) -> float:
    """Parse a finite number in the syntax of C's atof (formats/mpk.md, lexical rules)."""
    word = _single_word(value, "a number")
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


def _words(value: Value) -> list[Word]:
    if isinstance(value, Numbers):
        return [Word(w) for w in value.words()]
    if isinstance(value, Row):
        return [v for v in value.values if isinstance(v, Word)]
    if isinstance(value, Node):
        raise Wrong(f"must be numbers, not {describe(value)}")
    return [value]


def numbers(count: int) -> ValueType:
    """The type of ``count`` numbers separated by white space."""

    def parse(value: Value) -> tuple[float, ...]:
        words = _words(value)
        out: list[float] = []
        odd: Wrong | None = None
        for word in words:
            try:
                out.append(parse_number(word))
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


NUMBER = ValueType("number", parse_number, _to_number, 1, {"type": "number"}, (0.5, -2.0, 1e-7))


def _index(value: Value) -> int:
    """Parse a parameter index in the syntax of C's atoi."""
    word = _single_word(value, "the index of a parameter")
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


def _toggle_quotes(at: Span) -> ProposedFix | None:
    """Remove the quotes of a joint name, or add quotes to a file name."""
    quote, inner = unquoted(at.text)
    if not _IN_ONE_WORD.fullmatch(inner):
        return None
    if quote:
        return ProposedFix("remove the quotes", (replaced(at, inner),))
    return ProposedFix("put it in quotes", (replaced(at, f'"{inner}"'),))


def _name(value: Value) -> str:
    """Parse a joint name, an unquoted word."""
    word = _single_word(value, "a name")
    if word.quote:
        raise Wrong(
            f"{describe(word)} is quoted; MPK reads the quotes as part of the name",
            at=value,
            code="rob-quotes",
            value=word.text,
            hint="remove the quotes",
            fix=_toggle_quotes,
        )
    return word.text


def _to_name(value: str) -> Value:
    return Word(value)


NAME = ValueType("name", _name, _to_name, 1, {"type": "string"}, ("a", "b2", "日本"))


def _file(value: Value) -> str:
    """Parse a file name in double quotes; unlike in MPK it may contain spaces."""
    word = _single_word(value, "a file name in double quotes")
    if not word.quote:
        raise Wrong(
            f"{describe(word)} must be in double quotes; MPK rejects the file",
            at=value,
            code="rob-quotes",
            value=word.text,
            hint=f'write "{word.text[:60]}"',
            fix=_toggle_quotes,
        )
    return word.text


def _to_file(value: str) -> Value:
    return Word(value, quote='"')


FILE = ValueType("quoted file name", _file, _to_file, 1, {"type": "string"}, ("a.iv", "b/c d.iv"))


def _truth(value: Value) -> bool:
    """Parse TRUE or FALSE; MPK reads any other word, and a missing one, as TRUE."""
    if isinstance(value, Row) and not value.values:
        return True
    word = _single_word(value, "TRUE or FALSE")
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


def _flag(value: Value) -> bool:
    """Parse a keyword without words; its presence means True."""
    return not (isinstance(value, Word) and value.text == "FALSE")


def _to_flag(value: bool) -> Value:
    # the writer omits the keyword for False; this word reads back as False
    return Row([]) if value else Word("FALSE")


FLAG = ValueType("nothing", _flag, _to_flag, 0, {"const": True}, (True,))


def _between(low: float, high: float, what: str) -> Any:
    def parse(value: Value) -> float:
        found = parse_number(value)
        if not low <= found <= high:
            raise Wrong(f"must {what}, not {format_float(found)}", at=value)
        return found

    return parse


UNIT = ValueType(
    "number in [0, 1]",
    _between(0.0, 1.0, "be between 0 and 1"),
    _to_number,
    1,
    {"type": "number", "minimum": 0, "maximum": 1},
    (0.25, 1.0),
)
WEIGHT = ValueType(
    "number ≥ 0",
    _between(0.0, math.inf, "not be negative"),
    _to_number,
    1,
    {"type": "number", "minimum": 0},
    (2.0, 0.5),
)
