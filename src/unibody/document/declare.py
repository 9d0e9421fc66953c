"""The vocabulary in which a format declares its elements: dataclass fields that say
how they are written, what they hold and what holds when they are absent.

From these declarations come reader, writer, messages, reference pages and random test
documents; nothing is described twice.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

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
    to_numbers,
    to_word,
    vector,
    word,
    words_vector,
)
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
#: The start of an item that stands in no text: a default that another declaration gives. The binder
#: reads it, but does not count the field as given.
FILLED = -2


@dataclass_transform(eq_default=False, kw_only_default=True)
def element(cls: type[C]) -> type[C]:
    """Class decorator of every declared element."""
    return dataclass(slots=True, eq=False, kw_only=True)(cls)


class Document:
    """Base of all declared elements: what was written, in the format's own terms.

    ``given`` names the fields that stood in the text, ``rest`` keeps undeclared items in
    order, ``node`` is where it was read from (None when made in code). What is read shares
    ``given`` and empty lists with others like it: give it new ones instead of changing these.
    ``KNOWN`` are keys that other programs read: they go to ``rest`` without a finding. ``KEEPS``
    says that the format's reader keeps ``rest`` as an Extra of the model, ``SKIPPED`` that the
    format gives no meaning to anything inside.
    """

    __slots__ = ("given", "node", "rest")
    KNOWN: ClassVar[frozenset[str]] = frozenset()
    KEEPS: ClassVar[bool] = False
    SKIPPED: ClassVar[bool] = False
    given: set[str]
    node: Node | None
    rest: list[Item]

    def __post_init__(self) -> None:
        self.node = None

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # Python asks here only for what is not there. The binder brings its own of these.
            if name == "given":
                self.given = set()
            elif name == "rest":
                self.rest = []
            else:
                return super().__getattribute__(name)  # raises AttributeError
            return object.__getattribute__(self, name)

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

    def at(self, *fields: str) -> Span | None:
        """Where the first of these fields is written; the element itself if none is, or without fields.

        Fields are given by their Python names. A value that the declaration of a PROTO filled in has
        no place of its own.
        """
        node = self.node
        if node is None:
            return None
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
    """Base of elements that are told apart by their own tag, wherever they stand (VRML nodes).

    ``tag`` is the type name as written, ``def_name`` the name that others may use it by. An element
    that stands in several places is one object. ``TAG`` is the tag of one made in code, the name
    of its class unless it says another. The fields of one may be deferred.
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
        # not by way of the base: this runs for every element of a file
        self.node = None
        self.tag = self.__class__.__name__ if self.TAG is None else self.TAG
        self.def_name = ""
        self._compute = None


@element
class Unknown(Tagged):
    """An element whose tag the reader's table does not hold; all of it is kept as written."""

    SKIPPED = True


def written_item(node: Node, spec: Spec) -> Item | None:
    """The item that a field is read from; the first one of a list."""
    found: Item | None = None
    for item in node.items:
        if item[0] not in spec.keys or item[2] == FILLED:
            continue
        if spec.type is None:
            return item
        # a plain value that is given again replaces the one before, unless by an older spelling
        if found is None or spec.keys.index(item[0]) <= spec.keys.index(found[0]):
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
    spec = Spec(
        name, tuple(old), None, member_names(members, by), by, False, other, _need(required), "", doc
    )
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
    spec = Spec(name, tuple(old), None, member_names(members, by), by, True, None, "", "", doc, of)
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
