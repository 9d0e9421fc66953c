"""Links that gravity does not pull, in the elements that Gazebo reads.

``<gazebo reference="LINK">`` states it by ``<gravity>false</gravity>`` or ``<turnGravityOff>``. The rest of
an element is an extra, in which the element of the flag stays, empty, so that it is written back where it
was.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace

from unibody.model.robot import Link
from unibody.text.node import Item, Node, Word

_GAZEBO, _PULLED, _FLOATS = "gazebo", "gravity", "turnGravityOff"
_YES, _NO = ("true", "1", "yes"), ("false", "0", "no")


def read(items: Sequence[Item], rest: dict[int, Node | None], links: Sequence[Link]) -> list[Link]:
    """The links with the gravity that ``items`` of the robot state.

    ``rest`` has what remains of elements, by the node's id; it is changed by what is read here.
    """
    names = {link.name for link in links}
    floats: dict[str, bool] = {}
    for key, node, _ in items:
        if key != _GAZEBO or not isinstance(node, Node) or node.word("reference") not in names:
            continue
        left = rest.get(id(node), node)
        if left is None:
            continue
        found = [(word, x) for word, inner, _ in left.items if (x := _flag(word, inner)) is not None]
        if not found:
            continue
        word, does_float = found[-1]
        floats[node.word("reference") or ""] = does_float
        is_own = word == _PULLED and does_float and len(found) == 1 and len(left.items) == 2
        rest[id(node)] = None if is_own else _with(left, None)
    return [replace(link, gravity_compensation=1.0) if floats.get(link.name) else link for link in links]


def write(items: Sequence[Item], links: Sequence[Link]) -> list[Item]:
    """The extras of the robot with the gravity of its links; one that floats gets an element for it."""
    wanted = {link.name for link in links if floats(link)}
    names = {link.name for link in links}
    done: set[str] = set()
    out: list[Item] = []
    for key, node, at in items:
        name = node.word("reference") if key == _GAZEBO and isinstance(node, Node) else None
        if (
            isinstance(node, Node)
            and name in names
            and any(_is_empty(word, x) for word, x, _ in node.items)
        ):
            done.add(name)
            out.append((key, _with(node, name in wanted), at))
        else:
            out.append((key, node, at))
    for name in (link.name for link in links):
        if name in wanted and name not in done:
            flag = Node(_PULLED, [("", Word("false"), -1)])
            out.append((_GAZEBO, Node(_GAZEBO, [("reference", Word(name), -1), (_PULLED, flag, -1)]), -1))
    return out


def floats(link: Link) -> bool:
    """Whether Gazebo is told that gravity does not pull a link, all of whose weight is borne."""
    return link.gravity_compensation == 1.0


def _flag(word: str, value: object) -> bool | None:
    """Whether an element says that a link floats; None if it says nothing."""
    if word not in (_PULLED, _FLOATS) or not isinstance(value, Node):
        return None
    said = (value.word("") or value.word("value") or "").strip().lower()
    if said not in _YES + _NO:
        return None
    return (said in _YES) == (word == _FLOATS)


def _is_empty(word: str, value: object) -> bool:
    return word in (_PULLED, _FLOATS) and isinstance(value, Node) and not value.items


def _with(node: Node, does_float: bool | None) -> Node:
    """A copy that says whether a link floats where ``node`` does; None empties these elements."""
    out = copy.copy(node)
    out.items = []
    for word, value, at in node.items:
        if does_float is None and _flag(word, value) is not None:
            out.items.append((word, Node(word), at))
        elif does_float is not None and _is_empty(word, value):
            said = "true" if does_float == (word == _FLOATS) else "false"
            out.items.append((word, Node(word, [("", Word(said), -1)]), at))
        else:
            out.items.append((word, value, at))
    return out
