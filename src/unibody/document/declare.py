"""The vocabulary in which a format declares its elements: dataclass fields that say
how they are written, what they hold and what holds when they are absent.

From these declarations come reader, writer, messages, reference pages and random test
documents; nothing is described twice.
"""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias

from unibody.text.node import Item, Node, Numbers, Row, Value, Word, equal
from unibody.text.number import format_float, number_prefix, parse_float, parse_int

METADATA = "unibody"
_INTEGER_PREFIX = re.compile(r"\s*[+-]?[0-9]+")


class Wrong(Exception):
    """A value that cannot be read; with ``value`` set, one that is read with a warning;
    with ``ignored``, one that is left out with a warning."""

    def __init__(
        self,
        message: str,
        *,
        at: Value | None = None,
        code: str = "",
        value: Any = None,
        hint: str = "",
        ignored: bool = False,
    ) -> None:
        super().__init__(message)
        self.message, self.at, self.code, self.value, self.hint = message, at, code, value, hint
        self.ignored = ignored


@dataclass(frozen=True, slots=True)
class ValueType:
    """How a value is written: a pair of functions, its arity and its JSON Schema.

    ``arity`` is the number of words, None for any; ``samples`` are values for tests.
    """

    name: str
    parse: Callable[[Value], Any]
    print: Callable[[Any], Value]
    arity: int | None
    schema: Mapping[str, Any]
    samples: tuple[Any, ...] = ()


#: What the absence of a field is: nothing, a warning, an error.
Need = Literal["", "warning", "error"]


DocumentClass: TypeAlias = "type[Document]"
Union: TypeAlias = "Callable[[], tuple[tuple[DocumentClass, ...], DocumentClass | None]]"


@dataclass(frozen=True, slots=True)
class Spec:
    """One declared field.

    ``key`` and ``old`` are its spellings, the first given wins; ``type`` is set for plain
    values, ``members`` (written name → class) for child elements, chosen by the item's
    key, by the child's ``type`` item, or by nothing when there is one class only.
    """

    key: str
    old: tuple[str, ...]
    type: ValueType | None
    members: Mapping[str, DocumentClass]
    by: str
    many: bool
    other: DocumentClass | None
    required: Need
    unit: str
    doc: str
    of: Union | None = None


class Document:
    """Base of all declared elements: what was written, in the format's own terms.

    ``given`` names the fields that stood in the text, ``rest`` keeps undeclared items in
    order, ``node`` is where it was read from (None when made in code). ``KNOWN`` are keys
    that other programs read: they go to ``rest`` without a finding.
    """

    __slots__ = ("given", "node", "rest")
    KNOWN: ClassVar[frozenset[str]] = frozenset()
    given: set[str]
    node: Node | None
    rest: list[Item]

    def __post_init__(self) -> None:
        self.given, self.node, self.rest = set(), None, []

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document) or plan(type(self)).fields is not plan(type(other)).fields:
            return NotImplemented
        # A list of work instead of recursion: documents nest as deep as their text.
        todo: list[tuple[Any, Any]] = [(self, other)]
        while todo:
            a, b = todo.pop()
            if isinstance(a, Document) and isinstance(b, Document):
                names = plan(type(a)).fields
                if plan(type(b)).fields is not names or Node("", a.rest) != Node("", b.rest):
                    return False
                todo.extend((getattr(a, n), getattr(b, n)) for n in names)
            elif isinstance(a, list) and isinstance(b, list):
                if len(a) != len(b):
                    return False
                todo.extend(zip(a, b, strict=True))
            elif not _same(a, b):
                return False
        return True

    __hash__ = None  # type: ignore[assignment]


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, Row | Node) and isinstance(b, Word | Numbers | Row | Node):
        return equal(a, b)
    return bool(a == b) or (isinstance(a, float) and isinstance(b, float) and a != a and b != b)


def key(
    type: ValueType,
    default: Any = dataclasses.MISSING,
    *,
    name: str = "",
    old: Sequence[str] = (),
    required: bool | Need = False,
    unit: str = "",
    doc: str = "",
) -> Any:
    """A plain value: an attribute, a key, a field. Without a default it is None when absent."""
    spec = Spec(name, tuple(old), type, {}, "", False, None, _need(required), unit, doc)
    value = None if default is dataclasses.MISSING else default
    return dataclasses.field(default=value, metadata={METADATA: spec})


def child(
    *members: type[Document],
    name: str = "",
    old: Sequence[str] = (),
    by: str = "",
    other: type[Document] | None = None,
    required: bool | Need = False,
    doc: str = "",
) -> Any:
    """One child element; several classes make a choice ``by`` "type" or "key"."""
    spec = Spec(name, tuple(old), None, _names(members, by), by, False, other, _need(required), "", doc)
    return dataclasses.field(default=None, metadata={METADATA: spec})


