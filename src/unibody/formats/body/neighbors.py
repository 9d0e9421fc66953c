"""What Choreonoid calls adjacent: links that few joints of the tree separate."""

from __future__ import annotations

from collections import Counter

from unibody.model.collision import PairRules
from unibody.model.robot import Robot

Pair = frozenset[str]


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


def neighbors_are_all(robot: Robot) -> bool:
    """Whether only links that a joint connects are adjacent in the model, too.

    In the model, all links of a rigid body are adjacent to those of the next. Pairs of one rigid body do
    not count, nor do links without collision shapes.
    """
    rules = PairRules(robot)
    solid = {link.name for link in robot.links if link.collisions}
    count = Counter(rules.body(name) for name in solid)
    joints = [j for j in robot.joints if j.kind != "free" and not rules.are_fixed(j.parent, j.child)]
    bodies = {rules.bodies(j.parent, j.child) for j in joints}
    pairs = {frozenset((j.parent, j.child)) for j in joints if {j.parent, j.child} <= solid}
    return len(pairs) == sum(count[a] * count[b] for a, b in map(tuple, bodies))
