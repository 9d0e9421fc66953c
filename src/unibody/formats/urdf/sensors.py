"""Reads ``<sensor>`` elements, a proposed extension that Choreonoid supports (facts C.6)."""

from __future__ import annotations

import math

from unibody.formats.format import Context
from unibody.formats.urdf import document as d
from unibody.formats.urdf.leftovers import keep
from unibody.formats.urdf.poses import pose
from unibody.model.device import Camera, Device, ImageType, Opaque, RangeSensor, Spec
from unibody.model.pose import Pose, Quaternion, multiply

# A ROS camera looks along Z with Y down, a ROS laser along X with Z up.
CAMERA: Quaternion = (0.0, 1.0, 0.0, 0.0)
LASER: Quaternion = (0.5, 0.5, -0.5, -0.5)
_DEPTH = ("mono8", "mono16")


def sensors(doc: d.Robot, links: set[str], context: Context) -> list[Device]:
    """Convert all sensors of known links to devices; sensors of unknown types become ``Opaque``."""
    out: list[Device] = []
    for x in doc.items:
        if not isinstance(x, d.Sensor) or x.parent_link is None or x.parent_link.link is None:
            continue
        if x.parent_link.link not in links:
            context.findings.warning(
                "link-unknown",
                f"sensor '{x.name}' refers to unknown link '{x.parent_link.link}'; kept as vendor data",
                x.parent_link.at("link"),
            )
            keep(doc, x)
            continue
        found = _spec(x, context)
        if found is None:
            keep(doc, x)
            continue
        spec, turn = found
        at = pose(x.origin, context)
        out.append(
            Device(
                name=x.name or "",
                link=x.parent_link.link,
                spec=spec,
                pose=Pose(at.xyz, multiply(at.quat, turn)),
                at=x.at(),
            )
        )
    return out


def _spec(x: d.Sensor, context: Context) -> tuple[Spec, Quaternion] | None:
    if x.camera is not None:
        camera = _camera(x.camera, x.update_rate, context)
        return None if camera is None else (camera, CAMERA)
    if x.ray is not None:
        return _laser(x.ray, x.update_rate), LASER
    kind = x.type or next((k for k, _, _ in x.rest), "sensor")
    context.findings.info(
        "sensor-unknown", f"sensor '{x.name}' has an unknown type; its data is kept", x.at()
    )
    from unibody.text.node import Node

    return Opaque(kind=kind, data=Node("", list(x.rest))), (1.0, 0.0, 0.0, 0.0)


def _camera(doc: d.Camera, rate: float, context: Context) -> Camera | None:
    image = doc.image
    if image is None or image.width is None or image.height is None:
        return None
    if image.hfov is None or image.near is None or image.far is None:
        return None
    width, height, hfov, near, far = image.width, image.height, image.hfov, image.near, image.far
    if min(width, height, near, far) <= 0 or not 0.0 < hfov < math.pi:
        context.findings.warning(
            "camera-image",
            "camera image: width, height, near and far must be positive, and hfov between 0 and pi; "
            "the sensor is kept as vendor data",
            image.at(),
        )
        return None
    # across the shorter side; Choreonoid applies the tangent to the whole angle (facts F.2, 18)
    view = hfov if width <= height else 2.0 * math.atan(height / width * math.tan(hfov / 2.0))
    kind: ImageType = "color_depth" if image.depth_format in _DEPTH else "color"
    deep = kind != "color"
    return Camera(
        image=kind,
        width=width,
        height=height,
        field_of_view=view,
        near=near,
        far=far,
        frame_rate=rate,
        min_distance=near if deep else None,
        max_distance=far if deep else None,
    )


def _laser(doc: d.Ray, rate: float) -> RangeSensor:
    yaw, pitch = doc.horizontal, doc.vertical
    low, high, step = _scan(yaw, 1.0)
    low_pitch, high_pitch, pitch_step = _scan(pitch, 0.0)
    return RangeSensor(
        min_yaw=low,
        max_yaw=high,
        yaw_step=step,
        min_pitch=low_pitch,
        max_pitch=high_pitch,
        pitch_step=pitch_step,
        scan_rate=rate,
    )


def _scan(scan: d.Scan | None, default: float) -> tuple[float, float, float]:
    """The minimum and maximum angle as written (Choreonoid makes them symmetric) and the step (rad)."""
    if scan is None:
        return 0.0, 0.0, default
    whole = scan.max_angle - scan.min_angle
    return scan.min_angle, scan.max_angle, whole / (scan.samples - 1) if scan.samples > 1 else default
