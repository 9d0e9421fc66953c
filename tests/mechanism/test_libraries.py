"""The same answers from arrays of other libraries, and their derivatives where they have any."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import Any

import numpy as np
import pytest
from tests.mechanism.robots import Floats, apart, heavy, state
from tests.mechanism.test_forward_kinematics import chain

from unibody.mechanism import Mechanism
from unibody.model.robot import Coupling

LIBRARIES = ("torch", pytest.param("jax.numpy", marks=pytest.mark.slow), "array_api_strict")
Call = Callable[[Mechanism, Any, Any, Any, Any], Any]

CALLS: dict[str, Call] = {
    "forward_kinematics": lambda m, q, v, a, f: m.forward_kinematics(q),
    "pose": lambda m, q, v, a, f: m.pose(q, "tool"),
    "velocity": lambda m, q, v, a, f: m.velocity(q, v, "tool", "local"),
    "acceleration": lambda m, q, v, a, f: m.acceleration(q, v, a, "tool"),
    "jacobian": lambda m, q, v, a, f: m.jacobian(q, "tool", (0.1, 0.2, 0.3), "world"),
    "center_of_mass": lambda m, q, v, a, f: m.center_of_mass(q),
    "center_of_mass_jacobian": lambda m, q, v, a, f: m.center_of_mass_jacobian(q),
    "momentum": lambda m, q, v, a, f: m.momentum(q, v),
    "energy": lambda m, q, v, a, f: m.energy(q, v),
    "mass_matrix": lambda m, q, v, a, f: m.mass_matrix(q),
    "inverse_dynamics": lambda m, q, v, a, f: m.inverse_dynamics(q, v, a, f),
    "forward_dynamics": lambda m, q, v, a, f: m.forward_dynamics(q, v, a, f),
    "generalized_gravity": lambda m, q, v, a, f: m.generalized_gravity(q),
    "coriolis_bias": lambda m, q, v, a, f: m.coriolis_bias(q, v),
    "passive_forces": lambda m, q, v, a, f: m.passive_forces(q, v),
    "integrate": lambda m, q, v, a, f: m.integrate(q, v),
    "difference": lambda m, q, v, a, f: m.difference(q, m.integrate(q, 0.5 * v)),
    "q_dot": lambda m, q, v, a, f: m.q_dot(q, v),
}


def doubles(jax: Any) -> AbstractContextManager[Any]:
    """JAX with double precision for a while."""
    home = jax if hasattr(jax, "enable_x64") else importlib.import_module("jax.experimental")
    return home.enable_x64(True)  # type: ignore[no-any-return]


@pytest.fixture(params=LIBRARIES)
def xp(request: pytest.FixtureRequest) -> Iterator[Any]:
    library = pytest.importorskip(request.param, reason=f"needs {request.param}")
    with ExitStack() as stack:
        if request.param == "jax.numpy":
            stack.enter_context(doubles(importlib.import_module("jax")))
        yield library


def _given(mechanism: Mechanism, seed: int, batch: tuple[int, ...]) -> tuple[Floats, ...]:
    external = np.random.default_rng(seed).normal(size=(*batch, len(mechanism.link_names), 6))
    return (*state(mechanism, seed, batch), external)


@pytest.mark.parametrize("name", CALLS)
def test_the_same_numbers(xp: Any, name: str) -> None:
    # JAX compiles anew for every shape.
    cases: list[tuple[int, tuple[int, ...]]] = [(1, ()), (2, (3,)), (5, (2, 2)), (8, (0,))]
    for seed, batch in cases[2:3] if xp.__name__ == "jax.numpy" else cases:
        mechanism = heavy(seed, 7)
        given = _given(mechanism, seed, batch)
        ours = CALLS[name](mechanism, *given)
        theirs = CALLS[name](mechanism, *(xp.asarray(values) for values in given))
        assert type(theirs) is type(xp.asarray(1.0))
        assert theirs.dtype == xp.asarray(given[0]).dtype
        assert apart(np.asarray(theirs), ours) < 1e-12


def test_followers_in_other_libraries(xp: Any) -> None:
    couplings = (
        Coupling(joint="j0", leader="j2", ratio=2.0, offset=0.5),
        Coupling(joint="j2", leader="j3"),
    )
    mechanism = chain(*couplings, kinds=("revolute",) * 3 + ("prismatic",))
    q = np.array([[9.0, 9.0, 9.0, 0.25]])
    assert np.array_equal(
        np.asarray(mechanism.apply_couplings(xp.asarray(q))), mechanism.apply_couplings(q)
    )


def test_single_precision_stays_single(xp: Any) -> None:
    mechanism = heavy(2, 5)
    given = _given(mechanism, 1, (3,))
    chosen = ["forward_kinematics", "inverse_dynamics"] if xp.__name__ == "jax.numpy" else [*CALLS]
    for name, call in ((name, CALLS[name]) for name in chosen):
        theirs = call(mechanism, *(xp.asarray(values, dtype=xp.float32) for values in given))
        assert theirs.dtype == xp.float32, name
        assert apart(np.asarray(theirs), call(mechanism, *given)) < 2e-4, name


def test_arrays_that_do_not_fit_are_refused(xp: Any) -> None:
    mechanism = heavy(2, 9)
    q, v, _, _ = _given(mechanism, 1, ())
    with pytest.raises(TypeError, match="arrays of several libraries"):
        mechanism.velocity(xp.asarray(q), v, "tool")
    with pytest.raises(ValueError, match="not an array of real floating-point numbers"):
        mechanism.forward_kinematics(xp.zeros(mechanism.nq, dtype=xp.int64))
    with pytest.raises(ValueError, match="expected"):
        mechanism.forward_kinematics(xp.zeros(mechanism.nq + 1))


def _directional(call: Callable[[Floats], Floats], at: Floats, along: Floats, weight: Floats) -> float:
    step = 1e-6
    return float(((call(at + step * along) - call(at - step * along)) * weight).sum() / (2.0 * step))


DIFFERENTIABLE = [name for name in CALLS if name != "passive_forces"]


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_pytorch_differentiates(name: str) -> None:
    torch = pytest.importorskip("torch", reason="needs torch")
    mechanism = heavy(2, 6)
    given = _given(mechanism, 4, (2,))
    if name in ("integrate", "difference"):
        given[1][0] = 0.0  # where square roots have no slope
    tensors = [torch.tensor(values, requires_grad=True) for values in given]
    weight = np.random.default_rng(1).normal(size=CALLS[name](mechanism, *given).shape)
    (CALLS[name](mechanism, *tensors) * torch.asarray(weight)).sum().backward()
    for number, tensor in enumerate(tensors):
        along = np.random.default_rng(2).normal(size=given[number].shape)

        def call(values: Floats, number: int = number) -> Floats:
            changed = [*given[:number], values, *given[number + 1 :]]
            result: Floats = CALLS[name](mechanism, *changed)
            return result

        slope = 0.0 if tensor.grad is None else float((tensor.grad.numpy() * along).sum())
        assert np.isfinite(slope)
        assert apart(slope, _directional(call, given[number], along, weight)) < 1e-6


@pytest.mark.slow
@pytest.mark.parametrize("name", ["forward_kinematics", "mass_matrix", "forward_dynamics"])
def test_jax_compiles_maps_and_differentiates(name: str) -> None:
    jax = pytest.importorskip("jax", reason="needs jax")
    with doubles(jax):
        mechanism = heavy(2, 4)
        given = _given(mechanism, 4, (2,))
        call = jax.jit(lambda *values: CALLS[name](mechanism, *values))
        ours = CALLS[name](mechanism, *given)
        assert apart(np.asarray(call(*map(jax.numpy.asarray, given))), ours) < 1e-12
        assert apart(np.asarray(jax.vmap(call)(*map(jax.numpy.asarray, given))), ours) < 1e-12
        first = [jax.numpy.asarray(values[0]) for values in given]
        rates = jax.jacfwd(lambda q: CALLS[name](mechanism, q, *first[1:]))(first[0])
        along = np.random.default_rng(2).normal(size=mechanism.nq)
        weight = np.random.default_rng(1).normal(size=ours.shape[1:])

        def plain(q: Floats) -> Floats:
            result: Floats = CALLS[name](mechanism, q, *(values[0] for values in given[1:]))
            return result

        slope = float((np.asarray(rates) @ along * weight).sum())
        assert apart(slope, _directional(plain, given[0][0], along, weight)) < 1e-6
