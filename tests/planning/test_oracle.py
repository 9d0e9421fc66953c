"""Problems with a witness are solved and every edge is proved; those without a solution are refused."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest
from tests.planning.oracle import Problems, collides

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from unibody.planning.planner import Method


@pytest.fixture(scope="module")
def problems(shared: Path) -> Problems:
    return Problems(shared)


def check(problems: Problems, number: int, method: Method, seed: int) -> float:
    """Solve a problem, judge the path, and return the CPU time in s."""
    world, start, goal = problems.ends(problems.all[number])
    begin = time.process_time()
    found = ub.plan(world, start, goal, method, seed=seed, time_limit=None, iterations=4000)
    used = time.process_time() - begin
    assert found.path is not None, (number, method, seed, found.message)
    proved = "incomplete" if world.unread else "free"  # a mesh of the Puma is not in the corpus
    assert found.status == proved
    assert np.array_equal(found.path[0], start)
    assert np.array_equal(found.path[-1], goal)
    assert world.path(found.path).status == proved
    assert world.path(found.path, space="normalized").status == proved
    assert not collides(world, found.path)
    return used


@pytest.mark.parametrize("method", ["rrt-connect", "sbl"])
@pytest.mark.parametrize("number", [0, 2, 4, 9, 12])
def test_a_solvable_problem_is_solved(problems: Problems, number: int, method: Method) -> None:
    check(problems, number, method, seed=0)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["rrt-connect", "sbl"])
def test_all_solvable_problems_are_solved(problems: Problems, method: Method) -> None:
    solvable = [number for number, each in enumerate(problems.all) if each["solvable"]]
    used = [check(problems, number, method, seed) for number in solvable for seed in range(10)]
    assert len(used) == 200
    assert sum(each <= 10.0 for each in used) >= 195


def test_problems_without_a_solution_are_refused(problems: Problems) -> None:
    refused = [each for each in problems.all if not each["solvable"]]
    reasons = []
    for problem in refused:
        found = ub.plan(*problems.ends(problem), time_limit=None, iterations=60)
        assert found.path is None
        reasons.append((found.reason, found.pair is not None, found.joint))
    assert reasons == [
        ("goal in collision", True, None),
        ("start in collision", True, None),
        ("goal outside limits", False, "lbr_iiwa_joint_4"),
        ("not found", False, None),
        ("not found", False, None),
    ]


def test_a_seed_gives_one_path(problems: Problems) -> None:
    for method in ("rrt-connect", "sbl"):
        first, second = (ub.plan(*problems.ends(problems.all[5]), method, seed=3).found for _ in range(2))
        assert np.array_equal(first, second)
