"""Value types: parse and print plain values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from unibody.text.dataclass import dataclass
from unibody.text.edit import ProposedFix
from unibody.text.fixes import bare_number, respelled, without_commas
from unibody.text.near import did_you_mean, near
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.number import (
    format_float,
    is_plain,
    number_prefix,
    parse_float,
    parse_int,
    vanishes,
    with_point,
)
from unibody.text.source import Span

# NaN and infinities as printed by C before C99; not a number with a suffix.
_PRINTED = re.compile(r"\s*[+-]?1\.?#(?:IND|INF|QNAN|SNAN)")
_HEXADECIMAL = re.compile(
    r"\s*[+-]?0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]{1,9})?", re.IGNORECASE
)
# No shorter text underflows.
_VANISHING = len("1e-324")
_INTEGER_PREFIX = re.compile(r"\s*[+-]?[0-9]+")


class Wrong(Exception):
    """An invalid value.

    With ``value``, it is read as that with a warning; with ``ignored``, it is left out with a warning. A
    ``fatal`` one is an error even if its field has something to use instead (``Spec.otherwise``).
    """

    def __init__(
        self,
        message: str,
        *,
        at: Value | None = None,
        code: str = "",
        value: Any = None,
        hint: str = "",
        ignored: bool = False,
        suggestion: str = "",
        fix: Callable[[Span], ProposedFix | None] | None = None,
    ) -> None:
        super().__init__(message)
        self.message, self.at, self.code, self.value, self.hint = message, at, code, value, hint
        self.ignored, self.suggestion, self._fix = ignored, suggestion, fix
        self.fatal = False

    def fix(self, at: Span | None, unit: str = "") -> ProposedFix | None:
        """The fix at the place of the finding; see ``bare_number`` for ``unit``."""
        if at is None:
            return None
        if self._fix is bare_number:
            return bare_number(at, unit)
        if self._fix is not None:
            return self._fix(at)
        return respelled(at, self.at.text, self.suggestion) if isinstance(self.at, Word) else None

    def read_as(self, value: Any) -> Wrong:
        """The same finding for an enclosing value, which is read as ``value``."""
        return Wrong(
            self.message,
            at=self.at,
            code=self.code,
            value=value,
            hint=self.hint,
            suggestion=self.suggestion,
            fix=self._fix,
        )


@dataclass(frozen=True, slots=True)
class ValueType:
    """A value type: functions to parse and print it, its arity and its JSON Schema.

    ``arity`` is the number of words, None for any; ``samples`` are values for tests. ``schema`` describes
    the value, independent of the syntax, which the schema generators add; its ``words`` are the possible
    numbers of words in one text.
    """

    name: str
    parse: Callable[[Value], Any]
    print: Callable[[Any], Value]
    arity: int | None
    schema: Mapping[str, Any]
    samples: tuple[Any, ...] = ()


def describe(value: Value) -> str:
    """A short description of a value for a finding."""
    if isinstance(value, Word):
        text = " ".join(value.text.split())
        text = text if len(text) <= 40 else text[:37] + "..."
        return f"'{text}'" if text else "nothing"
    return "a mapping" if isinstance(value, Node) else "a list"


def word(value: Value) -> str:
    """The text of a scalar; Wrong for a list or a mapping."""
    if value.__class__ is Word:
        return value.text
    raise Wrong(f"must be a single value, not {describe(value)}")


def number(value: Value) -> float:
    """A finite number; "1.5kg" is read as 1.5 with a warning, as C's strtod does."""
    text = word(value)
    try:
        # fast path; forms that float() accepts beyond strtod are rejected below
        result = float(text)
    except ValueError:
        result = math.nan
    if (
        math.isfinite(result)
        and "_" not in text
        and text.isascii()
        and (result or len(text) < _VANISHING or not vanishes(text))
    ):
        return result
    return _odd_number(text, value)


def _hexadecimal(text: str) -> float | None:
    """The hexadecimal number at the start of a text, as by C's strtod; None if there is none."""
    found = _HEXADECIMAL.match(text)
    try:
        result = float.fromhex(found[0]) if found else math.inf
    except OverflowError:
        return None
    return result if math.isfinite(result) else None


