"""Devices: sensors and lights fixed to a link.

Every device has its own frame: cameras look along −Z with Y up, range sensors face −Z
and turn (yaw) about Y.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from unibody.model.metadata import refers, unit
from unibody.model.pose import IDENTITY, Pose, Vector3
from unibody.model.shape import Color
from unibody.text.node import Node
from unibody.text.source import Span

UNLIMITED: Vector3 = (math.inf, math.inf, math.inf)

ImageType = Literal[
    "color", "depth", "color_depth", "point_cloud", "color_point_cloud", "mono", "mono_depth", "none"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerometer:
    """Acceleration sensor; largest readings per axis in m/s²."""

    max_acceleration: Vector3 = field(default=UNLIMITED, metadata=unit("m/s²"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Gyro:
    """Angular velocity sensor; largest readings per axis in rad/s."""

    max_angular_velocity: Vector3 = field(default=UNLIMITED, metadata=unit("rad/s"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Imu:
    """Acceleration (m/s²) and angular velocity (rad/s) sensor in one."""

    max_acceleration: Vector3 = field(default=UNLIMITED, metadata=unit("m/s²"))
    max_angular_velocity: Vector3 = field(default=UNLIMITED, metadata=unit("rad/s"))


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceTorque:
    """Force (N) and torque (N·m) sensor; largest readings per axis."""

    max_force: Vector3 = field(default=UNLIMITED, metadata=unit("N"))
    max_torque: Vector3 = field(default=UNLIMITED, metadata=unit("N·m"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """Camera or range camera; angles in rad, distances in m, rates in Hz.

    ``field_of_view`` is across the shorter side of the image. The last four fields
    describe the depth measurement of a range camera.
    """

    image: ImageType = "color"
    lens: Literal["normal", "fisheye", "dual_fisheye"] = "normal"
    width: int = 640
    height: int = 480
    field_of_view: float = field(default=math.pi / 4, metadata=unit("rad"))
    near: float = field(default=0.04, metadata=unit("m"))
    far: float = field(default=200.0, metadata=unit("m"))
    frame_rate: float = field(default=30.0, metadata=unit("Hz"))
    min_distance: float | None = field(default=None, metadata=unit("m"))
    max_distance: float | None = field(default=None, metadata=unit("m"))
    detection_rate: float | None = None
    error_deviation: float | None = field(default=None, metadata=unit("m"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeSensor:
    """Scanning distance sensor; angles in rad, distances in m, rate in Hz."""

    min_yaw: float = field(default=0.0, metadata=unit("rad"))
    max_yaw: float = field(default=0.0, metadata=unit("rad"))
    yaw_step: float = field(default=1.0, metadata=unit("rad"))
    min_pitch: float = field(default=0.0, metadata=unit("rad"))
    max_pitch: float = field(default=0.0, metadata=unit("rad"))
    pitch_step: float = field(default=1.0, metadata=unit("rad"))
    min_distance: float = field(default=0.1, metadata=unit("m"))
    max_distance: float = field(default=10.0, metadata=unit("m"))
    scan_rate: float = field(default=10.0, metadata=unit("Hz"))
    detection_rate: float = 1.0
    error_deviation: float = field(default=0.0, metadata=unit("m"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PointLight:
    """Light in all directions; attenuation is constant, linear, quadratic."""

    color: Color = (1.0, 1.0, 1.0)
    intensity: float = 1.0
    ambient: float = 0.0
    attenuation: Vector3 = (1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotLight:
    """Light in a cone about ``direction``; angles in rad."""

    color: Color = (1.0, 1.0, 1.0)
    intensity: float = 1.0
    ambient: float = 0.0
    attenuation: Vector3 = (1.0, 0.0, 0.0)
    direction: Vector3 = (0.0, 0.0, -1.0)
    beam_width: float = field(default=math.pi / 2, metadata=unit("rad"))
    cut_off_angle: float = field(default=math.pi / 4, metadata=unit("rad"))
    cut_off_exponent: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectionalLight:
    """Parallel light along ``direction``."""

    color: Color = (1.0, 1.0, 1.0)
    intensity: float = 1.0
    ambient: float = 0.0
    direction: Vector3 = (0.0, 0.0, -1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opaque:
    """Any other device: its kind in its own format, and its data kept as written."""

    kind: str
    data: Node = field(default_factory=Node)


Spec: TypeAlias = (
    Accelerometer
    | Gyro
    | Imu
    | ForceTorque
    | Camera
    | RangeSensor
    | PointLight
    | SpotLight
    | DirectionalLight
    | Opaque
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A device on a link; ``id`` is None when the file gives none."""

    name: str
    link: str = field(metadata=refers("links"))
    spec: Spec
    pose: Pose = IDENTITY
    id: int | None = None
    on: bool = True
    at: Span | None = field(default=None, compare=False, repr=False)
