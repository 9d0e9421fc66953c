"""Frame poses, velocities, accelerations and Jacobians; center of mass, momentum and energy.

The public functions take a tree, q (..., nq) and other arrays of any library, and broadcast their batches.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from unibody.mechanism import motion, spatial
from unibody.mechanism.arrays import Array
from unibody.mechanism.frame import Frame
from unibody.mechanism.state import State, compute, kernel_key
from unibody.mechanism.tree import Tree
from unibody.model.arrays import Floats


def pose(tree: Tree, q: Array, frame: Frame) -> Array:
    """Pose of a frame in the world, (..., 4, 4)."""
    return compute(tree, _pose, q, frames=(frame,))


def velocity(tree: Tree, q: Array, v: Array, frame: Frame) -> Array:
    """Velocity of the frame's origin, then angular velocity, (..., 6), for v (..., nv)."""
    return compute(tree, _velocity, q, v, frames=(frame,))


def acceleration(tree: Tree, q: Array, v: Array, a: Array, frame: Frame) -> Array:
    """Rate of ``velocity`` in the same reference, (..., 6), for v and its rate a (..., nv)."""
    return compute(tree, _acceleration, q, v, a, frames=(frame,))


def jacobian(tree: Tree, q: Array, frame: Frame) -> Array:
    """Matrix J, (..., 6, nv), with J v the ``velocity`` of the frame."""
    return compute(tree, _jacobian, q, frames=(frame,))


def jacobian_key(frame: Frame) -> tuple[Any, ...]:
    """What names the code of ``jacobian``."""
    return kernel_key(_jacobian, (frame,))


def center_of_mass(tree: Tree, q: Array) -> Array:
    """Center of mass in the world, (..., 3); NaN for a tree without mass."""
    return compute(tree, _center_of_mass, q)


def center_of_mass_jacobian(tree: Tree, q: Array) -> Array:
    """Matrix J, (..., 3, nv), with J v the velocity of the center of mass."""
    return compute(tree, _center_of_mass_jacobian, q)


def momentum(tree: Tree, q: Array, v: Array) -> Array:
    """Linear momentum, then angular momentum about the center of mass, in world axes, (..., 6)."""
    return compute(tree, _momentum, q, v)


def energy(tree: Tree, q: Array, v: Array, gravity: Sequence[float]) -> Array:
    """Kinetic energy, rotors included, and potential energy, (..., 2)."""
    return compute(tree, _energy, q, v, gravity=gravity)


def anchor_motions(tree: Tree, q: Floats, frames: Sequence[Frame]) -> Floats:
    """Pose rows and Jacobians of several frames from one state, (B, n, 3, 4 + 2 nv), for q (B, nq).

    Columns: the pose (3, 4), then the rows of the Jacobian for the origin and for the rotation.
    """
    return np.asarray(compute(tree, _anchor_motions, q, frames=tuple(frames)))


def anchor_accelerations(tree: Tree, q: Floats, v: Floats, frames: Sequence[Frame]) -> Floats:
    """``acceleration`` of several frames at constant v from one state, (B, n, 6)."""
    return np.asarray(compute(tree, _anchor_accelerations, q, v, np.zeros_like(v), frames=tuple(frames)))


def _place(state: State, frame: Frame) -> Array:
    """The three upper rows of the frame's pose in the world, (3, 4, B)."""
    xp, link = state.xp, state.links[frame.link]
    if frame.is_link:
        return link
    mixed = spatial.product(link[:, :3, ...], state.constant(frame.pose[:3, :, None]))
    return xp.concat([mixed[:, :3, ...], mixed[:, 3:, ...] + link[:, 3:, ...]], axis=1)


def _pose(state: State, frames: tuple[Frame]) -> Array:
    """The frame's pose in the world, (4, 4, B)."""
    xp, upper = state.xp, _place(state, frames[0])
    row = state.constant([[[0.0], [0.0], [0.0], [1.0]]])
    return xp.concat([upper, xp.broadcast_to(row, (1, *upper.shape[1:]))])


def _in_reference(state: State, frame: Frame, vectors: Array) -> Array:
    """Motion vectors (6, ..., B) about the state's origin as the frame's reference has them."""
    xp, lanes = state.xp, (3,) + (1,) * (vectors.ndim - 2) + (state.origin.shape[1],)
    if frame.reference == "world":
        return spatial.moved(xp, vectors, xp.reshape(-state.origin, lanes))
    at = _place(state, frame)
    moved = spatial.moved(xp, vectors, xp.reshape(at[:, 3, ...] - state.origin, lanes))
    if frame.reference == "local_world_aligned":
        return moved
    turn = xp.reshape(at[:, :3, ...], (3, *lanes))
    back = partial(spatial.turned_back, turn)
    return xp.concat([back(moved[:3, ...]), back(moved[3:, ...])])


def _jacobian(state: State, frames: tuple[Frame]) -> Array:
    """How each entry of v moves the frame, (6, nv, B)."""
    return _frame_jacobian(state, frames[0])


