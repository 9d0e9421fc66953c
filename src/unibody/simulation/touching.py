"""Which links may touch anything but planes, by the rules of the robots, before the engine has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from unibody.model.collision import PairRules
from unibody.model.robot import Link, Robot
from unibody.model.scene import Scene
from unibody.model.shape import Plane
from unibody.simulation.options import Options


def touching_links(given: Robot | Scene, robot: Robot, options: Options) -> set[str]:
    """The links whose shapes may touch other shapes than planes; ``robot`` is that of all robots given."""
    if not options.contacts:
        return set()
    # the engine tests links that are excluded from collision, too: MJCF has no such flag
    solid = [link.name for link in robot.solids if _is_solid(link)]
    meeting = _of_several(given, robot, solid) if options.pairs == "none" else _by_rules(robot, solid)
    return {name for pair in meeting for name in pair}


def robots_of_links(given: Robot | Scene, robot: Robot) -> dict[str, int]:
    """The number of the robot of each link, 0 for robots of one link."""
    if isinstance(given, Robot):
        return {link.name: 1 for link in robot.links}
    names = iter([link.name for link in robot.links[1:]])  # the first is the world
    out, number = {}, 0
    for one in given.robots:
        number += len(one.links) > 1
        for _ in one.links:
            out[next(names)] = number if len(one.links) > 1 else 0
    return out


def _is_solid(link: Link) -> bool:
    return any(not isinstance(shape.geometry, Plane) for shape in link.collisions)


def _by_rules(robot: Robot, solid: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The pairs of links that the rules test, without those that the engine never tests.

    These are the bodies that a joint connects, unless one of them is fixed in the world.
    """
    rules, among = PairRules(robot), set(solid)
    ground = None if robot.base == "free" else rules.body(robot.root)
    # where nothing is the default, only listed pairs are tested
    listed = rules.default == "none"
    for a, b in rules.enabled.values() if listed else combinations(solid, 2):
        is_filtered = rules.are_adjacent(a, b) and ground not in rules.bodies(a, b)
        if among.issuperset((a, b)) and rules.are_tested(a, b) and not is_filtered:
            yield a, b


def _of_several(given: Robot | Scene, robot: Robot, solid: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The pairs of links of different robots, whatever the rules of each robot are."""
    rules, groups = PairRules(robot), robots_of_links(given, robot)
    for a, b in combinations(solid, 2):
        one = groups.get(a, 0)
        if (one != groups.get(b, 0) or not one) and not rules.are_fixed(a, b):
            yield a, b
