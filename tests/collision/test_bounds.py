"""No pair comes nearer than its bound says, whatever the joints between."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.mechanism.robots import heavy, heavy_robot, state

import unibody as ub

pytest.importorskip("coal", reason="needs the extra 'collision' (coal and pin)")

from unibody.collision.bounds import Bounds
from unibody.collision.geometry import Part
from unibody.collision.motion import Space, way
from unibody.mechanism.bodies import lump_bodies

ARM = Path(ub.__file__).parent / "models" / "arm.rob"
SPACES: tuple[Space, ...] = ("joints", "screw", "normalized")


@given(st.integers(0, 10_000), st.sampled_from(SPACES))
def test_no_pair_approaches_faster_than_its_bound(seed: int, space: Space) -> None:
    check_bounds(heavy(seed), seed, space)


@given(st.integers(0, 10_000), st.sampled_from(SPACES))
def test_no_pair_with_coupled_joints_approaches_faster_than_its_bound(seed: int, space: Space) -> None:
    robot = heavy_robot(seed, 4 + seed % 5)
    single = [j.name for j in robot.joints if j.kind in ("revolute", "prismatic")]
    assume(len(single) > 1)
    limited = replace(robot.joint(single[0]), limits=ub.Limits(position=(-2.0, 2.0)))
    joints = tuple(limited if j.name == single[0] else j for j in robot.joints)
    ratio = (-100.0, 0.3, 7.0)[seed % 3]
    couplings = tuple(
        ub.Coupling(joint=name, leader=single[0], ratio=ratio, offset=0.2) for name in single[1:]
    )
    check_bounds(ub.assemble(replace(robot, joints=joints, couplings=couplings)), seed, space)


@given(st.integers(0, 10_000), st.sampled_from(SPACES))
def test_no_pair_moved_by_coordinates_approaches_faster_than_its_bound(seed: int, space: Space) -> None:
    check_bounds(ub.assemble(ub.load(ARM)), seed, space)


def check_bounds(m: ub.Mechanism, seed: int, space: Space) -> None:
    rng = np.random.default_rng(seed)
    bodies = lump_bodies(m.tree)
    clouds = rng.normal(size=(len(bodies.heads), 4, 3))
    none = np.empty((0, 3))
    parts = [Part("mesh", np.eye(4), (), none, none.astype(np.int32), cloud, 0.0) for cloud in clouds]
    first, second = np.triu_indices(len(parts), 1)
    bounds = Bounds(m.tree, parts, range(len(parts)), (first.tolist(), second.tolist()))
    start, v, _ = state(m, seed)
    ends = [np.asarray(m.apply_couplings(q)) for q in (start, m.integrate(start, 0.5 * v))]
    motion = way(m, ends[0], ends[1], space)
    bounds.cover(*motion.range())
    speed = bounds.matrix @ bounds.rates(motion.velocity)
    poses = np.asarray(m.forward_kinematics(motion.at(np.arange(101) / 100.0)))[:, list(bodies.heads)]
    points = np.einsum("tbij,bkj->tbki", poses[..., :3, :3], clouds) + poses[..., None, :3, 3]
    assert np.linalg.norm(points, axis=3).max() <= bounds.reach
    gaps = points[:, first][:, :, :, None] - points[:, second][:, :, None]
    least = np.linalg.norm(gaps, axis=4).min(axis=(2, 3))
    assert (np.abs(np.diff(least, axis=0)) <= speed / 100.0 * (1.0 + 1e-9) + 1e-9).all()


def test_the_reach_holds_the_farthest_part() -> None:
    """A rail of 6 m, a spindle of 2 m that stands 3 m high on its car, and a nut of 0.1 m."""
    rail = ub.Joint(
        name="rail",
        kind="prismatic",
        parent="base",
        child="car",
        axis=(1.0, 0.0, 0.0),
        limits=ub.Limits(position=(-4.0, 6.0)),
    )
    spindle = ub.Joint(
        name="spindle",
        kind="screw",
        parent="car",
        child="nut",
        axis=(0.0, 0.0, 1.0),
        pitch=-0.5,
        origin=ub.Pose((0.0, 0.0, 3.0)),
        limits=ub.Limits(position=(-8.0 * math.pi, 0.0)),
    )
    links = (ub.Link(name="base"), ub.Link(name="car"), ub.Link(name="nut"))
    tree = ub.assemble(ub.Robot(name="robot", links=links, joints=(rail, spindle), base="fixed")).tree
    none = np.empty((0, 3))
    ground, nut = (
        Part("mesh", np.eye(4), (), none, none.astype(np.int32), size * np.eye(3), 0.0)
        for size in (0.0, 0.1)
    )
    bounds = Bounds(tree, [ground, nut], [0, 2], ([0], [1]))
    for low, farthest in ((0.0, math.hypot(6.0, 5.1)), (-100.0, math.hypot(100.0, 5.1))):
        bounds.cover(np.array([low, -8.0 * math.pi]), np.array([6.0, 0.0]))
        assert farthest <= bounds.reach <= 3.0 * farthest


def test_bounds_do_not_depend_on_what_was_covered_before() -> None:
    turn = ub.Joint(name="turn", kind="revolute", parent="base", child="arm", axis=(0.0, 0.0, 1.0))
    slide = ub.Joint(name="slide", kind="prismatic", parent="arm", child="car", axis=(1.0, 0.0, 0.0))
    links = (ub.Link(name="base"), ub.Link(name="arm"), ub.Link(name="car"))
    tree = ub.assemble(ub.Robot(name="robot", links=links, joints=(turn, slide), base="fixed")).tree
    none = np.empty((0, 3))
    ground, car = (
        Part("mesh", np.eye(4), (), none, none.astype(np.int32), far * np.eye(3), 0.0) for far in (1e9, 1.0)
    )
    bounds = Bounds(tree, [ground, car], [0, 2], ([0], [1]))
    radii = []
    for far in (0.0, 1.5, 1e6, math.inf, 1.5, 0.0):
        bounds.cover(np.zeros(2), np.array([0.0, far]))
        radii.append(float(bounds.matrix[0, 0]))
        assert radii[-1] >= far
    assert 1.5 < radii[1] < 5.0
    assert radii == sorted(radii[:4]) + radii[1::-1]
