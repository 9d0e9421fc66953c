"""Motions past thin obstacles, judged by dense samples: what is called free is free."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from unibody.collision.motion import Space

ARM = Path(ub.__file__).parent / "models" / "arm.rob"
SPACES: tuple[Space, ...] = ("joints", "normalized")


def among_needles(seed: int, count: int = 12) -> tuple[ub.Mechanism, ub.World]:
    """The bundled arm, whose fingers share a coordinate, among thin rods that its links can reach."""
    rng = np.random.default_rng(seed)
    robot = ub.load(ARM)
    rods = []
    for i in range(count):
        angle, far = rng.uniform(-np.pi, np.pi), rng.uniform(0.15, 0.6)
        place = (far * np.cos(angle), far * np.sin(angle), rng.uniform(0.1, 0.7))
        rods.append(
            ub.Shape(geometry=ub.Box(size=(0.002, 0.002, 0.1)), name=f"rod{i}", pose=ub.Pose(place))
        )
    return ub.assemble(robot), ub.collisions(robot, obstacles=rods)


def judged(mechanism: ub.Mechanism, world: ub.World, rng: np.random.Generator, space: Space) -> str:
    """The status of a random motion that starts free; a false one raises AssertionError."""
    coordinates = mechanism.normalized_space
    first, last = rng.uniform(0.0, 1.0, (2, coordinates.n))
    a, b = coordinates.to_joints(first), coordinates.to_joints(last)
    motion = world.segment(a, b, space)
    steps = np.linspace(0.0, 1.0, 2001)[:, None]
    if space == "joints":
        dense = a + steps * (b - a)
    else:
        dense = coordinates.to_joints((first + steps * coordinates.difference(first, last)) % 1.0)
    if motion.status == "free":
        assert not world.colliding(dense).any()
    elif motion.status == "hit":
        assert motion.q is not None
        assert world.colliding(motion.q)
        assert motion.pair is not None
    return str(motion.status)


@pytest.mark.parametrize("space", SPACES)
def test_no_false_free_among_needles(space: Space) -> None:
    mechanism, world = among_needles(1)
    rng = np.random.default_rng(2)
    found = [judged(mechanism, world, rng, space) for _ in range(40)]
    assert {"free", "hit"} <= set(found) <= {"free", "hit", "near"}


@pytest.mark.slow
@pytest.mark.parametrize("space", SPACES)
def test_no_false_free_among_many_needles(space: Space) -> None:
    found = []
    for seed in range(10):
        mechanism, world = among_needles(seed)
        rng = np.random.default_rng(seed)
        found += [judged(mechanism, world, rng, space) for _ in range(100)]
    assert found.count("near") < 10
    assert min(found.count("free"), found.count("hit")) > 50


def test_a_cyclic_coordinate_goes_the_short_way() -> None:
    mechanism, _ = among_needles(0)
    wall = ub.Shape(geometry=ub.Box(size=(0.02, 0.5, 2.0)), name="wall", pose=ub.Pose((0.5, 0.0, 0.0)))
    world = ub.collisions(ub.load(ARM), obstacles=[wall])
    ends = np.full((2, mechanism.normalized_space.n), 0.5)
    ends[:, 0] = 0.1, 0.9
    a, b = mechanism.normalized_space.to_joints(ends)
    assert world.segment(a, b, "joints").status == "hit"
    assert world.segment(a, b, "normalized").status == "free"


def test_pairs_that_are_left_out() -> None:
    mechanism, _ = among_needles(0)
    wall = ub.Shape(geometry=ub.Box(size=(0.02, 0.5, 2.0)), name="wall", pose=ub.Pose((0.3, 0.0, 0.0)))
    q = mechanism.initial
    world = ub.collisions(ub.load(ARM), obstacles=[wall])
    assert world.hits(q)
    skip = [(link.name, "wall") for link in ub.load(ARM).links]
    assert not ub.collisions(ub.load(ARM), obstacles=[wall], skip=skip).colliding(q)


def test_what_is_inside_a_mesh_does_not_touch_it() -> None:
    mechanism, _ = among_needles(0)
    corners = 5.0 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
    quads = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    faces = [i for quad in quads for i in (*quad, -1)]
    room = ub.Shape(
        geometry=ub.Mesh(vertices=tuple(corners.ravel().tolist()), faces=tuple(faces)), name="room"
    )
    world = ub.collisions(ub.load(ARM), obstacles=[room])
    q = mechanism.initial
    assert not any("room" in hit.pair for hit in world.hits(q))
    assert any("room" in pair for pair in world.inside(q))
