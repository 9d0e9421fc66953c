"""The one binder: Node → Document, driven by the declarations."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from unibody.document.complain import called, complain, required, unknown
from unibody.document.declare import (
    FILLED,
    Document,
    Entry,
    Plan,
    Spec,
    Tagged,
    Unknown,
    Wrong,
    describe,
    plan,
)
from unibody.document.unbind import unbind
from unibody.document.unread import watched
from unibody.text.deferred import defer, is_deferred
from unibody.text.edit import ProposedFix
from unibody.text.finding import Findings
from unibody.text.fixes import respelled, without_empty, without_value
from unibody.text.limits import meter_of
from unibody.text.near import near
from unibody.text.node import Item, Node, Row, SkippedNode, Value, Word
from unibody.text.shared import NO_ITEMS, NO_NAMES
from unibody.text.source import Span

__all__ = ["Binding", "bind", "text_value", "unbind"]

D = TypeVar("D", bound=Document)
# How many elements are read between two looks at the clock.
_OFTEN = 1024


@dataclass(slots=True)
class Binding:
    """How a format binds: where findings go, which of repeated items counts, and whether
    reading is watched (see ``unread``); ``xml`` tells attributes from elements in messages.
    ``shared`` are the elements that were made by the id of their node, which they hold on to.
    ``searches`` is how often a like word is still looked for: it takes its time.
    ``nodes`` is the table of elements that are chosen by their tag (see ``declare.node``),
    ``unknown`` the class of all others, ``null`` the word for no node;
    ``made`` counts the documents since it was last looked at.
    ``unit`` is a pattern of the units that numbers have in this format in any case."""

    findings: Findings
    repeat_last: bool = True
    watch: bool = False
    xml: bool = False
    searches: int = 1000
    nodes: Mapping[str, type[Tagged]] = field(default_factory=dict)
    unknown: type[Tagged] = Unknown
    null: str = ""
    unit: str = ""
    shared: dict[int, Tagged] = field(default_factory=dict, repr=False)
    told: set[str] = field(default_factory=set, repr=False)
    made: int = 0
    _owners: dict[int, tuple[Any, str]] = field(default_factory=dict, repr=False)

    def near(self, word: str, known: Collection[str], cutoff: float) -> str:
        """The known word most like this one, or ""."""
        self.searches -= 1
        return near(word, known, cutoff) if self.searches >= 0 else ""

    def owner(self, path: tuple[Any, ...]) -> str:
        """The innermost named element on the way, for a message: ``link 'ARM': ``.

        Looked up once for each element, whatever the number of its findings.
        """
        said, inner = "", path
        while inner and not said:
            known = self._owners.get(id(inner))
            if known is not None:
                said = known[1]
                break
            said, inner = called(inner[1]), inner[0]
        while path is not inner:
            self._owners[id(path)] = (path, said)
            path = path[0]
        return said

    def word(self, child: bool) -> str:
        """What an item is called in this syntax."""
        return ("element" if child else "attribute") if self.xml else "key"


def bind(cls: type[D], node: Node, binding: Binding) -> D:
    """Read ``node`` as ``cls``; what is wrong becomes a finding at the exact field, and the
    declared default holds instead.
    """
    p = plan(cls)
    root = _new(cls, p, node, binding)
    _fill_all([(root, p, ())], binding)
    _count(node, binding)
    return cast(D, root)


# Documents that are still to be filled, their declarations, and the way to them.
_Todo = list[tuple[Document, Plan, tuple[Any, ...]]]


def _fill_all(todo: _Todo, binding: Binding) -> None:
    """Fill some documents and all below them."""
    # A list of work instead of recursion: depth of the input costs no stack.
    filled = 0
    while todo:
        doc, p, path = todo.pop()
        filled += 1
        if filled % _OFTEN == 0:
            _look(doc.node)
        before = len(todo)
        _fill(doc, p, (path, doc.node), binding, todo)
        if len(todo) - before > 1:  # in the order of the text
            todo[before:] = todo[: before - 1 if before else None : -1]


def _look(node: Node | None) -> None:
    """LimitError when the load has taken too long."""
    if node is not None and node.source is not None:
        meter_of(node.source).look(node.span)


def _count(node: Node, binding: Binding) -> None:
    """LimitError when the documents made since the last time are too many for the text."""
    if node.source is not None:
        meter = meter_of(node.source)
        # The elements of skipped nodes are made after the load: their text was mostly numbers.
        if meter.is_running:
            meter.take_parts(binding.made, Span(node.source, node.start, node.end))
        binding.made = 0


def _new(cls: type[Document], p: Plan, node: Node, binding: Binding) -> Document:
    binding.made += 1
    if binding.made == _OFTEN:
        _count(node, binding)
    if binding.watch:
        cls = watched(cls)
    doc = cls(**p.empty) if p.empty else cls()
    doc.node, doc.given, doc.rest = node, NO_NAMES, NO_ITEMS
    if isinstance(doc, Tagged):
        doc.tag = node.tag
        doc.def_name = node.name
    return doc


def _keep(doc: Document, item: Item) -> None:
    """Put an item with the undeclared ones."""
    if doc.rest is NO_ITEMS:
        doc.rest = []
    doc.rest.append(item)


def _fill(doc: Document, p: Plan, path: tuple[Any, ...], binding: Binding, todo: _Todo) -> None:
    # This runs for every item of every file: what is looked up once for a class is.
    keys, given = p.keys, 0
    ranks: dict[str, int] | None = None
    for item in path[1].items:
        key, written, start = item
        entry = keys.get(key)
        if entry is None:
            _keep(doc, item)
            continue
        if given & entry.bit:
            if ranks is None:
                ranks = {}
            if not _takes(entry, item, path, binding, ranks):
                continue
        parse = entry.parse
        if parse is None:
            child = _by_tag if entry.by_tag else _child
            if child(doc, entry, item, path, binding, todo) and start != FILLED:
                given |= entry.bit
            continue
        try:
            value = parse(written)
        except Wrong as wrong:
            complain(wrong, item, path, binding)
            if wrong.value is None:
                continue
            value = wrong.value
        setattr(doc, entry.name, value)
        if start != FILLED:
            given |= entry.bit
    doc.given = p.shared.get(given) or p.names(given)
    if given & p.needed != p.needed:
        required(p, doc.given, path, binding)
    if doc.rest and not doc.SKIPPED:
        strange = [item for item in doc.rest if item[0] not in doc.KNOWN and item[0] not in keys]
        if strange:
            unknown(doc, strange, path, binding)


def _takes(entry: Entry, item: Item, path: Any, binding: Binding, ranks: dict[str, int]) -> bool:
    """Whether a repeated item replaces the one before it; says so when one is lost.

    ``ranks`` holds the best spelling so far of each field that was given more than once.
    """
    spec = entry.spec
    if spec.by == "inside" or (spec.many and spec.by in ("", "key") and not isinstance(item[1], Row)):
        return True
    spellings = (spec.key, *spec.old)
    before = ranks.get(entry.name, -1)
    if before < 0:
        first = next((k for k, _, _ in path[1].items if k in spellings), item[0])
        before = spellings.index(first) if first in spellings else entry.rank
    ranks[entry.name] = min(before, entry.rank)
    if before != entry.rank:
        binding.findings.warning(
            "key-twice",
            f"{binding.owner(path)}'{spellings[before]}' and '{spellings[entry.rank]}' say the same; "
            f"'{spellings[min(before, entry.rank)]}' counts",
            path[1].item_span(item),
            fix=_without([i for i in path[1].items if i[0] == spellings[max(before, entry.rank)]], path[1]),
        )
        return entry.rank < before
    which = "last" if binding.repeat_last else "first"
    given = [i for i in path[1].items if i[0] == item[0]]
    gone = given[:1] if binding.repeat_last else given[1:]
    binding.findings.warning(
        "key-twice",
        f"{binding.owner(path)}{binding.word(isinstance(item[1], Node))} '{item[0]}' is given twice; "
        f"the {which} one counts",
        path[1].item_span(item),
        fix=_without(gone, path[1]) if len(given) == 2 else None,
    )
    return binding.repeat_last


def _without(items: list[Item], node: Node) -> ProposedFix | None:
    """The fix that removes an item which does not count; None when there are several."""
    edit = without_value(node, items[0]) if len(items) == 1 else None
    return (
        ProposedFix(f"the {items[0][0]} that does not count removed", (edit,), leftover=True)
        if edit
        else None
    )


def _child(doc: Document, entry: Entry, item: Item, path: Any, binding: Binding, todo: _Todo) -> bool:
    """Make the child documents of one item and queue them to be filled."""
    spec, value = entry.spec, item[1]
    if not spec.many:
        made = _member(spec, entry, value, item, path, binding, todo)
        if made is not None:
            setattr(doc, entry.name, made)
        return made is not None
    values = value.values if isinstance(value, Row) else [value]
    if spec.by != "key" and isinstance(value, Row):
        # a repeated list replaces the earlier one
        setattr(doc, entry.name, NO_ITEMS)
    # getattr would count as a look at the field
    target = object.__getattribute__(doc, entry.name)
    for v in values:
        made = _member(spec, entry, v, item, path, binding, todo)
        if made is not None:
            if target is NO_ITEMS:
                target = []
                setattr(doc, entry.name, target)
            target.append(made)
    return True


def _member(
    spec: Spec, entry: Entry, value: Value, item: Item, path: Any, binding: Binding, todo: _Todo
) -> Document | None:
    if isinstance(value, Word) and not value.text:
        what = f"{binding.owner(path)}'{item[0]}' is empty"
        place = path[1].place(value, item[2])
        if spec.required:
            binding.findings.error("empty-value", what, place, "give it", fix=without_empty(place, item[0]))
        else:
            fix = without_empty(place, item[0])
            binding.findings.warning("empty-value", what, place, "remove the key", fix=fix)
        return None
    if not isinstance(value, Node):
        wanted = "an element" if binding.xml else "a mapping"
        complain(Wrong(f"must be {wanted}, not {describe(value)}", at=value), item, path, binding)
        return None
    cls = entry.member
    if cls is None:
        cls = spec.members.get("") if spec.by != "type" else _by_type(spec, value, item, path, binding)
    if cls is None:
        return None
    p = plan(cls)
    made = _new(cls, p, value, binding)
    if value.items or p.needed:  # else there is nothing to fill it with, or to say of it
        todo.append((made, p, path))
    return made


def _by_type(spec: Spec, value: Node, item: Item, path: Any, binding: Binding) -> type[Document] | None:
    name = value.word("type")
    if not name and "" in spec.members:
        return spec.members[""]
    if name is None:
        binding.findings.error(
            "type-missing",
            f"{binding.owner(path)}'{item[0]}' holds a node without a type",
            path[1].place(value, item[2]),
        )
        return None
    cls = spec.members.get(name)
    if cls is not None:
        return cls
    place = value.place(cast(Value, value.get("type")))
    alike = binding.near(name, spec.members, 0.75)
    hint = f"did you mean {alike}?" if alike else ""
    if spec.other is None:
        binding.findings.error(
            "type-unknown",
            f"{binding.owner(path)}'{name}' is no type of {item[0]}",
            place,
            hint,
            suggestion=alike,
            fix=respelled(place, name, alike),
        )
    elif alike:
        binding.findings.warning(
            "type-unknown",
            f"{binding.owner(path)}type '{name}' is not known; its data is kept",
            place,
            hint,
            suggestion=alike,
        )
    else:
        binding.findings.info(
            "type-unknown", f"{binding.owner(path)}type '{name}' is not known; its data is kept", place
        )
    return spec.other


def _by_tag(doc: Document, entry: Entry, item: Item, path: Any, binding: Binding, todo: _Todo) -> bool:
    """The elements of one item, each by its own tag; one that was met before is the same object."""
    spec, value, shared = entry.spec, item[1], binding.shared
    many, accepts = spec.many, spec.accepts
    values = value.values if many and isinstance(value, Row) else [value]
    made: list[Tagged] = []
    is_given = not values
    for v in values:
        if not isinstance(v, Node) or not v.tag:
            if isinstance(v, Word) and v.text == binding.null and not v.quote:
                is_given = True
            else:
                complain(Wrong(f"must be a node, not {describe(v)}", at=v), item, path, binding)
            continue
        known = shared.get(id(v))
        member = known if known is not None else _tagged(v, path, binding)
        if not accepts or isinstance(member, accepts):
            pass
        elif isinstance(member, binding.unknown):
            if not many:
                # whoever reads the field counts on what it may hold
                _keep(doc, item)
                return False
        else:
            wanted = " or ".join(cls.__name__ for cls in accepts)
            message = f"{binding.owner(path)}'{item[0]}' holds {v.tag}, but must hold {wanted}"
            binding.findings.error("node-misplaced", message, v.span)
            continue
        if known is None:
            shared[id(v)] = member
            if not is_deferred(member):
                p = plan(member.__class__)
                if v.items or p.needed:
                    todo.append((member, p, path))
        made.append(member)
    if not many:
        setattr(doc, entry.name, made[0] if made else None)
    elif spec.by != "inside":
        setattr(doc, entry.name, made or NO_ITEMS)
    elif made:
        # getattr would count as a look at the field
        before = object.__getattribute__(doc, entry.name)
        if before is NO_ITEMS:
            setattr(doc, entry.name, made)
        else:
            before.extend(made)
    return is_given or bool(made)


def _tagged(node: Node, path: Any, binding: Binding) -> Tagged:
    """The element of a node; the fields of that of a skipped node are bound when they are first read."""
    cls = binding.nodes.get(node.tag) or _unknown_tag(node, path, binding)
    if node.__class__ is SkippedNode and not binding.watch:
        return _later(cls, node, path, binding)
    return cast(Tagged, _new(cls, plan(cls), node, binding))


def _later(cls: type[Tagged], node: Node, path: Any, binding: Binding) -> Tagged:
    def compute() -> dict[str, Any]:
        p = plan(cls)
        made = _new(cls, p, node, binding)
        _fill_all([(made, p, path)], binding)
        return {name: getattr(made, name) for name in ("given", "rest", *p.fields)}

    return defer(cls, compute, node=node, tag=node.tag, def_name=node.name)


def _unknown_tag(node: Node, path: Any, binding: Binding) -> type[Tagged]:
    """The class of an element whose tag is not known, which is said once."""
    if node.tag not in binding.told:
        binding.told.add(node.tag)
        alike = binding.near(node.tag, binding.nodes, 0.75)
        shown = node.tag if len(node.tag) <= 100 else f"{node.tag[:99]}…"
        binding.findings.warning(
            "node-unknown",
            f"{binding.owner(path)}node type '{shown}' is not known; its data is kept",
            node.span,
            f"did you mean {alike}?" if alike else "",
            suggestion=alike,
            fix=respelled(node.span, node.tag, alike),
        )
    return binding.unknown


def text_value(node: Node) -> str:
    """The character data of an XML element, stripped."""
    return "".join(v.text for k, v, _ in node.items if k == "" and isinstance(v, Word)).strip()
