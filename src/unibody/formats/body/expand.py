"""Expands merge keys, ``import`` and mapping forms of lists before binding.

A node that several aliases share is expanded once and stays one object; every node keeps its place.
"""

from __future__ import annotations

from collections.abc import Callable

from unibody.text.edit import ProposedFix, replaced
from unibody.text.finding import Findings
from unibody.text.fixes import without_empty, without_value
from unibody.text.node import Item, Node, Numbers, Row, Value, Word
from unibody.text.source import Span

# Keys that allow alternative notations.
_SUGAR = frozenset(("<<", "import", "links", "elements"))


def expand(root: Node, findings: Findings) -> Node:
    """Expand merge keys, imports and mapping forms of a file."""
    out = _walk(root, lambda node: _merge(node, findings))
    assert isinstance(out, Node)
    lists = _Lists(findings)
    links = lists.of(out, "links")
    _import(out, findings)
    lists.below(links)
    return out


def expand_elements(value: Value, findings: Findings) -> Row:
    """Expand a YAML resource (a node, a list, or a mapping of types to nodes) to a list of elements."""
    row = as_elements(_walk(value, lambda node: _merge(node, findings)), findings, "the resource")
    _Lists(findings).below([row])
    return row


def _walk(root: Value, change: Callable[[Node], Node]) -> Value:
    """Apply ``change`` to copies of all nodes with alternative notations, children first.

    Shared values, which have an anchor, are changed once. The input is not modified.
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
    """Whether a value may contain an alternative notation; false for words and nodes of words."""
    if isinstance(value, Node):
        for key, inner, _ in value.items:
            if key in _SUGAR or inner.__class__ is Node or inner.__class__ is Row:
                return True
        return False
    return value.__class__ is Row and any(v.__class__ is Node or v.__class__ is Row for v in value.values)


def _merge(node: Node, findings: Findings) -> Node:
    """``<<: *a`` or ``<<: [*a, *b]``: imported entries never replace own ones (facts A.1)."""
    if "<<" not in [k for k, _, _ in node.items]:
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
    """An item with a place; without one of its own it gets that of its node (both are in one file)."""
    return item if item[2] >= 0 else (item[0], item[1], source.start)


class _Lists:
    """Converts mapping forms of ``links`` and ``elements`` to lists (facts A.4, A.8).

    The same keys elsewhere in a file are left unchanged; other programs use them.
    """

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        # one list per shared value; keeping the values alive keeps their ids valid
        self.made: dict[int, tuple[Value, Row]] = {}
        self.done: set[int] = set()

    def below(self, rows: list[Row]) -> None:
        """Convert all ``elements`` below the given lists."""
        todo = list(rows)
        while todo:
            for value in todo.pop().values:
                if isinstance(value, Node) and value.items and id(value) not in self.done:
                    self.done.add(id(value))
                    todo += self.of(value, "elements")

    def of(self, node: Node, key: str) -> list[Row]:
        """Convert the values of a key of a node to lists, in place; returns the lists."""
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
            # Choreonoid rejects an empty "elements:"; read as an empty list
            message = f"'{key}' is empty; Choreonoid rejects the file"
            fix = without_empty(at, key)
            self.findings.warning("empty-elements", message, at, "remove the key", fix=fix)
            return Row([], value.start, value.end)
        return as_elements(value, self.findings, f"'{key}'")


def as_elements(value: Value, findings: Findings, what: str) -> Row:
    """Convert elements in any notation to a list of nodes with types."""
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
            # as in Choreonoid, the last duplicate wins
            findings.warning(
                "key-twice",
                f"duplicate key '{key}' in {what}; using the last",
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
    """Remove the first, ignored item of a duplicate key."""
    found = [item for item in node.items if item[0] == key]
    edit = without_value(node, found[0]) if len(found) == 2 else None
    return ProposedFix(f"remove the ignored {key}", (edit,), leftover=True) if edit else None


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
    """Expand ``import: *node`` of links in place; keys of the link take precedence over those of the node.

    This is the meaning of the reference; Choreonoid only copies the node to ``info``.
    """
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
                    findings.warning(
                        "import-not-mapping", "import must be a mapping; ignored", link.place(value, start)
                    )
                    continue
                at = Span(link.source, start, start + len(key)) if link.source and start >= 0 else None
                findings.info(
                    "import-in-place",
                    "import is expanded in place, as in the reference; Choreonoid copies it to info only",
                    at or link.span,
                    fix=ProposedFix("replace import by <<", (replaced(at, "<<"),))
                    if at is not None
                    else None,
                )
                items += [item for item in source.items if item[0] not in own]
                own |= {k for k, _, _ in source.items}
        links.values[i] = Node(link.tag, items, link.source, link.start, link.end, link.name, link.flow)
