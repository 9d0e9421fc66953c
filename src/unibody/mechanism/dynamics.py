"""Rigid-body dynamics of a tree: mass matrix, inverse and forward dynamics, with rotors in the joints.

Recursive Newton-Euler, composite rigid bodies and articulated bodies (Featherstone, Rigid Body Dynamics
Algorithms, chapters 5 to 7), with all vectors in world axes about one point. Couplings and loops are not
enforced: every entry of v moves by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from unibody.mechanism import arrays, motion, spatial
from unibody.mechanism.arrays import Array, Namespace
from unibody.mechanism.bodies import lump_bodies
from unibody.mechanism.state import State, compute, kernel_key
from unibody.mechanism.tree import Tree, derived, scalar_entries

Gravity = Sequence[float]


def mass_matrix(tree: Tree, q: Array) -> Array:
    """Joint-space inertia M, (..., nv, nv), symmetric; rotors are on its diagonal."""
    return compute(tree, _mass_matrix, q)


def inverse_dynamics(
    tree: Tree, q: Array, v: Array, a: Array, external: Array | None = None, *, gravity: Gravity
) -> Array:
    """Joint forces (..., nv) for v and a (..., nv) under forces on links (..., n_links, 6)."""
    return compute(tree, _inverse_dynamics, q, v, a, external=external, gravity=gravity)


def forward_dynamics(
    tree: Tree, q: Array, v: Array, effort: Array, external: Array | None = None, *, gravity: Gravity
) -> Array:
    """Rate of v (..., nv) under joint forces (..., nv) and forces on links (..., n_links, 6).

    NaN or inf where a degree of freedom moves no inertia: see ``massless_link``.
    """
    return compute(tree, _forward_dynamics, q, v, effort, external=external, gravity=gravity)


def generalized_gravity(tree: Tree, q: Array, gravity: Gravity) -> Array:
    """Joint forces (..., nv) that hold the tree at rest."""
    return compute(tree, _generalized_gravity, q, gravity=gravity)


def coriolis_bias(tree: Tree, q: Array, v: Array) -> Array:
    """Coriolis and centrifugal forces (..., nv) at v (..., nv)."""
    return compute(tree, _coriolis_bias, q, v)


def passive_forces(tree: Tree, q: Array, v: Array) -> Array:
    """Joint forces (..., nv) of damping, dry friction and springs."""
    xp = arrays.namespace(q, v)
    # A zero stands in for quaternions.
    places = scalar_entries(tree)
    places = np.where(places < 0, tree.nq, places)
    padded = xp.concat([q, xp.zeros_like(q[..., :1])], axis=-1)
    position = xp.take(padded, arrays.indices(xp, places, q), axis=-1)
    constant = partial(arrays.like, xp, example=q)
    spring = constant(tree.stiffness) * (position - constant(tree.spring_rest))
    return -(constant(tree.damping) * v + constant(tree.friction) * xp.sign(v) + spring)


@derived
def massless_link(tree: Tree) -> int | None:
    """The first link whose joint moves neither mass nor inertia nor a rotor; None if there is none."""
    lumped = lump_bodies(tree)
    heavy = (lumped.mass != 0.0) | (lumped.inertia != 0.0).any(axis=(0, 1))
    carried = heavy[:, 0].tolist()
    for body in range(len(carried) - 1, 0, -1):
        carried[lumped.parents[body]] |= carried[body]
    for body, dofs in enumerate(lumped.dofs):
        if dofs and not carried[body] and not lumped.armature[list(dofs)].all():
            return lumped.heads[body]
    return None


def _mass_matrix(state: State) -> Array:
    """Joint-space inertia, (nv, nv, B), rotors on the diagonal."""
    xp, bodies = state.xp, state.bodies
    rows, columns, places = bodies.pairs
    axis, forces = _composite(state)
    products = spatial.pairing(xp, state.pick(axis, rows), state.pick(forces, columns))
    # The products with themselves come first, in order.
    own = products[: bodies.nv, ...] + state.constant(bodies.armature)
    table = xp.concat([own, products[bodies.nv :, ...], xp.zeros_like(state.origin[:1, ...])])
    return xp.reshape(state.pick(table, places, 0), (bodies.nv, bodies.nv, table.shape[1]))


def _composite(state: State) -> tuple[Array, Array]:
    """Motion vectors (6, nv, B), and the momentum that each gives to all it carries, (6, nv, B)."""
    bodies = state.bodies
    axis = motion.axes(state)
    moment, about = (
        state.pick(motion.up(state, x), bodies.dof_bodies, x.ndim - 2) for x in motion.inertias(state)
    )
    masses = state.constant(motion.up(state, bodies.mass)[list(bodies.dof_bodies)])
    return axis, motion.momenta(state, masses, (moment, about), axis)


def _inverse_dynamics(
    state: State, v: Array, a: Array, external: Array | None = None, *, gravity: Sequence[float]
) -> Array:
    """Forces in the joints (nv, B) for v and a (nv, B) and forces on links (n_links, 6, B)."""
    axis = motion.axes(state)
    velocity, acceleration = motion.accelerations(state, axis, v, a)
    acceleration = acceleration + _lift(state, gravity)
    needed = _without_borne(state, _needed(state, velocity, acceleration), gravity)
    if external is not None:
        needed = needed - _on_bodies(state, external)
    carried = state.pick(motion.up(state, needed), state.bodies.dof_bodies)
    return spatial.pairing(state.xp, axis, carried) + state.constant(state.bodies.armature) * a


def _coriolis_bias(state: State, v: Array) -> Array:
    """Forces in the joints (nv, B) that v asks for when no entry of v changes and nothing weighs."""
    axis = motion.axes(state)
    needed = _needed(state, *motion.accelerations(state, axis, v, None))
    return spatial.pairing(state.xp, axis, state.pick(motion.up(state, needed), state.bodies.dof_bodies))


def _needed(state: State, velocity: Array, acceleration: Array) -> Array:
    """The force vector that each body needs to move so, (6, n, B)."""
    inertia, masses = motion.inertias(state), state.constant(state.bodies.mass)
    momentum = motion.momenta(state, masses, inertia, velocity)
    change = spatial.force_cross(state.xp, velocity, momentum)
    return motion.momenta(state, masses, inertia, acceleration) + change


def _lift(state: State, gravity: Sequence[float]) -> Array:
    """Gravity as an acceleration of everything the other way, (6, 1, 1)."""
    return state.constant([[[-g]] for g in (*gravity, 0.0, 0.0, 0.0)])


def _without_borne(state: State, needed: Array, gravity: Sequence[float]) -> Array:
    """The forces (6, n, B) that bodies need, less those that bear a part of their weight."""
    found = motion.borne(state)
    if found is None:
        return needed
    masses, moment = found
    lift = _lift(state, gravity)[:3, ...]
    force = masses * lift + state.zeros(3, 1)
    return needed - state.xp.concat([force, spatial.cross(state.xp, moment, lift)])


def _on_bodies(state: State, external: Array) -> Array:
    """Forces on links, (n_links, 6, B), each at its link's origin, as force vectors of bodies (6, n, B)."""
    xp, bodies = state.xp, state.bodies
    force, moment = external[:, :3, ...], external[:, 3:, ...]
    totals: list[Array] = [xp.zeros_like(external[0, ...])] * len(bodies.heads)
    for link, body in enumerate(bodies.body_of):
        place = state.links[link][:, 3, ...] - state.origin
        about = moment[link, ...] + spatial.cross(xp, place, force[link, ...])
        totals[body] = totals[body] + xp.concat([force[link, ...], about])
    return xp.stack(totals, axis=1)


