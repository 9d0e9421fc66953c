"""Simulation of robots: state, commands, steps and readings, on MuJoCo."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from unibody.bridges.mujoco import to_mujoco
from unibody.formats.loader import model_of
from unibody.formats.mjcf.acceptance import NEAREST
from unibody.mechanism import Mechanism
from unibody.mechanism.arguments import Positions
from unibody.mechanism.tree import quaternion_entries
from unibody.model.arrays import Floats, Indices
from unibody.model.collision import PairRule
from unibody.model.robot import Robot
from unibody.model.scene import Scene
from unibody.simulation.actuation import EFFORT, POSITION, VELOCITY, Commands, Drives
from unibody.simulation.attachments import Attachments
from unibody.simulation.cameras import Cameras
from unibody.simulation.checks import SimulationError, check_residual
from unibody.simulation.contacts import Contacts, find_contacts
from unibody.simulation.crawlers import Crawlers
from unibody.simulation.keyframes import Keyframes
from unibody.simulation.layout import body_names
from unibody.simulation.lights import Lights
from unibody.simulation.loops import HeldLoops, satisfiable_residual
from unibody.simulation.materials import MaterialTable, read_materials
from unibody.simulation.members import Member, members
from unibody.simulation.options import Options
from unibody.simulation.overlaps import LeftOut, check_overlaps
from unibody.simulation.parts import report_parts
from unibody.simulation.placement import at_locks, lifted
from unibody.simulation.sampling import Samplers, Sampling, declared_sampling
from unibody.simulation.scene import Built, build
from unibody.simulation.sensors import Sensors
from unibody.simulation.silence import divergence, engine_warnings, silent
from unibody.text.counted import counted
from unibody.text.finding import Finding, Findings
from unibody.text.near import suggestion
from unibody.text.renamed import renamed_keywords

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.format import Format, ModelObject
    from unibody.formats.read_options import ReadKeywords

# Kinds of joints whose last four coordinates are a quaternion.

#: Numbers by joint, or one for each entry of v (of q for positions).
Values = Mapping[str, Any] | ArrayLike


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SimulationState:
    """A moment of a simulation: all that its continuation depends on."""

    engine: Floats
    commands: Commands
    speeds: Floats
    touching: bool
    carried_out: bool
    samplers: dict[str, Any]
    left_out: dict[tuple[str, str], float]
    excluded: Indices
    attachments: tuple[Any, ...]


class Simulation:
    """A robot, or a scene of robots, that moves under its drives, gravity and contacts.

    q, v and efforts are those of ``mechanism`` (``docs/mechanism.md``): SI units, the velocity of a free
    base in its own axes. A change of commands acts at once. Reading ``sensors``, ``contacts``, ``effort``
    or ``acceleration`` after a step computes them for the present state; it does not change the motion.

    ``model`` and ``data`` are MuJoCo's own, for what is not covered here; call ``changed`` after writing to
    them.
    """

    def __init__(self, built: Built) -> None:
        import mujoco

        self._mujoco, self._built = mujoco, built
        self.robot: Robot = built.robot
        self.mechanism: Mechanism = built.mechanism
        self.layout = built.layout
        self.options = built.options
        self.model = built.model
        with silent:
            self.data = mujoco.MjData(self.model)
        start = built.lowered.q_to(self.mechanism.initial)
        self._drives = Drives(self.mechanism, self.layout, self.model, built.first_drive, start)
        self._drives.limit(*built.effort_limits)
        self._crawlers = Crawlers(self.mechanism, self.layout, self.model)
        self._held = (
            HeldLoops(
                self.mechanism,
                self.layout,
                built.lowered.state_map.screws,
                self.model,
                self.data,
                locks=self.options.position_limits,
            )
            if self.options.loop_solver == "exact"
            else None
        )
        self._attachments = Attachments(self.model)
        self._fresh, self._touching, self._carried_out = False, False, False
        self._joint_drives = _drives_by_joint(self.mechanism, self.layout.entries.tolist())
        # a change of the method within an impact would cost a quarter of its energy
        self._bounces = bool((self.model.pair_solref[:, 0] < 0.0).any())
        self._names = body_names(self.model, self.mechanism, self.layout)
        leaves_out = built.can_touch and self.options.pairs != "all"
        self._left_out = LeftOut(self.model, self._names, leaves_out)
        self.sampling = Samplers(self.options.seed)
        self.sensors = Sensors(self)
        self.lights = Lights(self.robot, self.model)
        self.cameras = Cameras(self)
        #: Each robot of a scene by name, with its own mechanism's state and commands.
        self.robots: Mapping[str, Member] = members(self, built.robots)
        self._keyframes = Keyframes(self.robot, self.robots.values(), built.lowered, self.model)
        self.sampling.connect(self.sensors)
        self._of_shapes: tuple[Finding, ...] | None = None
        self._overlaps: tuple[Finding, ...] | None = None
        self._start = self._initial()
        self.reset()

    def __repr__(self) -> str:
        return (
            f"<Simulation of {self.robot.name!r}: t = {self.time:.6g} s, step {self.timestep:.6g} s, "
            f"{self.mechanism.nv} degrees of freedom>"
        )

    # State.

    @property
    def time(self) -> float:
        """Time since the last reset, in s."""
        return float(self.data.time)

    @property
    def timestep(self) -> float:
        """Length of a step, in s."""
        return float(self.model.opt.timestep)

    @property
    def gravity(self) -> Floats:
        """Gravity (3,) in the world's axes, in m/s²."""
        return np.array(self.model.opt.gravity)

    @property
    def q(self) -> Floats:
        """The configuration (nq,), in the order and units of ``mechanism``."""
        return np.asarray(self._built.lowered.q_from(self.data.qpos))

    @property
    def v(self) -> Floats:
        """The velocity (nv,), in the order, units and frames of ``mechanism``."""
        return np.asarray(self._built.lowered.v_from(self.data.qpos, self.data.qvel))

    @property
    def acceleration(self) -> Floats:
        """The rate of ``v`` (nv,), in the frames of ``mechanism``."""
        self.refresh()
        data = self.data
        return np.asarray(self._built.lowered.a_from(data.qpos, data.qvel, data.qacc))

    @property
    def effort(self) -> Floats:
        """The efforts of the drives (nv,), in N·m or N, zero for a free base; assigning commands them."""
        self.refresh()
        return self._drives.efforts(self.data, self.mechanism.nv)

    @effort.setter
    def effort(self, values: Values) -> None:
        self.set_effort(values)

    @property
    def contacts(self) -> Contacts:
        """The contacts of the present state."""
        self.refresh()
        return find_contacts(self.model, self.data, self._names)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What was noted of the robot, and of overlaps where the motion began at the last reset."""
        if self._of_shapes is None:
            found = Findings()
            self._built.hulls.report(found)
            report_parts(self._built.divided.numbers, found)
            self._of_shapes = tuple(found)
        if self._overlaps is None:
            found = Findings()
            self._left_out.report(found)
            check_overlaps(self.model, self._began, self._names, found)
            self._overlaps = tuple(found)
        return (*self._built.noted, *self._of_shapes, *self._overlaps)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        """What the engine warned of since the last reset, and what is amiss at present.

        Loops that are open, and actuators of the file that are switched off.
        """
        findings = Findings()
        engine_warnings(self.data, findings)
        self._drives.file.report(findings)
        if self._held is None and self.mechanism.loops:
            check_residual(self.loop_residual, findings)
        return tuple(findings)

    @property
    def loop_residual(self) -> Floats:
        """How far loops are from closed (m,), in m and rad, where a motion can close them."""
        return satisfiable_residual(self.mechanism, self.q)

    @property
    def state(self) -> SimulationState:
        """All that the continuation depends on; assign it to continue from there, to the last bit."""
        size = self._mujoco.mj_stateSize(self.model, self._mujoco.mjtState.mjSTATE_INTEGRATION)
        engine = np.zeros(size)
        self._mujoco.mj_getState(self.model, self.data, engine, self._mujoco.mjtState.mjSTATE_INTEGRATION)
        return SimulationState(
            engine=engine,
            commands=self._drives.commands.copy(),
            speeds=self._crawlers.speeds.copy(),
            touching=self._touching,
            carried_out=self._carried_out,
            samplers=self.sampling.saved(),
            left_out=dict(self._left_out.depths),
            excluded=self.model.exclude_signature.copy(),
            attachments=self._attachments.saved(),
        )

    @state.setter
    def state(self, state: SimulationState) -> None:
        self._mujoco.mj_setState(
            self.model, self.data, state.engine, self._mujoco.mjtState.mjSTATE_INTEGRATION
        )
        self._drives.set(state.commands)
        self._crawlers.speeds[:] = state.speeds
        self._crawlers.changed()
        self._touching, self._carried_out = state.touching, state.carried_out
        self.sampling.restore(state.samplers)
        self._left_out.depths = dict(state.left_out)
        self.model.exclude_signature[:] = state.excluded
        self._attachments.restore(state.attachments)
        self._fresh = False

    def reset(
        self,
        q: Positions | None = None,
        v: ArrayLike | None = None,
        *,
        above: float | None = None,
        pose: str | None = None,
    ) -> None:
        """Go back to time 0 at q and v, by default the initial configuration at rest with loops closed.

        ``pose`` is a keyframe of an MJCF file, which gives the controls and activations of the file's
        actuators, and q and v unless these are given; other robots begin as without it. Without it,
        controls of position servos are the positions of q, and others are 0. With ``above`` the lowest
        point of the collision shapes of a free base is that height (m) above the floor, or above z = 0
        without one. Commands end: efforts are 0, servos hold the positions of q, tracks stand still. Gains
        stay.
        """
        begin, rate = (self._start, None) if pose is None else self.keyframe(pose)
        now, speed = self._checked(begin if q is None else q, rate if v is None else v)
        if above is not None:
            if not np.isfinite(above):
                raise ValueError(f"the height above the floor is a finite number of m, not {above!r}")
            now = lifted(self.mechanism, now, above + (self.options.floor or 0.0))
        is_of_all = pose is not None and self._keyframes.is_of_all
        if pose is not None and is_of_all:
            self._mujoco.mj_resetDataKeyframe(self.model, self.data, self._keyframes.number(pose))
            self.data.time = 0.0
        else:
            self._mujoco.mj_resetData(self.model, self.data)
        self._attachments.clear(self.data)
        if not is_of_all or q is not None or above is not None:
            self._place(now, speed)
        self._left_out.find(self.data)
        self._began, self._overlaps = self.data.qpos.copy(), None
        commands = self._drives.commands
        if not is_of_all:
            self._drives.file.stay(self.data)
            if pose is not None:
                self._keyframes.control(pose, self.data, self._drives.file)
        commands.off = self._drives.file.on_dofs(self.layout.dofs[self._servos()])
        commands.mode[:] = EFFORT
        for array in (commands.effort, commands.velocity, commands.turning):
            array[:] = 0.0
        commands.position[:] = now[self.layout.positions]
        self._crawlers.speeds[:] = 0.0
        self._crawlers.changed()
        self._command()
        self._touching, self._carried_out = False, False
        self.sampling.restart(0.0)
        self._fresh = False
        if self.sampling:
            self.sampling.sample(0.0, self.timestep)

    @property
    def extent(self) -> float:
        """The size (m) of the model as its file has it, by MuJoCo's measure."""
        made = self._built.lowered
        alone = made if self.options.floor is None else to_mujoco(made.robot, inertias=NEAREST)
        return float(alone.model.stat.extent)

    def keyframe(self, name: str) -> tuple[Floats, Floats]:
        """q (nq,) and v (nv,) of a keyframe of an MJCF file; KeyError if there is none of this name.

        It is that of one robot: others are at rest where they begin.
        """
        return self._keyframes.state(name, self._start)

    @property
    def keyframes(self) -> tuple[str, ...]:
        """The keyframes of MJCF files by name; one that several robots have is "robot:name"."""
        return self._keyframes.names

    def copy(self) -> Simulation:
        """An independent simulation in the same state."""
        model = copy.copy(self.model)
        self._drives.restore(model)
        self._left_out.restore(model)
        other = Simulation(replace(self._built, model=model))
        other.state = self.state
        other.lights.take(self.lights)
        return other

    def place(self, q: Positions, v: ArrayLike | None = None) -> None:
        """Put everything into a state, at rest by default, at the present time; commands go on."""
        now, speed = self._checked(q, v)
        self._place(now, speed)
        self._fresh, self._carried_out = False, False

    # Links fixed to one another.

    def attach(self, link: str, other: str, pose: ArrayLike | None = None) -> None:
        """Fix a link to another one until ``detach``, as a gripper holds what it carries.

        ``pose`` (4, 4) is that of the second link in the first, by default the present one. At most 16
        pairs are attached at a time; ``reset`` detaches all.
        """
        if self._held is not None:
            raise ValueError("links cannot be attached with loop_solver='exact'")
        a, b = self._link(link), self._link(other)
        bodies = int(self.layout.bodies[a]), int(self.layout.bodies[b])
        in_a, in_b = self.layout.in_body[a], self.layout.in_body[b]
        if bodies[0] == bodies[1]:
            raise ValueError(f"{link!r} and {other!r} are one rigid body")
        if pose is None:
            poses = np.asarray(self.mechanism.forward_kinematics(self.q), np.float64)
            pose = np.linalg.inv(poses[a]) @ poses[b]
        target = np.asarray(pose, np.float64)
        if target.shape != (4, 4) or not np.isfinite(target).all():
            raise ValueError(f"a pose is a finite matrix (4, 4), not one of shape {target.shape}")
        if not np.allclose(target[:3, :3] @ target[:3, :3].T, np.eye(3), atol=1e-6):
            raise ValueError("the first three rows and columns of a pose are a rotation")
        self._attachments.attach(self.data, (link, other), bodies, in_a @ target @ np.linalg.inv(in_b))
        self._fresh = False

    def detach(self, link: str, other: str) -> None:
        """Separate two links that were attached; KeyError if they were not."""
        self._attachments.detach(self.data, (link, other))
        self._fresh = False

    @property
    def attached(self) -> tuple[tuple[str, str], ...]:
        """The pairs of links that are attached."""
        return tuple(pair for pair in self._attachments.pairs if pair is not None)

    # Commands.

    def set_effort(self, values: Values) -> None:
        """Command efforts (N·m, N): a mapping of joints to numbers, or an array (nv,).

        Entries of a free base are ignored. A prescribed joint becomes free; the effort of a joint with
        gains is added to that of its servo. As with all commands of a joint, the file's own actuators on it
        are switched off until ``reset`` or ``set_control``.
        """
        commands = self._drives.commands
        given = self._drives_of(values, "effort")
        for drive, value in given:
            commands.effort[drive] = value
            commands.mode[drive] = EFFORT
        self._take_over([drive for drive, _ in given])
        turning = self._turning_of(values)
        if turning is not None:
            commands.turning[:] = turning
        self._command()

    def set_position(self, values: Values) -> None:
        """Command positions (rad, m): a mapping of joints to numbers, or an array (nq,).

        A joint with gains is driven toward them by its servo. A joint without gains has its motion
        prescribed: it is there after the next step, whatever force that takes, as in Choreonoid's high-gain
        mode.
        """
        self._target(values, POSITION)

    def set_velocity(self, values: Values) -> None:
        """Command velocities (rad/s, m/s; m/s of the surface for a track): a mapping, or an array (nv,).

        A joint with gains has them as the target of its servo; of a joint without gains the velocity is
        prescribed.
        """
        if isinstance(values, Mapping):
            tracks = {name: value for name, value in values.items() if name in self._crawlers.names}
            values = {name: value for name, value in values.items() if name not in tracks}
            for name, value in tracks.items():
                self._crawlers.speeds[self._crawlers.names.index(name)] = _number(name, value)
            self._crawlers.changed()
        self._target(values, VELOCITY)

    def set_control(self, values: Mapping[str, Any]) -> None:
        """Set the controls of actuators of the file, by their names, in the units of the file.

        An actuator with several controls takes as many numbers. One that was switched off acts again.
        """
        file = self._drives.file
        for name, value in values.items():
            if name not in file.names:
                hint = suggestion(name, file.names)
                raise KeyError(f"{self.robot.name!r} has no actuator {name!r}{hint}")
            place, numbers = file.controls(name), np.atleast_1d(np.asarray(value, np.float64))
            if numbers.shape != (place.stop - place.start,) or not np.isfinite(numbers).all():
                wanted = counted(place.stop - place.start, "finite number")
                raise ValueError(f"actuator {name!r} takes {wanted}, not {value!r}")
            self.data.ctrl[place] = numbers
            self._drives.commands.off[file.names[name]] = False
        self._drives.changed()
        self._fresh = False

    def joints_of_actuators(self, names: Iterable[str]) -> set[str]:
        """The joints that these actuators of the file move."""
        dofs = self._drives.file.dofs(names)
        at = [drive for drive, dof in enumerate(self.layout.dofs.tolist()) if dof in dofs]
        return {name for name, drives in self._joint_drives.items() if not set(drives).isdisjoint(at)}

    def set_gains(self, stiffness: Values | float, damping: Values | float = 0.0) -> None:
        """Turn drives into servos: effort = command + stiffness (target − q) + damping (target rate − v).

        Stiffness in N·m/rad or N/m, damping in N·m·s/rad or N·s/m: numbers for all joints, or mappings.
        Zero for both makes a drive without servo of a joint. The target is first the present position.
        """
        commands = self._drives.commands
        now = self.q[self.layout.positions]
        both = [self._all(given, word) for given, word in ((stiffness, "stiffness"), (damping, "damping"))]
        touched: set[int] = set()
        for array, given in zip((commands.kp, commands.kd), both, strict=True):
            for drive, value in given:
                if not 0.0 <= value < np.inf:
                    raise ValueError(f"gains are finite numbers from 0 on, not {value!r}")
                array[drive] = value
                touched.add(drive)
        for drive in touched:
            commands.mode[drive] = EFFORT
            commands.position[drive], commands.velocity[drive] = now[drive], 0.0
        self._take_over(sorted(touched))
        self._command()

    def has_gains(self, joint: str) -> bool:
        """Whether a joint is driven by a servo (``set_gains``); KeyError for an unknown joint."""
        self._joint(joint)
        commands, drives = self._drives.commands, self._joint_drives.get(joint, [])
        return any(commands.kp[drive] > 0.0 or commands.kd[drive] > 0.0 for drive in drives)

    # Motion.

    def step(self, count: int = 1) -> None:
        """Advance by this many steps; SimulationError if the motion becomes infinite."""
        if count < 0:
            raise ValueError(f"the number of steps must not be negative, got {count}")
        while count:
            part = min(count, self._steps_to_sample()) if self.sampling else count
            self._advance(part)
            count -= part
            if self.sampling:
                self.sampling.sample(self.time, self.timestep)

    def run(
        self, seconds: float, control: Callable[[Simulation], None] | None = None, within: bool = False
    ) -> None:
        """Advance by a time, rounded to steps; ``control`` is called with the simulation before each step.

        With ``within`` it is also called at the other stages of a step, with the state there, so that a
        control that is a smooth function of time and state is integrated to the order of the method (RK4).
        """
        count = steps_of(seconds, self.timestep)
        if control is None:
            return self.step(count)
        for _ in range(count):
            if within:
                with silent:
                    self._advance_by_stages(1, control)
                if self.sampling:
                    self.sampling.sample(self.time, self.timestep)
            else:
                control(self)
                self.step()
        return None

    def read_sensor_as(self, name: str, how: Sampling | None = None, **settings: Any) -> None:
        """Give a sensor a rate, a delay, noise and saturation (``Sampling``), or those that it declares.

        >>> import pytest, unibody as ub
        >>> mujoco = pytest.importorskip("mujoco", reason="needs the extra 'simulate' (mujoco)")
        >>> sim = ub.simulate(ub.load("src/unibody/models/biped.body"))
        >>> sim.read_sensor_as(next(iter(sim.sensors)), noise=0.01)
        """
        device = self.sensors.device(name)
        if how is None:
            how = Sampling(**settings) if settings else declared_sampling(device.spec)
        if how.delay > 0.0 and how.rate <= 0.0:
            how = Sampling(
                rate=1.0 / self.timestep, delay=how.delay, noise=how.noise,
                detection=how.detection, largest=how.largest,
            )  # fmt: skip
        self.sampling.set(name, how, self.time)
        if how.rate > 0.0:
            self.sampling.sample(self.time, self.timestep)

    def refresh(self) -> None:
        """Compute accelerations, forces and contacts of the present state, once."""
        if self._fresh:
            return
        model, data, sensor = self.model, self.data, int(self._mujoco.mjtDisableBit.mjDSBL_SENSOR)
        warm = data.qacc_warmstart.copy()
        # After a step, a reading is that of the motion that was prescribed over it.
        if len(self._drives.prescribed) and not self._carried_out:
            self._drives.prescribe(data, self.timestep)
        if model.nsensor:
            model.opt.disableflags &= ~sensor
        with silent:
            self._mujoco.mj_forward(model, data)
        model.opt.disableflags |= sensor
        if self._held is not None:
            self._held.hold()
            self._held.compute_wrenches()
        else:
            self._mujoco.mj_rnePostConstraint(model, data)
        data.qacc_warmstart[:] = warm
        self._fresh = True

    def changed(self) -> None:
        """Tell that ``model`` or ``data`` were written to."""
        self._fresh = False

    # Details.

    def _checked(self, q: Positions, v: ArrayLike | None) -> tuple[Floats, Floats]:
        """A state as arrays of finite numbers."""
        mechanism = self.mechanism
        now = np.array(mechanism.positions(q), np.float64)
        speed = np.zeros(mechanism.nv) if v is None else np.array(mechanism.velocities(v), np.float64)
        for name, array, size in (("q", now, mechanism.nq), ("v", speed, mechanism.nv)):
            if array.shape != (size,):
                raise ValueError(f"{name} has shape {array.shape}; expected ({size},)")
            if not np.isfinite(array).all():
                raise ValueError(f"{name} must be finite numbers")
        self._check_quaternions(now)
        return now, speed

    def _check_quaternions(self, q: Floats) -> None:
        """ValueError for a quaternion of length 0, which is no rotation."""
        if not q[quaternion_entries(self.mechanism.tree)].any(axis=1).all():
            raise ValueError("q has a quaternion of length 0, which is no rotation")

    def _link(self, name: str) -> int:
        names = self.mechanism.link_names
        if name not in names:
            raise KeyError(f"{self.robot.name!r} has no link {name!r}{suggestion(name, names)}")
        place = names.index(name)
        if self.layout.bodies[place] < 0:
            raise ValueError(f"link {name!r} is within a chain of joints that is one body")
        return place

    def _initial(self) -> Floats:
        mechanism = self.mechanism
        start = at_locks(mechanism, mechanism.initial)
        if mechanism.robot.loops or mechanism.couplings:
            start = np.array(mechanism.close_loops(start, limits=False).q)
        return start

    def _place(self, q: Floats, v: Floats) -> None:
        made = self._built.lowered
        self.data.qpos[:] = made.q_to(q)
        self.data.qvel[:] = made.v_to(q, v)

    def _command(self) -> None:
        self._drives.changed()
        self._drives.apply(self.data)
        self._fresh = False

    def _advance(self, count: int) -> None:
        with silent:
            self._move(count)
        self._check_motion()

    def _move(self, count: int) -> None:
        model, data = self.model, self.data
        model.opt.disableflags |= int(self._mujoco.mjtDisableBit.mjDSBL_SENSOR)
        self._fresh = False
        if self._held is not None:
            self._advance_by_stages(count)
        elif len(self._drives.prescribed) or self._switches():
            step, drives, watch = self._mujoco.mj_step, self._drives, len(self._drives.prescribed)
            apart, touching = self._integrator(False), self._integrator(True)
            option, present = model.opt, -1
            for _ in range(count):
                if watch:
                    drives.prescribe(data, self.timestep)
                wanted = touching if self._touching else apart
                if wanted != present:
                    option.integrator = present = wanted
                step(model, data)
                self._touching = data.ncon > 0
            self._carried_out = count > 0
        else:
            model.opt.integrator = self._integrator(False)
            self._mujoco.mj_step(model, data, count)

    def _switches(self) -> bool:
        """Whether the integrator depends on contacts."""
        return self.options.integrator == "auto" and self._built.can_touch and not self._bounces

    def _integrator(self, touching: bool) -> int:
        kinds = self._mujoco.mjtIntegrator
        word = self.options.integrator
        if word == "auto":
            explicit = not touching or self._bounces
            word = "rk4" if explicit and not self._drives.is_stiff(self.timestep) else "implicitfast"
        return int(
            {
                "rk4": kinds.mjINT_RK4,
                "implicitfast": kinds.mjINT_IMPLICITFAST,
                "implicit": kinds.mjINT_IMPLICIT,
                "euler": kinds.mjINT_EULER,
            }[word]
        )

    def _check_motion(self) -> None:
        kinds = self._mujoco.mjtWarning
        bad = (kinds.mjWARN_BADQPOS, kinds.mjWARN_BADQVEL, kinds.mjWARN_BADQACC, kinds.mjWARN_BADCTRL)
        if any(self.data.warning[kind].number for kind in bad) or not np.isfinite(self.data.qpos).all():
            raise SimulationError([divergence(self.robot.name, self.time)])

    def _steps_to_sample(self) -> int:
        wait = (self.sampling.next_due() - self.time) / self.timestep
        return max(1, int(np.ceil(wait - 1e-6))) if np.isfinite(wait) else 1 << 30

    def _advance_by_stages(self, count: int, control: Callable[[Simulation], None] | None = None) -> None:
        """Steps of the classical Runge-Kutta method, with the control and exact loops at each stage."""
        if self.model.na:
            raise ValueError("this model has actuators with a state, which only whole steps advance")
        if len(self._drives.prescribed):
            raise ValueError("motion cannot be prescribed here: use set_gains or set_effort")
        data, h = self.data, self.timestep
        for _ in range(count):
            time, qpos, qvel = data.time, data.qpos.copy(), data.qvel.copy()
            rates: list[Floats] = []
            speeds: list[Floats] = []
            for part in (0.0, 0.5, 0.5, 1.0):
                if part:
                    self._move_to(qpos, part * h * speeds[-1])
                    data.qvel[:] = qvel + part * h * rates[-1]
                    data.time = time + part * h
                self._fresh = False
                if control is not None:
                    control(self)
                self._mujoco.mj_forward(self.model, data)
                if self._held is not None:
                    self._held.hold()
                speeds.append(data.qvel.copy())
                rates.append(data.qacc.copy())
            a, b, c, d = speeds
            self._move_to(qpos, h / 6.0 * (a + 2.0 * b + 2.0 * c + d))
            a, b, c, d = rates
            data.qvel[:] = qvel + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
            data.time = time + h
            if self._held is not None:
                self._held.close()
        self._fresh = False
        self._touching = data.ncon > 0
        self._check_motion()

    def _move_to(self, qpos: Floats, by: Floats) -> None:
        self.data.qpos[:] = qpos
        self._mujoco.mj_integratePos(self.model, self.data.qpos, by, 1.0)

    def _servos(self) -> Indices:
        """The drives that have gains."""
        commands = self._drives.commands
        return np.flatnonzero((commands.kp > 0.0) | (commands.kd > 0.0))

    def _take_over(self, drives: Sequence[int]) -> None:
        """Switch off the file's actuators on the joints of drives that are commanded."""
        file = self._drives.file
        if file.count and len(drives):
            commands = self._drives.commands
            commands.off = commands.off | file.on_dofs(self.layout.dofs[list(drives)])

    def _target(self, values: Values, mode: int) -> None:
        commands = self._drives.commands
        word = "position" if mode == POSITION else "velocity"
        given = self._drives_of(values, word)
        self._take_over([drive for drive, _ in given])
        for drive, value in given:
            (commands.position if mode == POSITION else commands.velocity)[drive] = value
            servo = commands.kp[drive] > 0.0 or commands.kd[drive] > 0.0
            commands.mode[drive] = EFFORT if servo else mode
        self._carried_out = False
        self._command()

    def _all(self, values: Values | float, what: str) -> Iterable[tuple[int, float]]:
        if np.ndim(values) == 0 and not isinstance(values, Mapping):  # type: ignore[arg-type]
            number = float(values)  # type: ignore[arg-type]
            return [(drive, number) for drive in range(len(self.layout.entries))]
        return self._drives_of(values, what)

    def _drives_of(self, values: Values, what: str) -> list[tuple[int, float]]:
        """Drives and their numbers."""
        layout, mechanism = self.layout, self.mechanism
        if not isinstance(values, Mapping):
            size = mechanism.nq if what == "position" else mechanism.nv
            array = np.asarray(values, np.float64)
            if array.shape != (size,):
                raise ValueError(f"{what} has shape {array.shape}; expected ({size},), or a mapping")
            at = layout.positions if what == "position" else layout.entries
            if not np.isfinite(array[at]).all():
                raise ValueError(f"{what} must be finite numbers")
            return list(enumerate(array[at].tolist()))
        found: list[tuple[int, float]] = []
        for name, value in values.items():
            joint = self._joint(name)
            drives = self._joint_drives.get(name, [])
            if not drives:
                kind = mechanism.tree.kinds[joint]
                raise ValueError(f"joint {name!r} is a {kind} joint, which has no {what} command")
            numbers = np.atleast_1d(np.asarray(value, np.float64))
            if numbers.shape != (len(drives),):
                wanted = counted(len(drives), "number")
                raise ValueError(f"joint {name!r} takes {wanted}, got shape {numbers.shape}")
            if not np.isfinite(numbers).all():
                raise ValueError(f"the {what} of joint {name!r} must be finite, not {value!r}")
            found += zip(drives, numbers.tolist(), strict=True)
        return found

    def _turning_of(self, values: Values) -> Floats | None:
        if isinstance(values, Mapping):
            return None
        return np.asarray(values, np.float64)[self.layout.turning[0]]

    def _joint(self, name: str) -> int:
        if name in self.mechanism.joint_names:
            return self.mechanism.joint_names.index(name)
        hint = suggestion(name, self.mechanism.joint_names)
        raise KeyError(f"{self.robot.name!r} has no joint {name!r}{hint}")


