"""Trees that were read, copied for writing: without places and anchors."""

from __future__ import annotations

from unibody.text.node import Node, Numbers, Row, Value, Word

#: A few lines with aliases may stand for more than any memory holds.
MOST = 200_000


def copied(value: Value, most: int = MOST) -> Value | None:
    """A copy that stands nowhere; None for a tree of more than ``most`` values.

    Anchors are left out: two files may have given one name to two things.

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
