"""Writes devices as Body elements (facts A.13); the inverse of ``devices``."""

from __future__ import annotations

import math
from typing import Any

from unibody.document.declare import Document, kind_names
from unibody.formats.body import document as d
from unibody.formats.body.devices import optical_frame
from unibody.formats.body.write_shapes import place
from unibody.formats.cannot import FARTHEST
from unibody.formats.copied import copied
from unibody.formats.extras import held
from unibody.formats.tidy import degrees
from unibody.model import device as m
from unibody.model.equality import close
from unibody.model.pose import UNIT_QUATERNION, Pose, multiply
from unibody.text.finding import Findings
from unibody.text.node import Item, Node, Value, values
from unibody.text.source import Source
from unibody.text.yaml import parser as yaml

_FORMATS: dict[str, str] = {
    "color": "COLOR",
    "depth": "DEPTH",
    "color_depth": "COLOR_DEPTH",
    "point_cloud": "POINT_CLOUD",
    "color_point_cloud": "COLOR_POINT_CLOUD",
    # Choreonoid has no grayscale cameras
    "mono": "COLOR",
    "mono_depth": "COLOR_DEPTH",
}
_LENSES = {"normal": "NORMAL", "fisheye": "FISHEYE", "dual_fisheye": "DUAL_FISHEYE"}
# Off by default (facts A.13).
_OFF = frozenset(("Holder", "Attachment"))
# Other devices are written as optional; without their plug-in Choreonoid would reject the file.
_BUILT_IN = frozenset(
    "MarkerDevice Holder Attachment Conveyor DigitalIO ZmpDevice PerspectiveCamera OrthographicCamera "
    "Fog Camera CameraDevice".split()
)
_TAKEN = frozenset(name for cls in d.ELEMENTS for name in kind_names(cls)) - frozenset(
    kind_names(d.OtherDevice)
)


def is_node(spec: m.Spec) -> bool:
    """Whether a device is written as a node that Choreonoid or one of its plug-ins may have.

    The types of nodes begin with a capital letter; others are elements of another format.
    """
    return not isinstance(spec, m.Opaque) or spec.kind[:1].isupper()


def device(x: m.Device, extras: list[Item]) -> Document | None:
    """The element of a device with its extras; None if Body files cannot represent it."""
    made: d.Device | None = _spec(x.spec)
    if made is None:
        return None
    made.name = x.name
    pose = x.pose
    if isinstance(made, d.Optical):
        w, i, j, k = optical_frame(extras)
        if (w, i, j, k) != UNIT_QUATERNION:
            w, i, j, k = (_clean(v) for v in multiply(pose.quat, (w, -i, -j, -k)))
            pose = Pose(pose.xyz, (w, i, j, k))
    else:
        extras = [item for item in extras if not item[0].startswith("optical_frame")]
    place(made, pose)
    made.rest.extend(extras)
    if x.id is not None and x.id >= 0:
        made.id = x.id
    off = isinstance(x.spec, m.Opaque) and x.spec.kind in _OFF
    if x.on == off:
        made.on = x.on
        made.given.add("on")
    return made


def _clean(value: float) -> float:
    """Zero for a rounding error."""
    return 0.0 if abs(value) < 1e-14 else value


def _spec(spec: m.Spec) -> Any:
    match spec:
        case m.Accelerometer():
            return d.AccelerationSensor(max_acceleration=_limits(spec.max_acceleration))
        case m.Gyro():
            return d.RateGyroSensor(max_angular_velocity=_limits(spec.max_angular_velocity))
        case m.Imu():
            return d.Imu(
                max_acceleration=_limits(spec.max_acceleration),
                max_angular_velocity=_limits(spec.max_angular_velocity),
            )
        case m.ForceTorque():
            return d.ForceSensor(max_force=_limits(spec.max_force), max_torque=_limits(spec.max_torque))
        case m.Camera():
            return _camera(spec)
        case m.RangeSensor():
            return _range_sensor(spec)
        case m.Opaque():
            return _opaque(spec)
        case m.ContactSwitch():
            return None
    return _light(spec)


def _limits(values: tuple[float, float, float]) -> Any:
    """Maximum readings per axis; −1 is unlimited, None if all are."""
    if values == m.UNLIMITED:
        return None
    return tuple(-1.0 if math.isinf(v) else v for v in values)


