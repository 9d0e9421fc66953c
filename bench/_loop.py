"""Pinocchio in a Python loop over configurations, the usual way to compute a batch with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from bench.fk import measure
from numpy.typing import NDArray

import unibody as ub

Floats = NDArray[np.float64]

BATCH = 10_000
LOOP = 1000


def state(mechanism: ub.Mechanism, batch: int) -> tuple[Floats, Floats, Floats]:
    """Random q (with unit quaternions), v and a."""
    rng = np.random.default_rng(1)
    q = rng.uniform(-1.0, 1.0, (batch, mechanism.nq))
    v, a = rng.normal(size=(2, batch, mechanism.nv))
    return mechanism.integrate(q, 0.0 * v), v, a


def loop(mechanism: ub.Mechanism, task: Callable[..., Any]) -> dict[str, float]:
    """Time of ``task(pin, model, data, q, v, a)`` in µs, with storing results; empty without Pinocchio."""
    try:
        import pinocchio as pin
    except ImportError:
        return {}
    from unibody.mechanism.pinocchio import to_pinocchio

    converted = to_pinocchio(mechanism)
    q, v, a = state(mechanism, LOOP)
    q, v, a = q[:, converted.q_order], v[:, converted.v_order], a[:, converted.v_order]
    first = np.array(task(pin, converted.model, converted.data, q[0], v[0], a[0]))
    out = np.empty((LOOP, *first.shape))

    def run_all() -> None:
        for k in range(LOOP):
            out[k] = task(pin, converted.model, converted.data, q[k], v[k], a[k])

    return {"Pinocchio loop": measure(run_all, LOOP, 5)}
