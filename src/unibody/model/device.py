"""Devices: sensors and lights fixed to a link.

Every device has its own frame: cameras look along −Z with Y up, range sensors face −Z and turn (yaw)
about Y. ``kind`` names the type of device for people; ``measures`` of a sensor declares its reading.
"""

from __future__ import annotations

import math
from dataclasses import field
from typing import ClassVar, Literal, TypeAlias

from unibody.model.metadata import INFINITE, concerns, refers, unit
from unibody.model.pose import IDENTITY, Pose, Vector3
from unibody.model.shape import Color, Vector2
from unibody.text.dataclass import dataclass
from unibody.text.node import Node
from unibody.text.source import Span

UNLIMITED: Vector3 = (math.inf, math.inf, math.inf)

ImageType = Literal[
    "color", "depth", "color_depth", "point_cloud", "color_point_cloud", "mono", "mono_depth", "none"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A part of a sensor's reading: its name, unit and number of values.

    ``largest`` is the field of the sensor with the largest readings, "" if there is none. A ``size`` of 0
    depends on the device.
    """

    name: str
    unit: str
    size: int
    largest: str = ""


_ACCELERATION = Quantity(name="acceleration", unit="m/s²", size=3, largest="max_acceleration")
_TURN = Quantity(name="angular velocity", unit="rad/s", size=3, largest="max_angular_velocity")


@dataclass(frozen=True, slots=True, kw_only=True)
class Accelerometer:
    """Acceleration sensor; largest readings per axis in m/s²."""

    kind: ClassVar[str] = "accelerometer"
    measures: ClassVar[tuple[Quantity, ...]] = (_ACCELERATION,)
    max_acceleration: Vector3 = field(default=UNLIMITED, metadata=unit("m/s²") | INFINITE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Gyro:
    """Angular velocity sensor; largest readings per axis in rad/s."""

    kind: ClassVar[str] = "gyro"
    measures: ClassVar[tuple[Quantity, ...]] = (_TURN,)
    max_angular_velocity: Vector3 = field(default=UNLIMITED, metadata=unit("rad/s") | INFINITE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Imu:
    """Inertial measurement unit; largest readings per axis in m/s² and rad/s."""

    kind: ClassVar[str] = "IMU"
    measures: ClassVar[tuple[Quantity, ...]] = (_TURN, _ACCELERATION)
    max_acceleration: Vector3 = field(default=UNLIMITED, metadata=unit("m/s²") | INFINITE)
    max_angular_velocity: Vector3 = field(default=UNLIMITED, metadata=unit("rad/s") | INFINITE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ForceTorque:
    """Force (N) and torque (N·m) sensor; largest readings per axis."""

    kind: ClassVar[str] = "force-torque sensor"
    measures: ClassVar[tuple[Quantity, ...]] = (
        Quantity(name="force", unit="N", size=3, largest="max_force"),
        Quantity(name="torque", unit="N·m", size=3, largest="max_torque"),
    )
    max_force: Vector3 = field(default=UNLIMITED, metadata=unit("N") | INFINITE)
    max_torque: Vector3 = field(default=UNLIMITED, metadata=unit("N·m") | INFINITE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactSwitch:
    """Switch that closes while the shapes of its link are touched; ``threshold`` in N.

    The reading is 1 while the normal forces of all contacts of the link add up to more than ``threshold``,
    else 0. The pose of the device only says where it is drawn.
    """

    kind: ClassVar[str] = "contact switch"
    measures: ClassVar[tuple[Quantity, ...]] = (Quantity(name="contact", unit="", size=1),)
    threshold: float = field(default=0.0, metadata=unit("N"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """Camera or range camera; angles in rad, distances in m, rates in Hz.

    ``field_of_view`` is across the shorter side of the image, for square pixels, and gives the focal length
    up the image; that across it is ``focal_ratio`` times as many pixels. The optical axis meets the image
    at ``principal_offset`` from its middle, in pixels to the right and down. With an ``orthographic_span``
    the lens is orthographic, and sees so much across the shorter side, whatever the field of view. A
    fisheye lens has none of these three. The last four fields describe the depth measurement of a range
    camera.
    """

    kind: ClassVar[str] = "camera"
    image: ImageType = "color"
    lens: Literal["normal", "fisheye", "dual_fisheye"] = "normal"
    width: int = 640
    height: int = 480
    field_of_view: float = field(default=math.pi / 4, metadata=unit("rad"))
    focal_ratio: float = 1.0
    principal_offset: Vector2 = field(default=(0.0, 0.0), metadata=unit("px"))
    orthographic_span: float | None = field(default=None, metadata=unit("m"))
    near: float = field(default=0.04, metadata=unit("m"))
    far: float = field(default=200.0, metadata=unit("m"))
    frame_rate: float = field(default=30.0, metadata=unit("Hz"))
    min_distance: float | None = field(default=None, metadata=unit("m"))
    max_distance: float | None = field(default=None, metadata=unit("m"))
    detection_rate: float | None = None
    error_deviation: float | None = field(default=None, metadata=unit("m"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RangeSensor:
    """Scanning distance sensor; angles in rad, distances in m, rate in Hz.

    A step of 0 is one sample in that direction.
    """

    kind: ClassVar[str] = "range sensor"
    measures: ClassVar[tuple[Quantity, ...]] = (Quantity(name="distance", unit="m", size=0),)
    min_yaw: float = field(default=0.0, metadata=unit("rad"))
    max_yaw: float = field(default=0.0, metadata=unit("rad"))
    yaw_step: float = field(default=1.0, metadata=unit("rad"))
    min_pitch: float = field(default=0.0, metadata=unit("rad"))
    max_pitch: float = field(default=0.0, metadata=unit("rad"))
    pitch_step: float = field(default=0.0, metadata=unit("rad"))
    min_distance: float = field(default=0.1, metadata=unit("m"))
    max_distance: float = field(default=10.0, metadata=unit("m") | INFINITE)
    scan_rate: float = field(default=10.0, metadata=unit("Hz"))
    detection_rate: float = 1.0
    error_deviation: float = field(default=0.0, metadata=unit("m"))


@dataclass(frozen=True, slots=True, kw_only=True)
class PointLight:
    """Light in all directions; attenuation is constant, linear, quadratic."""

    kind: ClassVar[str] = "point light"
    color: Color = (1.0, 1.0, 1.0)
    intensity: float = 1.0
    ambient: float = 0.0
    attenuation: Vector3 = (1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpotLight:
    """Light in a cone about ``direction``; angles in rad."""

    kind: ClassVar[str] = "spot light"
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

    kind: ClassVar[str] = "directional light"
    color: Color = (1.0, 1.0, 1.0)
    intensity: float = 1.0
    ambient: float = 0.0
    direction: Vector3 = (0.0, 0.0, -1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opaque:
    """A device of any other kind, named as in its file; ``data`` is kept as written."""

    kind: str
    data: Node = field(default_factory=Node)


Spec: TypeAlias = (
    Accelerometer
    | Gyro
    | Imu
    | ForceTorque
    | ContactSwitch
    | Camera
    | RangeSensor
    | PointLight
    | SpotLight
    | DirectionalLight
    | Opaque
)


def quantities(spec: Spec) -> tuple[Quantity, ...]:
    """The parts of a sensor's reading, in its order; none for a device that measures nothing.

    >>> [quantity.name for quantity in quantities(Imu())]
    ['angular velocity', 'acceleration']
    """
    measures: tuple[Quantity, ...] = getattr(type(spec), "measures", ())
    return measures


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """A device on a link; ``id`` is None if the file does not number it."""

    name: str
    link: str = field(metadata=refers("links"))
    spec: Spec
    pose: Pose = IDENTITY
    id: int | None = field(default=None, metadata=concerns("numbering"))
    on: bool = True
    at: Span | None = field(default=None, compare=False, repr=False)
