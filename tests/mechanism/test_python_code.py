"""Code in Python gives what numpy gives, for all kinds of joints, after some calls of few rows."""

from __future__ import annotations

import numpy as np
import pytest
from tests.mechanism.robots import heavy, state
from tests.mechanism.test_compilation import CALLS, forces

from unibody.mechanism import Mechanism, assemble, compilation
from unibody.model.inertia import Inertial
from unibody.model.robot import Joint, Link, Robot

#: Batches that code in Python computes, and one that numpy does.
FEW, MANY = ((), (1,), (3,), (2, 2), (0,)), (5,)


@pytest.fixture(autouse=True)
def without_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second call of a kernel runs code in Python."""
    monkeypatch.setattr(compilation, "is_available", lambda: False)
    monkeypatch.setattr(compilation, "is_off", lambda: False)
    monkeypatch.setattr(compilation, "FEW_CALLS", 1)


def is_written(m: Mechanism) -> bool:
    return any(c.is_ready(1) for c in compilation._candidates(m.tree).values())


def same(name: str, m: Mechanism, batch: tuple[int, ...]) -> None:
    compilation._candidates(m.tree).clear()
    q, v, a = state(m, 3, batch)
    given = (m, q, v, a, forces(m, batch))
    plain = CALLS[name](*given)
    assert is_written(m)
    np.testing.assert_allclose(
        CALLS[name](*given), plain, rtol=0, atol=1e-12 * max(1.0, np.abs(plain).max(initial=0.0))
    )


@pytest.mark.parametrize("name", ["forward_kinematics", "jacobian", "mass_matrix", "forces on links"])
def test_code_in_python_computes_what_numpy_does(name: str) -> None:
    for batch in ((), (3,)):
        same(name, heavy(4, 6), batch)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", CALLS)
def test_code_in_python_computes_what_numpy_does_for_any_tree(name: str, seed: int) -> None:
    m = heavy(seed)
    for batch in FEW:
        same(name, m, batch)


def test_calls_with_few_configurations_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "FEW_CALLS", 3)
    m = heavy(2, 4)
    q, _, _ = state(m, 3, MANY)
    for _ in range(9):
        m.mass_matrix(q)
    for k in range(3):
        assert not is_written(m), k
        plain = m.mass_matrix(q[:2])
    assert is_written(m)
    np.testing.assert_allclose(m.mass_matrix(q)[:2], plain, rtol=0, atol=1e-12)


def test_arguments_that_are_the_same_for_all_are_broadcast() -> None:
    m = heavy(1, 4)
    q, v, a = state(m, 2, (3,))
    for given in ((q, v[0], a), (q[0], v, a), (q[:2, None], v[None, :2], a[0])):
        compilation._candidates(m.tree).clear()
        plain, again = (m.inverse_dynamics(*given) for _ in range(2))
        np.testing.assert_allclose(again, plain, rtol=0, atol=1e-12 * np.abs(plain).max())


def pendulum(mass: float) -> Mechanism:
    hinge = Joint(name="hinge", kind="revolute", parent="base", child="arm")
    inertial = Inertial(mass=mass, com=(0.5, 0.0, 0.0))
    return assemble(
        Robot(name="p", links=(Link(name="base"), Link(name="arm", inertial=inertial)), joints=(hinge,))
    )


def test_what_has_no_result_is_left_to_numpy() -> None:
    m = pendulum(0.0)
    plain, again = (m.forward_kinematics([np.inf]) for _ in range(2))
    assert is_written(m)
    assert np.isnan(plain).any()
    np.testing.assert_array_equal(again, plain)


def test_the_center_of_no_mass_is_left_to_numpy() -> None:
    m = pendulum(0.0)
    for _ in range(2):
        assert np.isnan(m.center_of_mass([0.1])).all()
    assert not is_written(m)


def test_far_angles_are_exact() -> None:
    m = pendulum(1.0)
    q = np.array([1e12])
    for _ in range(2):
        turn = m.forward_kinematics(q)[1, :2, :2]
        np.testing.assert_allclose(turn[:, 0], [np.cos(1e12), np.sin(1e12)], rtol=0, atol=1e-15)


def test_one_kernel_serves_all_points_of_a_link() -> None:
    m = heavy(2, 5)
    q, _, _ = state(m, 3, ())
    link = m.link_names[int(m.order[-1])]
    for x in (0.1, 0.2, -0.3):
        point = (x, 2.0 * x, 0.0)
        arm = m.forward_kinematics(q)[m.link_names.index(link), :3, :3] @ np.array(point)
        moved = m.jacobian(q, link)
        expected = moved[:3] + np.cross(moved[3:], arm, axis=0)
        np.testing.assert_allclose(m.jacobian(q, link, point)[:3], expected, rtol=0, atol=1e-12)
    assert len(compilation._candidates(m.tree)) == 3  # poses, and a link's own frame or any other on it


@pytest.mark.parametrize("limit", ["LARGEST_TREE", "_LARGEST_KERNEL"])
def test_what_would_be_long_code_is_left_to_numpy(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, limit, 10)
    m = heavy(2, 8)
    plain, again = (m.mass_matrix(m.initial) for _ in range(2))
    np.testing.assert_array_equal(plain, again)
    assert not is_written(m)


def test_code_is_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, "is_off", lambda: True)
    m = heavy(2, 4)
    m.mass_matrix(m.initial)
    assert not is_written(m)


def test_gravity_is_three_numbers() -> None:
    m = heavy(2, 4)
    with pytest.raises(ValueError, match="gravity is three numbers, got 2"):
        m.generalized_gravity(m.initial, (0.0, -9.8))
