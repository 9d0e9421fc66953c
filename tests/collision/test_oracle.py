"""Configurations and motions whose truth two engines agree on (``shared/oracle/planning``)."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

SR1 = "choreonoid+choreonoid/share/model/SR1/SR1.body"
PUMA = "aslali+rrt_kuka_mpk/scenes/PUMAenv.iv"


def world_of(shared: Path, name: str) -> Any:
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
    obstacles = [
        ub.Shape(geometry=ub.Box(size=tuple(o["box"])), name=o["name"], pose=ub.Pose(tuple(o["xyz"])))
        for o in said["obstacles"]
    ]
    path = oracle / "needle.urdf" if name == "needle" else models / said["robot"]
    return ub.collisions(ub.load(path), obstacles, [tuple(pair) for pair in said["skip"]])


def configurations(world: Any, rows: list[list[float]]) -> Any:
    m = world.mechanism
    moving = [int(at) for kind, at in zip(m.tree.kinds, m.idx_q, strict=True) if kind != "fixed"]
    q = np.tile(m.initial, (len(rows), 1))
    q[:, moving] = rows
    return q


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "file"), [("shelf", "iiwa-shelf"), ("sr1", "sr1"), ("pumaenv", "pumaenv")]
)
def test_configurations(shared: Path, name: str, file: str) -> None:
    said = json.loads((shared / f"oracle/planning/configs-{file}.json").read_text("utf-8"))
    world = world_of(shared, name)
    assert {frozenset(pair) for pair in world.pairs} == {frozenset(pair) for pair in said["pairs"]}
    q = configurations(world, [each["q"] for each in said["configs"]])
    assert world.colliding(q).tolist() == [bool(each["hit"]) for each in said["configs"]]
    for number, each in enumerate(said["configs"]):
        found = {frozenset(hit.pair) for hit in world.hits(q[number])}
        assert found == {frozenset(said["pairs"][k]) for k in each["hit"]}
        if number % 15 == 0:
            near = {frozenset(d.pair): d.distance for d in world.distances(q[number], within=0.2)}
            for k, truth in each["near"]:
                if truth < 0.19:
                    assert -2e-6 < near[frozenset(said["pairs"][k])] - truth < 5e-7


@pytest.mark.parametrize("name", ["needle", "wires", "shelf", "sr1", "pumamoved"])
def test_motions(shared: Path, name: str) -> None:
    said = json.loads((shared / f"oracle/planning/segments-{name}.json").read_text("utf-8"))
    world = world_of(shared, name)
    starts, ends = (configurations(world, [each[end] for each in said]) for end in "ab")
    for a, b, each in zip(starts, ends, said, strict=True):
        found = world.segment(a, b)
        assert found.status == ("free" if each["free"] else "hit")
        if found.q is not None:
            assert world.colliding(found.q)
