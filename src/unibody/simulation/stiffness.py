"""Whether an explicit integration is stable: how fast springs, dampers and servos act on what they move."""

from __future__ import annotations

from typing import Any

import numpy as np

from unibody.model.arrays import Floats

# Displacements (rad, m) and speeds of the differences that give the rates of a model's own forces.
_SMALL = 1e-6


class Stiffness:
    """The rates of a model's forces by positions and velocities in a configuration of its engine.

    Its own springs, dampers, tendons and actuators; servos are added to them.
    """

    def __init__(self, model: Any, qpos: Floats, actuators: int) -> None:
        """``actuators`` is the number of those that are the model's own."""
        import mujoco

        count = model.nv
        data = mujoco.MjData(model)
        data.qpos[:] = qpos
        mujoco.mj_forward(model, data)
        self._mass, column = np.zeros((count, count)), np.zeros(count)
        for dof, unit in enumerate(np.eye(count)):
            mujoco.mj_mulM(model, data, column, unit)
            self._mass[:, dof] = column
        if actuators or model.ntendon:
            self._spring, self._damper = _differentiated(model, data, qpos)
        else:
            self._damper = np.diag(model.dof_damping)
            self._spring = np.diag(model.jnt_stiffness[model.dof_jntid])

    def is_stable(self, step: float, kp: Floats, kd: Floats, added: Floats) -> bool:
        """Whether the Runge-Kutta method is stable with a step, with servos and added inertias (nv,)."""
        mass = self._mass + np.diag(added)
        try:
            springs = np.linalg.solve(mass, self._spring + np.diag(kp))
            dampers = np.linalg.solve(mass, self._damper + np.diag(kd))
            return bool(_largest(dampers) * step < 1.0 and _largest(springs) * step**2 < 1.0)
        except np.linalg.LinAlgError:
            return False


def _differentiated(model: Any, data: Any, qpos: Floats) -> tuple[Floats, Floats]:
    """The rates (nv, nv) of the forces of springs, dampers and actuators, by differences."""
    import mujoco

    spring, damper = np.zeros((model.nv, model.nv)), np.zeros((model.nv, model.nv))
    rest = data.qfrc_passive + data.qfrc_actuator
    for dof, small in enumerate(_SMALL * np.eye(model.nv)):
        data.qpos[:], data.qvel[:] = qpos, 0.0
        mujoco.mj_integratePos(model, data.qpos, small, 1.0)
        mujoco.mj_forward(model, data)
        spring[:, dof] = (rest - data.qfrc_passive - data.qfrc_actuator) / _SMALL
        data.qpos[:], data.qvel[:] = qpos, small
        mujoco.mj_forward(model, data)
        damper[:, dof] = (rest - data.qfrc_passive - data.qfrc_actuator) / _SMALL
    return spring, damper


def _largest(rates: Floats) -> float:
    """The largest size of an eigenvalue."""
    return float(np.abs(np.linalg.eigvals(rates)).max(initial=0.0)) if rates.any() else 0.0
