"""Solving loops: the nearest configuration that closes them, what is free to move, and how it moves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unibody.mechanism import loops
from unibody.mechanism.arguments import BASE_SIZE, near
from unibody.model.robot import JOINT_SIZE

if TYPE_CHECKING:
    from unibody.mechanism.mechanism import Mechanism

Floats = NDArray[np.float64]

ITERATIONS = 100
# What is smaller than this part of the largest singular value is no direction of motion.
_RANK = 1e-8
# Quaternions have one number more than they have ways to change.
_RATES = {4: 3, 7: 6}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Closure:
    """Result of ``close_loops``: ``q`` (..., nq), the residual (..., m), and the ``gap`` (m) of each loop.

    ``closed`` (...,): all equations hold. ``settled`` (...,): what does not hold is what no motion
    changes, as where the anchors of a hinge lie apart along its axis.
    """

    q: Floats
    residual: Floats
    gap: Floats
    closed: NDArray[np.bool_]
    settled: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mobility:
    """How a mechanism with loops can move: ``degrees`` of freedom, and which of v may be chosen.

    ``independent`` and ``dependent`` are places in v; the dependent ones follow from the others.
    """

    degrees: int
    independent: tuple[int, ...]
    dependent: tuple[int, ...]


def close_loops(
    mechanism: Mechanism, q: Floats, locked: Sequence[str], tolerance: float, limits: bool
) -> Closure:
    """The nearest configurations in which loops and couplings hold, for q (..., nq).

    Gauss-Newton steps onto the equations, each followed by a step back toward q along them. Joints in
    ``locked`` stay where they are; with ``limits`` joints stay within theirs.
    """
    lead = q.shape[:-1]
    start = q.reshape(math.prod(lead), mechanism.nq)
    free = ~held(mechanism, locked)[1]
    at = within(mechanism, start, locked) if limits else start.copy()
    live = np.arange(len(at))
    for _ in range(ITERATIONS):
        value, rates = loops.both(mechanism, at[live])
        if not value.shape[1] or not live.size:
            break
        # numbers beyond all measure close nothing
        good = _are_finite(value, rates)
        live, value, rates = live[good], value[good], rates[good]
        step = _step(mechanism, at[live], value, rates, start[live], free, limits)
        # a step of more than half a radian or half a metre leaves the nearest solution
        largest = np.abs(step).max(axis=1, initial=0.0)
        step *= np.minimum(1.0, 0.5 / np.maximum(largest, 1e-300))[:, None]
        moved = mechanism.integrate(at[live], step)
        at[live] = within(mechanism, moved, locked) if limits else moved
        live = live[largest > 1e-2 * tolerance]
    value, rates = loops.both(mechanism, at)
    used = np.where(_are_finite(value, rates)[:, None, None], rates * free, 0.0)
    open_ = value - np.einsum("bij,bj->bi", _fixed(used), value)
    right = loops.upright(mechanism, at)
    return Closure(
        q=at.reshape(*lead, mechanism.nq),
        residual=value.reshape(*lead, value.shape[1]),
        gap=loops.gaps(mechanism, at).reshape(*lead, len(mechanism.robot.loops)),
        closed=(right & (np.abs(value).max(axis=1, initial=0.0) <= tolerance)).reshape(lead),
        settled=(right & (np.abs(open_).max(axis=1, initial=0.0) <= tolerance)).reshape(lead),
    )


def _fixed(rates: Floats) -> Floats:
    """The projection, (B, m, m), on the part of the equations that no motion changes."""
    unit = np.eye(rates.shape[1])
    return np.asarray(unit - rates @ np.linalg.pinv(rates, rcond=_RANK))


def _are_finite(value: Floats, rates: Floats) -> NDArray[np.bool_]:
    return np.asarray(np.isfinite(value).all(axis=1) & np.isfinite(rates).all(axis=(1, 2)))


def _step(
    mechanism: Mechanism,
    q: Floats,
    value: Floats,
    rates: Floats,
    start: Floats,
    free: NDArray[np.bool_],
    limits: bool,
) -> Floats:
    """The step onto the equations, and back toward the start where they leave it free."""
    movable = np.broadcast_to(free, (len(q), mechanism.nv)).copy()
    back = mechanism.difference(q, start)
    for _ in range(2):
        used = rates * movable[:, None, :]
        inverse = np.linalg.pinv(used, rcond=_RANK)
        onto = -np.einsum("bij,bj->bi", inverse, value)
        # Of the way back, only what changes no equation.
        home = back * movable
        home = home - np.einsum("bij,bj->bi", inverse, np.einsum("bij,bj->bi", used, home))
        step = onto + home
        if not limits:
            break
        movable &= ~blocked(mechanism, q, step)
    return np.asarray(step)


def held(mechanism: Mechanism, names: Sequence[str]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which entries of q and of v belong to joints of these names, or to a free base of that name.

    KeyError for an unknown one.
    """
    of_q, of_v = np.zeros(mechanism.nq, bool), np.zeros(mechanism.nv, bool)
    for name in names:
        if name in mechanism.joint_names:
            joint = mechanism.joint_names.index(name)
            size = JOINT_SIZE[mechanism.robot.joints[joint].kind]
            starts = int(mechanism.idx_q[joint]), int(mechanism.idx_v[joint])
        elif mechanism.base == "free" and name == mechanism.link_names[mechanism.order[0]]:
            size, starts = BASE_SIZE, (0, 0)
        else:
            known = near(name, mechanism.joint_names)
            raise KeyError(f"{mechanism.robot.name!r} has no joint {name!r}{known}")
        of_q[starts[0] : starts[0] + size] = True
        of_v[starts[1] : starts[1] + _RATES.get(size, size)] = True
    return of_q, of_v


