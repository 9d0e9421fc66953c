"""Binds the nodes of a syntax tree to documents, as their classes declare."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import field
from typing import Any, TypeVar, cast

from unibody.document.complain import assumed, complain, element_prefix, required, unknown
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
from unibody.text.dataclass import dataclass
from unibody.text.deferred import defer
from unibody.text.edit import ProposedFix
from unibody.text.finding import Findings
from unibody.text.fixes import respelled, without_empty, without_value
from unibody.text.limits import meter_of
from unibody.text.near import did_you_mean, near
from unibody.text.node import Item, Node, Row, SkippedNode, Value, Word
from unibody.text.shared import NO_ITEMS, NO_NAMES
from unibody.text.source import Span

__all__ = ["Binding", "bind", "text_value", "unbind"]

D = TypeVar("D", bound=Document)
# Elements between two checks of the time limit.
_CHECK_INTERVAL = 1024


@dataclass(slots=True)
class Binding:
    """Options and state of binding one file.

    ``repeat_last``: of repeated items the last one is used, else the first. ``watch``: documents record
    which fields are read (see ``unread``). ``xml``: findings distinguish attributes and elements.
    ``searches``: remaining searches for similar words, which are slow. ``nodes``: classes by tag (see
    ``declare.node``); ``unknown``: the class for all other tags; ``null``: the word for no node.
    ``unit``: a pattern of units that may follow numbers without a change of their value. ``lenient``: an
    invalid optional value is a warning, and the default is used. ``strict``: an undeclared key is an error,
    except in an element that keeps them.
    ``root`` and ``root_tag``: the class and the tag of the outermost element; ``reach``: what ``places.py``
    has found below it.
    ``shared``: documents by the id of their node. ``made``: documents created since the last check."""

    findings: Findings
    repeat_last: bool = True
    watch: bool = False
    xml: bool = False
    searches: int = 1000
    nodes: Mapping[str, type[Tagged]] = field(default_factory=dict)
    unknown: type[Tagged] = Unknown
    null: str = ""
    unit: str = ""
    lenient: bool = False
    strict: bool = False
    root: type[Document] | None = None
    root_tag: str = ""
    reach: dict[Any, Any] = field(default_factory=dict, repr=False)
    shared: dict[int, Tagged] = field(default_factory=dict, repr=False)
    told: set[str] = field(default_factory=set, repr=False)
    made: int = 0
    _owners: dict[int, tuple[Any, str]] = field(default_factory=dict, repr=False)

    def near(self, word: str, known: Collection[str], cutoff: float) -> str:
        """The known word most similar to ``word``, or ""."""
        self.searches -= 1
        return near(word, known, cutoff) if self.searches >= 0 else ""

    def owner(self, path: tuple[Any, ...]) -> str:
        """The innermost named element of a path, for a finding: ``link 'ARM': ``.

        Cached for each element.
        """
        said, inner = "", path
        while inner and not said:
            known = self._owners.get(id(inner))
            if known is not None:
                said = known[1]
                break
            said, inner = element_prefix(inner[1]), inner[0]
        while path is not inner:
            self._owners[id(path)] = (path, said)
            path = path[0]
        return said

    def word(self, child: bool) -> str:
        """The syntax's word for an item: element, attribute or key."""
        return ("element" if child else "attribute") if self.xml else "key"


def bind(cls: type[D], node: Node, binding: Binding) -> D:
    """Read ``node`` as a ``cls``; an invalid value is reported at its place and replaced by the default."""
    p = plan(cls)
    if binding.root is None:
        binding.root, binding.root_tag = cls, node.tag
    root = _new(cls, p, node, binding)
    _fill_all([(root, p, ())], binding)
    _count_created(node, binding)
    return cast(D, root)


# Documents to be filled, their declarations, and their paths.
_Todo = list[tuple[Document, Plan, tuple[Any, ...]]]


def _fill_all(todo: _Todo, binding: Binding) -> None:
    """Fill documents and their descendants."""
    # A work list instead of recursion: the depth of the input is not limited by the stack.
    filled = 0
    children: _Todo = []
    while todo:
        doc, p, path = todo.pop()
        filled += 1
        if filled % _CHECK_INTERVAL == 0:
            _check_time(doc.node)
        _fill(doc, p, (path, doc.node), binding, children)
        if children:
            children.reverse()  # in document order
            todo += children
            children.clear()


def _check_time(node: Node | None) -> None:
    """Check the time limit; LimitError beyond it."""
    if node is not None and node.source is not None:
        meter_of(node.source).look(node.span)


def _count_created(node: Node, binding: Binding) -> None:
    """Count the documents created since the last check; LimitError beyond the limit."""
    if node.source is not None:
        meter = meter_of(node.source)
        # Elements of skipped nodes are created after the load; their text is mostly numbers.
        if meter.is_running:
            meter.take_parts(binding.made, Span(node.source, node.start, node.end))
        binding.made = 0


