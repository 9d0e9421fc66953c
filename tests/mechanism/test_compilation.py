"""Machine code gives what numpy gives, for all kinds of joints and batches, and is kept between runs."""

from __future__ import annotations

import copy
import pickle
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from tests.mechanism.robots import Floats, heavy, state

from unibody.mechanism import Mechanism, compilation, dynamics, numpy_layout
from unibody.mechanism.forward_kinematics import forward_kinematics
from unibody.mechanism.tracing import SymbolNamespace, Tape

CALLS: dict[str, Callable[[Mechanism, Floats, Floats, Floats, Floats], Any]] = {
    "forward_kinematics": lambda m, q, v, a, f: m.forward_kinematics(q),
    "pose": lambda m, q, v, a, f: m.pose(q, "tool"),
    "jacobian": lambda m, q, v, a, f: m.jacobian(q, "tool", (0.1, 0.2, 0.3), "local"),
    "acceleration": lambda m, q, v, a, f: m.acceleration(q, v, a, "tool"),
    "center_of_mass": lambda m, q, v, a, f: m.center_of_mass(q),
    "momentum": lambda m, q, v, a, f: m.momentum(q, v),
    "energy": lambda m, q, v, a, f: m.energy(q, v, (1.0, 2.0, -3.0)),
    "mass_matrix": lambda m, q, v, a, f: m.mass_matrix(q),
    "inverse_dynamics": lambda m, q, v, a, f: m.inverse_dynamics(q, v, a),
    "forces on links": lambda m, q, v, a, f: m.inverse_dynamics(q, v, a, f, gravity=(0.0, 1.0, 2.0)),
    "forward_dynamics": lambda m, q, v, a, f: m.forward_dynamics(q, v, a, f),
    "coriolis_bias": lambda m, q, v, a, f: m.coriolis_bias(q, v),
    "generalized_gravity": lambda m, q, v, a, f: m.generalized_gravity(q),
}