def within(mechanism: Mechanism, q: Floats, locked: Sequence[str] = ()) -> Floats:
    """q with its joints within their limits; those held may be anywhere."""
    # limits the wrong way round hold nothing
    loose = held(mechanism, locked)[0] | (mechanism.lower > mechanism.upper)
    low, high = np.where(loose, -np.inf, mechanism.lower), np.where(loose, np.inf, mechanism.upper)
    return np.asarray(np.clip(q, low, high))


def blocked(mechanism: Mechanism, q: Floats, step: Floats) -> NDArray[np.bool_]:
    """Which of v would leave the limits that they are at."""
    out = np.zeros(step.shape, bool)
    for entry, dof in loops.dof_of_entry(mechanism).items():
        out[:, dof] = ((q[:, entry] <= mechanism.lower[entry]) & (step[:, dof] < 0.0)) | (
            (q[:, entry] >= mechanism.upper[entry]) & (step[:, dof] > 0.0)
        )
    return out


def mobility(mechanism: Mechanism, q: Floats, prefer: Sequence[str]) -> Mobility:
    """Degrees of freedom about one configuration, (nq,), which should be closed.

    The rank is that of the equations at q; joints in ``prefer`` are independent where that can be.
    """
    rates = loops.jacobian(mechanism, q[None])[0]
    wanted = held(mechanism, prefer)[1]
    left = rates.copy()
    scale = np.linalg.norm(rates, axis=0).max(initial=0.0)
    dependent: list[int] = []
    while scale > 0.0 and len(dependent) < min(rates.shape):
        sizes = np.linalg.norm(left, axis=0)
        sizes[dependent] = 0.0
        if not (sizes > 1e-7 * scale).any():
            break
        # the best of those that nobody asked for, else of all
        choice = np.where(wanted, 0.0, sizes)
        pivot = int(np.argmax(choice if choice.max() > 1e-7 * scale else sizes))
        direction = left[:, pivot] / sizes[pivot]
        left = left - np.outer(direction, direction @ left)
        dependent.append(pivot)
    independent = [i for i in range(mechanism.nv) if i not in dependent]
    return Mobility(
        degrees=len(independent), independent=tuple(independent), dependent=tuple(sorted(dependent))
    )


def constrained_dynamics(
    mechanism: Mechanism,
    given: tuple[Floats, Floats, Floats],
    gravity: Sequence[float],
    stabilization: float,
) -> tuple[Floats, Floats]:
    """The rate of v (..., nv) and the forces of the equations (..., m), for ``given`` q, v and effort.

    Equations that say the same twice share their force. ``stabilization`` (1/s) pulls drift back as a
    critically damped spring of that frequency would; 0 lets it be.
    """
    lead = np.broadcast_shapes(*(array.shape[:-1] for array in given))
    q, v, effort = (
        np.broadcast_to(x, (*lead, x.shape[-1])).reshape(math.prod(lead), x.shape[-1]) for x in given
    )
    rate = mechanism.forward_dynamics(q, v, effort, gravity=gravity)
    value, rates = loops.both(mechanism, q)
    forces = np.zeros_like(value)
    if value.size:
        response = np.linalg.solve(mechanism.mass_matrix(q), np.swapaxes(rates, 1, 2))
        pull = np.einsum("bij,bj->bi", rates, rate) + loops.bias(mechanism, q, v)
        if stabilization:
            pull += 2.0 * stabilization * np.einsum("bij,bj->bi", rates, v) + stabilization**2 * value
        inverse = np.linalg.pinv(rates @ response, rcond=1e-10, hermitian=True)
        forces = -np.einsum("bij,bj->bi", inverse, pull)
        rate = rate + np.einsum("bij,bj->bi", response, forces)
    return rate.reshape(*lead, mechanism.nv), forces.reshape(*lead, value.shape[1])
