"""Expands PROTO instances, USE, IS and Inline of VRML97 to plain nodes.

Nodes that are shared by USE, and files that are inlined twice, are shared objects of the expanded tree.
Every node keeps its position in its own file.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field

from unibody.document.declare import FILLED
from unibody.formats.format import Context
from unibody.formats.vrml97.include import Included, is_world
from unibody.formats.vrml97.scope import PROTOS, Proto, Scope, Values, marks, unplaced
from unibody.text.dataclass import dataclass
from unibody.text.fixes import respelled
from unibody.text.near import did_you_mean, near
from unibody.text.node import Item, Node, Numbers, Row, Value, Word
from unibody.text.vrml.brackets import Tree

_Task = Callable[[], None]
#: The default values of the fields of a node, by its tag.
Defaults = Callable[[str], Mapping[str, Value]]
_COST = 10
# Statements whose file is expanded as a copy.
_COPIED = frozenset((*PROTOS, "IS", "Inline", "ROUTE", "Script"))


class _Slot:
    """The destination of an expanded value: element ``index`` of a list or of a node's items.

    ``names`` are the DEF names of a node in this place, each with its scope, the outermost first.
    """

    __slots__ = ("holder", "index", "names")

    def __init__(self, holder: Row | Node, index: int, names: tuple[tuple[str, Scope], ...] = ()) -> None:
        self.holder, self.index, self.names = holder, index, names

    def put(self, value: Value) -> None:
        """Store a value at the destination."""
        if isinstance(self.holder, Row):
            self.holder.values[self.index] = value
        else:
            key, _, start = self.holder.items[self.index]
            self.holder.items[self.index] = (key, value, start)


def expand(
    root: Node,
    context: Context,
    roles: Collection[str] = (),
    defaults: Defaults | None = None,
    *,
    reuse: bool = False,
) -> Node:
    """Expand the PROTO instances, USE, IS and Inline of a file.

    Instances of prototypes named in ``roles`` stay nodes of that tag, with the declared defaults as items
    (their start is ``FILLED``) except those that equal ``defaults``. With ``reuse`` the tree may be
    changed: that takes less time. TextError if the tree expands to more than the work limit.

    >>> from unibody.files.access import MemoryFiles
    >>> from unibody.text.finding import Findings
    >>> from unibody.text.source import Source
    >>> from unibody.text.vrml.parser import parse
    >>> context = Context("a.wrl", MemoryFiles({}), Findings(), lambda path, context: None)
    >>> text = "PROTO P [ field SFFloat r 2 ] { Sphere { radius IS r } } P { r 3 }"
    >>> expand(parse(Source("a.wrl", text), Findings()), context)
    Node('', [('', Node('Sphere', [('radius', Word('3'))]))])
    """
    if reuse and isinstance(root, Tree) and not root.protos and _COPIED.isdisjoint(root.starts):
        _replace_uses(root, Scope(context))
        return root
    work = _Expansion(frozenset(roles), Included(context), defaults or (lambda tag: {}))
    made = Node("", [], root.source, root.start, root.end)
    work.file(root, Scope(context), made)
    while work.todo:
        work.todo.pop()()
    return made


def _replace_uses(root: Tree, scope: Scope) -> None:
    """Replace each USE in a tree by its node, as :class:`_Expansion` does in a copy."""
    scope.marks = marks(root)
    budget, open = scope.context.budget, set[int]()
    # values to look at, as the index in their holder; −1 after all values in a named node
    todo = _places(root, scope)
    while todo:
        holder, k = todo.pop()
        if k < 0:
            open.discard(id(holder))
            continue
        value = holder.values[k] if isinstance(holder, Row) else holder.items[k][1]
        if isinstance(value, Row):
            todo += _places(value, scope)
        elif isinstance(value, Node) and value.tag == "USE":
            _Slot(holder, k).put(scope.use(value, open) or Word("NULL"))
        elif isinstance(value, Node):
            budget.spend(_COST + len(value.items))
            if value.name:
                scope.define(value.name, value)
                open.add(id(value))
                todo.append((value, -1))
            todo += _places(value, scope)


def _places(holder: Node | Row, scope: Scope) -> list[tuple[Node | Row, int]]:
    """The values in a node or list that hold something to expand, the last one first."""
    values = holder.values if isinstance(holder, Row) else [value for _, value, _ in holder.items]
    found = [
        (holder, k)
        for k, value in enumerate(values)
        if value.__class__ is not Word and value.__class__ is not Numbers and not scope.plain(value)  # type: ignore[arg-type]
    ]
    return found[::-1]


@dataclass(slots=True, eq=False)
class _Expansion:
    """State of one expansion: the remaining tasks, and the open nodes and prototypes."""

    roles: frozenset[str]
    files: Included
    defaults: Defaults
    todo: list[_Task] = field(default_factory=list)
    open: set[int] = field(default_factory=set)
    protos: set[int] = field(default_factory=set)
    filling: set[int] = field(default_factory=set)
    own_defaults: dict[int, list[Item]] = field(default_factory=dict)

    def then(self, tasks: list[_Task]) -> None:
        """Schedule tasks to run next, in order."""
        self.todo.extend(reversed(tasks))

    def file(self, root: Node, scope: Scope, made: Node) -> None:
        """Expand the statements of a file into ``made``."""
        scope.declare(root.items)
        scope.marks = marks(root)
        tasks: list[_Task] = []
        for item in root.items:
            if isinstance(item[1], Node) and item[1].tag == "ROUTE":
                made.items.append(item)
            elif not (isinstance(item[1], Node) and item[1].tag in PROTOS):
                self.item(made, item, scope, tasks)
        tasks.append(lambda: made.items.extend(scope.routes))
        self.then(tasks)

    def item(self, made: Node, item: Item, scope: Scope, tasks: list[_Task]) -> None:
        """Expand an item into ``made``; items with nodes are deferred as tasks."""
        key, value, start = item
        if isinstance(value, Word | Numbers):
            made.items.append(item)
        elif isinstance(value, Node) and value.tag == "IS":
            self._is(made, item, value, scope)
        elif not key and isinstance(value, Node) and value.tag == "ROUTE":
            scope.routes.append(item)
        elif not key and isinstance(value, Node) and value.tag in PROTOS:
            scope.declare([item])
        elif scope.plain(value):
            made.items.append(item)
        elif isinstance(value, Node) or any(map(_holds_nodes, value.values)):
            slot = _Slot(made, len(made.items))
            made.items.append((key, Word("NULL"), start))
            tasks.append(lambda: self._value(value, scope, slot))
        else:
            made.items.append(item)

    def _is(self, made: Node, item: Item, value: Node, scope: Scope) -> None:
        """Expand ``field IS name`` to the value of the instance; events are dropped."""
        findings = scope.context.findings
        if scope.values is None:
            findings.error("is-outside", f"IS {value.name} outside of a PROTO body", value.span)
            return
        found = scope.values.get(value.name, made.source)
        proto = scope.values.proto
        if found is not None:
            made.items.append((item[0], found[0], FILLED if found[1] == FILLED else item[2]))
        elif value.name not in proto.fields:
            alike = near(value.name, proto.fields, 0.75)
            findings.error(
                "is-undeclared",
                f"IS refers to unknown field '{value.name}' of PROTO {proto.name}",
                value.span,
                did_you_mean(alike, "declare the field in the PROTO"),
            )

    def _value(self, value: Node | Row, scope: Scope, slot: _Slot) -> None:
        if isinstance(value, Node):
            self._node(value, scope, slot)
            return
        made = Row([Word("NULL")] * len(value.values), value.start, value.end, flow=value.flow)
        slot.put(made)
        tasks: list[_Task] = []
        for i, inner in enumerate(value.values):
            if isinstance(inner, Node | Row) and not scope.plain(inner):
                tasks.append(self._later(inner, scope, _Slot(made, i)))
            else:
                made.values[i] = inner
        self.then(tasks)

    def _later(self, value: Node | Row, scope: Scope, slot: _Slot) -> _Task:
        return lambda: self._value(value, scope, slot)

    def _node(self, node: Node, scope: Scope, slot: _Slot) -> None:
        """Expand a node into ``slot``."""
        if node.tag == "USE":
            found = scope.use(node, self.open)
            if found is not None:
                slot.put(found)
            return
        if node.tag == "Script":
            slot.put(node)
            return
        if node.tag in (*PROTOS, "IS"):
            message = f"{node.tag} {node.name} is not allowed here"
            scope.context.findings.error("node-misplaced", message, node.span)
            return
        proto = scope.find(node.tag)
        if proto is not None and proto.node.tag == "EXTERNPROTO":
            proto = self.files.external(proto, node.tag in self.roles)
        if node.name:
            slot = _Slot(slot.holder, slot.index, (*slot.names, (node.name, scope)))
        if proto is None or node.tag in self.roles:
            self._copy(node, scope, slot, proto)
        else:
            self._instance(node, scope, slot, proto)

    def _copy(self, node: Node, scope: Scope, slot: _Slot, proto: Proto | None) -> None:
        """Copy a node with its values expanded; adds the defaults of its prototype."""
        scope.context.budget.spend(_COST + len(node.items))
        name = slot.names[0][0] if slot.names else ""
        made = Node(node.tag, [], node.source, node.start, node.end, name, node.flow)
        slot.put(made)
        for word, where in slot.names:
            where.define(word, made)
        tasks: list[_Task] = []
        for item in node.items:
            self.item(made, item, scope, tasks)
        if proto is not None:
            self._undeclared(node, proto, scope, "read anyway")
            self._defaults(made, node, proto, tasks)
        if node.tag == "Inline":
            tasks.append(lambda: self._inline(made, scope))
        if name:
            self.open.add(id(made))
            tasks.append(lambda: self.open.discard(id(made)))
        self.then(tasks)

    def _defaults(self, made: Node, node: Node, proto: Proto, tasks: list[_Task]) -> None:
        """Add the declared defaults of fields that the instance does not set."""
        given = {key for key, _, _ in node.items}
        here = proto.node.source is made.source
        mark, nodes = id(proto.node), list[_Task]()
        if mark in self.filling:
            message = f"recursive PROTO {proto.name}: a default contains a {proto.name}"
            hint = "write NULL or [ ] as the default"
            proto.scope.context.findings.error("proto-recursion", message, proto.node.span, hint)
            return
        for item in self._own_defaults(proto, node.tag) if node.tag in self.roles else proto.defaults:
            if item[0] not in given:
                own = item if here else (item[0], unplaced(item[1]), FILLED)
                self.item(made, own, proto.scope, nodes)
        if nodes:
            tasks += [lambda: self.filling.add(mark), *nodes, lambda: self.filling.discard(mark)]

    def _own_defaults(self, proto: Proto, tag: str) -> list[Item]:
        """The defaults of a prototype that differ from ``self.defaults``."""
        found = self.own_defaults.get(id(proto))
        if found is None:
            known = self.defaults(tag)
            found = [item for item in proto.defaults if not _alike(item[1], known.get(item[0]))]
            self.own_defaults[id(proto)] = found
        return found

    def _undeclared(self, node: Node, proto: Proto, scope: Scope, outcome: str) -> None:
        for key, value, start in node.items:
            if key and key not in proto.fields:
                alike = near(key, proto.fields, 0.75)
                scope.context.findings.warning(
                    "field-undeclared",
                    f"{node.tag} {node.name}: undeclared field '{key}' of PROTO {proto.name}; {outcome}",
                    node.place(value, start),
                    did_you_mean(alike, "declare the field in the PROTO"),
                    suggestion=alike,
                    fix=respelled(node.place(value, start), key, alike),
                )

    def _instance(self, node: Node, scope: Scope, slot: _Slot, proto: Proto) -> None:
        """Expand an instance: its values in its own scope, then the body in the prototype's scope."""
        scope.context.budget.spend(_COST + len(node.items) + len(proto.fields))
        self._undeclared(node, proto, scope, "ignored")
        values = Values(proto, Node(node.tag, [], node.source, node.start, node.end))
        tasks: list[_Task] = []
        for item in node.items:
            if item[0] in proto.fields:
                self.item(values.node, item, scope, tasks)
        self._defaults(values.node, node, proto, tasks)
        tasks.append(lambda: self._body(node, scope, slot, values))
        self.then(tasks)

    def _body(self, node: Node, scope: Scope, slot: _Slot, values: Values) -> None:
        """Expand the first node of a prototype's body (ISO/IEC 14772-1, 4.8.3) for an instance."""
        proto, findings = values.proto, scope.context.findings
        mark = id(proto.node)
        if mark in self.protos:
            findings.error(
                "proto-recursion",
                f"recursive PROTO {proto.name}: the body contains a {proto.name}",
                node.span,
                f"remove {proto.name} from the body",
            )
            return
        body = proto.body()
        inner = Scope(proto.scope.context, proto.scope, values)
        inner.declare(body)
        first = next(
            (n for _, n, _ in body if isinstance(n, Node) and n.tag not in (*PROTOS, "ROUTE")), None
        )
        if first is None:
            findings.warning("proto-empty", f"PROTO {proto.name} with an empty body", proto.node.span)
            return
        self.protos.add(mark)
        self.then([lambda: self._node(first, inner, slot), lambda: self.protos.discard(mark)])

    def _inline(self, made: Node, scope: Scope) -> None:
        """Insert the nodes of the files of an Inline."""
        self.then([self._include(made, url, scope) for url in self.files.urls(made, scope)])

    def _include(self, made: Node, url: Word, scope: Scope) -> _Task:
        def include() -> None:
            if not is_world(url.text):
                made.items.append(("", self.files.mesh(url, made, scope.context), -1))
                return
            found = self.files.open(url, made, scope.context)
            if found is None:
                return
            if isinstance(found, Node):
                made.items.append(("", found, -1))
                return
            if found.done is not None:
                made.items.extend(_statements(found.done))
                return
            world = Node("", [], found.root.source, found.root.start, found.root.end)

            def close() -> None:
                self.files.close(found, world)
                made.items.extend(_statements(world))

            self.then([lambda: self.file(found.root, found.scope, world), close])

        return include


def _statements(world: Node) -> list[Item]:
    """The nodes of a file, without fields outside of nodes, which are reported by the parser."""
    return [item for item in world.items if not item[0]]


def _holds_nodes(value: Value) -> bool:
    return isinstance(value, Node | Row)


def _alike(value: Value, other: Value | None) -> bool:
    """Whether two values are equal, with the same quotes; False for nodes."""
    if isinstance(value, Word):
        return isinstance(other, Word) and value == other and value.quote == other.quote
    return isinstance(value, Numbers | Row) and not isinstance(other, Node) and value == other
