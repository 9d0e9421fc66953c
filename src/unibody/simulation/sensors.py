"""Sensors of a simulation, by their definitions: what each device of the robot measures in a state.

All axes are the sensor's own. Accelerations are those of the sensor's point, minus gravity; forces are
what the link exerts on its parent (facts, simulation 4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from unibody.formats.mjcf.engine import elements_of, names_of
from unibody.model.arrays import Floats
from unibody.model.device import (
    Accelerometer,
    ContactSwitch,
    Device,
    ForceTorque,
    Gyro,
    Imu,
    RangeSensor,
    Spec,
    quantities,
)
from unibody.model.robot import Robot
from unibody.model.traverse import path_of
from unibody.simulation.checks import has_mjcf
from unibody.simulation.contacts import pressing_force
from unibody.simulation.dynamics import Dynamics
from unibody.simulation.loops import point_acceleration
from unibody.simulation.rays import distances
from unibody.simulation.sampling import Samplers
from unibody.text.counted import counted, listed
from unibody.text.finding import Findings
from unibody.text.near import suggestion

# The sensors of MJCF that are devices, also without a name; and the devices that a finding names.
_DEVICES = frozenset(("accelerometer", "gyro", "force", "torque", "rangefinder", "contact"))
_NAMED = 8


def sensor_names(robot: Robot) -> tuple[str, ...]:
    """The names of the sensors in the MJCF file of a robot.

    >>> sensor_names(Robot(name="stone"))
    ()
    """
    if not has_mjcf(robot):
        return ()
    return names_of(robot, "sensor")


def force_senses(robot: Robot) -> dict[str, str]:
    """Which force each sensor of forces or torques reads, in words, by name.

    >>> from unibody.model.device import Device
    >>> felt = Device(name="felt", link="hand", spec=ForceTorque())
    >>> force_senses(Robot(name="r", devices=(felt,)))
    {'felt': 'force of hand on its parent'}
    """
    plain = _mujoco_forces(robot)
    out = dict.fromkeys(plain, "force of the parent, as in MuJoCo")
    for device in robot.devices:
        if isinstance(device.spec, ForceTorque):
            other = ", the negative of MuJoCo's reading" if device.name in plain else ""
            out[device.name] = f"force of {device.link} on its parent{other}"
    return out


def _mujoco_forces(robot: Robot) -> set[str]:
    """The names of the sensors of forces and torques in an MJCF file."""
    if not has_mjcf(robot):
        return set()
    nodes = elements_of(robot, "sensor")
    return {name for node in nodes if node.tag in ("force", "torque") and (name := node.word("name"))}


def check_signs(robot: Robot, findings: Findings) -> None:
    """Report force sensors of an MJCF file, which read with the other sign there, and unnamed sensors."""
    if not has_mjcf(robot):
        return
    plain = _mujoco_forces(robot)
    turned = [d.name for d in robot.devices if isinstance(d.spec, ForceTorque) and d.name in plain]
    if turned:
        findings.info(
            "simulation-force-sign",
            "force and torque are those that a link exerts on its parent, the negative of MuJoCo's: "
            f"{listed(map(repr, turned), _NAMED)}",
            None,
            "negate the readings to compare them with MuJoCo's",
            subject=path_of("devices", turned[0]),
        )
    nodes = elements_of(robot, "sensor")
    unnamed = sum(not node.word("name") for node in nodes if node.tag not in _DEVICES)
    if unnamed:
        findings.info(
            "simulation-sensor-unnamed",
            f"{counted(unnamed, 'sensor')} of the file without a name have no readings",
            None,
            "name them",
        )


class Sensors(Mapping[str, Any]):
    """Readings of the sensors by name, in SI units and in the sensor's axes.

    - gyro: angular velocity (3,) in rad/s
    - accelerometer: acceleration of its point minus gravity (3,) in m/s²: 9.80665 upward at rest
    - IMU: both (6,), the gyro first
    - force-torque sensor: force (3) in N and moment about its point (3) in N·m that the link exerts on its
      parent (6,): a foot on the floor reads an upward force
    - contact switch: 1.0 while the normal forces on its link add up to more than its threshold (N), else
      0.0 (1,)
    - range sensor: distances (n,) in m, pitch outer and yaw inner, both ascending; inf without a return

    Sensors of an MJCF file that are no such devices (touch, velocimeter, of frames, joints, actuators,
    subtrees) have MuJoCo's readings under their own names. Devices that are switched off have none.
    """

    def __init__(self, dynamics: Dynamics, seed: int) -> None:
        """``seed`` is that of their noise."""
        self._dynamics, self._engine = dynamics, dynamics.engine
        engine = self._engine
        layout, mechanism = engine.layout, engine.mechanism
        places = {device.link: layout.place(mechanism, device.link) for device in engine.robot.devices}
        self.devices: dict[str, Device] = {
            device.name: device
            for device in engine.robot.devices
            if quantities(device.spec) and device.on and places[device.link][0] >= 0
        }
        #: How those that are not ideal are read.
        self.sampling = Samplers(sorted(self.devices), self.measure, seed)
        model, named = engine.model, sensor_names(engine.robot)
        own = {model.sensor(i).name: i for i in range(model.nsensor)}
        #: The places in the engine's readings of the sensors of the file that are no devices.
        self._of_engine: dict[str, slice] = {}
        for name in named:
            if name in own and name not in self.devices:
                start, size = int(model.sensor_adr[own[name]]), int(model.sensor_dim[own[name]])
                self._of_engine[name] = slice(start, start + size)
        self._bodies = {name: places[device.link][0] for name, device in self.devices.items()}
        self._poses = {
            name: places[device.link][1] @ np.array(device.pose.matrix())
            for name, device in self.devices.items()
        }

    def __repr__(self) -> str:
        return f"<Sensors: {', '.join(self) or 'none'}>"

    def __iter__(self) -> Iterator[str]:
        return iter((*self.devices, *self._of_engine))

    def __len__(self) -> int:
        return len(self.devices) + len(self._of_engine)

    def __contains__(self, name: object) -> bool:
        return name in self.devices or name in self._of_engine

    def __getitem__(self, name: str) -> Any:
        if name in self._of_engine:
            self._dynamics.refresh()
            return np.array(self._engine.data.sensordata[self._of_engine[name]])
        self.device(name)
        return self.sampling.reading(name, self._engine.time, self._engine.timestep)

    def device(self, name: str) -> Device:
        """The device of a sensor; KeyError with the closest name otherwise."""
        found = self.devices.get(name)
        if found is None:
            robot = self._engine.robot
            if any(device.name == name and not device.on for device in robot.devices):
                raise KeyError(f"{name!r} of {robot.name!r} is switched off")
            if name in self._of_engine:
                raise KeyError(f"sensor {name!r} of {robot.name!r} is read by MuJoCo, and is no device")
            raise KeyError(f"{robot.name!r} has no sensor {name!r}{suggestion(name, tuple(self))}")
        return found

    def pose(self, name: str) -> Floats:
        """Pose of a sensor in the world, (4, 4)."""
        self.device(name)
        self._dynamics.refresh()
        return self._engine.pose(self._bodies[name], self._poses[name])

    def measure(self, name: str) -> Any:
        """The ideal reading of the present state, whatever rate, delay and noise the sensor has."""
        spec = self.device(name).spec
        place = Place(
            model=self._engine.model,
            data=self._engine.data,
            body=self._bodies[name],
            pose=self.pose(name),
        )
        return np.concatenate([part(place, spec) for part in _READINGS[type(spec)]])


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sensor is in a state of the engine: its body, and its ``pose`` (4, 4) in the world."""

    model: Any
    data: Any
    body: int
    pose: Floats


