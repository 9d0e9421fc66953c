"""Declares the elements of a format: dataclass fields with their spelling, type and default.

Reader, writer, findings, reference pages, schemas and random test documents derive from these
declarations.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from unibody.document.plan import (
    METADATA,
    Entry,
    Need,
    Plan,
    Spec,
    Union,
    kind_names,
    member_names,
    plan,
)
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
    setting,
    to_numbers,
    to_word,
    vector,
    word,
    words_vector,
)
from unibody.text.dataclass import dataclass
from unibody.text.deferred import Deferred, is_deferred
from unibody.text.node import Item, Node, Numbers, Row, Word, equal
from unibody.text.source import Span

__all__ = [
    "ANY",
    "FILLED",
    "FLAG",
    "INTEGER",
    "NUMBER",
    "NUMBERS",
    "READ",
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
    "content",
    "describe",
    "element",
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
    "setting",
    "to_numbers",
    "to_word",
    "vector",
    "word",
    "words_vector",
    "written_item",
]

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform
else:

    def dataclass_transform(**_: Any) -> Callable[[Any], Any]:
        """Python 3.10 has none; only type checkers need it."""
        return lambda decorator: decorator


C = TypeVar("C", bound="Document")
#: The start offset of an item that is not in the text, such as a PROTO's default value. The binder reads
#: it, but does not mark the field as given.
FILLED = -2
#: The start offset of an undeclared item all of which the reader has read into the model.
READ = -3


@dataclass_transform(eq_default=False, kw_only_default=True)
def element(cls: type[C]) -> type[C]:
    """Declare an element: decorates every subclass of :class:`Document`."""
    return dataclass(slots=True, eq=False, kw_only=True)(cls)


class Document:
    """Base of all declared elements: the content of a file in the terms of its format.

    ``given`` are the names of the fields in the text, ``rest`` the undeclared items in order, ``node``
    the node it was read from (None for documents created in code). Documents that were read share
    ``given`` and empty lists: replace these instead of changing them. ``KNOWN`` are keys that other
    programs read; they go to ``rest`` without a finding. ``KEEPS``: the reader keeps ``rest`` as an
    Extra of the model. ``SKIPPED``: the content has no meaning in this format.

    ``KEPT`` returns the class that declares the undeclared items that other programs read: no reader uses
    it, but an edit of the robot finds the names in them (``references.py``). ``KEYS`` and ``VALUES`` are
    the robot's lists to which undeclared keys and their values refer. ``NEEDS``: the element means nothing
    without all, or without any, of the items that it and its children refer to. ``LEADING`` are the names
    of fields that are written before the others, in this order. ``JOINED``: several of these elements
    beside one another are one to their readers, so that those of two robots are joined.
    """

    __slots__ = ("given", "node", "rest")
    KNOWN: ClassVar[frozenset[str]] = frozenset()
    KEEPS: ClassVar[bool] = False
    SKIPPED: ClassVar[bool] = False
    KEPT: ClassVar[Callable[[], type[Document]] | None] = None
    KEYS: ClassVar[tuple[str, ...]] = ()
    VALUES: ClassVar[tuple[str, ...]] = ()
    NEEDS: ClassVar[Literal["", "any", "all"]] = ""
    LEADING: ClassVar[tuple[str, ...]] = ()
    JOINED: ClassVar[bool] = False
    given: set[str]
    node: Node | None
    rest: list[Item]

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # Python calls this for missing attributes only; the binder sets all three itself.
            if name == "node":
                self.node = None
            elif name == "given":
                self.given = set()
            elif name == "rest":
                self.rest = []
            else:
                return super().__getattribute__(name)  # raises AttributeError
            return object.__getattribute__(self, name)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Document) or plan(type(self)).fields is not plan(type(other)).fields:
            return NotImplemented
        # A work list instead of recursion: documents may be deeply nested.
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
                    # Shared elements are compared once: a few lines may expand to millions of elements.
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

    def at(self, *fields: str) -> Span | None:
        """The place of the first given field of ``fields`` (Python names), else of the element.

        The default value of a PROTO has no place of its own. None for a document created in code.
        """
        node = self.node
        if node is None:
            return None
        if not fields:
            return node.head
        specs = plan(type(self)).fields
        found = [item for name in fields if (item := written_item(node, specs[name])) is not None]
        if not found:
            return node.head
        first = found[0] if len(found) == 1 else next(i for i in node.items if any(i is f for f in found))
        return node.item_span(first)

    def written_at(self, field: str) -> Span | None:
        """Where a field is written; None if it is not."""
        node = self.node
        item = written_item(node, plan(type(self)).fields[field]) if node is not None else None
        return node.item_span(item) if node is not None and item is not None else None


class Tagged(Deferred, Document):
    """Base of elements whose class is chosen by their own tag (VRML nodes).

    ``tag`` is the type name as written, ``def_name`` its DEF name. An element that is used several times
    is one object. ``TAG`` is the tag of an element created in code, by default the name of its class.
    Fields may be deferred.
    """

    __slots__ = ("_compute", "def_name", "tag")
    TAG: ClassVar[str | None] = None
    tag: str
    def_name: str
    _compute: Callable[[], Mapping[str, Any]] | None

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            return (Deferred if is_deferred(self) else Document).__getattr__(self, name)

    def __post_init__(self) -> None:
        # without super(): this runs for every element of a file
        self.node = None
        self.tag = self.__class__.__name__ if self.TAG is None else self.TAG
        self.def_name = ""
        self._compute = None


@element
class Unknown(Tagged):
    """An element with an unknown tag, kept as written."""

    SKIPPED = True


def written_item(node: Node, spec: Spec) -> Item | None:
    """The item that a field is read from, the first one of a list; None if there is none."""
    found: Item | None = None
    keys = spec.keys
    for item in node.items:
        if item[0] not in keys or item[2] == FILLED:
            continue
        if spec.type is None:
            return item
        # a repeated plain value replaces the previous one, unless its spelling is older
        if found is None or keys.index(item[0]) <= keys.index(found[0]):
            found = item
    return found


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
    otherwise: str = "",
    refers: str | Sequence[str] = (),
    refers_by: tuple[str, Mapping[str, Sequence[str]]] | None = None,
    names: str = "",
    ends: Sequence[str] = (),
    local: str = "",
    since: str = "",
) -> Any:
    """A plain value: an attribute, a key, a field. The default is None.

    ``refers`` are the lists of the robot to whose items the value, or each word of it, refers by name;
    ``refers_by`` is the key whose word chooses these lists, and the lists by word. ``names`` is the kind of
    thing that the value is the name of. With ``ends``, a name may be followed by
    one of these texts and a rest. ``local`` is the kind of element of the same file to which the value
    refers, such as a mesh, whose name an edit of the robot does not change. ``since`` is the first version
    of the format that has it.
    """
    spec = Spec(
        name,
        tuple(old),
        type,
        {},
        "",
        False,
        None,
        _need(required),
        unit,
        _dated(doc, since),
        otherwise=otherwise,
        refers=_lists(refers),
        names=names,
        ends=tuple(ends),
        refers_by=refers_by,
        local=local,
        since=since,
    )
    value = None if default is dataclasses.MISSING else default
    return dataclasses.field(default=value, metadata={METADATA: spec})


def content(
    *,
    type: ValueType = TEXT,
    default: Any = None,
    refers: str | Sequence[str] = (),
    names: str = "",
    ends: Sequence[str] = (),
    where: tuple[str, str] | None = None,
) -> Any:
    """The text between the tags of an XML element.

    The names in it are declared as in :func:`key`; with ``where``, an attribute and its value, only
    elements with this attribute hold names.
    """
    spec = Spec(
        "",
        (),
        type,
        {},
        "text",
        False,
        None,
        "",
        "",
        "",
        refers=_lists(refers),
        names=names,
        ends=tuple(ends),
        where=where,
    )
    return dataclasses.field(default=default, metadata={METADATA: spec})


def _lists(refers: str | Sequence[str]) -> tuple[str, ...]:
    return (refers,) if isinstance(refers, str) else tuple(refers)


def _dated(doc: str, since: str) -> str:
    """What a field is, with its first version."""
    return ", ".join(filter(None, (since and f"since {since}", doc)))


def child(
    *members: type[Document],
    name: str = "",
    old: Sequence[str] = (),
    by: str = "",
    other: type[Document] | None = None,
    required: bool | Need = False,
    doc: str = "",
    otherwise: str = "",
    since: str = "",
) -> Any:
    """One child element; several classes are distinguished ``by`` "type" or "key"."""
    known = member_names(members, by)
    need = _need(required)
    text = _dated(doc, since)
    spec = Spec(
        name, tuple(old), None, known, by, False, other, need, "", text, otherwise=otherwise, since=since
    )
    return dataclasses.field(default=None, metadata={METADATA: spec})


def children(
    *members: type[Document],
    name: str = "",
    old: Sequence[str] = (),
    by: str = "",
    of: Union | None = None,
    doc: str = "",
    since: str = "",
) -> Any:
    """A list of child elements, in document order across classes.

    ``of`` returns the members and the class for undeclared types on first use, so that a union may
    contain itself.
    """
    known, text = member_names(members, by), _dated(doc, since)
    spec = Spec(name, tuple(old), None, known, by, True, None, "", "", text, of, since=since)
    return dataclasses.field(default_factory=list, metadata={METADATA: spec})


def node(*accepts: type[Document], name: str = "", doc: str = "") -> Any:
    """One element of any tag in ``Binding.nodes``, or of the given classes and their subclasses."""
    spec = Spec(name, (), None, {}, "tag", False, None, "", "", doc, accepts=accepts)
    return dataclasses.field(default=None, metadata={METADATA: spec})


def nodes(*accepts: type[Document], name: str = "", doc: str = "") -> Any:
    """A list of elements of any tag in ``Binding.nodes``, or of the given classes."""
    spec = Spec(name, (), None, {}, "tag", True, None, "", "", doc, accepts=accepts)
    return dataclasses.field(default_factory=list, metadata={METADATA: spec})


def inside(*accepts: type[Document], doc: str = "") -> Any:
    """The elements directly inside the element's braces, as :func:`nodes`."""
    spec = Spec("", (), None, {}, "inside", True, None, "", "", doc, accepts=accepts)
    return dataclasses.field(default_factory=list, metadata={METADATA: spec})


def kind(*names: str) -> Any:
    """The ``type`` item that distinguishes a class from the other members of its union."""
    spec = Spec("type", (), TEXT, {}, "kind", False, None, "", "", "")
    return dataclasses.field(default=names[0], metadata={METADATA: spec, "names": names})


def _need(required: bool | Need) -> Need:
    return required if isinstance(required, str) else "error" if required else ""
