"""Which items of two lists are the same: by content where names do not say."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from unibody.model.robot import Robot
from unibody.model.traverse import REFERS, fingerprint, items, key_field, part

Item: TypeAlias = Any
Entry: TypeAlias = tuple[str, Item]
_Pairs: TypeAlias = dict[str, str]

# Above this many pairs, items that nothing equals are paired in order: comparing each
# with each would take longer than anyone waits for the answer.
_PAIRS_COMPARED = 40_000
_NO_SKIP: frozenset[str] = frozenset()
_ODD = re.compile(r"[\W_]+")


def _take(
    left: dict[str, Item],
    right: dict[str, Item],
    key: Callable[[str, Item, bool], Hashable],
    equal: Callable[[Item, Item], bool],
) -> _Pairs:
    """Pairs of equal items that have the same ``key``, in order; they leave both dicts."""
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
    """Pairs of items without names: equal ones first, then those with the most equal facts."""
    left, right = dict(left), dict(right)
    pairs = _take(left, right, lambda name, item, first: name, equal)
    pairs |= _take(left, right, lambda name, item, first: fingerprint(item, _NO_SKIP), equal)
    for form in dict.fromkeys(map(_format, right.values())):
        some = {name: item for name, item in left.items() if _format(item) == form}
        others = {name: item for name, item in right.items() if _format(item) == form}
        few = len(some) * len(others) <= _PAIRS_COMPARED
        pairs |= _most_alike(some, others) if few else dict(zip(some, others, strict=False))
    return pairs


def _format(item: Item) -> object:
    # Leftovers of two formats are never one leftover that changed.
    return getattr(item, "format", None)


def _most_alike(left: dict[str, Item], right: dict[str, Item]) -> _Pairs:
    facts_a = [(name, fingerprint(item, _NO_SKIP)) for name, item in left.items()]
    facts_b = [(name, fingerprint(item, _NO_SKIP)) for name, item in right.items()]
    ranked = sorted(
        (-len(f & g), abs(i - j), i, j)
        for i, (_, f) in enumerate(facts_a)
        for j, (_, g) in enumerate(facts_b)
    )
    out: _Pairs = {}
    taken: set[int] = set()
    for _, _, i, j in ranked:
        if facts_a[i][0] not in out and j not in taken:
            out[facts_a[i][0]] = facts_b[j][0]
            taken.add(j)
    return out


@dataclass(frozen=True, slots=True)
class _Side:
    """What is known of the items that only one robot has: their facts, and who refers to them."""

    full: dict[str, Hashable]
    bare: dict[str, Hashable]
    context: dict[str, Hashable]


def _references(robot: Robot, list_name: str) -> Iterator[tuple[str, tuple[str, str, str]]]:
    for name in Robot.__dataclass_fields__:
        values = getattr(robot, name)
        if not isinstance(values, tuple):
            continue
        for key, item in items(values)[1].items():
            for field, target in REFERS.items():
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
    return frozenset(field for field in REFERS if isinstance(getattr(item, field, None), str))


def _movers(robot: Robot) -> dict[str, str]:
    """The joint that moves each link."""
    return {part(j.child): j.name for j in robot.joints}


def _anything(x: Item, y: Item) -> bool:
    return True


def find_renames(
    a: Robot, b: Robot, list_name: str, equal: Callable[[Item, Item, frozenset[str]], bool]
) -> dict[Any, Any]:
    """Old name → new name of items that only one robot has by name and both have by content.

    Where several are alike, those whose names differ by case and punctuation alone are one, then those
    that the same items refer to, then the order decides. Whatever else they say, joints of one child are
    one, and links that one joint moves.
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
        movers = {True: _movers(a), False: _movers(b)}
        pairs |= _take(first, second, lambda name, item, is_a: movers[is_a].get(name, (name,)), _anything)
    for key in (
        lambda name, item, is_a: (sides[is_a].full[name], _ODD.sub("", name).casefold()),
        lambda name, item, is_a: (sides[is_a].full[name], sides[is_a].context[name]),
        lambda name, item, is_a: sides[is_a].full[name],
        lambda name, item, is_a: (sides[is_a].bare[name], sides[is_a].context[name]),
        lambda name, item, is_a: sides[is_a].bare[name],
    ):
        pairs |= _take(first, second, key, alike)
    if len(first) * len(second) <= _PAIRS_COMPARED:
        # What lies on two sides of a rounding edge has two fingerprints and is equal still.
        pairs |= _take(first, second, lambda name, item, is_a: None, alike)
    pairs |= _take(first, second, lambda name, item, is_a: _ODD.sub("", name).casefold() or name, _anything)
    names = {getattr(left[x], field): getattr(right[y], field) for x, y in pairs.items()}
    return {old: new for old, new in names.items() if part(old) in left and part(new) in right}
