"""Converts documents to nodes: the inverse of the binder, from the same declarations."""

from __future__ import annotations

from dataclasses import field
from typing import cast

from unibody.document.declare import Document, Spec, Tagged, plan
from unibody.text.dataclass import dataclass
from unibody.text.node import Node, Row, Value, Word


@dataclass(slots=True)
class _Work:
    """Documents to be written, and the nodes of shared elements."""

    todo: list[tuple[Document, Node]]
    made: dict[int, Node] = field(default_factory=dict)

    def tagged(self, doc: Tagged) -> Node:
        """The node of an element; the same node each time for a shared element."""
        node = self.made.get(id(doc))
        if node is None:
            node = self.made[id(doc)] = Node(doc.tag, name=doc.def_name)
            self.todo.append((doc, node))
        return node


def unbind(doc: Document, tag: str = "") -> Node:
    """The node of a document: its given fields, and all that differ from their default."""
    work = _Work([])
    root = work.tagged(doc) if isinstance(doc, Tagged) else Node(tag)
    if not isinstance(doc, Tagged):
        work.todo.append((doc, root))
    while work.todo:
        current, node = work.todo.pop()
        p = plan(current.__class__)
        given = current.given
        for name, spec, show, default, always in p.printed:
            value = getattr(current, name)
            if show is not None:
                if value is not None and (always or value != default or name in given):
                    shown = show(value)
                    if (
                        isinstance(shown, Node)
                        and spec.type is not None
                        and spec.type.schema.get("element")
                    ):
                        shown.tag = spec.key  # the element that holds the value as text
                    node.items.append((spec.key, shown, -1))
            elif spec.by in ("tag", "inside"):
                _unbind_tagged(spec, value, name in given, node, work)
            elif spec.many:
                _unbind_list(spec, value, name in given, node, work)
            elif value is not None:
                inner = Node(_tag(spec, value, tag))
                node.items.append((_written(spec, value), inner, -1))
                work.todo.append((value, inner))
        node.items.extend(current.rest)
    return root


def _unbind_tagged(
    spec: Spec, value: Tagged | list[Tagged] | None, given: bool, node: Node, work: _Work
) -> None:
    if isinstance(value, list):
        inner = [work.tagged(member) for member in value]
        if spec.by == "inside":
            node.items.extend(("", member, -1) for member in inner)
        elif inner or given:
            node.items.append((spec.key, Row(cast("list[Value]", inner), flow=True), -1))
    elif value is not None:
        node.items.append((spec.key, work.tagged(value), -1))
    elif given:
        node.items.append((spec.key, Word("NULL"), -1))


def _unbind_list(spec: Spec, value: list[Document], given: bool, node: Node, work: _Work) -> None:
    if spec.by == "key" or (node.tag and spec.by == ""):
        for member in value:
            inner = Node(_written(spec, member))
            node.items.append((inner.tag, inner, -1))
            work.todo.append((member, inner))
    elif value or given:
        inners: list[Value] = [Node() for _ in value]
        node.items.append((spec.key, Row(inners), -1))
        work.todo.extend(zip(value, cast("list[Node]", inners), strict=True))


def _written(spec: Spec, member: Document) -> str:
    return cast(str, member.KEY) if spec.by == "key" else spec.key  # type: ignore[attr-defined]


def _tag(spec: Spec, member: Document, tag: str) -> str:
    """The element name in syntaxes that tag their nodes (XML), else ""."""
    return _written(spec, member) if tag else ""
