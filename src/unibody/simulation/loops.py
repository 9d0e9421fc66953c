"""Closed loops held to machine precision by unibody's own dynamics.

The engine then has the tree alone, without the loops and couplings. Their forces follow from the
equations of ``mechanism/loops.py``, evaluated with the engine's Jacobians, and every step ends in the
closest state that satisfies what can be satisfied.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from unibody.mechanism import Mechanism, loops
from unibody.mechanism.loops import Ends
from unibody.model.arrays import Floats
from unibody.model.joint_kind import KINDS
from unibody.simulation.engine import Engine

# Newton steps onto the equations after each step; one is enough for steps of some milliseconds.
_CORRECTIONS = 4
_CLOSED = 1e-14
# Smaller singular values, relative to the largest, belong to equations that cannot be satisfied.
_RANK_TOLERANCE = 1e-8


class HeldLoops:
    """The loops, couplings, screws and locked joints of a mechanism in the engine's coordinates."""

    def __init__(self, engine: Engine, locks: bool = True) -> None:
        """With ``locks`` joints with equal limits are held where these are."""
        mechanism, layout, screws = engine.mechanism, engine.layout, engine.made.state_map.screws
        self.loops, self.model, self.data = mechanism.loops, engine.model, engine.data
        model = engine.model
        self._anchors = [
            (int(layout.bodies[frame.link]), layout.in_body[frame.link] @ frame.pose)
            for loop in self.loops
            for frame in (loop.a, loop.b)
        ]
        #: The forces of the equations, after ``hold``.
        self._forces = np.zeros(0)
        drives = {int(place): drive for drive, place in enumerate(layout.positions)}
        # the terms of each equation, a place in q with a factor, and what they add up to
        linear: list[tuple[list[tuple[int, float]], float]] = []
        for coupling in mechanism.couplings:
            terms = [(coupling.index, 1.0)]
            if coupling.leader is not None:
                terms.append((coupling.leader, -coupling.ratio))
            linear.append((terms, coupling.offset))
        led = {coupling.index for coupling in mechanism.couplings}
        for joint, place in zip(mechanism.robot.joints, mechanism.idx_q.tolist(), strict=True):
            if locks and joint.is_locked and place not in led:
                size = KINDS[joint.kind].nq
                linear += [([(place + part, 1.0)], joint.limits.position[0]) for part in range(size)]
        count = len(linear) + len(screws)
        self._coupled, self._places = np.zeros((count, model.nv)), np.zeros((count, model.nq))
        self._offsets = np.zeros(count)
        for row, screw in enumerate(screws, len(linear)):
            drive = drives[screw.here_q]
            self._coupled[row, [screw.there_v, layout.dofs[drive]]] = 1.0, -screw.lead
            self._places[row, [screw.there_q, layout.qpos[drive]]] = 1.0, -screw.lead
            self._offsets[row] = screw.lead * layout.offsets[drive] - screw.offset
        for row, (terms, total) in enumerate(linear):
            self._offsets[row] = -total
            for place, factor in terms:
                drive = drives[place]
                self._coupled[row, layout.dofs[drive]] = factor
                self._places[row, layout.qpos[drive]] = factor
                self._offsets[row] -= factor * layout.offsets[drive]

    def equations(self) -> tuple[Floats, Floats]:
        """Residual (m,) and Jacobian (m, nv) after ``mj_kinematics`` and ``mj_comPos``."""
        return self._equations(self._ends())

    def _equations(self, ends: list[Ends]) -> tuple[Floats, Floats]:
        values, rates = [self._places @ self.data.qpos + self._offsets], [self._coupled]
        if ends:
            values.insert(0, loops.ends_residual(ends)[0])
            rates.insert(0, loops.ends_jacobian(ends)[0])
        return np.concatenate(values), np.concatenate(rates)

    def hold(self) -> None:
        """Add the forces of loops and couplings to the engine's, after ``mj_forward``."""
        import mujoco

        model, data, ends = self.model, self.data, self._ends()
        _, rates = self._equations(ends)
        pull = rates @ data.qacc + self._bias(ends)
        response = np.zeros_like(rates)
        mujoco.mj_solveM(model, data, response, np.ascontiguousarray(rates))
        forces = -np.linalg.pinv(rates @ response.T, rcond=1e-10, hermitian=True) @ pull
        data.qacc[:] += response.T @ forces
        data.qfrc_constraint[:] += rates.T @ forces
        self._forces = forces

    def compute_wrenches(self) -> None:
        """Compute accelerations of bodies and the wrenches between them, with those of the loops.

        After ``hold``; the engine's own constraints are switched off, so it does not know these forces.
        """
        import mujoco

        model, data = self.model, self.data
        given = data.xfrc_applied.copy()
        for (body, pose), (force, moment) in zip(self._anchors, self._loads(), strict=True):
            at = data.xpos[body] + data.xmat[body].reshape(3, 3) @ pose[:3, 3]
            data.xfrc_applied[body, :3] += force
            data.xfrc_applied[body, 3:] += moment + _cross(at - data.xipos[body], force)
        mujoco.mj_rnePostConstraint(model, data)
        data.xfrc_applied[:] = given

    def _loads(self) -> Iterator[tuple[Floats, Floats]]:
        """The force and the moment of its loop on each anchor, at the anchor, in the world's axes."""
        first, one = 0, np.eye(3)
        for ends in self._ends():
            # the rates of the equations by the velocities of the anchors, instead of those of joints
            free = replace(
                ends,
                shift=np.hstack([-one, 0.0 * one, one, 0.0 * one])[None],
                turn_a=np.hstack([0.0 * one, one, 0.0 * one, 0.0 * one])[None],
                turn_b=np.hstack([0.0 * one, 0.0 * one, 0.0 * one, one])[None],
            )
            rates = loops.ends_jacobian([free])[0]
            loads = rates.T @ self._forces[first : first + len(rates)]
            first += len(rates)
            yield loads[:3], loads[3:6]
            yield loads[6:9], loads[9:]

    def close(self) -> None:
        """Move the state of the engine's data to the closest one that satisfies the equations."""
        import mujoco

        model, data = self.model, self.data
        for attempt in range(_CORRECTIONS + 1):
            mujoco.mj_kinematics(model, data)
            mujoco.mj_comPos(model, data)
            value, rates = self.equations()
            inverse = np.linalg.pinv(rates, rcond=_RANK_TOLERANCE)
            step = -inverse @ value
            if attempt == _CORRECTIONS or np.abs(step).max(initial=0.0) < _CLOSED:
                break
            mujoco.mj_integratePos(model, data.qpos, step, 1.0)
        data.qvel[:] -= inverse @ (rates @ data.qvel)

    def _ends(self) -> list[Ends]:
        import mujoco

        data, model = self.data, self.model
        poses, moves, turns = [], [], []
        for body, pose in self._anchors:
            turn = data.xmat[body].reshape(3, 3)
            at = data.xpos[body] + turn @ pose[:3, 3]
            move, rotate = np.zeros((3, model.nv)), np.zeros((3, model.nv))
            mujoco.mj_jac(model, data, move, rotate, at, body)
            poses.append((turn @ pose[:3, :3], at))
            moves.append(move)
            turns.append(rotate)
        return [
            Ends(
                loop=loop,
                apart=(poses[b][1] - poses[a][1])[None],
                axes_a=(poses[a][0] @ loop.basis)[None],
                axes_b=(poses[b][0] @ loop.basis)[None],
                shift=(moves[b] - moves[a])[None],
                turn_a=turns[a][None],
                turn_b=turns[b][None],
            )
            for loop, a, b in ((loop, 2 * k, 2 * k + 1) for k, loop in enumerate(self.loops))
        ]

    def _bias(self, ends: list[Ends]) -> Floats:
        """Second derivative of the residual at the present velocity, if that were constant."""
        import mujoco

        model, data = self.model, self.data
        coupled = np.zeros(len(self._offsets))
        if not self.loops:
            return coupled
        rate = data.qacc.copy()
        data.qacc[:] = 0.0
        mujoco.mj_rnePostConstraint(model, data)
        data.qacc[:] = rate
        rates = np.zeros((len(self._anchors), 6))
        for number, (body, pose) in enumerate(self._anchors):
            at = data.xpos[body] + data.xmat[body].reshape(3, 3) @ pose[:3, 3]
            rates[number] = point_acceleration(model, data, body, at)
        return np.concatenate([loops.ends_bias(ends, rates[None], data.qvel[None])[0], coupled])