def _camera(spec: m.Camera) -> d.Camera | None:
    if spec.image not in _FORMATS:
        return None
    out = d.Camera(
        format=_FORMATS[spec.image],
        lens_type=_LENSES[spec.lens],
        width=spec.width,
        height=spec.height,
        near_clip_distance=spec.near,
        far_clip_distance=spec.far,
        frame_rate=spec.frame_rate,
    )
    # a DUAL_FISHEYE lens has no field of view (reference)
    if spec.lens != "dual_fisheye" or not close(spec.field_of_view, math.pi / 4):
        out.field_of_view = degrees(spec.field_of_view)
    if spec.image != "color":
        for name in ("min_distance", "max_distance", "detection_rate", "error_deviation"):
            value = getattr(spec, name)
            if value is not None:
                setattr(out, name, value)
                out.given.add(name)
    return out


def _range_sensor(spec: m.RangeSensor) -> d.RangeSensor:
    out = d.RangeSensor(
        min_distance=spec.min_distance,
        max_distance=min(spec.max_distance, FARTHEST),
        scan_rate=spec.scan_rate,
        detection_rate=spec.detection_rate,
        error_deviation=spec.error_deviation,
        yaw_step=degrees(spec.yaw_step),
        pitch_step=None if close(spec.pitch_step, 0.0) else degrees(spec.pitch_step),
    )
    if spec.min_yaw == -spec.max_yaw:
        out.yaw_range = degrees(2.0 * spec.max_yaw)
    else:
        out.min_yaw_angle, out.max_yaw_angle = degrees(spec.min_yaw), degrees(spec.max_yaw)
    if spec.min_pitch == -spec.max_pitch:
        out.pitch_range = degrees(2.0 * spec.max_pitch) if spec.max_pitch else None
    else:
        out.min_pitch_angle, out.max_pitch_angle = degrees(spec.min_pitch), degrees(spec.max_pitch)
    return out


def _light(spec: m.PointLight | m.SpotLight | m.DirectionalLight) -> Any:
    shared: dict[str, Any] = {
        "color": spec.color,
        "intensity": spec.intensity,
        "ambient": spec.ambient,
    }
    match spec:
        case m.PointLight():
            return d.PointLight(attenuation=spec.attenuation, **shared)
        case m.SpotLight():
            return d.SpotLight(
                attenuation=spec.attenuation,
                direction=spec.direction,
                beam_width=degrees(spec.beam_width),
                cut_off_angle=degrees(spec.cut_off_angle),
                cut_off_exponent=spec.cut_off_exponent,
                **shared,
            )
    return d.DirectionalLight(direction=spec.direction, **shared)


def _opaque(spec: m.Opaque) -> Document | None:
    """A device of another kind with its data, as far as YAML represents it; None for a reserved kind."""
    if not spec.kind or (spec.kind in _TAKEN and not _is_camera(spec)):
        return None
    out = d.UnknownNode(type=spec.kind, is_optional=spec.kind not in _BUILT_IN)
    data = copied(spec.data)
    if isinstance(data, Node) and is_yaml(data):
        out.rest[:] = [item for item in held(data, read_back) if not _declared(item)]
    return out


def read_back(item: Item) -> Value:
    """Print and parse an item as YAML; ValueError or TextError if YAML cannot represent it."""
    return yaml.parse(Source("", yaml.print_yaml(Node("", [item]))), Findings())


def _is_camera(spec: m.Opaque) -> bool:
    """Whether a device is a camera without format, which is written as it was read."""
    return spec.kind in kind_names(d.Camera) and spec.data.get("format") is None


def _declared(item: Item) -> bool:
    return item[0] in ("type", "name", "id", "on", "translation", "rotation", "scale", "elements")


def is_yaml(value: Value) -> bool:
    """Whether a tree is valid YAML for Choreonoid: no tags, no text beside keys, no duplicate keys."""
    for v in values(value):
        if isinstance(v, Node):
            keys = [key for key, _, _ in v.items]
            if v.tag or "" in keys or len(set(keys)) < len(keys):
                return False
    return True


__all__ = ["device", "is_node", "is_yaml", "read_back"]
