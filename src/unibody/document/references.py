"""Names in kept data: which words of a syntax tree refer to links, joints and other items, by declaration.

The declarations say which fields refer to items of a list of the robot (``refers``) and which name the
element itself (``names``). Words of undeclared items are free text: what they mean is not known.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeAlias

from unibody.document.declare import Document, Spec, plan
from unibody.text.dataclass import dataclass
from unibody.text.node import Node, Numbers, Row, Value, Word
from unibody.text.source import Source, Span

#: Names by list of the robot, or by kind of thing that only one format names.
Known: TypeAlias = Mapping[str, Collection[str]]
_DEF = "DEF names"


@dataclass(frozen=True, slots=True)
class Role:
    """What a text means: a reference to an item of one of the lists ``refers``, or the name of a thing.

    ``names`` is the kind of that thing, ``ends`` are the texts at which the name of a reference may end;
    ``free`` text has no declared meaning.
    """

    refers: tuple[str, ...] = ()
    names: str = ""
    ends: tuple[str, ...] = ()
    free: bool = False


_FREE, _OTHER = Role(free=True), Role()
_DEF_NAME = Role(("links",), _DEF, ("_LINK",))


@dataclass(slots=True, eq=False)
class Slot:
    """A place of a syntax tree: a value, the key of an item or the name of a node, and what it means.

    ``holder`` has it at ``index``; ``within`` is the slot of the holder. ``cls`` declares the items of a
    node, ``many`` tells that it is one of a list.
    """

    value: Value
    role: Role
    holder: Node | Row
    index: int
    within: Slot | None
    part: str = "value"
    cls: type[Document] | None = None
    many: bool = False
    spec: Spec | None = None

    def texts(self) -> list[str]:
        """The words of the slot."""
        if self.part == "key":
            return [self.key]
        if self.part == "name":
            assert isinstance(self.value, Node)
            return [self.value.name]
        if isinstance(self.value, Word):
            return [self.value.text]
        is_named = bool(self.role.refers or self.role.names)
        return self.value.words() if is_named and isinstance(self.value, Numbers) else []

    @property
    def key(self) -> str:
        """The key of the item that has the slot."""
        if isinstance(self.holder, Node):
            return self.holder.items[self.index][0]
        return self.within.key if self.within is not None else ""

    def path(self) -> str:
        """The keys from the owner of the data down to the slot."""
        keys: list[str] = []
        slot: Slot | None = self
        while slot is not None:
            if isinstance(slot.holder, Node) and slot.key:
                keys.append(slot.key)
            slot = slot.within
        return "/".join(reversed(keys)) or "a text"

    def place(self, source: Source | None = None) -> Span | None:
        """Where the text is; ``source`` is the file of the data, whose top has no place of its own."""
        holder: Node | Row | None = self.holder
        slot = self.within
        while isinstance(holder, Row):
            holder, slot = (slot.holder, slot.within) if slot is not None else (None, None)
        if holder is None:
            return None
        word = self.value
        if holder.source is None and source is not None and isinstance(word, Word) and word.start >= 0:
            found = Span(source, word.start, word.end)
            return found if word.text in found.text else None
        if isinstance(self.holder, Node) and self.part == "value":
            return holder.item_span(self.holder.items[self.index])
        return holder.place(self.value)


def slots(top: Node, cls: type[Document] | None, nodes: Mapping[str, type[Document]]) -> list[Slot]:
    """All texts and values of a tree, each node before its contents; a shared value occurs once.

    ``cls`` declares the items of ``top``; ``nodes`` are the classes of nodes by tag.
    """
    out: list[Slot] = []
    root = Slot(top, _FREE, Row([top]), 0, None, cls=cls)
    seen: set[int] = set()
    todo = [root]
    while todo:
        slot = todo.pop()
        if slot is not root:
            out.append(slot)
        value = slot.value
        if slot.part != "value" or isinstance(value, Word | Numbers) or id(value) in seen:
            continue
        seen.add(id(value))
        inner = _of_row(value, slot, nodes) if isinstance(value, Row) else _of_node(value, slot, nodes)
        todo.extend(reversed(inner))
    return out


def _of_row(row: Row, slot: Slot, nodes: Mapping[str, type[Document]]) -> list[Slot]:
    spec = slot.spec
    return [
        Slot(v, slot.role, row, i, slot, cls=_class(v, spec, nodes), many=True, spec=spec)
        for i, v in enumerate(row.values)
    ]


def _of_node(node: Node, slot: Slot, nodes: Mapping[str, type[Document]]) -> list[Slot]:
    out: list[Slot] = []
    if node.name and nodes:
        out.append(Slot(node, _DEF_NAME, slot.holder, slot.index, slot.within, "name"))
    fields = specs(slot.cls) if slot.cls is not None else {}
    for i, (key, value, _) in enumerate(node.items):
        spec = fields.get(key)
        role = _FREE
        many = isinstance(value, Node)
        if spec is not None:
            role, many = _role(spec, node), spec.many
        elif slot.cls is not None and (slot.cls.KEYS or slot.cls.VALUES):
            role = Role(slot.cls.VALUES) if slot.cls.VALUES else _OTHER
            if slot.cls.KEYS:
                out.append(Slot(value, Role(slot.cls.KEYS), node, i, slot, "key"))
        elif key:
            out.append(Slot(value, _FREE, node, i, slot, "key"))
        cls = _class(value, spec, nodes)
        out.append(Slot(value, role, node, i, slot, cls=cls, many=many, spec=spec))
    return out


_SPECS: dict[type[Any], dict[str, Spec]] = {}


def specs(cls: type[Document]) -> dict[str, Spec]:
    """The declared fields of a class and of what it keeps, by key."""
    if cls not in _SPECS:
        _SPECS[cls] = _all_specs(cls)
    return _SPECS[cls]


def _all_specs(cls: type[Document]) -> dict[str, Spec]:
    found = {key: entry.spec for key, entry in plan(cls).keys.items()}
    if cls.KEPT is not None:
        found = {key: entry.spec for key, entry in plan(cls.KEPT()).keys.items()} | found
    return found


def _role(spec: Spec, node: Node) -> Role:
    if spec.where is not None and node.word(spec.where[0]) != spec.where[1]:
        return _FREE
    if spec.refers_by is not None:
        chooser, lists = spec.refers_by
        return Role(tuple(lists.get(node.word(chooser) or "", ())))
    if spec.refers or spec.names:
        return Role(spec.refers, spec.names, spec.ends)
    is_any = spec.type is not None and spec.type.name == "anything"
    return _FREE if is_any else _OTHER


def _class(value: Value, spec: Spec | None, nodes: Mapping[str, type[Document]]) -> type[Document] | None:
    """The class that declares the items of a node."""
    if not isinstance(value, Node):
        return None
    if value.tag in nodes:
        return nodes[value.tag]
    if spec is None or not spec.members:
        return None
    if spec.by == "key":
        return spec.members.get(value.tag)
    if spec.by == "type":
        return spec.members.get(value.word("type") or "", spec.other)
    return spec.members.get("")


def pieces(text: str, role: Role, known: Known) -> list[tuple[str, int]]:
    """The names in a text that refer to known items, and where they begin.

    >>> pieces("arm.set_rotation", Role(("links",), ends=(".",)), {"links": {"arm"}})
    [('arm', 0)]
    >>> pieces("a, b", Role(("joints",), ends=(", ", ",")), {"joints": {"a", "b"}})
    [('a', 0), ('b', 3)]
    """
    lists = [known[name] for name in role.refers if name in known]
    if any(text in names for names in lists):
        return [(text, 0)]
    out: list[tuple[str, int]] = []
    at = 0
    while role.ends and at < len(text):
        rest = text[at:]
        found = {
            name: next(end for end in role.ends if rest.startswith(end, len(name)))
            for names in lists
            for name in names
            if name and rest.startswith(name) and rest.startswith(role.ends, len(name))
        }
        if not found:
            # the last name of several has nothing behind it
            out += [(rest, at)] if out and any(rest in names for names in lists) else []
            break
        name = max(found, key=len)
        out.append((name, at))
        at += len(name) + len(found[name])
    return out


def rewritten(text: str, found: list[tuple[str, int]], new: Callable[[str], str]) -> str:
    """The text with the names that were ``found`` replaced.

    >>> rewritten("arm.set_rotation", [("arm", 0)], str.upper)
    'ARM.set_rotation'
    """
    for name, at in reversed(found):
        text = text[:at] + new(name) + text[at + len(name) :]
    return text


def names_within(found: Iterable[Slot]) -> dict[str, set[str]]:
    """The names that elements of kept data give themselves, by kind."""
    out: dict[str, set[str]] = {}
    for slot in found:
        if slot.role.names:
            for text in slot.texts():
                if text:
                    out.setdefault(slot.role.names, set()).add(text)
    return out