def children(
    *members: type[Document],
    name: str = "",
    old: Sequence[str] = (),
    by: str = "",
    of: Union | None = None,
    doc: str = "",
) -> Any:
    """A list of child elements, in the order of the text, also across kinds.

    ``of`` gives the members, and the class for undeclared types, when they are asked for
    first: a union may hold itself.
    """
    spec = Spec(name, tuple(old), None, _names(members, by), by, True, None, "", "", doc, of)
    return dataclasses.field(default_factory=list, metadata={METADATA: spec})


def kind(*names: str) -> Any:
    """The ``type`` item that tells a class from the other members of its union."""
    spec = Spec("type", (), TEXT, {}, "kind", False, None, "", "", "")
    return dataclasses.field(default=names[0], metadata={METADATA: spec, "names": names})


def _need(required: bool | Need) -> Need:
    return required if isinstance(required, str) else "error" if required else ""


def _names(members: tuple[type[Document], ...], by: str) -> dict[str, type[Document]]:
    if by == "type":
        return {n: cls for cls in members for n in kind_names(cls)}
    if by == "key":
        return {cls.KEY: cls for cls in members}  # type: ignore[attr-defined]
    return {"": members[0]} if members else {}


def kind_names(cls: type[Document]) -> tuple[str, ...]:
    """The ``type`` words of a class that was declared with :func:`kind`; else ()."""
    for f in dataclasses.fields(cls):  # type: ignore[arg-type]
        if "names" in f.metadata:
            return tuple(f.metadata["names"])
    return ()


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a written key leads: the field, its spec and, for a union by key, the class."""

    name: str
    spec: Spec
    rank: int
    member: type[Document] | None


@dataclass(frozen=True, slots=True)
class Plan:
    """A class's declarations, ready for the binder."""

    keys: Mapping[str, Entry]
    fields: Mapping[str, Spec]
    defaults: Mapping[str, Any]
    required: frozenset[str]


_PLANS: dict[type[Any], Plan] = {}


def plan(cls: type[Any]) -> Plan:
    """The compiled declarations of a Document class (or of its watched twin)."""
    made = _PLANS.get(cls)
    if made is None:
        base = getattr(cls, "watched", None)
        made = _PLANS[cls] = _compile(cls) if base is None else plan(base)
    return made


def _compile(cls: type[Any]) -> Plan:
    keys: dict[str, Entry] = {}
    fields: dict[str, Spec] = {}
    defaults: dict[str, Any] = {}
    for f in dataclasses.fields(cls):
        spec: Spec | None = f.metadata.get(METADATA)
        if spec is None:
            continue
        if not spec.key:
            spec = dataclasses.replace(spec, key=f.name)
        if spec.of is not None:
            members, other = spec.of()
            spec = dataclasses.replace(spec, members=_names(members, spec.by), other=other)
        fields[f.name] = spec
        if not spec.many:
            defaults[f.name] = f.default
        if spec.by == "key":
            keys.update({k: Entry(f.name, spec, 0, m) for k, m in spec.members.items()})
        else:
            for rank, written in enumerate((spec.key, *spec.old)):
                keys[written] = Entry(f.name, spec, rank, None)
    required = frozenset(n for n, s in fields.items() if s.required)
    return Plan(keys, fields, defaults, required)


# --- value types ----------------------------------------------------------------------


def describe(value: Value) -> str:
    """A value named for a message, cut when long."""
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
        # float() first: it is the fast path; what it takes beyond strtod is refused below
        result = float(text)
    except ValueError:
        result = math.nan
    if math.isfinite(result) and "_" not in text and text.isascii():
        return result
    return _odd_number(text, value)


def _odd_number(text: str, value: Value) -> float:
    parsed = parse_float(text)
    if parsed is not None and not math.isfinite(parsed):
        raise Wrong(f"must be a finite number, but '{text}' overflows", at=value, code="number-not-finite")
    if text.strip().lstrip("+-").lower() in ("nan", "inf", "infinity"):
        raise Wrong(
            f"must be a finite number, not '{text}' (NaN or inf)", at=value, code="number-not-finite"
        )
    prefix = number_prefix(text)
    if prefix is not None and math.isfinite(prefix) and not text.strip().lower().startswith("0x"):
        raise Wrong(
            f"'{text}' is read as {format_float(prefix)}",
            at=value,
            code="number-suffix",
            value=prefix,
            hint="write the bare number",
        )
    raise Wrong(f"must be a number, not {describe(value)}", at=value)


def integer(value: Value) -> int:
    """A whole number; "3.7" is read as 3 with a warning, as C's strtol does."""
    text = word(value)
    prefix = _INTEGER_PREFIX.match(text)
    if prefix is None:
        raise Wrong(f"must be a whole number, not {describe(value)}", at=value)
    result = parse_int(prefix[0])
    if result is None or abs(result) > 2**53:
        raise Wrong(f"{describe(value)} is too large", at=value)
    if text[prefix.end() :].strip():
        raise Wrong(f"{describe(value)} is read as {result}", at=value, code="number-suffix", value=result)
    return result


