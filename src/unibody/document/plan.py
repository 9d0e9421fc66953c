"""Compiles the declarations of a class for the binder: a table from keys to fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from unibody.document.values import ValueType
from unibody.text.dataclass import dataclass
from unibody.text.node import Node, Value
from unibody.text.shared import NO_ITEMS, NO_NAMES, SharedSet

if TYPE_CHECKING:
    from unibody.document.declare import Document

# Key of a field's declaration in its metadata.
METADATA = "unibody"

#: Severity of the finding if a field is missing; "" for none.
Need = Literal["", "warning", "error"]
DocumentClass: TypeAlias = "type[Document]"
Union: TypeAlias = "Callable[[], tuple[tuple[DocumentClass, ...], DocumentClass | None]]"


@dataclass(frozen=True, slots=True)
class Spec:
    """One declared field.

    ``key`` and ``old`` are its spellings, in order of precedence. ``type`` is set for plain values,
    ``members`` (written name → class) for child elements, which are chosen by the item's key or by the
    child's ``type`` item (not needed for a single class). ``by`` is "tag" for elements of
    ``Binding.nodes``, "inside" for the same without a key; ``accepts`` are the accepted classes, () for
    all. ``otherwise`` is what is done without the value, for a finding: a missing or invalid value is then
    a warning. ``keys`` are the keys that the field may be written as. ``refers`` and ``names`` declare the
    names in its value (see ``references.py``), ``local`` those that matter only within the file. ``since``
    is the first version of the format that has the field, "" for one of all versions.
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
    otherwise: str = ""
    refers: tuple[str, ...] = ()
    names: str = ""
    ends: tuple[str, ...] = ()
    where: tuple[str, str] | None = None
    refers_by: tuple[str, Mapping[str, Sequence[str]]] | None = None
    local: str = ""
    since: str = ""
    keys: tuple[str, ...] = field(init=False)

    def __post_init__(self) -> None:
        keys = tuple(self.members) if self.by == "key" else (self.key, *self.old)
        object.__setattr__(self, "keys", keys)


def member_names(members: tuple[type[Document], ...], by: str) -> dict[str, type[Document]]:
    """The written name of each class of a choice; "" for a single class."""
    if by == "type":
        return {n: cls for cls in members for n in kind_names(cls)}
    if by == "key":
        return {cls.KEY: cls for cls in members}  # type: ignore[attr-defined]
    return {"": members[0]} if members else {}


def kind_names(cls: type[Document]) -> tuple[str, ...]:
    """The ``type`` words of a class with a :func:`kind` field; else ()."""
    for f in dataclasses.fields(cls):  # type: ignore[arg-type]
        if "names" in f.metadata:
            return tuple(f.metadata["names"])
    return ()


@dataclass(frozen=True, slots=True)
class Entry:
    """The target of a key: the field, its spec and, for a union by key, the class.

    ``rank`` is the index of the spelling; ``parse`` reads a plain value; ``by_tag``: the class is chosen
    by the element's tag; ``only`` is the class of all elements of this key, if there is one; ``bit`` is the
    field's bit in a set of fields.
    """

    name: str
    spec: Spec
    rank: int
    member: type[Document] | None
    bit: int
    parse: Callable[[Value], Any] | None = field(init=False)
    by_tag: bool = field(init=False)
    only: type[Document] | None = field(init=False)

    def __post_init__(self) -> None:
        spec = self.spec
        object.__setattr__(self, "parse", spec.type.parse if spec.type is not None else None)
        object.__setattr__(self, "by_tag", spec.by in ("tag", "inside"))
        only = spec.members.get("") if spec.by == "" else self.member
        object.__setattr__(self, "only", only)