def _new(cls: type[Document], p: Plan, node: Node, binding: Binding) -> Document:
    binding.made += 1
    if binding.made == _CHECK_INTERVAL:
        _count_created(node, binding)
    if not binding.watch:
        return p.blank(node)
    doc = watched(cls)(**p.empty)
    doc.node, doc.given, doc.rest = node, NO_NAMES, NO_ITEMS
    if p.tagged and isinstance(doc, Tagged):
        doc.tag = node.tag
        doc.def_name = node.name
    return doc


def _add_rest(doc: Document, item: Item) -> None:
    """Add an item to the undeclared ones."""
    if doc.rest is NO_ITEMS:
        doc.rest = []
    doc.rest.append(item)


def _fill(doc: Document, p: Plan, path: tuple[Any, ...], binding: Binding, todo: _Todo) -> None:
    # This runs for every item of every file: lookups by class are precomputed.
    keys, given = p.keys, 0
    ranks: dict[str, int] | None = None
    for item in doc.node.items:  # type: ignore[union-attr]
        key, written, start = item
        entry = keys.get(key)
        if entry is None:
            _add_rest(doc, item)
            continue
        if given & entry.bit:
            if ranks is None:
                ranks = {}
            if not _replaces_previous(entry, item, path, binding, ranks):
                continue
        parse = entry.parse
        if parse is None:
            cls = entry.only
            if cls is not None and isinstance(written, Node):
                _add_child(doc, entry, _queued(cls, written, path, binding, todo))
                if start != FILLED:
                    given |= entry.bit
                continue
            child = _by_tag if entry.by_tag else _child
            if child(doc, entry, item, path, binding, todo) and start != FILLED:
                given |= entry.bit
            continue
        try:
            value = parse(written)
        except Wrong as wrong:
            default = p.defaults.get(entry.name)
            complain(wrong, item, path, binding, assumed(entry.spec, default, binding))
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


def _replaces_previous(
    entry: Entry, item: Item, path: Any, binding: Binding, ranks: dict[str, int]
) -> bool:
    """Whether a repeated item replaces the previous one; reports the one that is ignored.

    ``ranks`` holds the preferred spelling so far of each repeated field.
    """
    spec = entry.spec
    if spec.by == "inside" or (spec.many and spec.by in ("", "key") and not isinstance(item[1], Row)):
        return True
    spellings = (spec.key, *spec.old)
    # Only of two items one can be removed; looking for all of them each time would take quadratic time.
    first_repeat = entry.name not in ranks
    before = ranks.get(entry.name, -1)
    if before < 0:
        first = next((k for k, _, _ in path[1].items if k in spellings), item[0])
        before = spellings.index(first) if first in spellings else entry.rank
    ranks[entry.name] = min(before, entry.rank)
    if before != entry.rank:
        binding.findings.warning(
            "key-twice",
            f"{binding.owner(path)}'{spellings[before]}' and '{spellings[entry.rank]}' are the same key; "
            f"using '{spellings[min(before, entry.rank)]}'",
            path[1].item_span(item),
            fix=_without([i for i in path[1].items if i[0] == spellings[max(before, entry.rank)]], path[1])
            if first_repeat
            else None,
        )
        return entry.rank < before
    which = "last" if binding.repeat_last else "first"
    given = [i for i in path[1].items if i[0] == item[0]] if first_repeat else []
    gone = given[:1] if binding.repeat_last else given[1:]
    binding.findings.warning(
        "key-twice",
        f"{binding.owner(path)}duplicate {binding.word(isinstance(item[1], Node))} '{item[0]}'; "
        f"using the {which}",
        path[1].item_span(item),
        fix=_without(gone, path[1]) if len(given) == 2 else None,
    )
    return binding.repeat_last


def _without(items: list[Item], node: Node) -> ProposedFix | None:
    """The fix that removes an ignored item; None if there are several."""
    edit = without_value(node, items[0]) if len(items) == 1 else None
    return ProposedFix(f"remove the unused {items[0][0]}", (edit,), leftover=True) if edit else None


def _child(doc: Document, entry: Entry, item: Item, path: Any, binding: Binding, todo: _Todo) -> bool:
    """Create the child documents of an item and queue them to be filled."""
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
    for v in values:
        made = _member(spec, entry, v, item, path, binding, todo)
        if made is not None:
            _add_child(doc, entry, made)
    return True


def _add_child(doc: Document, entry: Entry, made: Document) -> None:
    """Set a child document, or add it to a list."""
    if not entry.spec.many:
        setattr(doc, entry.name, made)
        return
    # getattr would record the field as read
    target = object.__getattribute__(doc, entry.name)
    if target is NO_ITEMS:
        setattr(doc, entry.name, [made])
    else:
        target.append(made)


def _queued(cls: type[Document], node: Node, path: Any, binding: Binding, todo: _Todo) -> Document:
    """Create a document and queue it to be filled."""
    p = plan(cls)
    made = _new(cls, p, node, binding)
    if node.items or p.needed:  # otherwise there is nothing to fill or to report
        todo.append((made, p, path))
    return made