@renamed_keywords(self_collision="pairs", loops="loop_solver")
def simulate(
    robot: Robot | Scene | Sequence[Robot] | str | os.PathLike[str] | ModelObject,
    *,
    gravity: Sequence[float] | None = None,
    step: float = 1e-3,
    integrator: str = "auto",
    position_limits: bool = True,
    effort_limits: bool = True,
    pairs: PairRule = "file",
    contacts: bool = True,
    loop_solver: str = "engine",
    floor: float | None = None,
    materials: MaterialTable | str | os.PathLike[str] | None = None,
    friction: float | None = None,
    solref: tuple[float, float] | None = None,
    seed: int = 0,
    convex: str = "auto",
    density: float | None = None,
    progress: Callable[[float], object] | None = None,
    format: str | Format | None = None,
    **reading: Unpack[ReadKeywords],
) -> Simulation:
    """A simulation of a robot, of a scene, of several robots, or of a model file, at time 0.

    A file is read with the keywords of :func:`unibody.read`; ``base`` is also that of robots.
    ``gravity`` (m/s²) is 9.80665 along -Z unless the file gives it; ``step`` is in s. ``integrator`` "auto"
    is the Runge-Kutta method of fourth order while nothing touches and no damper, spring or servo is too
    stiff for it, else MuJoCo's "implicitfast"; "rk4", "implicitfast", "implicit" and "euler" are fixed
    choices. ``position_limits`` and ``effort_limits`` are enforced unless False. ``pairs`` are the pairs of
    links of one robot that are tested: "file", those of its rules; "all"; "none"; or "matrix", those that
    are not certified never to collide (see :func:`unibody.self_collision`). ``floor`` adds a plane at a
    height in m. ``friction``, and ``solref``, the time constant (s) and the damping ratio, are those of
    all contacts, whatever the files say; by default they are those of the files (MJCF means 1, and 0.02 s
    and 1, where it says nothing), else 0.5, and 4 ms, but at least two steps, and 1. ``materials`` is
    Choreonoid's material table or its path, for links whose file states no friction. ``convex`` says how
    meshes collide that are not convex and may touch anything but planes: "parts", as convex parts, which
    CoACD (extra ``parts``) finds; "hull", as their convex hulls; "auto", as parts if CoACD is installed,
    except those of MJCF, where a mesh means its hull. ``density`` (kg/m³) gives links without mass that of
    the filled hull of their shapes. ``progress`` is called with the share of the meshes, from 0 to 1, whose
    parts are computed. ``loop_solver`` "exact" holds closed loops to machine precision by unibody's own
    dynamics, without contacts. ``seed`` is that of the sensors' noise, if any is asked for.

    SimulationError, with findings, if the robot cannot be simulated; MissingExtra without MuJoCo
    or CoACD.
    """
    table = materials
    if table is not None and not isinstance(table, MaterialTable):
        table = read_materials(table)
        errors = [finding for finding in table.findings if finding.severity == "error"]
        if errors:
            raise SimulationError(errors)
    if isinstance(reading.get("limits"), bool):
        raise TypeError("simulate(): the keyword 'limits' is now 'position_limits'")
    base = reading.pop("base", None)
    options = Options(
        base=base,
        gravity=gravity,
        step=step,
        integrator=integrator,
        position_limits=position_limits,
        effort_limits=effort_limits,
        pairs=pairs,
        contacts=contacts,
        loop_solver=loop_solver,
        floor=floor,
        materials=table,
        friction=friction,
        solref=solref,
        seed=seed,
        convex=convex,
        density=density,
        progress=progress,
    )
    with silent:
        return Simulation(build(_models(robot, format, reading), options))


