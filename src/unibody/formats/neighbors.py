"""What Choreonoid calls adjacent: links that few joints of the tree separate."""

from __future__ import annotations

from collections.abc import Iterable

from unibody.model.collision import PairRules
from unibody.model.robot import Robot, SelfCollision

Pair = frozenset[str]
# With more pairs than this, the pairs that are not tested are listed: as many as joints.
_MOST_PAIRS = 1000


def chains(robot: Robot, level: int) -> set[Pair]:
    """Pairs at most ``level`` joints apart in the tree, not across free joints (facts A.14)."""
    near: dict[str, list[str]] = {link.name: [] for link in robot.links}
    for j in robot.joints:
        if j.kind != "free":
            near[j.parent].append(j.child)
            near[j.child].append(j.parent)
    out: set[Pair] = set()
    for name in near:
        reached, edge = {name}, [name]
        for _ in range(level):
            edge = [n for e in edge for n in near[e] if n not in reached]
            reached.update(edge)
        out |= {frozenset((name, n)) for n in reached if n != name}
    return out


def without_rules(robot: Robot) -> SelfCollision:
    """What Choreonoid tests of a robot without rules: all pairs that no joint of the tree connects.

    In the model, all links of a rigid body are adjacent to those of the next. Those without a joint between
    them are enabled, if they have collision shapes.

    >>> from unibody.model.robot import Joint, Link
    >>> from unibody.model.shape import Shape, Sphere
    >>> ball = (Shape(geometry=Sphere(radius=1.0)),)
    >>> links = tuple(Link(name=name, collisions=ball) for name in ("arm", "flange", "tool"))
    >>> turn = Joint(name="turn", kind="revolute", parent="arm", child="flange")
    >>> hold = Joint(name="hold", kind="fixed", parent="flange", child="tool")
    >>> without_rules(Robot(name="r", links=links, joints=(turn, hold))).enabled
    (('arm', 'tool'),)
    """
    rules = PairRules(robot)
    near = {
        frozenset((j.parent, j.child)) for j in robot.joints if j.kind != "free" and j.parent != j.child
    }
    bodies: dict[str, list[str]] = {}
    for link in robot.links:
        if link.collisions:
            bodies.setdefault(rules.body(link.name), []).append(link.name)
    joined = {rules.bodies(*pair) for pair in map(tuple, near) if not rules.are_fixed(*pair)}
    order = {link.name: k for k, link in enumerate(robot.links)}

    def ordered(pairs: Iterable[Pair]) -> tuple[tuple[str, str], ...]:
        places = sorted(sorted(order[name] for name in pair) for pair in pairs)
        return tuple((robot.links[a].name, robot.links[b].name) for a, b in places)

    found = [(bodies.get(one, []), bodies.get(other, [])) for one, other in map(tuple, joined)]
    if sum(len(one) * len(other) for one, other in found) > _MOST_PAIRS:
        return SelfCollision(default="all", disabled=ordered(pair for pair in near if pair <= order.keys()))
    pairs = {frozenset((a, b)) for one, other in found for a in one for b in other}
    return SelfCollision(enabled=ordered(pairs - near))