@dataclass(frozen=True, slots=True)
class Plan:
    """The compiled declarations of a class.

    ``needed`` are the bits of the required fields; ``empty`` are the initial values of list fields;
    ``children`` the names of the fields of elements, and whether they are lists; ``printed`` what is needed
    to write each field: its name, spec, function from values to text (None for elements), default, and
    whether the default is written, too;
    ``tagged``: the class is chosen by the element's own tag; ``blank`` creates an element of a node, with
    default values; ``shared`` are sets of field names by their bits (see ``names``).
    """

    keys: Mapping[str, Entry]
    fields: Mapping[str, Spec]
    defaults: Mapping[str, Any]
    required: frozenset[str]
    needed: int
    empty: Mapping[str, list[Any]]
    tagged: bool
    blank: Callable[[Node], Document]
    children: tuple[tuple[str, bool], ...]
    printed: tuple[tuple[str, Spec, Callable[[Any], Value] | None, Any, bool], ...]
    shared: dict[int, SharedSet] = field(default_factory=dict)

    def names(self, bits: int) -> SharedSet:
        """The names of the fields in a set of bits; documents share these sets."""
        found = self.shared.get(bits)
        if found is None:
            found = SharedSet(name for i, name in enumerate(self.fields) if bits >> i & 1)
            if len(self.shared) < _MOST_SETS:
                self.shared[bits] = found
        return found


_PLANS: dict[type[Any], Plan] = {}
# Limit on shared sets: a text may have any number of combinations.
_MOST_SETS = 1000


def plan(cls: type[Any]) -> Plan:
    """The compiled declarations of a Document class (or of its watched twin)."""
    made = _PLANS.get(cls)
    if made is None:
        base = getattr(cls, "watched", None)
        made = _PLANS[cls] = _compile(cls) if base is None else plan(base)
    return made


_RESERVED = frozenset(("at", "node", "given", "rest", "tag", "def_name", "pending"))


def _compile(cls: type[Any]) -> Plan:
    keys: dict[str, Entry] = {}
    fields: dict[str, Spec] = {}
    defaults: dict[str, Any] = {}
    for f in _ordered(cls):
        spec: Spec | None = f.metadata.get(METADATA)
        if spec is None:
            continue
        if f.name in _RESERVED:
            raise TypeError(f"{cls.__name__}.{f.name}: reserved; rename it, with name={f.name!r}")
        if not spec.key and spec.by not in ("inside", "text"):
            spec = dataclasses.replace(spec, key=f.name)
        if spec.of is not None:
            members, other = spec.of()
            spec = dataclasses.replace(spec, members=member_names(members, spec.by), other=other)
        bit = 1 << len(fields)
        fields[f.name] = spec
        if not spec.many:
            defaults[f.name] = f.default
        if spec.by == "key":
            keys.update({k: Entry(f.name, spec, 0, m, bit) for k, m in spec.members.items()})
        else:
            for rank, written in enumerate((spec.key, *spec.old)):
                keys[written] = Entry(f.name, spec, rank, None, bit)
    required = frozenset(n for n, s in fields.items() if s.required)
    needed = sum(1 << i for i, n in enumerate(fields) if n in required)
    empty = {n: NO_ITEMS for n, s in fields.items() if s.many}
    tagged = hasattr(cls, "TAG")
    blank = _blank(cls, {**defaults, **empty}, tagged)
    children = tuple((n, s.many) for n, s in fields.items() if s.type is None)
    printed = tuple(
        (n, s, s.type.print if s.type else None, defaults.get(n), bool(s.required) or s.by == "kind")
        for n, s in fields.items()
    )
    return Plan(keys, fields, defaults, required, needed, empty, tagged, blank, children, printed)


def _ordered(cls: type[Any]) -> list[dataclasses.Field[Any]]:
    """The fields of a class in the order in which they are written."""
    fields = list(dataclasses.fields(cls))
    leading: tuple[str, ...] = getattr(cls, "LEADING", ())
    if leading:
        rank = {name: i for i, name in enumerate(leading)}
        fields.sort(key=lambda f: rank.get(f.name, len(rank)))
    return fields


def _blank(cls: type[Any], values: Mapping[str, Any], tagged: bool) -> Callable[[Node], Document]:
    """A function that creates an element of a node, with the initial values of its fields.

    Compiled: it runs for every element of a file, in half the time of a call of the class.
    """
    scope: dict[str, Any] = {"new": object.__new__, "cls": cls, "names": NO_NAMES, "items": NO_ITEMS}
    lines = ["made = new(cls)", "made.node, made.given, made.rest = node, names, items"]
    if tagged:
        lines.append("made.tag, made.def_name, made._compute = node.tag, node.name, None")
    for name, value in values.items():
        scope[f"value_{name}"] = value
        lines.append(f"made.{name} = value_{name}")
    body = "\n    ".join([*lines, "return made"])
    exec(f"def blank(node):\n    {body}", scope)
    made: Callable[[Node], Document] = scope["blank"]
    return made
