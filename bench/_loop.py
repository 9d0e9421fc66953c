"""Pinocchio in a Python loop over configurations: how its users compute a batch."""

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
    """Random q, with quaternions of length 1, v and a."""
    rng = np.random.default_rng(1)
    q = rng.uniform(-1.0, 1.0, (batch, mechanism.nq))
    v, a = rng.normal(size=(2, batch, mechanism.nv))
    return mechanism.integrate(q, 0.0 * v), v, a


def loop(mechanism: ub.Mechanism, task: Callable[..., Any]) -> dict[str, float]:
    """µs for each ``task(pin, model, data, q, v, a)``, results kept; empty without Pinocchio."""
    try:
        import pinocchio as pin
    except ImportError:
        return {}
    from unibody.mechanism.pinocchio import to_pinocchio

    made = to_pinocchio(mechanism)
    q, v, a = state(mechanism, LOOP)
    q, v, a = q[:, made.q_order], v[:, made.v_order], a[:, made.v_order]
    first = np.array(task(pin, made.model, made.data, q[0], v[0], a[0]))
    out = np.empty((LOOP, *first.shape))

    def all_of_them() -> None:
        for k in range(LOOP):
            out[k] = task(pin, made.model, made.data, q[k], v[k], a[k])

    return {"Pinocchio loop": measure(all_of_them, LOOP, 5)}
