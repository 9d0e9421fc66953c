"""Shapes that are aligned with one another, as robots and furniture are: where GJK has the most trouble.

The truth is the separating axis test of boxes, and the distance of a segment from a box.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from tests.sampling import few

import unibody as ub
from unibody.model.pose import from_rpy

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

SIZES = (0.05, 0.1, 0.15, 0.2, 0.5)
PLACES = np.array([0.0, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.5, 1.0])
TURNS = ((0.0, 0.0, 0.0), *(tuple(row) for row in 0.5 * math.pi * np.eye(3)), (0.0, 0.0, 0.25 * math.pi))
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
CORNERS = np.array(list(itertools.product((-1.0, 1.0), repeat=3)))
SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def box(half: Any, is_mesh: bool) -> Any:
    if not is_mesh:
        return ub.Box(size=tuple((2.0 * half).tolist()))
    faces = [i for a, b, c, d in SIDES for i in (a, b, c, -1, a, c, d, -1)]
    return ub.Mesh(vertices=tuple((CORNERS * half).ravel().tolist()), faces=tuple(faces))


def slider(shape: ub.Shape) -> ub.Robot:
    """A robot that moves a shape along all axes."""
    names = ("base", "x", "y", "z")
    links = tuple(ub.Link(name=name, collisions=(shape,) if name == "z" else ()) for name in names)
    joints = tuple(
        ub.Joint(name=f"to_{b}", kind="prismatic", parent=a, child=b, axis=axis)
        for a, b, axis in zip(names, names[1:], AXES, strict=False)
    )
    return ub.Robot(name="slider", links=links, joints=joints, base="fixed")


def gap_of_boxes(first: Any, second: Any, turn: Any, at: Any) -> float:
    """How far apart two boxes are along the best of the separating axes; below 0 if they overlap."""
    axes = np.array([*np.eye(3), *turn.T, *(np.cross(a, b) for a in np.eye(3) for b in turn.T)])
    lengths = np.linalg.norm(axes, axis=1)
    axes = axes[lengths > 1e-9] / lengths[lengths > 1e-9, None]
    return float((abs(axes @ at) - abs(axes) @ first - abs(axes @ turn) @ second).max())


def gap_of_capsule(half: Any, ends: Any, radius: float) -> float:
    """The distance of a capsule, from one end of its segment to the other, from a box."""
    low, high = 0.0, 1.0

    def off(t: float) -> float:
        middle = ends[0] + t * (ends[1] - ends[0])
        return float(np.linalg.norm(np.maximum(np.abs(middle) - half, 0.0)))

    for _ in range(80):
        a, b = low + (high - low) / 3.0, high - (high - low) / 3.0
        low, high = (low, b) if off(a) < off(b) else (a, high)
    return off(low) - radius


def places(rng: np.random.Generator, count: int = 40) -> Any:
    return rng.choice(PLACES, (count, 3)) * rng.choice([-1.0, 1.0], (count, 3))


@pytest.mark.parametrize("meshes", few(list(itertools.product((False, True), repeat=2)), 1), ids=str)
def test_boxes(meshes: tuple[bool, bool]) -> None:
    rng = np.random.default_rng(1)
    for _ in range(20):
        first, second = rng.choice(SIZES, (2, 3))
        pose = ub.Pose((0.0, 0.0, 0.0), from_rpy(*TURNS[rng.integers(len(TURNS))]))
        turn = np.array(pose.matrix())[:3, :3]
        obstacle = ub.Shape(geometry=box(first, meshes[0]), name="obstacle")
        robot = slider(ub.Shape(geometry=box(second, meshes[1]), pose=pose))
        world = ub.collisions(robot, [obstacle])
        some = places(rng)
        for q, collides in zip(some, world.colliding(some), strict=True):
            gap = gap_of_boxes(first, second, turn, q)
            # how far the corners of one reach out of the other
            out = float((np.abs((CORNERS * second) @ turn.T + q) - first).max())
            over = float((np.abs((CORNERS * first - q) @ turn) - second).max())
            if min(abs(gap), abs(out), abs(over)) < 1e-7:
                continue
            is_inside = (meshes[0] and out < 0.0) or (meshes[1] and over < 0.0)
            truth = gap < 0.0 and not is_inside
            assert collides == truth, (q, gap)
            hits = world.hits(q)
            assert bool(hits) == truth, (q, gap)
            assert bool(world.inside(q)) == is_inside
            (found,) = world.distances(q)
            assert (found.distance > 0.0) == (not truth)
            if truth and meshes == (False, False):
                assert hits[0].depths.max() == pytest.approx(-gap, abs=1e-5)


def test_capsules_and_their_distances() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        half, radius, height = rng.choice(SIZES, 3), float(rng.choice(SIZES)), float(rng.choice(SIZES))
        pose = ub.Pose((0.0, 0.0, 0.0), from_rpy(*TURNS[rng.integers(len(TURNS))]))
        robot = slider(ub.Shape(geometry=ub.Capsule(radius=radius, height=height), pose=pose))
        world = ub.collisions(robot, [ub.Shape(geometry=box(half, False), name="obstacle")])
        along = 0.5 * height * np.array(pose.matrix())[:3, 2]
        some = places(rng)
        for q, collides in zip(some, world.colliding(some), strict=True):
            gap = gap_of_capsule(half, (q - along, q + along), radius)
            if abs(gap) < 1e-7:
                continue
            assert collides == bool(world.hits(q)) == (gap < 0.0), (q, gap)
            (found,) = world.distances(q)
            assert max(gap, 0.0) - 5e-6 < found.distance <= max(gap, 0.0) + 1e-12


@pytest.mark.slow
def test_results_do_not_depend_on_what_was_tested_before() -> None:
    rng = np.random.default_rng(3)
    for _ in range(60):
        half, radius, height = rng.choice(SIZES, 3), float(rng.choice(SIZES)), float(rng.choice(SIZES))
        robot = slider(ub.Shape(geometry=ub.Capsule(radius=radius, height=height)))
        world = ub.collisions(robot, [ub.Shape(geometry=box(half, False), name="obstacle")])
        some = places(rng)
        found = [
            [
                ([hit.depths.tolist() for hit in world.hits(q)], [d.distance for d in world.distances(q)])
                for q in order
            ]
            for order in (some, some[::-1])
        ]
        assert found[0] == found[1][::-1]
