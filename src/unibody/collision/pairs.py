"""Which pairs of links and obstacles are tested."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, Literal, TypeAlias

from unibody.collision.geometry import CollisionError
from unibody.mechanism.bodies import lump_bodies
from unibody.mechanism.mechanism import Mechanism
from unibody.model.base import WORLD
from unibody.model.collision import PAIR_RULES, PairRule, links_tested_with_world, tested_pairs
from unibody.text.near import suggestion

Pair = tuple[str, str]

#: The rigid body of what does not move beside a robot with a free base.
STILL = -1

#: A rule, or the pairs of links that are tested.
Pairs: TypeAlias = PairRule | Iterable[Pair]


def listed(given: Iterable[Any], name: str, what: str) -> list[Any]:
    """The items of an argument; TypeError if it is one text, or nothing that has items."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise TypeError(f"{name} is a list of {what}, not {type(given).__name__}")
    return list(given)


def check_pairs(pairs: Pairs) -> PairRule | list[Pair]:
    """The rule, or the list of pairs; ValueError for an unknown rule."""
    if not isinstance(pairs, str):
        return listed(pairs, "pairs", "pairs of links")
    if pairs not in PAIR_RULES:
        raise ValueError(f"pairs must be 'file', 'all', 'none', 'matrix' or a list of pairs, got {pairs!r}")
    return pairs


def own_pairs(mechanism: Mechanism, rule: Literal["file", "all", "none"] | Sequence[Pair]) -> list[Pair]:
    """Pairs of links of a robot that are tested, without those of one rigid body, in order.

    "file" follows ``robot.self_collision``, where links that are not adjacent are those of bodies that no
    joint connects. The surroundings are tested with the links of these rules, whatever the rule for pairs
    of links is; "all" tests them with all links. CollisionError for an unknown link.
    """
    robot = mechanism.robot
    colliding = [link.name for link in robot.solids if link.collides]
    around = [(link, WORLD) for link in links_tested_with_world(robot)]
    if rule == "all":
        wanted: Iterable[Pair] = combinations(colliding, 2)
    elif rule == "file":
        wanted = (*tested_pairs(robot), *around)
    elif rule == "none":
        wanted = around
    else:
        known = [link.name for link in robot.solids]
        wanted = (*(check_pair(pair, known, "link") for pair in rule), *around)
    body_of = bodies_of(mechanism)
    kept = set(colliding)
    pairs = [(a, b) for a, b in dict.fromkeys(wanted) if body_of[a] != body_of[b]]
    return [pair for pair in pairs if kept.issuperset(pair)]


def bodies_of(mechanism: Mechanism) -> dict[str, int]:
    """The rigid body of each link, and of the surroundings."""
    numbers = dict(zip(mechanism.link_names, lump_bodies(mechanism.tree).body_of, strict=True))
    return {WORLD: STILL if mechanism.tree.free_base else 0, **numbers}


def check_pair(pair: Sequence[str], known: Sequence[str], what: str = "link or obstacle") -> Pair:
    """A pair of two known names; CollisionError for anything else."""
    if not isinstance(pair, tuple | list) or len(pair) != 2 or not all(isinstance(x, str) for x in pair):
        raise CollisionError(f"expected a pair of names, got {pair!r}")
    for name in pair:
        if name not in known:
            raise CollisionError(f"unknown {what} {name!r}{suggestion(name, known)}")
    return pair[0], pair[1]
