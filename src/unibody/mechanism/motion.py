"""Velocities, accelerations and momenta of all bodies: the building blocks of kinematics and dynamics.

All spatial vectors are in world axes about the state's origin, so that going from one body
to the next is a sum, without transformations.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from unibody.mechanism import spatial
from unibody.mechanism.arrays import Array
from unibody.mechanism.state import State


def axes(state: State, chosen: Sequence[int] | None = None) -> Array:
    """The motion vector of each degree of freedom at unit speed, (6, nv, B); or of the chosen ones."""
    xp, bodies = state.xp, state.bodies
    these = slice(None) if chosen is None else list(chosen)
    turn = state.pick(state.turn, bodies.dof_frames[these], 2)
    place = state.pick(state.place, bodies.dof_bodies[these])
    turns = state.constant(bodies.rotational[these])
    direction = spatial.turned(turn, state.constant(bodies.directions[:, these]))
    angular = turns * direction
    slides = state.constant(bodies.translational[these])
    linear = spatial.cross(xp, place, angular) + slides * direction
    return xp.concat([linear, angular])


def down(state: State, own: Array) -> Array:
    """Sums from the root to each body, (6, n, B), of a vector for each degree of freedom, (6, nv, B)."""
    xp, bodies = state.xp, state.bodies
    if isinstance(own, np.ndarray):
        return _down_in_place(state, own)
    root = state.zeros(6)
    sums: list[Array] = []
    for parent, dofs in zip(bodies.parents, bodies.dofs, strict=True):
        total = sums[parent] if parent >= 0 else root
        for k in dofs:
            total = total + own[:, k, ...]
        sums.append(total)
    return xp.stack(sums, axis=1)


def _down_in_place(state: State, own: Array) -> Array:
    bodies = state.bodies
    sums = np.zeros((6, len(bodies.heads), own.shape[2]))
    for body, (parent, dofs) in enumerate(zip(bodies.parents, bodies.dofs, strict=True)):
        if parent >= 0:
            np.add(sums[:, parent], own[:, dofs[0]], out=sums[:, body])
        for k in dofs[parent >= 0 :]:
            sums[:, body] += own[:, k]
    return sums


def up(state: State, own: Array) -> Array:
    """Sums of an array (..., n, B) over each body and its descendants."""
    xp, parents = state.xp, state.bodies.parents
    if isinstance(own, np.ndarray):
        sums = own.copy()
        for body in range(len(parents) - 1, 0, -1):
            sums[..., parents[body], :] += sums[..., body, :]
        return sums
    totals = [own[..., body, :] for body in range(len(parents))]
    for body in range(len(parents) - 1, 0, -1):
        totals[parents[body]] = totals[parents[body]] + totals[body]
    return xp.stack(totals, axis=-2)


def moments(state: State) -> Array:
    """Mass times center of mass of each body, from the origin, (3, n, B)."""
    com = state.place + spatial.turned(state.turn, state.constant(state.bodies.com))
    return state.constant(state.bodies.mass) * com


def borne(state: State) -> tuple[Array, Array] | None:
    """The mass of each body that does not fall, (n, 1), and this times its center, (3, n, B).

    Centers are from the origin. None where all falls.
    """
    bodies = state.bodies
    if bodies.borne_mass is None or bodies.borne_moment is None:
        return None
    masses = state.constant(bodies.borne_mass)
    return masses, masses * state.place + spatial.turned(state.turn, state.constant(bodies.borne_moment))


def inertias(state: State) -> tuple[Array, Array]:
    """Mass times center of mass (3, n, B), and inertia about the origin (3, 3, n, B), of each body."""
    xp, bodies = state.xp, state.bodies
    com = state.place + spatial.turned(state.turn, state.constant(bodies.com))
    moment = state.constant(bodies.mass) * com
    half = spatial.product(state.turn, state.constant(bodies.inertia))
    about = spatial.product(half, xp.permute_dims(state.turn, (1, 0, 2, 3)))
    apart = about - moment[:, None, ...] * com[None, ...]
    return moment, apart + spatial.diagonal(xp, spatial.dot(moment, com))


def momenta(state: State, masses: Array, inertia: tuple[Array, Array], motion: Array) -> Array:
    """Inertia times motion, a force vector; mass (n, 1), moment and inertia are as of ``inertias``."""
    moment, about = inertia
    linear, angular = motion[:3, ...], motion[3:, ...]
    cross = spatial.cross
    force = masses * linear + cross(state.xp, angular, moment)
    return state.xp.concat([force, spatial.turned(about, angular) + cross(state.xp, moment, linear)])


def velocities(state: State, axis: Array, v: Array) -> Array:
    """Velocities of all bodies, (6, n, B), for the motion vectors of ``axes`` and v (nv, B)."""
    return down(state, axis * v[None, ...])


def accelerations(state: State, axis: Array, v: Array, a: Array | None) -> tuple[Array, Array]:
    """Velocities and accelerations of all bodies, (6, n, B) each; a None counts as 0."""
    bodies, moving = state.bodies, axis * v[None, ...]
    velocity = down(state, moving)
    rate = spatial.motion_cross(state.xp, state.pick(velocity, bodies.dof_frames), moving)
    return velocity, down(state, rate if a is None else rate + axis * a[None, ...])
