"""Samples of the configuration space, bounds on travel, and the workspace on any executor."""

from __future__ import annotations

import math
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.mechanism.robots import heavy, state
from tests.mechanism.test_inverse_kinematics import planar
from tests.mechanism.test_loops import four_bar

from unibody.mechanism import assemble
from unibody.mechanism.sampling import reach, sample, travel, uniform
from unibody.model.robot import Joint, Link, Robot


@given(st.integers(0, 10_000))
@settings(max_examples=40, deadline=None)
def test_no_point_travels_farther_than_the_bound(seed: int) -> None:
    m = heavy(seed)
    rng = np.random.default_rng(seed)
    start, v, _ = state(m, seed)
    v = 0.5 * v
    end = m.integrate(start, v)
    points = rng.normal(size=(len(m.link_names), 3))
    bounds = travel(m.tree, start, end, np.linalg.norm(points, axis=1))
    ways = m.integrate(start, np.linspace(0.0, 1.0, 200)[:, None] * m.difference(start, end))
    placed = (
        np.einsum("blij,lj->bli", m.forward_kinematics(ways)[..., :3, :3], points)
        + m.forward_kinematics(ways)[..., :3, 3]
    )
    lengths = np.linalg.norm(np.diff(placed, axis=0), axis=2).sum(axis=0)
    assert (lengths <= bounds * (1.0 + 1e-9) + 1e-9).all()


def test_the_arc_of_an_inner_free_joint_bulges() -> None:
    links = (Link(name="base"), Link(name="arm"), Link(name="ball"))
    turn = Joint(name="turn", kind="revolute", parent="base", child="arm")
    loose = Joint(name="loose", kind="free", parent="arm", child="ball")
    m = assemble(Robot(name="thrower", links=links, joints=(turn, loose)))
    start = np.array([0.0, -1.0, 5.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    end = np.array([-3.0, 1.0, 5.0, 0.0, math.sqrt(0.5), 0.0, 0.0, -math.sqrt(0.5)])
    ways = m.integrate(start, np.linspace(0.0, 1.0, 2000)[:, None] * m.difference(start, end))
    centers = m.forward_kinematics(ways)[:, 2, :3, 3]
    length = np.linalg.norm(np.diff(centers, axis=0), axis=1).sum()
    assert 18.0 < length <= travel(m.tree, start, end, np.zeros(3))[2]


def test_halton_fills_evenly_and_goes_on_where_it_stopped() -> None:
    space = planar(1.0, 1.0).normalized_space
    whole = sample(space, 64, "halton", 0)
    parts = np.concatenate([sample(space, 40, "halton", 0), sample(space, 24, "halton", 0, skip=40)])
    assert (whole == parts).all()
    assert whole[:4, 0].tolist() == [0.5, 0.25, 0.75, 0.125]
    # every quarter of each coordinate holds a quarter of the samples
    counts = np.histogram(whole[:, 0], 4, (0.0, 1.0))[0]
    assert (abs(counts - 16) <= 1).all()
    shifted = sample(space, 64, "halton", 5)
    assert ((shifted >= 0.0) & (shifted <= 1.0)).all()
    assert (shifted != whole).any()


def test_uniform_samples_repeat_with_their_seed() -> None:
    space = planar(1.0, 1.0).normalized_space
    assert (sample(space, 10, "uniform", 3) == sample(space, 10, "uniform", 3)).all()
    assert (sample(space, 10, "uniform", 3) != sample(space, 10, "uniform", 4)).any()
    with pytest.raises(ValueError, match="sobol"):
        sample(space, 1, "sobol", 0)  # type: ignore[arg-type]


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_random_configurations_are_within_limits(seed: int) -> None:
    m = heavy(seed)
    q = uniform(m.tree, np.random.default_rng(seed), np.broadcast_to(m.initial, (20, m.nq)))
    good = (q >= np.minimum(m.lower, m.upper)) & (q <= np.maximum(m.lower, m.upper))
    assert good.all()


def test_reach_is_the_length_of_the_stretched_links() -> None:
    m = planar(1.0, 0.5, 0.25)
    first, length = reach(m.tree, 4)
    assert (m.link_names[first], length) == ("l1", 1.75)


@pytest.mark.parametrize("method", ["uniform", "halton"])
def test_a_workspace_does_not_depend_on_the_executor(method: str) -> None:
    m = planar(1.0, 0.5)
    alone = m.workspace("l3", 20_000, method=method, seed=2)  # type: ignore[arg-type]
    assert alone.shape == (20_000, 3)
    assert np.linalg.norm(alone, axis=1).max() <= 1.5 + 1e-12
    with ThreadPoolExecutor(2) as threads:
        assert (m.workspace("l3", 20_000, method=method, seed=2, executor=threads) == alone).all()  # type: ignore[arg-type]
    # not forked: other tests leave threads of their libraries behind
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert (m.workspace("l3", 20_000, method=method, seed=2, executor=processes) == alone).all()  # type: ignore[arg-type]


def test_a_workspace_of_a_loop_is_closed() -> None:
    m = four_bar()
    found = m.workspace("rocker", 200)
    assert 0 < len(found) <= 200
    # the joint of rod and rocker is 0.7 m from the rocker's pivot, wherever the crank is
    from unibody.model.pose import Pose

    meet = m.workspace(("rocker", Pose((0.7, 0.0, 0.0))), 200)
    assert np.linalg.norm(meet - [1.0, 0.0, 0.0], axis=1) == pytest.approx(0.7)


def test_wrong_requests() -> None:
    m = planar(1.0)
    with pytest.raises(KeyError, match="nowhere"):
        m.workspace("nowhere", 10)
    with pytest.raises(ValueError, match="negative"):
        m.workspace("l2", -1)
    assert m.workspace("l2", 0).shape == (0, 3)
