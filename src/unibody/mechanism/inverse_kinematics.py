"""Inverse kinematics for a batch of targets: damped least squares within the joint limits.

The damping of each problem grows when a step does not help and falls when it does (Levenberg and
Marquardt); a problem that does not converge restarts from random configurations, at first near the start.
Only joints that move a target change.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from unibody.mechanism import loops as closures
from unibody.mechanism.arguments import FrameLike
from unibody.mechanism.closure import Locked, blocked, within
from unibody.mechanism.forward_kinematics import apply_couplings, forward_kinematics
from unibody.mechanism.frame import Frame
from unibody.mechanism.integration import difference, integrate
from unibody.mechanism.kinematics import jacobian, pose
from unibody.mechanism.loops import Loops
from unibody.mechanism.sampling import reach, uniform
from unibody.mechanism.tree import BASE_SIZE, BASE_VELOCITY_SIZE, Tree
from unibody.model.arrays import Flags, Floats
from unibody.model.joint_kind import KINDS
from unibody.model.pose import Pose

#: Why a problem did not converge: a target is farther away than the stretched links reach ("out of
#: reach"), joints are at their limits in the closest configuration ("limits"), or no restart came closer
#: ("stopped").
Why = Literal["", "limits", "out of reach", "stopped"]

# Lever arm (m) that converts angles to distances in the error.
_LEVER = 0.5
_INITIAL_DAMPING, _MIN_DAMPING, _MAX_DAMPING = 1e-3, 1e-12, 1e6
_MAX_STEP = 0.7


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Target:
    """Target of one frame: ``pose`` is a Pose or (..., 4, 4); the flags select its parts."""

    frame: FrameLike
    pose: Pose | ArrayLike
    position: bool = True
    orientation: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Solution:
    """Result of inverse kinematics: ``q`` (..., nq), ``converged`` (...,), and the remaining errors.

    ``distance`` (m) and ``angle`` (rad) (...,) are the largest errors of all targets; ``why`` (...,) is
    the reason where a problem did not converge, else ""; ``tries`` (...,) is the number of starts.
    """

    q: Floats
    converged: Flags
    distance: Floats
    angle: Floats
    why: NDArray[np.str_]
    tries: NDArray[np.intp]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Settings:
    """Settings of the solver: tolerances ``distance`` (m) and ``angle`` (rad), and effort.

    ``restarts`` is the number of starts after the first, ``iterations`` the number of steps of each.
    ``limits`` enforces the joint limits. ``posture`` (nq,) is approached in the null space of the
    targets. ``locked`` entries do not change.
    """

    distance: float
    angle: float
    iterations: int
    restarts: int
    limits: bool
    posture: Floats | None
    locked: Locked
    seed: int


@dataclass(slots=True, eq=False)
class _Goal:
    """A target with its frame and its poses (B, 4, 4), one per problem of the batch."""

    frame: Frame
    poses: Floats
    position: bool
    orientation: bool


@dataclass(eq=False)
class _Problem:
    """A batch of problems: the goals of the frames, and the constraints on q."""

    tree: Tree
    loops: Loops
    goals: list[_Goal]
    settings: Settings
    couplings: list[tuple[int, int | None, float]] = field(default_factory=list)

    def errors(self, q: Floats, rows: NDArray[np.intp]) -> tuple[Floats, Floats, Floats]:
        """The errors (B, m), and the largest distance (B,) and angle (B,), for the problems ``rows``."""
        out: list[Floats] = []
        distance, angle = np.zeros(len(q)), np.zeros(len(q))
        for goal in self.goals:
            now = pose(self.tree, q, goal.frame)
            wanted = goal.poses[rows] if len(goal.poses) > 1 else goal.poses
            if goal.position:
                apart = wanted[:, :3, 3] - now[:, :3, 3]
                out.append(apart)
                distance = np.maximum(distance, np.linalg.norm(apart, axis=1))
            if goal.orientation:
                turn = _rotation_vector(now[:, :3, :3], wanted[:, :3, :3])
                out.append(_LEVER * turn)
                angle = np.maximum(angle, np.linalg.norm(turn, axis=1))
        if self.loops:
            gap = closures.residual(self.tree, self.loops, q)
            out.append(-gap[:, : gap.shape[1] - len(self.tree.couplings)])
            distance = np.maximum(distance, np.abs(out[-1]).max(axis=1, initial=0.0))
        return np.concatenate(out, axis=1), distance, angle

    def jacobian(self, q: Floats) -> Floats:
        """Jacobian of the frames, (B, m, nv), in the order of the errors, reduced by the couplings."""
        out: list[Floats] = []
        for goal in self.goals:
            rates = jacobian(self.tree, q, goal.frame)
            if goal.position:
                out.append(rates[:, :3])
            if goal.orientation:
                out.append(_LEVER * rates[:, 3:])
        if self.loops:
            rates = closures.jacobian(self.tree, self.loops, q)
            out.append(rates[:, : rates.shape[1] - len(self.tree.couplings)])
        whole = np.concatenate(out, axis=1)
        for follower, leader, ratio in reversed(self.couplings):
            if leader is not None:
                whole[:, :, leader] += ratio * whole[:, :, follower]
            whole[:, :, follower] = 0.0
        whole[:, :, self.settings.locked[1]] = 0.0
        return whole

    @cached_property
    def relevant(self) -> Flags:
        """Entries of q (nq,) that move a target: of joints above its link, and of all that these move.

        A loop through one of these joints joins all joints of the loop, a coupling leader and follower.
        """
        tree = self.tree
        above = [set(tree.joints_above(goal.frame.link)) for goal in self.goals]
        joints = set().union(*above)
        joint_at = {int(at): joint for joint, at in enumerate(tree.idx_q) if KINDS[tree.kinds[joint]].nq}
        groups = [
            set(tree.joints_above(loop.a.link)) ^ set(tree.joints_above(loop.b.link)) for loop in self.loops
        ]
        groups += [{joint_at[c.index], joint_at[c.leader]} for c in tree.couplings if c.leader is not None]
        while touched := [group for group in groups if group & joints and not group <= joints]:
            joints = joints.union(*touched)
        used = np.zeros(tree.nq, bool)
        for joint in joints:
            start = int(tree.idx_q[joint])
            used[start : start + KINDS[tree.kinds[joint]].nq] = True
        if tree.free_base:
            used[:BASE_SIZE] = True
        return used

    def is_solved(self, distance: Floats, angle: Floats) -> Flags:
        return (distance <= self.settings.distance) & (angle <= self.settings.angle)

    def feasible(self, q: Floats) -> Floats:
        """Clip q to the limits and apply the couplings."""
        if self.settings.limits:
            q = within(self.tree, q, self.settings.locked[0])
        return np.asarray(apply_couplings(self.tree, q)) if self.tree.couplings else q


def inverse_kinematics(
    tree: Tree, loops: Loops, targets: Sequence[tuple[Frame, Target]], start: Floats, settings: Settings
) -> Solution:
    """Configurations (..., nq) in which every frame is at its target, from ``start`` (..., nq).

    The batches of start and targets are broadcast. ValueError for a target without position and
    orientation, or a pose of another shape.
    """
    problem, lead, first = _broadcast(tree, loops, targets, start, settings)
    count = len(first)
    best = problem.feasible(first)
    _, distance, angle = problem.errors(best, np.arange(count))
    tries = np.zeros(count, np.intp)
    stopped = np.zeros(count, bool)
    generator = np.random.default_rng(settings.seed)
    for number in range(settings.restarts + 1):
        open_ = np.flatnonzero(~problem.is_solved(distance, angle))
        if not open_.size or not count:
            break
        if number == 0:
            begin = best[open_]
        else:
            # The first restarts begin near the start, so that a near solution is found before a far one.
            part = min(1.0, 2.0 * number / (settings.restarts + 1))
            begin = problem.feasible(_restart(problem, generator, first[open_], part))
        found = _descend(problem, begin, open_)
        tries[open_] += 1
        nearer = _combined_error(found.distance, found.angle) < _combined_error(
            distance[open_], angle[open_]
        )
        if number == 0:
            nearer |= True
        keep = open_[nearer]
        best[keep], distance[keep], angle[keep] = (
            found.q[nearer],
            found.distance[nearer],
            found.angle[nearer],
        )
        stopped[keep] = found.blocked[nearer]
    good = problem.is_solved(distance, angle)
    if settings.posture is not None and good.any():
        best[good] = _relaxed(problem, best[good], np.flatnonzero(good))
    why = np.where(stopped, "limits", "stopped")
    why = np.where(good, "", np.where(_too_far(problem, best), "out of reach", why))
    return Solution(
        q=best.reshape(*lead, tree.nq),
        converged=good.reshape(lead),
        distance=distance.reshape(lead),
        angle=angle.reshape(lead),
        why=why.reshape(lead),
        tries=tries.reshape(lead),
    )


@dataclass(slots=True, eq=False)
class _Found:
    q: Floats
    distance: Floats
    angle: Floats
    blocked: Flags


def _broadcast(
    tree: Tree, loops: Loops, targets: Sequence[tuple[Frame, Target]], start: Floats, settings: Settings
) -> tuple[_Problem, tuple[int, ...], Floats]:
    """Broadcast targets and starts; return the problem, the batch shape and the starts (B, nq)."""
    wanted = []
    for _, target in targets:
        if not (target.position or target.orientation):
            raise ValueError("a target wants a position, an orientation, or both")
        given = target.pose.matrix() if isinstance(target.pose, Pose) else target.pose
        matrix = np.asarray(given, np.float64)
        if matrix.ndim < 2 or matrix.shape[-2:] != (4, 4):
            raise ValueError(f"a target's pose has shape {matrix.shape}; expected a Pose or (..., 4, 4)")
        wanted.append(matrix)
    if not targets:
        raise ValueError("there is no target")
    lead = np.broadcast_shapes(start.shape[:-1], *(matrix.shape[:-2] for matrix in wanted))
    goals = [
        _Goal(
            frame,
            np.broadcast_to(matrix, (*lead, 4, 4)).reshape(math.prod(lead), 4, 4),
            target.position,
            target.orientation,
        )
        for (frame, target), matrix in zip(targets, wanted, strict=True)
    ]
    dofs = tree.single_dofs()
    couplings = [
        (dofs[c.index], None if c.leader is None else dofs[c.leader], c.ratio) for c in tree.couplings
    ]
    first = np.broadcast_to(start, (*lead, tree.nq)).reshape(math.prod(lead), tree.nq)
    return _Problem(tree, loops, goals, settings, couplings), lead, np.array(first)


def _too_far(problem: _Problem, q: Floats) -> Flags:
    """Whether a target's position is farther from the frame's first moving joint than its links reach."""
    tree, out = problem.tree, np.zeros(len(q), bool)
    poses = forward_kinematics(tree, q)
    still = tree.free_base and bool(problem.settings.locked[1][:BASE_VELOCITY_SIZE].all())
    for goal in problem.goals:
        if goal.position:
            first, length = reach(tree, goal.frame.link, still)
            length += float(np.linalg.norm(goal.frame.pose[:3, 3]))
            apart = np.linalg.norm(goal.poses[:, :3, 3] - poses[:, first, :3, 3], axis=1)
            out |= apart > length * (1.0 + 1e-9) + problem.settings.distance
    return out


def _descend(problem: _Problem, q: Floats, rows: NDArray[np.intp]) -> _Found:
    """Take damped steps from q until each problem is solved, stalls, or reaches the iteration limit."""
    settings, tree = problem.settings, problem.tree
    error, distance, angle = problem.errors(q, rows)
    damping = np.full(len(q), _INITIAL_DAMPING)
    limited, settled = np.zeros(len(q), bool), np.zeros(len(q), bool)
    for _ in range(settings.iterations):
        live = np.flatnonzero(~problem.is_solved(distance, angle) & ~settled)
        if not live.size:
            break
        at, off = q[live], error[live]
        rates = problem.jacobian(at)
        step, stopped = _step(tree, at, rates, off, damping[live], settings.limits)
        size = np.abs(step).max(axis=1)
        step *= np.minimum(1.0, _MAX_STEP / np.maximum(size, 1e-300))[:, None]
        trial = problem.feasible(integrate(tree, at, step))
        new, new_distance, new_angle = problem.errors(trial, rows[live])
        helped = (new**2).sum(axis=1) < (off**2).sum(axis=1)
        took = live[helped]
        q[took], error[took] = trial[helped], new[helped]
        distance[took], angle[took] = new_distance[helped], new_angle[helped]
        factor = np.where(helped, 0.15, 6.0)
        damping[live] = np.clip(damping[live] * factor, _MIN_DAMPING, _MAX_DAMPING)
        # A stationary point: the error decreases in no permitted direction.
        slope = np.abs(np.einsum("bij,bi->bj", rates, off))
        slope[stopped] = 0.0
        flat = slope.max(axis=1) < 1e-4 * np.sqrt((off**2).sum(axis=1))
        settled[live] = (size < 1e-10) | flat | (damping[live] >= _MAX_DAMPING)
        limited[live] = stopped.any(axis=1)
    return _Found(q, distance, angle, limited)


def _step(
    tree: Tree, q: Floats, rates: Floats, error: Floats, damping: Floats, limits: bool
) -> tuple[Floats, Flags]:
    """The damped step (B, nv), and the entries of v blocked by limits (B, nv)."""
    stopped = np.zeros((len(q), tree.nv), bool)
    step = _damped(rates, error, damping)
    for _ in range(3 if limits else 0):
        more = blocked(tree, q, step) & ~stopped
        if not more.any():
            break
        stopped |= more
        step = _damped(rates * ~stopped[:, None, :], error, damping)
    return step, stopped


def _damped(rates: Floats, error: Floats, damping: Floats) -> Floats:
    """Jᵀ (J Jᵀ + damping)⁻¹ error."""
    square = rates @ np.swapaxes(rates, 1, 2)
    places = np.arange(square.shape[1])
    square[:, places, places] += damping[:, None]
    return np.asarray(np.einsum("bij,bi->bj", rates, np.linalg.solve(square, error[:, :, None])[:, :, 0]))


def _relaxed(problem: _Problem, q: Floats, rows: NDArray[np.intp]) -> Floats:
    """Move solved configurations toward the posture in the null space of the targets."""
    tree, posture = problem.tree, problem.settings.posture
    best = q.copy()
    assert posture is not None
    for _ in range(problem.settings.iterations):
        error, _, _ = problem.errors(q, rows)
        rates = problem.jacobian(q)
        inverse = np.linalg.pinv(rates, rcond=1e-6)
        home = difference(tree, q, np.broadcast_to(posture, q.shape))
        home = home * ~problem.settings.locked[1]
        along = home - np.einsum("bij,bj->bi", inverse, np.einsum("bij,bj->bi", rates, home))
        step = 0.5 * along + np.einsum("bij,bj->bi", inverse, error)
        step *= np.minimum(1.0, 0.2 / np.maximum(np.abs(step).max(axis=1), 1e-300))[:, None]
        q = problem.feasible(integrate(tree, q, step))
        _, distance, angle = problem.errors(q, rows)
        good = problem.is_solved(distance, angle)
        best[good] = q[good]
    return best


def _rotation_vector(now: Floats, wanted: Floats) -> Floats:
    """The rotation vector (B, 3), in world axes, from ``now`` to ``wanted``."""
    turn = wanted @ np.swapaxes(now, 1, 2)
    sine = 0.5 * np.stack(
        [turn[:, 2, 1] - turn[:, 1, 2], turn[:, 0, 2] - turn[:, 2, 0], turn[:, 1, 0] - turn[:, 0, 1]],
        axis=1,
    )
    length = np.linalg.norm(sine, axis=1)
    cosine = 0.5 * (np.trace(turn, axis1=1, axis2=2) - 1.0)
    angle = np.arctan2(length, cosine)
    axis = sine / np.maximum(length, 1e-300)[:, None]
    back = (cosine < -0.9) & (length < 0.3)
    if back.any():
        axis[back] = _half_turn_axis(turn[back], sine[back])
    small = length < 1e-8
    return np.asarray(np.where((small & ~back)[:, None], sine, axis * angle[:, None]))


def _half_turn_axis(turn: Floats, sine: Floats) -> Floats:
    """The axis of a rotation by nearly π, from the symmetric part of its matrix."""
    symmetric = 0.5 * (turn + np.swapaxes(turn, 1, 2))
    _, vectors = np.linalg.eigh(symmetric)
    axis = vectors[:, :, -1]
    sign = np.sign(np.einsum("bi,bi->b", axis, sine))
    return np.asarray(axis * np.where(sign == 0.0, 1.0, sign)[:, None])


def _combined_error(distance: Floats, angle: Floats) -> Floats:
    return distance + _LEVER * angle


def _restart(problem: _Problem, generator: np.random.Generator, like: Floats, part: float) -> Floats:
    """Configurations at ``part`` of the way from ``like`` to random ones within the limits.

    Only entries that move a target and are not locked change.
    """
    drawn = uniform(problem.tree, generator, like)
    begin = integrate(problem.tree, like, part * difference(problem.tree, like, drawn))
    return np.where(problem.relevant & ~problem.settings.locked[0], begin, like)