@pytest.fixture(autouse=True)
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second call of a kernel runs machine code, the third one better code."""
    monkeypatch.setattr(compilation, "is_available", lambda: True)
    monkeypatch.setattr(compilation, "PATIENCE", 0.0)
    monkeypatch.setattr(compilation, "_LONG_CALLS", 1)
    if compilation._processor() is None:
        pytest.skip("this processor has no fused multiply and add")


def forces(m: Mechanism, batch: tuple[int, ...]) -> Floats:
    return np.random.default_rng(5).normal(size=(*batch, len(m.link_names), 6))


def same(name: str, m: Mechanism, batch: tuple[int, ...]) -> None:
    q, v, a = state(m, 3, batch)
    given = (m, q, v, a, forces(m, batch))
    plain, *compiled = (CALLS[name](*given) for _ in range(3))  # numpy, what is made first, and better code
    known = compilation._candidates(m.tree).values()
    assert any((c._many if batch else c._one) is not None for c in known)
    for each in compiled:
        assert each.shape == plain.shape
        np.testing.assert_allclose(
            each, plain, rtol=0, atol=1e-12 * max(1.0, np.abs(plain).max(initial=0.0))
        )


@pytest.mark.parametrize("name", ["jacobian", "mass_matrix", "forces on links"])
def test_machine_code_computes_what_numpy_does(name: str) -> None:
    same(name, heavy(4, 6), (11,))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("name", CALLS)
def test_machine_code_computes_what_numpy_does_for_any_tree(name: str, seed: int) -> None:
    m = heavy(seed)
    for batch in ((), (1,), (2, 3), (17,)):
        same(name, m, batch)


@pytest.mark.slow
def test_arguments_that_are_the_same_for_all_are_broadcast() -> None:
    m = heavy(1, 4)
    q, v, a = state(m, 2, (9,))
    for given in ((q, v[0], a), (q[0], v, a), (q[:, None], v[None, :3], a[0]), (q[::2], v[::2], a[::2])):
        compilation._candidates(m.tree).clear()
        plain, *compiled = (m.inverse_dynamics(*given) for _ in range(3))
        for each in compiled:
            np.testing.assert_allclose(each, plain, atol=1e-12 * np.abs(plain).max())


def test_no_configuration_and_unusual_numbers() -> None:
    m = heavy(2, 5)
    q, _, _ = state(m, 2, (9,))
    for _ in range(2):
        assert m.mass_matrix(q[:0]).shape == (0, m.nv, m.nv)
    plain = m.forward_kinematics(q)
    assert compilation._candidates(m.tree)[forward_kinematics,].is_compiled
    # far angles are left to numpy, whose reduction to a quarter turn is exact
    far = q.copy()
    far[4] *= 1e9
    turned = m.forward_kinematics(far)
    compilation._candidates(m.tree).clear()
    np.testing.assert_array_equal(turned, m.forward_kinematics(far))
    far[4] = np.nan
    m.forward_kinematics(q)
    turned = m.forward_kinematics(far)
    assert np.isnan(turned[4]).any()
    np.testing.assert_allclose(np.delete(turned, 4, 0), np.delete(plain, 4, 0), atol=1e-13)


def test_sines_and_cosines_are_exact_to_an_ulp() -> None:
    from unibody.mechanism import machine_code

    tape = Tape()
    xp = SymbolNamespace(tape)
    x = tape.inputs((1,))
    cpu = compilation._processor()
    code = machine_code.compile_tape(tape, xp.concat([xp.sin(x), xp.cos(x)])[:, 0], (1,), cpu)
    loaded = machine_code.Loaded(code, cpu)
    rng = np.random.default_rng(0)
    scales = np.repeat([1e-9, 1e-3, 1.0, 10.0, 1e3, 9.9e4], 2000)
    angles = np.concatenate([rng.uniform(-1.0, 1.0, 12000) * scales, np.arange(-40, 41) * np.pi / 4.0])
    out = compilation._Buffers(code).run(loaded.function, [angles[:, None]], len(angles))
    assert out is not None
    np.testing.assert_allclose(out[:, 0], np.sin(angles), rtol=4e-16, atol=1e-22)
    np.testing.assert_allclose(out[:, 1], np.cos(angles), rtol=4e-16, atol=1e-22)


def test_the_cache_gives_the_code_to_the_next_process(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv("UNIBODY_CACHE", str(tmp_path))
    first = heavy(3, 4)
    q, _, _ = state(first, 1, (100,))
    expected = [first.mass_matrix(q) for _ in range(3)][2]
    assert len(list((tmp_path / "code").iterdir())) == 2
    monkeypatch.setattr(compilation, "PATIENCE", 1e9)
    again = heavy(3, 4)
    np.testing.assert_array_equal([again.mass_matrix(q) for _ in range(2)][1], expected)
    # a damaged file counts as none, and another tree finds nothing
    for kept in (tmp_path / "code").iterdir():
        kept.write_bytes(kept.read_bytes()[:-1] + b"?")
    for m in (heavy(3, 4), heavy(5, 4)):
        m.mass_matrix(np.zeros((100, m.nq)))
        assert not any(c.is_compiled for c in compilation._candidates(m.tree).values())


def test_kernels_that_are_asked_for_once_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    m = heavy(2, 3)
    monkeypatch.setattr(compilation, "PATIENCE", 1e9)
    for k in range(450):
        compilation.candidate(m.tree, (forward_kinematics, k))
    assert len(compilation._candidates(m.tree)) <= 200


@pytest.mark.parametrize("limit", ["LARGEST_TREE", "_LARGEST_KERNEL"])
def test_what_takes_long_to_compile_is_left_to_numpy(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilation, limit, 10)
    m = heavy(2, 8)
    plain, again = (m.mass_matrix(m.initial) for _ in range(2))
    np.testing.assert_array_equal(plain, again)
    assert not any(c.is_compiled for c in compilation._candidates(m.tree).values())


def test_a_call_reads_arrays_of_one_configuration_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    m = heavy(4, 6)
    q, v, a = state(m, 3, ())
    every = np.zeros((m.nq, 3))
    every[:, 1] = q
    gravity = tuple(m.gravity)
    direct = [m.inverse_dynamics(q, v, a) for _ in range(4)][-1]
    assert dynamics.INVERSE_DYNAMICS in compilation.direct_calls(m.tree)
    with monkeypatch.context() as patched:
        patched.setattr(dynamics, "compute", None)  # which nothing but the slow way asks
        for given in ((every[:, 1], v, a), (q, v[::-1][::-1], a), (q[::-1].copy()[::-1], v, a)):
            assert np.array_equal(m.inverse_dynamics(*given), direct)
    known = m.inverse_dynamics(q, v, a, gravity=gravity)
    np.testing.assert_allclose(known, direct, rtol=0, atol=1e-12 * np.abs(direct).max())
    others = (q.tolist(), v, a), (q, v.astype(">f8"), a), (q, v, a[None])
    for given in others:
        np.testing.assert_allclose(
            np.ravel(m.inverse_dynamics(*given)), direct, rtol=0, atol=1e-9 * np.abs(direct).max()
        )
    large = np.where(np.arange(m.nq) == m.nq - 1, 1e7, q)
    np.testing.assert_allclose(m.mass_matrix(large), m.mass_matrix(large[None])[0], rtol=0, atol=1e-12)
    for wrong in (q[:-1], q[:, None], 1.0):
        with pytest.raises(ValueError, match="q has shape"):
            m.inverse_dynamics(wrong, v, a)


def test_a_named_frame_is_reached_at_once_and_a_point_is_not() -> None:
    m = heavy(4, 6)
    q, _, _ = state(m, 3, ())
    tip = m.link_names[int(m.order[-1])]
    plain, *compiled = (m.jacobian(q, tip) for _ in range(5))
    assert (tip, "local_world_aligned") in m._jacobians
    for each in compiled:
        np.testing.assert_allclose(each, plain, rtol=0, atol=1e-12)
    assert not np.array_equal(m.jacobian(q, tip, (0.1, 0.2, 0.3)), plain)
    assert not np.array_equal(m.jacobian(q, tip, reference="local"), plain)


def test_a_mechanism_with_machine_code_can_be_pickled() -> None:
    m = heavy(4, 6)
    q, _, _ = state(m, 3, ())
    tip = m.link_names[-1]
    expected = [(m.mass_matrix(q), m.jacobian(q, tip)) for _ in range(4)][-1]
    assert m._jacobians
    for other in (pickle.loads(pickle.dumps(m)), copy.deepcopy(m)):
        for a, b in zip((other.mass_matrix(q), other.jacobian(q, tip)), expected, strict=True):
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-12)


def test_layout_of_arrays_is_known_here() -> None:
    free = not getattr(sys, "_is_gil_enabled", lambda: True)()
    assert numpy_layout.is_known() is (
        sys.implementation.name == "cpython" and not free and sys.maxsize > 2**32
    )
