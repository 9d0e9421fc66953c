"""Forces, accelerations and the mass matrix: rigid bodies in a tree, rotors in the joints.

Recursive Newton-Euler, composite rigid bodies and articulated bodies (Featherstone, Rigid
Body Dynamics Algorithms, chapters 5 to 7), with all vectors in world axes about one point.
Coupled joints and loops are no constraints here: every entry of v moves by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from unibody.mechanism import arrays, motion, spatial
from unibody.mechanism.arrays import Array, Indices, Namespace
from unibody.mechanism.state import State
from unibody.mechanism.tree import VELOCITY_SIZE, Tree

if TYPE_CHECKING:
    from unibody.mechanism.mechanism import Mechanism


Pairs = tuple[Indices, Indices, Indices]


def mass_matrix(state: State, pairs: Pairs) -> Array:
    """Joint-space inertia, (nv, nv, B), rotors on the diagonal; ``pairs`` as ``pairs_of`` gives them."""
    xp, tree = state.xp, state.tree
    rows, columns, places = pairs
    axis, forces = composite(state)
    products = spatial.pairing(xp, state.pick(axis, rows), state.pick(forces, columns))
    # The products with themselves come first, in order.
    own = products[: tree.nv, ...] + state.constant(tree.armature)
    table = xp.concat([own, products[tree.nv :, ...], xp.zeros_like(state.origin[:1, ...])])
    return xp.reshape(state.pick(table, places, 0), (tree.nv, tree.nv, table.shape[1]))


def pairs_of(tree: Tree) -> Pairs:
    """Pairs of degrees of freedom on one path, and where each entry of the matrix finds its product."""
    rows, columns = list(range(tree.nv)), list(range(tree.nv))
    for k, body in enumerate(tree.bodies.tolist()):
        path = tree.path(body)
        before = path[: path.index(k)]
        rows += before
        columns += [k] * len(before)
    places = np.full((tree.nv, tree.nv), len(rows))
    numbers = np.arange(len(rows))
    places[rows, columns] = numbers
    places[columns, rows] = numbers
    return np.array(rows, np.intp), np.array(columns, np.intp), places.ravel()


def composite(state: State) -> tuple[Array, Array]:
    """Motion vectors (6, nv, B), and the momentum that each gives to all it carries, (6, nv, B)."""
    tree = state.tree
    axis = motion.axes(state)
    moment, about = (
        state.pick(motion.up(state, x), tree.bodies, x.ndim - 2) for x in motion.inertias(state)
    )
    masses = state.constant(motion.up(state, tree.mass)[list(tree.bodies)])
    return axis, motion.momenta(state, masses, (moment, about), axis)


def inverse_dynamics(
    state: State, v: Array, a: Array, external: Array | None = None, *, gravity: Sequence[float]
) -> Array:
    """Forces in the joints (nv, B) for v and a (nv, B) and forces on links (n_links, 6, B)."""
    axis = motion.axes(state)
    velocity, acceleration = motion.accelerations(state, axis, v, a)
    acceleration = acceleration + _lift(state, gravity)
    needed = _needed(state, velocity, acceleration)
    if external is not None:
        needed = needed - _on_bodies(state, external)
    carried = state.pick(motion.up(state, needed), state.tree.bodies)
    return spatial.pairing(state.xp, axis, carried) + state.constant(state.tree.armature) * a


def coriolis_bias(state: State, v: Array) -> Array:
    """Forces in the joints (nv, B) that v asks for when no entry of v changes and nothing weighs."""
    axis = motion.axes(state)
    needed = _needed(state, *motion.accelerations(state, axis, v, None))
    return spatial.pairing(state.xp, axis, state.pick(motion.up(state, needed), state.tree.bodies))


def _needed(state: State, velocity: Array, acceleration: Array) -> Array:
    """The force vector that each body needs to move so, (6, n, B)."""
    inertia, masses = motion.inertias(state), state.constant(state.tree.mass)
    momentum = motion.momenta(state, masses, inertia, velocity)
    change = spatial.force_cross(state.xp, velocity, momentum)
    return motion.momenta(state, masses, inertia, acceleration) + change


def _lift(state: State, gravity: Sequence[float]) -> Array:
    """Gravity as an acceleration of everything the other way, (6, 1, 1)."""
    return state.constant([[[-g]] for g in (*gravity, 0.0, 0.0, 0.0)])


def _on_bodies(state: State, external: Array) -> Array:
    """Forces on links, (n_links, 6, B), each at its link's origin, as force vectors of bodies (6, n, B)."""
    xp, tree = state.xp, state.tree
    force, moment = external[:, :3, ...], external[:, 3:, ...]
    totals: list[Array] = [xp.zeros_like(external[0, ...])] * len(tree.heads)
    for link, body in enumerate(tree.body_of):
        place = state.links[link][:, 3, ...] - state.origin
        about = moment[link, ...] + spatial.cross(xp, place, force[link, ...])
        totals[body] = totals[body] + xp.concat([force[link, ...], about])
    return xp.stack(totals, axis=1)


def generalized_gravity(state: State, gravity: Sequence[float]) -> Array:
    """Forces in the joints (nv, B) that hold everything at rest."""
    xp, tree = state.xp, state.tree
    axis = motion.axes(state)
    moment = state.pick(motion.up(state, motion.moments(state)), tree.bodies)
    masses = state.constant(motion.up(state, tree.mass)[tree.bodies])
    lift = _lift(state, gravity)[:3, ...]
    turning = spatial.cross(xp, moment, lift)
    return spatial.dot(axis[:3, ...], masses * lift) + spatial.dot(axis[3:, ...], turning)