def _turn(place: Place, _: Spec) -> Floats:
    turn: Floats = place.pose[:3, :3].T @ place.data.cvel[place.body, :3]
    return turn


def _acceleration(place: Place, _: Spec) -> Floats:
    out: Floats = point_acceleration(place.model, place.data, place.body, place.pose[:3, 3])[:3]
    return place.pose[:3, :3].T @ out


def _wrench(place: Place, _: Spec) -> Floats:
    body, data, model = place.body, place.data, place.model
    if model.body_parentid[body] == 0 and model.body_dofnum[body] == 6:
        return np.zeros(6)  # a free root has no parent that it could push
    arm = place.pose[:3, 3] - data.subtree_com[model.body_rootid[body]]
    moment, force = data.cfrc_int[body, :3], data.cfrc_int[body, 3:]
    turn = place.pose[:3, :3].T
    return np.concatenate([-turn @ force, -turn @ (moment - np.cross(arm, force))])


def _contact(place: Place, spec: Spec) -> Floats:
    assert isinstance(spec, ContactSwitch)
    force = pressing_force(place.model, place.data, place.body)
    return np.array([1.0 if force > spec.threshold else 0.0])


def _distances(place: Place, spec: Spec) -> Floats:
    assert isinstance(spec, RangeSensor)
    return distances(place.model, place.data, place.pose, spec)


# The functions whose values make up the reading of each kind of sensor, in the order of its ``measures``.
_READINGS: dict[type[Spec], tuple[Callable[[Place, Any], Floats], ...]] = {
    Accelerometer: (_acceleration,),
    Gyro: (_turn,),
    Imu: (_turn, _acceleration),
    ForceTorque: (_wrench,),
    ContactSwitch: (_contact,),
    RangeSensor: (_distances,),
}
