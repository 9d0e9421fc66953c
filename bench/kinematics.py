"""Accelerations, center of mass and momentum of a batch on one core (other kernels: dynamics)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bench._loop import BATCH, loop, state
from bench._row import Row, model
from bench.fk import measure

import unibody as ub

Peer = Callable[..., Any]


def _acceleration(pin: Any, model: Any, data: Any, *given: Any) -> Any:
    pin.forwardKinematics(model, data, *given)
    pin.updateFramePlacements(model, data)
    return pin.getFrameClassicalAcceleration(model, data, model.nframes - 1, pin.LOCAL_WORLD_ALIGNED).vector


def run() -> list[Row]:
    robot = ub.load(model("SR1.body"))
    m = ub.assemble(robot)
    q, v, a = state(m, BATCH)
    tip = m.link_names[int(m.order[-1])]
    tasks: dict[str, tuple[Callable[[], object], Peer]] = {
        "acceleration of one link": (lambda: m.acceleration(q, v, a, tip), _acceleration),
        "center of mass": (
            lambda: m.center_of_mass(q),
            lambda pin, model, data, q, v, a: pin.centerOfMass(model, data, q),
        ),
        "Jacobian of the center of mass": (
            lambda: m.center_of_mass_jacobian(q),
            lambda pin, model, data, q, v, a: pin.jacobianCenterOfMass(model, data, q),
        ),
        "momentum": (
            lambda: m.momentum(q, v),
            lambda pin, model, data, q, v, a: pin.computeCentroidalMomentum(model, data, q, v).vector,
        ),
        "integrate": (
            lambda: m.integrate(q, v),
            lambda pin, model, data, q, v, a: pin.integrate(model, q, v),
        ),
    }
    return [
        Row(f"{name}, {robot.name}", measure(ours, BATCH, 7), loop(m, theirs), "", "µs")
        for name, (ours, theirs) in tasks.items()
    ]
