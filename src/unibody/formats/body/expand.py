"""Expands merge keys, ``import`` and mapping forms of lists before binding.

Named passes over the tree, Node → Node; a node that several aliases share is expanded
once and stays one object; every node keeps its place.
"""

from __future__ import annotations

from collections.abc import Callable

from unibody.text.edit import ProposedFix, replaced
from unibody.text.finding import Findings
from unibody.text.fixes import without_empty, without_value
from unibody.text.node import Item, Node, Numbers, Row, Value, Word
from unibody.text.source import Span

# The keys under which something may be written in another way.
_SUGAR = frozenset(("<<", "import", "links", "elements"))


def expand(root: Node, findings: Findings) -> Node:
    """The file with every ``<<``, ``import``, and mapping form written out."""
    out = _walk(root, lambda node: _merge(node, findings))
    assert isinstance(out, Node)
    lists = _Lists(findings)
    links = lists.of(out, "links")
    _import(out, findings)
    lists.below(links)
    return out


def expand_elements(value: Value, findings: Findings) -> Row:
    """The content of a YAML resource (one node, a list, or type → node) as a list of elements."""
    row = as_elements(_walk(value, lambda node: _merge(node, findings)), findings, "the resource")
    _Lists(findings).below([row])
    return row


def _walk(root: Value, change: Callable[[Node], Node]) -> Value:
    """Children first, each shared value once, without recursion; what is plain stays as it is.

    Only what has an anchor can be shared. The tree that was read is not changed.
    """
    if not isinstance(root, Node | Row):
        return root
    done: dict[int, Value] = {}
    todo: list[tuple[Value, bool]] = [(root, False)]
    while todo:
        value, ready = todo.pop()
        if id(value) in done:
            continue
        if not ready and isinstance(value, Node | Row):
            todo.append((value, True))
            inner = [v for _, v, _ in value.items] if isinstance(value, Node) else value.values
            todo.extend((v, False) for v in inner if _is_rich(v))
        elif isinstance(value, Node):
            if value is root or any(k in _SUGAR or id(v) in done for k, v, _ in value.items):
                items: list[Item] = [(k, done.get(id(v), v), s) for k, v, s in value.items]
                node = Node(value.tag, items, value.source, value.start, value.end, value.name, value.flow)
                done[id(value)] = change(node)
            elif value.name:
                done[id(value)] = value
        elif isinstance(value, Row):
            if value is root or any(id(v) in done for v in value.values):
                values = [done.get(id(v), v) for v in value.values]
                done[id(value)] = Row(values, value.start, value.end, value.name, value.flow, value.starts)
            elif value.name:
                done[id(value)] = value
    return done.get(id(root), root)


def _is_rich(value: Value) -> bool:
    """Whether there may be something to change in a value: most are words, and nodes of words."""
    if isinstance(value, Node):
        for key, inner, _ in value.items:
            if key in _SUGAR or inner.__class__ is Node or inner.__class__ is Row:
                return True
        return False
    return value.__class__ is Row and any(v.__class__ is Node or v.__class__ is Row for v in value.values)


def _merge(node: Node, findings: Findings) -> Node:
    """``<<: *a`` or ``<<: [*a, *b]``: imported entries never replace own ones (facts A.1)."""
    if not any(k == "<<" for k, _, _ in node.items):
        return node
    own = {k for k, _, _ in node.items}
    items: list[Item] = []
    for key, value, start in node.items:
        if key != "<<":
            items.append((key, value, start))
            continue
        for source in value.values if isinstance(value, Row) else [value]:
            if not isinstance(source, Node):
                findings.error(
                    "merge-not-mapping", "merge key (<<) must refer to a mapping", node.place(value, start)
                )
                continue
            for item in source.items:
                if item[0] not in own:
                    own.add(item[0])
                    items.append(_placed(item, source))
    node.items = items
    return node


def _placed(item: Item, source: Node) -> Item:
    """An item moved to another node keeps its own place (both stand in one file)."""
    return item if item[2] >= 0 else (item[0], item[1], source.start)


