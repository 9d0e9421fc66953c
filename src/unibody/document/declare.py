"""The vocabulary in which a format declares its elements: dataclass fields that say
how they are written, what they hold and what holds when they are absent.

From these declarations come reader, writer, messages, reference pages and random test
documents; nothing is described twice.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeAlias, TypeVar

from unibody.document.values import (
    ANY,
    FLAG,
    INTEGER,
    NUMBER,
    NUMBERS,
    TEXT,
    ValueType,
    Wrong,
    choice,
    describe,
    flag,
    flat,
    half_read,
    integer,
    noted,
    number,
    to_numbers,
    to_word,
    vector,
    word,
    words_vector,
)
from unibody.text.node import Item, Node, Numbers, Row, Value, Word, equal

__all__ = [
    "ANY",
    "FILLED",
    "FLAG",
    "INTEGER",
    "NUMBER",
    "NUMBERS",
    "TEXT",
    "Document",
    "Entry",
    "Plan",
    "Spec",
    "Tagged",
    "Unknown",
    "ValueType",
    "Wrong",
    "child",
    "children",
    "choice",
    "describe",
    "flag",
    "flat",
    "half_read",
    "inside",
    "integer",
    "key",
    "kind",
    "kind_names",
    "node",
    "nodes",
    "noted",
    "number",
    "plan",
    "to_numbers",
    "to_word",
    "vector",
    "word",
    "words_vector",
]

T = TypeVar("T", bound="Tagged")
METADATA = "unibody"
#: The start of an item that stands in no text: a default that another declaration gives. The binder
#: reads it, but does not count the field as given.
FILLED = -2


#: What the absence of a field is: nothing, a warning, an error.
Need = Literal["", "warning", "error"]


DocumentClass: TypeAlias = "type[Document]"
Union: TypeAlias = "Callable[[], tuple[tuple[DocumentClass, ...], DocumentClass | None]]"


@dataclass(frozen=True, slots=True)
class Spec:
    """One declared field.

    ``key`` and ``old`` are its spellings, the first given wins; ``type`` is set for plain
    values, ``members`` (written name → class) for child elements, chosen by the item's
    key, by the child's ``type`` item, or by nothing when there is one class only. ``by`` is
    "tag" where any element of the reader's own table may stand (``Binding.nodes``), and "inside"
    where these stand without a key; ``accepts`` are the classes that make sense there, () all.
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
    accepts: tuple[DocumentClass, ...] = ()


class Document:
    """Base of all declared elements: what was written, in the format's own terms.

    ``given`` names the fields that stood in the text, ``rest`` keeps undeclared items in
    order, ``node`` is where it was read from (None when made in code). ``KNOWN`` are keys
    that other programs read: they go to ``rest`` without a finding. ``KEEPS`` says that the
    format's reader keeps ``rest`` as an Extra of the model, ``SKIPPED`` that the format gives no
    meaning to anything inside.
    """

    __slots__ = ("given", "node", "rest")
    KNOWN: ClassVar[frozenset[str]] = frozenset()
    KEEPS: ClassVar[bool] = False
    SKIPPED: ClassVar[bool] = False
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
        compared: set[tuple[int, int]] = set()
        while todo:
            a, b = todo.pop()
            if isinstance(a, Document) and isinstance(b, Document):
                names = plan(type(a)).fields
                if plan(type(b)).fields is not names or Node("", a.rest) != Node("", b.rest):
                    return False
                if isinstance(a, Tagged):
                    if not isinstance(b, Tagged) or (a.tag, a.def_name) != (b.tag, b.def_name):
                        return False
                    # What is shared is compared once: a few lines may stand for millions of elements.
                    if (id(a), id(b)) in compared:
                        continue
                    compared.add((id(a), id(b)))
                todo.extend((getattr(a, n), getattr(b, n)) for n in names)
            elif isinstance(a, list) and isinstance(b, list):
                if len(a) != len(b):
                    return False
                todo.extend(zip(a, b, strict=True))
            elif not _same(a, b):
                return False
        return True

    __hash__ = None  # type: ignore[assignment]


