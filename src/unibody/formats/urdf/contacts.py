"""Friction of links, in the elements that Gazebo and Bullet read.

``<gazebo reference="LINK">`` states ``<mu1>`` and ``<mu2>``, the friction along two directions, for all
shapes of the link. The model has one friction, which is that of the shapes. Bullet reads ``<contact>`` in
the link: the friction of sliding, spinning and rolling. Where both state another friction of sliding, that
of ``<contact>`` is read. The rest of an element is an extra, in which the elements of the numbers stay,
empty, so that they are written back where they were.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.formats.urdf import document as d
from unibody.model.equality import close
from unibody.model.robot import Link
from unibody.model.shape import Contact
from unibody.model.traverse import path_of
from unibody.text.node import Item, Node, Word
from unibody.text.number import format_float, parse_float

_GAZEBO, _FIRST, _SECOND = "gazebo", "mu1", "mu2"
_KEYS = (_FIRST, _SECOND)
_CONTACT = "contact"
#: The values of a shape by the elements in which Bullet states them.
_LATERAL, _SPINNING, _ROLLING = "lateral_friction", "spinning_friction", "rolling_friction"
_BULLET = {_LATERAL: "sliding", _SPINNING: "torsional", _ROLLING: "rolling"}


def read_bullet(
    items: Sequence[Sequence[Item]], links: Sequence[Link]
) -> tuple[list[Link], dict[int, Node | None]]:
    """The links with the contact values of ``<contact>``, and what remains of these, by the node's id.

    ``items`` are the extras of each link. Nothing (None) remains of an element with such values alone.
    """
    out: list[Link] = []
    rest: dict[int, Node | None] = {}
    for link, own in zip(links, items, strict=True):
        values: dict[str, float] = {}  # by the name in the model
        for key, node, _ in own if link.collisions else ():
            if key != _CONTACT or not isinstance(node, Node):
                continue
            found = {word: x for word in _BULLET if (x := _number(node, word)) is not None}
            values |= {_BULLET[word]: x for word, x in found.items()}
            is_own = sorted(found) == sorted(word for word, _, _ in node.items)
            if found:
                rest[id(node)] = None if is_own else _with(node, dict.fromkeys(found, None))
        out.append(_with_contact(link, **values))
    return out, rest


def write_bullet(items: Sequence[Item], link: Link) -> list[Item]:
    """The extras of a link with the contact values of its shapes."""
    values = {word: x for word, name in _BULLET.items() if (x := _largest(link, name)) is not None}
    out = list(items)
    place = next((i for i, (key, v, _) in enumerate(out) if key == _CONTACT and isinstance(v, Node)), None)
    if place is None:
        numbers: list[Item] = [(word, _element(word, x), -1) for word, x in values.items()]
        return [*out, (_CONTACT, Node(_CONTACT, numbers), -1)] if numbers else out
    node = out[place][1]
    assert isinstance(node, Node)
    left = dict(values)
    kept: list[Item] = []
    for word, value, at in node.items:
        is_empty = word in _BULLET and isinstance(value, Node) and not value.items
        if is_empty and word in left:
            kept.append((word, _element(word, left.pop(word)), at))
        elif not is_empty:
            left.pop(word, None)
            kept.append((word, value, at))
    kept += [(word, _element(word, x), -1) for word, x in left.items()]
    made = copy.copy(node)
    made.items = kept
    out[place] = (_CONTACT, made, out[place][2])
    return out


def _element(word: str, value: float) -> Node:
    return Node(word, [("value", Word(format_float(value)), -1)])


def read(
    items: Sequence[Item], links: Sequence[Link], context: Context
) -> tuple[list[Link], dict[int, Node | None]]:
    """The links with the friction of their shapes, and what remains of the elements, by the node's id.

    Nothing (None) remains of an element that :func:`write` makes of the friction alone.
    """
    touched = {link.name for link in links if link.collisions}
    known = {link.name: _largest(link, "sliding") for link in links}
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
        stated = known[link]
        if stated is not None and not close(first if first is not None else second or 0.0, stated):
            continue  # another one than that of <contact>
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
    return [
        _with_contact(link, sliding=friction[link.name])
        if link.name in friction and known[link.name] is None
        else link
        for link in links
    ], rest


def write(items: Sequence[Item], links: Sequence[Link]) -> list[Item]:
    """The extras of the robot with the friction of its links; a link without an element for it gets one."""
    wanted = {link.name: value for link in links if (value := _largest(link, "sliding")) is not None}
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
            if any(key in _KEYS for key, _, _ in node.items):
                done.add(name)  # another one than that of <contact>
        out.append((key, node, at))
    for name, value in wanted.items():
        if name not in done:
            number = format_float(value)
            numbers: list[Item] = [(key, Node(key, [("", Word(number), -1)]), -1) for key in _KEYS]
            out.append((_GAZEBO, Node(_GAZEBO, [("reference", Word(name), -1), *numbers]), -1))
    return out


def state_as(out: Document, source: Document) -> None:
    """Leave sliding friction to the kind of element in which alone the ``source`` states it, in place."""
    assert isinstance(out, d.Robot)
    assert isinstance(source, d.Robot)
    bodies = [x for x in out.items if isinstance(x, d.Link)]
    stated = [item for x in source.items if isinstance(x, d.Link) for item in x.rest]
    is_in_gazebo = any(_has(item, _GAZEBO, _KEYS) for item in source.rest)
    is_in_contact = any(_has(item, _CONTACT, (_LATERAL,)) for item in stated)
    if is_in_contact and not is_in_gazebo:
        out.rest = [item for item in out.rest if not _has(item, _GAZEBO, _KEYS, ("reference",))]
    if is_in_gazebo and not is_in_contact:
        for body in bodies:
            body.rest = [item for item in body.rest if not _has(item, _CONTACT, (_LATERAL,), ())]


def _has(item: Item, key: str, words: Sequence[str], others: Sequence[str] | None = None) -> bool:
    """Whether an item is an element with one of these words, and with only ``others`` beside them."""
    name, node, _ = item
    if name != key or not isinstance(node, Node):
        return False
    found = {word for word, _, _ in node.items}
    return bool(found & set(words)) and (others is None or found <= {*words, *others})


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


def _with_contact(link: Link, **values: Any) -> Link:
    """The link with these contact values of its shapes, beside those that they have."""
    if not values:
        return link
    shapes = (replace(x, contact=replace(x.contact or Contact(), **values)) for x in link.collisions)
    return replace(link, collisions=tuple(shapes))


def _largest(link: Link, name: str) -> float | None:
    """The largest of a contact value of the shapes of a link."""
    found = [getattr(x.contact, name) for x in link.collisions if x.contact is not None]
    return max((value for value in found if value is not None), default=None)
