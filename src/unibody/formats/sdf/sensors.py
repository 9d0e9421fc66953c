"""Reads sensors and lights as devices; they look along +X, with Z up."""

from __future__ import annotations

import math
from dataclasses import replace

from unibody.document.declare import Document
from unibody.formats.format import Context
from unibody.formats.sdf import document_sensors as d
from unibody.formats.sdf.kept import kept, wrapped
from unibody.formats.sdf.poses import PoseReader
from unibody.model.device import (
    Camera,
    ContactSwitch,
    DirectionalLight,
    ForceTorque,
    ImageType,
    Imu,
    Opaque,
    PointLight,
    RangeSensor,
    Spec,
    SpotLight,
)
from unibody.model.pose import IDENTITY, UNIT_QUATERNION, Pose, Quaternion
from unibody.text.dataclass import dataclass
from unibody.text.node import Item, Node, Word

#: From the axes of a device, which looks along −Z with Y up, to those of a sensor.
FORWARD: Quaternion = (0.5, 0.5, -0.5, -0.5)
_IMAGES: dict[str, ImageType] = {
    "camera": "color",
    "depth": "depth",
    "depth_camera": "depth",
    "rgbd": "color_depth",
    "rgbd_camera": "color_depth",
    "wideanglecamera": "color",
    "wide_angle_camera": "color",
}
#: The type of a scanner that is written: the one that Gazebo computes.
SCANNER = "gpu_lidar"
#: The type of noise that has a standard deviation.
NORMAL = "gaussian"
_LASERS = ("ray", "gpu_ray", "lidar", "gpu_lidar")
_OWN = ("name", "type", "pose", "update_rate")


@dataclass(frozen=True, slots=True)
class Found:
    """What a sensor or light is: its specification, its pose in its element, and what is kept of it."""

    spec: Spec
    turn: Pose = IDENTITY
    kept: tuple[Item, ...] = ()


def sensor(
    doc: d.Sensor, what: str, poses: PoseReader, context: Context, *, on_joint: bool = False
) -> Found:
    """What a sensor of a link measures, or one ``on_joint``."""
    kind = doc.type or ""
    cameras = doc.cameras
    if kind in _IMAGES and len(cameras) <= 1:
        camera = cameras[0] if cameras else d.Camera()
        return _camera(doc, camera, kind, what, poses, context)
    if kind in _LASERS:
        return _laser(doc)
    rest = kept(doc, *_fields(doc, "imu", "force_torque", "contact"))
    if kind == "imu":
        return Found(Imu(), kept=(*rest, *kept_all(doc, "imu")))
    if kind == "force_torque":
        # in a joint it is the frame of the device
        frame = () if on_joint else ("frame",)
        block = kept(doc.force_torque, *frame, "measure_direction", "force", "torque")
        return Found(ForceTorque(), kept=(*rest, *wrapped("force_torque", block)))
    if kind == "contact":
        return Found(ContactSwitch(), kept=(*rest, *kept_all(doc, "contact")))
    data = Node("", [("type", Word(kind), -1), *rest, *kept_all(doc, "imu", "force_torque", "contact")])
    context.findings.info("sensor-unknown", f"{what} of type '{kind}' is kept as it is written", doc.at())
    return Found(Opaque(kind=kind or "sensor", data=data))


def _fields(doc: Document, *without: str) -> list[str]:
    """The given fields of a sensor that it does not read itself."""
    return [name for name in sorted(doc.given) if name not in _OWN and name not in without]


def kept_all(doc: Document, *fields: str) -> list[Item]:
    """The given ones of some fields, as they are written."""
    return kept(doc, *(name for name in fields if name in doc.given))


def _camera(
    doc: d.Sensor, camera: d.Camera, kind: str, what: str, poses: PoseReader, context: Context
) -> Found:
    image = camera.image or d.CameraImage()
    clip = camera.clip or d.Clip()
    depth = camera.depth_camera.clip if camera.depth_camera is not None else None
    width, height, fov = image.width, image.height, camera.horizontal_fov
    left = kept(doc, *_fields(doc, "cameras"))
    is_wide = kind.startswith("wide")
    pinhole = camera.lens.intrinsics if camera.lens is not None and not is_wide else None
    lengths = (1.0, 1.0) if pinhole is None else (pinhole.fx, pinhole.fy)
    if min(width, height, clip.near, clip.far, *lengths) <= 0.0 or not 0.0 < fov < math.pi:
        context.findings.warning(
            "camera-image",
            f"{what}: width, height, near, far, fx and fy must be positive, "
            "and horizontal_fov between 0 and pi; the sensor is kept as vendor data",
            camera.at(),
        )
        return Found(Opaque(kind=kind, data=Node("", [*left, *kept_all(doc, "cameras")])))
    # across the shorter side
    view = fov if width <= height else 2.0 * math.atan(height / width * math.tan(fov / 2.0))
    ratio, offset = 1.0, (0.0, 0.0)
    if pinhole is not None:  # these rule in Gazebo
        view = 2.0 * math.atan(min(width, height) / (2.0 * pinhole.fy))
        ratio = pinhole.fx / pinhole.fy
        offset = (pinhole.cx - width / 2.0, pinhole.cy - height / 2.0)
    is_deep = _IMAGES[kind] != "color"
    deviation, noise = _noise(camera.noise if _IMAGES[kind] == "depth" else None)
    spec = Camera(
        image=_IMAGES[kind],
        lens="fisheye" if is_wide else "normal",
        width=width,
        height=height,
        field_of_view=view,
        focal_ratio=ratio,
        principal_offset=offset,
        near=clip.near,
        far=clip.far,
        frame_rate=doc.update_rate,
        min_distance=(depth.near if depth is not None else clip.near) if is_deep else None,
        max_distance=(depth.far if depth is not None else clip.far) if is_deep else None,
        error_deviation=deviation,
    )
    read = ["image", "clip", "pose", "horizontal_fov", "depth_camera"]
    if deviation is not None:
        read.append("noise")
    if pinhole is not None and camera.lens is not None:
        read.append("lens")
        # without a skew nothing else is to be said
        every = sorted(camera.lens.given - (set() if pinhole.s else {"intrinsics"}))
        noise += wrapped("lens", kept(camera.lens, *every))
    inner = kept(camera, *(n for n in sorted(camera.given) if n not in read)) + noise
    if camera.depth_camera is not None:
        inner += wrapped(
            "depth_camera", kept(camera.depth_camera, "output", *(() if is_deep else ("clip",)))
        )
    inner += wrapped("image", kept(image, "format", "anti_aliasing"))
    left += wrapped("camera", inner)
    turn = poses.read(camera.pose, f"{what}: camera") @ Pose(quat=FORWARD)
    return Found(spec, turn, tuple(left))


