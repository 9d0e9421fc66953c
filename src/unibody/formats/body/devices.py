"""Reads device nodes (facts A.13)."""

from __future__ import annotations

import math
from typing import Any

from unibody.document.declare import to_numbers
from unibody.formats.body import document as d
from unibody.formats.body import fixes
from unibody.formats.body.placement import radians, rotation
from unibody.formats.body.values import nested
from unibody.formats.format import Context
from unibody.formats.tidy import axis_angle
from unibody.model import device as m
from unibody.model.pose import UNIT_QUATERNION, Pose, Quaternion, from_axis_angle, multiply
from unibody.text.finding import Findings
from unibody.text.fixes import respelled
from unibody.text.node import Item, Node, Numbers, Word
from unibody.text.number import parse_float

# Devices that Choreonoid creates switched off.
_OFF = frozenset(("Holder", "Attachment"))
_IMAGES: dict[str, m.ImageType] = {
    "COLOR": "color",
    "DEPTH": "depth",
    "COLOR_DEPTH": "color_depth",
    "POINT_CLOUD": "point_cloud",
    "COLOR_POINT_CLOUD": "color_point_cloud",
}
_LENSES: dict[str, Any] = {"NORMAL": "normal", "FISHEYE": "fisheye", "DUAL_FISHEYE": "dual_fisheye"}
# Optical frames seen from the neutral one (−Z forward, Y up): columns are its axes.
_HALF = 0.5
_FRAMES: dict[str, Quaternion] = {
    "gl": UNIT_QUATERNION,
    "cv": (0.0, 1.0, 0.0, 0.0),
    "robotics": (_HALF, _HALF, -_HALF, -_HALF),
}
# The loader keeps π/4 to six digits only; files that rely on the default mean that value.
_DEFAULT_VIEW = 0.785398
# The loader's default step is one radian, whatever the unit (facts F.1, 19).
_YAW_STEP = 1.0


def device(doc: Any, link: str, pose: Pose, unit: str, context: Context) -> m.Device | None:
    """The neutral device at ``pose`` in its link; None for a camera that nobody would create."""
    spec = _spec(doc, unit, context)
    if spec is None:
        return None
    if isinstance(doc, d.Optical):
        pose = Pose(pose.xyz, multiply(pose.quat, _optical(doc, unit, context)))
    on = doc.on if "on" in doc.given else doc.type not in _OFF
    number = doc.id if doc.id >= 0 else None
    span = doc.at()
    return m.Device(name=doc.name, link=link, spec=spec, pose=pose, id=number, on=on, at=span)


def _optical(doc: d.Optical, unit: str, context: Context) -> Quaternion:
    turn = rotation(doc.optical_frame_rotation, unit, doc, context.findings)
    return multiply(_FRAMES[doc.optical_frame], turn)


def optical_items(doc: d.Optical, unit: str) -> list[Item]:
    """The optical frame of a device in degrees, for its writer: Choreonoid keeps it apart from the pose."""
    out: list[Item] = []
    if doc.optical_frame in _FRAMES and doc.optical_frame != "gl":
        out.append(("optical_frame", Word(doc.optical_frame), -1))
    quat = rotation(doc.optical_frame_rotation, unit, doc, Findings())
    turn = axis_angle(quat)
    if turn is not None:
        rows = nested(doc.optical_frame_rotation)
        # the author's digits, if they are in degrees
        numbers = list(rows[0] if unit == "degree" and len(rows) == 1 else turn)
        out.append(("optical_frame_rotation", to_numbers(numbers), -1))
    return out


def optical_frame(items: list[Item]) -> Quaternion:
    """The rotation of the optical frame that :func:`optical_items` states; the identity if they are odd."""
    out = UNIT_QUATERNION
    for key, value, _ in items:
        if key == "optical_frame" and isinstance(value, Word):
            out = multiply(_FRAMES.get(value.text, UNIT_QUATERNION), out)
        elif key == "optical_frame_rotation":
            words = value.words() if isinstance(value, Numbers) else []
            numbers = [v for v in map(parse_float, words) if v is not None]
            if len(numbers) == 4:
                x, y, z, angle = numbers
                out = multiply(out, from_axis_angle((x, y, z), math.radians(angle)) or UNIT_QUATERNION)
    return out


