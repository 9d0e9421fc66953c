"""Worlds of published scenes and robots: obstacles, other robots, second models, pairs by proof."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.collision.oracle import PUMA, SR1
from tests.sampling import few
from tests.shared import DEV

import unibody as ub
from unibody.collision.geometry import CollisionError
from unibody.mechanism.sampling import uniform

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

pytestmark = pytest.mark.usefixtures("shared")


def scene() -> ub.Scene:
    found = ub.read(DEV / PUMA).scene
    assert found is not None
    return found


def samples(world: ub.World, count: int, seed: int = 0) -> np.ndarray:
    m = world.mechanism
    q = np.broadcast_to(m.initial, (count, m.nq))
    return np.asarray(uniform(m.tree, np.random.default_rng(seed), q))


def assert_consistent(world: ub.World, count: int) -> None:
    """The batch, the pairs one by one, distances and motions of no length say the same."""
    q = samples(world, count)
    for row, touches in zip(q, world.colliding(q).tolist(), strict=True):
        hits = [hit.pair for hit in world.hits(row)]
        assert set(hits) <= set(world.pairs)
        near = {d.pair for d in world.distances(row, within=1e-6)}
        assert near >= set(hits)
        # faces that lie on one another touch or not, by rounding
        assert touches <= bool(near)
        assert bool(hits) == touches or len(near) == 1
        assert world.segment(row, row).status != ("free" if touches else "hit")


def test_obstacles_of_a_scene_are_those_given_as_shapes() -> None:
    whole = ub.collisions(scene(), missing="skip")
    arm = next(robot for robot in scene().robots if robot.joints)
    things = [robot for robot in scene().robots if not robot.joints]
    apart = ub.collisions(arm, things, missing="skip")
    assert [robot.name for robot in things] == ["box1", "box2", "car"]
    moving = {frozenset(pair) for pair in apart.pairs}
    named = {frozenset(name.split(":")[-1] for name in pair) for pair in whole.pairs}
    of_car = {pair for pair in moving if "car" in pair}
    assert of_car
    assert len(named) == len(moving)
    rows = samples(apart, 200)
    assert apart.mechanism.nq == whole.mechanism.nq
    assert apart.colliding(rows).tolist() == whole.colliding(rows).tolist()
    # without the car, nothing touches it
    skip = [(link.name, "car") for link in arm.links]
    less = ub.collisions(arm, things, skip=skip, missing="skip")
    assert {frozenset(pair) for pair in less.pairs} == moving - of_car
    assert (less.colliding(rows) <= apart.colliding(rows)).all()
    assert_consistent(apart, 20)


def test_two_robots_meet() -> None:
    robots = [replace(r, pose=ub.Pose((-0.78, 0.35, 0.3))) if r.joints else r for r in scene().robots]
    other = replace(next(r for r in robots if r.joints), name="second", pose=ub.Pose((-0.78, 0.35, 0.9)))
    world = ub.collisions(replace(scene(), robots=(*robots, other)), missing="skip")
    across = [pair for pair in world.pairs if {name.split(":")[0] for name in pair} == {"robot", "second"}]
    assert across, world.pairs
    hits = {hit.pair for row in samples(world, 200) for hit in world.hits(row)}
    assert hits & set(across)
    assert_consistent(world, 20)


def test_coll_false_is_never_tested_and_model1_takes_its_place() -> None:
    arm = next(robot for robot in scene().robots if robot.joints)
    off = replace(arm, links=tuple(replace(link, collides=False) for link in arm.links))
    assert ub.collisions(off, pairs="all", missing="skip").pairs == ()
    ball = (ub.Shape(geometry=ub.Sphere(radius=0.05)),)
    thin = replace(arm, links=tuple(replace(link, collisions_alt=ball) for link in arm.links))
    first, second = (
        ub.collisions(thin, shapes=shapes, missing="skip") for shapes in ("collision", "secondary")
    )
    assert set(first.pairs) <= set(second.pairs) | {("", "")}
    rows = samples(first, 300)
    assert (second.colliding(rows) != first.colliding(rows)).any()
    assert_consistent(second, 20)


@pytest.mark.parametrize(
    "name",
    few(
        [
            "choreonoid+choreonoid/share/model/PA10/PA10.body",
            "pypi_pybullet-3.2.7/pybullet_data/kuka_iiwa/model.urdf",
            "choreonoid+choreonoid/share/model/misc/ContinuousTrackVehicle.body",
            SR1,
        ],
        2,
    ),
)
def test_batches_and_single_tests_agree(name: str) -> None:
    assert_consistent(ub.collisions(ub.load(DEV / name), missing="skip"), 20)


@pytest.mark.slow
def test_pairs_by_proof_find_what_all_pairs_find() -> None:
    """Pairs that touch in samples are among them, unless they are adjacent, or always touch."""
    robot = ub.load(DEV / "choreonoid+choreonoid/share/model/PA10/PA10.body")
    matrix = ub.self_collision(robot)
    world = ub.collisions(robot, pairs="matrix")
    assert set(world.pairs) == set(matrix.undecided)
    assert set(world.pairs).isdisjoint(p.links for p in matrix.with_status("adjacent", "always", "never"))
    every = ub.collisions(robot, pairs="all")
    left_out = {p.links for p in matrix.with_status("adjacent", "always")}
    for row in samples(every, 2_000, 7):
        assert {hit.pair for hit in every.hits(row)} <= set(world.pairs) | left_out


@pytest.mark.slow
def test_every_readable_robot_has_a_world() -> None:
    count = 0
    for path in sorted(p for p in DEV.rglob("*") if p.suffix in (".body", ".urdf", ".rob")):
        robot = ub.read(path).robot
        try:
            if robot is None:
                continue
            world = ub.collisions(robot, missing="skip")
        except (ub.AssembleError, CollisionError):
            continue
        q = samples(world, 5)
        for row, touches in zip(q, world.colliding(q).tolist(), strict=True):
            if bool(world.hits(row)) != touches:
                assert len(world.distances(row, within=1e-6)) == 1, path
        count += 1
    assert count > 300
