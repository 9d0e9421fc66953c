"""Loop closures and couplings as equations: residual, Jacobian and second derivative.

Every equation is a row: per loop the translations (m) and rotations (sine of an angle) that it
constrains, seen from link a, then one row for each coupling (rad or m). q is (B, nq), v (B, nv).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from unibody.mechanism.frame import Frame
from unibody.mechanism.kinematics import anchor_accelerations, anchor_motions
from unibody.mechanism.tree import Tree
from unibody.model.arrays import Flags, Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LoopClosure:
    """Anchors on two links that are held together.

    ``basis`` (3, 3) has as columns two axes across the loop's axis and the axis itself, in the frame of
    the anchors. Constrained are translations along the axis (``axial``) and across it (``radial``),
    rotations about the axis (``twist``) and of the axis (``swing``).
    """

    a: Frame
    b: Frame
    basis: Floats
    axial: bool
    radial: bool
    twist: bool
    swing: bool


Loops = Sequence[LoopClosure]

_YZX, _ZXY = np.array([1, 2, 0]), np.array([2, 0, 1])


def axis_basis(anchor: Floats, axis: Sequence[float]) -> Floats:
    """``basis`` of a loop whose axis is given in link a, for the pose of its anchor there."""
    with np.errstate(all="ignore"):
        along = anchor[:3, :3].T @ np.array(axis)
        along = along / np.linalg.norm(along)
        across = np.cross(along, np.eye(3)[int(np.argmin(np.abs(along)))])
        across = across / np.linalg.norm(across)
        return np.stack([across, np.cross(along, across), along], axis=1)


@dataclass(frozen=True, slots=True, eq=False)
class Ends:
    """Both ends of a loop in the world, for a batch: where they are and how v moves them.

    The numbers may come from another program, with its own order of v.

    ``apart`` (B, 3) goes from anchor a to anchor b; ``axes_a`` and ``axes_b`` (B, 3, 3) are the basis
    fixed in each link, equal where the loop is closed. ``shift`` (B, 3, nv) moves ``apart``, ``turn_a``
    and ``turn_b`` (B, 3, nv) turn the links.
    """

    loop: LoopClosure
    apart: Floats
    axes_a: Floats
    axes_b: Floats
    shift: Floats
    turn_a: Floats
    turn_b: Floats


def residual(tree: Tree, loops: Loops, q: Floats) -> Floats:
    """Residual of each equation, (B, m)."""
    return _residual(tree, _ends(tree, loops, q), q)


def jacobian(tree: Tree, loops: Loops, q: Floats) -> Floats:
    """Matrix J, (B, m, nv), with J v the rate of the residual."""
    return _jacobian(tree, _ends(tree, loops, q), q)


def residual_and_jacobian(tree: Tree, loops: Loops, q: Floats) -> tuple[Floats, Floats]:
    """``residual`` (B, m) and ``jacobian`` (B, m, nv) from one state."""
    ends = _ends(tree, loops, q)
    return _residual(tree, ends, q), _jacobian(tree, ends, q)


def bias(tree: Tree, loops: Loops, q: Floats, v: Floats) -> Floats:
    """Second derivative of the residual, (B, m), at constant v."""
    return _bias(tree, _ends(tree, loops, q), q, v)


def residual_jacobian_bias(tree: Tree, loops: Loops, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
    """``residual`` (B, m), ``jacobian`` (B, m, nv) and ``bias`` (B, m) from one state."""
    ends = _ends(tree, loops, q)
    return _residual(tree, ends, q), _jacobian(tree, ends, q), _bias(tree, ends, q, v)


def gaps(tree: Tree, loops: Loops, q: Floats) -> Floats:
    """Distance (m) between the anchors of each loop along its constrained axes, (B, n_loops)."""
    found = [np.linalg.norm(_shifts(ends), axis=1) for ends in _ends(tree, loops, q)]
    return np.stack(found, axis=1) if found else np.zeros((len(q), 0))


def upright(tree: Tree, loops: Loops, q: Floats) -> Flags:
    """Whether no constrained rotation is half a turn off, where its sine is zero as well; (B,)."""
    good = np.ones(len(q), bool)
    for ends in _ends(tree, loops, q):
        along = np.einsum("bik,bik->bk", ends.axes_a, ends.axes_b)
        if ends.loop.swing:
            good &= along[:, 2] > 0.0
        if ends.loop.twist:
            good &= along[:, 0] > 0.0
    return good


def over_batch(function: Callable[[Floats], Floats], q: Floats) -> Floats:
    """A function of q (B, nq) applied to q (..., nq)."""
    found = function(q.reshape(math.prod(q.shape[:-1]), q.shape[-1]))
    return found.reshape(*q.shape[:-1], *found.shape[1:])


def ends_residual(ends: list[Ends]) -> Floats:
    """Residual of the equations of loops, (B, m)."""
    rows = [np.concatenate([_shifts(e), _turns(e)], axis=1) for e in ends]
    return np.concatenate(rows, axis=1)


def ends_jacobian(ends: list[Ends]) -> Floats:
    """The rates of ``ends_residual`` by v, (B, m, nv)."""
    return np.concatenate([np.concatenate([_shift_rates(e), _turn_rates(e)], axis=1) for e in ends], axis=1)


def ends_bias(all_ends: list[Ends], rates: Floats, v: Floats) -> Floats:
    """Second derivative of ``ends_residual`` (B, m) at constant v.

    ``rates`` (B, 2 n, 6) are then the accelerations of anchors a and b of each loop.
    """
    rows = []
    for number, ends in enumerate(all_ends):
        rate_a, rate_b = rates[:, 2 * number], rates[:, 2 * number + 1]
        turn_a, turn_b = _times(ends.turn_a, v), _times(ends.turn_b, v)
        spin_a, spin_b = rate_a[:, 3:], rate_b[:, 3:]
        moving, pull = _times(ends.shift, v), rate_b[:, :3] - rate_a[:, :3]
        turn_a, turn_b, spin_a, spin_b = turn_a[:, None], turn_b[:, None], spin_a[:, None], spin_b[:, None]
        e, (x, y) = _held_shifts(ends), _held_turns(ends)
        shifts = (
            _dot(e, pull[:, None])
            + 2.0 * _dot(_cross(turn_a, e), moving[:, None])
            + _dot(_second(turn_a, spin_a, e), ends.apart[:, None])
        )
        turns = (
            _dot(_second(turn_b, spin_b, x), y)
            + 2.0 * _dot(_cross(turn_b, x), _cross(turn_a, y))
            + _dot(x, _second(turn_a, spin_a, y))
        )
        rows += [shifts, turns]
    return np.concatenate(rows, axis=1) if rows else np.zeros((len(v), 0))


def _residual(tree: Tree, ends: list[Ends], q: Floats) -> Floats:
    rows = [ends_residual(ends)] if ends else []
    coupled = [
        q[:, c.index] - c.ratio * (0.0 if c.leader is None else q[:, c.leader]) - c.offset
        for c in tree.couplings
    ]
    last = np.stack(coupled, axis=1) if coupled else np.zeros((len(q), 0))
    return np.concatenate([*rows, last], axis=1)


def _jacobian(tree: Tree, ends: list[Ends], q: Floats) -> Floats:
    rates = [ends_jacobian(ends)] if ends else []
    coupled, dofs = np.zeros((len(tree.couplings), tree.nv)), tree.single_dofs()
    for row, c in enumerate(tree.couplings):
        coupled[row, dofs[c.index]] += 1.0
        if c.leader is not None:
            coupled[row, dofs[c.leader]] -= c.ratio
    return np.concatenate([*rates, np.broadcast_to(coupled, (len(q), *coupled.shape))], axis=1)


def _bias(tree: Tree, all_ends: list[Ends], q: Floats, v: Floats) -> Floats:
    coupled = np.zeros((len(q), len(tree.couplings)))
    if not all_ends:
        return coupled
    frames = [frame for ends in all_ends for frame in (ends.loop.a, ends.loop.b)]
    rates = anchor_accelerations(tree, q, v, frames)
    return np.concatenate([ends_bias(all_ends, rates, v), coupled], axis=1)


def _ends(tree: Tree, loops: Loops, q: Floats) -> list[Ends]:
    if not loops:
        return []
    rows = anchor_motions(tree, q, [frame for loop in loops for frame in (loop.a, loop.b)])
    poses, moves, turns = rows[..., :4], rows[..., 4 : 4 + tree.nv], rows[..., 4 + tree.nv :]
    return [
        Ends(
            loop=loop,
            apart=poses[:, b, :, 3] - poses[:, a, :, 3],
            axes_a=poses[:, a, :, :3] @ loop.basis,
            axes_b=poses[:, b, :, :3] @ loop.basis,
            shift=moves[:, b] - moves[:, a],
            turn_a=turns[:, a],
            turn_b=turns[:, b],
        )
        for loop, a, b in ((loop, 2 * k, 2 * k + 1) for k, loop in enumerate(loops))
    ]


def _held_shifts(ends: Ends) -> Floats:
    """Axes (B, k, 3) along which the anchors must not move apart."""
    loop = ends.loop
    return _columns(ends.axes_a, [0, 1] * loop.radial + [2] * loop.axial)


def _held_turns(ends: Ends) -> tuple[Floats, Floats]:
    """Axes of b and axes of a, (B, k, 3) each, that must stay perpendicular."""
    loop = ends.loop
    of_b = _columns(ends.axes_b, [2, 2] * loop.swing + [0] * loop.twist)
    return of_b, _columns(ends.axes_a, [0, 1] * loop.swing + [1] * loop.twist)


def _columns(axes: Floats, chosen: list[int]) -> Floats:
    """Columns of matrices (B, 3, 3) as rows (B, k, 3)."""
    return np.asarray(axes.swapaxes(1, 2).take(np.array(chosen, np.intp), 1))


def _shifts(ends: Ends) -> Floats:
    return _dot(_held_shifts(ends), ends.apart[:, None])


def _turns(ends: Ends) -> Floats:
    return _dot(*_held_turns(ends))


def _shift_rates(ends: Ends) -> Floats:
    # The axis is fixed in link a, and turns with it.
    e = _held_shifts(ends)
    return np.asarray(e @ ends.shift + _cross(e, ends.apart[:, None]) @ ends.turn_a)


def _turn_rates(ends: Ends) -> Floats:
    return np.asarray(_cross(*_held_turns(ends)) @ (ends.turn_b - ends.turn_a))


def _second(rate: Floats, spin: Floats, vector: Floats) -> Floats:
    """The second derivative of a vector that turns at ``rate``, itself changing by ``spin``."""
    return _cross(spin, vector) + _cross(rate, _cross(rate, vector))


def _cross(a: Floats, b: Floats) -> Floats:
    """Vector product of rows (…, 3); np.cross takes several times as long for a few of them."""
    return np.asarray(a.take(_YZX, -1) * b.take(_ZXY, -1) - a.take(_ZXY, -1) * b.take(_YZX, -1))


def _dot(a: Floats, b: Floats) -> Floats:
    return np.asarray((a * b).sum(axis=-1))


def _times(matrix: Floats, v: Floats) -> Floats:
    return np.asarray((matrix @ v[..., None])[..., 0])


def joints_around(tree: Tree, loops: Loops) -> list[int]:
    """The indices of the joints in closed loops."""
    found: set[int] = set()
    for loop in loops:
        found |= set(tree.joints_above(loop.a.link)) ^ set(tree.joints_above(loop.b.link))
    return sorted(found)
