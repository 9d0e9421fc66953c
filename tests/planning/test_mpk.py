"""Robots and scenes of MPK: planned, written as .pln, read back, proved and played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.planning.oracle import Problems, collides

import unibody as ub
from unibody.formats.mpk import read_plan

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from unibody.planning.recording import recorded

MODELS = Path(__file__).parent / "models"
ROOT = MODELS.parents[2]


def scene_of(name: str) -> ub.World:
    scene = ub.read(MODELS / name, allow=[str(ROOT / "src/unibody/models")]).scene
    assert scene is not None
    return ub.collisions(scene)


def check(world: ub.World, start: Any, goal: Any, seed: int, file: Path) -> None:
    """Plan, write, read, prove, record and shorten."""
    found = ub.plan(world, start, goal, seed=seed, time_limit=None, iterations=4000)
    proved = "incomplete" if world.unread else "free"  # a mesh of the Puma is not in the corpus
    assert found.status == proved, found.message
    assert len(found.found) > 2
    for plan in (found, ub.shorten(found)):
        plan.save(file, overwrite=True)
        points = read_plan(str(file)).points
        space = world.mechanism.normalized_space
        assert world.path(space.to_joints(points), space="normalized").status == proved
        assert not collides(world, plan.found)
    record = recorded(found)
    assert record.sensors["clearance in m"].min() >= 0.0
    assert record.q.shape[0] == len(record.times) > 10


def test_a_free_flying_l_goes_through_a_window(tmp_path: Path) -> None:
    world = scene_of("flyer-window.iv")
    check(world, {"x": -1.0}, {"x": 1.0, "roll": 1.5}, 1, tmp_path / "flyer.pln")


def test_two_robots_of_a_scene(tmp_path: Path) -> None:
    start = {"left:Turn": 1.2, "right:Turn": -1.2}
    goal = {"left:Turn": -1.2, "right:Turn": 1.2}
    check(scene_of("two-arms.iv"), start, goal, 0, tmp_path / "both.pln")


def test_the_puma_beside_the_car(shared: Path, tmp_path: Path) -> None:
    problems = Problems(shared)
    chosen = [each for each in problems.all if each["scene"] == "pumamoved"]
    for seed, problem in enumerate(chosen[:1]):
        world, start, goal = problems.ends(problem)
        check(world, start, goal, seed, tmp_path / "puma.pln")


def test_a_plan_of_the_page_keeps_its_obstacles() -> None:
    world = scene_of("flyer-window.iv")
    found = ub.plan(world, {"x": -1.0}, {"x": -0.8})
    page = ub.view(recorded(found), browser=False)
    assert any("window" in link.name for link in recorded(found).robot.links)
    assert page.findings is not None
    assert np.all(np.diff(recorded(found).times) > 0.0)
