"""The file of a robot as an importer misreads it: without an attribute, or with classes by wrong rules.

Each misreading is a file that the reader of its format reads again. What an engine has that agrees with one
is explained exactly, by what the file states.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from unibody.formats.loader import LoadError, Reading, loads
from unibody.formats.mjcf.engine import class_misreadings
from unibody.model.robot import Robot
from unibody.text.node import Item, Node, Word, with_items
from unibody.text.xml.printer import print_xml

# Attributes that name things or say which they are.
_NAMES = frozenset(
    "name class childclass link joint body geom site mesh file filename material texture group rgba "
    "model type body1 body2 joint1 joint2 tendon version target xmlns meshdir texturedir assetdir "
    "contype conaffinity condim solref solimp margin key ctrl user priority solmix".split()
)
# Elements of which the attributes concern no motion.
_OTHERS = frozenset(
    "asset visual_options statistic texture material light camera sensor key custom numeric text size flag "
    "robot mujoco transmission gazebo".split()
)
#: The elements of a format that have the default of an attribute which importers take for another one.
_DEFAULTS: Mapping[str, tuple[tuple[str, str, str, str], ...]] = {
    "mjcf": (
        ("joint", "axis", "1 0 0", "default axis x instead of z, where a joint states none"),
        ("compiler", "angle", "radian", "default unit of angles: radians instead of degrees"),
    ),
}
# The most misreadings of a file.
_MOST = 80


@dataclass(frozen=True, slots=True)
class Misread:
    """A misreading of a file: its words, and what the file then says."""

    words: str
    node: Node


def misreadings(reading: Reading) -> Iterator[tuple[str, Robot]]:
    """What an importer has of a file after each of the usual misreadings, in words and as a robot."""
    node, format = reading.node, reading.format
    if not isinstance(node, Node) or format is None or format.name not in ("urdf", "mjcf"):
        return
    folder = os.path.dirname(os.path.abspath(reading.source.name)) if reading.source is not None else ""
    files = reading.files
    for count, misread in enumerate(_misread(node, format.name)):
        if count >= _MOST:
            return
        try:
            options = {} if files is None else {"files": files}
            yield (
                misread.words,
                loads(print_xml(misread.node), format=format.name, directory=folder, **options),
            )
        except (LoadError, ValueError, OSError):
            continue


def _misread(node: Node, format: str) -> Iterator[Misread]:
    if format == "mjcf":
        for words, changed in class_misreadings(node):
            yield Misread(words, changed)
    else:
        yield from _without_axis(node)
    for tag, attribute, value, words in _DEFAULTS.get(format, ()):
        changed = _mapped(node, lambda x, up, t=tag, a=attribute, v=value: _given(x, t, a, v))
        if changed is not None:
            yield Misread(words, changed)
    for outer, tag, attribute in _attributes(node):
        of = f"<{tag}> in <{outer}>" if outer in _OUTER else f"<{tag}>"
        changed = _mapped(
            node,
            lambda x, up, o=outer, t=tag, a=attribute: _dropped(x, a) if (up, x.tag) == (o, t) else x,
        )
        if changed is not None:
            yield Misread(f"'{attribute}' of {of} ignored", changed)


# Elements that say of an inner one what it is.
_OUTER = ("inertial", "joint", "visual", "collision")


def _attributes(node: Node) -> list[tuple[str, str, str]]:
    """The attributes of a file that state numbers: the element around, the element, the attribute."""
    found: dict[tuple[str, str, str], None] = {}
    todo = [(node, "")]
    while todo:
        each, up = todo.pop()
        if each.tag in _OTHERS and each is not node:
            continue
        for key, value, _ in each.items:
            if isinstance(value, Node):
                todo.append((value, each.tag))
            elif isinstance(value, Word) and key and key not in _NAMES and each is not node:
                found[up, each.tag, key] = None
    return sorted(found)


def _mapped(node: Node, change: Callable[[Node, str], Node], up: str = "") -> Node | None:
    """A tree with changed elements, given that around them; None if none changes."""
    items: list[Item] = []
    changed = False
    for key, value, at in node.items:
        if isinstance(value, Node):
            made = _mapped(value, change, node.tag)
            changed |= made is not None
            items.append((key, made or value, at))
        else:
            items.append((key, value, at))
    own = with_items(node, items) if changed else node
    made = change(own, up)
    return made if changed or made is not own else None


def _dropped(node: Node, attribute: str) -> Node:
    kept = [item for item in node.items if item[0] != attribute]
    return with_items(node, kept) if len(kept) < len(node.items) else node


def _given(node: Node, tag: str, attribute: str, value: str) -> Node:
    if (
        node.tag != tag
        or node.word(attribute) is not None
        or (node.word("name") is None and tag == "joint")
    ):
        return node
    return with_items(node, [(attribute, Word(value), -1), *node.items])


def _without_axis(node: Node) -> Iterator[Misread]:
    """URDF's joints without an axis."""

    def change(each: Node, up: str) -> Node:
        moves = each.word("type") in ("revolute", "continuous", "prismatic")
        if each.tag != "joint" or up != "robot" or not moves or each.get("axis") is not None:
            return each
        return with_items(each, [*each.items, ("axis", Node("axis", [("xyz", Word("0 0 1"), -1)]), -1)])

    changed = _mapped(node, change)
    if changed is not None:
        yield Misread("default axis z instead of x, where a joint states none", changed)
