"""Random robots with masses and rotors, random states, and how far two arrays are apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.mechanism.test_forward_kinematics import random_robot

import unibody as ub
from unibody.mechanism import Mechanism
from unibody.model.inertia import Inertial, matrix3
from unibody.model.robot import Actuator, Dynamics, Frame, Robot

Floats = NDArray[np.float64]


def heavy_robot(seed: int, count: int) -> Robot:
    """A random tree with all kinds of joints, masses in most links, rotors, and a frame on a link.

    Links without mass are where a mass matrix stays regular: on welds.
    """
    rng = np.random.default_rng(seed)
    robot = random_robot(seed, count)
    light = {joint.child for joint in robot.joints if joint.kind in ("fixed", "track")}
    links = tuple(
        link if link.name in light and rng.random() < 0.5 else replace(link, inertial=_inertial(rng))
        for link in robot.links
    )
    driven = {
        "actuator": Actuator(gear_ratio=3.0, rotor_inertia=0.02),
        "dynamics": Dynamics(damping=0.5, friction=0.1, stiffness=2.0, rest=0.3),
    }
    joints = tuple(replace(j, **driven) if rng.random() < 0.5 else j for j in robot.joints)  # type: ignore[arg-type]
    named = Frame(name="tool", link=links[-1].name, pose=robot.pose)
    return replace(robot, links=links, joints=joints, frames=(named,))


def _inertial(rng: np.random.Generator) -> Inertial:
    half = rng.normal(size=(3, 3))
    x, y, z = rng.normal(scale=0.2, size=3).tolist()
    return Inertial(
        mass=float(rng.uniform(0.5, 2.0)), com=(x, y, z), inertia=matrix3(half @ half.T + 0.1 * np.eye(3))
    )


def state(mechanism: Mechanism, seed: int, batch: tuple[int, ...] = ()) -> tuple[Floats, Floats, Floats]:
    """Random q, with quaternions of length 1, v and a."""
    rng = np.random.default_rng(seed)
    q = rng.uniform(-2.0, 2.0, (*batch, mechanism.nq))
    v, a = rng.normal(size=(2, *batch, mechanism.nv))
    return mechanism.integrate(q, 0.0 * v), v, a


def heavy(seed: int, count: int | None = None) -> Mechanism:
    """The mechanism of ``heavy_robot``, small enough for finite differences."""
    return ub.assemble(heavy_robot(seed, 2 + seed % 11 if count is None else count))


def apart(ours: Any, theirs: Any) -> float:
    """Largest difference, as a part of the largest number if that is above 1."""
    a, b = np.asarray(ours, float), np.asarray(theirs, float)
    assert a.shape == b.shape
    return float(np.abs(a - b).max(initial=0.0)) / max(1.0, float(np.abs(b).max(initial=0.0)))
