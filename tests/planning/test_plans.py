"""Forms of starts and goals, what moves and what stays, and why there is no path."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from tests.planning.robots import bar, box, joint, planar_arm

from unibody.planning.planner import Branches
from unibody.planning.recording import tree_edges, tree_points

WALL = box("wall", (0.02, 0.5, 0.5), (1.5, 0.0, 0.0))
METHODS = ("rrt-connect", "sbl")


@pytest.mark.parametrize("method", METHODS)
def test_goals_in_all_forms(method: str) -> None:
    states = (
        ub.Configuration(name="left", positions=(("j0", 1.2), ("j1", 0.2))),
        ub.Configuration(name="right", positions=(("j0", -1.2),)),
    )
    world = ub.collisions(planar_arm(configurations=states), [WALL])
    for goal in ([-1.2, 0.0], {"j0": -1.2, "j1": 0.0}, "right", [{"j0": 0.0}, "right"]):
        found = ub.plan(world, "left", goal, method, iterations=500)  # type: ignore[arg-type]
        assert found.path is not None, found.message
        assert found.path[0].tolist() == [1.2, 0.2]
        assert found.path[-1][0] == -1.2
        assert found.path[-1][1] == (0.2 if goal in ("right", [{"j0": 0.0}, "right"]) else 0.0)
        assert found.goal == (1 if isinstance(goal, list) and len(goal) == 2 and goal[1] == "right" else 0)
        assert world.path(found.path).status == "free"


def test_the_pose_of_a_link() -> None:
    world = ub.collisions(planar_arm(), [WALL])
    tip = ("bar1", ub.Pose((1.0, 0.0, 0.0)))
    where = np.eye(4)
    where[:3, 3] = 0.0, -1.4, 0.0
    goal = ub.Target(frame=tip, pose=where, orientation=False)
    found = ub.plan(world, {"j0": 1.2}, goal, iterations=500)
    assert found.path is not None
    assert world.mechanism.pose(found.path[-1], tip)[:3, 3] == pytest.approx([0.0, -1.4, 0.0], abs=1e-5)
    far = ub.plan(world, {"j0": 1.2}, (tip, ub.Pose((0.0, -9.0, 0.0))))
    assert far.reason == "goal out of reach"
    blocked = ub.plan(
        world, {"j0": 1.2}, ub.Target(frame=tip, pose=ub.Pose((1.51, 0.0, 0.0)), orientation=False)
    )
    assert (blocked.reason, blocked.pair) == ("goal in collision", ("bar1", "wall"))


def test_cyclic_coordinates_go_the_short_way() -> None:
    world = ub.collisions(planar_arm((-math.inf, math.inf), count=1))
    found = ub.plan(world, [3.0], [-3.0])
    assert found.path is not None
    assert found.path[:, 0].tolist() == pytest.approx([3.0, 2.0 * math.pi - 3.0])
    assert found.points[:, 0] == pytest.approx([0.5 + 3.0 / (2 * math.pi), 0.5 - 3.0 / (2 * math.pi)])
    blocked = ub.collisions(
        planar_arm((-math.inf, math.inf), count=1), [box("pin", (0.1, 0.1, 0.1), (-0.5, 0.0, 0.0))]
    )
    for method in METHODS:
        around = ub.plan(blocked, [3.0], [-3.0], method, iterations=300)  # type: ignore[arg-type]
        assert around.path is not None
        assert around.path[-1, 0] == pytest.approx(-3.0)
        assert blocked.path(around.path).status == "free"


def test_passive_and_frozen_coordinates_stay() -> None:
    robot = planar_arm(
        count=4,
        coordinates=tuple(
            ub.Coordinate(
                index=i,
                drives=(ub.Drive(joint=f"j{i}", at_zero=-3.0, at_one=3.0),),
                passive=i == 0,
                frozen=i == 3,
            )
            for i in range(4)
        ),
    )
    world = ub.collisions(robot, [box("pin", (0.1, 0.1, 0.1), (2.7, 0.0, 0.0))])
    found = ub.plan(world, [0.1, 1.2, 0.1, 0.2], {"j1": -1.2}, iterations=2000)
    assert found.path is not None
    assert np.ptp(found.path[:, [0, 3]], axis=0).tolist() == [0.0, 0.0]
    assert len(found.path) > 2
    moved = ub.plan(world, [0.1, 1.2, 0.1, 0.2], [0.1, -1.2, 0.1, 0.3])
    assert (moved.reason, moved.joint) == ("goal not reached by the coordinates", "j3")


def test_weights_are_the_metric() -> None:
    robot = planar_arm(
        coordinates=tuple(
            ub.Coordinate(
                index=i, drives=(ub.Drive(joint=f"j{i}", at_zero=-3.0, at_one=3.0),), weight=1.0 + i
            )
            for i in range(2)
        )
    )
    found = ub.plan(ub.collisions(robot), [0.0, 0.0], [0.6, 0.6])
    assert found.length == pytest.approx(0.1 * math.hypot(1.0, 2.0))


def test_several_robots_in_one_scene() -> None:
    left = replace(planar_arm(), name="left")
    right = replace(planar_arm(), name="right", pose=ub.Pose((1.5, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)))
    world = ub.collisions(ub.Scene(name="two", robots=(left, right)))
    start = {"left:j0": 0.6, "right:j0": 0.6}
    found = ub.plan(world, start, {"left:j0": -0.6, "right:j0": -0.6}, iterations=2000)
    assert found.path is not None
    assert world.segment(found.path[0], found.path[-1]).status == "hit"
    assert world.path(found.path).status == "free"


def test_inside_of_a_closed_mesh() -> None:
    tetrahedron = ub.Mesh(
        vertices=(-5.0, -5.0, -5.0, 5.0, -5.0, -5.0, 0.0, 5.0, -5.0, 0.0, 0.0, 5.0),
        faces=(0, 2, 1, -1, 0, 1, 3, -1, 1, 2, 3, -1, 2, 0, 3, -1),
    )
    world = ub.collisions(planar_arm(count=1), [ub.Shape(geometry=tetrahedron, name="hull")])
    found = ub.plan(world, [0.0], [1.0])
    assert (found.reason, found.pair) == ("start inside a body", ("bar0", "hull"))


def test_a_floating_base_stays() -> None:
    robot = replace(planar_arm(), base="free")
    world = ub.collisions(robot, [WALL])
    found = ub.plan(world, {"j0": 1.2}, {"j0": -1.2}, iterations=500)
    assert found.path is not None
    assert np.ptp(found.path[:, :7], axis=0).tolist() == [0.0] * 7
    q = found.path[-1].copy()
    q[0] = 0.1
    moved = ub.plan(world, {"j0": 1.2}, q)
    assert (moved.reason, moved.joint) == ("goal not reached by the coordinates", "base")


def test_wrong_arguments() -> None:
    world = ub.collisions(planar_arm(), [WALL])
    with pytest.raises(KeyError, match="unknown configuration 'rest'"):
        ub.plan(world, "rest", [0.0, 0.0])
    with pytest.raises(ValueError, match="method is 'prm'"):
        ub.plan(world, None, [0.0, 1.0], "prm")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="shape"):
        ub.plan(world, {"j0": 1.0}, [0.0, 1.0, 2.0])
    with pytest.raises(ValueError, match="not finite"):
        ub.plan(world, {"j0": 1.0}, [0.0, math.nan])
    with pytest.raises(ValueError, match="there is no goal"):
        ub.plan(world, {"j0": 1.0}, [])
    with pytest.raises(ValueError, match=r"shape \(1, 2\); expected \(2,\)"):
        ub.plan(world, [[0.0, 1.0]], [0.0, 1.0])
    with pytest.raises(TypeError, match="requires a goal"):
        ub.plan(world, [0.0, 1.0])
    with pytest.raises(TypeError, match="compare its path with None"):
        bool(ub.plan(world, {"j0": 1.0}, {"j0": 1.1}))
    with pytest.raises(ValueError, match="there is no path"):
        _ = ub.plan(world, {"j0": 1.0}, [0.0, 0.0]).found


def test_many_motions_are_proved_in_one_batch() -> None:
    rng = np.random.default_rng(0)
    turning = replace(
        planar_arm(),
        links=(*planar_arm().links, bar("ball", 0.3)),
        joints=(*planar_arm().joints, joint("wrist", "bar1", "ball", "ball", at=(1.0, 0.0, 0.0))),
    )
    for robot in (planar_arm(), replace(planar_arm(), base="free"), turning):
        world = ub.collisions(robot, [WALL])
        q = np.tile(world.mechanism.initial, (40, 1))
        at = [int(world.mechanism.idx_q[i]) for i in range(2)]
        q[:, at] = rng.uniform(-3.0, 3.0, (40, 2))
        if robot is turning:
            four = rng.normal(size=(40, 4))
            q[:, -4:] = four / np.linalg.norm(four, axis=1)[:, None]
        free = world.free(q[:-1], q[1:])
        assert free.tolist() == [world.segment(a, b).status == "free" for a, b in pairwise(q)]
        assert 0 < free.sum() < 39


def test_what_nobody_can_place_is_not_proved(tmp_path: Path) -> None:
    world = ub.collisions(planar_arm(), [WALL])
    with pytest.raises(ValueError, match="within"):
        world.free([1.2, 0.0], [1.1, 0.0], within=0.0)
    found = ub.plan(world, {"j0": 1.2}, {"j0": -1.2}, iterations=500)
    with pytest.raises(ValueError, match=r"written as .*, not as \.txt"):
        found.save(tmp_path / "path.txt")
    for name in ("path.pln", "path.csv"):
        found.save(tmp_path / name)
        with pytest.raises(FileExistsError, match="overwrite"):
            found.save(tmp_path / name)
        found.save(tmp_path / name, overwrite=True)


def test_shorter_paths_are_proved() -> None:
    world = ub.collisions(planar_arm(count=3), [WALL])
    for method in METHODS:
        found = ub.plan(world, {"j0": 1.2}, {"j0": -1.2}, method, iterations=2000)  # type: ignore[arg-type]
        for smooth in (False, True):
            shorter = ub.shorten(found, smooth=smooth)
            assert shorter.length < found.length
            assert shorter.found[0].tolist() == found.found[0].tolist()
            assert shorter.found[-1].tolist() == found.found[-1].tolist()
            assert world.path(shorter.found).status == "free"
            assert world.path(shorter.found, space="normalized").status == "free"


def test_a_robot_that_cannot_move() -> None:
    robot = planar_arm(count=0)
    world = ub.collisions(robot, [WALL])
    q = world.mechanism.initial
    assert q.shape == (0,)
    assert world.free([q] * 3, [q] * 3).tolist() == [True] * 3
    assert bool(world.free(q, q))
    assert world.sampled([q], [q]).tolist() == [True]
    for goal in (q, [q] * 3):
        found = ub.plan(world, None, goal)
        assert found.status == "free"
        assert found.found.shape == (2, 0)
    assert ub.shorten(found).found.shape == (2, 0)


def test_search_trees_have_points_and_edges() -> None:
    world = ub.collisions(planar_arm())
    m = world.mechanism
    q = np.zeros((5, m.nq))
    q[:, 0] = [0.0, 0.4, 0.8, -0.4, 1.0]
    # Two trees: a fork of four nodes, and a root alone.
    trees = (Branches(q[:4], np.array([-1, 0, 1, 0])), Branches(q[4:], np.array([-1])))
    plan = replace(ub.plan(world, m.initial, m.initial), trees=trees)
    frame = m.link_names[-1]
    points, edges = tree_points(plan, frame), tree_edges(plan)
    assert (len(points), edges.shape) == (20, (18, 2))
    above: dict[int, int] = {int(end): int(begin) for begin, end in edges}
    assert len(above) == 18

    def nodes(end: int) -> list[int]:
        out = [end]
        while out[-1] in above:
            out.append(above[out[-1]])
        return out

    places = np.asarray(m.pose(q, frame))[:, :3, 3]
    ends = [int(np.linalg.norm(points - place, axis=1).argmin()) for place in places]
    # From each node the edges lead to its root, over its parents; along each, there are six steps.
    assert [len(nodes(end)) for end in ends] == [1, 7, 13, 7, 1]
    assert {nodes(end)[-1] for end in ends[:4]} == {ends[0]}
    assert nodes(ends[2])[6] == ends[1]
