"""Runs a simulation under a control and records it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unibody.model.arrays import Floats, Pixels
from unibody.model.joint_kind import KINDS
from unibody.motions.motion import Motion
from unibody.simulation.control import Control, Mode, Program, control_of
from unibody.simulation.control_file import ControlError, reason
from unibody.simulation.record import ContactHistory, PictureHistory, Record
from unibody.simulation.simulation import Simulation, steps_of

if TYPE_CHECKING:
    from unibody.simulation.cameras import CameraView


#: Rows of a record in a second.
RATE = 100.0


@dataclass(frozen=True, slots=True)
class _Row:
    time: float
    q: Floats
    v: Floats
    effort: Floats
    sensors: dict[str, Floats]
    contacts: Any


class _Film:
    """The pictures of a camera that were taken."""

    def __init__(self, camera: CameraView) -> None:
        self._camera = camera
        self._times: list[float] = []
        self._frames: list[Pixels] = []
        self._due = -math.inf

    def take(self, time: float, step: float) -> None:
        """Take a picture if one is due."""
        if time + 0.5 * step < self._due:
            return
        rate = self._camera.spec.frame_rate
        frame = self._camera.color()
        self._due = (math.floor((time + 0.5 * step) * rate) + 1.0) / rate if rate > 0.0 else math.inf
        self._frames.append(frame)
        self._times.append(time)

    def pictures(self) -> PictureHistory:
        count = min(len(self._times), len(self._frames))
        width, height = self._camera.size
        pixels = np.stack(self._frames[:count]) if count else np.zeros((0, height, width, 3), np.uint8)
        return PictureHistory(times=np.array(self._times[:count]), pixels=pixels)


class Recorder:
    """Records a simulation: ``note`` adds a row, ``record`` gives what was recorded so far.

    ``rate`` is the number of rows in a second. Pictures of the ``cameras`` named are taken at the first row
    of each period of their frame rates; RenderingError where none can be drawn.

    >>> import unibody as ub
    >>> stone = ub.load("src/unibody/models/biped.body")
    >>> recorder = Recorder(ub.simulate(stone))  # doctest: +SKIP
    >>> recorder.run(0.5)  # doctest: +SKIP
    >>> len(recorder.record())  # doctest: +SKIP
    51
    """

    def __init__(self, simulation: Simulation, rate: float = RATE, cameras: Collection[str] = ()) -> None:
        if not rate > 0.0:
            raise ValueError(f"the rate of a record must be positive, not {rate!r}")
        self.simulation = simulation
        self.every = max(1, round(1.0 / (rate * simulation.timestep)))
        self._sensors = list(simulation.sensors)
        self._links = {link.name: place for place, link in enumerate(simulation.robot.solids)}
        self._rows: list[_Row] = []
        self._films = {name: _Film(simulation.cameras[name]) for name in cameras}

    def run(
        self,
        seconds: float,
        control: Motion | Control | Program | None = None,
        *,
        hold: bool = False,
        progress: Callable[[float], object] | None = None,
    ) -> None:
        """Advance by a time, and record it; ``control`` commands joints before each step.

        A motion commands its positions, or its velocities or efforts if it has none; MotionError if it has
        no times.
        With ``hold``, joints that no control commands are held where they are. ``progress`` is called with
        the share of the time that has passed.
        """
        simulation = self.simulation
        if isinstance(control, Motion):
            control = control_of(control, simulation.mechanism)
        command = commanding(simulation, control, hold)
        count = steps_of(seconds, simulation.timestep)
        if command is not None and count:
            command(simulation)
        if not self._rows:
            self.note()
        for done in range(0, count, self.every):
            part = min(self.every, count - done)
            if command is None:
                simulation.step(part)
            else:
                for ahead in range(count - done - 1, count - done - 1 - part, -1):
                    simulation.step()
                    # Forces of a moment are those under the commands of the step that begins there.
                    if ahead or isinstance(control, Control):
                        command(simulation)
            self.note()
            if progress is not None:
                progress((done + part) / count)

    def note(self) -> None:
        """Add the present state."""
        simulation = self.simulation
        time = simulation.time
        sensors = {name: np.array(simulation.sensors[name], np.float64) for name in self._sensors}
        for film in self._films.values():
            film.take(time, simulation.timestep)
        # One assignment, so that an interrupt leaves whole rows.
        self._rows.append(
            _Row(time, simulation.q, simulation.v, simulation.effort, sensors, simulation.contacts)
        )

    def record(self, finished: bool = True) -> Record:
        """What was recorded; ``finished`` False marks a run that was interrupted."""
        rows = list(self._rows)
        if not rows:
            self.note()
            rows = list(self._rows)
        return Record(
            robot=self.simulation.robot,
            times=np.array([row.time for row in rows]),
            q=np.stack([row.q for row in rows]),
            v=np.stack([row.v for row in rows]),
            effort=np.stack([row.effort for row in rows]),
            sensors={name: np.stack([row.sensors[name] for row in rows]) for name in self._sensors},
            contacts=self._contacts(rows),
            pictures={name: film.pictures() for name, film in self._films.items()},
            step=self.simulation.timestep,
            finished=finished,
        )

    def _contacts(self, rows: list[_Row]) -> ContactHistory:
        counts = [len(row.contacts) for row in rows]
        pairs = [pair for row in rows for pair in row.contacts.links]

        def joined(name: str, *shape: int) -> Floats:
            parts = [np.asarray(getattr(row.contacts, name)).reshape(-1, *shape) for row in rows]
            return np.concatenate(parts, dtype=np.float64)

        return ContactHistory(
            begins=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            links=np.array(
                [[self._links.get(name, -1) for name in pair] for pair in pairs], np.int64
            ).reshape(-1, 2),
            points=joined("points", 3),
            forces=joined("forces", 3),
            depths=joined("depths"),
        )


def commanding(
    simulation: Simulation, control: Control | Program | None, hold: bool = False
) -> Program | None:
    """The function that commands a simulation before each step; None without commands.

    Times of a control are counted from its first row. With ``hold``, joints without a command are held
    where they are now, besides those that loops or couplings move.
    """
    if hold:
        simulation.set_position(_held(simulation, control))
    if control is None:
        return None
    if not isinstance(control, Control):
        return _guarded(control)
    begin = control.begin - simulation.time
    kinds = {joint.name: joint.kind for joint in simulation.robot.joints}
    tracks = [i for i, (name, _) in enumerate(control.columns) if kinds[name] == "track"]
    driven = [i for i in range(len(control.columns)) if i not in tracks]
    tell = {
        "position": simulation.set_position,
        "velocity": simulation.set_velocity,
        "effort": simulation.set_effort,
    }[control.mode]
    # An array of all joints is told in a fraction of the time of a mapping.
    whole = _whole(simulation, control, hold)
    places = _places(simulation, control, control.mode)
    joints: dict[str, list[int]] = {}
    for index in sorted(driven, key=lambda i: control.columns[i][1]):
        joints.setdefault(control.columns[index][0], []).append(index)
    ahead = 0.0 if control.mode == "effort" else simulation.timestep
    servos = _servos(simulation, control, joints)
    rates = np.zeros(simulation.mechanism.nv) if whole is not None and len(servos) == len(joints) else None
    turning = _places(simulation, control, "velocity") if rates is not None else places

    def command(simulation: Simulation) -> None:
        # Positions and velocities are those at the end of the step.
        values = control.at(begin + simulation.time + ahead)
        if whole is not None:
            whole[places[driven]] = values[driven]
            tell(whole)
        elif driven:
            tell({name: values[at] for name, at in joints.items()})
        if servos:
            targets = control.rate(begin + simulation.time + ahead)
            if rates is not None:
                rates[turning[driven]] = targets[driven]
                simulation.set_velocity(rates)
            else:
                simulation.set_velocity({name: targets[at] for name, at in servos.items()})
        if tracks:
            simulation.set_velocity({control.columns[i][0]: float(values[i]) for i in tracks})
        if controls := control.controls(begin + simulation.time):
            simulation.set_control(controls)

    return command


def _servos(
    simulation: Simulation, control: Control, joints: Mapping[str, list[int]]
) -> dict[str, list[int]]:
    """The joints whose servos follow the rates of a control of positions, and their columns."""
    if control.mode != "position":
        return {}
    return {name: at for name, at in joints.items() if simulation.has_gains(name)}


def _guarded(program: Program) -> Program:
    """The program; ControlError with its file and line if it fails."""

    def command(simulation: Simulation) -> None:
        try:
            program(simulation)
        except Exception as error:
            raise ControlError(reason(error)) from error

    return command


def _places(simulation: Simulation, control: Control, mode: Mode) -> NDArray[np.intp]:
    """The place of each column in q, or in v."""
    mechanism = simulation.mechanism
    starts = mechanism.idx_q if mode == "position" else mechanism.idx_v
    by_name = dict(zip(mechanism.joint_names, starts.tolist(), strict=True))
    return np.array([by_name[name] + part for name, part in control.columns], np.intp)


def _whole(simulation: Simulation, control: Control, hold: bool) -> Floats | None:
    """Numbers for all joints, if the columns and the joints that are held are all that have a drive."""
    held = _held(simulation, control) if hold and control.mode == "position" else {}
    commanded = {*control.joints, *held}
    driven = (j for j in simulation.robot.joints if KINDS[j.kind].nv)
    if any(j.name not in commanded or KINDS[j.kind].nq != 1 for j in driven):
        return None
    mechanism = simulation.mechanism
    return simulation.q if control.mode == "position" else np.zeros(mechanism.nv)


def _held(simulation: Simulation, control: Control | Program | None) -> dict[str, float]:
    """The present positions of the joints that something should hold, since no control commands them."""
    robot, mechanism = simulation.robot, simulation.mechanism
    commanded: set[str] = set()
    if isinstance(control, Control):
        commanded = {*control.joints, *simulation.joints_of_actuators(control.motion.controls)}
    led = {coupling.joint for coupling in robot.couplings}
    moved = _in_loops(robot)
    q = simulation.q
    return {
        joint.name: float(q[place])
        for joint, place in zip(robot.joints, mechanism.idx_q.tolist(), strict=True)
        if KINDS[joint.kind].nq == 1
        and joint.name not in led
        and joint.name not in moved
        and joint.name not in commanded
    }


def _in_loops(robot: Any) -> set[str]:
    """The joints between the links that loops tie together: to hold them all may contradict the loops."""
    above = {joint.child: joint for joint in robot.joints}

    def chain(link: str) -> list[str]:
        names = []
        while link in above:
            names.append(above[link].name)
            link = above[link].parent
        return names

    moved: set[str] = set()
    for loop in robot.loops:
        moved |= set(chain(loop.link_a)) ^ set(chain(loop.link_b))
    return moved