def _limits(value: Any) -> Any:
    """Largest readings per axis; −1 means no limit, as in OpenHRP's files."""
    return m.UNLIMITED if value is None else tuple(math.inf if v == -1.0 else v for v in value)


def _spec(doc: Any, unit: str, context: Context) -> m.Spec | None:
    match doc:
        case d.AccelerationSensor():
            return m.Accelerometer(max_acceleration=_limits(doc.max_acceleration))
        case d.RateGyroSensor():
            return m.Gyro(max_angular_velocity=_limits(doc.max_angular_velocity))
        case d.Imu():
            return _imu(doc, context)
        case d.ForceSensor():
            return m.ForceTorque(max_force=_limits(doc.max_force), max_torque=_limits(doc.max_torque))
        case d.Camera():
            return _camera(doc, unit, context)
        case d.RangeSensor():
            return _range_sensor(doc, unit, context)
        case d.PointLight():
            return m.PointLight(
                color=doc.color,  # type: ignore[arg-type]
                intensity=doc.intensity,
                ambient=doc.ambient,
                attenuation=doc.attenuation,  # type: ignore[arg-type]
            )
        case d.SpotLight():
            return _spot_light(doc, unit)
        case d.DirectionalLight():
            return m.DirectionalLight(
                color=doc.color,  # type: ignore[arg-type]
                intensity=doc.intensity,
                ambient=doc.ambient,
                direction=doc.direction,  # type: ignore[arg-type]
            )
    return m.Opaque(kind=doc.type, data=Node("", list(doc.rest)))


def _imu(doc: d.Imu, context: Context) -> m.Imu:
    if doc.type == "Imu":
        context.findings.info(
            "reference-differs",
            "type Imu is read as in the reference; Choreonoid supports only IMU and rejects the file",
            doc.at("type"),
            "write IMU",
            fix=respelled(doc.at("type"), "Imu", "IMU", safe=True),
        )
    return m.Imu(
        max_acceleration=_limits(doc.max_acceleration),
        max_angular_velocity=_limits(doc.max_angular_velocity),
    )


def _camera(doc: d.Camera, unit: str, context: Context) -> m.Camera | m.Opaque:
    image = _IMAGES.get(doc.format or "")
    if image is None:
        said = f"unknown camera format '{doc.format}'" if doc.format else "camera format is missing"
        context.findings.warning(
            "camera-format",
            f"{said}; Choreonoid creates no device; its data is kept",
            doc.at("format"),
            f"use one of {', '.join(_IMAGES)}",
        )
        items = [i for i in (doc.node.items if doc.node else []) if i[0] not in _COMMON]
        return m.Opaque(kind=doc.type, data=Node("", items))
    _check_lens(doc, context)
    view = _DEFAULT_VIEW if doc.field_of_view is None else radians(doc.field_of_view, unit)
    deep = image != "color"
    return m.Camera(
        image=image,
        lens=_LENSES[doc.lens_type],
        width=doc.width,
        height=doc.height,
        field_of_view=view,
        near=doc.near_clip_distance,
        far=doc.far_clip_distance,
        frame_rate=doc.frame_rate,
        min_distance=doc.min_distance if deep else None,
        max_distance=doc.max_distance if deep else None,
        detection_rate=doc.detection_rate if deep else None,
        error_deviation=doc.error_deviation if deep else None,
    )


_COMMON = frozenset(
    "type name id on translation rotation scale elements is_optional isOptional optical_frame "
    "opticalFrame optical_frame_rotation opticalFrameRotation".split()
)


def _check_lens(doc: d.Camera, context: Context) -> None:
    """What the reference forbids with fisheye lenses (Camera node)."""
    if doc.lens_type == "NORMAL":
        return
    if doc.format != "COLOR":
        context.findings.warning(
            "camera-lens",
            f"camera '{doc.name}': lens_type {doc.lens_type} requires format COLOR",
            doc.at("lens_type"),
        )
    if doc.lens_type == "DUAL_FISHEYE" and doc.field_of_view is not None:
        context.findings.warning(
            "camera-lens",
            f"camera '{doc.name}': field_of_view is ignored for a DUAL_FISHEYE lens",
            doc.at("field_of_view"),
            "remove field_of_view",
        )
    if "height" in doc.given:
        context.findings.info(
            "camera-lens",
            f"camera '{doc.name}': height is ignored for a fisheye image, where it follows from the width",
            doc.at("height"),
            fix=fixes.key_removed(doc.node, "height"),
        )


