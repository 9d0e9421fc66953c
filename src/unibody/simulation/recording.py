"""Runs a simulation under a control and records it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from unibody.model.arrays import Floats, Pixels
from unibody.motions.motion import Motion
from unibody.simulation.cameras import CameraView
from unibody.simulation.commander import Commander
from unibody.simulation.commanding import commanding
from unibody.simulation.contacts import Contacts
from unibody.simulation.control import Control, Program, control_of
from unibody.simulation.dynamics import steps_of
from unibody.simulation.record import ContactHistory, PictureHistory, Record

#: Rows of a record in a second.
RATE = 100.0


class Recordable(Protocol):
    """What a recorder records and a control commands: a simulation."""

    @property
    def commander(self) -> Commander:
        """What commands the joints, and the engine that these move."""

    @property
    def sensors(self) -> Mapping[str, Any]:
        """The readings of the sensors by name."""

    @property
    def cameras(self) -> Mapping[str, CameraView]:
        """The cameras by name."""

    @property
    def contacts(self) -> Contacts:
        """The contacts of the present state."""

    def step(self, count: int = 1) -> None:
        """Advance by this many steps."""


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

    def __init__(self, simulation: Recordable, rate: float = RATE, cameras: Collection[str] = ()) -> None:
        if not rate > 0.0:
            raise ValueError(f"the rate of a record must be positive, not {rate!r}")
        self.simulation = simulation
        self._engine = simulation.commander.engine
        self.every = max(1, round(1.0 / (rate * self._engine.timestep)))
        self._sensors = list(simulation.sensors)
        self._links = {link.name: place for place, link in enumerate(self._engine.robot.solids)}
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
            control = control_of(control, self._engine.mechanism)
        command = commanding(simulation.commander, control, hold)
        count = steps_of(seconds, self._engine.timestep)
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
        simulation, engine = self.simulation, self._engine
        time = engine.time
        sensors = {name: np.array(simulation.sensors[name], np.float64) for name in self._sensors}
        for film in self._films.values():
            film.take(time, engine.timestep)
        effort = simulation.commander.dynamics.effort()
        # One assignment, so that an interrupt leaves whole rows.
        self._rows.append(_Row(time, engine.q, engine.v, effort, sensors, simulation.contacts))

    def record(self, finished: bool = True) -> Record:
        """What was recorded; ``finished`` False marks a run that was interrupted."""
        rows = list(self._rows)
        if not rows:
            self.note()
            rows = list(self._rows)
        return Record(
            robot=self._engine.robot,
            times=np.array([row.time for row in rows]),
            q=np.stack([row.q for row in rows]),
            v=np.stack([row.v for row in rows]),
            effort=np.stack([row.effort for row in rows]),
            sensors={name: np.stack([row.sensors[name] for row in rows]) for name in self._sensors},
            contacts=self._contacts(rows),
            pictures={name: film.pictures() for name, film in self._films.items()},
            step=self._engine.timestep,
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
