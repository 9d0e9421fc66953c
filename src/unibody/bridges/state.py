"""Converts configurations and velocities between a mechanism and an engine.

q and v of a mechanism are those of ``docs/mechanism.md``. An engine numbers its coordinates in another
order, counts some from another zero (MuJoCo's ``ref``), and may have the velocity of a free body in the
axes of the world.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from unibody.model.arrays import Floats, Indices
from unibody.model.pose import IDENTITY, Pose
from unibody.model.rotation import rotation_matrices


@dataclass(frozen=True, slots=True, kw_only=True)
class Scalars:
    """Coordinates with one number each: ``q_engine[there_q] = q[here_q] + offset``, and rates alike."""

    here_q: tuple[int, ...] = ()
    there_q: tuple[int, ...] = ()
    offset: tuple[float, ...] = ()
    here_v: tuple[int, ...] = ()
    there_v: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrewSlide:
    """The slide of a screw joint, whose hinge is one of the scalars.

    ``q_engine[there_q] = lead * q[here_q] + offset``; ``lead`` is in m/rad.
    """

    here_q: int
    here_v: int
    there_q: int
    there_v: int
    lead: float
    offset: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Follower:
    """A coordinate that the engine computes of another one, so that its q and v lack it.

    ``q[here_q] = ratio * q_engine[there_q] + offset``, and rates alike.
    """

    here_q: int
    here_v: int
    there_q: int
    there_v: int
    ratio: float
    offset: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FreeBody:
    """A free base or joint: where its numbers start, here and in the engine.

    The engine's pose is ``frame`` times that of the mechanism; its linear velocity is that of the origin in
    the axes of the world.
    """

    here_q: int
    here_v: int
    there_q: int
    there_v: int
    frame: Pose = IDENTITY


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedBody:
    """A ball joint, or a free one, that the engine has as slides and three hinges about X, Y and Z.

    ``slides`` and ``turns`` are the places of its numbers in the engine's q and v; a ball joint has no
    slides.
    """

    here_q: int
    here_v: int
    slides_q: tuple[int, ...]
    slides_v: tuple[int, ...]
    turns_q: tuple[int, ...]
    turns_v: tuple[int, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class StateMap:
    """The numbers of a mechanism in those of an engine, and back, for single ones and batches.

    ``nq`` and ``nv`` are the sizes of the mechanism's q and v, ``engine_nq`` and ``engine_nv`` those of the
    engine's. ``start`` is a configuration of the engine, (engine_nq,), for coordinates that the mechanism
    does not have.
    """

    nq: int
    nv: int
    engine_nq: int
    engine_nv: int
    start: Floats
    scalars: Scalars
    free: Sequence[FreeBody] = ()
    turned: Sequence[TurnedBody] = ()
    screws: Sequence[ScrewSlide] = ()
    followers: Sequence[Follower] = ()

    def q_places(self) -> tuple[Indices, Floats]:
        """The engine's place of each entry of q (nq,), and what is added to it there (nq,).

        The place of an entry that is not a number of the engine, as those of a free base, is -1.
        """
        places, offsets = np.full(self.nq, -1, np.intp), np.zeros(self.nq)
        here = list(self.scalars.here_q)
        places[here], offsets[here] = self.scalars.there_q, self.scalars.offset
        return places, offsets

    def v_places(self) -> Indices:
        """The engine's place of each entry of v (nv,); -1 for those of free bodies.

        The three of a ball joint that is made of hinges are those of the hinges, whose rates differ from
        the angular velocity but where the joint is at zero.
        """
        places = np.full(self.nv, -1, np.intp)
        places[list(self.scalars.here_v)] = self.scalars.there_v
        for joint in self.turned:
            if not joint.slides_v:
                places[joint.here_v : joint.here_v + 3] = joint.turns_v
        return places

    def q_to(self, q: ArrayLike) -> Floats:
        """The engine's configuration, (..., engine_nq), for q (..., nq)."""
        given = _sized(q, self.nq, "q")
        out = np.empty((*given.shape[:-1], self.engine_nq))
        out[...] = self.start
        s = self.scalars
        out[..., s.there_q] = given[..., s.here_q] + np.array(s.offset)
        for screw in self.screws:
            out[..., screw.there_q] = screw.lead * given[..., screw.here_q] + screw.offset
        for body in self.free:
            here, there = given[..., body.here_q : body.here_q + 7], body.there_q
            out[..., there : there + 3], out[..., there + 3 : there + 7] = _moved(body.frame, here)
        for joint in self.turned:
            start = joint.here_q
            if joint.slides_q:
                out[..., joint.slides_q] = given[..., start : start + 3]
                start += 3
            out[..., joint.turns_q] = _angles(_matrix(given[..., start : start + 4]))
        return out

    def q_from(self, qpos: ArrayLike) -> Floats:
        """The mechanism's q, (..., nq), for a configuration of the engine (..., engine_nq)."""
        given = _sized(qpos, self.engine_nq, "the engine's q")
        out = np.zeros((*given.shape[:-1], self.nq))
        s = self.scalars
        out[..., s.here_q] = given[..., s.there_q] - np.array(s.offset)
        for follower in self.followers:
            out[..., follower.here_q] = follower.ratio * given[..., follower.there_q] + follower.offset
        for body in self.free:
            here, there = body.here_q, given[..., body.there_q : body.there_q + 7]
            back = body.frame if body.frame == IDENTITY else body.frame.inverse()
            out[..., here : here + 3], out[..., here + 3 : here + 7] = _moved(back, there)
        for joint in self.turned:
            here = joint.here_q
            if joint.slides_q:
                out[..., here : here + 3] = given[..., joint.slides_q]
                here += 3
            out[..., here : here + 4] = _of_angles(given[..., joint.turns_q])
        return out

    def v_to(self, q: ArrayLike, v: ArrayLike) -> Floats:
        """The engine's velocities, (..., engine_nv), for the mechanism's q (..., nq) and v (..., nv)."""
        here, given = _paired(_sized(q, self.nq, "q"), _sized(v, self.nv, "v"))
        out = np.zeros((*given.shape[:-1], self.engine_nv))
        s = self.scalars
        out[..., s.there_v] = given[..., s.here_v]
        for screw in self.screws:
            out[..., screw.there_v] = screw.lead * given[..., screw.here_v]
        for body in self.free:
            turn = _turn(body.frame, here[..., body.here_q + 3 : body.here_q + 7])
            there, start = body.there_v, body.here_v
            out[..., there : there + 3] = _times(turn, given[..., start : start + 3])
            out[..., there + 3 : there + 6] = given[..., start + 3 : start + 6]
        for joint in self.turned:
            start, quat = joint.here_v, joint.here_q
            turn = _matrix(here[..., quat + 3 : quat + 7] if joint.slides_q else here[..., quat : quat + 4])
            if joint.slides_v:
                out[..., joint.slides_v] = _times(turn, given[..., start : start + 3])
                start += 3
            rates = np.linalg.solve(_rates(_angles(turn)), given[..., start : start + 3, None])
            out[..., joint.turns_v] = rates[..., 0]
        return out

    def v_from(self, qpos: ArrayLike, qvel: ArrayLike) -> Floats:
        """The mechanism's v, (..., nv), for the engine's q (..., engine_nq) and v (..., engine_nv)."""
        there, given = _paired(
            _sized(qpos, self.engine_nq, "the engine's q"), _sized(qvel, self.engine_nv, "the engine's v")
        )
        out = np.zeros((*given.shape[:-1], self.nv))
        s = self.scalars
        out[..., s.here_v] = given[..., s.there_v]
        for follower in self.followers:
            out[..., follower.here_v] = follower.ratio * given[..., follower.there_v]
        for body in self.free:
            turn = _matrix(there[..., body.there_q + 3 : body.there_q + 7])
            start, here = body.there_v, body.here_v
            out[..., here : here + 3] = _times(np.swapaxes(turn, -1, -2), given[..., start : start + 3])
            out[..., here + 3 : here + 6] = given[..., start + 3 : start + 6]
        for joint in self.turned:
            angles, here = there[..., joint.turns_q], joint.here_v
            if joint.slides_v:
                back = np.swapaxes(_matrix(_of_angles(angles)), -1, -2)
                out[..., here : here + 3] = _times(back, given[..., joint.slides_v])
                here += 3
            out[..., here : here + 3] = _times(_rates(angles), given[..., joint.turns_v])
        return out

    def a_from(self, qpos: ArrayLike, qvel: ArrayLike, qacc: ArrayLike) -> Floats:
        """The rate of the mechanism's v, (..., nv), for the engine's q, v and rate of v.

        Axes that turn with a body turn the vectors that are given in them.
        """
        there = _sized(qpos, self.engine_nq, "the engine's q")
        speeds = _sized(qvel, self.engine_nv, "the engine's v")
        v, out = self.v_from(there, speeds), self.v_from(there, qacc)
        for joint in self.turned:
            here = joint.here_v + (3 if joint.slides_v else 0)
            rates = speeds[..., joint.turns_v]
            out[..., here : here + 3] += _times(_rate_changes(there[..., joint.turns_q], rates), rates)
        starts = [body.here_v for body in self.free]
        starts += [joint.here_v for joint in self.turned if joint.slides_v]
        for start in starts:
            turn, move = v[..., start + 3 : start + 6], v[..., start : start + 3]
            out[..., start : start + 3] -= np.cross(turn, move)
        return out