def _laser(doc: d.Sensor) -> Found:
    block = doc.lidar or doc.ray or d.Lidar()
    scan = block.scan or d.LidarScan()
    reach = block.range or d.LidarRange()
    left = kept(doc, *_fields(doc, "lidar", "ray"))
    low, high, step = _sweep(scan.horizontal, 1.0)
    low_pitch, high_pitch, pitch_step = _sweep(scan.vertical, 0.0)
    deviation, noise = _noise(block.noise)
    spec = RangeSensor(
        min_yaw=low,
        max_yaw=high,
        yaw_step=step,
        min_pitch=low_pitch,
        max_pitch=high_pitch,
        pitch_step=pitch_step,
        min_distance=reach.min,
        max_distance=reach.max,
        scan_rate=doc.update_rate,
        error_deviation=deviation or 0.0,
    )
    read = ("scan", "range", *(() if deviation is None else ("noise",)))
    inner = kept(block, *(n for n in sorted(block.given) if n not in read)) + noise
    inner += wrapped("range", kept(reach, "resolution"))
    left += wrapped("lidar", inner)
    left += [("type", Word(doc.type), -1)] if doc.type != SCANNER and doc.type else []
    return Found(spec, Pose(quat=FORWARD), tuple(left))


def _noise(doc: d.Noise | None) -> tuple[float | None, list[Item]]:
    """The standard deviation of normal noise of distances (m), and what is kept of it; None for another."""
    if doc is None or doc.type != NORMAL:
        return None, []
    return doc.stddev, wrapped("noise", kept(doc, *sorted(doc.given - {"type", "stddev"})))


def _sweep(doc: d.Sweep | None, default: float) -> tuple[float, float, float]:
    """The minimum and maximum angle, and the step between the samples; ``resolution`` multiplies these."""
    if doc is None:
        return 0.0, 0.0, default
    whole = doc.max_angle - doc.min_angle
    try:
        count = round(doc.samples * doc.resolution)
    except OverflowError:
        return doc.min_angle, doc.max_angle, math.inf  # which is reported as a number that overflows
    return doc.min_angle, doc.max_angle, whole / (count - 1) if count > 1 else default


def measured_in(doc: d.Sensor, sensor: Pose, parent: Pose, child: Pose) -> Pose:
    """The frame of a force and torque sensor at ``sensor``, with the axes that it measures in."""
    frame = doc.force_torque.frame if doc.force_torque is not None else "child"
    return replace(sensor, quat={"parent": parent.quat, "sensor": sensor.quat}.get(frame, child.quat))


def light(doc: d.Light, what: str, context: Context) -> Found:
    """What a light is."""
    x, y, z = doc.direction
    direction = (x, y, z)
    fall = doc.attenuation or d.Attenuation()
    attenuation = (fall.constant, fall.linear, fall.quadratic)
    color = (doc.diffuse[0], doc.diffuse[1], doc.diffuse[2])
    left = kept(doc, "specular", "cast_shadows", "frames", "visualize")
    left += kept_all(doc, "diffuse") if doc.diffuse[3:] not in ((), (1.0,)) else []
    left += wrapped("attenuation", kept(fall, "range")) if doc.type != "directional" else []
    spec: Spec
    if doc.type == "spot":
        spot = doc.spot or d.Spot()
        spec = SpotLight(
            color=color,
            intensity=doc.intensity,
            attenuation=attenuation,
            direction=direction,
            beam_width=spot.inner_angle / 2.0,
            cut_off_angle=spot.outer_angle / 2.0,
            cut_off_exponent=spot.falloff,
        )
    elif doc.type == "directional":
        left += kept_all(doc, "attenuation", "spot")
        spec = DirectionalLight(color=color, intensity=doc.intensity, direction=direction)
    else:
        if doc.type != "point":
            message = f"{what} of type '{doc.type or ''}' is read as a point light"
            context.findings.warning(
                "light-type", message, doc.at("type"), "write point, spot or directional"
            )
            left += kept_all(doc, "type")
        spec = PointLight(color=color, intensity=doc.intensity, attenuation=attenuation)
        left += kept_all(doc, "direction", "spot")
    return Found(spec, Pose(quat=UNIT_QUATERNION), tuple(left))
