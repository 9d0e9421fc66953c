"""Moving along velocities: the exponential maps against matrix exponentials, and back."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.mechanism.robots import Floats, apart, heavy, state

import unibody as ub
from unibody.mechanism import Mechanism
from unibody.model.joint_kind import JointKind
from unibody.model.robot import Joint, Link, Robot


def pair(kind: JointKind) -> Mechanism:
    joint = Joint(name="j", kind=kind, parent="a", child="b")
    return ub.assemble(Robot(name="pair", links=(Link(name="a"), Link(name="b")), joints=(joint,)))


def _screw(v: Floats) -> Floats:
    """exp of a twist's 4×4 matrix, by halving and squaring: the judge."""
    (a, b, c), (x, y, z) = v[:3], v[3:]
    matrix = np.array([[0.0, -z, y, a], [z, 0.0, -x, b], [-y, x, 0.0, c], [0.0] * 4]) / 2.0**20
    out = np.eye(4) + matrix + matrix @ matrix / 2.0
    for _ in range(20):
        out = out @ out
    return out


@pytest.mark.parametrize("size", [0.0, 1e-12, 1e-5, 0.05, 0.0999999, 0.1000001, 1.0, 3.0, math.pi, 20.0])
def test_a_free_joint_follows_the_screw(size: float) -> None:
    mechanism = pair("free")
    q, v, _ = state(mechanism, 3)
    v[3:] *= size / np.linalg.norm(v[3:])
    start, end = (
        mechanism.forward_kinematics(q)[1],
        mechanism.forward_kinematics(mechanism.integrate(q, v))[1],
    )
    assert apart(end, start @ _screw(v)) < 1e-9
    if size < 3.1:
        assert apart(mechanism.difference(q, mechanism.integrate(q, v)), v) < 1e-13


@pytest.mark.parametrize("seed", range(24))
def test_difference_undoes_integrate(seed: int) -> None:
    mechanism = heavy(seed)
    q, v, _ = state(mechanism, seed, (3,))
    v = 0.7 * v
    end = mechanism.integrate(q, v)
    assert apart(mechanism.difference(q, end), v) < 1e-12
    assert apart(mechanism.difference(q, q), 0.0 * v) == 0.0
    assert (
        apart(mechanism.forward_kinematics(mechanism.integrate(end, -v)), mechanism.forward_kinematics(q))
        < 1e-12
    )


@pytest.mark.parametrize("seed", range(24))
def test_rate_is_the_slope_of_integrate(seed: int) -> None:
    mechanism, step = heavy(seed), 1e-6
    q, v, _ = state(mechanism, seed)
    slope = (mechanism.integrate(q, step * v) - mechanism.integrate(q, -step * v)) / (2.0 * step)
    assert apart(mechanism.q_dot(q, v), slope) < 1e-9


@given(st.lists(st.floats(-3.1, 3.1), min_size=3, max_size=3), st.floats(-12.0, 0.0))
def test_ball_joints_turn_there_and_back(turn: list[float], scale: float) -> None:
    mechanism = pair("ball")
    v = np.array(turn) * 10.0**scale
    norm = float(np.linalg.norm(v))
    if norm > 3.1:
        v *= 3.1 / norm
    q = np.array([0.5, -0.5, 0.5, 0.5])
    end = mechanism.integrate(q, v)
    assert abs(float(end @ end) - 1.0) < 1e-15
    assert np.abs(mechanism.difference(q, end) - v).max() <= 1e-14 * max(1.0, norm)
    # The quaternion's other sign is the same turn.
    assert np.abs(mechanism.difference(q, -end) - v).max() <= 1e-14 * max(1.0, norm)


def test_turns_by_pi_and_quaternions_of_any_length() -> None:
    mechanism = pair("ball")
    half = mechanism.difference([1.0, 0.0, 0.0, 0.0], [0.0, 0.0, -3.0, 0.0])
    assert np.abs(half).tolist() == [0.0, math.pi, 0.0]
    end = mechanism.integrate([2.0, 0.0, 0.0, 0.0], np.zeros(3))
    assert end.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert np.isnan(mechanism.integrate([0.0] * 4, np.zeros(3))).all()


def test_other_joints_add_up() -> None:
    for kind in ("revolute", "prismatic", "planar"):
        mechanism = pair(kind)
        q, v, _ = state(mechanism, 1, (2,))
        assert np.array_equal(mechanism.integrate(q, v), q + v)
        assert np.array_equal(mechanism.q_dot(q, v), v)
        assert apart(mechanism.difference(q, q + v), v) < 1e-15
    broadcast = mechanism.integrate(q[0], v)
    assert broadcast.shape == (2, 3)


def test_wrong_shapes_are_named() -> None:
    mechanism = pair("free")
    with pytest.raises(ValueError, match=r"v has shape \(7,\); expected \(..., 6\)"):
        mechanism.integrate(mechanism.initial, np.zeros(7))
    with pytest.raises(ValueError, match=r"q has shape \(6,\); expected \(..., 7\)"):
        mechanism.difference(mechanism.initial, np.zeros(6))
