"""What a file states of joints and links beside their numbers, in words: elements and attributes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unibody.text.node import Node, elements

# The elements of joints and links, and the attributes by which <gazebo> refers to them.
_NAMED = {"urdf": ("joint", "link"), "mjcf": ("joint", "body")}
_REFERS, _AT = "gazebo", "reference"
# Elements within links and bodies that are joints or links of their own.
_OWN = frozenset(("body", "joint", "freejoint"))
# What all have, and what tells which one it is.
_PLAIN = frozenset("name class childclass parent child link type rgba material texture user".split())


def statements_of(node: Any, format: str) -> dict[str, frozenset[str]]:
    """The elements and attributes that a file states of joints and links, by their names, in words.

    Those of a joint or link that <gazebo> refers to are its own, too.
    """
    out: dict[str, set[str]] = {}
    tags = _NAMED.get(format, ())
    for each in elements(node) if isinstance(node, Node) else ():
        is_reference = format == "urdf" and each.tag == _REFERS
        name = each.word(_AT if is_reference else "name") if is_reference or each.tag in tags else None
        if name:
            out.setdefault(name, set()).update(_stated(each))
    return {name: frozenset(words) for name, words in out.items()}


def _stated(node: Node) -> Iterator[str]:
    """The words for the elements and attributes of an element, without those of joints and links in it."""
    for key, value, _ in node.items:
        if isinstance(value, Node):
            if key not in _OWN and key not in _PLAIN:
                yield f"<{key}>"
                yield from _stated(value)
        elif key and key not in _PLAIN and key != _AT:
            yield f"'{key}' of <{node.tag}>"