def point_acceleration(model: Any, data: Any, body: int, point: Floats) -> Floats:
    """Acceleration of a point of a body minus gravity, then its angular acceleration, (6,), world axes.

    After ``mj_rnePostConstraint``; the engine's own velocities and accelerations belong to the center of
    mass of the whole tree.
    """
    arm = point - data.subtree_com[model.body_rootid[body]]
    turn, rate = data.cvel[body, :3], data.cacc[body, :3]
    speed = data.cvel[body, 3:] + _cross(turn, arm)
    return np.concatenate([data.cacc[body, 3:] + _cross(rate, arm) + _cross(turn, speed), rate])


def _cross(a: Floats, b: Floats) -> Floats:
    """Vector product of two vectors (3,); np.cross takes twenty times as long."""
    (ax, ay, az), (bx, by, bz) = a.tolist(), b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def satisfiable_residual(mechanism: Mechanism, q: Floats) -> Floats:
    """The residual of loops (m,) in the directions that some motion changes.

    A hinge whose anchors are offset along its axis, for example, has a part that no motion removes.
    """
    value, rates = loops.residual_and_jacobian(mechanism.tree, mechanism.loops, np.asarray(q)[None])
    if not value.size:
        return np.zeros(0)
    out: Floats = rates[0] @ (np.linalg.pinv(rates[0], rcond=_RANK_TOLERANCE) @ value[0])
    return out
