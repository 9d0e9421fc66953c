"""Closed loops and couplings as equations: how far they are from holding, and what closes them.

Every equation is a row: of a loop the translations (m) and turns (sine of an angle) that it holds,
seen from ``link_a``, then one row for each coupling (rad or m).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unibody.model.robot import JOINT_SIZE, Loop

if TYPE_CHECKING:
    from unibody.mechanism.mechanism import Mechanism

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Both ends of a loop in the world, for a batch: where they are and how v moves them.

    ``apart`` (B, 3) goes from the anchor on link_a to that on link_b; ``axes_a`` and ``axes_b``
    (B, 3, 3) have as columns two axes across and the loop's axis, fixed in each link, which are the
    same where the loop is closed. ``shift`` (B, 3, nv) moves ``apart``, ``turn_a`` and ``turn_b``
    (B, 3, nv) turn the links.
    """

    loop: Loop
    apart: Floats
    axes_a: Floats
    axes_b: Floats
    shift: Floats
    turn_a: Floats
    turn_b: Floats


def residual(mechanism: Mechanism, q: Floats) -> Floats:
    """How far each equation is from holding, (B, m), for q (B, nq)."""
    rows = [np.concatenate([_shifts(ends), _turns(ends)], axis=1) for ends in _all_ends(mechanism, q)]
    return np.concatenate([*rows, _coupled(mechanism, q)], axis=1)


def jacobian(mechanism: Mechanism, q: Floats) -> Floats:
    """The matrix J, (B, m, nv), with J v the rate of the residual."""
    rows = [
        np.concatenate([_shift_rates(ends), _turn_rates(ends)], axis=1) for ends in _all_ends(mechanism, q)
    ]
    couplings = np.broadcast_to(_coupling_rates(mechanism), (len(q), *_coupling_rates(mechanism).shape))
    return np.concatenate([*rows, couplings], axis=1)


def both(mechanism: Mechanism, q: Floats) -> tuple[Floats, Floats]:
    """The residual and its Jacobian, at less than the price of each alone."""
    ends = list(_all_ends(mechanism, q))
    values = [np.concatenate([_shifts(e), _turns(e)], axis=1) for e in ends]
    rates = [np.concatenate([_shift_rates(e), _turn_rates(e)], axis=1) for e in ends]
    couplings = np.broadcast_to(_coupling_rates(mechanism), (len(q), *_coupling_rates(mechanism).shape))
    return (
        np.concatenate([*values, _coupled(mechanism, q)], axis=1),
        np.concatenate([*rates, couplings], axis=1),
    )


def bias(mechanism: Mechanism, q: Floats, v: Floats) -> Floats:
    """The second derivative of the residual, (B, m), where the rate of v (B, nv) is zero."""
    rest = np.zeros_like(v)
    rows = []
    for ends in _all_ends(mechanism, q):
        loop = ends.loop
        rate_a = mechanism.acceleration(q, v, rest, (loop.link_a, loop.pose_a))
        rate_b = mechanism.acceleration(q, v, rest, (loop.link_b, loop.pose_b))
        turn_a, turn_b = _times(ends.turn_a, v), _times(ends.turn_b, v)
        spin_a, spin_b = rate_a[:, 3:], rate_b[:, 3:]
        moving, pull = _times(ends.shift, v), rate_b[:, :3] - rate_a[:, :3]
        shifts = [
            _dot(e, pull)
            + 2.0 * _dot(np.cross(turn_a, e), moving)
            + _dot(_second(turn_a, spin_a, e), ends.apart)
            for e in _held_shifts(ends)
        ]
        turns = [
            _dot(_second(turn_b, spin_b, x), y)
            + 2.0 * _dot(np.cross(turn_b, x), np.cross(turn_a, y))
            + _dot(x, _second(turn_a, spin_a, y))
            for x, y in _held_turns(ends)
        ]
        rows += [*shifts, *turns]
    rows += [np.zeros(len(q))] * len(mechanism.followers)
    return np.stack(rows, axis=1) if rows else np.zeros((len(q), 0))


def over(mechanism: Mechanism, function: Callable[[Mechanism, Floats], Floats], q: Floats) -> Floats:
    """A function of (B, nq) for q (..., nq)."""
    found = function(mechanism, q.reshape(math.prod(q.shape[:-1]), mechanism.nq))
    return found.reshape(*q.shape[:-1], *found.shape[1:])


def gaps(mechanism: Mechanism, q: Floats) -> Floats:
    """Per loop the distance (m) of its anchors along what it holds, (B, n_loops)."""
    found = [np.linalg.norm(_shifts(ends), axis=1) for ends in _all_ends(mechanism, q)]
    return np.stack(found, axis=1) if found else np.zeros((len(q), 0))


def upright(mechanism: Mechanism, q: Floats) -> NDArray[np.bool_]:
    """Whether no held turn is half a turn off, where its sine is zero, too; (B,)."""
    good = np.ones(len(q), bool)
    for ends in _all_ends(mechanism, q):
        along = np.einsum("bik,bik->bk", ends.axes_a, ends.axes_b)
        if ends.loop.holds.swing:
            good &= along[:, 2] > 0.0
        if ends.loop.holds.twist:
            good &= along[:, 0] > 0.0
    return good