def _odd_number(text: str, value: Value) -> float:
    parsed = parse_float(text)
    if parsed is not None and vanishes(text):
        raise Wrong(
            f"{describe(value)} underflows to 0",
            at=value,
            code="number-underflow",
            value=parsed,
            hint="write 0",
        )
    if parsed is not None and not math.isfinite(parsed):
        raise Wrong(f"must be a finite number, but '{text}' overflows", at=value, code="number-not-finite")
    if text.strip().lstrip("+-").lower() in ("nan", "inf", "infinity") or _PRINTED.match(text):
        raise Wrong(
            f"must be a finite number, not '{text}' (NaN or inf)", at=value, code="number-not-finite"
        )
    if (hexadecimal := _hexadecimal(text)) is not None:
        raise Wrong(
            f"hexadecimal '{text}' is read as {format_float(hexadecimal)}, as by C",
            at=value,
            code="number-suffix",
            value=hexadecimal,
            hint=f"write {format_float(hexadecimal)}",
        )
    prefix = number_prefix(text)
    if prefix is not None and math.isfinite(prefix) and not text.strip().lower().startswith("0x"):
        raise Wrong(
            f"'{text}' is read as {format_float(prefix)}",
            at=value,
            code="number-suffix",
            value=prefix,
            hint=_bare(text),
            fix=bare_number,
        )
    raise Wrong(f"must be a number, not {describe(value)}", at=value)


def _bare(text: str) -> str:
    """The hint: write a decimal point if the text looks like a decimal comma."""
    pointed = with_point(text)
    return (
        f"write {pointed} if the comma is a decimal comma"
        if pointed
        else "write the number without its suffix"
    )


def integer(value: Value) -> int:
    """An integer; "3.7" is read as 3 with a warning, as by C's strtol."""
    text = word(value)
    prefix = _INTEGER_PREFIX.match(text)
    if prefix is None:
        raise Wrong(f"must be a whole number, not {describe(value)}", at=value)
    result = parse_int(prefix[0])
    if result is None or abs(result) > 2**53:
        raise Wrong(f"{describe(value)} is too large", at=value)
    if text[prefix.end() :].strip():
        message = f"{describe(value)} is read as {result}"
        raise Wrong(message, at=value, code="number-suffix", value=result, fix=bare_number)
    return result


def flat(value: Value, odd: list[Wrong] | None = None) -> list[float]:
    """A list of numbers; Wrong at the first invalid one.

    Numbers with a suffix ("1.5kg") are added to ``odd``; without it they are invalid.
    """
    if value.__class__ is Numbers:
        try:
            out: list[float] = [float(w) for w in value.words()]
            if all(map(math.isfinite, out)) and is_plain(value.body):
                return out
        except ValueError:
            pass
        return [half_read(number, w, odd) for w in value.places()]
    if value.__class__ is Row:
        return [half_read(number, v, odd) for v in value.values]
    raise Wrong(f"must be a list of numbers, not {describe(value)}")


def half_read(parse: Callable[[Value], Any], value: Value, odd: list[Wrong] | None) -> Any:
    """``parse(value)``; a value read with a warning is added to ``odd``, or invalid without it."""
    try:
        return parse(value)
    except Wrong as wrong:
        if wrong.value is None:
            raise
        if odd is None:
            raise Wrong(f"must be a number, not {describe(value)}", at=value) from None
        odd.append(wrong)
        return wrong.value


def culprit(value: Value) -> Word | None:
    """The first of many numbers that is invalid, NaN or infinite, with its place; None if there is none."""
    for word in value.places() if isinstance(value, Numbers) else ():
        try:
            if not math.isfinite(float(word.text)):
                return word
        except ValueError:
            return word
    return None


def noted(result: Any, odd: list[Wrong]) -> Any:
    """``result``; raises the first warning in ``odd`` with ``result`` as its value."""
    if not odd:
        return result
    raise odd[0].read_as(result)


def to_word(value: Any) -> Word:
    """The word of a scalar: numbers in shortest form, flags as true and false."""
    if isinstance(value, bool):
        return Word("true" if value else "false")
    return Word(format_float(value) if isinstance(value, float) else str(value))


def to_numbers(values: Sequence[float]) -> Numbers:
    """Numbers as a flow list."""
    return Numbers(", ".join(format_float(v) for v in values))


def vector(n: int, *more: int) -> ValueType:
    """A list of exactly ``n`` numbers (or one of ``more``)."""
    sizes = (n, *more)
    expected = " or ".join(map(str, sizes))

    def parse(value: Value) -> tuple[float, ...]:
        odd: list[Wrong] = []
        out = flat(value, odd)
        if len(out) not in sizes:
            raise Wrong(f"must have {expected} numbers, not {len(out)}", code="number-count")
        return noted(tuple(out), odd) if odd else tuple(out)

    samples = tuple(tuple(0.5 * i - s for i in range(1, s + 1)) for s in sizes)
    return ValueType(f"{expected} numbers", parse, to_numbers, n, _arrays(sizes), samples)


def _arrays(sizes: Sequence[int]) -> Mapping[str, Any]:
    arrays = [
        {"type": "array", "items": {"type": "number"}, "minItems": size, "maxItems": size} for size in sizes
    ]
    return arrays[0] if len(arrays) == 1 else {"anyOf": arrays}


