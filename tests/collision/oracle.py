"""The worlds of ``shared/oracle/planning``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import unibody as ub

SR1 = "choreonoid+choreonoid/share/model/SR1/SR1.body"
PUMA = "aslali+rrt_kuka_mpk/scenes/PUMAenv.iv"


def obstacle_boxes(listed: list[dict[str, Any]]) -> list[ub.Shape]:
    """Axis-aligned boxes as the oracle writes them."""
    return [
        ub.Shape(
            geometry=ub.Box(size=tuple(each["box"])), name=each["name"], pose=ub.Pose(tuple(each["xyz"]))
        )
        for each in listed
    ]


def world_of(shared: Path, name: str, more: list[ub.Shape] | None = None) -> Any:
    """A world of the oracle, with more obstacles."""
    oracle, models = shared / "oracle/planning", shared / "corpus/dev"
    if name == "sr1":
        return ub.collisions(replace(ub.load(models / SR1), base="fixed"))
    if name.startswith("puma"):
        scene = ub.read(models / PUMA).scene
        assert scene is not None
        if name == "pumamoved":
            moved = [replace(r, pose=ub.Pose((-0.78, 0.35, 0.3))) if r.joints else r for r in scene.robots]
            scene = replace(scene, robots=tuple(moved))
        return ub.collisions(scene, missing="skip")
    said = json.loads((oracle / "scenes.json").read_text("utf-8"))[name]
    obstacles = obstacle_boxes(said["obstacles"]) + (more or [])
    path = oracle / "needle.urdf" if name == "needle" else models / said["robot"]
    return ub.collisions(ub.load(path), obstacles, skip=[tuple(pair) for pair in said["skip"]])


def configurations(world: Any, rows: list[list[float]]) -> Any:
    """q (k, nq) of positions of the moving joints, the others initial."""
    m = world.mechanism
    moving = [int(at) for kind, at in zip(m.tree.kinds, m.idx_q, strict=True) if kind != "fixed"]
    q = np.tile(m.initial, (len(rows), 1))
    q[:, moving] = rows
    return q
