"""Writes cameras, lights and the sensors that Isaac Sim knows; other devices have no prim."""

from __future__ import annotations

import math

from unibody.formats.usd.write_stage import Stage, attribute, place, state
from unibody.model.device import Camera, Device, DirectionalLight, Imu, PointLight, SpotLight
from unibody.model.pose import Pose, facing
from unibody.text.usda.layer import Prim

#: The focal length of cameras, in tenths of a meter as USD has it; the apertures are in its terms.
FOCAL_LENGTH = 24.0
# The size that a light has which the model states as a point (m).
_RADIUS = 0.01


def device_prim(stage: Stage, link: str, device: Device) -> None:
    """Write a device below the prim of its link, if USD or Isaac Sim has such a prim."""
    pose = device.pose
    match device.spec:
        case Camera(lens="normal"):
            prim = _made(stage, link, device, "Camera")
            _camera(prim, device.spec)
        case Imu():
            prim = _made(stage, link, device, "IsaacImuSensor")
            state(prim, ("enabled", device.on))
        case PointLight() as lamp:
            prim = _made(stage, link, device, "SphereLight")
            _light(prim, lamp)
            state(prim, ("inputs:radius", _RADIUS), ("inputs:treatAsPoint", True))
        case SpotLight() as lamp:
            prim = _made(stage, link, device, "SphereLight")
            prim.apply("ShapingAPI")
            _light(prim, lamp)
            state(prim, ("inputs:radius", _RADIUS), ("inputs:treatAsPoint", True))
            state(prim, ("inputs:shaping:cone:angle", math.degrees(lamp.cut_off_angle)))
            pose = _along(pose, lamp)
        case DirectionalLight() as lamp:
            prim = _made(stage, link, device, "DistantLight")
            _light(prim, lamp)
            pose = _along(pose, lamp)
        case _:
            return
    place(prim, pose)


def _made(stage: Stage, link: str, device: Device, type_name: str) -> Prim:
    return stage.geometry.at(stage.add(stage.geometry, link, device.name, type_name, "device"))


def _along(pose: Pose, lamp: SpotLight | DirectionalLight) -> Pose:
    """The pose of a light that shines along −Z of its frame."""
    x, y, z = lamp.direction
    return pose if (x, y, z) == (0.0, 0.0, -1.0) else pose @ facing((-x, -y, -z))


def _light(prim: Prim, lamp: PointLight | SpotLight | DirectionalLight) -> None:
    state(prim, ("inputs:color", lamp.color), ("inputs:intensity", lamp.intensity))


def _camera(prim: Prim, camera: Camera) -> None:
    """The lens of a camera: the apertures are those of its picture at the focal length."""
    width, height = float(camera.width), float(camera.height)
    if camera.orthographic_span is None:
        up = min(width, height) / 2.0 / math.tan(camera.field_of_view / 2.0)
        across = FOCAL_LENGTH * width / (up * camera.focal_ratio)
        high = FOCAL_LENGTH * height / up
        projection = "perspective"
    else:
        # ten tenths of a meter
        pixel = 10.0 * camera.orthographic_span / min(width, height)
        across, high = pixel * width, pixel * height
        projection = "orthographic"
    state(
        prim,
        ("clippingRange", (camera.near, camera.far)),
        ("focalLength", FOCAL_LENGTH),
        ("horizontalAperture", across),
        ("projection", projection),
        ("verticalAperture", high),
    )
    right, down = camera.principal_offset
    if right:
        prim.properties.append(attribute("horizontalApertureOffset", -right / width * across))
    if down:
        prim.properties.append(attribute("verticalApertureOffset", down / height * high))
