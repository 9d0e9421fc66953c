"""Loop closure: the closest closed configuration, mobility, and dynamics with loops held."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from unibody.mechanism.dynamics import forward_dynamics, mass_matrix
from unibody.mechanism.integration import difference, integrate
from unibody.mechanism.loops import (
    Loops,
    gaps,
    jacobian,
    residual_and_jacobian,
    residual_jacobian_bias,
    upright,
)
from unibody.mechanism.tree import Tree, scalar_entries
from unibody.model.arrays import Flags, Floats

#: Masks of the entries of q and of v that do not change.
Locked = tuple[Flags, Flags]

ITERATIONS = 100
# Smaller singular values, relative to the largest, count as zero.
_RANK_TOLERANCE = 1e-8


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Closure:
    """Result of ``close_loops``: ``q`` (..., nq), the residual (..., m), and the ``gap`` (m) of each loop.

    ``closed`` (...,): all equations hold. ``settled`` (...,): no motion reduces the residual, as where
    the anchors of a hinge are offset along its axis.
    """

    q: Floats
    residual: Floats
    gap: Floats
    closed: NDArray[np.bool_]
    settled: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mobility:
    """Mobility of a mechanism with loops: ``degrees`` of freedom, and a choice of independent ones.

    ``independent`` and ``dependent`` are indices in v; the dependent ones follow from the others.
    """

    degrees: int
    independent: tuple[int, ...]
    dependent: tuple[int, ...]


def close_loops(
    tree: Tree, loops: Loops, q: Floats, locked: Locked, *, tolerance: float, limits: bool
) -> Closure:
    """The closest configurations that satisfy loops and couplings, for q (..., nq).

    Gauss-Newton steps onto the equations, each followed by a step back toward q along them. Joints in
    ``locked`` keep their position; with ``limits`` joints stay within theirs.
    """
    lead = q.shape[:-1]
    start = q.reshape(math.prod(lead), tree.nq)
    free = ~locked[1]
    at = within(tree, start, locked[0]) if limits else start.copy()
    live = np.arange(len(at))
    for _ in range(ITERATIONS):
        value, rates = residual_and_jacobian(tree, loops, at[live])
        if not value.shape[1] or not live.size:
            break
        # Configurations that overflow cannot be closed.
        good = _are_finite(value, rates)
        live, value, rates = live[good], value[good], rates[good]
        step = _step(tree, at[live], value, rates, start[live], free, limits)
        # Larger steps than 0.5 rad or 0.5 m may skip the closest solution.
        largest = np.abs(step).max(axis=1, initial=0.0)
        step *= np.minimum(1.0, 0.5 / np.maximum(largest, 1e-300))[:, None]
        moved = integrate(tree, at[live], step)
        at[live] = within(tree, moved, locked[0]) if limits else moved
        live = live[largest > 1e-2 * tolerance]
    value, rates = residual_and_jacobian(tree, loops, at)
    used = np.where(_are_finite(value, rates)[:, None, None], rates * free, 0.0)
    open_ = value - np.einsum("bij,bj->bi", _unreachable_projection(used), value)
    right = upright(tree, loops, at)
    return Closure(
        q=at.reshape(*lead, tree.nq),
        residual=value.reshape(*lead, value.shape[1]),
        gap=gaps(tree, loops, at).reshape(*lead, len(loops)),
        closed=(right & (np.abs(value).max(axis=1, initial=0.0) <= tolerance)).reshape(lead),
        settled=(right & (np.abs(open_).max(axis=1, initial=0.0) <= tolerance)).reshape(lead),
    )


def _unreachable_projection(rates: Floats) -> Floats:
    """The projection (B, m, m) onto the residuals that no motion changes."""
    unit = np.eye(rates.shape[1])
    return np.asarray(unit - rates @ np.linalg.pinv(rates, rcond=_RANK_TOLERANCE))


def _are_finite(value: Floats, rates: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.isfinite(value).all(axis=1) & np.isfinite(rates).all(axis=(1, 2)))


def _step(
    tree: Tree,
    q: Floats,
    value: Floats,
    rates: Floats,
    start: Floats,
    free: NDArray[np.bool_],
    limits: bool,
) -> Floats:
    """The Gauss-Newton step, plus a step toward ``start`` in the null space of the equations."""
    movable = np.broadcast_to(free, (len(q), tree.nv)).copy()
    back = difference(tree, q, start)
    for _ in range(2):
        used = rates * movable[:, None, :]
        inverse = np.linalg.pinv(used, rcond=_RANK_TOLERANCE)
        onto = -np.einsum("bij,bj->bi", inverse, value)
        # Project the step toward the start onto the null space.
        home = back * movable
        home = home - np.einsum("bij,bj->bi", inverse, np.einsum("bij,bj->bi", used, home))
        step = onto + home
        if not limits:
            break
        movable &= ~blocked(tree, q, step)
    return np.asarray(step)


def within(tree: Tree, q: Floats, locked: Flags) -> Floats:
    """Clip q to the joint limits, except ``locked`` entries."""
    # Reversed limits are ignored.
    loose = locked | (tree.lower > tree.upper)
    low, high = np.where(loose, -np.inf, tree.lower), np.where(loose, np.inf, tree.upper)
    return np.asarray(np.clip(q, low, high))


def blocked(tree: Tree, q: Floats, step: Floats) -> NDArray[np.bool_]:
    """Entries of v, (B, nv), that are at a limit and would exceed it by ``step`` (B, nv)."""
    out = np.zeros(step.shape, bool)
    places = scalar_entries(tree)
    for dof, index in enumerate(places.tolist()):
        if index < 0:
            continue
        out[:, dof] = ((q[:, index] <= tree.lower[index]) & (step[:, dof] < 0.0)) | (
            (q[:, index] >= tree.upper[index]) & (step[:, dof] > 0.0)
        )
    return out


def mobility(tree: Tree, loops: Loops, q: Floats, preferred: Flags) -> Mobility:
    """Degrees of freedom about one configuration, (nq,), which should be closed.

    The rank is that of the equations at q; ``preferred`` entries of v are independent if possible.
    """
    rates = jacobian(tree, loops, q[None])[0]
    left = rates.copy()
    scale = np.linalg.norm(rates, axis=0).max(initial=0.0)
    dependent: list[int] = []
    while scale > 0.0 and len(dependent) < min(rates.shape):
        sizes = np.linalg.norm(left, axis=0)
        sizes[dependent] = 0.0
        if not (sizes > 1e-7 * scale).any():
            break
        # Pivot on the largest column that is not preferred, else on the largest.
        choice = np.where(preferred, 0.0, sizes)
        pivot = int(np.argmax(choice if choice.max() > 1e-7 * scale else sizes))
        direction = left[:, pivot] / sizes[pivot]
        left = left - np.outer(direction, direction @ left)
        dependent.append(pivot)
    independent = [i for i in range(tree.nv) if i not in dependent]
    return Mobility(
        degrees=len(independent), independent=tuple(independent), dependent=tuple(sorted(dependent))
    )


def constrained_dynamics(
    tree: Tree,
    loops: Loops,
    given: tuple[Floats, Floats, Floats],
    *,
    gravity: Sequence[float],
    stabilization: float,
) -> tuple[Floats, Floats]:
    """The rate of v (..., nv) and the forces of the equations (..., m), for ``given`` q, v and effort.

    Redundant equations share their force. ``stabilization`` (1/s) corrects drift like a critically damped
    spring of that frequency; 0 disables it.
    """
    lead = np.broadcast_shapes(*(array.shape[:-1] for array in given))
    q, v, effort = (
        np.broadcast_to(x, (*lead, x.shape[-1])).reshape(math.prod(lead), x.shape[-1]) for x in given
    )
    rate = forward_dynamics(tree, q, v, effort, gravity=gravity)
    value, rates, second = residual_jacobian_bias(tree, loops, q, v)
    forces = np.zeros_like(value)
    if value.size:
        response = np.linalg.solve(mass_matrix(tree, q), np.swapaxes(rates, 1, 2))
        pull = np.einsum("bij,bj->bi", rates, rate) + second
        if stabilization:
            pull += 2.0 * stabilization * np.einsum("bij,bj->bi", rates, v) + stabilization**2 * value
        inverse = np.linalg.pinv(rates @ response, rcond=1e-10, hermitian=True)
        forces = -np.einsum("bij,bj->bi", inverse, pull)
        rate = rate + np.einsum("bij,bj->bi", response, forces)
    return rate.reshape(*lead, tree.nv), forces.reshape(*lead, value.shape[1])