def _generalized_gravity(state: State, gravity: Sequence[float]) -> Array:
    """Forces in the joints (nv, B) that hold everything at rest."""
    xp, bodies = state.xp, state.bodies
    axis = motion.axes(state)
    own, moments = bodies.mass, motion.moments(state)
    if bodies.borne_mass is not None and (found := motion.borne(state)) is not None:
        own, moments = own - bodies.borne_mass, moments - found[1]
    moment = state.pick(motion.up(state, moments), bodies.dof_bodies)
    masses = state.constant(motion.up(state, own)[bodies.dof_bodies])
    lift = _lift(state, gravity)[:3, ...]
    turning = spatial.cross(xp, moment, lift)
    return spatial.dot(axis[:3, ...], masses * lift) + spatial.dot(axis[3:, ...], turning)


@dataclass(slots=True)
class _Hinge:
    """What is left of one degree of freedom when all that it carries moves freely."""

    axis: Array
    answer: Array
    speedup: Array


def _forward_dynamics(
    state: State, v: Array, effort: Array, external: Array | None = None, *, gravity: Sequence[float]
) -> Array:
    """The rate of v (nv, B) under forces in the joints (nv, B) and on links (n_links, 6, B).

    NaN or inf where a degree of freedom moves nothing that has inertia.
    """
    xp, bodies = state.xp, state.bodies
    axis = motion.axes(state)
    moving = axis * v[None, ...]
    velocity = motion.down(state, moving)
    rate = spatial.motion_cross(xp, state.pick(velocity, bodies.dof_frames), moving)
    masses, inertia = state.constant(bodies.mass), motion.inertias(state)
    bias = spatial.force_cross(xp, velocity, motion.momenta(state, masses, inertia, velocity))
    bias = _without_borne(state, bias, gravity)
    if external is not None:
        bias = bias - _on_bodies(state, external)
    whole = _matrices(state, *inertia)
    inertias = [whole[:, :, body, ...] for body in range(len(bodies.heads))]
    biases = [bias[:, body, ...] for body in range(len(bodies.heads))]
    hinges: dict[int, _Hinge] = {}
    for body in range(len(bodies.heads) - 1, -1, -1):
        parent, dofs = bodies.parents[body], bodies.dofs[body]
        held, push = inertias[body], biases[body]
        for k in dofs:
            push = push + _times(xp, held, rate[:, k, ...])
        for k in dofs:
            own, s = float(bodies.armature[k, 0]), axis[:, k, ...]
            answer = _times(xp, held, s)
            resists = spatial.pairing(xp, s, answer) + own
            left = effort[k, ...] - spatial.pairing(xp, s, push)
            hinges[k] = _Hinge(s, answer / resists, left / resists)
            held = held - answer[:, None, ...] * hinges[k].answer[None, ...]
            push = push + answer * hinges[k].speedup
        if parent >= 0:
            inertias[parent], biases[parent] = inertias[parent] + held, biases[parent] + push
    return _speedups(state, hinges, rate, _lift(state, gravity)[:, 0, ...])


