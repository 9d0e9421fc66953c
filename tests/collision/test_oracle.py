"""Configurations and motions whose truth two engines agree on (``shared/oracle/planning``)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.collision.oracle import configurations, world_of

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")


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
        free = "incomplete" if world.unread else "free"  # a mesh of the Puma is not in the corpus
        assert found.status == (free if each["free"] else "hit")
        if found.q is not None:
            assert world.colliding(found.q)