class _Lists:
    """Single-node and type → node forms of ``links`` and ``elements`` as lists (facts A.4, A.8).

    Only these: what else a file holds under such a key means something to someone else.
    """

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        # What aliases share becomes one list; the values are held so that their ids stay theirs.
        self.made: dict[int, tuple[Value, Row]] = {}
        self.done: set[int] = set()

    def below(self, rows: list[Row]) -> None:
        """Make lists of all ``elements`` below some, without recursion."""
        todo = list(rows)
        while todo:
            for value in todo.pop().values:
                if isinstance(value, Node) and value.items and id(value) not in self.done:
                    self.done.add(id(value))
                    todo += self.of(value, "elements")

    def of(self, node: Node, key: str) -> list[Row]:
        """The lists under a key of a node, each put in its place."""
        out: list[Row] = []
        for i, (k, value, start) in enumerate(node.items):
            if k != key:
                continue
            if isinstance(value, Row):
                out.append(value)
                continue
            known = self.made.get(id(value))
            row = self._list(key, value, node.place(value, start)) if known is None else known[1]
            self.made[id(value)] = (value, row)
            node.items[i] = (key, row, start)
            out.append(row)
        return out

    def _list(self, key: str, value: Value, at: Span | None) -> Row:
        if isinstance(value, Numbers) or (isinstance(value, Word) and value.text):
            self.findings.error("wrong-value", f"{key}: must be a list or a mapping", at)
            return Row([], value.start, value.end)
        if isinstance(value, Word):
            # Choreonoid refuses an empty "elements:"; an empty list is what it says.
            message = f"'{key}' is empty; Choreonoid rejects the file"
            fix = without_empty(at, key)
            self.findings.warning("empty-elements", message, at, "remove the key", fix=fix)
            return Row([], value.start, value.end)
        return as_elements(value, self.findings, f"'{key}'")


def as_elements(value: Value, findings: Findings, what: str) -> Row:
    """Elements in any of their forms as one list of nodes with types."""
    if isinstance(value, Row):
        return value
    if not isinstance(value, Node):
        return Row([], value.start, value.end)
    if value.get("type") is not None:
        return Row([value], value.start, value.end, starts=[value.start])
    last = {key: i for i, (key, _, _) in enumerate(value.items)}
    out: list[Value] = []
    starts: list[int] = []
    for i, (key, inner, start) in enumerate(value.items):
        if last[key] != i:
            # one mapping holds a key once: the last wins, as in Choreonoid
            findings.warning(
                "key-twice",
                f"{what} gives '{key}' twice; the last one counts",
                value.place(inner, start),
                "write elements as a list, each with a type",
                fix=_first_removed(value, key),
            )
            continue
        made = _typed(key, inner, start, value, findings)
        if made is not None:
            out.append(made)
            starts.append(start)
    return Row(out, value.start, value.end, starts=starts)


def _first_removed(node: Node, key: str) -> ProposedFix | None:
    """Of a key that is given twice the first one, which does not count, is removed."""
    found = [item for item in node.items if item[0] == key]
    edit = without_value(node, found[0]) if len(found) == 2 else None
    return ProposedFix(f"the {key} that does not count removed", (edit,), leftover=True) if edit else None


def _typed(key: str, inner: Value, start: int, holder: Node, findings: Findings) -> Node | None:
    if isinstance(inner, Word) and not inner.text:
        inner = Node("", [], holder.source, inner.start, inner.end)
    if not isinstance(inner, Node):
        findings.error("wrong-value", f"{key}: must be a mapping", holder.place(inner, start))
        return None
    given = inner.word("type")
    if given is not None and given != key:
        findings.error(
            "type-differs", f"node '{key}' has the conflicting type '{given}'", inner.place(inner)
        )
    items: list[Item] = [("type", Word(key, start, start + len(key)), start)]
    items += [item for item in inner.items if item[0] != "type"]
    return Node(inner.tag, items, inner.source, inner.start, inner.end, inner.name, inner.flow)


def _import(root: Node, findings: Findings) -> None:
    """``import: *node`` of a link, in place: what the link does not say itself is taken
    from the node (the reference's meaning; Choreonoid only copies it to ``info``)."""
    links = root.get("links")
    if not isinstance(links, Row):
        return
    for i, link in enumerate(links.values):
        if not isinstance(link, Node) or link.get("import") is None:
            continue
        own = {k for k, _, _ in link.items}
        items: list[Item] = []
        for key, value, start in link.items:
            if key != "import":
                items.append((key, value, start))
                continue
            for source in value.values if isinstance(value, Row) else [value]:
                if not isinstance(source, Node):
                    findings.error(
                        "import-not-mapping", "import must be a mapping", link.place(value, start)
                    )
                    continue
                at = Span(link.source, start, start + len(key)) if link.source and start >= 0 else None
                findings.info(
                    "import-in-place",
                    "import is expanded in place, as in the reference; Choreonoid copies it to info only",
                    at or link.span,
                    fix=ProposedFix("import becomes <<", (replaced(at, "<<"),)) if at is not None else None,
                )
                items += [item for item in source.items if item[0] not in own]
                own |= {k for k, _, _ in source.items}
        links.values[i] = Node(link.tag, items, link.source, link.start, link.end, link.name, link.flow)
