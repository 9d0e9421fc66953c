"""What is newer than a version: which version a robot needs, and what another one leaves out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unibody.document.declare import Document, plan
from unibody.document.plan import Spec
from unibody.formats.copied import copied
from unibody.formats.sdf.document import OWNERS
from unibody.formats.sdf.document_world import World
from unibody.formats.sdf.write_versions import DEFAULT, Version, parsed
from unibody.model.robot import Extra, Robot
from unibody.text.node import Item, Node


def version_of(robot: Robot) -> Version:
    """The version that is written of a robot if none is asked for: a newer one if what is kept needs it.

    >>> from unibody.model.robot import Link
    >>> version_of(Robot(name="box", links=(Link(name="box"),)))
    (1, 11)
    """
    found = DEFAULT
    for extra in robot.extras:
        owner = OWNERS.get(extra.owner.partition("/")[0])
        if extra.format != "sdf" or owner is None:
            continue
        for node, cls in _declared(extra.node, owner):
            keys = plan(cls).keys
            since = (keys[key].spec.since for key, _, _ in node.items if key in keys)
            found = max(found, *map(parsed, filter(None, since)), DEFAULT)
    return found


def drop_newer(doc: Document, version: Version) -> None:
    """Remove from a document what is newer than a version, also in what was kept, in place."""
    todo: list[Any] = [doc]
    while todo:
        current = todo.pop()
        p = plan(type(current))
        for name, spec in p.fields.items():
            value = getattr(current, name)
            if _is_newer(spec, version):
                setattr(current, name, [] if spec.many else p.defaults[name])
                current.given = current.given - {name}
            elif isinstance(value, Document):
                todo.append(value)
            elif isinstance(value, list):
                todo += [x for x in value if isinstance(x, Document)]
        if current.rest:
            current.rest = _older(current.rest, type(current), version)


def is_newer(before: object, after: object, version: Version) -> bool:
    """Whether what is kept of a file has something newer than a version, and lacks it afterwards."""
    if isinstance(before, Extra) and after is None:
        owner = OWNERS.get(before.owner.partition("/")[0])
        is_own = before.format == "sdf" and owner is not None
        return is_own and _without(before.node, owner, version) != before.node
    if not isinstance(before, Node) or not isinstance(after, Node) or before == after:
        return False
    # the nodes of two extras: what owns them is not known here
    return any(_without(before, owner, version) == after for owner in OWNERS.values())


def _without(node: Node, owner: type[Document] | None, version: Version) -> Node | None:
    """A copy of a node without what is newer than a version."""
    out = copied(node)
    if isinstance(out, Node) and owner is not None:
        out.items = _older(out.items, owner, version)
    return out if isinstance(out, Node) else None


def _older(items: list[Item], owner: type[Document], version: Version) -> list[Item]:
    """The items of an element that a version has; what is below them is changed in place."""
    top = Node("", items)
    for node, cls in _declared(top, owner):
        keys = plan(cls).keys
        node.items = [x for x in node.items if x[0] not in keys or not _is_newer(keys[x[0]].spec, version)]
    return top.items


def _declared(top: Node, owner: type[Document]) -> Iterator[tuple[Node, type[Document]]]:
    """An element and all below it, with their classes; each may be changed before the next is asked for."""
    todo: list[tuple[Node, type[Document]]] = [(top, owner)]
    while todo:
        node, cls = todo.pop()
        yield node, cls
        keys = plan(cls).keys
        for key, value, _ in node.items:
            entry = keys.get(key)
            inner = entry.only if entry is not None else World if key == "world" else None
            if inner is not None and isinstance(value, Node):
                todo.append((value, inner))


def _is_newer(spec: Spec, version: Version) -> bool:
    return bool(spec.since) and parsed(spec.since) > version
