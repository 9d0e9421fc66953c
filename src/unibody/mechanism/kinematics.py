"""Where chosen frames are and how they move: poses, velocities, accelerations, Jacobians."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal

import numpy as np

from unibody.mechanism import motion, spatial
from unibody.mechanism.arguments import near
from unibody.mechanism.arrays import Array, Floats
from unibody.mechanism.state import State
from unibody.model.pose import IDENTITY, Pose

if TYPE_CHECKING:
    from unibody.mechanism.mechanism import Mechanism

#: In which axes, and of which point, a velocity is given: "world", of the point of the link
#: that is at the world's origin; "local", of the frame's origin in its own axes;
#: "local_world_aligned", of the frame's origin in the world's axes.
Reference = Literal["world", "local", "local_world_aligned"]
REFERENCES = ("world", "local", "local_world_aligned")

#: A link's or a frame's name, or a pose in a link: (link, Pose).
FrameLike = str | tuple[str, Pose]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A frame on a link: its pose there, and how what moves it is to be given."""

    link: int
    pose: Floats
    reference: Reference = "local_world_aligned"


def find_frame(
    mechanism: Mechanism,
    name: FrameLike,
    point: Sequence[float] | None = None,
    reference: str | None = None,
) -> Frame:
    """The frame of that name, moved to a point that is given in it; KeyError if there is none."""
    if reference is None:
        reference = "local_world_aligned"
    if reference not in REFERENCES:
        raise ValueError(f"reference is {reference!r}; expected one of {', '.join(REFERENCES)}")
    link, pose = (name, IDENTITY) if isinstance(name, str) else name
    if link not in mechanism.link_names:
        frame = next((f for f in mechanism.robot.frames if f.name == link), None)
        if frame is None:
            known = [*mechanism.link_names, *(f.name for f in mechanism.robot.frames)]
            raise KeyError(f"{mechanism.robot.name!r} has no link or frame {link!r}{near(link, known)}")
        link, pose = frame.link, frame.pose @ pose
    if point is not None:
        if np.shape(point) != (3,):
            raise ValueError(f"a point is three numbers, got shape {np.shape(point)}")
        x, y, z = (float(v) for v in point)
        pose = pose @ Pose((x, y, z))
    return Frame(mechanism.link_names.index(link), np.array(pose.matrix()), reference)  # type: ignore[arg-type]


def place(state: State, frame: Frame) -> Array:
    """The three upper rows of the frame's pose in the world, (3, 4, B)."""
    xp, link = state.xp, state.links[frame.link]
    if np.array_equal(frame.pose, np.eye(4)):
        return link
    mixed = spatial.product(link[:, :3, ...], state.constant(frame.pose[:3, :, None]))
    return xp.concat([mixed[:, :3, ...], mixed[:, 3:, ...] + link[:, 3:, ...]], axis=1)


def pose(state: State, frame: Frame) -> Array:
    """The frame's pose in the world, (4, 4, B)."""
    xp, upper = state.xp, place(state, frame)
    row = state.constant([[[0.0], [0.0], [0.0], [1.0]]])
    return xp.concat([upper, xp.broadcast_to(row, (1, *upper.shape[1:]))])


def seen(state: State, frame: Frame, vectors: Array) -> Array:
    """Motion vectors (6, ..., B) about the state's origin as the frame's reference has them."""
    xp, lanes = state.xp, (3,) + (1,) * (vectors.ndim - 2) + (state.origin.shape[1],)
    if frame.reference == "world":
        return spatial.moved(xp, vectors, xp.reshape(-state.origin, lanes))
    at = place(state, frame)
    moved = spatial.moved(xp, vectors, xp.reshape(at[:, 3, ...] - state.origin, lanes))
    if frame.reference == "local_world_aligned":
        return moved
    turn = xp.reshape(at[:, :3, ...], (3, *lanes))
    back = partial(spatial.turned_back, turn)
    return xp.concat([back(moved[:3, ...]), back(moved[3:, ...])])