def words_vector(n: int, *more: int) -> ValueType:
    """``n`` numbers (or one of ``more``) in one word, separated by white space (XML attributes)."""
    sizes = (n, *more)
    expected = " or ".join(map(str, sizes))

    def parse(value: Value) -> tuple[float, ...]:
        parts = word(value).split()
        try:
            out = tuple([float(p) for p in parts])
            good = all(map(math.isfinite, out)) and is_plain(value.text)  # type: ignore[union-attr]
        except ValueError:
            good = False
        odd: list[Wrong] = []
        if not good:
            for p in parts:
                _whole_number(p, value, odd)
        if len(parts) not in sizes:
            shown = describe(value)
            raise Wrong(f"must be {expected} numbers separated by spaces, not {shown}", code="number-count")
        return noted(out, odd) if odd else out

    def show(values: Sequence[float]) -> Word:
        return Word(" ".join(format_float(v) for v in values))

    samples = tuple(tuple(0.5 * i - s for i in range(1, s + 1)) for s in sizes)
    return ValueType(f"{expected} numbers", parse, show, 1, {"type": "string", "words": sizes}, samples)


def _whole_number(text: str, value: Value, odd: list[Wrong]) -> None:
    try:
        number(Word(text))
    except Wrong as e:
        if e.code == "number-underflow":
            odd.append(Wrong(e.message, at=value, code=e.code, value=e.value, hint=e.hint))
            return
        # components with a suffix are rejected: "0,0,1" must not be read as 0
        message = (
            e.message if e.value is None else f"must be numbers separated by spaces, not {describe(value)}"
        )
        if e.value is None:
            raise Wrong(message, code=e.code, at=value) from None
        raise Wrong(message, at=value, fix=without_commas) from None


def choice(*words: str, **meanings: str) -> ValueType:
    """One of some words; ``meanings`` maps old spellings to them."""
    known = {w: w for w in words} | meanings

    def parse(value: Value) -> str:
        text = word(value)
        if text in known:
            return known[text]
        alike = near(text, known) or next((w for w in known if w.lower() == text.lower()), "")
        hint = did_you_mean(alike)
        raise Wrong(
            f"must be one of {', '.join(words)}, not {describe(value)}",
            at=value,
            code="not-a-choice",
            hint=hint,
            suggestion=alike,
        )

    return ValueType("one of " + ", ".join(words), parse, to_word, 1, {"enum": list(known)}, words)


def as_element(type: ValueType) -> ValueType:
    """The type of a value that XML writes as the text of an element instead of an attribute."""

    def parse(value: Value) -> Any:
        if not isinstance(value, Node):
            raise Wrong(f"must be an element with text, not {describe(value)}", at=value)
        words = [inner for name, inner, _ in value.items if not name and isinstance(inner, Word)]
        return type.parse(words[0] if len(words) == 1 else Word("".join(word.text for word in words)))

    def show(value: Any) -> Value:
        return Node("", [("", type.print(value), -1)])

    return replace(type, parse=parse, print=show, schema={**type.schema, "element": True})


def setting(strict: ValueType) -> ValueType:
    """The type of a field that enters no computation: NaN and infinity are ignored."""

    def parse(value: Value) -> Any:
        try:
            return strict.parse(value)
        except Wrong as e:
            if e.code != "number-not-finite" or e.value is not None:
                raise
            raise Wrong(f"{e.message}; ignored", at=e.at, code=e.code, ignored=True, hint=e.hint) from None

    return replace(strict, parse=parse)


_TRUE = frozenset(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"])
_FALSE = frozenset(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"])


def flag(value: Value) -> bool:
    """A YAML 1.1 boolean (1 and 0 are invalid)."""
    text = word(value)
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise Wrong(f"must be true or false, not {describe(value)}", at=value)


def _any(value: Value) -> Value:
    return value


def _big(value: Value) -> Value:
    """A long list of numbers, converted on first use."""
    if isinstance(value, Numbers | Row):
        return value
    raise Wrong(f"must be a list of numbers, not {describe(value)}")


TEXT = ValueType("text", word, to_word, 1, {"type": "string"}, ("a", "b c", "日本"))
NUMBER = ValueType("number", number, to_word, 1, {"type": "number"}, (0.5, -2.0, 1e-7))
INTEGER = ValueType("whole number", integer, to_word, 1, {"type": "integer"}, (0, 7, -1))
FLAG = ValueType("true or false", flag, to_word, 1, {"type": "boolean"}, (True, False))
NUMBERS = ValueType(
    "list of numbers",
    _big,
    _any,
    None,
    {"type": "array", "items": {"type": "number"}},
    (Numbers("1, 2.5, -3"),),
)
ANY = ValueType("anything", _any, _any, None, {}, (Word("x"), Row([Word("1"), Word("a")])))
