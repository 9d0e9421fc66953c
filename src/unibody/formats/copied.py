"""Copies trees for writing, without source positions and anchors."""

from __future__ import annotations

from unibody.text.node import Node, Numbers, Row, Value, Word

#: Maximum number of values: a few lines with aliases can expand to more than fits into memory.
MOST = 200_000


def copied(value: Value, most: int = MOST) -> Value | None:
    """A copy without source positions; None for a tree of more than ``most`` values.

    Anchors are dropped: two files may use the same name for different values.

    >>> copied(Node("", [("a", Word("1", name="ONE"), 7)], name="TOP"))
    Node('', [('a', Word('1'))])
    """
    top = Row([value])
    todo: list[tuple[Value, Row | Node, int]] = [(value, top, 0)]
    count = 0
    while todo:
        old, holder, at = todo.pop()
        count += 1
        if count > most:
            return None
        new = bare(old)
        if isinstance(new, Row):
            todo.extend((v, new, i) for i, v in enumerate(new.values))
        elif isinstance(new, Node):
            todo.extend((v, new, i) for i, (_, v, _) in enumerate(new.items))
        if isinstance(holder, Row):
            holder.values[at] = new
        else:
            holder.items[at] = (holder.items[at][0], new, -1)
    return top.values[0]


def bare(value: Value) -> Value:
    """A copy of one value without source position and anchor; the values inside are the same."""
    match value:
        case Word():
            return Word(value.text, quote=value.quote)
        case Numbers():
            return Numbers(value.body, form=value.form)
        case Row():
            return Row(list(value.values), flow=value.flow)
        case Node():
            return Node(value.tag, [(k, v, -1) for k, v, _ in value.items], flow=value.flow)
