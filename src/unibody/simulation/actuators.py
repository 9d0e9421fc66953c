"""The actuators of the file: their controls, and which of them act.

The engine has them before the drives of ``actuation``. An actuator on a joint that something else commands
is switched off, so that the two do not work against each other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unibody.model.arrays import Floats, Indices
from unibody.text.counted import listed
from unibody.text.finding import Findings

#: The bit of a control that is a position, in MuJoCo's specification of the controls of an actuator.
_POSITION = 1
# Groups of actuators that can be switched off, and the actuators that a finding names.
_GROUPS, _NAMED = 31, 8


class Actuators:
    """The first ``count`` actuators of a model, those of its file.

    ``off`` (count,) are those that are switched off. ``names`` are the names of those that have one, with
    their numbers.
    """

    def __init__(self, model: Any, count: int, qpos: Floats) -> None:
        """``qpos`` is a configuration of the engine, in which actuators pull the joints that they move."""
        import mujoco

        self.model, self.count = model, count
        self.off: NDArray[np.bool_] = np.zeros(count, bool)
        self.names = {name: i for i in range(count) if (name := model.actuator(i).name)}
        self._groups = model.actuator_group[:count].copy()
        self._moves: NDArray[np.bool_] = np.zeros((count, model.nv), bool)
        if not count:
            return
        used, disabled = set(model.actuator_group.tolist()), int(model.opt.disableactuator)
        unused = (g for g in reversed(range(_GROUPS)) if g not in used and not disabled >> g & 1)
        self._off_group = next(unused, _GROUPS - 1)
        data = mujoco.MjData(model)
        data.qpos[:] = qpos
        mujoco.mj_fwdPosition(model, data)
        moments = np.zeros((model.nout, model.nv))
        values, columns = data.actuator_moment.ravel(), data.moment_colind.ravel()
        mujoco.mju_sparse2dense(moments, values, data.moment_rownnz, data.moment_rowadr, columns)
        push = (int(mujoco.mjtTrn.mjTRN_SITE), int(mujoco.mjtTrn.mjTRN_BODY))
        for i in range(count):
            # a force on a site or a body drives no joint, unless it is that between two sites
            if int(model.actuator_trntype[i]) not in push or int(model.actuator_trnid[i, 1]) >= 0:
                self._moves[i] = moments[self._outputs(i)].any(axis=0)

    def on_dofs(self, dofs: Indices) -> NDArray[np.bool_]:
        """Whether each actuator (count,) moves one of these places in the engine's qvel."""
        return np.asarray(self._moves[:, dofs].any(axis=1))

    def dofs(self, names: Iterable[str]) -> set[int]:
        """The places in the engine's qvel that these actuators move."""
        return {int(dof) for name in names for dof in np.flatnonzero(self._moves[self.names[name]])}

    def switch(self, off: NDArray[np.bool_]) -> bool:
        """Switch the actuators on and off (count,); whether that changed anything."""
        if (off == self.off).all():
            return False
        self.off = off.copy()
        self.model.actuator_group[: self.count] = np.where(off, self._off_group, self._groups)
        if off.any():
            self.model.opt.disableactuator |= 1 << self._off_group
        else:
            self.model.opt.disableactuator &= ~(1 << self._off_group)
        return True

    def restore(self, model: Any) -> None:
        """Switch all actuators of a copy of the model on."""
        if self.count:
            model.actuator_group[: self.count] = self._groups
            model.opt.disableactuator &= ~(1 << self._off_group)

    def controls(self, name: str) -> slice:
        """The place of an actuator's controls in the engine's ctrl; KeyError for an unknown name."""
        return self._controls(self.names[name])

    def stay(self, data: Any) -> None:
        """Set the controls of position servos, and their activations, so that they stay where they are."""
        import mujoco

        if not self.count:
            return
        mujoco.mj_fwdPosition(self.model, data)
        for i in range(self.count):
            self._stay(data, i)

    def _stay(self, data: Any, i: int) -> None:
        import mujoco

        model, gain, bias, dyn = self.model, mujoco.mjtGain, mujoco.mjtBias, mujoco.mjtDyn
        lengths, controls = data.actuator_length[self._outputs(i)], self._controls(i)
        kind, dynamics = int(model.actuator_gaintype[i]), int(model.actuator_dyntype[i])
        if kind == int(gain.mjGAIN_FIXED) and int(model.actuator_biastype[i]) == int(bias.mjBIAS_AFFINE):
            (k, *_), (constant, slope, *_) = model.actuator_gainprm[i], model.actuator_biasprm[i]
            if not (k > 0.0 > slope):
                return
            wanted = -(constant + slope * lengths[:1]) / k
        elif kind in (int(gain.mjGAIN_PID), int(gain.mjGAIN_DCMOTOR), int(gain.mjGAIN_SO3)):
            if not int(model.actuator_ctrlspec[i]) & _POSITION:
                return
            wanted = lengths
        else:
            return
        if dynamics != int(dyn.mjDYN_INTEGRATOR):
            # the engine bounds only what it takes from ctrl
            low, high = model.actuator_ctrlrange[i] if model.actuator_ctrllimited[i] else (-np.inf, np.inf)
            wanted = np.clip(wanted, low, high)
            data.ctrl[controls.start : controls.start + len(wanted)] = wanted
        if dynamics in (int(dyn.mjDYN_INTEGRATOR), int(dyn.mjDYN_FILTER), int(dyn.mjDYN_FILTEREXACT)):
            last = int(model.actuator_actadr[i] + model.actuator_actnum[i]) - 1
            data.act[last] = wanted[0]

    def _controls(self, i: int) -> slice:
        start = int(self.model.actuator_ctrladr[i])
        return slice(start, start + int(self.model.actuator_ctrlnum[i]))

    def _outputs(self, i: int) -> slice:
        start = int(self.model.actuator_outadr[i])
        return slice(start, start + int(self.model.actuator_outnum[i]))

    def report(self, findings: Findings) -> None:
        """Report the actuators that are switched off."""
        if not self.off.any():
            return
        named = [self.model.actuator(i).name or f"number {i}" for i in np.flatnonzero(self.off).tolist()]
        shown = listed((repr(name) for name in named), _NAMED)
        findings.warning(
            "simulation-actuators-off",
            f"actuators of the file are switched off, since their joints are commanded otherwise: {shown}",
            None,
            "leave the joints without commands and gains to let them act, or set their controls (a column "
            "of --control with the name of the actuator, set_control)",
        )
