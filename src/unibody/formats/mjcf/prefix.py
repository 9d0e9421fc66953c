"""Puts a prefix before the names of a model that is attached to another one."""

from __future__ import annotations

from pathlib import PurePath

from unibody.formats.mjcf import document_assets as assets
from unibody.formats.mjcf import document_bodies as b
from unibody.formats.mjcf.outside import ASSETS, REFERENCES, TYPED
from unibody.text.node import Item, Node, Word, elements, placed_copy

#: Sections whose elements have names of their own.
_NAMED = frozenset(
    "default worldbody asset contact equality tendon actuator sensor custom keyframe".split()
)
_FILES = frozenset(("mesh", "hfield", "texture"))
_WORLD = "world"


def prefixed(root: Node, prefix: str) -> Node:
    """A copy of the tree of a model with ``prefix`` before all names and references."""
    top = placed_copy(root)
    for section, inside, _ in top.items:
        for node in elements(inside) if isinstance(inside, Node) else ():
            if section == "asset" and node.tag in _FILES and not node.word("name"):
                stem = PurePath((node.word("file") or "").replace("\\", "/")).stem
                node.items.insert(0, ("name", Word(stem), -1))
            if node.tag == b.Attach.KEY:
                # its names are those of another model, which all get both prefixes
                inner = f"{prefix}{node.word('prefix') or ''}"
                node.items = [x for x in node.items if x[0] != "prefix"] + [("prefix", Word(inner), -1)]
            elif section in _NAMED and node.tag != assets.Model.KEY:
                node.items = [_with_prefix(node, item, prefix) for item in node.items]
    return top


def _with_prefix(node: Node, item: Item, prefix: str) -> Item:
    key, value, start = item
    if isinstance(value, Word) and _renames(node, key, value):
        return key, Word(prefix + value.text), start
    return item


def _renames(node: Node, key: str, value: Word) -> bool:
    if not value.text or (value.text == _WORLD and key.startswith("body")):
        return False
    return key in ("name", "class") or key in REFERENCES or key in ASSETS or key in TYPED