def _frame_jacobian(state: State, frame: Frame) -> Array:
    """How each entry of v moves the frame, (6, nv, B)."""
    bodies, xp = state.bodies, state.xp
    path = bodies.path(bodies.body_of[frame.link])
    if not path:
        return state.zeros(6, bodies.nv)
    columns = _in_reference(state, frame, motion.axes(state, path))
    # What is not on the path takes the column of zeros, also where the path is NaN.
    places = np.full(bodies.nv, len(path))
    places[path] = np.arange(len(path))
    return state.pick(xp.concat([columns, state.zeros(6, 1)], axis=1), places)


def _velocity(state: State, v: Array, frames: tuple[Frame]) -> Array:
    """Velocity of the frame's origin and angular velocity, (6, B), for v (nv, B)."""
    [frame] = frames
    path = state.bodies.path(state.bodies.body_of[frame.link])
    if not path:
        return state.zeros(6)
    own = motion.axes(state, path) * state.pick(v, path, 0)[None, ...]
    return _in_reference(state, frame, state.xp.sum(own, axis=1))


def _acceleration(state: State, v: Array, a: Array, frames: tuple[Frame]) -> Array:
    """Rate of ``_velocity``, (6, B), for v and a (nv, B)."""
    return _frame_acceleration(state, v, a, frames[0])


def _frame_acceleration(state: State, v: Array, a: Array, frame: Frame) -> Array:
    """Rate of ``_velocity``, (6, B), for v and a (nv, B)."""
    xp, body = state.xp, state.bodies.body_of[frame.link]
    velocities, accelerations = motion.accelerations(state, motion.axes(state), v, a)
    rate = _in_reference(state, frame, accelerations[:, body, ...])
    if frame.reference != "local_world_aligned":
        # Of the frame's own axes, and of those at rest, this is the rate of the velocity there.
        return rate
    moving = _in_reference(state, frame, velocities[:, body, ...])
    # The frame's origin does not stay where the spatial acceleration is taken.
    along = spatial.cross(xp, moving[3:, ...], moving[:3, ...])
    return xp.concat([rate[:3, ...] + along, rate[3:, ...]])


def _center_of_mass(state: State) -> Array:
    """Center of mass in the world, (3, B); NaN for a robot without mass."""
    moment = state.xp.sum(motion.moments(state), axis=1)
    return state.origin + moment / state.constant(np.sum(state.bodies.mass))


def _center_of_mass_jacobian(state: State) -> Array:
    """How each entry of v moves the center of mass, (3, nv, B)."""
    bodies = state.bodies
    axis = motion.axes(state)
    moment = state.pick(motion.up(state, motion.moments(state)), bodies.dof_bodies)
    masses = state.constant(motion.up(state, bodies.mass)[bodies.dof_bodies] / np.sum(bodies.mass))
    turning = spatial.cross(state.xp, axis[3:, ...], moment) / state.constant(np.sum(bodies.mass))
    return masses * axis[:3, ...] + turning


def _momentum(state: State, v: Array) -> Array:
    """Linear momentum, and angular momentum about the center of mass, world axes, (6, B)."""
    xp, masses = state.xp, state.constant(state.bodies.mass)
    inertia, velocities = motion.inertias(state), motion.velocities(state, motion.axes(state), v)
    total = xp.sum(motion.momenta(state, masses, inertia, velocities), axis=1)
    com = xp.sum(inertia[0], axis=1) / xp.sum(masses)
    linear = total[:3, ...]
    return xp.concat([linear, total[3:, ...] - spatial.cross(xp, com, linear)])


def _energy(state: State, v: Array, gravity: Sequence[float]) -> Array:
    """Kinetic energy, that of the rotors with it, and potential energy, (2, B)."""
    xp, bodies = state.xp, state.bodies
    masses, inertia = state.constant(bodies.mass), motion.inertias(state)
    velocities = motion.velocities(state, motion.axes(state), v)
    momenta = motion.momenta(state, masses, inertia, velocities)
    rotors = xp.sum(state.constant(bodies.armature) * v * v, axis=0)
    kinetic = 0.5 * (xp.sum(spatial.pairing(xp, velocities, momenta), axis=0) + rotors)
    moment = xp.sum(inertia[0], axis=1) + xp.sum(masses) * state.origin
    if (borne := motion.borne(state)) is not None:
        moment = moment - xp.sum(borne[1], axis=1) - xp.sum(borne[0]) * state.origin
    return xp.stack([kinetic, -sum(g * moment[i, ...] for i, g in enumerate(gravity))])


def _anchor_motions(state: State, frames: Sequence[Frame]) -> Array:
    def rows(frame: Frame) -> Array:
        moves = _frame_jacobian(state, frame)
        return state.xp.concat([_place(state, frame), moves[:3, ...], moves[3:, ...]], axis=1)

    return state.xp.stack([rows(frame) for frame in frames])


def _anchor_accelerations(state: State, v: Array, a: Array, frames: Sequence[Frame]) -> Array:
    return state.xp.stack([_frame_acceleration(state, v, a, frame) for frame in frames])
