"""OMPL's planners with exact motion checks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from tests.planning.robots import box, planar_arm

from unibody.planning.ompl import OmplValidator


def test_a_path_of_ompl_is_proved() -> None:
    pytest.importorskip("ompl", reason="the peer of this test: pip install ompl")
    from ompl import base, geometric, util

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


class Lists:
    """States of OMPL as lists of numbers."""

    def allocState(self) -> list[float]:
        return [0.0, 0.0]

    def getStates(self) -> list[list[float]]:
        return [[0.5, 0.5], [1.0, 0.0]]


def test_states_are_coordinates() -> None:
    world = ub.collisions(planar_arm())
    validator = OmplValidator(world, np.zeros(2), Lists(), None)
    assert validator.state([1.5, -3.0]) == pytest.approx([0.75, 0.0])
    assert validator.configuration([0.75, 0.0]).tolist() == pytest.approx([1.5, -3.0])
    assert validator.path(Lists()) == pytest.approx(np.array([[0.0, 0.0], [3.0, -3.0]]))


def test_what_no_coordinate_moves_stays() -> None:
    world = ub.collisions(replace(planar_arm(), base="free"))
    start = world.mechanism.initial.copy()
    start[0] = 0.5
    validator: Any = OmplValidator(world, start, Lists(), None)
    assert validator.state(start) == pytest.approx([0.5, 0.5])
    assert validator.configuration([0.5, 0.5])[0] == 0.5
    elsewhere = start.copy()
    elsewhere[0] = 1.0
    with pytest.raises(ValueError, match="moves base"):
        validator.state(elsewhere)