def _sized(values: ArrayLike, size: int, what: str) -> Floats:
    out = np.asarray(values, np.float64)
    if out.ndim == 0 or out.shape[-1] != size:
        raise ValueError(f"{what} must have the shape (..., {size}), not {out.shape}")
    return out


def _paired(a: Floats, b: Floats) -> tuple[Floats, Floats]:
    """Two arrays with the same batch shape."""
    batch = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    return np.broadcast_to(a, (*batch, a.shape[-1])), np.broadcast_to(b, (*batch, b.shape[-1]))


def _times(matrix: Floats, vector: Floats) -> Floats:
    return np.asarray((matrix @ vector[..., None])[..., 0])


def _moved(frame: Pose, q: Floats) -> tuple[Floats, Floats]:
    """Position and quaternion of a pose (..., 7), seen from outside of ``frame``."""
    if frame == IDENTITY:
        return q[..., :3], q[..., 3:7]
    turn = np.array(frame.rotation())
    position = q[..., :3] @ turn.T + np.array(frame.xyz)
    a, b = frame.quat, np.moveaxis(q[..., 3:7], -1, 0)
    product = (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )
    return position, np.stack(product, axis=-1)


def _turn(frame: Pose, quat: Floats) -> Floats:
    matrix = _matrix(quat)
    return matrix if frame == IDENTITY else np.array(frame.rotation()) @ matrix