@dataclass(slots=True)
class _Hinge:
    """What is left of one degree of freedom when all that it carries moves freely."""

    axis: Array
    answer: Array
    speedup: Array


def forward_dynamics(
    state: State, v: Array, effort: Array, external: Array | None = None, *, gravity: Sequence[float]
) -> Array:
    """The rate of v (nv, B) under forces in the joints (nv, B) and on links (n_links, 6, B).

    NaN or inf where a degree of freedom moves nothing that has inertia.
    """
    xp, tree = state.xp, state.tree
    axis = motion.axes(state)
    moving = axis * v[None, ...]
    velocity = motion.down(state, moving)
    rate = spatial.motion_cross(xp, state.pick(velocity, tree.frames), moving)
    masses, inertia = state.constant(tree.mass), motion.inertias(state)
    bias = spatial.force_cross(xp, velocity, motion.momenta(state, masses, inertia, velocity))
    if external is not None:
        bias = bias - _on_bodies(state, external)
    whole = _matrices(state, *inertia)
    inertias = [whole[:, :, body, ...] for body in range(len(tree.heads))]
    biases = [bias[:, body, ...] for body in range(len(tree.heads))]
    hinges: dict[int, _Hinge] = {}
    for body in range(len(tree.heads) - 1, -1, -1):
        parent, freedoms = tree.parents[body], tree.freedoms[body]
        held, push = inertias[body], biases[body]
        for k in freedoms:
            push = push + _times(xp, held, rate[:, k, ...])
        for k in freedoms:
            own, s = float(tree.armature[k, 0]), axis[:, k, ...]
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
    xp, tree = state.xp, state.tree
    accelerations: list[Array] = []
    result: dict[int, Array] = {}
    for parent, freedoms in zip(tree.parents, tree.freedoms, strict=True):
        here = accelerations[parent] if parent >= 0 else lift
        for k in reversed(freedoms):
            hinge = hinges[k]
            result[k] = hinge.speedup - spatial.pairing(xp, here, hinge.answer)
            here = here + hinge.axis * result[k]
        for k in freedoms:
            here = here + rate[:, k, ...]
        accelerations.append(here)
    if not result:
        return xp.zeros_like(state.origin[:0, ...])
    return xp.stack([result[k] for k in range(tree.nv)])


def _matrices(state: State, moment: Array, about: Array) -> Array:
    """Spatial inertias as matrices, (6, 6, n, B)."""
    xp = state.xp
    cross = spatial.skew(xp, moment)
    masses = xp.broadcast_to(state.constant(state.tree.mass), moment.shape[1:])
    upper = xp.concat([spatial.diagonal(xp, masses), -cross], axis=1)
    return xp.concat([upper, xp.concat([cross, about], axis=1)])


def _times(xp: Namespace, matrix: Array, vector: Array) -> Array:
    return xp.sum(matrix * vector[None, ...], axis=1)


def check_inertia(mechanism: Mechanism) -> None:
    """ValueError when a joint moves nothing that has mass, inertia or a rotor."""
    tree = mechanism.tree
    heavy = (tree.mass != 0.0) | (tree.inertia != 0.0).any(axis=(0, 1))
    carried = heavy[:, 0].tolist()
    for body in range(len(carried) - 1, 0, -1):
        carried[tree.parents[body]] |= carried[body]
    for body, freedoms in enumerate(tree.freedoms):
        if freedoms and not carried[body] and not tree.armature[list(freedoms)].all():
            number = int(mechanism.link_joints[tree.heads[body]])
            what = f"joint {mechanism.joint_names[number]!r}" if number >= 0 else "the free base"
            raise ValueError(
                f"{what} moves nothing that has mass: it needs some, or a rotor, for forward dynamics"
            )


def passive_forces(mechanism: Mechanism, q: Array, v: Array) -> Array:
    """What damping, dry friction and springs do in the joints, (..., nv)."""
    xp = arrays.namespace(q, v)
    joints = mechanism.robot.joints
    damping, friction = np.zeros(mechanism.nv), np.zeros(mechanism.nv)
    stiffness, rest, entries = (
        np.zeros(mechanism.nv),
        np.zeros(mechanism.nv),
        np.full(mechanism.nv, mechanism.nq),
    )
    starts = zip(joints, mechanism.idx_q.tolist(), mechanism.idx_v.tolist(), strict=True)
    for joint, start, speed in starts:
        size = VELOCITY_SIZE[joint.kind]
        damping[speed : speed + size] = joint.dynamics.damping
        friction[speed : speed + size] = joint.dynamics.friction
        if size == 1:
            stiffness[speed], rest[speed], entries[speed] = (
                joint.dynamics.stiffness,
                joint.dynamics.rest,
                start,
            )
    # 0 stands in for the positions of joints that have no single one.
    padded = xp.concat([q, xp.zeros_like(q[..., :1])], axis=-1)
    position = xp.take(padded, arrays.indices(xp, entries, q), axis=-1)
    constant = partial(arrays.like, xp, example=q)
    spring = constant(stiffness) * (position - constant(rest))
    return -(constant(damping) * v + constant(friction) * xp.sign(v) + spring)
