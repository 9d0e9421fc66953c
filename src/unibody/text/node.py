"""The syntax tree of all syntaxes: nodes of (key, value) items, with positions.

A value is a Word (a scalar), a Row (a list of values), Numbers (a slice of the source, converted on
first use) or a Node. XML attributes, VRML fields and YAML keys are items; a YAML list is a Row; XML
text is an item with the empty key.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from unibody.text.deferred import Deferred, defer
from unibody.text.number import number_words, parse_floats, parse_ints, without_comments
from unibody.text.shared import NO_ITEMS
from unibody.text.source import Source, Span


class Word:
    """A scalar: its unquoted text, its offsets, its quote and its anchor (``name``)."""

    __slots__ = ("end", "name", "quote", "start", "text")

    def __init__(self, text: str, start: int = -1, end: int = -1, quote: str = "", name: str = "") -> None:
        # one by one: a tuple of five takes a quarter longer, and a file has many words
        self.text = text
        self.start = start
        self.end = end
        self.quote = quote
        self.name = name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Word) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Word({self.text!r})"


class Numbers:
    """A list of numbers as a slice of the source, converted on first use.

    Equal to a Row of the same words. ``form`` is the notation: "," a YAML list (separated by commas),
    "[" a VRML list (separated by white space, commas and comments), "" the same without brackets.
    """

    __slots__ = ("_words", "body", "end", "form", "name", "start")

    def __init__(
        self, body: str, start: int = -1, end: int = -1, name: str = "", form: Literal[",", "[", ""] = ","
    ) -> None:
        self.body, self.start, self.end, self.name, self.form = body, start, end, name, form
        self._words: list[str] | None = None

    def words(self) -> list[str]:
        """The numbers as written."""
        if self._words is None:
            if self.form != ",":
                self._words = without_comments(self.body).replace(",", " ").split()
            else:
                self._words = [w.strip() for w in self.body.split(",")]
                if self._words and not self._words[-1]:
                    self._words.pop()
        return self._words

    def array(self) -> NDArray[np.float64]:
        """The numbers (n,) as float64; ValueError if a word is not a number."""
        return parse_floats(self.body)

    def integers(self) -> NDArray[np.int64]:
        """The numbers (n,) as int64; ValueError if a word is not an integer."""
        return parse_ints(self.body)

    def places(self) -> list[Word]:
        """The numbers as words with their offsets."""
        found = number_words(self.body) if self.form != "," else _between_commas(self.body)
        if self.start < 0:
            return [Word(text) for text, _ in found]
        first = self.start + (self.form != "")
        return [Word(text, first + at, first + at + len(text)) for text, at in found]

    def __len__(self) -> int:
        return len(self.words())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Numbers):
            return self.words() == other.words()
        if isinstance(other, Row):
            return other == self
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Numbers({self.body[:40]!r})"


def _between_commas(body: str) -> list[tuple[str, int]]:
    """The words between commas, and their offsets."""
    out: list[tuple[str, int]] = []
    at = 0
    for piece in body.split(","):
        if text := piece.strip():
            out.append((text, at + len(piece) - len(piece.lstrip())))
        at += len(piece) + 1
    return out


class Row:
    """A list of values; ``name`` is its anchor, ``flow`` means written in brackets.

    ``starts`` are the offsets of the items; that of an alias differs from that of its value.
    """

    __slots__ = ("end", "flow", "name", "start", "starts", "values")

    def __init__(
        self,
        values: list[Value],
        start: int = -1,
        end: int = -1,
        name: str = "",
        flow: bool = False,
        starts: list[int] | None = None,
    ) -> None:
        self.values, self.start, self.end, self.name, self.flow = values, start, end, name, flow
        self.starts: list[int] = NO_ITEMS if starts is None else starts

    def __iter__(self) -> Iterator[Value]:
        return iter(self.values)

    def __len__(self) -> int:
        return len(self.values)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Row):
            return self.values == other.values
        if isinstance(other, Numbers):
            return [v.text if isinstance(v, Word) else None for v in self.values] == other.words()
        return NotImplemented

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        try:
            return f"Row({self.values!r})"
        except RecursionError:  # too deep for repr
            return "Row(…)"


class Node:
    """A tagged list of items (key, value, offset of the key) in document order.

    ``name`` is its DEF name or anchor; ``start`` and ``end`` are offsets in ``source``.
    """

    __slots__ = ("end", "flow", "items", "name", "source", "start", "tag")

    def __init__(
        self,
        tag: str = "",
        items: list[Item] | None = None,
        source: Source | None = None,
        start: int = -1,
        end: int = -1,
        name: str = "",
        flow: bool = False,
    ) -> None:
        self.tag = tag
        self.name = name
        self.source = source
        self.start = start
        self.end = end
        self.items: list[Item] = [] if items is None else items
        self.flow = flow

    @property
    def span(self) -> Span | None:
        """The whole text of the node; None for a node created in code."""
        return Span(self.source, self.start, self.end) if self.source else None

    @property
    def head(self) -> Span | None:
        """The span of findings about the node as a whole."""
        return self.span

    def get(self, *keys: str) -> Value | None:
        """The last value of the first of ``keys`` that the node has; None if it has none."""
        for key in keys:
            for k, value, _ in reversed(self.items):
                if k == key:
                    return value
        return None

    def word(self, *keys: str) -> str | None:
        """The text of the value of :meth:`get` if it is a scalar, else None."""
        value = self.get(*keys)
        return value.text if isinstance(value, Word) else None

    def place(self, value: Value, start: int = -1) -> Span | None:
        """The span of one of the node's values, else of the item at ``start``, else of the node."""
        if isinstance(value, Node) and value.source:
            return value.span
        if self.source is None:
            return None
        if not isinstance(value, Node) and value.start >= 0:
            return Span(self.source, value.start, value.end)
        if start >= 0:
            return Span(self.source, start, start + 1)
        return self.span

    def item_span(self, item: Item) -> Span | None:
        """The span of an item's value; overridden by syntaxes whose values lack offsets."""
        return self.place(item[1], item[2])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        return equal(self, other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        try:
            return f"Node({self.tag!r}, {[(k, v) for k, v, _ in self.items]!r})"
        except RecursionError:  # too deep for repr
            return f"Node({self.tag!r}, …)"


class SkippedNode(Deferred, Node):
    """A node whose items are parsed on first access; ``geometry`` is the tag of its geometry."""

    __slots__ = ("_compute", "geometry")
    geometry: str


def walk(trees: Iterable[Value], file: str, most: int = 200_000) -> Iterator[Node]:
    """The nodes of syntax trees that were read from one file, each once; ends after ``most`` nodes."""
    todo, seen = list(trees)[::-1], set[int]()
    while todo and len(seen) < most:
        value = todo.pop()
        if isinstance(value, Row):
            todo.extend(reversed(value.values))
        elif isinstance(value, Node) and id(value) not in seen:
            seen.add(id(value))
            if value.source is not None and value.source.name == file:
                yield value
            todo.extend(v for _, v, _ in reversed(value.items) if isinstance(v, Node | Row))


def elements(top: Node) -> Iterator[Node]:
    """A node and all nodes below it in document order, for trees as XML has them: without lists.

    The items of a node are looked at after it was yielded, so that the caller may change them.
    """
    todo = [top]
    while todo:
        node = todo.pop()
        yield node
        todo += [value for _, value, _ in reversed(node.items) if isinstance(value, Node)]


def values(top: Value) -> Iterator[Value]:
    """A value and all below it in document order, shared lists and nodes once.

    As with ``elements``, the caller may change the items of a node.
    """
    todo, seen = [top], set[int]()
    while todo:
        value = todo.pop()
        if isinstance(value, Row | Node):
            if id(value) in seen:
                continue
            seen.add(id(value))
        yield value
        todo += _inner(value)[::-1]


def _inner(value: Value) -> list[Value]:
    if isinstance(value, Node):
        return [inner for _, inner, _ in value.items]
    return value.values if isinstance(value, Row) else []


def with_items(node: Node, items: Iterable[Item]) -> Node:
    """A copy of a node with other items, at its place."""
    return Node(node.tag, list(items), node.source, node.start, node.end, node.name, node.flow)


def placed_copy(root: Node) -> Node:
    """A copy of a tree of nodes, which keep their places and share their words."""
    top = _placed(root)
    todo = [top]  # by hand: every load of MJCF copies its tree
    while todo:
        items = todo.pop().items
        for i, (key, value, start) in enumerate(items):
            if isinstance(value, Node):
                inner = _placed(value)
                items[i] = (key, inner, start)
                todo.append(inner)
    return top


def _placed(node: Node) -> Node:
    made: Node = node.__class__(node.tag, node.items.copy(), node.source, node.start, node.end, node.name)
    return made


def shared_copy(top: Node, one: Callable[[Value], Value] = copy) -> Node:
    """A copy of a tree in which shared values stay shared.

    ``one`` copies a value whose items are still those of the old one: with its places, by default.
    """
    made: dict[int, Value] = {}
    todo: list[Value] = [top]
    while todo:
        old = todo.pop()
        if id(old) not in made:
            made[id(old)] = one(old)
            todo += _inner(old)
    for new in made.values():
        if isinstance(new, Row):
            new.values = [made[id(v)] for v in new.values]
        elif isinstance(new, Node):
            new.items = [(k, made[id(v)], at) for k, v, at in new.items]
    out = made[id(top)]
    assert isinstance(out, Node)
    return out


def skipped(
    tag: str, source: Source, start: int, end: int, geometry: str, read: Callable[[SkippedNode], list[Item]]
) -> SkippedNode:
    """A node whose parser has only found its end; ``read`` parses its items."""
    made: SkippedNode = defer(
        SkippedNode,
        lambda: {"items": read(made)},
        tag=tag,
        name="",
        flow=False,
        source=source,
        start=start,
        end=end,
        geometry=geometry,
    )
    return made


Value: TypeAlias = Word | Numbers | Row | Node
Item: TypeAlias = tuple[str, Value, int]


def equal(a: Value, b: Value, names: bool = False) -> bool:
    """Whether tags, keys, values, order and (with ``names``) anchors are equal, wherever they are.

    Uses a work list instead of recursion, so that depth is not limited.
    """
    todo: list[tuple[Value, Value]] = [(a, b)]
    while todo:
        x, y = todo.pop()
        if x is y:
            continue
        if isinstance(x, Node):
            if not isinstance(y, Node) or x.tag != y.tag or len(x.items) != len(y.items):
                return False
            if names and x.name != y.name:
                return False
            for (k, v, _), (other, w, _) in zip(x.items, y.items, strict=True):
                if k != other:
                    return False
                todo.append((v, w))
        elif isinstance(x, Row) and isinstance(y, Row):
            if len(x.values) != len(y.values):
                return False
            todo.extend(zip(x.values, y.values, strict=True))
        elif x != y:
            return False
    return True


def words(value: Value) -> tuple[str, ...]:
    """All tags, keys and words of a value in order; equal values have equal words."""
    out: list[str] = []
    todo: list[Value | str] = [value]
    while todo:
        v = todo.pop()
        if isinstance(v, str):
            out.append(v)
        elif isinstance(v, Word):
            out.append(v.text)
        elif isinstance(v, Numbers):
            out.extend(("[", *v.words(), "]"))
        elif isinstance(v, Row):
            out.append("[")
            todo.append("]")
            todo.extend(reversed(v.values))
        else:
            out.append(f"{{{v.tag}")
            todo.append("}")
            for k, inner, _ in reversed(v.items):
                todo.extend((inner, k))
    return tuple(out)


def plain(value: Value) -> Any:
    """The value as JSON data: a Node is {"tag": …, "items": [[key, value], …]}, a scalar its text.

    Uses a work list instead of recursion, so that depth is not limited.
    """
    out: list[Any] = [None]
    todo: list[tuple[Value, list[Any], int]] = [(value, out, 0)]
    while todo:
        v, holder, at = todo.pop()
        if isinstance(v, Word):
            holder[at] = v.text
        elif isinstance(v, Numbers):
            holder[at] = list(v.words())
        elif isinstance(v, Row):
            holder[at] = row = [None] * len(v.values)
            todo.extend((inner, row, i) for i, inner in enumerate(v.values))
        else:
            pairs: list[list[Any]] = [[k, None] for k, _, _ in v.items]
            made: dict[str, Any] = {"tag": v.tag} if v.tag else {}
            if v.name:
                made["name"] = v.name
            holder[at] = made | {"items": pairs}
            todo.extend((inner, pair, 1) for pair, (_, inner, _) in zip(pairs, v.items, strict=True))
    return out[0]


def unplain(data: Any) -> Value:
    """The inverse of :func:`plain`."""
    top = Row([Word("")])
    todo: list[tuple[Any, Row | Node, int]] = [(data, top, 0)]
    while todo:
        d, holder, at = todo.pop()
        made: Value
        if isinstance(d, str):
            made = Word(d)
        elif isinstance(d, list):
            made = Row([Word("")] * len(d))
            todo.extend((inner, made, i) for i, inner in enumerate(d))
        else:
            blank = Word("")
            made = Node(d.get("tag", ""), [(k, blank, -1) for k, _ in d["items"]], name=d.get("name", ""))
            todo.extend((inner, made, i) for i, (_, inner) in enumerate(d["items"]))
        if isinstance(holder, Row):
            holder.values[at] = made
        else:
            holder.items[at] = (holder.items[at][0], made, -1)
    return top.values[0]
