"""Simulation of robots: state, commands, steps and readings, on MuJoCo."""

from __future__ import annotations

import copy
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from unibody.formats.loader import model_of
from unibody.mechanism import Mechanism
from unibody.mechanism.arguments import Positions
from unibody.model.arrays import Floats, Indices
from unibody.model.collision import PairRule
from unibody.model.robot import Robot
from unibody.model.scene import Scene
from unibody.simulation.actuation import Commands, Drives
from unibody.simulation.attachments import Attachments
from unibody.simulation.cameras import Cameras
from unibody.simulation.checks import SimulationError, check_residual
from unibody.simulation.commander import Commander, Values
from unibody.simulation.contacts import Contacts, find_contacts
from unibody.simulation.dynamics import Dynamics, steps_of
from unibody.simulation.keyframes import Keyframes
from unibody.simulation.layout import Layout
from unibody.simulation.lights import Lights
from unibody.simulation.loops import HeldLoops, satisfiable_residual
from unibody.simulation.materials import MaterialTable, read_materials
from unibody.simulation.members import Member, members
from unibody.simulation.options import Options
from unibody.simulation.overlaps import LeftOut, check_overlaps
from unibody.simulation.parts import report_parts
from unibody.simulation.placement import begin_of, lifted
from unibody.simulation.sampling import Samplers, Sampling, declared_sampling
from unibody.simulation.scene import Built, build
from unibody.simulation.sensors import Sensors
from unibody.simulation.silence import engine_warnings, silent
from unibody.text.finding import Finding, Findings
from unibody.text.renamed import renamed_keywords

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from unibody.formats.format import Format, ModelObject
    from unibody.formats.read_options import ReadKeywords


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
        self._built, self.options = built, built.options
        #: The handle of the engine, on which everything below works.
        self.engine = engine = built.engine
        self.robot: Robot = engine.robot
        self.mechanism: Mechanism = engine.mechanism
        self.layout: Layout = engine.layout
        self.model, self.data = engine.model, engine.data
        self._drives = Drives(engine, built.first_drive, built.effort_limits)
        exact = self.options.loop_solver == "exact"
        held = HeldLoops(engine, self.options.position_limits) if exact else None
        self._dynamics = Dynamics(engine, self._drives, held, self.options, built.can_touch)
        #: What commands the drives by the names of joints.
        self.commander = Commander(self._dynamics)
        self._attachments = Attachments(engine)
        self._left_out = LeftOut(engine, built.can_touch and self.options.pairs != "all")
        self.sensors = Sensors(self._dynamics, self.options.seed)
        self.sampling: Samplers = self.sensors.sampling
        self.lights = Lights(self.robot, self.model)
        self.cameras = Cameras(self._dynamics, self.lights)
        #: Each robot of a scene by name, with its own mechanism's state and commands.
        self.robots: Mapping[str, Member] = members(self.commander, built.robots)
        self._keyframes = Keyframes(engine, self.robots.values())
        self._of_shapes: tuple[Finding, ...] | None = None
        self._overlaps: tuple[Finding, ...] | None = None
        self._start = begin_of(self.mechanism)
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
        return self.engine.time

    @property
    def timestep(self) -> float:
        """Length of a step, in s."""
        return self.engine.timestep

    @property
    def gravity(self) -> Floats:
        """Gravity (3,) in the world's axes, in m/s²."""
        return np.array(self.model.opt.gravity)

    @property
    def q(self) -> Floats:
        """The configuration (nq,), in the order and units of ``mechanism``."""
        return self.engine.q

    @property
    def v(self) -> Floats:
        """The velocity (nv,), in the order, units and frames of ``mechanism``."""
        return self.engine.v

    @property
    def acceleration(self) -> Floats:
        """The rate of ``v`` (nv,), in the frames of ``mechanism``."""
        return self._dynamics.acceleration()

    @property
    def effort(self) -> Floats:
        """The efforts of the drives (nv,), in N·m or N, zero for a free base; assigning commands them."""
        return self._dynamics.effort()

    @effort.setter
    def effort(self, values: Values) -> None:
        self.set_effort(values)

    @property
    def contacts(self) -> Contacts:
        """The contacts of the present state."""
        self.refresh()
        return find_contacts(self.model, self.data, self.engine.names)

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
            check_overlaps(self.engine, self._began, found)
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
        if self._dynamics.held is None and self.mechanism.loops:
            check_residual(self.loop_residual, findings)
        return tuple(findings)

    @property
    def loop_residual(self) -> Floats:
        """How far loops are from closed (m,), in m and rad, where a motion can close them."""
        return satisfiable_residual(self.mechanism, self.q)

    @property
    def state(self) -> SimulationState:
        """All that the continuation depends on; assign it to continue from there, to the last bit."""
        return SimulationState(
            engine=self.engine.saved(),
            commands=self._drives.commands.copy(),
            speeds=self._dynamics.crawlers.speeds.copy(),
            touching=self._dynamics.touching,
            carried_out=self._dynamics.carried_out,
            samplers=self.sampling.saved(),
            left_out=dict(self._left_out.depths),
            excluded=self.model.exclude_signature.copy(),
            attachments=self._attachments.saved(),
        )

    @state.setter
    def state(self, state: SimulationState) -> None:
        dynamics = self._dynamics
        self.engine.restore(state.engine)
        self._drives.set(state.commands)
        dynamics.crawlers.speeds[:] = state.speeds
        dynamics.crawlers.changed()
        dynamics.touching, dynamics.carried_out = state.touching, state.carried_out
        self.sampling.restore(state.samplers)
        self._left_out.depths = dict(state.left_out)
        self.model.exclude_signature[:] = state.excluded
        self._attachments.restore(state.attachments)
        dynamics.changed()

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
        now, speed = self.engine.state_of(begin if q is None else q, rate if v is None else v)
        if above is not None:
            if not np.isfinite(above):
                raise ValueError(f"the height above the floor is a finite number of m, not {above!r}")
            now = lifted(self.mechanism, now, above + (self.options.floor or 0.0))
        of_all = pose if pose is not None and self._keyframes.is_of_all else None
        self.engine.reset(None if of_all is None else self._keyframes.number(of_all))
        self._attachments.clear()
        if of_all is None or q is not None or above is not None:
            self.engine.place(now, speed)
        self._left_out.find()
        self._began, self._overlaps = self.data.qpos.copy(), None
        if of_all is None:
            self._drives.file.stay(self.data)
            if pose is not None:
                self._keyframes.control(pose, self._drives.file)
        self.commander.restart(now)
        self._dynamics.touching, self._dynamics.carried_out = False, False
        self.sampling.restart(0.0)
        if self.sampling:
            self.sampling.sample(0.0, self.timestep)

    @property
    def extent(self) -> float:
        """The size (m) of the model as its file has it, by MuJoCo's measure."""
        return self.engine.extent

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
        other = Simulation(replace(self._built, engine=self.engine.with_model(model)))
        other.state = self.state
        other.lights.take(self.lights)
        return other

    def place(self, q: Positions, v: ArrayLike | None = None) -> None:
        """Put everything into a state, at rest by default, at the present time; commands go on."""
        self._dynamics.place(*self.engine.state_of(q, v))

    # Links fixed to one another.

    def attach(self, link: str, other: str, pose: ArrayLike | None = None) -> None:
        """Fix a link to another one until ``detach``, as a gripper holds what it carries.

        ``pose`` (4, 4) is that of the second link in the first, by default the present one. At most 16
        pairs are attached at a time; ``reset`` detaches all.
        """
        if self._dynamics.held is not None:
            raise ValueError("links cannot be attached with loop_solver='exact'")
        self._attachments.attach(link, other, pose)
        self.changed()

    def detach(self, link: str, other: str) -> None:
        """Separate two links that were attached; KeyError if they were not."""
        self._attachments.detach((link, other))
        self.changed()

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
        self.commander.set_effort(values)

    def set_position(self, values: Values) -> None:
        """Command positions (rad, m): a mapping of joints to numbers, or an array (nq,).

        A joint with gains is driven toward them by its servo. A joint without gains has its motion
        prescribed: it is there after the next step, whatever force that takes, as in Choreonoid's high-gain
        mode.
        """
        self.commander.set_position(values)

    def set_velocity(self, values: Values) -> None:
        """Command velocities (rad/s, m/s; m/s of the surface for a track): a mapping, or an array (nv,).

        A joint with gains has them as the target of its servo; of a joint without gains the velocity is
        prescribed.
        """
        self.commander.set_velocity(values)

    def set_control(self, values: Mapping[str, Any]) -> None:
        """Set the controls of actuators of the file, by their names, in the units of the file.

        An actuator with several controls takes as many numbers. One that was switched off acts again.
        """
        self.commander.set_control(values)

    def joints_of_actuators(self, names: Iterable[str]) -> set[str]:
        """The joints that these actuators of the file move."""
        return self.commander.joints_of_actuators(names)

    def set_gains(self, stiffness: Values | float, damping: Values | float = 0.0) -> None:
        """Turn drives into servos: effort = command + stiffness (target − q) + damping (target rate − v).

        Stiffness in N·m/rad or N/m, damping in N·m·s/rad or N·s/m: numbers for all joints, or mappings.
        Zero for both makes a drive without servo of a joint. The target is first the present position.
        """
        self.commander.set_gains(stiffness, damping)

    def has_gains(self, joint: str) -> bool:
        """Whether a joint is driven by a servo (``set_gains``); KeyError for an unknown joint."""
        return self.commander.has_gains(joint)

    # Motion.

    def step(self, count: int = 1) -> None:
        """Advance by this many steps; SimulationError if the motion becomes infinite."""
        if count < 0:
            raise ValueError(f"the number of steps must not be negative, got {count}")
        while count:
            part = min(count, self._steps_to_sample()) if self.sampling else count
            self._dynamics.advance(part)
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
                self._dynamics.advance_by_stages(lambda: control(self))
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
        self._dynamics.refresh()

    def changed(self) -> None:
        """Tell that ``model`` or ``data`` were written to."""
        self._dynamics.changed()

    def _steps_to_sample(self) -> int:
        wait = (self.sampling.next_due() - self.time) / self.timestep
        return max(1, int(np.ceil(wait - 1e-6))) if np.isfinite(wait) else 1 << 30


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
