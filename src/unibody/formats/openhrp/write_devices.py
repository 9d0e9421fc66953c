"""Writes devices as OpenHRP's nodes (facts B.7), the inverse of ``sensors``."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from unibody.formats.cannot import FARTHEST
from unibody.formats.extras import held
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.leftovers import named_copy, read_back, respelled
from unibody.formats.openhrp.names import define
from unibody.formats.openhrp.sensors import IMAGES
from unibody.formats.openhrp.write_shapes import place
from unibody.formats.tidy import tidy
from unibody.model import device as m
from unibody.model.changes.joints import free_name
from unibody.model.pose import Pose, Vector3, from_axis_angle
from unibody.model.robot import Robot
from unibody.text.node import Item

_TYPES = {image: word for word, image in IMAGES.items()}


def single_sensors(robot: Robot) -> Robot:
    """Replace each IMU by an acceleration sensor with its name and a gyro.

    An id that another sensor of the kind has is replaced by the next free one.
    """
    if not any(isinstance(x.spec, m.Imu) for x in robot.devices):
        return robot
    taken = {x.name for x in robot.devices}
    accelerations = {x.id for x in robot.devices if isinstance(x.spec, m.Accelerometer)}
    velocities = {x.id for x in robot.devices if isinstance(x.spec, m.Gyro)}
    out: list[m.Device] = []
    for x in robot.devices:
        if not isinstance(x.spec, m.Imu):
            out.append(x)
            continue
        gyro = free_name(f"{x.name}_gyro", taken)
        taken.add(gyro)
        acceleration, velocity = x.spec.max_acceleration, x.spec.max_angular_velocity
        first = m.Accelerometer(max_acceleration=acceleration)
        out.append(replace(x, spec=first, id=_free_id(x.id, accelerations)))
        second = m.Gyro(max_angular_velocity=velocity)
        out.append(replace(x, name=gyro, spec=second, id=_free_id(x.id, velocities)))
    return replace(robot, devices=tuple(out))


def _free_id(wanted: int | None, taken: set[int | None]) -> int | None:
    """The next free id from ``wanted`` on; None and negative ids are unchanged."""
    if wanted is None or wanted < 0:
        return wanted
    made = wanted
    while made in taken:
        made += 1
    taken.add(made)
    return made


def facing_ahead(robot: Robot) -> Robot:
    """Rotate range sensors to the center of their scan: a file has only the full angle."""

    def turned(x: m.Device) -> m.Device:
        scan = x.spec
        if not isinstance(scan, m.RangeSensor) or scan.min_yaw == -scan.max_yaw:
            return x
        middle, half = (scan.min_yaw + scan.max_yaw) / 2.0, (scan.max_yaw - scan.min_yaw) / 2.0
        turn = from_axis_angle((0.0, 1.0, 0.0), middle)
        assert turn is not None
        return replace(x, pose=x.pose @ Pose(quat=turn), spec=replace(scan, min_yaw=-half, max_yaw=half))

    made = tuple(turned(x) for x in robot.devices)
    same = all(a is b for a, b in zip(made, robot.devices, strict=True))
    return robot if same else replace(robot, devices=made)


def device(x: m.Device, extras: list[Item], by_device_id: bool) -> d.Device | None:
    """The node of a device; None if OpenHRP does not support it.

    ``by_device_id``: write the id as ``deviceId``, which all devices of a kind must then do.
    """
    made: Any = _spec(x.spec)
    if made is None:
        return None
    define(made, x.name)
    place(made, x.pose)
    number = -1 if x.id is None or x.id < 0 else x.id
    if by_device_id:
        made.device_id = number
    else:
        made.sensor_id = number
    if not x.on and hasattr(made, "on"):
        made.on = False
    made.rest.extend(extras)
    node: d.Device = made
    return node


def kind_of(x: m.Device) -> str:
    """The type name of a device's node, "" if OpenHRP does not support it."""
    made = _spec(x.spec)
    return "" if made is None else made.tag


def _spec(spec: m.Spec) -> Any:
    match spec:
        case m.Accelerometer():
            return d.AccelerationSensor(max_acceleration=_limits(spec.max_acceleration))
        case m.Gyro():
            return d.Gyro(max_angular_velocity=_limits(spec.max_angular_velocity))
        case m.ForceTorque():
            return d.ForceSensor(max_force=_limits(spec.max_force), max_torque=_limits(spec.max_torque))
        case m.Camera():
            return d.VisionSensor(
                type=_TYPES[spec.image],
                field_of_view=spec.field_of_view,
                front_clip_distance=spec.near,
                back_clip_distance=spec.far,
                width=spec.width,
                height=spec.height,
                frame_rate=spec.frame_rate,
            )
        case m.RangeSensor():
            return _range_sensor(spec)
        case m.SpotLight():
            return d.SpotLightDevice(
                color=spec.color,
                intensity=spec.intensity,
                attenuation=spec.attenuation,
                direction=spec.direction,
                beam_width=spec.beam_width,
                cut_off_angle=spec.cut_off_angle,
                cut_off_exponent=spec.cut_off_exponent,
            )
        case m.Opaque():
            return _opaque(spec)
    return None


def _limits(values: Vector3) -> Vector3:
    """Maximum readings, −1 for unlimited."""
    x, y, z = (-1.0 if math.isinf(value) else value for value in values)
    return x, y, z


def _range_sensor(spec: m.RangeSensor) -> d.RangeSensor:
    return d.RangeSensor(
        scan_angle=tidy(2.0 * spec.max_yaw),
        scan_step=spec.yaw_step,
        scan_rate=spec.scan_rate,
        min_distance=spec.min_distance,
        max_distance=min(spec.max_distance, FARTHEST),
    )


def _opaque(spec: m.Opaque) -> d.Device | None:
    """An opaque device with its data; None if it does not come from OpenHRP."""
    cls = d.OWN.get(spec.kind)
    if cls is None or not issubclass(cls, d.OtherDevice | d.HardwareComponent):
        return None
    out = cls()
    out.tag = spec.kind
    data = named_copy(spec.data)
    if data is not None:
        respelled(data, cls)
        out.rest.extend(held(data, read_back))
    return out
