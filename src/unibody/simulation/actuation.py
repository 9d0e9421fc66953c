"""Drives of joints: efforts, servos, and prescribed motion as in Choreonoid's high-gain mode.

Each degree of freedom has one actuator in the engine, effort = feed-forward + kp (target − q) +
kd (target rate − v), so that the engine evaluates servos within its integration steps and clips the sum
to the effort limits. A prescribed joint has an inertia added that is large against that of the robot,
and a force of that inertia times the acceleration that reaches the target at the end of the step:
its motion is then given, and all other motions and contact forces follow from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.model.arrays import Floats
from unibody.simulation.actuators import Actuators
from unibody.simulation.engine import Engine
from unibody.simulation.silence import silent
from unibody.simulation.stiffness import Stiffness

EFFORT, POSITION, VELOCITY = 0, 1, 2

#: Prefix of the names of the drives among the engine's actuators.
PREFIX = "unibody drive "
# Added inertia of a prescribed joint relative to its own: the deviation in one step is the inverse of it.
_PRESCRIBING = 1e6
_NO_INERTIA = 1e-6


def add_actuators(spec: Any, joints: Sequence[str]) -> None:
    """Add one actuator for each drive to a spec; ``joints`` are the names of the joints that they move."""
    import mujoco

    for number, joint in enumerate(joints):
        spec.add_actuator(
            name=f"{PREFIX}{number}",
            trntype=mujoco.mjtTrn.mjTRN_JOINT,
            target=joint,
            gaintype=mujoco.mjtGain.mjGAIN_FIXED,
            biastype=mujoco.mjtBias.mjBIAS_AFFINE,
            gear=[1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            gainprm=[1.0] + [0.0] * 9,
            biasprm=[0.0] * 10,
            ctrllimited=0,
            forcelimited=0,
        )


@dataclass(slots=True, kw_only=True, eq=False)
class Commands:
    """What the drives are told, one entry for each: the state of ``Drives`` that can be saved.

    ``off`` are the actuators of the file that are switched off.
    """

    mode: Floats
    effort: Floats
    position: Floats
    velocity: Floats
    kp: Floats
    kd: Floats
    turning: Floats
    off: NDArray[np.bool_]

    def copy(self) -> Commands:
        """Independent arrays with the same numbers."""
        return Commands(**{name: getattr(self, name).copy() for name in self.__slots__})


class Drives:
    """The drives of a model: ``commands``, and what they make the engine's model and data do."""

    def __init__(self, engine: Engine, first: int, limits: Floats) -> None:
        """``first`` is the place of the first drive among the actuators, ``limits`` (2, n) of efforts."""
        layout, model, mechanism = engine.layout, engine.model, engine.mechanism
        self.layout, self.model = layout, model
        self._start = engine.made.q_to(mechanism.initial)
        #: The actuators of the file.
        self.file = Actuators(model, first, self._start)
        count = len(layout.entries)
        self._slice = slice(first, first + count)
        # those of the file may have several controls or outputs each
        self._ctrl, self._out = (
            slice(int(places[first]), int(places[first]) + count) if count else slice(0, 0)
            for places in (model.actuator_ctrladr, model.actuator_outadr)
        )
        # the engine takes the inertia of bodies that nothing couples from dof_M0
        self._armature, self._simple = model.dof_armature.copy(), model.dof_M0.copy()
        inertia = np.diag(mechanism.mass_matrix(mechanism.initial))[layout.entries]
        self.inertia = np.maximum(inertia, _NO_INERTIA)
        self._added = _PRESCRIBING * self.inertia
        self._stiffness: Stiffness | None = None
        self._is_stiff: bool | None = None
        self.commands = Commands(
            mode=np.zeros(count),
            effort=np.zeros(count),
            position=np.zeros(count),
            velocity=np.zeros(count),
            kp=np.zeros(count),
            kd=np.zeros(count),
            turning=np.zeros(len(layout.turning[0])),
            off=np.zeros(first, bool),
        )
        self.prescribed = np.zeros(0, np.intp)
        model.actuator_forcelimited[self._slice] = np.isfinite(limits).any(axis=0)
        model.actuator_forcerange[self._slice] = np.clip(limits, -1e300, 1e300).T

    def set(self, commands: Commands) -> None:
        """Replace all commands."""
        self.commands = commands.copy()
        self.changed()

    def changed(self) -> None:
        """Carry the modes and gains over to the engine's model; call after changing them."""
        given, model = self.commands, self.model
        self._is_stiff = None
        if self.file.switch(given.off):
            self._stiffness = None
        free = given.mode == EFFORT
        self.prescribed = np.flatnonzero(~free)
        model.actuator_biasprm[self._slice, 1] = np.where(free, -given.kp, 0.0)
        model.actuator_biasprm[self._slice, 2] = np.where(free, -given.kd, 0.0)
        model.dof_armature[:], model.dof_M0[:] = self._armature, self._simple
        at = self.layout.dofs[self.prescribed]
        model.dof_armature[at] += self._added[self.prescribed]
        model.dof_M0[at] += self._added[self.prescribed]

    def restore(self, model: Any) -> None:
        """Take what the commands changed out of a copy of the model."""
        self.file.restore(model)
        model.dof_armature[:], model.dof_M0[:] = self._armature, self._simple

    def apply(self, data: Any) -> None:
        """Write the commands of efforts and servos into the engine's data."""
        given, layout = self.commands, self.layout
        shifted = given.position + layout.offsets
        ctrl = given.effort + given.kp * shifted + given.kd * given.velocity
        data.ctrl[self._ctrl] = np.where(given.mode == EFFORT, ctrl, 0.0)
        given_motion = layout.dofs[self.prescribed]
        kept = data.qfrc_applied[given_motion]
        data.qfrc_applied[:] = 0.0
        data.qfrc_applied[given_motion] = kept
        data.qfrc_applied[layout.turning[1]] = given.turning

    def prescribe(self, data: Any, step: float) -> None:
        """Write the forces that take the prescribed joints to their targets within one step."""
        at, given, layout = self.prescribed, self.commands, self.layout
        rates = data.qvel[layout.dofs[at]]
        now = data.qpos[layout.qpos[at]] - layout.offsets[at]
        goal = np.where(given.mode[at] == POSITION, (given.position[at] - now) / step, given.velocity[at])
        data.qfrc_applied[layout.dofs[at]] = self._added[at] * (goal - rates) / step

    def efforts(self, data: Any, size: int) -> Floats:
        """The efforts of all drives (size,), in the mechanism's order, after ``mj_forward``.

        With those of the actuators of the file.
        """
        out = np.zeros(size)
        layout, at = self.layout, self.prescribed
        out[layout.turning[0]] = self.commands.turning
        force = data.actuator_force[self._out].copy()
        if self.file.count:
            force[:] = data.qfrc_actuator[layout.dofs]
        dofs = layout.dofs[at]
        force[at] = data.qfrc_applied[dofs] - self._added[at] * data.qacc[dofs]
        out[layout.entries] = force
        return out

    def is_stiff(self, step: float) -> bool:
        """Whether a servo, or the model itself, is too stiff for an explicit integration with this step."""
        if self._is_stiff is None:
            given, layout, count = self.commands, self.layout, self.model.nv
            kp, kd, added = np.zeros(count), np.zeros(count), np.zeros(count)
            kp[layout.dofs], kd[layout.dofs] = given.kp, given.kd
            added[layout.dofs[self.prescribed]] = self._added[self.prescribed]
            if self._stiffness is None:
                with silent:
                    self._stiffness = Stiffness(self.model, self._start, self.file.count)
            self._is_stiff = not self._stiffness.is_stable(step, kp, kd, added)
        return self._is_stiff
