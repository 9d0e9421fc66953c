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
        new: Value
        match old:
            case Word():
                new = Word(old.text, quote=old.quote)
            case Numbers():
                new = Numbers(old.body, form=old.form)
            case Row():
                new = Row(list(old.values), flow=old.flow)
                todo.extend((v, new, i) for i, v in enumerate(old.values))
            case Node():
                new = Node(old.tag, [(k, v, -1) for k, v, _ in old.items], flow=old.flow)
                todo.extend((v, new, i) for i, (_, v, _) in enumerate(old.items))
        if isinstance(holder, Row):
            holder.values[at] = new
        else:
            holder.items[at] = (holder.items[at][0], new, -1)
    return top.values[0]
