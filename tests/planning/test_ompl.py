"""OMPL's planners with exact motion checks."""

from __future__ import annotations

from dataclasses import replace

import pytest

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")
pytest.importorskip("ompl", reason="the peer of this test: pip install ompl")

from ompl import base, geometric, util
from tests.planning.robots import box, planar_arm


def test_a_path_of_ompl_is_proved() -> None:
    util.setLogLevel(util.LOG_NONE)
    world = ub.collisions(planar_arm(count=3), [box("pin", (0.002, 0.002, 0.5), (1.5, 0.0, 0.0))])
    start, goal = {"j0": 0.7}, {"j0": -0.7}
    validator = ub.ompl_validator(world, start)
    assert not validator.motions.checkMotion(validator.state(start), validator.state(goal))
    setup = geometric.SimpleSetup(validator.information)
    setup.setStartAndGoalStates(validator.state(start), validator.state(goal))
    setup.setPlanner(geometric.RRTConnect(validator.information))
    assert setup.solve(base.timedPlannerTerminationCondition(20.0))
    setup.simplifySolution()
    path = validator.path(setup.getSolutionPath())
    assert path[0].tolist() == pytest.approx([0.7, 0.0, 0.0])
    assert path[-1].tolist() == pytest.approx([-0.7, 0.0, 0.0])
    assert world.path(path).status == "free"


def test_states_are_coordinates() -> None:
    world = ub.collisions(planar_arm())
    validator = ub.ompl_validator(world)
    assert validator.configuration(validator.state([1.0, -2.0])).tolist() == pytest.approx([1.0, -2.0])
    free = ub.collisions(replace(planar_arm(), base="free"))
    q = free.mechanism.initial.copy()
    q[0] = 1.0
    with pytest.raises(ValueError, match="moves base"):
        ub.ompl_validator(free).state(q)
