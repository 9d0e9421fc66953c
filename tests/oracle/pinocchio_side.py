"""Everything that Pinocchio computes of a model, and how ours compares with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.mechanism import Mechanism, assemble

Floats = NDArray[np.float64]

#: Ours and Pinocchio's name of each reference.
REFERENCES = {"world": "WORLD", "local": "LOCAL", "local_world_aligned": "LOCAL_WORLD_ALIGNED"}


@dataclass(frozen=True, slots=True)
class Side:
    """A Pinocchio model, a state in its numbers, and where its degrees of freedom stand in our v."""

    pin: Any
    model: Any
    q: Floats
    v: Floats
    a: Floats
    order: Any

    def back(self, values: Floats) -> Floats:
        """A vector of Pinocchio's in our order."""
        out = np.empty_like(values)
        out[..., self.order] = values
        return out


def distance(ours: Any, theirs: Any, scale: float = 0.0) -> float:
    """Largest difference as a part of the largest number, or of ``scale`` if that is larger."""
    a, b = np.asarray(ours, float), np.asarray(theirs, float)
    assert a.shape == b.shape
    largest = max(float(np.abs(b).max(initial=0.0)), scale)
    return float(np.abs(a - b).max(initial=0.0)) / (largest or 1.0)


def differences(
    mechanism: Mechanism, state: tuple[Floats, Floats, Floats], side: Side
) -> Iterator[tuple[str, float]]:
    """How far ours and Pinocchio's are apart, for each quantity."""
    pin, model, data = side.pin, side.model, side.model.createData()
    pin.forwardKinematics(model, data, side.q, side.v, side.a)
    pin.computeJointJacobians(model, data, side.q)
    pin.updateFramePlacements(model, data)
    poses = mechanism.forward_kinematics(state[0])
    size = max(1.0, float(np.abs(poses[..., :3, 3]).max()))
    names = [*mechanism.link_names]
    # Every link's pose; the rest of a few: first, last, and three between.
    for link, name in enumerate(names):
        frame = model.getFrameId(name, pin.FrameType.BODY)
        yield f"pose of {name}", distance(poses[link], data.oMf[frame].homogeneous, size)
    for name in sorted({names[i * (len(names) - 1) // 4] for i in range(5)}):
        yield from _frame(mechanism, state, side, data, name)
    yield from _whole(mechanism, state, side, size)
    yield from _forces(mechanism, state, side)


def _frame(
    mechanism: Mechanism, state: tuple[Floats, Floats, Floats], side: Side, data: Any, name: str
) -> Iterator[tuple[str, float]]:
    q, v, a = state
    pin, model = side.pin, side.model
    frame = model.getFrameId(name, pin.FrameType.BODY)
    for reference, theirs in REFERENCES.items():
        word, given = f"of {name}, {reference}", (model, data, frame, getattr(pin.ReferenceFrame, theirs))
        if mechanism.nv:
            jacobian = mechanism.jacobian(q, name, None, reference)  # type: ignore[arg-type]
            columns = pin.getFrameJacobian(*given).reshape(6, model.nv)
            yield f"Jacobian {word}", distance(jacobian, side.back(columns), 1.0)
        velocity = mechanism.velocity(q, v, name, reference)  # type: ignore[arg-type]
        yield f"velocity {word}", distance(velocity, pin.getFrameVelocity(*given).vector, 1.0)
        rate = mechanism.acceleration(q, v, a, name, reference)  # type: ignore[arg-type]
        # The rate of the velocity of a frame in the world's axes is the "classical" acceleration.
        aligned = reference == "local_world_aligned"
        get = pin.getFrameClassicalAcceleration if aligned else pin.getFrameAcceleration
        yield f"acceleration {word}", distance(rate, get(*given).vector, 1.0)


def _whole(
    mechanism: Mechanism, state: tuple[Floats, Floats, Floats], side: Side, size: float
) -> Iterator[tuple[str, float]]:
    q, v, _ = state
    pin, model, data = side.pin, side.model, side.model.createData()
    # Pinocchio leaves out what is fixed to the world.
    ground = model.inertias[0]
    moving = sum(inertia.mass for inertia in model.inertias) - ground.mass
    total = moving + ground.mass
    if not mechanism.nv or moving <= 0.0:
        return
    theirs = pin.centerOfMass(model, data, side.q).copy()
    com = (moving * theirs + ground.mass * ground.lever) / total
    yield "centre of mass", distance(mechanism.center_of_mass(q), com, size)
    jacobian = pin.jacobianCenterOfMass(model, data, side.q).reshape(3, model.nv) * (moving / total)
    yield "its Jacobian", distance(mechanism.center_of_mass_jacobian(q), side.back(jacobian), 1e-6)
    momentum = pin.computeCentroidalMomentum(model, data, side.q, side.v).vector.copy()
    momentum[3:] += np.cross(theirs - com, momentum[:3])
    yield "momentum", distance(mechanism.momentum(q, v), momentum)


def _forces(
    mechanism: Mechanism, state: tuple[Floats, Floats, Floats], side: Side
) -> Iterator[tuple[str, float]]:
    q, v, a = state
    pin, model, data = side.pin, side.model, side.model.createData()
    if not mechanism.nv:
        return
    gravity = tuple(model.gravity.linear.tolist())
    if mechanism.tree.gravity_compensation.any():  # which Pinocchio does not have
        links = tuple(replace(link, gravity_compensation=0.0) for link in mechanism.robot.links)
        mechanism = assemble(replace(mechanism.robot, links=links))
    upper = np.triu(pin.crba(model, data, side.q))
    matrix = side.back(side.back(upper + np.triu(upper, 1).T).T)
    yield "mass matrix", distance(mechanism.mass_matrix(q), matrix)
    # Forces cancel: what is left of them is as exact as what they are made of.
    weight = float(np.abs(mechanism.generalized_gravity(q, gravity)).max())
    effort = float(np.abs(np.abs(matrix) @ np.abs(a)).max()) + weight
    inverse = side.back(pin.rnea(model, data, side.q, side.v, side.a))
    ours = mechanism.inverse_dynamics(q, v, a, None, gravity)
    yield "inverse dynamics", distance(ours, inverse, effort)
    held = side.back(pin.computeGeneralizedGravity(model, data, side.q))
    yield "gravity", distance(mechanism.generalized_gravity(q, gravity), held, effort)
    bias = side.back(pin.nonLinearEffects(model, data, side.q, side.v))
    yield "Coriolis", distance(mechanism.coriolis_bias(q, v), bias - held, effort)
    if np.linalg.cond(matrix) < 1e8:
        theirs = side.back(pin.aba(model, data, side.q, side.v, side.a))
        rate = mechanism.forward_dynamics(q, v, a, None, gravity)
        yield "forward dynamics", distance(rate, theirs)
