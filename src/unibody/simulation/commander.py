"""Commands of joints and actuators by name or as arrays: the drives carry them out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from unibody.mechanism import Mechanism
from unibody.model.arrays import Floats, Indices
from unibody.simulation.actuation import EFFORT, POSITION, VELOCITY
from unibody.simulation.dynamics import Dynamics
from unibody.text.counted import counted
from unibody.text.near import suggestion

#: Numbers by joint, or one for each entry of v (of q for positions).
Values = Mapping[str, Any] | ArrayLike


class Commander:
    """What commands the drives, the belts and the actuators of the file; ``Simulation`` describes how."""

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics, self.engine = dynamics, dynamics.engine
        self._drives, self._crawlers = dynamics.drives, dynamics.crawlers
        self._by_joint = _drives_by_joint(self.engine.mechanism, self.engine.layout.entries.tolist())

    def set_effort(self, values: Values) -> None:
        """Command efforts, (nv,) or by joint."""
        commands = self._drives.commands
        given = self._drives_of(values, "effort")
        for drive, value in given:
            commands.effort[drive] = value
            commands.mode[drive] = EFFORT
        self._take_over([drive for drive, _ in given])
        if not isinstance(values, Mapping):
            commands.turning[:] = np.asarray(values, np.float64)[self.engine.layout.turning[0]]
        self.dynamics.command()

    def set_position(self, values: Values) -> None:
        """Command positions, (nq,) or by joint."""
        self._target(values, POSITION)

    def set_velocity(self, values: Values) -> None:
        """Command velocities, (nv,) or by joint, also those of belts."""
        if isinstance(values, Mapping):
            belts = self._crawlers
            tracks = {name: value for name, value in values.items() if name in belts.names}
            values = {name: value for name, value in values.items() if name not in tracks}
            for name, value in tracks.items():
                belts.speeds[belts.names.index(name)] = _number(name, value)
            belts.changed()
        self._target(values, VELOCITY)

    def set_control(self, values: Mapping[str, Any]) -> None:
        """Set controls of actuators of the file."""
        file, robot = self._drives.file, self.engine.robot
        for name, value in values.items():
            if name not in file.names:
                hint = suggestion(name, file.names)
                raise KeyError(f"{robot.name!r} has no actuator {name!r}{hint}")
            place, numbers = file.controls(name), np.atleast_1d(np.asarray(value, np.float64))
            if numbers.shape != (place.stop - place.start,) or not np.isfinite(numbers).all():
                wanted = counted(place.stop - place.start, "finite number")
                raise ValueError(f"actuator {name!r} takes {wanted}, not {value!r}")
            self.engine.data.ctrl[place] = numbers
            self._drives.commands.off[file.names[name]] = False
        self._drives.changed()
        self.dynamics.changed()

    def joints_of_actuators(self, names: Iterable[str]) -> set[str]:
        """The joints that these actuators of the file move."""
        dofs = self._drives.file.dofs(names)
        at = [drive for drive, dof in enumerate(self.engine.layout.dofs.tolist()) if dof in dofs]
        return {name for name, drives in self._by_joint.items() if not set(drives).isdisjoint(at)}

    def set_gains(self, stiffness: Values | float, damping: Values | float = 0.0) -> None:
        """Turn drives into servos, for all joints or by joint; zero for both makes drives of them."""
        commands = self._drives.commands
        now = self.engine.q[self.engine.layout.positions]
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
        self.dynamics.command()

    def has_gains(self, joint: str) -> bool:
        """Whether a joint is driven by a servo; KeyError for an unknown joint."""
        self.engine.joint(joint)
        commands, drives = self._drives.commands, self._by_joint.get(joint, [])
        return any(commands.kp[drive] > 0.0 or commands.kd[drive] > 0.0 for drive in drives)

    def restart(self, q: Floats) -> None:
        """End all commands at q: efforts are 0, servos hold these positions, tracks stand still."""
        commands, belts, layout = self._drives.commands, self._crawlers, self.engine.layout
        commands.off = self._drives.file.on_dofs(layout.dofs[self._servos()])
        commands.mode[:] = EFFORT
        for array in (commands.effort, commands.velocity, commands.turning):
            array[:] = 0.0
        commands.position[:] = q[layout.positions]
        belts.speeds[:] = 0.0
        belts.changed()
        self.dynamics.command()

    def _servos(self) -> Indices:
        """The drives that have gains."""
        commands = self._drives.commands
        return np.flatnonzero((commands.kp > 0.0) | (commands.kd > 0.0))

    def _take_over(self, drives: Sequence[int]) -> None:
        """Switch off the file's actuators on the joints of drives that are commanded."""
        file = self._drives.file
        if file.count and len(drives):
            commands = self._drives.commands
            commands.off = commands.off | file.on_dofs(self.engine.layout.dofs[list(drives)])

    def _target(self, values: Values, mode: int) -> None:
        commands = self._drives.commands
        word = "position" if mode == POSITION else "velocity"
        given = self._drives_of(values, word)
        self._take_over([drive for drive, _ in given])
        for drive, value in given:
            (commands.position if mode == POSITION else commands.velocity)[drive] = value
            servo = commands.kp[drive] > 0.0 or commands.kd[drive] > 0.0
            commands.mode[drive] = EFFORT if servo else mode
        self.dynamics.carried_out = False
        self.dynamics.command()

    def _all(self, values: Values | float, what: str) -> Iterable[tuple[int, float]]:
        if np.ndim(values) == 0 and not isinstance(values, Mapping):  # type: ignore[arg-type]
            number = float(values)  # type: ignore[arg-type]
            return [(drive, number) for drive in range(len(self.engine.layout.entries))]
        return self._drives_of(values, what)

    def _drives_of(self, values: Values, what: str) -> list[tuple[int, float]]:
        """Drives and their numbers."""
        layout, mechanism = self.engine.layout, self.engine.mechanism
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
            joint = self.engine.joint(name)
            drives = self._by_joint.get(name, [])
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


def _number(name: str, value: Any) -> float:
    number = np.asarray(value, np.float64)
    if number.size != 1:
        raise ValueError(f"joint {name!r} takes one number, got shape {number.shape}")
    return float(number.reshape(()))


def _drives_by_joint(mechanism: Mechanism, entries: list[int]) -> dict[str, list[int]]:
    """The drives of each joint that has any."""
    found: dict[str, list[int]] = {}
    for drive, entry in enumerate(entries):
        joint = int(np.searchsorted(mechanism.idx_v, entry, side="right")) - 1
        found.setdefault(mechanism.joint_names[joint], []).append(drive)
    return found