def _all_ends(mechanism: Mechanism, q: Floats) -> Iterator[Ends]:
    for loop in mechanism.robot.loops:
        a, b = (loop.link_a, loop.pose_a), (loop.link_b, loop.pose_b)
        pose_a, pose_b = mechanism.pose(q, a), mechanism.pose(q, b)
        moves_a, moves_b = mechanism.jacobian(q, a), mechanism.jacobian(q, b)
        basis = _basis(loop)
        yield Ends(
            loop=loop,
            apart=pose_b[:, :3, 3] - pose_a[:, :3, 3],
            axes_a=pose_a[:, :3, :3] @ basis,
            axes_b=pose_b[:, :3, :3] @ basis,
            shift=moves_b[:, :3] - moves_a[:, :3],
            turn_a=moves_a[:, 3:],
            turn_b=moves_b[:, 3:],
        )


def _basis(loop: Loop) -> Floats:
    """Two axes across and the axis itself as columns, in the frame of the anchors."""
    turn = np.array(loop.pose_a.matrix())[:3, :3]
    axis = turn.T @ np.array(loop.axis)
    axis = axis / np.linalg.norm(axis)
    across = np.cross(axis, np.eye(3)[int(np.argmin(np.abs(axis)))])
    across = across / np.linalg.norm(across)
    return np.stack([across, np.cross(axis, across), axis], axis=1)


def _held_shifts(ends: Ends) -> list[Floats]:
    """The axes (B, 3) along which the anchors may not move apart."""
    holds, axes = ends.loop.holds, ends.axes_a
    across = [axes[:, :, 0], axes[:, :, 1]] if holds.radial else []
    return [*across, *([axes[:, :, 2]] if holds.axial else [])]


def _held_turns(ends: Ends) -> list[tuple[Floats, Floats]]:
    """Pairs of an axis of b and an axis of a that stay square to each other."""
    holds, a, b = ends.loop.holds, ends.axes_a, ends.axes_b
    tilt = [(b[:, :, 2], a[:, :, 0]), (b[:, :, 2], a[:, :, 1])] if holds.swing else []
    return [*tilt, *([(b[:, :, 0], a[:, :, 1])] if holds.twist else [])]


def _shifts(ends: Ends) -> Floats:
    return _stacked([_dot(e, ends.apart) for e in _held_shifts(ends)], ends)


def _turns(ends: Ends) -> Floats:
    return _stacked([_dot(x, y) for x, y in _held_turns(ends)], ends)


def _stacked(rows: list[Floats], ends: Ends) -> Floats:
    return np.stack(rows, axis=1) if rows else np.zeros((len(ends.apart), 0))


def _shift_rates(ends: Ends) -> Floats:
    # The axis is fixed in link a, and turns with it.
    rows = [
        np.einsum("bi,bij->bj", e, ends.shift)
        + np.einsum("bi,bij->bj", np.cross(e, ends.apart), ends.turn_a)
        for e in _held_shifts(ends)
    ]
    return np.stack(rows, axis=1) if rows else np.zeros((len(ends.apart), 0, ends.shift.shape[2]))


def _turn_rates(ends: Ends) -> Floats:
    turn = ends.turn_b - ends.turn_a
    rows = [np.einsum("bi,bij->bj", np.cross(x, y), turn) for x, y in _held_turns(ends)]
    return np.stack(rows, axis=1) if rows else np.zeros((len(ends.apart), 0, turn.shape[2]))


def _coupled(mechanism: Mechanism, q: Floats) -> Floats:
    rows = [
        q[:, f.entry] - f.ratio * (0.0 if f.leader is None else q[:, f.leader]) - f.offset
        for f in mechanism.followers
    ]
    return np.stack(rows, axis=1) if rows else np.zeros((len(q), 0))


def _coupling_rates(mechanism: Mechanism) -> Floats:
    out = np.zeros((len(mechanism.followers), mechanism.nv))
    dof = dof_of_entry(mechanism)
    for row, f in enumerate(mechanism.followers):
        out[row, dof[f.entry]] += 1.0
        if f.leader is not None:
            out[row, dof[f.leader]] -= f.ratio
    return out


def dof_of_entry(mechanism: Mechanism) -> dict[int, int]:
    """For each entry of q that is a joint's only one, its place in v."""
    return {
        int(mechanism.idx_q[i]): int(mechanism.idx_v[i])
        for i, joint in enumerate(mechanism.robot.joints)
        if JOINT_SIZE[joint.kind] == 1
    }


def _second(rate: Floats, spin: Floats, vector: Floats) -> Floats:
    """The second derivative of a vector that turns at ``rate``, itself changing by ``spin``."""
    return np.cross(spin, vector) + np.cross(rate, np.cross(rate, vector))


def _dot(a: Floats, b: Floats) -> Floats:
    return np.asarray(np.einsum("bi,bi->b", a, b))


def _times(matrix: Floats, v: Floats) -> Floats:
    return np.asarray(np.einsum("bij,bj->bi", matrix, v))
