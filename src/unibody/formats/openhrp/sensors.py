"""Converts OpenHRP's sensors and other devices to devices of the model (facts B.7)."""

from __future__ import annotations

import math
from typing import Any

from unibody.formats.extras import written
from unibody.formats.format import Context
from unibody.formats.openhrp import document as d
from unibody.formats.openhrp.nodes import leftovers, name_of, two_names
from unibody.model import device as m
from unibody.model.pose import Pose
from unibody.text.node import Item, Node

IMAGES: dict[str, m.ImageType] = {
    "NONE": "none",
    "COLOR": "color",
    "MONO": "mono",
    "DEPTH": "depth",
    "COLOR_DEPTH": "color_depth",
    "MONO_DEPTH": "mono_depth",
    "POINT_CLOUD": "point_cloud",
    "COLOR_POINT_CLOUD": "color_point_cloud",
}
_FLAT = ("none", "color", "mono")


def device(doc: Any, link: str, pose: Pose, context: Context) -> m.Device:
    """The device of the model at ``pose`` in its link."""
    number = doc.sensor_id if doc.device_id is None else doc.device_id
    return m.Device(
        name=name_of(doc),
        link=link,
        spec=_spec(doc, context),
        pose=pose,
        id=number if number >= 0 else None,
        on=getattr(doc, "on", True),
        at=doc.at(),
    )


def device_extras(doc: Any, context: Context) -> list[Item]:
    """The items of a device that the model cannot represent."""
    out: list[Item] = []
    if doc.device_id is not None:
        out += leftovers(doc, "sensor_id")
    if isinstance(doc, d.VisionSensor):
        out += two_names(doc, context.findings)
    # all fields of opaque devices are in their data
    return out if isinstance(doc, d.OtherDevice | d.HardwareComponent) else out + doc.rest


def _limits(values: tuple[float, ...]) -> Any:
    """Maximum readings per axis; −1 means unlimited (facts F.1, 34)."""
    return tuple(math.inf if v == -1.0 else v for v in values)


def _spec(doc: Any, context: Context) -> m.Spec:
    match doc:
        case d.AccelerationSensor():
            return m.Accelerometer(max_acceleration=_limits(doc.max_acceleration))
        case d.Gyro():
            return m.Gyro(max_angular_velocity=_limits(doc.max_angular_velocity))
        case d.ForceSensor():
            return m.ForceTorque(max_force=_limits(doc.max_force), max_torque=_limits(doc.max_torque))
        case d.VisionSensor():
            return _camera(doc, context)
        case d.RangeSensor():
            return _range_sensor(doc, context)
        case d.SpotLightDevice():
            return m.SpotLight(
                color=doc.color,  # type: ignore[arg-type]
                intensity=doc.intensity,
                attenuation=doc.attenuation,  # type: ignore[arg-type]
                direction=doc.direction,  # type: ignore[arg-type]
                beam_width=doc.beam_width,
                cut_off_angle=doc.cut_off_angle,
                cut_off_exponent=doc.cut_off_exponent,
            )
    items = written(doc, "id", "url") if isinstance(doc, d.HardwareComponent) else []
    return m.Opaque(kind=doc.tag, data=Node("", items + doc.rest))


def _camera(doc: d.VisionSensor, context: Context) -> m.Camera:
    image = IMAGES[doc.type]
    view = doc.field_of_view
    if not 0.0 < view < math.pi:
        context.findings.warning(
            "field-of-view",
            f"VisionSensor '{name_of(doc)}': fieldOfView must be between 0 and pi rad, not {view:g}",
            doc.at("field_of_view"),
            "write the angle in radians",
        )
    if image == "none":
        context.findings.info(
            "reference-differs",
            f"VisionSensor '{name_of(doc)}': type NONE has no image, as in the reference; Choreonoid reads "
            "it as COLOR",
            doc.at("type"),
            "set type to the image type of the camera",
        )
    flat = image in _FLAT
    return m.Camera(
        image=image,
        width=doc.width,
        height=doc.height,
        field_of_view=view,
        near=doc.front_clip_distance,
        far=doc.back_clip_distance,
        frame_rate=doc.frame_rate,
        # the defaults of Choreonoid's range camera; the format has no fields for them
        min_distance=None if flat else 0.1,
        max_distance=None if flat else 10.0,
        detection_rate=None if flat else 1.0,
        error_deviation=None if flat else 0.0,
    )


def _range_sensor(doc: d.RangeSensor, context: Context) -> m.RangeSensor:
    """The range sensor of the model; scanAngle is the full angle, 0 for a sensor that does not scan."""
    half = doc.scan_angle / 2.0
    if doc.scan_step <= 0.0 and half:
        context.findings.warning(
            "scan-step",
            f"RangeSensor '{name_of(doc)}': scanStep must be positive, not {doc.scan_step:g}; "
            "using one sample, as in Choreonoid",
            doc.at("scan_step"),
        )
    return m.RangeSensor(
        min_yaw=-half if half else 0.0,
        max_yaw=half,
        yaw_step=max(doc.scan_step, 0.0),
        min_distance=doc.min_distance,
        max_distance=doc.max_distance,
        scan_rate=doc.scan_rate,
    )
