"""Mass matrices, inverse and forward dynamics of a batch of states on one core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench._loop import BATCH, Floats, loop, state
from bench._row import Row, model
from bench.fk import measure

import unibody as ub

Task = tuple[Callable[[], object], Callable[..., Any], str]


def run() -> list[Row]:
    robot = ub.load(model("SR1.body"))
    m = ub.assemble(robot)
    rows = [
        Row(f"{name}, {robot.name}, batch {BATCH}", measure(ours, BATCH, 9), loop(m, theirs), target, "µs")
        for name, (ours, theirs, target) in _tasks(m, *state(m, BATCH)).items()
    ]
    # one configuration for each call, beside Pinocchio's call with its results copied
    one = [array[0] for array in state(m, 1)]
    return rows + [
        Row(f"{name}, {robot.name}, one at a time", measure(ours, 1, 9), loop(m, theirs), "", "µs")
        for name, (ours, theirs, _) in _tasks(m, *one).items()
    ]


def _tasks(m: ub.Mechanism, q: Floats, v: Floats, a: Floats) -> dict[str, Task]:
    """Our call, Pinocchio's, and the target for a batch, by name."""
    tip = m.link_names[int(m.order[-1])]
    return {
        "Jacobian": (
            lambda: m.jacobian(q, tip),
            lambda pin, model, data, q, v, a: pin.computeFrameJacobian(model, data, q, model.nframes - 1),
            "",
        ),
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
