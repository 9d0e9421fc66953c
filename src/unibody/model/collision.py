"""Which pairs of links are tested for collision, whatever words the rules use for it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import TypeAlias

from unibody.model.robot import Robot, SelfCollision

#: A pair of links without an order, and as it is written.
Pairs: TypeAlias = dict[frozenset[str], tuple[str, str]]


def adjacent_pairs(robot: Robot) -> Pairs:
    """The pairs of links that a joint connects, in the order of the joints; a free joint connects none."""
    return _pairs([(j.parent, j.child) for j in robot.joints if j.kind != "free"])


def untested_pairs(robot: Robot) -> Pairs | None:
    """The pairs that are not tested, those of the rules first; None if untested is the default.

    >>> from unibody.model.robot import Joint, Link
    >>> knee = Joint(name="knee", kind="revolute", parent="thigh", child="shank")
    >>> leg = Robot(name="leg", links=(Link(name="thigh"), Link(name="shank")), joints=(knee,))
    >>> list(untested_pairs(leg).values())
    [('thigh', 'shank')]
    """
    rules = robot.self_collision
    if rules.default == "none":
        return None
    out = _pairs(rules.disabled)
    if rules.default == "not_adjacent":
        enabled = _pairs(rules.enabled)
        out |= {
            pair: words
            for pair, words in adjacent_pairs(robot).items()
            if pair not in enabled and pair not in out
        }
    return out


def explicit(robot: Robot) -> Robot:
    """The robot with rules that name each pair that differs from the default, "all" or "none".

    >>> from unibody.model.robot import Joint, Link
    >>> knee = Joint(name="knee", kind="revolute", parent="thigh", child="shank")
    >>> leg = Robot(name="leg", links=(Link(name="thigh"), Link(name="shank")), joints=(knee,))
    >>> explicit(leg).self_collision
    SelfCollision(default='all', enabled=(), disabled=(('thigh', 'shank'),))
    """
    untested = untested_pairs(robot)
    if untested is None:
        rules = SelfCollision(default="none", enabled=tuple(_tested(robot).values()))
    else:
        rules = SelfCollision(default="all", disabled=tuple(untested.values()))
    return replace(robot, self_collision=rules)


def tests_the_same(a: Robot, b: Robot) -> bool:
    """Whether both robots test the same pairs of the links of ``a``.

    >>> from unibody.model.robot import Link
    >>> box = Robot(name="box", links=(Link(name="box"), Link(name="lid")))
    >>> tests_the_same(box, replace(box, self_collision=SelfCollision(default="all")))
    True
    """
    names = {link.name for link in a.links}
    if not names <= {link.name for link in b.links}:
        return False
    x, y = untested_pairs(a), untested_pairs(b)
    if x is None and y is None:
        return _within(_tested(a), names) == _within(_tested(b), names)
    if x is not None and y is not None:
        return _within(x, names) == _within(y, names)
    untested = _within((x if x is not None else y) or {}, names)
    tested = _within(_tested(a if x is None else b), names)
    return untested.isdisjoint(tested) and 2 * len(untested | tested) == len(names) * (len(names) - 1)


def _tested(robot: Robot) -> Pairs:
    """The pairs that are tested where untested is the default."""
    rules = robot.self_collision
    disabled = _pairs(rules.disabled)
    return {pair: words for pair, words in _pairs(rules.enabled).items() if pair not in disabled}


def _pairs(words: Collection[tuple[str, str]]) -> Pairs:
    out: Pairs = {}
    for a, b in words:
        if a != b:
            out.setdefault(frozenset((a, b)), (a, b))
    return out


def _within(pairs: Pairs, names: Collection[str]) -> set[frozenset[str]]:
    return {pair for pair in pairs if pair.issubset(names)}
