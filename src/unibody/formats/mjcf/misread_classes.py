"""Files of MJCF with the values of joints and geoms that wrong rules of default classes give."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from unibody.formats.mjcf.defaults import MAIN
from unibody.text.node import Item, Node, Word, with_items

#: The elements whose classes are resolved.
_TAGS = ("joint", "geom")
#: The attributes of one kind of elements that each class sets itself, from the outermost class to it.
Levels = Mapping[str, Sequence[Mapping[str, Word]]]
#: The values of an element: by its own class (None without one), those of bodies around, and all classes.
Rule = Callable[[str | None, Sequence[str], Levels], Mapping[str, Word]]


def _of(name: str | None, levels: Levels) -> dict[str, Word]:
    """The values of a class with those around it."""
    return {key: word for level in levels.get(name or MAIN, ()) for key, word in level.items()}


def _inner(around: Sequence[str]) -> str | None:
    return around[-1] if around else None


def _own(name: str | None, levels: Levels) -> dict[str, Word]:
    """What a class itself sets."""
    found = levels.get(name or MAIN, ())
    return dict(found[-1]) if found else {}


# The rule by which values of an element do not count where its classes state them.
_STRONGER = "values of default classes stronger than those of the element"
#: Wrong rules, by what a report says of them.
RULES: Mapping[str, Rule] = {
    "default classes ignored": lambda own, around, levels: {},
    "class that an element names ignored": lambda own, around, levels: _of(_inner(around), levels),
    "childclass ignored": lambda own, around, levels: _of(own, levels),
    "childclass kept where an element names a class (its values that the class does not set)": (
        lambda own, around, levels: (
            {**_of(_inner(around), levels), **_own(own, levels)} if own else _of(_inner(around), levels)
        )
    ),
    "childclass kept where an element names a class": (
        lambda own, around, levels: (
            {**_of(_inner(around), levels), **_of(own, levels)} if own else _of(_inner(around), levels)
        )
    ),
    "default class without the values of the class around it": (
        lambda own, around, levels: _own(own or _inner(around), levels)
    ),
    "values of the top default ignored": lambda own, around, levels: {
        key: word
        for level in levels.get(own or _inner(around) or MAIN, ())[1:]
        for key, word in level.items()
    },
    "only the values of the top default applied": lambda own, around, levels: _of(None, levels),
    "childclass of the outermost body taken": lambda own, around, levels: _of(
        own or (around[0] if around else None), levels
    ),
    _STRONGER: (lambda own, around, levels: _of(own or _inner(around), levels)),
}


def class_misreadings(root: Node) -> Iterator[tuple[str, Node]]:
    """The file with the values that each wrong rule gives, written at the elements."""
    tops = [value for key, value, _ in root.items if key == "default" and isinstance(value, Node)]
    if not tops:
        return
    levels = {tag: _levels(tops, tag) for tag in _TAGS}
    for words, rule in RULES.items():
        yield words, _resolved(root, rule, levels, (), stronger=words == _STRONGER)


def _levels(tops: Sequence[Node], tag: str) -> dict[str, list[dict[str, Word]]]:
    out: dict[str, list[dict[str, Word]]] = {}
    todo: list[tuple[Node, list[dict[str, Word]]]] = [(top, []) for top in tops]
    while todo:
        node, around = todo.pop()
        own = {
            key: word
            for name, element, _ in node.items
            if name == tag and isinstance(element, Node)
            for key, word, _ in element.items
            if isinstance(word, Word) and key
        }
        levels = [*around, own]
        out[node.word("class") or MAIN] = levels
        todo += [(x, levels) for key, x, _ in node.items if key == "default" and isinstance(x, Node)]
    return out


def _resolved(
    node: Node, rule: Rule, levels: Mapping[str, Levels], around: Sequence[str], *, stronger: bool
) -> Node:
    """A tree whose joints and geoms state what they are by a rule; its classes say nothing of them."""
    if node.tag == "default":
        kept = [item for item in node.items if item[0] not in _TAGS]
        return with_items(node, [_inside(x, rule, levels, around, stronger=stronger) for x in kept])
    if node.tag == "equality":
        return node
    name = node.word("childclass") if node.tag in ("body", "frame") else None
    inner = (*around, name) if name else around
    items = [_inside(item, rule, levels, inner, stronger=stronger) for item in node.items]
    if node.tag not in _TAGS or "joint" in {key for key, _, _ in node.items}:
        return with_items(node, items)
    values = rule(node.word("class"), around, levels[node.tag])
    own = {key for key, _, _ in node.items}
    if stronger:
        items = [item for item in items if item[0] not in values or item[0] in ("name", "class")]
        own = {key for key, _, _ in items}
    items += [(key, word, -1) for key, word in values.items() if key not in own]
    return with_items(node, items)


def _inside(
    item: Item, rule: Rule, levels: Mapping[str, Levels], around: Sequence[str], *, stronger: bool
) -> Item:
    key, value, at = item
    return (
        (key, _resolved(value, rule, levels, around, stronger=stronger), at)
        if isinstance(value, Node)
        else item
    )
