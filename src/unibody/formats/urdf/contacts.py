"""Friction of links, in the elements that Gazebo reads.

``<gazebo reference="LINK">`` states ``<mu1>`` and ``<mu2>``, the friction along two directions, for all
shapes of the link. The model has one friction, which is that of the shapes. The rest of the element is an
extra, in which the elements of the numbers stay, empty, so that they are written back where they were.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from unibody.formats.format import Context
from unibody.model.equality import close
from unibody.model.robot import Link
from unibody.model.shape import Contact
from unibody.model.traverse import path_of
from unibody.text.node import Item, Node, Word
from unibody.text.number import format_float, parse_float

_GAZEBO, _FIRST, _SECOND = "gazebo", "mu1", "mu2"
_KEYS = (_FIRST, _SECOND)


def read(
    items: Sequence[Item], links: Sequence[Link], context: Context
) -> tuple[list[Link], dict[int, Node | None]]:
    """The links with the friction of their shapes, and what remains of the elements, by the node's id.

    Nothing (None) remains of an element that :func:`write` makes of the friction alone.
    """
    touched = {link.name for link in links if link.collisions}
    friction: dict[str, float] = {}
    rest: dict[int, Node | None] = {}
    for key, node, _ in items:
        link = node.word("reference") if key == _GAZEBO and isinstance(node, Node) else None
        if link is None or link not in touched:
            continue
        assert isinstance(node, Node)
        first, second = (_number(node, key) for key in _KEYS)
        if first is None and second is None:
            continue
        if first is not None and second is not None and not close(first, second):
            context.findings.warning(
                "friction-directions",
                f"link '{link}' has friction {first:g} along one direction and {second:g} across it; "
                f"using {first:g}",
                node.head,
                "state the same number twice, since contacts of other programs have one friction",
                subject=path_of("links", link, "collisions"),
            )
            second = None  # it stays in the element
        friction[link] = first if first is not None else second  # type: ignore[assignment]
        taken = [key for key, value in zip(_KEYS, (first, second), strict=True) if value is not None]
        emptied = _with(node, dict.fromkeys(taken, None))
        is_own = (
            sorted(key for key, _, _ in node.items) == sorted(("reference", *_KEYS)) and len(taken) == 2
        )
        rest[id(node)] = None if is_own else emptied
    return [_with_friction(link, friction.get(link.name)) for link in links], rest


def write(items: Sequence[Item], links: Sequence[Link]) -> list[Item]:
    """The extras of the robot with the friction of its links; a link without an element for it gets one."""
    wanted = {link.name: value for link in links if (value := _friction(link)) is not None}
    done: set[str] = set()
    out: list[Item] = []
    for key, node, at in items:
        name = node.word("reference") if key == _GAZEBO and isinstance(node, Node) else None
        if isinstance(node, Node) and name in wanted:
            empty = [
                k
                for k, value, _ in node.items
                if k in _KEYS and isinstance(value, Node) and not value.items
            ]
            if empty:
                done.add(name)
                out.append((key, _with(node, dict.fromkeys(empty, wanted[name])), at))
                continue
        out.append((key, node, at))
    for name, value in wanted.items():
        if name not in done:
            number = format_float(value)
            numbers: list[Item] = [(key, Node(key, [("", Word(number), -1)]), -1) for key in _KEYS]
            out.append((_GAZEBO, Node(_GAZEBO, [("reference", Word(name), -1), *numbers]), -1))
    return out


def _number(node: Node, key: str) -> float | None:
    """The number in an element, as text or as its ``value``; None for anything that is none from 0 on."""
    for each, value, _ in node.items:
        if each == key and isinstance(value, Node) and [k for k, _, _ in value.items] in ([""], ["value"]):
            number = parse_float(value.word("") or value.word("value") or "")
            if number is not None and 0.0 <= number < math.inf:
                return number
    return None


def _with(node: Node, numbers: Mapping[str, float | None]) -> Node:
    """A copy with other numbers in the elements of these keys; None empties them."""
    out = copy.copy(node)
    out.items = []
    for key, value, at in node.items:
        if key in numbers and isinstance(value, Node):
            inner, number = copy.copy(value), numbers[key]
            inner.items = [] if number is None else [("", Word(format_float(number)), -1)]
            out.items.append((key, inner, at))
        else:
            out.items.append((key, value, at))
    return out


def _with_friction(link: Link, friction: float | None) -> Link:
    if friction is None:
        return link
    contact = Contact(sliding=friction)
    return replace(link, collisions=tuple(replace(x, contact=contact) for x in link.collisions))


def _friction(link: Link) -> float | None:
    """The friction that a link needs an element for: the largest one of its shapes."""
    found = [x.contact.sliding for x in link.collisions if x.contact and x.contact.sliding is not None]
    return max(found, default=None)
