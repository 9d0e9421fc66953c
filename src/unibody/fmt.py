"""Files in the spelling and layout of their format, with every comment, and nothing else changed."""

from __future__ import annotations

import os
from dataclasses import dataclass

from unibody.assets import Assets, PlannedDisk
from unibody.document.declare import Document
from unibody.document.declare import plan as declared
from unibody.files import Files
from unibody.formats.load import Reading, read
from unibody.model.facts import diff
from unibody.text.node import Item, Node, Row, Value


@dataclass(frozen=True, slots=True)
class Formatted:
    """A file's text before and after; ``spelled`` says whether its keys could be respelled, too."""

    before: str
    after: str
    spelled: bool = True


def formatted(
    path: str, format: str | None = None, files: Files | None = None
) -> tuple[Reading, Formatted | None]:
    """The reading of a file, and its text as its format would have it; None when it cannot be read.

    The old spellings of keys become those of the format as far as the model stays what it is.
    """
    reading = read(path, format, files=files)
    if reading.robot is None or reading.source is None or reading.node is None or reading.format is None:
        return reading, None
    source, node = reading.source, reading.node
    before = source.text
    as_is = reading.format.print(node, source)
    root = type(reading.document) if reading.document is not None else None
    spelled = _respelled(node, root) if root is not None and isinstance(node, Node) else node
    after = reading.format.print(spelled, source)
    if after != as_is and not _same(path, after, reading):
        after = as_is
    if not _same(path, after, reading):
        return reading, Formatted(before, before, False)
    return reading, Formatted(before, after, after != as_is or spelled is node)


def _same(path: str, text: str, reading: Reading) -> bool:
    """Whether a text in place of the file's gives the same robot and as many findings."""
    assets = Assets({os.path.abspath(path): text.encode()})
    again = read(path, reading.format, files=Files(disk=PlannedDisk(assets)))
    if again.robot is None or reading.robot is None or diff(reading.robot, again.robot):
        return False
    return sorted(f.code for f in again.findings) == sorted(f.code for f in reading.findings)


def _respelled(node: Node, root: type[Document]) -> Node:
    """The tree with the first spelling of every declared key; shared nodes stay shared."""
    made: dict[tuple[int, type[Document]], Node] = {}
    top = Node(node.tag, [], node.source, node.start, node.end, node.name, node.flow)
    todo: list[tuple[Node, Node, type[Document]]] = [(node, top, root)]
    while todo:
        old, new, cls = todo.pop()
        p = declared(cls)
        keys = {k for k, _, _ in old.items}
        for key, value, start in old.items:
            entry = p.keys.get(key)
            written = key
            inner: list[type[Document]] = []
            if entry is not None:
                spec = entry.spec
                if (
                    spec.by != "key"
                    and key in spec.old
                    and not keys.intersection((spec.key, *spec.old)) - {key}
                ):
                    written = spec.key
                inner = [entry.member] if entry.member is not None else list(spec.members.values())
                if spec.by == "type":
                    new.items.append((written, _by_type(value, spec.members, made, todo), start))
                    continue
            elif key == "<<":
                inner = [cls]
            new.items.append((written, _plain(value, inner[0] if inner else None, made, todo), start))
    return top


_Made = dict[tuple[int, type[Document]], Node]
_Todo = list[tuple[Node, Node, type[Document]]]


def _copy(node: Node, cls: type[Document], made: _Made, todo: _Todo) -> Node:
    known = made.get((id(node), cls))
    if known is None:
        known = made[id(node), cls] = Node(
            node.tag, [], node.source, node.start, node.end, node.name, node.flow
        )
        todo.append((node, known, cls))
    return known


def _plain(value: Value, cls: type[Document] | None, made: _Made, todo: _Todo) -> Value:
    if cls is None:
        return value
    if isinstance(value, Node):
        return _copy(value, cls, made, todo)
    if isinstance(value, Row) and any(isinstance(v, Node) for v in value.values):
        return _row(value, [_plain(v, cls, made, todo) for v in value.values])
    return value


def _by_type(value: Value, members: object, made: _Made, todo: _Todo) -> Value:
    """Elements chosen by their type; a mapping of types to elements is one, too."""
    known: dict[str, type[Document]] = dict(members)  # type: ignore[call-overload]
    if isinstance(value, Row):
        return _row(
            value, [_by_type(v, known, made, todo) if isinstance(v, Node) else v for v in value.values]
        )
    if not isinstance(value, Node):
        return value
    name = value.word("type")
    cls = known.get(name if name is not None else "")
    if cls is not None:
        return _copy(value, cls, made, todo)
    if name is not None:
        return value
    items: list[Item] = []
    for key, inner, start in value.items:
        own = known.get(key)
        items.append(
            (key, _copy(inner, own, made, todo) if own and isinstance(inner, Node) else inner, start)
        )
    return Node(value.tag, items, value.source, value.start, value.end, value.name, value.flow)


def _row(row: Row, values: list[Value]) -> Row:
    return Row(values, row.start, row.end, row.name, row.flow, row.starts)
