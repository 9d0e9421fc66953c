"""Mass matrices, inverse and forward dynamics of a batch of states on one core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench._loop import BATCH, loop, state
from bench._row import Row, model
from bench.fk import measure

import unibody as ub

Task = tuple[Callable[[], object], Callable[..., Any], str]


def run() -> list[Row]:
    robot = ub.load(model("SR1.body"))
    m = ub.assemble(robot)
    q, v, a = state(m, BATCH)
    tasks: dict[str, Task] = {
        "mass matrix": (
            lambda: m.mass_matrix(q),
            lambda pin, model, data, q, v, a: pin.crba(model, data, q),
            "<= 25 µs",
        ),
        "inverse dynamics": (
            lambda: m.inverse_dynamics(q, v, a),
            lambda pin, model, data, q, v, a: pin.rnea(model, data, q, v, a),
            "<= 12 µs",
        ),
        "forward dynamics": (
            lambda: m.forward_dynamics(q, v, a),
            lambda pin, model, data, q, v, a: pin.aba(model, data, q, v, a),
            "",
        ),
        "gravity forces": (
            lambda: m.generalized_gravity(q),
            lambda pin, model, data, q, v, a: pin.computeGeneralizedGravity(model, data, q),
            "",
        ),
        "Coriolis forces": (
            lambda: m.coriolis_bias(q, v),
            lambda pin, model, data, q, v, a: pin.nonLinearEffects(model, data, q, v),
            "",
        ),
    }
    rows = [
        Row(f"{name}, {robot.name}, batch {BATCH}", measure(ours, BATCH, 9), loop(m, theirs), target, "µs")
        for name, (ours, theirs, target) in tasks.items()
    ]
    return [*rows, *_one_at_a_time(m)]


def _one_at_a_time(m: ub.Mechanism) -> list[Row]:
    """One configuration for each call, beside Pinocchio's call with its results copied."""
    q, v, a = (array[0] for array in state(m, 1))
    tip = m.link_names[int(m.order[-1])]
    tasks: dict[str, Task] = {
        "Jacobian": (
            lambda: m.jacobian(q, tip),
            lambda pin, model, data, q, v, a: pin.computeFrameJacobian(model, data, q, model.nframes - 1),
            "",
        ),
        "mass matrix": (
            lambda: m.mass_matrix(q),
            lambda pin, model, data, q, v, a: pin.crba(model, data, q),
            "",
        ),
        "inverse dynamics": (
            lambda: m.inverse_dynamics(q, v, a),
            lambda pin, model, data, q, v, a: pin.rnea(model, data, q, v, a),
            "",
        ),
        "forward dynamics": (
            lambda: m.forward_dynamics(q, v, a),
            lambda pin, model, data, q, v, a: pin.aba(model, data, q, v, a),
            "",
        ),
    }
    return [
        Row(f"{name}, {m.robot.name}, one at a time", measure(ours, 1, 9), loop(m, theirs), target, "µs")
        for name, (ours, theirs, target) in tasks.items()
    ]
