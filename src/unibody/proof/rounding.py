"""What rounding makes of forces in an engine of single precision: perturbed runs of the mechanism."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from unibody.model.arrays import Floats
from unibody.model.inertia import Inertial, matrix3
from unibody.model.pose import Pose, from_rpy
from unibody.model.robot import Robot
from unibody.proof.reference import Reference, States, places

_SINGLE = float(np.finfo(np.float32).eps)
# A number of a model passes through some eight operations before it is used, one of a state through one.
_ROUNDED = 8.0 * _SINGLE
# Runs that are made, each with all numbers changed at random.
_RUNS = 3


def rounded_states(reference: Reference, states: States) -> States:
    """States with the forces that an engine in single precision may be off by at them.

    These are the largest difference of some runs of the mechanism in which the numbers of the model and of
    the states are changed at random by what they lose in single precision, at the accelerations that the
    forces of the states give.
    """
    q, v, effort = reference.numbers(states)
    try:
        rates = np.asarray(reference.mechanism.forward_dynamics(q, v, effort, gravity=reference.gravity))
    except ValueError:  # a joint moves nothing that has mass
        rates = np.zeros_like(v)
    rates = np.where(np.isfinite(rates), rates, 0.0)
    generator = np.random.default_rng(0)

    def changed(values: Floats) -> Floats:
        return np.asarray(values * (1.0 + _SINGLE * generator.uniform(-1.0, 1.0, values.shape)))

    def lacking(one: Reference, q: Floats, v: Floats, effort: Floats) -> Floats:
        return np.asarray(one.mechanism.inverse_dynamics(q, v, rates, gravity=one.gravity)) - effort

    exact = lacking(reference, q, v, effort)
    apart = np.zeros_like(v)
    for _ in range(_RUNS):
        one = replace(reference, robot=_rounded(reference.robot, generator))
        run = lacking(one, changed(q), changed(v), changed(effort))
        apart = np.fmax(apart, np.abs(run - exact))
    apart = np.where(np.isfinite(apart), apart, 0.0)
    rounding = {name: apart[:, at : at + size] for name, _, _, at, size in places(reference.mechanism)}
    return replace(states, rounding=rounding)


def _rounded(robot: Robot, generator: np.random.Generator) -> Robot:
    """The robot with each number changed at random by what rounding may change."""

    def of(values: Any) -> Floats:
        given = np.array(values, float)
        size = np.abs(given).max(initial=0.0)
        return np.asarray(given + _ROUNDED * size * generator.uniform(-1.0, 1.0, given.shape))

    def pose(given: Pose) -> Pose:
        x, y, z = of(given.xyz).tolist()
        a, b, c = (_ROUNDED * generator.uniform(-1.0, 1.0, 3)).tolist()
        return Pose((x, y, z), (given @ Pose(quat=from_rpy(a, b, c))).quat)

    def inertial(given: Inertial) -> Inertial:
        x, y, z = of(given.com).tolist()
        inertia = of(given.inertia)
        return replace(
            given,
            mass=float(of(given.mass)),
            com=(x, y, z),
            inertia=matrix3(0.5 * (inertia + inertia.T)),
        )

    links = tuple(
        link if link.inertial is None else replace(link, inertial=inertial(link.inertial))
        for link in robot.links
    )
    joints = tuple(replace(joint, origin=pose(joint.origin)) for joint in robot.joints)
    return replace(robot, links=links, joints=joints)
