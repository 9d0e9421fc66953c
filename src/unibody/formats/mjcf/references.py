"""Names and references in MJCF, by the declarations: collects, renames, and leaves out what is unknown.

A kind of names is the object type of MuJoCo, "class" for default classes, or the tag of elements to which
no other one refers.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from unibody.document.declare import Document, plan
from unibody.formats.mjcf import document as d
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.names import OBJECTS
from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node, Word, placed_copy

WORLD = ("body", "world")
# The kind of a thing by the lists to which an attribute refers, and by the last one, which has its name.
_BY_LISTS = {lists: kind for kind, lists in reversed(OBJECTS.items()) if lists}
_BY_NAME = {lists[-1]: kind for lists, kind in _BY_LISTS.items()}


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


@cache
def table(cls: type[Document]) -> Table:
    """The table of a class of elements."""
    kind = ""
    refers: dict[str, str] = {}
    chosen: dict[str, str] = {}
    inside: dict[str, type[Document]] = {}
    for spec in plan(cls).fields.values():
        if spec.type is None:
            inside.update(spec.members)
        elif spec.key == "name":
            kind = _BY_NAME.get(spec.names, cls.KEY)  # type: ignore[attr-defined]
        elif spec.refers_by is not None:
            chosen[spec.key] = spec.refers_by[0]
        elif spec.local or spec.refers:
            refers[spec.key] = spec.local or _BY_LISTS[spec.refers]
    return Table(kind, refers, chosen, inside)


def _all_inside(*sections: type[Document]) -> Iterator[Table]:
    """The tables of sections and of all classes of elements inside."""
    todo = list(sections)
    for cls in todo:
        found = table(cls)
        yield found
        todo += [inner for inner in found.inside.values() if inner not in todo]


@cache
def kinds_in(*sections: type[Document]) -> frozenset[str]:
    """The kinds of names that elements of sections have."""
    return frozenset(found.kind for found in _all_inside(*sections) if found.kind)


def _referred_in(section: type[Document]) -> set[str]:
    """The kinds to which elements of a section may refer."""
    tables = list(_all_inside(section))
    kinds = {kind for found in tables for kind in found.refers.values()}
    return kinds.union(OBJECTS) if any(found.chosen for found in tables) else kinds


@cache
def referring() -> tuple[type[Document], ...]:
    """Sections outside the tree whose elements refer to others, each behind those to which it refers."""
    outside = [cls for cls in table(d.Mujoco).inside.values() if cls not in (d.Default, b.WorldBody)]
    left = [cls for cls in outside if _referred_in(cls)]
    out: list[type[Document]] = []
    while left:
        for cls in left:
            later = kinds_in(*(other for other in left if other is not cls)) - kinds_in(b.WorldBody)
            if later.isdisjoint(_referred_in(cls)):
                break
        left.remove(cls)
        out.append(cls)
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

    def __init__(self, kinds: Iterable[str]) -> None:
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
    names = Names(kinds_in(b.WorldBody, *referring()) - kinds_in(d.Asset, d.Deformable))
    todo: list[Document] = list(world.items)
    while todo:
        doc = todo.pop()
        if isinstance(doc, b.Composite | b.Flexcomp):
            return  # MuJoCo makes things of names that are not known here
        names.add(doc)
        todo += getattr(doc, "items", [])

    def is_known(item: Document) -> bool:
        if names.unknown(item) is not None:
            return False
        names.add(item)
        return True

    leave_out(sections, is_known)
