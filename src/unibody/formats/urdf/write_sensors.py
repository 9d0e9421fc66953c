"""Writes devices as `<sensor>` elements; the inverse of ``sensors``."""

from __future__ import annotations

import math
import re

from unibody.formats.copied import copied
from unibody.formats.tidy import tidy
from unibody.formats.urdf import document as d
from unibody.formats.urdf.sensors import CAMERA, LASER
from unibody.formats.urdf.versions import Version
from unibody.formats.urdf.write_shapes import origin
from unibody.model.device import Camera, Device, Opaque, RangeSensor
from unibody.model.pose import Pose, Quaternion, multiply
from unibody.text.node import Item, Node, Numbers, Row, Value, Word

_NAME = re.compile(r"[A-Za-z_][\w.\-]*\Z", re.ASCII)
# Declared attributes and elements of <sensor>; an extra must not use these names.
_DECLARED = frozenset(("name", "type", "update_rate", "parent", "origin", "camera", "ray"))
_MOST_SAMPLES = 10_000_000


def inverse(q: Quaternion) -> Quaternion:
    """The inverse of a unit quaternion."""
    w, x, y, z = q
    return (w, -x, -y, -z)


def sensor(device: Device, version: Version) -> d.Sensor | None:
    """The sensor element of a camera, a range sensor, or a device with XML data; None for others."""
    out = d.Sensor(name=device.name, parent_link=d.LinkRef(link=device.link))
    turn: Quaternion = (1.0, 0.0, 0.0, 0.0)
    match device.spec:
        case Camera(image="color" | "color_depth") as camera if _is_pinhole(camera):
            out.update_rate, out.camera, turn = camera.frame_rate, _camera(camera), CAMERA
        case RangeSensor() as scanner:
            out.update_rate, out.ray, turn = scanner.scan_rate, _ray(scanner), LASER
        case Opaque(kind=kind, data=data) if kind and is_xml(data):
            out.type = kind
            node = copied(data)
            out.rest.extend(node.items if isinstance(node, Node) else [])
            if _named_by_content(out.rest, kind):
                out.type = None
        case _:
            return None
    pose = device.pose
    out.origin = origin(Pose(pose.xyz, multiply(pose.quat, inverse(turn))), version)
    return out


def _named_by_content(items: list[Item], kind: str) -> bool:
    """Whether the reader derives the kind of an untyped sensor from its first item."""
    return bool(items) and items[0][0] == kind and isinstance(items[0][1], Node)


def _is_pinhole(spec: Camera) -> bool:
    good = min(spec.width, spec.height, spec.near, spec.far) > 0 and spec.lens == "normal"
    return good and 0.0 < spec.field_of_view < math.pi and spec.orthographic_span is None


def _camera(spec: Camera) -> d.Camera:
    view = spec.field_of_view
    if spec.width > spec.height:
        view = 2.0 * math.atan(spec.width / spec.height * math.tan(view / 2.0))
    return d.Camera(
        image=d.Image(
            width=spec.width,
            height=spec.height,
            depth_format="mono16" if spec.image == "color_depth" else None,
            hfov=tidy(view),
            near=spec.near,
            far=spec.far,
        )
    )


def _ray(spec: RangeSensor) -> d.Ray:
    return d.Ray(
        horizontal=_scan(spec.min_yaw, spec.max_yaw, spec.yaw_step),
        vertical=_scan(spec.min_pitch, spec.max_pitch, spec.pitch_step),
    )


def _scan(low: float, high: float, step: float) -> d.Scan | None:
    if low == high == 0.0:
        return None
    count = round((high - low) / step) + 1 if step > 0.0 else 1
    return d.Scan(samples=max(1, min(count, _MOST_SAMPLES)), min_angle=low, max_angle=high)


def is_xml(value: Value) -> bool:
    """Whether XML represents a tree exactly: attributes first, then elements with their tags as keys."""
    todo: list[tuple[Value, bool]] = [(value, True)]
    while todo:
        v, top = todo.pop()
        if not isinstance(v, Node):
            return False
        seen: set[str] = set()
        elements = False
        for key, inner, _ in v.items:
            if isinstance(inner, Node):
                elements = True
                if inner.tag != key or not _NAME.match(key):
                    return False
                todo.append((inner, False))
            elif isinstance(inner, Row | Numbers):
                return False
            elif not key:
                elements = True
                if not _is_text(inner):
                    return False
            elif elements or key in seen or not _NAME.match(key):
                return False
            seen.add(key)
            if top and key in _DECLARED:
                return False
    return True


def _is_text(word: Word) -> bool:
    return word.text == word.text.strip() and bool(word.text)
