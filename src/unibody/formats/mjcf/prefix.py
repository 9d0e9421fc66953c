"""Puts a prefix before the names of a model that is attached to another one."""

from __future__ import annotations

from pathlib import PurePath

from unibody.formats.mjcf.outside import ASSETS, REFERENCES, TYPED
from unibody.text.node import Item, Node, Word

#: Sections whose elements have names of their own.
_NAMED = frozenset(
    "default worldbody asset contact equality tendon actuator sensor custom keyframe".split()
)
_FILES = frozenset(("mesh", "hfield", "texture"))
_WORLD = "world"


def prefixed(root: Node, prefix: str) -> Node:
    """A copy of the tree of a model with ``prefix`` before all names and references."""
    top: Node = root.__class__(root.tag, list(root.items), root.source, root.start, root.end)
    todo: list[tuple[Node, str]] = [(top, "")]
    while todo:
        node, section = todo.pop()
        items: list[Item] = []
        for key, value, start in node.items:
            if isinstance(value, Node):
                inner: Node = value.__class__(
                    value.tag, list(value.items), value.source, value.start, value.end
                )
                if section == "asset" and key in _FILES and not inner.word("name"):
                    stem = PurePath((inner.word("file") or "").replace("\\", "/")).stem
                    inner.items.insert(0, ("name", Word(stem), -1))
                todo.append((inner, section or key))
                items.append((key, inner, start))
            elif isinstance(value, Word) and section in _NAMED and _renames(node, key, value):
                items.append((key, Word(prefix + value.text), start))
            else:
                items.append((key, value, start))
        node.items = items
    return top


def _renames(node: Node, key: str, value: Word) -> bool:
    if not value.text or (value.text == _WORLD and key.startswith("body")):
        return False
    return key in ("name", "class") or key in REFERENCES or key in ASSETS or key in TYPED