def _models(
    given: Robot | Scene | Sequence[Robot] | str | os.PathLike[str] | ModelObject,
    format: str | Format | None,
    reading: ReadKeywords,
) -> Robot | Scene | Sequence[Robot]:
    """The robot, the scene or the robots that a caller gives, or those of a file."""
    if isinstance(given, Sequence) and not isinstance(given, str) and not reading and format is None:
        return given
    return model_of(given, format, **reading)  # type: ignore[arg-type]


def _number(name: str, value: Any) -> float:
    number = np.asarray(value, np.float64)
    if number.size != 1:
        raise ValueError(f"joint {name!r} takes one number, got shape {number.shape}")
    return float(number.reshape(()))


def steps_of(seconds: float, step: float) -> int:
    """The steps in a time; ValueError for a negative or infinite one.

    >>> steps_of(0.5, 1e-3)
    500
    """
    if not 0.0 <= seconds < np.inf:
        raise ValueError(f"a run takes a finite number of seconds from 0 on, not {seconds!r}")
    return round(seconds / step)


def _drives_by_joint(mechanism: Mechanism, entries: list[int]) -> dict[str, list[int]]:
    """The drives of each joint that has any."""
    found: dict[str, list[int]] = {}
    for drive, entry in enumerate(entries):
        joint = int(np.searchsorted(mechanism.idx_v, entry, side="right")) - 1
        found.setdefault(mechanism.joint_names[joint], []).append(drive)
    return found