class Tagged(Document):
    """Base of elements that are told apart by their own tag, wherever they stand (VRML nodes).

    ``tag`` is the type name as written, ``def_name`` the name that others may use it by. An element
    that stands in several places is one object. ``TAG`` is the tag of one made in code, the name
    of its class unless it says another. ``_fill`` reads the fields of one that nobody has looked into yet
    (see :meth:`later`).
    """

    __slots__ = ("_fill", "def_name", "tag")
    TAG: ClassVar[str | None] = None
    tag: str
    def_name: str
    _fill: Callable[[Any], None] | None

    @classmethod
    def later(cls: type[T], node: Node, fill: Callable[[T], None]) -> T:
        """An element whose fields are read from ``node`` when the first of them is asked for."""
        made = object.__new__(cls)
        made.node, made.tag, made.def_name, made._fill = node, node.tag, node.name, fill
        return made

    @property
    def pending(self) -> bool:
        """Whether its fields are still to be read."""
        return self._fill is not None

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # Python asks here only for what is not there.
            fill = None if name == "_fill" or name.startswith("__") else self._fill
            if fill is None:
                raise AttributeError(name)
            made = self.__class__()
            made.node, made.tag, made.def_name = self.node, self.tag, self.def_name
            fill(made)
            # not before all is there: two may ask at the same time
            for field in ("given", "rest", *plan(self.__class__).fields):
                setattr(self, field, getattr(made, field))
            self._fill = None
            return object.__getattribute__(self, name)

    def __post_init__(self) -> None:
        # not by way of the base: this runs for every element of a file
        self.given, self.node, self.rest = set(), None, []
        self.tag = self.__class__.__name__ if self.TAG is None else self.TAG
        self.def_name = ""
        self._fill = None


@dataclass(slots=True, eq=False, kw_only=True)
class Unknown(Tagged):
    """An element whose tag the reader's table does not hold; all of it is kept as written."""

    SKIPPED = True


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


def node(*accepts: type[Document], name: str = "", doc: str = "") -> Any:
    """One element of any tag of the reader's table, or of the classes given and those below them."""
    spec = Spec(name, (), None, {}, "tag", False, None, "", "", doc, accepts=accepts)
    return dataclasses.field(default=None, metadata={METADATA: spec})


def nodes(*accepts: type[Document], name: str = "", doc: str = "") -> Any:
    """A list of elements of any tag of the reader's table, or of the classes given."""
    spec = Spec(name, (), None, {}, "tag", True, None, "", "", doc, accepts=accepts)
    return dataclasses.field(default_factory=list, metadata={METADATA: spec})


def inside(*accepts: type[Document], doc: str = "") -> Any:
    """The elements that stand directly in the element's braces, as :func:`nodes`."""
    spec = Spec("", (), None, {}, "inside", True, None, "", "", doc, accepts=accepts)
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
    """Where a written key leads: the field, its spec and, for a union by key, the class.

    ``parse`` reads a plain value; ``by_tag`` says that elements of any tag stand there.
    """

    name: str
    spec: Spec
    rank: int
    member: type[Document] | None
    parse: Callable[[Value], Any] | None = field(init=False)
    by_tag: bool = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "parse", self.spec.type.parse if self.spec.type is not None else None)
        object.__setattr__(self, "by_tag", self.spec.by in ("tag", "inside"))


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


_OWN = frozenset(("node", "given", "rest", "tag", "def_name", "pending"))


def _compile(cls: type[Any]) -> Plan:
    keys: dict[str, Entry] = {}
    fields: dict[str, Spec] = {}
    defaults: dict[str, Any] = {}
    for f in dataclasses.fields(cls):
        spec: Spec | None = f.metadata.get(METADATA)
        if spec is None:
            continue
        if f.name in _OWN:
            raise TypeError(f"{cls.__name__}.{f.name}: documents have that of their own; say name={f.name!r}")
        if not spec.key and spec.by != "inside":
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