def _range_sensor(doc: d.RangeSensor, unit: str, context: Context) -> m.RangeSensor:
    low_yaw, high_yaw = _span(
        doc.min_yaw_angle, doc.max_yaw_angle, doc.yaw_range, unit, math.radians(120.0)
    )
    low_pitch, high_pitch = _span(doc.min_pitch_angle, doc.max_pitch_angle, doc.pitch_range, unit, 0.0)
    yaw_step = _step(doc.yaw_step, doc.yaw_samples, high_yaw - low_yaw, unit, _YAW_STEP)
    pitch_step = _step(doc.pitch_step, doc.pitch_samples, high_pitch - low_pitch, unit, 0.0)
    _check_scan(doc, "yaw", high_yaw - low_yaw, yaw_step, context)
    _check_scan(doc, "pitch", high_pitch - low_pitch, pitch_step, context)
    return m.RangeSensor(
        min_yaw=low_yaw,
        max_yaw=high_yaw,
        yaw_step=max(yaw_step, 0.0),
        min_pitch=low_pitch,
        max_pitch=high_pitch,
        pitch_step=max(pitch_step, 0.0),
        min_distance=doc.min_distance,
        max_distance=doc.max_distance,
        scan_rate=doc.scan_rate,
        detection_rate=doc.detection_rate,
        error_deviation=doc.error_deviation,
    )


def _span(
    low: float | None, high: float | None, whole: float | None, unit: str, default: float
) -> tuple[float, float]:
    """Both ends, or a range centerd at 0 (facts A.13)."""
    if low is not None and high is not None:
        return radians(low, unit), radians(high, unit)
    half = (default if whole is None else radians(whole, unit)) / 2.0
    return (-half, half) if half else (0.0, 0.0)


def _step(step: float | None, samples: int | None, whole: float, unit: str, default: float) -> float:
    if step is not None:
        return radians(step, unit)
    if samples is not None:
        return whole / (samples - 1) if samples > 1 else default
    return default


_LARGEST = {"yaw": 360.0, "pitch": 170.0}


def _check_scan(doc: Any, word: str, whole: float, step: float, context: Context) -> None:
    """The reference's rules: at most 360° and 170°, and a multiple of the step."""
    degrees = math.degrees(whole)
    at = doc.at(f"{word}_range", f"min_{word}_angle")
    if degrees > _LARGEST[word] + 1e-9 or degrees < 0.0:
        context.findings.warning(
            "scan-range",
            f"range sensor '{doc.name}': {word} range {degrees:.6g}° must be between 0 and "
            f"{_LARGEST[word]:.0f}°",
            at,
        )
    given = any(f"{word}_{key}" in doc.given for key in ("step", "range"))
    if (
        step > 0.0
        and given
        and math.isfinite(whole / step)
        and abs(whole / step - round(whole / step)) > 1e-6 * max(1.0, whole / step)
    ):
        context.findings.warning(
            "scan-step",
            f"range sensor '{doc.name}': {word} range {degrees:.6g}° is not a multiple of the step "
            f"{math.degrees(step):.6g}°",
            at,
        )
    if step < 0.0 or (step == 0.0 and given):
        context.findings.warning(
            "scan-step",
            f"range sensor '{doc.name}': {word} step must be positive, not {math.degrees(step):.6g}°; "
            "using one sample, as in Choreonoid",
            at,
        )


def _spot_light(doc: d.SpotLight, unit: str) -> m.SpotLight:
    beam, cut = doc.beam_width, doc.cut_off_angle
    return m.SpotLight(
        color=doc.color,  # type: ignore[arg-type]
        intensity=doc.intensity,
        ambient=doc.ambient,
        attenuation=doc.attenuation,  # type: ignore[arg-type]
        direction=doc.direction,  # type: ignore[arg-type]
        beam_width=math.pi / 2 if beam is None else radians(beam, unit),
        cut_off_angle=math.pi / 4 if cut is None else radians(cut, unit),
        cut_off_exponent=doc.cut_off_exponent,
    )
