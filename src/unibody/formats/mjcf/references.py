"""Names and references in MJCF, by the declarations: collects, renames, and leaves out what is unknown.

A kind of names is the object type of MuJoCo, "class" for default classes, or the tag of elements to which
no other one refers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import NamedTuple

from unibody.document.declare import Document
from unibody.document.plan import METADATA, Spec, member_names
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.document_element import OBJECTS, nested
from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node, Word, placed_copy

WORLD = ("body", "world")
# The kind of a thing by the lists to which an attribute refers, and by the last one, which has its name.
_BY_LISTS = {lists: kind for kind, lists in reversed(tuple(OBJECTS.items())) if lists}
_BY_NAME = {lists[-1]: kind for lists, kind in _BY_LISTS.items()}
#: The kinds of things to which others refer.
KINDS = frozenset(_BY_LISTS.get(lists, word) for word, lists in OBJECTS.items())


# --- the declarations -------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Table:
    """What the attributes and elements of an element mean.

    ``kind`` is that of its name, "" without one. ``refers`` are the kinds to which attributes refer,
    ``chosen`` the attributes that state this kind for others, ``inside`` the classes of elements by tag.
    """

    kind: str
    refers: Mapping[str, str]
    chosen: Mapping[str, str]
    inside: Mapping[str, type[Document]]

    def referred(self, node: Node, key: str) -> str:
        """The kind of thing to which an attribute refers, "" if to none."""
        if key in self.chosen:
            word = node.word(self.chosen[key]) or ""
            return _BY_LISTS.get(OBJECTS[word], word) if word in OBJECTS else ""
        return self.refers.get(key, "")


_TABLES: dict[type[Document], Table] = {}


def table(cls: type[Document]) -> Table:
    """The table of a class of elements."""
    if cls not in _TABLES:
        _TABLES[cls] = _compile(cls)
    return _TABLES[cls]


def _compile(cls: type[Document]) -> Table:
    kind = ""
    refers: dict[str, str] = {}
    chosen: dict[str, str] = {}
    inside: dict[str, type[Document]] = {}
    for field in fields(cls):  # type: ignore[arg-type]  # not by plan, which would compile all classes
        spec: Spec = field.metadata[METADATA]
        key = spec.key or field.name
        if spec.type is None:
            inside.update(spec.members if spec.of is None else member_names(spec.of()[0], spec.by))
        elif key == "name":
            own: str = cls.KEY  # type: ignore[attr-defined]
            kind = _BY_NAME.get(spec.names, own)
        elif spec.refers_by is not None:
            chosen[key] = spec.refers_by[0]
        elif spec.local or spec.refers:
            refers[key] = spec.local or _BY_LISTS[spec.refers]
    return Table(kind, refers, chosen, inside)


def _all_inside(*sections: type[Document]) -> Iterator[Table]:
    """The tables of sections and of all classes of elements inside."""
    todo = list(sections)
    for cls in todo:
        found = table(cls)
        yield found
        todo += [inner for inner in found.inside.values() if inner not in todo]


def kinds_in(*sections: type[Document]) -> frozenset[str]:
    """The kinds of names that elements of sections have."""
    return frozenset(found.kind for found in _all_inside(*sections) if found.kind)


@cache
def referring() -> tuple[type[Document], ...]:
    """Sections outside the tree whose elements refer to others, each behind those to which it refers."""
    left: dict[type[Document], set[str]] = {}
    sections = tuple(table(d.Mujoco).inside.values())
    named = {cls: kinds_in(cls) for cls in sections if cls is not d.Default}
    for cls in sections:
        tables = [] if cls in (d.Default, b.WorldBody) else list(_all_inside(cls))
        kinds = {kind for found in tables for kind in (KINDS if found.chosen else found.refers.values())}
        if kinds:
            left[cls] = kinds - named[b.WorldBody]
    out: list[type[Document]] = []
    while left:
        first = next(
            cls
            for cls, kinds in left.items()
            if all(kinds.isdisjoint(named[other]) for other in left if other is not cls)
        )
        del left[first]
        out.append(first)
    return tuple(out)


@cache
def accompanying() -> tuple[type[Document], ...]:
    """The sections whose elements come with the bodies to which they refer."""
    return tuple(cls for cls in referring() if cls not in (d.Asset, d.Deformable, d.Custom))


# --- in trees ---------------------------------------------------------------------------


class Reference(NamedTuple):
    """A name of a kind, in an item of an element."""

    kind: str
    name: str
    holder: Node
    item: Item


def walk(top: Node, cls: type[Document]) -> Iterator[tuple[Node, Table]]:
    """An element and those inside that are declared, in document order, with their tables.

    The items of an element are looked at after it was yielded, so that the caller may change them.
    """
    todo = [(top, table(cls))]
    while todo:
        node, found = todo.pop()
        yield node, found
        inside = found.inside
        if inside:
            for key, value, _ in reversed(node.items):
                if key in inside and isinstance(value, Node):
                    todo.append((value, table(inside[key])))


def references(top: Node, cls: type[Document]) -> Iterator[Reference]:
    """What an element and those inside refer to."""
    for node, found in walk(top, cls):
        for item in node.items:
            key, value, _ = item
            if (
                (key in found.refers or key in found.chosen)
                and isinstance(value, Word)
                and value.text
                and (kind := found.referred(node, key))
            ):
                yield Reference(kind, value.text, node, item)


def names_in(top: Node, cls: type[Document]) -> set[tuple[str, str]]:
    """The kinds and names of an element and of those inside."""
    named = ((found.kind, node.word("name")) for node, found in walk(top, cls) if found.kind)
    return {(kind, name) for kind, name in named if name}


def renamed(top: Node, cls: type[Document], new: Callable[[str, str], str]) -> Node:
    """A copy of an element with new names and references; ``new`` maps a kind and a name to a name."""
    out = placed_copy(top)
    for node, found in walk(out, cls):
        if found.kind or found.refers or found.chosen:
            node.items = [_renamed(item, node, found, new) for item in node.items]
    return out


def _renamed(item: Item, node: Node, found: Table, new: Callable[[str, str], str]) -> Item:
    key, value, start = item
    kind = found.kind if key == "name" else found.referred(node, key)
    if not kind or not isinstance(value, Word) or not value.text:
        return item
    name = new(kind, value.text)
    return item if name == value.text else (key, Word(name), start)


# --- in documents -----------------------------------------------------------------------


class Names:
    """The elements of a model by kind and name; a reference to another kind than these is not judged."""

    def __init__(self, kinds: Collection[str] = KINDS) -> None:
        self.known: dict[str, dict[str, Document | None]] = {kind: {} for kind in kinds}
        self.known["body"] = {"world": None}

    def add(self, doc: Document, name: str | None = None) -> None:
        """Add an element, by default with the name that it states."""
        kind = table(type(doc)).kind
        name = getattr(doc, "name", None) if kind and name is None else name
        if kind and name:
            self.known.setdefault(kind, {}).setdefault(name, doc)

    def references(self, doc: Document) -> Iterator[Reference]:
        """What an element refers to, as far as its kind is one of these; none without a node."""
        if doc.node is not None:
            yield from (found for found in references(doc.node, type(doc)) if found.kind in self.known)

    def unknown(self, doc: Document) -> Reference | None:
        """The first reference of an element to nothing."""
        return next((x for x in self.references(doc) if x.name not in self.known[x.kind]), None)


def leave_out(sections: Collection[Document], is_usable: Callable[[Document], bool]) -> None:
    """Remove the elements of sections that are not usable, those first to which others refer."""
    for cls in referring():
        for section in sections:
            if isinstance(section, cls):
                section.items = [item for item in section.items if is_usable(item)]  # type: ignore[attr-defined]


def leave_unknown(world: b.WorldBody, sections: Collection[Document]) -> None:
    """Remove the elements that are kept and refer to what is not written, such as a geom without a file."""
    names = Names(KINDS - kinds_in(d.Asset, d.Deformable))
    for doc in nested(world.items):
        if isinstance(doc, b.Composite | b.Flexcomp):
            return  # MuJoCo makes things of names that are not known here
        names.add(doc)

    def is_known(item: Document) -> bool:
        if names.unknown(item) is not None:
            return False
        names.add(item)
        return True

    leave_out(sections, is_known)
