"""What unibody makes of the models of the acid test."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tests.acid.facts import FORMATS, GRAVITY, MODELS, Fact

import unibody as ub
from unibody.mechanism.tree import zero_configuration
from unibody.meshes.shapes import link_surfaces
from unibody.meshes.surface import bounds
from unibody.model.posture import posture
from unibody.proof.comparison import inertials_of
from unibody.proof.reference import Reference, reference_of

Floats = NDArray[np.float64]


@cache
def reference(file: str) -> Reference:
    """The mechanism of a model, and where the bodies of the file are in it."""
    robot = ub.load(MODELS / file)
    return reference_of(robot, FORMATS[Path(file).suffix])


def found(fact: Fact, file: str) -> tuple[float, ...]:
    """What unibody has for a fact."""
    values = _ASKED[fact.quantity](reference(file), fact)
    return tuple(float(x) for x in np.ravel(np.asarray(values)))


def _row(own: Reference, values: object) -> Floats:
    """An entry of v for each joint with a number."""
    names = [name for name, _ in own.dofs]
    out = np.zeros(len(names))
    assert isinstance(values, dict)
    for name, value in values.items():
        out[names.index(name)] = value
    return out


def _q(own: Reference, fact: Fact) -> Floats:
    """The configuration of the state: joints that it does not set are where the file draws them."""
    q = zero_configuration(own.mechanism.tree)
    for joint, value in fact.q.items():
        q[own.mechanism.idx_q[own.mechanism.joint_names.index(joint)]] = value
    return q


def _dof(own: Reference, joint: str) -> int:
    return [name for name, _ in own.dofs].index(joint)


def _point(own: Reference, fact: Fact) -> Floats:
    body, (x, y, z) = fact.of
    for link, (name, offset) in own.bodies.items():
        if name == body:
            pose = np.asarray(own.mechanism.pose(_q(own, fact), link)) @ np.array(offset.inverse().matrix())
            return np.asarray(pose @ np.array([x, y, z, 1.0]))[:3]
    raise KeyError(body)


def _inertial(own: Reference, fact: Fact) -> tuple[float, Floats, Floats]:
    (body,) = fact.of
    names = {name: k for k, name in enumerate({name for name, _ in own.bodies.values() if name})}
    return inertials_of(own, names)[body]


def _inertia(own: Reference, fact: Fact) -> Floats:
    matrix = _inertial(own, fact)[2]
    return np.array([matrix[i, j] for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))])


def _mass_matrix(own: Reference, fact: Fact) -> float:
    a, b = fact.of
    return float(np.asarray(own.mechanism.mass_matrix(_q(own, fact)))[_dof(own, a), _dof(own, b)])


def _bias(own: Reference, fact: Fact) -> float:
    v = _row(own, fact.v)
    force = own.mechanism.inverse_dynamics(_q(own, fact), v, 0.0 * v, gravity=(0.0, 0.0, -GRAVITY))
    return float(np.asarray(force)[_dof(own, *fact.of)])


def _acceleration(own: Reference, fact: Fact) -> float:
    q, v, effort = _q(own, fact), _row(own, fact.v), _row(own, fact.effort)
    effort = effort + np.asarray(own.mechanism.passive_forces(q, v))
    rate = own.mechanism.forward_dynamics(q, v, effort, gravity=(0.0, 0.0, -GRAVITY))
    return float(np.asarray(rate)[_dof(own, *fact.of)])


def _joint(own: Reference, fact: Fact) -> ub.Joint:
    return next(joint for joint in own.robot.joints if joint.name == fact.of[0])


def _posture(own: Reference, fact: Fact) -> object:
    name, joint = fact.of
    return posture(own.robot, name)[joint]


def _follower(own: Reference, fact: Fact) -> float:
    """The position of a joint that follows another one, or that is held at one."""
    joint = _joint(own, fact)
    if joint.is_locked:
        return joint.limits.position[0]
    q = np.asarray(own.mechanism.apply_couplings(_q(own, fact)))
    k = own.mechanism.joint_names.index(fact.of[0])
    return float(q[own.mechanism.idx_q[k]])


def _gap(own: Reference, fact: Fact) -> float:
    return float(np.linalg.norm(own.mechanism.loop_residual(_q(own, fact))))


def _bounds(own: Reference, fact: Fact) -> Floats:
    corners = bounds(link_surfaces(own.robot, fact.of[0], "collision"))
    assert corners is not None
    return np.concatenate(corners)


_ASKED: dict[str, Callable[[Reference, Fact], object]] = {
    "point": _point,
    "mass": lambda own, fact: _inertial(own, fact)[0],
    "total_mass": lambda own, fact: own.robot.mass,
    "com": lambda own, fact: _inertial(own, fact)[1],
    "inertia": _inertia,
    "mass_matrix": _mass_matrix,
    "bias": _bias,
    "acceleration": _acceleration,
    "limits": lambda own, fact: _joint(own, fact).limits.position,
    "effort": lambda own, fact: _joint(own, fact).limits.effort,
    "armature": lambda own, fact: _joint(own, fact).actuator.reflected_inertia,
    "damping": lambda own, fact: _joint(own, fact).dynamics.damping,
    "friction": lambda own, fact: _joint(own, fact).dynamics.friction,
    "freedoms": lambda own, fact: own.mechanism.nv,
    "follower": _follower,
    "posture": _posture,
    "initial": lambda own, fact: _joint(own, fact).initial,
    "gap": _gap,
    "equations": lambda own, fact: len(own.mechanism.loop_residual(_q(own, fact))),
    "bounds": _bounds,
}
