"""Writes devices as sensors and lights; the inverse of ``sensors``."""

from __future__ import annotations

import math
from typing import TypeAlias

from unibody.formats.copied import copied
from unibody.formats.extras import held
from unibody.formats.sdf import document_sensors as d
from unibody.formats.sdf.sensors import FORWARD, NORMAL, SCANNER
from unibody.formats.sdf.write_poses import pose
from unibody.formats.sdf.write_versions import Version
from unibody.formats.tidy import tidy
from unibody.model.device import (
    Accelerometer,
    Camera,
    ContactSwitch,
    Device,
    DirectionalLight,
    ForceTorque,
    Gyro,
    Imu,
    Opaque,
    PointLight,
    RangeSensor,
    SpotLight,
)
from unibody.model.pose import UNIT_QUATERNION, Pose
from unibody.text.node import Item, Node
from unibody.text.xml.printer import print_xml

#: The type of sensor of each kind of image.
CAMERAS = {
    "color": "camera",
    "mono": "camera",
    "depth": "depth_camera",
    "point_cloud": "depth_camera",
    "color_depth": "rgbd_camera",
    "color_point_cloud": "rgbd_camera",
    "mono_depth": "rgbd_camera",
}
_WIDE = "wideanglecamera"
#: The types of sensors that Gazebo knows besides those of the model.
_KNOWN = frozenset(
    (
        "air_pressure",
        "air_speed",
        "altimeter",
        "boundingbox_camera",
        "camera",
        "custom",
        "depth",
        "depth_camera",
        "gps",
        "logical_camera",
        "magnetometer",
        "multicamera",
        "navsat",
        "rfid",
        "rfidtag",
        "rgbd_camera",
        "segmentation_camera",
        "sonar",
        "thermal",
        "thermal_camera",
        "wideanglecamera",
        "wireless_receiver",
        "wireless_transmitter",
    )
)
_MOST_SAMPLES = 10_000_000
_TURN = Pose(quat=FORWARD).inverse()

Element: TypeAlias = "d.Sensor | d.Light"


def element(
    device: Device, name: str, back: Pose, version: Version, touched: str | None = None, *, on_joint: bool
) -> Element | None:
    """The sensor or light that a device is; None for one that SDF has not.

    ``back`` is the frame of the model's link in that of the file, or in that of the joint for a sensor
    ``on_joint``. ``touched`` is the collision that a contact sensor looks at.
    """
    place = back @ device.pose
    match device.spec:
        case Camera() as camera if camera.image in CAMERAS and _sees(camera):
            out = d.Sensor(name=name, type=CAMERAS[camera.image], update_rate=camera.frame_rate)
            if camera.lens != "normal" and camera.image == "color":
                out.type = _WIDE
            out.cameras = [_camera(camera)]
            place = place @ _TURN
        case RangeSensor() as scanner:
            out = d.Sensor(name=name, type=SCANNER, update_rate=scanner.scan_rate, lidar=_lidar(scanner))
            place = place @ _TURN
        case Imu() | Accelerometer() | Gyro():
            out = d.Sensor(name=name, type="imu")
        case ForceTorque():
            out = d.Sensor(name=name, type="force_torque")
            if on_joint and device.pose.quat != UNIT_QUATERNION:
                out.force_torque = d.ForceTorque(frame="sensor")
        case ContactSwitch():
            out = d.Sensor(name=name, type="contact")
            out.contact = None if touched is None else d.ContactSensor(collision=touched)
        case Opaque(kind=kind, data=data) if kind in _KNOWN:
            node = copied(data)
            items = held(node, _printed) if isinstance(node, Node) else []
            out = d.Sensor(name=name, type=kind)
            out.rest = [item for item in items if item[0] not in ("type", "name", "pose")]
        case PointLight() | SpotLight() | DirectionalLight():
            return _light(device, name, place, version)
        case _:
            return None
    out.pose = pose(place, version)
    return out


def _printed(item: Item) -> str:
    """Print an item; ValueError if XML cannot represent it."""
    return print_xml(Node("sensor", [item]))


def _sees(spec: Camera) -> bool:
    return min(spec.width, spec.height, spec.near, spec.far) > 0 and 0.0 < spec.field_of_view < math.pi


