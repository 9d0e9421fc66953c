"""Alignment of the items of two lists: by name, else by content."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from typing import Any, TypeAlias

from unibody.model.robot import Robot
from unibody.model.traverse import field_lists, fields_with, fingerprint, items, key_field, part
from unibody.text.dataclass import dataclass

Item: TypeAlias = Any
Entry: TypeAlias = tuple[str, Item]
_Pairs: TypeAlias = dict[str, str]

# With more pairs than this, unequal items are paired in order instead of by similarity, which is
# quadratic.
_PAIRS_COMPARED = 40_000
_NO_SKIP: frozenset[str] = frozenset()
_NAMES = frozenset(("name", "material/name"))
_ODD = re.compile(r"[\W_]+")


def _take(
    left: dict[str, Item],
    right: dict[str, Item],
    key: Callable[[str, Item, bool], Hashable],
    equal: Callable[[Item, Item], bool],
) -> _Pairs:
    """Pair equal items with the same ``key``, in order, and remove them from both dicts."""
    if not left or not right:
        return {}
    buckets: dict[Hashable, list[str]] = {}
    for name, item in right.items():
        buckets.setdefault(key(name, item, False), []).append(name)
    out: _Pairs = {}
    for name, item in left.items():
        bucket = buckets.get(key(name, item, True), [])
        for at, other in enumerate(bucket):
            if equal(item, right[other]):
                out[name] = bucket.pop(at)
                break
    for name, other in out.items():
        del left[name], right[other]
    return out


def pair_up(left: dict[str, Item], right: dict[str, Item], equal: Callable[[Item, Item], bool]) -> _Pairs:
    """Pair items without unique names.

    Equal ones first, then shapes whose names the second list makes, then those with the same name, then
    those in the same position, of these and of the others those with the most facts in common.
    """
    left, right = dict(left), dict(right)
    pairs = _take(left, right, lambda name, item, first: name, equal)
    facts_of = _Facts()
    if len(left) == len(right) == 1:
        # what is left is paired by whatever they have in common
        (name, item), (other, candidate) = *left.items(), *right.items()
        return pairs | ({name: other} if _format(item) == _format(candidate) else {})
    pairs |= _take(left, right, lambda name, item, first: facts_of.all(item), equal)
    pairs |= _take(left, right, lambda name, item, first: facts_of.content(item), _unlabeled)
    pairs |= _take(left, right, lambda name, item, first: (_label(item), _form(item)), _labeled)
    pairs |= _take(left, right, lambda name, item, first: _label(item), _labeled)
    if len(left) * len(right) > _PAIRS_COMPARED:
        # A shape written as several keeps its pose in one of them.
        pairs |= _take(left, right, lambda name, item, first: (_place(item), _form(item)), _anything)
        pairs |= _take(left, right, lambda name, item, first: (_place(item), _has_color(item)), _anything)
        pairs |= _take(left, right, lambda name, item, first: _place(item), _anything)
    for form in dict.fromkeys(map(_format, right.values())):
        some = {name: item for name, item in left.items() if _format(item) == form}
        others = {name: item for name, item in right.items() if _format(item) == form}
        few = len(some) * len(others) <= _PAIRS_COMPARED
        pairs |= _most_alike(some, others, facts_of) if few else dict(zip(some, others, strict=False))
    return pairs


def _label(item: Item) -> str:
    """The name of a shape, without odd characters."""
    return _ODD.sub("", getattr(item, "name", "")).casefold()


def _labeled(x: Item, y: Item) -> bool:
    return bool(getattr(x, "name", ""))


class _Facts:
    """The facts of items, to seven digits, each computed once."""

    def __init__(self) -> None:
        self._known: dict[int, frozenset[tuple[str, Any]]] = {}

    def all(self, item: Item) -> frozenset[tuple[str, Any]]:
        """The facts of an item that lives as long as this object."""
        found = self._known.get(id(item))
        if found is None:
            found = self._known[id(item)] = fingerprint(item, _NO_SKIP)
        return found

    def content(self, item: Item) -> Hashable:
        """The facts of a shape without names; None of other items."""
        if not hasattr(item, "geometry"):
            return None
        return frozenset(x for x in self.all(item) if x[0] not in _NAMES)


def _unlabeled(x: Item, y: Item) -> bool:
    """Whether the name of a shape is given, or has more behind it, in the second list."""
    return hasattr(x, "geometry") and (not y.name or bool(y.name.startswith(x.name)))


def _form(item: Item) -> type:
    """The class of the geometry of a shape, or of the item."""
    return type(getattr(item, "geometry", item))


def _place(item: Item) -> tuple[float, ...] | None:
    """The pose of a shape to six decimals; None of other items."""
    pose = getattr(item, "pose", None)
    if pose is None:
        return None
    return tuple(
        round(abs(v), 6) + 0.0 if k > 2 else round(v, 6) + 0.0 for k, v in enumerate(pose.xyz + pose.quat)
    )


def _has_color(item: Item) -> bool:
    """Whether a shape has a material."""
    return getattr(item, "material", None) is not None


def _position(item: Item) -> Hashable:
    """The position of a shape that has one of its own; None of other items."""
    place = _place(item)
    return place[:3] if place is not None and any(place[:3]) else None


def _format(item: Item) -> object:
    # Extras of different formats never correspond.
    return getattr(item, "format", None)


def _most_alike(left: dict[str, Item], right: dict[str, Item], facts_of: _Facts) -> _Pairs:
    facts_a = [(name, facts_of.all(item), _position(item)) for name, item in left.items()]
    facts_b = [(name, facts_of.all(item), _position(item)) for name, item in right.items()]
    # A shape that is written as another kind of shape shares less with itself than with one of that kind.
    ranked = sorted(
        (p is None or p != q, -len(f & g), abs(i - j), i, j)
        for i, (_, f, p) in enumerate(facts_a)
        for j, (_, g, q) in enumerate(facts_b)
    )
    out: _Pairs = {}
    taken: set[int] = set()
    for *_, i, j in ranked:
        if facts_a[i][0] not in out and j not in taken:
            out[facts_a[i][0]] = facts_b[j][0]
            taken.add(j)
    return out


@dataclass(frozen=True, slots=True)
class _Side:
    """The items that only one robot has: their facts, and the references to them."""

    full: dict[str, Hashable]
    bare: dict[str, Hashable]
    context: dict[str, Hashable]


def _references(robot: Robot, list_name: str) -> Iterator[tuple[str, tuple[str, str, str]]]:
    for name, is_list in field_lists(Robot):
        if not is_list:
            continue
        for key, item in items(getattr(robot, name))[1].items():
            for field, target in fields_with("refers").items():
                value = getattr(item, field, None)
                if target == list_name and isinstance(value, str):
                    yield part(value), (name, key, field)


def _side(robot: Robot, list_name: str, own: dict[str, Item], key: str) -> _Side:
    context: dict[str, set[tuple[str, str, str]]] = {}
    for name, reference in _references(robot, list_name):
        context.setdefault(name, set()).add(reference)
    skip = frozenset([key])
    return _Side(
        {name: fingerprint(item, skip) for name, item in own.items()},
        {name: fingerprint(item, skip | _names_one(item)) for name, item in own.items()},
        {name: frozenset(context.get(name, ())) for name in own},
    )


def _names_one(item: Item) -> frozenset[str]:
    """Fields that refer to one item by name; lists of names are content."""
    return frozenset(
        field for field in fields_with("refers") if isinstance(getattr(item, field, None), str)
    )


def _connections(robot: Robot) -> dict[str, Hashable]:
    """The joint that moves each link; of a root, the joints on it."""
    if not robot.joints and len(robot.links) == 1:
        return {part(robot.links[0].name): ()}
    moved = {part(j.child): j.name for j in robot.joints}
    on: dict[str, list[str]] = {}
    for j in robot.joints:
        on.setdefault(part(j.parent), []).append(j.name)
    roots: dict[str, Hashable] = {
        link: tuple(sorted(names)) for link, names in on.items() if link not in moved
    }
    return {**roots, **moved}


def _anything(x: Item, y: Item) -> bool:
    return True


def find_renames(
    a: Robot, b: Robot, list_name: str, equal: Callable[[Item, Item, frozenset[str]], bool]
) -> dict[Any, Any]:
    """Old name → new name of items that differ in name but correspond by content.

    Among several candidates, names that differ only by case and punctuation are preferred, then items
    with the same references to them, then the order decides. Whatever their content, joints with the same
    child correspond, and so do links moved by the same joint, and roots with the same joints on them.
    """
    all_a, all_b = items(getattr(a, list_name))[1], items(getattr(b, list_name))[1]
    left = {name: item for name, item in all_a.items() if name not in all_b}
    right = {name: item for name, item in all_b.items() if name not in all_a}
    if not left or not right:
        return {}
    field = key_field(next(iter(left.values())).__class__) or "name"
    sides = {True: _side(a, list_name, left, field), False: _side(b, list_name, right, field)}

    def alike(x: Item, y: Item) -> bool:
        return equal(x, y, frozenset([field]) | _names_one(x))

    pairs: _Pairs = {}
    first, second = dict(left), dict(right)
    if list_name == "joints":
        pairs |= _take(first, second, lambda name, item, is_a: item.child, _anything)
    elif list_name == "links":
        joints = {True: _connections(a), False: _connections(b)}
        pairs |= _take(
            first, second, lambda name, item, is_a: joints[is_a].get(name, frozenset([name])), _anything
        )
    for key in (
        lambda name, item, is_a: (sides[is_a].full[name], _ODD.sub("", name).casefold()),
        lambda name, item, is_a: (sides[is_a].full[name], sides[is_a].context[name]),
        lambda name, item, is_a: sides[is_a].full[name],
        lambda name, item, is_a: (sides[is_a].bare[name], sides[is_a].context[name]),
        lambda name, item, is_a: sides[is_a].bare[name],
    ):
        pairs |= _take(first, second, key, alike)
    if len(first) * len(second) <= _PAIRS_COMPARED:
        # Equal items may have different fingerprints if a number is at a rounding boundary.
        pairs |= _take(first, second, lambda name, item, is_a: None, alike)
    pairs |= _take(first, second, lambda name, item, is_a: _ODD.sub("", name).casefold() or name, _anything)
    names = ((x, getattr(left[x], field), y, getattr(right[y], field)) for x, y in pairs.items())
    # A repeated name ("#2") is renamed neither from nor to: a rename states names only.
    return {old: new for x, old, y, new in names if part(old) == x and part(new) == y}


def renames_by_child(a: Robot, b: Robot) -> dict[str, str]:
    """Old name → new name of the joints that move the same link.

    >>> from unibody.model.robot import Joint
    >>> old = Robot(name="r", joints=(Joint(name="knee", kind="revolute", parent="thigh", child="shank"),))
    >>> new = Robot(name="r", joints=(Joint(name="shank", kind="revolute", parent="thigh", child="shank"),))
    >>> renames_by_child(old, new)
    {'knee': 'shank'}
    """
    movers = {joint.child: joint.name for joint in b.joints}
    count = Counter(joint.name for joint in a.joints)
    pairs = [(joint.name, movers.get(joint.child, joint.name)) for joint in a.joints]
    return {old: new for old, new in pairs if old != new and count[old] == 1}
