"""The motion of an engine: its drives, belts and held loops act on it, step by step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from unibody.model.arrays import Floats
from unibody.simulation.actuation import Drives
from unibody.simulation.checks import SimulationError
from unibody.simulation.crawlers import Crawlers
from unibody.simulation.engine import Engine
from unibody.simulation.loops import HeldLoops
from unibody.simulation.options import Options
from unibody.simulation.silence import divergence, silent


class Dynamics:
    """What moves an engine; the engine's data are the state, with ``touching`` and ``carried_out``.

    ``touching`` tells that something touched in the last step, ``carried_out`` that the engine's forces are
    those by which motions were prescribed over it. ``held`` are the loops that the engine does not hold.
    """

    def __init__(
        self, engine: Engine, drives: Drives, held: HeldLoops | None, options: Options, can_touch: bool
    ) -> None:
        import mujoco

        self._mujoco = mujoco
        self.engine, self.drives, self.held = engine, drives, held
        self.crawlers = Crawlers(engine)
        self.touching, self.carried_out = False, False
        self._is_fresh = False
        self._no_sensors = int(mujoco.mjtDisableBit.mjDSBL_SENSOR)
        bad = mujoco.mjtWarning
        self._bad = (bad.mjWARN_BADQPOS, bad.mjWARN_BADQVEL, bad.mjWARN_BADQACC, bad.mjWARN_BADCTRL)
        kinds = mujoco.mjtIntegrator
        self._integrators = {
            "rk4": int(kinds.mjINT_RK4),
            "implicitfast": int(kinds.mjINT_IMPLICITFAST),
            "implicit": int(kinds.mjINT_IMPLICIT),
            "euler": int(kinds.mjINT_EULER),
        }
        self._fixed = self._integrators.get(options.integrator)
        # a change of the method within an impact would cost a quarter of its energy
        self._bounces = bool((engine.model.pair_solref[:, 0] < 0.0).any())
        self._switches = options.integrator == "auto" and can_touch and not self._bounces

    def changed(self) -> None:
        """Tell that the engine's model or data were written to."""
        self._is_fresh = False

    def command(self) -> None:
        """Carry out changed commands of the drives."""
        self.drives.changed()
        self.drives.apply(self.engine.data)
        self._is_fresh = False

    def place(self, q: Floats, v: Floats) -> None:
        """Put everything into a state, at the present time; commands go on."""
        self.engine.place(q, v)
        self._is_fresh, self.carried_out = False, False

    def refresh(self) -> None:
        """Compute accelerations, forces and contacts of the present state, once."""
        if self._is_fresh:
            return
        model, data = self.engine.model, self.engine.data
        warm = data.qacc_warmstart.copy()
        # After a step, a reading is that of the motion that was prescribed over it.
        if len(self.drives.prescribed) and not self.carried_out:
            self.drives.prescribe(data, self.engine.timestep)
        if model.nsensor:
            model.opt.disableflags &= ~self._no_sensors
        with silent:
            self._mujoco.mj_forward(model, data)
        model.opt.disableflags |= self._no_sensors
        if self.held is not None:
            self.held.hold()
            self.held.compute_wrenches()
        else:
            self._mujoco.mj_rnePostConstraint(model, data)
        data.qacc_warmstart[:] = warm
        self._is_fresh = True

    def acceleration(self) -> Floats:
        """The rate of v (nv,)."""
        self.refresh()
        data = self.engine.data
        return np.asarray(self.engine.made.a_from(data.qpos, data.qvel, data.qacc))

    def effort(self) -> Floats:
        """The efforts of the drives (nv,), in N·m or N."""
        self.refresh()
        return self.drives.efforts(self.engine.data, self.engine.mechanism.nv)

    def advance(self, count: int) -> None:
        """Advance by this many steps; SimulationError if the motion becomes infinite."""
        with silent:
            if self.held is not None:
                self._advance_by_stages(count)
            else:
                self._advance(count)
        self._check_motion()

    def advance_by_stages(self, control: Callable[[], None]) -> None:
        """Advance by one step of the Runge-Kutta method, with the control at each of its stages."""
        with silent:
            self._advance_by_stages(1, control)
        self._check_motion()

    def _advance(self, count: int) -> None:
        model, data = self.engine.model, self.engine.data
        model.opt.disableflags |= self._no_sensors
        self._is_fresh = False
        if len(self.drives.prescribed) or self._switches:
            step, drives, watch = self._mujoco.mj_step, self.drives, len(self.drives.prescribed)
            apart, touching = self._integrator(False), self._integrator(True)
            option, present, timestep = model.opt, -1, self.engine.timestep
            for _ in range(count):
                if watch:
                    drives.prescribe(data, timestep)
                wanted = touching if self.touching else apart
                if wanted != present:
                    option.integrator = present = wanted
                step(model, data)
                self.touching = data.ncon > 0
            self.carried_out = count > 0
        else:
            model.opt.integrator = self._integrator(False)
            self._mujoco.mj_step(model, data, count)

    def _integrator(self, touching: bool) -> int:
        if self._fixed is not None:
            return self._fixed
        explicit = not touching or self._bounces
        is_stable = explicit and not self.drives.is_stiff(self.engine.timestep)
        return self._integrators["rk4" if is_stable else "implicitfast"]

    def _advance_by_stages(self, count: int, control: Callable[[], None] | None = None) -> None:
        """Steps of the classical Runge-Kutta method, with the control and exact loops at each stage."""
        model, data, h = self.engine.model, self.engine.data, self.engine.timestep
        if model.na:
            raise ValueError("this model has actuators with a state, which only whole steps advance")
        if len(self.drives.prescribed):
            raise ValueError("motion cannot be prescribed here: use set_gains or set_effort")
        model.opt.disableflags |= self._no_sensors
        for _ in range(count):
            time, qpos, qvel = data.time, data.qpos.copy(), data.qvel.copy()
            rates: list[Floats] = []
            speeds: list[Floats] = []
            for part in (0.0, 0.5, 0.5, 1.0):
                if part:
                    self._move_to(qpos, part * h * speeds[-1])
                    data.qvel[:] = qvel + part * h * rates[-1]
                    data.time = time + part * h
                self._is_fresh = False
                if control is not None:
                    control()
                self._mujoco.mj_forward(model, data)
                if self.held is not None:
                    self.held.hold()
                speeds.append(data.qvel.copy())
                rates.append(data.qacc.copy())
            a, b, c, d = speeds
            self._move_to(qpos, h / 6.0 * (a + 2.0 * b + 2.0 * c + d))
            a, b, c, d = rates
            data.qvel[:] = qvel + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
            data.time = time + h
            if self.held is not None:
                self.held.close()
        self._is_fresh = False
        self.touching = data.ncon > 0

    def _move_to(self, qpos: Floats, by: Floats) -> None:
        self.engine.data.qpos[:] = qpos
        self._mujoco.mj_integratePos(self.engine.model, self.engine.data.qpos, by, 1.0)

    def _check_motion(self) -> None:
        data = self.engine.data
        if any(data.warning[kind].number for kind in self._bad) or not np.isfinite(data.qpos).all():
            raise SimulationError([divergence(self.engine.robot.name, self.engine.time)])


def steps_of(seconds: float, step: float) -> int:
    """The steps in a time; ValueError for a negative or infinite one.

    >>> steps_of(0.5, 1e-3)
    500
    """
    if not 0.0 <= seconds < np.inf:
        raise ValueError(f"a run takes a finite number of seconds from 0 on, not {seconds!r}")
    return round(seconds / step)
