"""Which pairs of links a robot tests for collision with itself: the one place that decides it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from itertools import combinations
from typing import Literal, TypeAlias

from unibody.model.base import WORLD
from unibody.model.joint_kind import KINDS
from unibody.model.robot import Robot, SelfCollision

#: Which pairs of links are tested: those of the robot's rules, all, none, or those that are not certified
#: never to collide.
PairRule: TypeAlias = Literal["file", "all", "none", "matrix"]
PAIR_RULES: tuple[PairRule, ...] = ("file", "all", "none", "matrix")

#: A pair of links without an order, and as it is written.
Pairs: TypeAlias = dict[frozenset[str], tuple[str, str]]


class PairRules:
    """The rules of ``robot.self_collision`` for each pair of links.

    Links that are fixed to one another are one rigid body, and never tested: their distance is constant. Of
    the others, ``disabled`` pairs are not tested, ``enabled`` ones are, and the default decides on the
    rest. Links are adjacent if they are of one rigid body, or of two that a joint connects; a free joint
    and a closed loop connect none.

    The surroundings ("world") are a body that no joint connects to others, and that links which are fixed
    to the world never touch.

    MoveIt applies ``disable_collisions`` last, so what is in both lists is not tested. Readers resolve what
    their format orders otherwise: MuJoCo's ``pair`` tests geoms whose bodies are excluded, Choreonoid's
    rules apply one after the other, MPK lists what is tested.

    >>> from unibody.model.robot import Joint, Link
    >>> links = tuple(Link(name=name) for name in ("arm", "flange", "tool"))
    >>> turn = Joint(name="turn", kind="revolute", parent="arm", child="flange")
    >>> hold = Joint(name="hold", kind="fixed", parent="flange", child="tool")
    >>> rules = PairRules(Robot(name="r", links=links, joints=(turn, hold)))
    >>> rules.are_adjacent("arm", "tool"), rules.are_tested("arm", "tool")
    (True, False)
    """

    def __init__(self, robot: Robot) -> None:
        said = robot.self_collision
        self.default = said.default
        self.enabled, self.disabled = _pairs(said.enabled), _pairs(said.disabled)
        self._bodies = _rigid_bodies(robot)
        is_held = robot.surroundings is not None and robot.base == "fixed"
        #: The rigid body that is fixed to the surroundings.
        self._ground = (
            next((link for link, top in self._bodies.items() if link == top), None) if is_held else None
        )
        self._joined = {self.bodies(j.parent, j.child) for j in robot.joints if j.kind != "free"}

    def body(self, link: str) -> str:
        """The first link of the rigid body that a link is of; a link that the robot lacks is its own."""
        return self._bodies.get(link, link)

    def bodies(self, a: str, b: str) -> frozenset[str]:
        """The rigid bodies of two links."""
        return frozenset((self.body(a), self.body(b)))

    def are_fixed(self, a: str, b: str) -> bool:
        """Whether two links are of one rigid body."""
        if self.body(a) == self.body(b):
            return True
        return self._ground is not None and WORLD in (a, b) and self._ground in (self.body(a), self.body(b))

    def are_adjacent(self, a: str, b: str) -> bool:
        """Whether two links are of one rigid body, or of two that a joint connects."""
        return self.are_fixed(a, b) or self.bodies(a, b) in self._joined

    def are_tested(self, a: str, b: str) -> bool:
        """Whether the rules test two links, whether or not they have shapes."""
        pair = frozenset((a, b))
        if pair in self.disabled or self.are_fixed(a, b):
            return False
        if pair in self.enabled or self.default == "all":
            return True
        return self.default == "not_adjacent" and not self.are_adjacent(a, b)


def tested_pairs(robot: Robot) -> Iterator[tuple[str, str]]:
    """The pairs of links that are tested, in the order of the links; listed ones as they are listed.

    Where the default is "none" these are the listed ones; else pairs of links that have collision shapes.

    >>> from unibody.model.robot import Link
    >>> box = Robot(name="box", links=(Link(name="box"), Link(name="lid")))
    >>> rules = SelfCollision(default="none", enabled=(("lid", "box"),))
    >>> list(tested_pairs(replace(box, self_collision=rules)))
    [('lid', 'box')]
    """
    rules = PairRules(robot)
    if rules.default == "none":
        excluded = {link.name for link in robot.links if not link.collides}
        if robot.surroundings is not None:
            excluded.add(robot.surroundings.name)
        pairs: Iterator[tuple[str, str]] = (p for p in rules.enabled.values() if excluded.isdisjoint(p))
    else:
        pairs = combinations([link.name for link in robot.links if link.collisions and link.collides], 2)
    yield from (pair for pair in pairs if rules.are_tested(*pair))


def links_tested_with_world(robot: Robot) -> list[str]:
    """The links that the rules test with the surroundings, in order; none without collision shapes.

    >>> from unibody.model.robot import Link
    >>> from unibody.model.shape import Shape, Sphere
    >>> ball = (Shape(geometry=Sphere(radius=1.0)),)
    >>> around = Link(name="world", collisions=ball)
    >>> robot = Robot(name="ball", links=(Link(name="ball", collisions=ball),), surroundings=around)
    >>> links_tested_with_world(robot), links_tested_with_world(replace(robot, base="fixed"))
    (['ball'], [])
    """
    around = robot.surroundings
    if around is None or not (around.collisions and around.collides):
        return []
    rules = PairRules(robot)
    return [
        link.name
        for link in robot.links
        if link.collisions and link.collides and rules.are_tested(link.name, around.name)
    ]


def adjacent_pairs(robot: Robot) -> Pairs:
    """The adjacent links: those that a joint connects, then all others that have collision shapes."""
    return _adjacent(robot, PairRules(robot))


def _adjacent(robot: Robot, rules: PairRules) -> Pairs:
    out = _pairs([(j.parent, j.child) for j in robot.joints if j.kind != "free"])
    solid = [link.name for link in robot.solids if link.collisions]
    for a, b in combinations(solid, 2):
        if rules.are_adjacent(a, b):
            out.setdefault(frozenset((a, b)), (a, b))
    return out


def untested_pairs(robot: Robot) -> Pairs | None:
    """The pairs that the rules do not test, listed ones first; None if untested is the default.

    >>> from unibody.model.robot import Joint, Link
    >>> knee = Joint(name="knee", kind="revolute", parent="thigh", child="shank")
    >>> leg = Robot(name="leg", links=(Link(name="thigh"), Link(name="shank")), joints=(knee,))
    >>> list(untested_pairs(leg).values())
    [('thigh', 'shank')]
    """
    rules = PairRules(robot)
    if rules.default == "none":
        return None
    out = dict(rules.disabled)
    if rules.default == "not_adjacent":
        near = _adjacent(robot, rules).items()
        out |= {key: pair for key, pair in near if key not in out and not rules.are_tested(*pair)}
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
        listed = PairRules(robot)
        tested = (pair for key, pair in listed.enabled.items() if key not in listed.disabled)
        rules = SelfCollision(default="none", enabled=tuple(tested))
    else:
        rules = SelfCollision(default="all", disabled=tuple(untested.values()))
    return replace(robot, self_collision=rules)


def tests_the_same(a: Robot, b: Robot) -> bool:
    """Whether both robots test the same pairs of the links of ``a``, with surroundings that ``b`` has, too.

    >>> from unibody.model.robot import Link
    >>> box = Robot(name="box", links=(Link(name="box"), Link(name="lid")))
    >>> tests_the_same(box, replace(box, self_collision=SelfCollision(default="all")))
    True
    """
    names, others = {link.name for link in a.links}, {link.name for link in b.solids}
    names |= {link.name for link in a.solids if link.name in others}
    if not names <= others:
        return False
    first, second = PairRules(a), PairRules(b)
    listed = _named_pairs((a, first), (b, second))
    pairs = (pair for key, pair in listed.items() if key <= names)
    if any(first.are_tested(*pair) != second.are_tested(*pair) for pair in pairs):
        return False
    # of a pair that nothing names, only the default decides
    if (first.default == "none") == (second.default == "none"):
        return True
    left = (pair for pair in combinations(names, 2) if frozenset(pair) not in listed)
    return all(first.are_fixed(*pair) and second.are_fixed(*pair) for pair in left)


def tested_otherwise(a: Robot, b: Robot) -> list[tuple[tuple[str, str], bool]]:
    """The pairs of links with collision shapes that only one of two robots tests, and whether ``a`` does.

    Pairs that neither the rules nor the joints of either robot name are left out.

    >>> from unibody.model.robot import Joint, Link
    >>> from unibody.model.shape import Shape, Sphere
    >>> ball = (Shape(geometry=Sphere(radius=1.0)),)
    >>> links = (Link(name="thigh", collisions=ball), Link(name="shank", collisions=ball))
    >>> knee = Joint(name="knee", kind="revolute", parent="thigh", child="shank")
    >>> leg = Robot(name="leg", links=links, joints=(knee,))
    >>> tested_otherwise(leg, replace(leg, self_collision=SelfCollision(default="all")))
    [(('thigh', 'shank'), False)]
    """
    solid = {link.name for link in a.solids if link.collisions} & {link.name for link in b.solids}
    first, second = PairRules(a), PairRules(b)
    named = _named_pairs((a, first), (b, second))
    found = [(pair, first.are_tested(*pair)) for key, pair in named.items() if key <= solid]
    return [(pair, tested) for pair, tested in found if tested != second.are_tested(*pair)]


def _named_pairs(*robots: tuple[Robot, PairRules]) -> Pairs:
    """The pairs that the rules of robots list, or that are adjacent where that counts."""
    out: Pairs = {}
    for _, rules in robots:
        out |= {**rules.enabled, **rules.disabled}
    for robot, rules in robots:
        if rules.default == "not_adjacent":
            out |= _adjacent(robot, rules)
    return out


def _pairs(words: Collection[tuple[str, str]]) -> Pairs:
    out: Pairs = {}
    for a, b in words:
        if a != b:
            out.setdefault(frozenset((a, b)), (a, b))
    return out


def _rigid_bodies(robot: Robot) -> dict[str, str]:
    """The link that stands for the rigid body of each link: the topmost of those fixed to one another."""
    above = {joint.child: joint for joint in robot.joints}
    out: dict[str, str] = {}
    for link in robot.links:
        way = [link.name]
        while way[-1] not in out and way[-1] in above and not KINDS[above[way[-1]].kind].nq:
            way.append(above[way[-1]].parent)
            if len(way) > len(robot.links):
                break
        top = out.get(way[-1], way[-1])
        out.update(dict.fromkeys(way, top))
    return out
