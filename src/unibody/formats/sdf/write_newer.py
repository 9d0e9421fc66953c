"""Leaves out the elements and attributes that are newer than the version that is written."""

from __future__ import annotations

from typing import Any

from unibody.document.declare import Document, plan
from unibody.document.plan import Spec
from unibody.formats.copied import copied
from unibody.formats.sdf.document import OWNERS
from unibody.formats.sdf.document_world import World
from unibody.formats.sdf.write_versions import Version, parsed
from unibody.model.robot import Extra
from unibody.text.node import Item, Node


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
    todo: list[tuple[Node, type[Document]]] = [(top, owner)]
    while todo:
        node, cls = todo.pop()
        keys = plan(cls).keys
        left: list[Item] = []
        for item in node.items:
            key, value, _ = item
            entry = keys.get(key)
            if entry is not None and _is_newer(entry.spec, version):
                continue
            left.append(item)
            inner = entry.only if entry is not None else World if key == "world" else None
            if inner is not None and isinstance(value, Node):
                todo.append((value, inner))
        node.items = left
    return top.items


def _is_newer(spec: Spec, version: Version) -> bool:
    return bool(spec.since) and parsed(spec.since) > version
