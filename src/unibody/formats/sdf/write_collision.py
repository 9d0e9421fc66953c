"""Writes which links of a model collide with one another."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

from unibody.formats.sdf.links import ALL
from unibody.model.collision import PairRules, tested_pairs
from unibody.model.robot import Robot
from unibody.text.dataclass import dataclass

#: The number of bits that Gazebo compares.
BITS = ALL.bit_length()


@dataclass(frozen=True, slots=True, eq=False)
class CollisionRules:
    """Whether the links of a model collide with one another.

    ``masks`` are the bits of the shapes of links, None for all: of two that collide, both have one of them.
    """

    model: bool = False
    masks: Mapping[str, int] | None = None


def rules_of(robot: Robot) -> CollisionRules:
    """The rules of a robot in the terms of Gazebo, which never tests links that a joint connects.

    >>> from unibody.model.robot import Link
    >>> rules_of(Robot(name="r", links=(Link(name="a"),))).model
    True
    """
    said = robot.self_collision
    masks = {link.name: 0 for link in robot.links if link.collisions and not link.collides}
    if said.default == "not_adjacent" and not said.disabled:
        return CollisionRules(model=True, masks=masks or None)
    tested = {frozenset(pair) for pair in tested_pairs(robot)}
    rules = PairRules(robot)
    solid = [link.name for link in robot.links if link.collisions and link.collides]
    apart = [frozenset(pair) for pair in combinations(solid, 2) if not rules.are_adjacent(pair[0], pair[1])]
    on = [pair for pair in apart if pair in tested]
    if len(on) == len(apart):
        return CollisionRules(model=bool(apart) or said.default != "none", masks=masks or None)
    if not on:
        return CollisionRules(masks=masks or None)
    off = {pair for pair in apart if pair not in tested}
    cliques = _cover(solid, on, off)
    if cliques is None:
        return CollisionRules(model=True, masks=masks or None)
    for number, clique in enumerate(cliques):
        for name in clique:
            masks[name] = masks.get(name, 0) | 1 << number
    return CollisionRules(model=True, masks=masks)


def _cover(names: list[str], on: list[frozenset[str]], off: set[frozenset[str]]) -> list[list[str]] | None:
    """Sets of links, of which any two may collide, that have all pairs which do; None if bits do not do.

    A link that collides with no other one has a bit of its own: it still collides with other models.
    """
    out: list[list[str]] = []
    left = dict.fromkeys(on)
    while left:
        first = next(iter(left))
        clique = [name for name in names if name in first]
        for name in names:
            if name not in first and not any(frozenset((name, other)) in off for other in clique):
                clique.append(name)
        out.append(clique)
        if len(out) > BITS:
            return None
        for pair in combinations(clique, 2):
            left.pop(frozenset(pair), None)
    lonely = [name for name in names if not any(name in clique for clique in out)]
    # links that touch none of the others share no bit with one another
    out += [[name] for name in lonely]
    return out if len(out) <= BITS else None
