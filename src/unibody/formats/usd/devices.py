"""Reads cameras, lights and the sensors of Isaac Sim."""

from __future__ import annotations

import math

from unibody.formats.usd import document_geometry as g
from unibody.formats.usd.document_prim import Prim
from unibody.formats.usd.joints import Units
from unibody.model.device import Camera, DirectionalLight, Imu, Opaque, PointLight, Spec, SpotLight
from unibody.text.node import Node

#: Types of prims that are sensors without a counterpart: what they say is kept.
_SENSORS = (
    "IsaacContactSensor",
    "IsaacLightBeamSensor",
    "IsaacRaycastSensor",
    "OmniLidar",
    "OmniRadar",
    "OmniAcoustic",
    "Lidar",
    "RotatingLidar",
    "UltrasonicArray",
    "Generic",
)
_IMU = "IsaacImuSensor"


def spec_of(prim: Prim, units: Units) -> Spec | None:
    """The device that a prim is; None if it is none."""
    match prim:
        case g.Camera():
            return _camera(prim, units)
        case g.DistantLight():
            return DirectionalLight(color=_color(prim), intensity=_intensity(prim))
        case g.SphereLight() if prim.shaping is not None and prim.shaping.angle < 90.0:
            half = math.radians(prim.shaping.angle)
            return SpotLight(
                color=_color(prim), intensity=_intensity(prim), beam_width=half, cut_off_angle=half
            )
        case g.SphereLight():
            return PointLight(color=_color(prim), intensity=_intensity(prim))
        case g.DiskLight() | g.RectLight():
            return SpotLight(color=_color(prim), intensity=_intensity(prim), cut_off_angle=math.pi / 2.0)
    if prim.tag == _IMU:
        return Imu()
    if prim.tag in _SENSORS:
        node = prim.node
        items = [] if node is None else [item for item in node.items if item[0]]
        return Opaque(kind=prim.tag, data=Node("", items))
    return None


def _camera(prim: g.Camera, units: Units) -> Camera:
    across, up = prim.horizontal_aperture, prim.vertical_aperture
    near, far = (value * units.meters for value in prim.clipping_range)
    # as many pixels as Camera has by default, in the shape of the aperture
    width = 640
    height = max(1, round(width * up / across)) if across > 0.0 and up > 0.0 else 480
    shorter = min(across, up)
    if prim.projection == "orthographic":
        # apertures are in tenths of a unit
        span = shorter / 10.0 * units.meters
        return Camera(width=width, height=height, near=near, far=far, orthographic_span=span)
    angle = 2.0 * math.atan2(shorter, 2.0 * prim.focal_length)
    return Camera(width=width, height=height, near=near, far=far, field_of_view=angle)


def _color(prim: g.Light) -> tuple[float, float, float]:
    r, g_, b = (min(max(value, 0.0), 1.0) for value in prim.color)
    return (r, g_, b)


def _intensity(prim: g.Light) -> float:
    return float(prim.intensity * 2.0**prim.exposure)