def _member(
    spec: Spec, entry: Entry, value: Value, item: Item, path: Any, binding: Binding, todo: _Todo
) -> Document | None:
    if isinstance(value, Word) and not value.text:
        what = f"{binding.owner(path)}'{item[0]}' is empty"
        place = path[1].place(value, item[2])
        if spec.required:
            binding.findings.error(
                "empty-value", what, place, "set a value", fix=without_empty(place, item[0])
            )
        else:
            fix = without_empty(place, item[0])
            binding.findings.warning("empty-value", what, place, "remove the key", fix=fix)
        return None
    if not isinstance(value, Node):
        wanted = "an element" if binding.xml else "a mapping"
        # a program that looks for an optional mapping does not see anything else
        ignored = not (spec.many or spec.required)
        otherwise = "ignored" if ignored else assumed(spec, None, binding)
        wrong = Wrong(f"must be {wanted}, not {describe(value)}", at=value, ignored=ignored)
        complain(wrong, item, path, binding, otherwise)
        return None
    cls = entry.member
    if cls is None:
        cls = spec.members.get("") if spec.by != "type" else _by_type(spec, value, item, path, binding)
    return None if cls is None else _queued(cls, value, path, binding, todo)


def _by_type(spec: Spec, value: Node, item: Item, path: Any, binding: Binding) -> type[Document] | None:
    name = value.word("type")
    if not name and "" in spec.members:
        return spec.members[""]
    if name is None:
        binding.findings.error(
            "type-missing",
            f"{binding.owner(path)}'{item[0]}' has a node without a type",
            path[1].place(value, item[2]),
        )
        return None
    cls = spec.members.get(name)
    if cls is not None:
        return cls
    place = value.place(cast(Value, value.get("type")))
    alike = binding.near(name, spec.members, 0.75)
    hint = did_you_mean(alike)
    if spec.other is None:
        binding.findings.error(
            "type-unknown",
            f"{binding.owner(path)}unknown type '{name}' in '{item[0]}'",
            place,
            hint,
            suggestion=alike,
            fix=respelled(place, name, alike),
        )
    elif alike:
        binding.findings.warning(
            "type-unknown",
            f"{binding.owner(path)}unknown type '{name}'; kept",
            place,
            hint,
            suggestion=alike,
        )
    else:
        binding.findings.info("type-unknown", f"{binding.owner(path)}unknown type '{name}'; kept", place)
    return spec.other


def _by_tag(doc: Document, entry: Entry, item: Item, path: Any, binding: Binding, todo: _Todo) -> bool:
    """Set the elements of an item, each of the class of its tag; a shared node yields the same object."""
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
        if known is not None:
            member = known
        else:
            cls = binding.nodes.get(v.tag) or _unknown_tag(v, path, binding)
            p = plan(cls)
            # the fields of a skipped node are bound on first access
            is_skipped = v.__class__ is SkippedNode and not binding.watch
            made_now = _defer_fields(cls, v, path, binding) if is_skipped else _new(cls, p, v, binding)
            member = cast(Tagged, made_now)
        if not accepts or isinstance(member, accepts):
            pass
        elif isinstance(member, binding.unknown):
            if not many:
                # readers of the field rely on its accepted classes
                _add_rest(doc, item)
                return False
        else:
            wanted = " or ".join(cls.__name__ for cls in accepts)
            message = f"{binding.owner(path)}'{item[0]}' must be {wanted}, not {v.tag}"
            binding.findings.error("node-misplaced", message, v.span)
            continue
        if known is None:
            shared[id(v)] = member
            if not is_skipped and (v.items or p.needed):
                todo.append((member, p, path))
        made.append(member)
    if not many:
        setattr(doc, entry.name, made[0] if made else None)
    elif spec.by != "inside":
        setattr(doc, entry.name, made or NO_ITEMS)
    elif made:
        # getattr would record the field as read
        before = object.__getattribute__(doc, entry.name)
        if before is NO_ITEMS:
            setattr(doc, entry.name, made)
        else:
            before.extend(made)
    return is_given or bool(made)


def _defer_fields(cls: type[Tagged], node: Node, path: Any, binding: Binding) -> Tagged:
    def compute() -> dict[str, Any]:
        p = plan(cls)
        made = _new(cls, p, node, binding)
        _fill_all([(made, p, path)], binding)
        return {name: getattr(made, name) for name in ("given", "rest", *p.fields)}

    return defer(cls, compute, node=node, tag=node.tag, def_name=node.name)


def _unknown_tag(node: Node, path: Any, binding: Binding) -> type[Tagged]:
    """The class of an element with an unknown tag, which is reported once per tag."""
    if node.tag not in binding.told:
        binding.told.add(node.tag)
        alike = binding.near(node.tag, binding.nodes, 0.75)
        shown = node.tag if len(node.tag) <= 100 else f"{node.tag[:99]}…"
        binding.findings.warning(
            "node-unknown",
            f"{binding.owner(path)}unknown node type '{shown}'; kept",
            node.span,
            did_you_mean(alike),
            suggestion=alike,
            fix=respelled(node.span, node.tag, alike),
        )
    return binding.unknown


def text_value(node: Node) -> str:
    """The character data of an XML element, stripped."""
    return "".join(v.text for k, v, _ in node.items if k == "" and isinstance(v, Word)).strip()