def _speedups(state: State, hinges: dict[int, _Hinge], rate: Array, lift: Array) -> Array:
    """From the root to the tips: each degree of freedom, once its parent's acceleration is known."""
    xp, bodies = state.xp, state.bodies
    accelerations: list[Array] = []
    result: dict[int, Array] = {}
    for parent, dofs in zip(bodies.parents, bodies.dofs, strict=True):
        here = accelerations[parent] if parent >= 0 else lift
        for k in reversed(dofs):
            hinge = hinges[k]
            result[k] = hinge.speedup - spatial.pairing(xp, here, hinge.answer)
            here = here + hinge.axis * result[k]
        for k in dofs:
            here = here + rate[:, k, ...]
        accelerations.append(here)
    if not result:
        return xp.zeros_like(state.origin[:0, ...])
    return xp.stack([result[k] for k in range(bodies.nv)])


def _matrices(state: State, moment: Array, about: Array) -> Array:
    """Spatial inertias as matrices, (6, 6, n, B)."""
    xp = state.xp
    cross = spatial.skew(xp, moment)
    masses = xp.broadcast_to(state.constant(state.bodies.mass), moment.shape[1:])
    upper = xp.concat([spatial.diagonal(xp, masses), -cross], axis=1)
    return xp.concat([upper, xp.concat([cross, about], axis=1)])


def _times(xp: Namespace, matrix: Array, vector: Array) -> Array:
    return xp.sum(matrix * vector[None, ...], axis=1)


# What names the code of each kernel, without forces on links.
MASS_MATRIX = kernel_key(_mass_matrix)
INVERSE_DYNAMICS = kernel_key(_inverse_dynamics)
FORWARD_DYNAMICS = kernel_key(_forward_dynamics)
GENERALIZED_GRAVITY = kernel_key(_generalized_gravity)
CORIOLIS_BIAS = kernel_key(_coriolis_bias)