def _matrix(quat: Floats) -> Floats:
    """Rotation matrices (..., 3, 3) of quaternions w, x, y, z, which are normalized."""
    return rotation_matrices(quat / np.linalg.norm(quat, axis=-1, keepdims=True))


def _angles(turn: Floats) -> Floats:
    """The angles (..., 3) of successive turns about X, Y and Z that make up a rotation."""
    return np.stack(
        [
            np.arctan2(-turn[..., 1, 2], turn[..., 2, 2]),
            np.arcsin(np.clip(turn[..., 0, 2], -1.0, 1.0)),
            np.arctan2(-turn[..., 0, 1], turn[..., 0, 0]),
        ],
        axis=-1,
    )


def _of_angles(angles: Floats) -> Floats:
    """The quaternions (..., 4) of successive turns about X, Y and Z."""
    (a, b, c), (i, j, k) = (np.moveaxis(f(angles / 2.0), -1, 0) for f in (np.cos, np.sin))
    product = (
        a * b * c - i * j * k,
        i * b * c + a * j * k,
        a * j * c - i * b * k,
        a * b * k + i * j * c,
    )
    return np.stack(product, axis=-1)


def _rates(angles: Floats) -> Floats:
    """The matrices (..., 3, 3) from the rates of the three angles to the angular velocity in moved axes."""
    _, b, c = np.moveaxis(angles, -1, 0)
    zero, one = np.zeros_like(b), np.ones_like(b)
    rows = (
        (np.cos(b) * np.cos(c), np.sin(c), zero),
        (-np.cos(b) * np.sin(c), np.cos(c), zero),
        (np.sin(b), zero, one),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _rate_changes(angles: Floats, rates: Floats) -> Floats:
    """The time derivative of ``_rates`` while the angles change."""
    _, b, c = np.moveaxis(angles, -1, 0)
    _, db, dc = np.moveaxis(rates, -1, 0)
    zero = np.zeros_like(b)
    rows = (
        (-np.sin(b) * np.cos(c) * db - np.cos(b) * np.sin(c) * dc, np.cos(c) * dc, zero),
        (np.sin(b) * np.sin(c) * db - np.cos(b) * np.cos(c) * dc, -np.sin(c) * dc, zero),
        (np.cos(b) * db, zero, zero),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