def _camera(spec: Camera) -> d.Camera:
    view = spec.field_of_view
    if spec.width > spec.height or spec.focal_ratio != 1.0:
        wider = spec.width / min(spec.width, spec.height) / spec.focal_ratio
        view = 2.0 * math.atan(wider * math.tan(view / 2.0))
    image = d.CameraImage(width=spec.width, height=spec.height)
    image.given |= {"width", "height"}
    out = d.Camera(horizontal_fov=tidy(view), image=image, clip=_clip(spec.near, spec.far))
    out.given.add("horizontal_fov")
    out.lens = None if spec.lens != "normal" else _lens(spec)
    if CAMERAS[spec.image] == "depth_camera":
        out.noise = _noise(spec.error_deviation)
    reach = (spec.min_distance, spec.max_distance)
    is_deep = CAMERAS[spec.image] != "camera"
    if is_deep and reach not in ((spec.near, spec.far), (None, None)):
        near = spec.near if reach[0] is None else reach[0]
        far = spec.far if reach[1] is None else reach[1]
        out.depth_camera = d.DepthCamera(clip=_clip(near, far))
    return out


def _lens(spec: Camera) -> d.Lens | None:
    """The focal lengths and the optical axis in pixels; None where the field of view says all of it."""
    if spec.focal_ratio == 1.0 and spec.principal_offset == (0.0, 0.0):
        return None
    length = min(spec.width, spec.height) / (2.0 * math.tan(spec.field_of_view / 2.0))
    right, down = spec.principal_offset
    out = d.Intrinsics(
        fx=tidy(length * spec.focal_ratio),
        fy=tidy(length),
        cx=spec.width / 2.0 + right,
        cy=spec.height / 2.0 + down,
    )
    out.given |= {"fx", "fy", "cx", "cy"}
    return d.Lens(intrinsics=out)


def _noise(deviation: float | None) -> d.Noise | None:
    """Normal noise of distances; None without one."""
    if deviation is None or not math.isfinite(deviation):
        return None
    out = d.Noise(type=NORMAL, stddev=deviation)
    out.given |= {"type", "stddev"}
    return out


def _clip(near: float, far: float) -> d.Clip:
    out = d.Clip(near=near, far=far)
    out.given |= {"near", "far"}
    return out


def _lidar(spec: RangeSensor) -> d.Lidar:
    reach = d.LidarRange(min=spec.min_distance, max=spec.max_distance)
    reach.given |= {"min", "max"}
    scan = d.LidarScan(
        horizontal=_sweep(spec.min_yaw, spec.max_yaw, spec.yaw_step),
        vertical=_sweep(spec.min_pitch, spec.max_pitch, spec.pitch_step),
    )
    if scan.horizontal is None:
        scan.horizontal = d.Sweep()
        scan.horizontal.given |= {"samples", "min_angle", "max_angle"}
    return d.Lidar(scan=scan, range=reach, noise=_noise(spec.error_deviation or None))


def _sweep(low: float, high: float, step: float) -> d.Sweep | None:
    if low == high == 0.0:
        return None
    count = round((high - low) / step) + 1 if step > 0.0 else 1
    out = d.Sweep(samples=max(1, min(count, _MOST_SAMPLES)), min_angle=low, max_angle=high)
    out.given |= {"samples", "min_angle", "max_angle"}
    return out


def _light(device: Device, name: str, place: Pose, version: Version) -> d.Light:
    spec = device.spec
    assert isinstance(spec, PointLight | SpotLight | DirectionalLight)
    out = d.Light(name=name, type="point", pose=pose(place, version), diffuse=(*spec.color, 1.0))
    out.given |= {"type", "diffuse"}
    out.intensity, out.light_on = spec.intensity, device.on
    if not isinstance(spec, DirectionalLight):
        constant, linear, quadratic = spec.attenuation
        out.attenuation = d.Attenuation(constant=constant, linear=linear, quadratic=quadratic)
        out.attenuation.given |= {"constant", "linear", "quadratic"}
    if not isinstance(spec, PointLight):
        out.direction = spec.direction
        out.given.add("direction")
    if isinstance(spec, DirectionalLight):
        out.type = "directional"
    if isinstance(spec, SpotLight):
        out.type = "spot"
        out.spot = d.Spot(
            inner_angle=tidy(2.0 * spec.beam_width),
            outer_angle=tidy(2.0 * spec.cut_off_angle),
            falloff=spec.cut_off_exponent,
        )
        out.spot.given |= {"inner_angle", "outer_angle", "falloff"}
    return out