def jacobian(state: State, frame: Frame) -> Array:
    """How each entry of v moves the frame, (6, nv, B)."""
    tree, xp = state.tree, state.xp
    path = tree.path(tree.body_of[frame.link])
    if not path:
        return state.zeros(6, tree.nv)
    columns = seen(state, frame, motion.axes(state, path))
    # What is not on the path takes the column of zeros, also where the path is NaN.
    places = np.full(tree.nv, len(path))
    places[path] = np.arange(len(path))
    return state.pick(xp.concat([columns, state.zeros(6, 1)], axis=1), places)


def velocity(state: State, v: Array, frame: Frame) -> Array:
    """Velocity of the frame's origin and angular velocity, (6, B), for v (nv, B)."""
    path = state.tree.path(state.tree.body_of[frame.link])
    if not path:
        return state.zeros(6)
    own = motion.axes(state, path) * state.pick(v, path, 0)[None, ...]
    return seen(state, frame, state.xp.sum(own, axis=1))


def acceleration(state: State, v: Array, a: Array, frame: Frame) -> Array:
    """The rate of ``velocity``, (6, B), for v and a (nv, B)."""
    xp, body = state.xp, state.tree.body_of[frame.link]
    velocities, accelerations = motion.accelerations(state, motion.axes(state), v, a)
    rate = seen(state, frame, accelerations[:, body, ...])
    if frame.reference != "local_world_aligned":
        # Of the frame's own axes, and of those at rest, this is the rate of the velocity there.
        return rate
    moving = seen(state, frame, velocities[:, body, ...])
    # The frame's origin does not stay where the spatial acceleration is taken.
    along = spatial.cross(xp, moving[3:, ...], moving[:3, ...])
    return xp.concat([rate[:3, ...] + along, rate[3:, ...]])


def center_of_mass(state: State) -> Array:
    """Centre of mass in the world, (3, B); NaN for a robot without mass."""
    moment = state.xp.sum(motion.moments(state), axis=1)
    return state.origin + moment / state.constant(np.sum(state.tree.mass))


def center_of_mass_jacobian(state: State) -> Array:
    """How each entry of v moves the centre of mass, (3, nv, B)."""
    tree = state.tree
    axis = motion.axes(state)
    moment = state.pick(motion.up(state, motion.moments(state)), tree.bodies)
    masses = state.constant(motion.up(state, tree.mass)[tree.bodies] / np.sum(tree.mass))
    turning = spatial.cross(state.xp, axis[3:, ...], moment) / state.constant(np.sum(tree.mass))
    return masses * axis[:3, ...] + turning


def momentum(state: State, v: Array) -> Array:
    """Linear momentum, and angular momentum about the centre of mass, world axes, (6, B)."""
    xp, masses = state.xp, state.constant(state.tree.mass)
    inertia, velocities = motion.inertias(state), motion.velocities(state, motion.axes(state), v)
    total = xp.sum(motion.momenta(state, masses, inertia, velocities), axis=1)
    com = xp.sum(inertia[0], axis=1) / xp.sum(masses)
    linear = total[:3, ...]
    return xp.concat([linear, total[3:, ...] - spatial.cross(xp, com, linear)])


def energy(state: State, v: Array, gravity: Sequence[float]) -> Array:
    """Kinetic energy, that of the rotors with it, and potential energy, (2, B)."""
    xp, tree = state.xp, state.tree
    masses, inertia = state.constant(tree.mass), motion.inertias(state)
    velocities = motion.velocities(state, motion.axes(state), v)
    momenta = motion.momenta(state, masses, inertia, velocities)
    rotors = xp.sum(state.constant(tree.armature) * v * v, axis=0)
    kinetic = 0.5 * (xp.sum(spatial.pairing(xp, velocities, momenta), axis=0) + rotors)
    moment = xp.sum(inertia[0], axis=1) + xp.sum(masses) * state.origin
    return xp.stack([kinetic, -sum(g * moment[i, ...] for i, g in enumerate(gravity))])