def flat(value: Value, odd: list[Wrong] | None = None) -> list[float]:
    """A list of numbers; Wrong at the first that is none.

    Numbers that are only half read ("1.5kg") are noted in ``odd``; without it they are wrong.
    """
    if value.__class__ is Numbers:
        try:
            out: list[float] = [float(w) for w in value.words()]
            if all(map(math.isfinite, out)):
                return out
        except ValueError:
            pass
        return [half_read(number, w, odd) for w in spread(value)]
    if value.__class__ is Row:
        return [half_read(number, v, odd) for v in value.values]
    raise Wrong(f"must be a list of numbers, not {describe(value)}")


def half_read(parse: Callable[[Value], Any], value: Value, odd: list[Wrong] | None) -> Any:
    """``parse(value)``; what is read with a warning is noted in ``odd``, or wrong without it."""
    try:
        return parse(value)
    except Wrong as wrong:
        if wrong.value is None:
            raise
        if odd is None:
            raise Wrong(f"must be a number, not {describe(value)}", at=value) from None
        odd.append(wrong)
        return wrong.value


def noted(result: Any, odd: list[Wrong]) -> Any:
    """``result``; as the value of a warning when a part of it was only half read."""
    if not odd:
        return result
    first = odd[0]
    raise Wrong(first.message, at=first.at, code=first.code, value=result, hint=first.hint)


def spread(value: Numbers) -> list[Word]:
    """The numbers of a lifted list as words, each with its place."""
    out: list[Word] = []
    at = value.start + 1
    for piece in value.body.split(","):
        text = piece.strip()
        begin = at + len(piece) - len(piece.lstrip())
        if text:
            out.append(Word(text, begin, begin + len(text)) if value.start >= 0 else Word(text))
        at += len(piece) + 1
    return out


def to_word(value: Any) -> Word:
    """A scalar written: numbers shortest, flags as true and false."""
    if isinstance(value, bool):
        return Word("true" if value else "false")
    return Word(format_float(value) if isinstance(value, float) else str(value))


def to_numbers(values: Sequence[float]) -> Numbers:
    """Numbers written as a flow list."""
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
    schema = {"type": "array", "items": {"type": "number"}, "minItems": min(sizes), "maxItems": max(sizes)}
    return ValueType(f"{expected} numbers", parse, to_numbers, n, schema, samples)


def words_vector(n: int, *more: int) -> ValueType:
    """``n`` numbers in one word, apart by white space (XML attributes)."""
    sizes = (n, *more)
    expected = " or ".join(map(str, sizes))

    def parse(value: Value) -> tuple[float, ...]:
        parts = word(value).split()
        try:
            out = tuple([float(p) for p in parts])
            good = all(map(math.isfinite, out)) and value.text.isascii() and "_" not in value.text  # type: ignore[union-attr]
        except ValueError:
            good = False
        if not good:
            for p in parts:
                _whole_number(p, value)
        if len(parts) not in sizes:
            shown = describe(value)
            raise Wrong(f"must be {expected} numbers apart by spaces, not {shown}", code="number-count")
        return out

    def show(values: Sequence[float]) -> Word:
        return Word(" ".join(format_float(v) for v in values))

    samples = tuple(tuple(0.5 * i - s for i in range(1, s + 1)) for s in sizes)
    return ValueType(f"{expected} numbers", parse, show, 1, {"type": "string"}, samples)


def _whole_number(text: str, value: Value) -> None:
    try:
        number(Word(text))
    except Wrong as e:
        # a vector gives no half-read component: "0,0,1" must not become 0
        message = (
            e.message if e.value is None else f"must be numbers apart by spaces, not {describe(value)}"
        )
        raise Wrong(message, code=e.code if e.value is None else "", at=value) from None


def choice(*words: str, **meanings: str) -> ValueType:
    """One of a few words; ``meanings`` are old spellings of some of them."""
    import difflib

    known = {w: w for w in words} | meanings

    def parse(value: Value) -> str:
        text = word(value)
        if text in known:
            return known[text]
        near = difflib.get_close_matches(text, known, 1) or [w for w in known if w.lower() == text.lower()]
        hint = f"did you mean {near[0]}?" if near else ""
        raise Wrong(
            f"must be one of {', '.join(words)}, not {describe(value)}",
            at=value,
            code="not-a-choice",
            hint=hint,
        )

    return ValueType("one of " + ", ".join(words), parse, to_word, 1, {"enum": list(known)}, words)


_TRUE = frozenset(["y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"])
_FALSE = frozenset(["n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"])


def flag(value: Value) -> bool:
    """A YAML 1.1 truth word (1 and 0 are none)."""
    text = word(value)
    if text in _TRUE:
        return True
    if text in _FALSE:
        return False
    raise Wrong(f"must be true or false, not {describe(value)}", at=value)


def _any(value: Value) -> Value:
    return value


def _big(value: Value) -> Value:
    """A long list of numbers, left unconverted until someone reads it."""
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
