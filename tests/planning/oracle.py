"""The problems of ``shared/oracle/planning``, and paths judged by dense samples."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from tests.collision.oracle import configurations, obstacle_boxes, world_of

import unibody as ub


class Problems:
    """The problems, with their worlds, each made once."""

    def __init__(self, shared: Path) -> None:
        self._shared = shared
        self._worlds: dict[str, ub.World] = {}
        text = (shared / "oracle/planning/problems.json").read_text("utf-8")
        self.all: list[dict[str, Any]] = json.loads(text)["problems"]

    def ends(self, problem: dict[str, Any]) -> tuple[ub.World, Any, Any]:
        """The world, start and goal of a problem."""
        world = self.world(problem)
        start, goal = configurations(world, [problem["start"], problem["goal"]])
        return world, start, goal

    def world(self, problem: dict[str, Any]) -> ub.World:
        name, more = problem["scene"], problem.get("extra_obstacles", [])
        key = name + "".join(each["name"] for each in more)
        if key not in self._worlds:
            self._worlds[key] = world_of(self._shared, name, obstacle_boxes(more))
        return self._worlds[key]


def collides(world: ub.World, path: Any, step: float = 0.002) -> bool:
    """Whether anything touches at samples of a path, ``step`` (rad or m) apart."""
    rows = []
    for a, b in pairwise(path):
        count = int(np.ceil(np.abs(b - a).max() / step)) + 1
        rows.append(a + np.linspace(0.0, 1.0, count)[:, None] * (b - a))
    return bool(world.colliding(np.concatenate(rows)).any())
