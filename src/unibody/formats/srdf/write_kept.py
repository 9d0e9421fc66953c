"""Writes the kept elements of SRDF files, as far as the model still says what they say."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from unibody.document.declare import Document
from unibody.document.unbind import unbind
from unibody.formats.srdf import document as d
from unibody.formats.srdf.implied import ADJACENT, TYPES, rotors
from unibody.formats.srdf.write_groups import Saying
from unibody.model.base import implied_base
from unibody.model.collision import PairRules
from unibody.model.robot import Robot
from unibody.text.node import Item, Node, Value, Word
from unibody.text.number import parse_float

_PAIRS = ("disable_collisions", "enable_collisions")
_DEFAULT = "disable_default_collisions"


def is_of_root(robot: Robot, item: Item) -> bool:
    """Whether an item is a virtual joint of the root link."""
    return item[0] == "virtual_joint" and bool(robot.links) and _word(item[1], "child_link") == robot.root


def with_base_of(robot: Robot, items: list[Item]) -> list[Item]:
    """The kept items, with the first virtual joint of the root as the base of the robot says it."""
    k = next((k for k, item in enumerate(items) if is_of_root(robot, item)), None)
    if k is None:
        return items
    key, value, _ = items[k]
    assert isinstance(value, Node)
    kind = _word(value, "type").lower()
    if {"floating": "free", "planar": implied_base(robot.root)}.get(kind, "fixed") == robot.base:
        return items
    if robot.base is None:
        return [*items[:k], *items[k + 1 :]]
    fresh = Word(TYPES[robot.base])
    changed = Node(value.tag, [(a, fresh if a == "type" else v, at) for a, v, at in value.items])
    return [*items[:k], (key, changed, -1), *items[k + 1 :]]


def with_rotors_of(robot: Robot, items: list[Item]) -> list[Item]:
    """The kept items, with the rotors as the model has them."""
    made = rotors(robot)
    new = {x.name: x for x in made.joints} if made is not None else {}
    out: list[Item] = []
    seen: set[str | None] = set()
    for key, value, at in items:
        if key != "rotor_params" or not isinstance(value, Node):
            out.append((key, value, at))
            continue
        entries: list[Item] = []
        for inner in value.items:
            name = _word(inner[1], "name")
            seen.add(name)
            entries.append(_with_rotor(inner, new[name]) if name in new else inner)
        out.append((key, Node(value.tag, entries), at))
    left = [x for name, x in new.items() if name not in seen]
    if left:
        out.append((d.Rotors.KEY, unbind(d.Rotors(joints=left), d.Rotors.KEY), -1))
    return out


def _with_rotor(item: Item, rotor: d.Rotor) -> Item:
    """An entry with the numbers of a rotor, those that are equal as they are written."""
    key, value, at = item
    assert isinstance(value, Node)
    numbers = {"mass": rotor.mass, "gear_ratio": rotor.gear_ratio}
    if all(number is None or parse_float(_word(value, a)) == number for a, number in numbers.items()):
        return item
    others = [x for x in value.items if x[0] not in numbers or numbers[x[0]] is None]
    fresh = unbind(d.Rotor(mass=rotor.mass, gear_ratio=rotor.gear_ratio), "joint").items
    return key, Node(value.tag, [*others, *fresh]), at


def pair_items(robot: Robot, items: list[Item], saying: Saying) -> Iterator[Item | Document]:
    """The kept items, and elements for all pairs as the rules of the ``robot`` list them."""
    rules = robot.self_collision
    names = [link.name for link in robot.links if link.name in saying.links]
    every = {frozenset(pair): pair for pair in combinations(names, 2)} if rules.default == "none" else {}
    disabled = {frozenset(pair): pair for pair in rules.disabled if saying.links.issuperset(pair)}
    tested = {frozenset(pair) for pair in rules.enabled}
    untested = {pair: words for pair, words in every.items() if pair not in tested} | disabled
    off = [_word(value, "link") for key, value, _ in items if key == _DEFAULT]
    on = {_pair(value) for key, value, _ in items if key == "enable_collisions"}
    by_default = _by_default(off, on, names)
    if not by_default <= untested.keys():  # the rules are no longer those of the file
        items = [item for item in items if item[0] != _DEFAULT]
        off, by_default = [], set()
    if rules.default == "none":
        new = [x for x in names if x not in off]
        yield from (d.DisableDefaultCollisions(link=x) for x in new)
        enabled = [p for p in rules.enabled if saying.links.issuperset(p) and frozenset(p) not in on]
        yield from (d.EnableCollisions(link1=a, link2=b) for a, b in enabled)
        by_default = _by_default([*off, *new], on | tested, names)
    kept: dict[frozenset[str], list[Item]] = {}
    others: list[Item] = []
    for item in items:
        if item[0] != "disable_collisions":
            yield item
        elif (pair := _pair(item[1])) in untested:
            kept.setdefault(pair, []).append(item)
        elif len(pair) == 1 or not pair <= saying.links:
            others.append(item)
    pairs = PairRules(robot)
    for pair, (a, b) in untested.items():
        if pair in kept:
            yield from kept[pair]
        elif pair not in by_default:
            yield d.DisableCollisions(
                link1=a, link2=b, reason=ADJACENT if pairs.are_adjacent(a, b) else None
            )
    yield from others


def _by_default(off: list[str], on: set[frozenset[str]], names: list[str]) -> set[frozenset[str]]:
    """The pairs that are not tested because the default of a link is disabled."""
    pairs = {frozenset((a, b)) for a in off if a in names for b in names if a != b}
    return pairs - on


def _pair(value: Value) -> frozenset[str]:
    return frozenset((_word(value, "link1"), _word(value, "link2")))


def _word(value: Value, name: str) -> str:
    """A name of a kept element, trimmed as by srdfdom."""
    return ((value.word(name) if isinstance(value, Node) else None) or "").strip()
