"""The work of planners: it ends in time, and does not depend on the unit of length."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np
import pytest

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from tests.planning.robots import box, planar_arm

from unibody.planning.coordinates import coordinates_of
from unibody.planning.sbl import LazyForest
from unibody.planning.work import OutOfTime, Work

WALL = box("wall", (0.02, 0.5, 0.5), (1.5, 0.0, 0.0))
METHODS = ("rrt-connect", "sbl")


def test_an_exact_check_is_ended_between_its_parts() -> None:
    world = ub.collisions(planar_arm(), [WALL])
    calls = []

    def check() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise OutOfTime

    many = np.full((200, 2), 0.3), np.full((200, 2), 2.9)
    with pytest.raises(OutOfTime), world.watched(check):
        world.free(*many)
    assert len(calls) == 3
    assert world.free(*many).all()
    assert len(calls) == 3


@pytest.mark.parametrize("method", METHODS)
def test_the_time_is_used_up(method: str) -> None:
    world = ub.collisions(planar_arm(), [WALL])
    found = ub.plan(world, {"j0": 1.2}, {"j0": -1.2}, method, time_limit=0.0)  # type: ignore[arg-type]
    assert found.reason == "not found"
    assert "time was used up" in found.message
    # no way round: the search ends in time, and its trees are kept
    ring = [box("a", (3.0, 0.1, 0.1), (1.6, 0.0, 0.0)), box("b", (3.0, 0.1, 0.1), (-1.6, 0.0, 0.0))]
    world = ub.collisions(planar_arm(), ring)
    begin = time.monotonic()
    found = ub.plan(world, {"j0": 1.2}, {"j0": -1.2}, method, time_limit=0.5)  # type: ignore[arg-type]
    assert found.reason == "not found"
    assert time.monotonic() - begin < 5.0
    assert sum(len(tree.q) for tree in found.trees) > 2


def test_shortening_ends_in_time_with_a_proved_path() -> None:
    world = ub.collisions(planar_arm(count=3), [WALL])
    found = ub.plan(world, {"j0": 1.2}, {"j0": -1.2}, "sbl", iterations=2000)
    for seconds in (0.0, 0.02):
        shorter = ub.shorten(found, shortcuts=10**9, time_limit=seconds)
        assert world.path(shorter.found).status == "free"
        assert shorter.length <= found.length


def test_progress_grows_to_one_at_most() -> None:
    shares: list[float] = []
    work = Work(None, 4, shares.append)
    while work.goes_on():
        work.check()
    assert shares == sorted(shares)
    assert shares[-1] == 1.0


def test_robots_in_millimeters_are_planned_for_like_others() -> None:
    arm = planar_arm(count=3)

    def scaled(shape: ub.Shape, factor: float) -> ub.Shape:
        assert isinstance(shape.geometry, ub.Box)
        size = tuple(factor * x for x in shape.geometry.size)
        pose = ub.Pose(tuple(factor * x for x in shape.pose.xyz), shape.pose.quat)  # type: ignore[arg-type]
        return replace(shape, geometry=ub.Box(size=size), pose=pose)  # type: ignore[arg-type]

    def large(factor: float) -> ub.World:
        links = tuple(
            replace(link, collisions=tuple(scaled(s, factor) for s in link.collisions))
            for link in arm.links
        )
        joints = tuple(
            replace(j, origin=ub.Pose(tuple(factor * x for x in j.origin.xyz)))  # type: ignore[arg-type]
            for j in arm.joints
        )
        return ub.collisions(replace(arm, links=links, joints=joints), [scaled(WALL, factor)])

    calls: list[int] = []
    for factor in (1.0, 1000.0):
        world = large(factor)
        count = 0

        def check() -> None:
            nonlocal count
            count += 1

        with world.watched(check):
            found = world.free(np.full((50, 3), 0.3), np.full((50, 3), 2.5))
        assert found.all()
        calls.append(count)
    assert calls[1] <= 4 * calls[0]


@pytest.mark.parametrize(
    ("wrong", "sides", "parents"),
    [
        # start, goal, two nodes and a twig of the start's tree, a node of the goal's tree
        ([0], [0, 1, 1, 1, 1, 1], [-1, -1, 3, 5, 2, 1]),
        ([1], [0, 1, 0, 1, 0, 1], [-1, -1, 0, 5, 2, 1]),
        ([2], [0, 1, 0, 0, 0, 1], [-1, -1, 0, 2, 2, 1]),
        ([3], [0, 1, 0, 0, 0, 0], [-1, -1, 0, 2, 2, 3]),
        ([0, 2], [0, 1, -1, -1, -1, 1], [-1, -1, -1, -1, 2, 1]),
    ],
)
def test_a_cut_path_leaves_two_trees(wrong: list[int], sides: list[int], parents: list[int]) -> None:
    """The path from the start to the goal passes both nodes, the bridge and the node of the goal."""
    mechanism = ub.assemble(planar_arm())
    generator = np.random.default_rng(0)
    x = np.linspace(0.1, 0.9, 6)[:, None] * [1.0, 1.0]
    forest = LazyForest(coordinates_of(mechanism, mechanism.initial), x[0], x[1:2], generator)
    for number, (parent, side) in enumerate([(0, 0), (2, 0), (2, 0), (1, 1)], 2):
        assert forest.add(x[number], parent, side) == number
    forest.cut([0, 2, 3, 5, 1], 2, [True, True, False, True], wrong)
    assert forest.side.tolist() == sides
    assert forest.parents == parents
    assert [sorted(each) for each in forest.children] == [
        [child for child, parent in enumerate(parents) if parent == number] for number in range(6)
    ]
    for side in (0, 1):
        own = {number for number, found in enumerate(sides) if found == side}
        assert {forest.grids[side].pick() for _ in range(200)} == own
        assert set(forest.nearest(x, side).tolist()) == own
